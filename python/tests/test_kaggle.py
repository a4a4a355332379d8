"""The bundle for Kaggle: its notebook, executed with networking switched off."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import arcloom
from arcloom import kaggle

# Runs the code cells of a notebook one after the other, as Jupyter would, with every way to the
# network closed; that it is closed is tried first.
RUNNER = """
import json, socket, sys
def closed(*args, **kwargs):
    raise OSError("networking is switched off")
socket.socket.connect = closed
socket.getaddrinfo = closed
try:
    socket.create_connection(("192.0.2.1", 80), timeout=1)
    sys.exit("there is a network")
except OSError:
    pass
names = {"__name__": "__main__"}
for cell in json.load(open(sys.argv[1]))["cells"]:
    if cell["cell_type"] == "code":
        exec(compile("".join(cell["source"]), "cell", "exec"), names)
"""


def offline(words):
    """The command in a network namespace without interfaces, where the system lets us make one."""
    probe = subprocess.run(["unshare", "-rn", "true"], capture_output=True) if shutil.which("unshare") else None
    return ["unshare", "-rn", *words] if probe and probe.returncode == 0 else words


def command(*words):
    done = subprocess.run([sys.executable, "-m", "arcloom", *map(str, words)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@unittest.skipUnless(os.environ.get("ARCLOOM_WHEEL"), "set ARCLOOM_WHEEL to the wheel")
class Notebook(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        root = pathlib.Path(cls.folder.name)
        code, told, problem = command("kaggle-bundle", root / "bundle", "-p", "library:embedded", "--wheel", os.environ["ARCLOOM_WHEEL"])
        assert code == 0, problem
        [cls.wheel] = (root / "bundle").glob("arcloom-*.whl")
        # Twelve tasks that a program of the bundle solves, and eight that none does.
        solved = {program.task for program in arcloom.library("library:embedded")}
        every = list(arcloom.tasks("embedded"))
        some = [task for task in every if task.id in solved][:12] + [task for task in every if task.id not in solved][:8]
        cls.tasks = arcloom.TaskSet(some)
        challenges = {task.id: task.without_answers().to_dict() for task in some}
        assert len(challenges) == 20
        (root / "challenges.json").write_text(json.dumps(challenges))
        # An environment as empty as the wheel's promise: nothing but Python and pip.
        subprocess.run([sys.executable, "-I", "-m", "venv", root / "venv"], check=True)

    def start(self, seconds):
        root = pathlib.Path(self.folder.name)
        self.output = root / f"submission-{seconds}.json"
        env = dict(
            os.environ,
            ARCLOOM_WHEEL=str(self.wheel),
            ARCLOOM_CHALLENGES=str(root / "challenges.json"),
            ARCLOOM_SECONDS=str(seconds),
            ARCLOOM_OUTPUT=str(self.output),
            PIP_NO_INDEX="1",
        )
        words = [str(root / "venv/bin/python"), "-c", RUNNER, str(root / "bundle/arcloom.ipynb")]
        process = subprocess.Popen(offline(words), env=env, cwd=root, start_new_session=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def judge(self, text):
        """A submission must be complete whenever one looks at it; gives the number of right answers."""
        answers = json.loads(text)
        self.assertEqual(sorted(answers), self.tasks.ids)
        right = 0
        for task in self.tasks:
            self.assertEqual(len(answers[task.id]), len(task.tests))
            for test, given in zip(task.tests, answers[task.id]):
                self.assertEqual(sorted(given), ["attempt_1", "attempt_2"])
                right += any([arcloom.Grid(grid) == test.output for grid in given.values()])
        return right

    def test_within_the_time(self):
        """20 tasks and 60 s: done in time, and a better file every time there is another one."""
        began = time.monotonic()
        process = self.start(60)
        rights, last = [], None
        while process.poll() is None:
            text = self.output.read_text() if self.output.exists() else None
            if text != last:
                rights.append(self.judge(text))
                last = text
            self.assertLess(time.monotonic() - began, 90)
            time.sleep(0.02)
        self.assertEqual(process.returncode, 0)
        self.assertLess(time.monotonic() - began, 60)
        rights.append(self.judge(self.output.read_text()))
        print(f"   kaggle: right answers of files seen on the way: {rights}, {time.monotonic() - began:.0f} s")
        self.assertGreaterEqual(rights[-1], 12)

    def test_killed(self):
        """Killed after 20 s of a longer run: the last file is whole, and not the blank one."""
        process = self.start(600)
        time.sleep(20)
        self.assertIs(process.poll(), None)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.assertGreaterEqual(self.judge(self.output.read_text()), 12)


class Malformed(unittest.TestCase):
    def test_a_malformed_task_costs_itself_alone(self):
        task = next(task for task in arcloom.tasks("embedded") if len(task.tests) == 1)
        good = task.without_answers().to_dict()
        ragged = json.loads(json.dumps(good))
        ragged["train"][0]["input"] = [[1, 2], [3]]
        ragged["test"] *= 2
        with tempfile.TemporaryDirectory() as folder:
            challenges = pathlib.Path(folder) / "challenges.json"
            challenges.write_text(json.dumps({"ragged": ragged, task.id: good}))
            with self.assertRaises(arcloom.ArcloomError):
                arcloom.tasks(str(challenges))
            output, told = pathlib.Path(folder) / "submission.json", []
            fitted = kaggle.solve(challenges, [], str(output), seconds=4, threads=1, say=told.append)
            answers = json.loads(output.read_text())
        self.assertEqual(fitted, 1)
        self.assertEqual(sorted(answers), sorted(["ragged", task.id]))
        self.assertEqual(answers["ragged"], [{"attempt_1": [[0, 0]] * 2, "attempt_2": [[1, 1]] * 2}] * 2)
        self.assertIn(task.tests[0].output, [arcloom.Grid(grid) for grid in answers[task.id][0].values()])
        warnings = [line for line in told if line.startswith("warning: ")]
        self.assertEqual(len(warnings), 1)
        self.assertIn("task ragged: `train[0].input` row 1", warnings[0])


class Bundle(unittest.TestCase):
    def test_the_packed_wheel_is_the_installed_one(self):
        with tempfile.TemporaryDirectory() as folder:
            try:
                wheel = kaggle.pack_wheel(pathlib.Path(folder))
            except SystemExit as reason:
                self.skipTest(str(reason))
            target = pathlib.Path(folder) / "target"
            pip = [sys.executable, "-I", "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
            subprocess.run([*pip, "--disable-pip-version-check", "--target", target, wheel], check=True)
            code = "import arcloom, arcloom.dsl; print(arcloom.__file__)"
            env = dict(os.environ, PYTHONPATH=str(target))
            found = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
            self.assertTrue(found.stdout.startswith(str(target)), found.stdout)

    def test_the_command_packs_it(self):
        with tempfile.TemporaryDirectory() as folder:
            code, told, problem = command("kaggle-bundle", folder)
            if "--wheel" in problem:
                self.skipTest(problem)
            self.assertEqual(code, 0, problem)
            names = sorted(path.name for path in pathlib.Path(folder).iterdir())
            self.assertEqual(names[1:], ["arcloom.ipynb", "programs.py"])
            self.assertRegex(names[0], r"arcloom-.*\.whl")
            self.assertEqual(len(arcloom.library(os.path.join(folder, "programs.py"))), 32)

    def test_cores(self):
        self.assertGreaterEqual(kaggle.cores(), 1)


if __name__ == "__main__":
    unittest.main()
