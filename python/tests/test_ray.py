"""Islands on two nodes of one machine."""

import importlib.util
import os
import pathlib
import signal
import tempfile
import time
import unittest

import arcloom

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
        self.assertEqual(result["solved"], 1)

    def test_a_folder(self):
        programs, task, settings = self.settings()
        engine = arcloom.Engine(threads=1)
        solver = lambda task, best, generation: "O = cmirror(I)"  # noqa: E731
        with tempfile.TemporaryDirectory() as folder:
            one, two = pathlib.Path(folder), folder
            engine.evolve(programs, task, generations=2, proposers=[solver], exchange=one, **settings).result()
            result = engine.evolve(programs, task, generations=1, exchange=two, **{**settings, "children": 0}).result()
        self.assertEqual(result["solved"], 1)

    def test_what_is_no_exchange(self):
        programs, task, settings = self.settings()
        with self.assertRaises(AttributeError):
            arcloom.Engine(threads=1).evolve(programs, task, exchange=object())

    def test_a_broken_exchange_does_not_end_the_run(self):
        class Broken:
            def publish(self, migrants):
                raise OSError("no route")

            def poll(self):
                return 7

        programs, task, settings = self.settings()
        run = arcloom.Engine(threads=1).evolve(programs, task, generations=3, exchange=Broken(), **settings)
        self.assertEqual(run.result()["generations"], 4)


@unittest.skipUnless(HAS_RAY, "ray is not installed")
class Islands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.environ.setdefault("RAY_AUTH_MODE", "disabled")
        os.environ["RAY_DEDUP_LOGS"] = "0"
        from ray.cluster_utils import Cluster

        try:
            cls.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
            cls.cluster.connect()
        except Exception as reason:
            raise unittest.SkipTest(f"ray does not start here: {reason}") from reason

    @classmethod
    def tearDownClass(cls):
        import ray

        ray.shutdown()
        cls.cluster.shutdown()

    def evolve(self, seconds, **more):
        import arcloom.ray

        tasks = [t for t in arcloom.tasks("embedded") if t.id not in ("anti_diagonal",)][:6]
        path = os.path.join(self.folder.name, f"{self.id()}-{len(os.listdir(self.folder.name))}.db")
        programs = arcloom.Library.parse("def solve_a(I):\n    return I\ndef solve_b(I):\n    return rot90(I)\n")
        told = arcloom.ray.evolve(tasks, programs, path, seconds, trade_every=1.0, checkpoint_every=2.0, children=64, migrate_every=3, **more)
        return told, arcloom.Archive(path)

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def test_two_nodes_one_killed(self):
        [alone], _ = self.evolve(10)
        self.assertEqual(alone["errors"], [])
        self.cluster.add_node(num_cpus=1)
        self.cluster.wait_for_nodes()
        both, archive = self.evolve(10)
        self.assertEqual([island["errors"] for island in both], [[], []])
        ratio = sum(island["evaluations"] for island in both) / alone["evaluations"]
        print(f"   two islands: {ratio:.2f} times the evaluations of one, {os.cpu_count()} processors")
        self.assertGreater(archive.counts()["program"], 0)

        killed = []
        began = time.monotonic()

        def kill(islands):
            victim = max(islands.values(), key=lambda island: island["number"])
            if not killed and time.monotonic() - began > 6 and victim.get("pid") and victim.get("generation", -1) > 0:
                os.kill(victim["pid"], signal.SIGKILL)
                killed.append(victim["pid"])

        told, archive = self.evolve(16, on_round=kill)
        self.assertTrue(killed)
        self.assertEqual([island["restarts"] for island in told], [0, 1])
        self.assertGreaterEqual(told[1]["generation"], 1)
        # Every program of the archive reads back as what its name says.
        self.assertEqual(len(archive.programs()), archive.counts()["program"])
        self.assertEqual(archive.counts()["run"], 2)


if __name__ == "__main__":
    unittest.main()
