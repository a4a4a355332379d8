"""Islands on two nodes of one machine."""

import importlib.util
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import arcloom
from arcloom.results import Fault

HAS_RAY = importlib.util.find_spec("ray") is not None


class Folder(unittest.TestCase):
    """Islands without Ray: through a folder, and through an object."""

    def settings(self):
        tasks = arcloom.tasks("embedded")
        return ["O = I", "O = rot90(I)"], tasks["anti_diagonal"], dict(children=4, migrate_every=1, stop_when_solved=False)

    def test_a_migrant_arrives(self):
        programs, task, settings = self.settings()
        sent, engine = [], arcloom.Engine(threads=1)

        class Post:
            def publish(self, migrants):
                sent.append(migrants)

            def poll(self):
                return []

        class Letter:
            def publish(self, migrants):
                pass

            def poll(self):
                return [b"rubbish", *sent]

        solver = lambda task, best, generation: "O = cmirror(I)"  # noqa: E731
        engine.evolve(programs, task, generations=2, proposers=[solver], exchange=Post(), **settings).result()
        self.assertTrue(sent and all(type(packet) is bytes for packet in sent))
        result = engine.evolve(programs, task, generations=1, exchange=Letter(), **{**settings, "children": 0}).result()
        self.assertEqual(result.fits, 1)

    def test_a_folder(self):
        programs, task, settings = self.settings()
        engine = arcloom.Engine(threads=1)
        solver = lambda task, best, generation: "O = cmirror(I)"  # noqa: E731
        with tempfile.TemporaryDirectory() as folder:
            one, two = pathlib.Path(folder), folder
            engine.evolve(programs, task, generations=2, proposers=[solver], exchange=one, **settings).result()
            result = engine.evolve(programs, task, generations=1, exchange=two, **{**settings, "children": 0}).result()
        self.assertEqual(result.fits, 1)

    def test_what_is_no_exchange(self):
        programs, task, settings = self.settings()
        with self.assertRaises(AttributeError):
            arcloom.Engine(threads=1).evolve(programs, task, exchange=object())


def idle(seconds=1.0):
    """The share of all processors that nobody uses; nothing where the system does not say."""

    def times():
        numbers = [int(n) for n in pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
        return numbers[3] + numbers[4], sum(numbers)

    try:
        before = times()
        time.sleep(seconds)
        after = times()
    except (OSError, ValueError):
        return 0.0
    return (after[0] - before[0]) / max(1, after[1] - before[1])


def hopeless():
    """Tasks that no program solves, so that a second of work is always the same work."""
    dice = random.Random(7)
    grid = lambda: [[dice.randrange(10) for _ in range(9)] for _ in range(9)]  # noqa: E731
    pairs = lambda n: [{"input": grid(), "output": grid()} for _ in range(n)]  # noqa: E731
    return [arcloom.Task(f"hopeless_{n}", {"train": pairs(3), "test": pairs(1)}) for n in range(6)]


@unittest.skipUnless(HAS_RAY, "ray is not installed")
class Alone(unittest.TestCase):
    """The parts of a run on a cluster, without one."""

    def test_an_island_counts_what_functions_raise(self):
        from arcloom.ray import Island

        def model(asked):
            raise ConnectionError("the model is away")

        def negates(x):
            return -x // 0

        tasks = json.dumps({task.id: task.to_dict() for task in hopeless()[:2]})
        programs = "def solve_a(I):\n    return canvas(negates(height(I)), (1, 1))\ndef solve_b(I):\n    return I\n"
        settings = {"children": 8, "proposers": [model], "stop_when_solved": False}
        island = Island(tasks, programs, 0, 1, settings, {"negates": negates}, None)
        self.assertEqual(island.ready(), os.getpid())
        island.begin(60)
        told = {"generation": -1}
        while told["generation"] < 2:
            told, saved = island.trade([b"rubbish"], True)
            time.sleep(0.1)
        self.assertEqual((told["saved"], told["errors"]), (True, []))
        self.assertTrue(saved.startswith(b"SQLite format 3"))
        self.assertGreater(told["cpu"], 0)
        faults = {name: reason for name, _, reason in told["faults"]}
        self.assertLessEqual({"model", "negates"}, set(faults))
        for function, kind in [(model, "ConnectionError"), (negates, "ZeroDivisionError")]:
            place = f"{pathlib.Path(__file__).name}:{function.__code__.co_firstlineno + 1}: {kind}"
            self.assertIn(place, faults[function.__name__])
        island.stop()
        while not island.done:
            time.sleep(0.1)
        # Another process goes on from the checkpoint.
        again = Island(tasks, programs, 0, 1, settings, {"negates": negates}, saved)
        again.begin(60)
        while again.progress is None:
            time.sleep(0.1)
        self.assertGreater(again.progress.generation, 1)
        again.stop()
        while not again.done:
            time.sleep(0.1)

    def test_what_lost_processes_did_stays_counted(self):
        from arcloom.ray import _Seat

        seat = _Seat(0, "node")
        for times in (2, 3):
            seat.now = {"evaluations": 10, "cpu_seconds": 0.5}
            seat.faults_now = [Fault("model", times, "first" if times == 2 else "later")]
            self.assertEqual(seat.evaluations, 10 * (times - 1))
            seat.lose("ActorDiedError")
        told = seat.told()
        self.assertEqual((told["evaluations"], told["cpu_seconds"]), (20, 1.0))
        self.assertEqual(told["faults"], [("model", 5, "first")])
        self.assertEqual(told["errors"], ["ActorDiedError", "ActorDiedError"])


@unittest.skipUnless(HAS_RAY, "ray is not installed")
class Islands(unittest.TestCase):
    """Nodes only join here: Ray takes one that leaves for a crash, and says so at length."""

    @classmethod
    def setUpClass(cls):
        os.environ.setdefault("RAY_AUTH_MODE", "disabled")
        os.environ["RAY_DEDUP_LOGS"] = "0"
        import ray
        from ray.cluster_utils import Cluster

        # A node has half a minute to start, which a machine that others use does not always give it.
        for attempt in range(3):
            try:
                cls.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
                cls.cluster.connect()
                break
            except Exception as reason:
                problem = reason
        else:
            raise unittest.SkipTest(f"ray does not start here: {problem}")
        cls.addClassCleanup(cls.cluster.shutdown)
        cls.addClassCleanup(ray.shutdown)
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.quiet = idle() > 0.95
        cls.alone = cls.evolve(10, hopeless())[0]

    def two_nodes(self):
        while len(self.cluster.list_all_nodes()) < 2:
            self.cluster.add_node(num_cpus=1)
        self.cluster.wait_for_nodes()

    @classmethod
    def evolve(cls, seconds, tasks=None, programs="def solve_a(I):\n    return I\ndef solve_b(I):\n    return rot90(I)\n", **more):
        import arcloom.ray

        tasks = tasks or [t for t in arcloom.tasks("embedded") if t.id not in ("anti_diagonal",)][:6]
        cls.path = os.path.join(cls.folder.name, f"{len(os.listdir(cls.folder.name))}.db")
        more = {"trade_every": 1.0, "checkpoint_every": 2.0, "children": 64, "migrate_every": 3, **more}
        told = arcloom.ray.evolve(tasks, programs, cls.path, seconds, **more)
        return told, arcloom.Archive(cls.path)

    def assert_intact(self, archive):
        """Every program of the archive is what its name says, and gives what is written down."""
        self.assertEqual(len(archive.programs()), archive.counts()["program"])
        verify = [sys.executable, "-m", "arcloom", "archive", "verify", "--archive", self.path, "--tasks", "embedded"]
        done = subprocess.run(verify, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_two_islands_do_more_than_one(self):
        self.two_nodes()
        [alone] = self.alone
        both, archive = self.evolve(10, hopeless())
        quiet = self.quiet and (os.cpu_count() or 1) >= 2 and idle() > 0.95
        self.assertEqual([island["errors"] for island in [alone, *both]], [[], [], []])
        self.assertEqual([island["faults"] for island in [alone, *both]], [[], [], []])
        # On a machine that others use the clock says little: what a processor second came to says more.
        pace = lambda islands: sum(i["evaluations"] for i in islands) / sum(i["cpu_seconds"] for i in islands)  # noqa: E731
        ratio = sum(island["evaluations"] for island in both) / alone["evaluations"]
        worth = pace(both) / pace([alone])
        share = sum(island["cpu_seconds"] for island in both) / alone["cpu_seconds"]
        print(
            f"   two islands on {os.cpu_count()} processors, {'quiet' if quiet else 'in use by others too'}: {ratio:.2f} times "
            f"the evaluations of one, {worth:.2f} times per processor second, with {share:.2f} times the processor time"
        )
        self.assertGreater(archive.counts()["program"], 0)
        self.assertEqual([island["evaluations"] > 0 for island in both], [True, True])
        self.assertGreater(worth, 0.8 if quiet else 0.5)

    def test_one_is_killed(self):
        self.two_nodes()
        killed, known = [], set()

        def kill(islands):
            victim = max(islands.values(), key=lambda island: island.number)
            if not killed and len(islands) == 2 and victim.generation > 0:
                try:
                    known.update(program.id for program in arcloom.Archive(self.path).programs())
                except arcloom.ArcloomError:
                    return False  # There is no archive before the first checkpoint.
                if known:
                    os.kill(victim.pid, signal.SIGKILL)
                    killed.append(victim.evaluations)
            # The end is when the next process has been at work for a while.
            return killed and victim.restarts == 1 and victim.now["evaluations"] > 1000 and victim.generation > 2

        told, archive = self.evolve(120, on_round=kill)
        self.assertTrue(killed)
        self.assertEqual([island["restarts"] for island in told], [0, 1])
        self.assertEqual([len(island["errors"]) for island in told], [0, 1])
        self.assertGreater(told[1]["evaluations"], killed[0])
        # What was archived when it died is there still, and so is what came later.
        kept = {program.id for program in archive.programs()}
        self.assertTrue(known and known <= kept, len(known - kept))
        self.assertGreater(len(kept), len(known))
        self.assert_intact(archive)
        self.assertEqual(archive.counts()["run"], 2)

    def test_a_node_that_joins_gets_an_island(self):
        before = len(self.cluster.list_all_nodes())
        added = []

        def join(islands):
            working = [island for island in islands.values() if island.generation > 2]
            if not added and len(working) == before:
                added.append(self.cluster.add_node(num_cpus=1))
            return len(working) > before

        told, archive = self.evolve(120, on_round=join)
        self.assertTrue(added)
        self.assertEqual([island["number"] for island in told], list(range(before + 1)))
        self.assertEqual([(island["restarts"], island["errors"]) for island in told], [(0, [])] * (before + 1))
        self.assertEqual(len({island["node"] for island in told}), before + 1)
        for island in told:
            self.assertGreater(island["evaluations"], 0)
        self.assert_intact(archive)
        self.assertEqual(archive.counts()["run"], before + 1)

    def test_what_the_users_functions_raise_is_counted(self):
        def model(asked):
            raise ConnectionError("the model is away")

        def broken(text, task):
            return text[10_000]

        def negates(x):
            return -x // 0

        # As for any program: what it calls must be known when it is read.
        told, _ = self.evolve(
            5,
            arcloom.tasks("embedded")[:2],
            "def solve_a(I):\n    return canvas(negates(height(I)), (1, 1))\ndef solve_b(I):\n    return I\n",
            proposers=[model],
            operators=[broken],
            primitives=[negates],
        )
        for island in told:
            self.assertEqual(island["errors"], [])
            self.assertGreater(island["generation"], 0)
            faults = {name: (times, reason) for name, times, reason in island["faults"]}
            self.assertEqual(sorted(faults), ["broken", "model", "negates"])
            for function, kind in [(model, "ConnectionError"), (broken, "IndexError"), (negates, "ZeroDivisionError")]:
                times, reason = faults[function.__name__]
                self.assertGreater(times, 0)
                self.assertIn(f"{pathlib.Path(__file__).name}:{function.__code__.co_firstlineno + 1}: {kind}", reason)

    def test_settings_that_are_none(self):
        with self.assertRaisesRegex(Exception, "childern"):
            self.evolve(5, childern=3)


if __name__ == "__main__":
    unittest.main()
