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
# network closed.
RUNNER = """
import json, socket, sys
def closed(*args, **kwargs):
    raise OSError("networking is switched off")
socket.socket.connect = closed
socket.getaddrinfo = closed
names = {"__name__": "__main__"}
for cell in json.load(open(sys.argv[1]))["cells"]:
    if cell["cell_type"] == "code":
        exec(compile("".join(cell["source"]), "cell", "exec"), names)
"""


def offline(words):
    """The command in a network namespace without interfaces, where the system lets us make one."""
    probe = subprocess.run(["unshare", "-rn", "true"], capture_output=True) if shutil.which("unshare") else None
    return ["unshare", "-rn", *words] if probe and probe.returncode == 0 else words


@unittest.skipUnless(os.environ.get("ARCLOOM_WHEEL"), "set ARCLOOM_WHEEL to the wheel")
class Notebook(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.folder.name)
        kaggle.bundle(root / "bundle", os.environ["ARCLOOM_WHEEL"], ["library:embedded"])
        chosen = arcloom.tasks("embedded")[:20]
        cls.tasks = chosen
        challenges = {task.id: task.without_answers().to_dict() for task in chosen}
        (root / "challenges.json").write_text(json.dumps(challenges))
        # An environment as empty as the wheel's promise: nothing but Python and pip.
        subprocess.run([sys.executable, "-m", "venv", root / "venv"], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def start(self, seconds):
        root = pathlib.Path(self.folder.name)
        self.output = root / f"submission-{seconds}.json"
        env = dict(
            os.environ,
            ARCLOOM_BUNDLE=str(root / "bundle"),
            ARCLOOM_CHALLENGES=str(root / "challenges.json"),
            ARCLOOM_SECONDS=str(seconds),
            ARCLOOM_OUTPUT=str(self.output),
            PIP_NO_INDEX="1",
        )
        words = [str(root / "venv/bin/python"), "-c", RUNNER, str(root / "bundle/arcloom.ipynb")]
        return subprocess.Popen(offline(words), env=env, cwd=root, start_new_session=True)

    def answers(self):
        answers = json.loads(self.output.read_text())
        self.assertEqual(sorted(answers), self.tasks.ids)
        for task in self.tasks:
            self.assertEqual(len(answers[task.id]), len(task.tests))
            for test in answers[task.id]:
                self.assertEqual(sorted(test), ["attempt_1", "attempt_2"])
                for grid in test.values():
                    arcloom.Grid(grid)
        return answers

    def test_within_the_time(self):
        began = time.monotonic()
        process = self.start(20)
        self.assertEqual(process.wait(timeout=120), 0)
        self.assertLess(time.monotonic() - began, 60)
        answers = self.answers()
        right = sum(
            any(test.output == arcloom.Grid(grid) for grid in answers[task.id][n].values())
            for task in self.tasks
            for n, test in enumerate(task.tests)
        )
        self.assertGreaterEqual(right, 12)

    def test_killed(self):
        process = self.start(600)
        deadline = time.monotonic() + 60
        while not self.output.exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(2)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.answers()


class Bundle(unittest.TestCase):
    def test_the_packed_wheel_is_the_installed_one(self):
        with tempfile.TemporaryDirectory() as folder:
            try:
                wheel = kaggle.pack_wheel(pathlib.Path(folder))
            except SystemExit as reason:
                self.skipTest(str(reason))
            target = pathlib.Path(folder) / "target"
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
            subprocess.run([*pip, "--disable-pip-version-check", "--target", target, wheel], check=True)
            code = "import arcloom, arcloom.dsl; print(arcloom.__file__)"
            env = dict(os.environ, PYTHONPATH=str(target))
            found = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
            self.assertTrue(found.stdout.startswith(str(target)), found.stdout)

    def test_cores(self):
        self.assertGreaterEqual(kaggle.cores(), 1)


if __name__ == "__main__":
    unittest.main()
