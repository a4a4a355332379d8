"""Islands, and shares of other commands, on two nodes of one machine."""

import importlib.util
import json
import os
import pathlib
import random
import re
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
        from arcloom.ray.islands import Island

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
        from arcloom.ray.islands import _Seat
        from arcloom.ray.nodes import Place

        seat = _Seat(0, Place("node", "node", 1, 0))
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

    def test_the_same_call_goes_on(self):
        self.two_nodes()
        first, archive = self.evolve(6)
        path, before = self.path, {island["number"]: island["generation"] for island in first}
        programs = {program.id for program in archive.programs()}
        import arcloom.ray

        said = []
        tasks = [t for t in arcloom.tasks("embedded") if t.id not in ("anti_diagonal",)][:6]
        text = "def solve_a(I):\n    return I\ndef solve_b(I):\n    return rot90(I)\n"
        more = {"trade_every": 1.0, "checkpoint_every": 2.0, "children": 64, "migrate_every": 3}
        again = arcloom.ray.evolve(tasks, text, path, 6, say=said.append, **more)
        self.assertIn(f"{len(before)} islands go on from their checkpoints", said)
        for island in again:
            self.assertGreater(island["generation"], before[island["number"]])
        # No run is there twice: it is the same that went on.
        archive = arcloom.Archive(path)
        self.assertEqual(archive.counts()["run"], len(before))
        self.assertLessEqual(programs, {program.id for program in archive.programs()})

    def test_an_island_without_a_processor_says_so(self):
        import arcloom.ray
        import ray

        self.two_nodes()
        nodes = [node["NodeID"] for node in ray.nodes() if node["Alive"]]

        @ray.remote(num_cpus=1)
        class Other:
            def here(self):
                return True

        from arcloom.ray.nodes import on

        other = Other.options(scheduling_strategy=on(nodes[-1])).remote()
        self.assertTrue(ray.get(other.here.remote()))
        said = []
        try:
            with self.assertWarnsRegex(RuntimeWarning, "num_cpus"):
                told, _ = self.evolve(3, say=lambda text: said.append((time.monotonic(), text)))
        finally:
            ray.kill(other)
        mute = [island for island in told if island["evaluations"] == 0]
        self.assertEqual(len(mute), 1)
        self.assertIn("has not started within 10 s: it asks for 1 processors", mute[0]["errors"][0])
        self.assertTrue(any("has not started" in text for _, text in said))
        # The others are not kept waiting for it.
        self.assertEqual(len(told) - 1, sum(island["evaluations"] > 0 for island in told))

    def test_settings_that_are_none(self):
        with self.assertRaisesRegex(Exception, "childern"):
            self.evolve(5, childern=3)


@unittest.skipUnless(HAS_RAY, "ray is not installed")
class Shares(unittest.TestCase):
    """`solve`, `run`, `check` and `eval` on two nodes."""

    two_nodes = Islands.two_nodes

    @classmethod
    def setUpClass(cls):
        os.environ.setdefault("RAY_AUTH_MODE", "disabled")
        os.environ["RAY_DEDUP_LOGS"] = "0"
        import ray
        from ray.cluster_utils import Cluster

        cls.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        cls.cluster.connect()
        cls.addClassCleanup(cls.cluster.shutdown)
        cls.addClassCleanup(ray.shutdown)
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)

    def file(self, name):
        return os.path.join(self.folder.name, name)

    def arcloom(self, *words):
        done = subprocess.run([sys.executable, "-m", "arcloom", *words], capture_output=True, text=True, cwd=self.folder.name)
        return done

    def alone(self, tasks, budget, name):
        """The archive of one machine."""
        pathlib.Path(self.file("tasks.json")).write_text(json.dumps({t.id: t.without_answers().to_dict() for t in tasks}))
        pathlib.Path(self.file("library.py")).write_text("\n\n".join(p.text for p in arcloom.library("library:embedded")) + "\n")
        words = ["solve", "tasks.json", "-p", "library.py", "--budget", f"{budget}s/task", "-a", name, "--quiet", "--no-config"]
        self.assertIn(self.arcloom(*words).returncode, (0, 1))

    def test_solve_is_what_one_machine_does(self):
        import arcloom.ray

        self.two_nodes()
        tasks, library = arcloom.tasks("embedded")[:8], arcloom.library("library:embedded")
        self.alone(tasks, 0.1, "alone.db")
        rows = []
        path = self.file("shared.db")
        all = arcloom.ray.solve(tasks, library, path, 0.1, on_task=rows.append)
        self.assertEqual(sorted(all), sorted(task.id for task in tasks))
        self.assertEqual(sorted(row["task"] for row in rows), sorted(all))
        self.assertEqual({row["tests"] for row in rows}, {"unknown"})
        diff = self.arcloom("archive", "diff", "alone.db", "shared.db")
        self.assertEqual(diff.returncode, 0, diff.stdout + diff.stderr)
        # Nothing is left to do.
        said, again = [], []
        more = arcloom.ray.solve(tasks, library, path, 0.1, say=said.append, on_task=again.append)
        self.assertEqual((more, again), (all, []))
        self.assertIn("8 of 8 jobs were done before", said)

    def test_driver_and_worker_are_killed(self):
        import arcloom.ray

        self.two_nodes()
        tasks, library = arcloom.tasks("embedded")[:8], arcloom.library("library:embedded")
        self.alone(tasks, 0.1, "alone2.db")
        path, seen = self.file("killed.db"), []

        class Enough(Exception):
            pass

        def stop(row):
            seen.append(row["task"])
            if len(seen) == 3:
                raise Enough

        # As when the driver is killed: what was kept is kept.
        with self.assertRaises(Enough):
            arcloom.ray.solve(tasks, library, path, 0.1, on_task=stop)
        known = len(pathlib.Path(f"{path}.ray").read_text().splitlines())
        pids, later, said = [], [], []

        def kill(row):
            later.append(row["task"])
            if len(later) == 1:
                started = (re.search(r", process (\d+),", text) for text in said)
                pids.append(int(next(filter(None, started))[1]))
                os.kill(pids[0], signal.SIGKILL)

        arcloom.ray.solve(tasks, library, path, 0.1, on_task=kill, say=said.append)
        self.assertEqual(len(later), len(tasks) - known)
        self.assertFalse(set(later) & set(seen[:2]))
        self.assertTrue(pids)
        diff = self.arcloom("archive", "diff", "alone2.db", "killed.db")
        self.assertEqual(diff.returncode, 0, diff.stdout + diff.stderr)

    def test_run_check_and_eval(self):
        import arcloom.ray

        self.two_nodes()
        tasks, library = arcloom.tasks("embedded"), arcloom.library("library:embedded")
        engine = arcloom.Engine(threads=1)
        rows = arcloom.ray.run(tasks, library, self.file("run.jsonl"), tasks_at_once=6)
        whole = engine.run(library, tasks)
        self.assertEqual({id: row["fits"] for id, row in rows.items()}, {row.task: row.fits for row in whole.tasks})
        checked = arcloom.ray.check(library, tasks, self.file("check.jsonl"), tasks_at_once=6)
        self.assertEqual(sorted(row["name"] for row in checked), sorted(program.name for program in library))
        self.assertEqual({row["state"] for row in checked}, {"right"})
        jobs = [(program, tasks[program.task]) for program in library] + [("O = I(", tasks[0])]
        judged = arcloom.ray.eval(jobs, self.file("eval.jsonl"), jobs_at_once=5)
        self.assertEqual([row["id"] for row in judged], list(range(len(jobs))))
        lines = pathlib.Path(self.file("eval.jsonl")).read_text().splitlines()
        self.assertEqual(len(lines), -(-len(jobs) // 5))

    def test_words_that_are_wrong_are_an_error(self):
        import arcloom.ray

        # What the command says is in the error.
        with self.assertRaisesRegex(RuntimeError, "nonsense"):
            arcloom.ray.solve(arcloom.tasks("embedded")[:1], None, self.file("none.db"), 0.1, options=["--nonsense"])


if __name__ == "__main__":
    unittest.main()
