"""One archive, asked five ways: the command, its JSON, the report, the viewer and this package agree on every
task and every count."""

import html
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

import arcloom

def command(*words):
    done = subprocess.run([sys.executable, "-m", "arcloom", *words], capture_output=True, text=True, timeout=300)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def counted(states):
    """Tasks that fit, and tasks that are right, of states by task."""
    return sum(fits for fits, _ in states.values()), sum(tests == "right" for _, tests in states.values())


def of_json(text):
    return {one["task"]: (one["fits"] == one["demos"], one["tests"]) for one in json.loads(text)["tasks"]}


def of_package(archive):
    return {one.task: (one.fits == one.demos, one.tests) for one in arcloom.Archive(archive).standings()}


def of_report(archive, folder):
    page = pathlib.Path(folder, "report.html")
    arcloom.Archive(archive).report(page)
    text = page.read_text()
    states = {}
    for article in re.findall(r'<article class="task".*?</h3>', text, re.S):
        words = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", article))).split()
        fits, demos = re.search(r"fits (\d+)/(\d+)", " ".join(words)).groups()
        tests = re.search(r"tests (right|wrong|unknown)", " ".join(words))
        # The tests of a task that does not fit are only mentioned when they are right.
        states[words[0]] = (fits == demos, tests and tests[1])
    figures = dict(re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", text))
    count = lambda name: int(next(value for key, value in figures.items() if key.startswith(name)).split("/")[0])
    return states, (count("tasks that fit"), count("tasks that are right"))


def of_viewer(archive):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "arcloom", "serve", archive, "-t", "embedded", "--port", str(port), "--no-open"]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        server.stdout.readline()
        base = f"http://127.0.0.1:{port}"
        for _ in range(100):
            try:
                page = urllib.request.urlopen(f"{base}/tasks?set=embedded").read().decode()
                break
            except OSError:
                time.sleep(0.1)

        def data(path):
            asked = urllib.request.Request(base + path, headers={"Accept": "application/json"})
            return json.load(urllib.request.urlopen(asked))

        states = {name: state for state, name in re.findall(r'<a class="(\w+)" href="/task/([^"?]*)', page)}
        lists = {"tasks": data("/tasks?set=embedded"), "run": data("/runs")["runs"][-1], "matrix": data("/matrix")["runs"][-1]}
        return states, {name: (one["fits_count"], one["right_count"]) for name, one in lists.items()}
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(20)
        server.stdout.close()


class Standing(unittest.TestCase):
    def check(self, archive, folder, expected, runs=("run", "matrix")):
        """`runs` are the screens that speak of one run, which in a merged archive is a part of it."""
        count = len(expected)
        fits, right = counted(expected)
        self.assertEqual(of_package(archive), expected)
        stats = json.loads(command("archive", "stats", "-a", archive, "--json"))
        self.assertEqual((stats["task_count"], stats["fits_count"], stats["right_count"]), (count, fits, right))
        self.assertIn(f"{fits} fit, {right} right", command("archive", "stats", "-a", archive))
        table = command("archive", "stats", "-a", archive, "--tasks")
        for task, (is_fit, tests) in expected.items():
            row = next(line.split() for line in table.splitlines() if line.split()[:1] == [task])
            reached, demos = row[2].split("/")
            self.assertEqual((row[1], reached == demos), (tests, is_fit), row)
        states, counts = of_report(archive, folder)
        self.assertEqual(counts, (fits, right))
        shown = lambda one: (one[0], one[1] if one[0] or one[1] == "right" else None)
        self.assertEqual(states, {task: shown(one) for task, one in expected.items()})
        state = lambda one: "right" if one[1] == "right" else "fits" if one[0] else "open"
        viewer, screens = of_viewer(archive)
        for screen in ("tasks", *runs):
            self.assertEqual(screens[screen], (fits, right), screen)
        self.assertEqual({task: viewer[task] for task in expected}, {task: state(one) for task, one in expected.items()})

    def test_solve(self):
        with tempfile.TemporaryDirectory() as folder:
            archive = os.path.join(folder, "solve.db")
            words = ("solve", "embedded", "--budget", "0.03s/task", "-a", archive)
            report = command(*words, "--json")
            expected = of_json(report)
            fits, right = counted(expected)
            self.assertEqual(len(expected), 48)
            self.assertTrue(0 < right and fits < 48, (fits, right))
            said = json.loads(report)
            self.assertEqual((said["fits_count"], said["right_count"]), (fits, right))
            # Some are right with two attempts although nothing fits all their demos.
            wrong = sum(fit and tests != "right" for fit, tests in expected.values())
            counts = f"48 tasks: {right} right, {wrong} fit but are wrong, {48 - right - wrong} open"
            self.assertIn(counts, command(*words))
            self.check(archive, folder, expected)
            # With an evolution merged into it what it hands in stays, and tasks for which it has nothing come in.
            other = os.path.join(folder, "evolve.db")
            command("evolve", "-p", "library:embedded", "-t", "embedded", "-a", other, "--budget", "2g", "-q")
            command("archive", "-a", archive, "merge", other)
            both = of_package(archive)
            handed_in = {task["task"] for task in said["tasks"] if any(task["attempts"])}
            self.assertGreater(len(handed_in), 24)
            self.assertEqual({task: both[task] for task in handed_in}, {task: expected[task] for task in handed_in})
            self.check(archive, folder, both, runs=())

    def test_evolve(self):
        with tempfile.TemporaryDirectory() as folder:
            archive = os.path.join(folder, "evolve.db")
            words = ("evolve", "-p", "library:embedded", "-t", "embedded", "-a", archive)
            words += ("--withhold", "--count", "20", "--budget", "6g", "--children", "64")
            said = json.loads(command(*words, "--json").splitlines()[-1])
            expected = of_package(archive)
            self.assertEqual(len(expected), 20)
            self.assertEqual((said["fits_count"], said["right_count"]), counted(expected))
            self.check(archive, folder, expected)


if __name__ == "__main__":
    unittest.main()
