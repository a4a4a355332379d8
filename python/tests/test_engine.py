"""The engine from Python."""

import json
import os
import pathlib
import pickle
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import arcloom

try:
    import numpy
except ImportError:
    numpy = None

HERE = pathlib.Path(__file__).name


def line_of(function, statement=1):
    """The file and line of the first statement of a function's body, or so many lines after its `def`."""
    return f"{HERE}:{function.__code__.co_firstlineno + statement}"


class Things(unittest.TestCase):
    def setUp(self):
        self.tasks = arcloom.tasks("embedded")
        self.task = self.tasks["anti_diagonal"]

    def test_grids(self):
        grid = arcloom.Grid([[1, 2, 3], [4, 5, 6]])
        self.assertEqual((grid.shape, grid[1, 2], grid[-1, -1], grid[0]), ((2, 3), 6, 6, (1, 2, 3)))
        self.assertEqual(grid, ((1, 2, 3), (4, 5, 6)))
        self.assertEqual(grid.tuple(), ((1, 2, 3), (4, 5, 6)))
        self.assertEqual(len({grid, arcloom.Grid(grid.tolist())}), 1)
        self.assertEqual(pickle.loads(pickle.dumps(grid)), grid)
        self.assertTrue(grid._repr_svg_().startswith("<svg"))
        self.assertIn("123", str(grid))
        for wrong in [[], [[]], [[1], [1, 2]], [[300]], "grid", [["a"]]]:
            with self.assertRaises(ValueError):
                arcloom.Grid(wrong)
        with self.assertRaises(IndexError):
            grid[2, 0]
        with self.assertRaisesRegex(ValueError, "no palette"):
            grid.svg(palette="none")

    def test_figures_are_files(self):
        task = arcloom.tasks()["ring_largest"]
        batt = arcloom.Engine(threads=1).card("library:embedded")
        trace = arcloom.Engine(threads=1).trace("O = cmirror(I)", task)
        starts = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}
        with tempfile.TemporaryDirectory() as folder:
            for figure in (arcloom.Grid([[1, 2]]), task, trace, batt):
                for form, start in starts.items():
                    path = pathlib.Path(folder, f"figure.{form}")
                    figure.save(path, dark=True)
                    self.assertTrue(path.read_bytes().startswith(start), (figure, form))
            with self.assertRaisesRegex(ValueError, "end the name with .svg, .png or .pdf"):
                task.save(pathlib.Path(folder, "task.jpg"))
        with self.assertRaisesRegex(TypeError, "no keyword color"):
            task.svg(color=1)
        self.assertNotEqual(task.svg(symbols=True), task.svg())

    @unittest.skipIf(numpy is None, "numpy is not installed")
    def test_numpy_shares_memory(self):
        grid = arcloom.Grid(numpy.array([[1, 2], [3, 4]]))
        array = numpy.asarray(grid)
        self.assertEqual(array.tolist(), [[1, 2], [3, 4]])
        self.assertEqual(array.ctypes.data, grid.__array_interface__["data"][0])
        self.assertFalse(array.flags.writeable)
        check = arcloom.Engine(threads=1).check("library:embedded", "embedded")
        columns = arcloom.to_numpy(check)
        address = check.columns["right"].__array_interface__["data"][0]
        self.assertEqual(columns["right"].ctypes.data, address)
        self.assertEqual(int(columns["right"].sum()), 32)

    def test_tasks(self):
        self.assertIn("anti_diagonal", self.tasks)
        self.assertEqual(self.tasks[0].id, self.tasks.ids[0])
        self.assertEqual(len(self.tasks[:3]), 3)
        self.assertEqual(arcloom.Task("x", self.task.to_dict()).demos[0].input, self.task.demos[0].input)
        self.assertEqual(arcloom.Task("anti_diagonal", json.dumps(self.task.to_dict())), self.task)
        self.assertTrue(all(test.output is None for test in self.task.without_answers().tests))
        self.assertTrue(self.task._repr_svg_().startswith("<svg"))
        self.assertEqual(pickle.loads(pickle.dumps(self.task)), self.task)
        with self.assertRaises(KeyError):
            self.tasks["nothing"]
        with self.assertRaisesRegex(arcloom.ArcloomError, "cell|color|77"):
            arcloom.Task("bad", {"train": [{"input": [[77]], "output": [[1]]}], "test": []})
        with self.assertRaisesRegex(arcloom.ArcloomError, "unknown|nowhere"):
            arcloom.tasks("nowhere/at-all")

    def test_programs(self):
        program = arcloom.Program("x1 = rot90(I)\nO = hmirror(x1)", task="mine")
        self.assertEqual((program.name, program.task, program.size), ("solve_mine", "mine", 2))
        self.assertEqual(program(((1, 2), (3, 4))), ((4, 2), (3, 1)))
        self.assertIn("def solve_mine(I):", program.text)
        self.assertEqual(pickle.loads(pickle.dumps(program)), program)
        self.assertTrue(program._repr_html_().startswith("<pre"))
        with self.assertRaisesRegex(arcloom.ProgramError, "did you mean `vmirror`"):
            arcloom.Program("O = vmiror(I)")
        with self.assertRaises(StopIteration):
            arcloom.Program("O = first(ofcolor(I, 9))")(((1,),))
        library = arcloom.Library.parse("def solve_a(I):\n    return I\ndef solve_b(I):\n    return nope(I)\n")
        self.assertEqual((len(library), len(library.errors)), (1, 1))
        self.assertEqual(library["a"].name, "solve_a")


class Engine(unittest.TestCase):
    def setUp(self):
        self.engine = arcloom.Engine(threads=2)
        self.tasks = arcloom.tasks("embedded")
        self.library = arcloom.library("library:embedded")

    def test_check(self):
        heard = []
        check = self.engine.check(self.library, self.tasks, progress=lambda *at: heard.append(at))
        self.assertEqual((check.right, len(check)), (32, 32))
        self.assertEqual(heard[-1], (32, 32))
        self.assertEqual(set(check.columns["state"]), {"right"})
        self.assertIn("<table", check._repr_html_())
        every = self.engine.check(self.library, self.tasks, all_tasks=True)
        self.assertEqual(len(every), 32 * len(self.tasks))

    def test_eval(self):
        task = self.tasks["anti_diagonal"]
        jobs = [("O = cmirror(I)", task), ("O = rot90(I)", task), ("O = first(I)", task)]
        rows = self.engine.eval(jobs)
        self.assertEqual(rows.columns["fits"].tolist(), [len(task.demos), 0, 0])
        self.assertEqual(rows[0].pairs[0].output, task.demos[0].output)
        self.assertIn("not a grid", rows[2].pairs[0].error.message)

    def test_run_and_submit(self):
        batt = self.engine.card(self.library)
        self.assertEqual(batt.programs, 32)
        self.assertLess(batt.nodes, batt.nodes_before)
        self.assertIn("def batt(", batt.python())
        run = self.engine.run(batt, self.tasks)
        self.assertGreaterEqual(run.fits, 32)
        self.assertEqual(run.best("anti_diagonal")[0].inline.count("cmirror"), 1)
        self.assertEqual(run.attempts("anti_diagonal")[0][0], self.tasks["anti_diagonal"].tests[0].output)
        self.assertIn("anti_diagonal", run._repr_html_())
        self.assertTrue(run.scores("anti_diagonal"))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "submission.json"
            self.engine.submit(run, self.tasks, path)
            answers = json.loads(path.read_text())
            self.assertEqual(sorted(answers), self.tasks.ids)
            self.assertEqual(list(answers["anti_diagonal"][0]), ["attempt_1", "attempt_2"])

    def test_a_run_does_not_depend_on_threads(self):
        runs = [arcloom.Engine(threads=n).run(self.library, self.tasks) for n in (1, 3)]
        self.assertEqual(*[[list(c) for c in run.columns.values()] for run in runs])

    def test_augment(self):
        task, program = self.tasks["ring_largest"], self.library["ring_largest"]
        pairs = self.engine.augment(program, task, per_task=10)
        self.assertEqual(len({hash(pair.input) for pair in pairs}), 10)
        self.assertEqual(pairs, self.engine.augment(program, task, per_task=10))
        self.assertNotEqual(pairs, self.engine.augment(program, task, per_task=10, seed=1))
        with self.assertRaisesRegex(arcloom.ArcloomError, "fits 0 of"):
            self.engine.augment("O = vmirror(I)", task)

    def test_trace(self):
        trace = self.engine.trace("x1 = rot90(I)\nO = first(ofcolor(x1, 77))", self.tasks["anti_diagonal"])
        self.assertEqual(len(trace.steps), 3)
        self.assertIn("first", trace.error)
        self.assertIs(trace.steps[-1].value, None)
        self.assertTrue(trace._repr_svg_().startswith("<svg"))
        with self.assertRaisesRegex(ValueError, "no pair 99"):
            self.engine.trace("O = I", self.tasks[0], 99)

    @unittest.skipUnless(hasattr(os, "fork"), "fork is POSIX")
    def test_after_a_fork(self):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                self.engine.check(self.library, self.tasks)
            except arcloom.ArcloomError as error:
                fresh = arcloom.Engine(threads=2).check(self.library, self.tasks)
                code = 0 if "forked" in str(error) and fresh.right == 32 else 2
            finally:
                os._exit(code)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)

    def test_timeout(self):
        run = self.engine.run(self.library, self.tasks, timeout=0)
        self.assertEqual(run.unfinished, len(self.tasks))


class Users(unittest.TestCase):
    """Functions that the user gives to the engine."""

    def setUp(self):
        self.engine = arcloom.Engine(threads=2)
        self.tasks = arcloom.tasks("embedded")

    def test_primitives(self):
        @self.engine.register
        def swap_one_two(grid):
            return tuple(tuple({1: 2, 2: 1}.get(c, c) for c in row) for row in grid)

        program = self.engine.program("O = swap_one_two(vmirror(I))")
        self.assertEqual(program(((1, 2, 3),)), ((3, 1, 2),))
        self.assertIn("swap_one_two(", program.text)
        check = self.engine.check([program] * 200, self.tasks, all_tasks=True)
        self.assertEqual(len(check), 200 * len(self.tasks))
        self.assertEqual(len(self.engine.library(["O = swap_one_two(I)"])), 1)
        self.assertTrue(self.engine.unregister("swap_one_two"))
        with self.assertRaises(arcloom.ProgramError):
            self.engine.program("O = swap_one_two(I)")
        with self.assertRaisesRegex(ValueError, "name of the language"):
            self.engine.register(lambda x: x, "rot90")
        with self.assertRaisesRegex(TypeError, "is a function"):
            self.engine.register(3, "three")

    def test_functions_of_two_engines_do_not_meet(self):
        other = arcloom.Engine(threads=1)
        self.engine.register(lambda grid: ((1,),), "mine")
        other.register(lambda grid: ((2,),), "mine")
        task = self.tasks[0]
        given = [engine.eval([("O = mine(I)", task)])[0].pairs[0].output for engine in (self.engine, other)]
        self.assertEqual(given, [((1,),), ((2,),)])
        self.assertEqual([engine.program("O = mine(I)")(((0,),)) for engine in (self.engine, other)], [((1,),), ((2,),)])
        for read in (arcloom.Program, lambda text: arcloom.Engine(threads=1).eval([(text, task)])[0].program.text):
            with self.assertRaises((arcloom.ProgramError, AttributeError)):
                read("O = mine(I)")
        # Threads of their own, evolution's among them, read texts with the functions of their engine.
        for engine, cell in ((self.engine, 1), (other, 2)):
            asked = lambda asked: "O = mine(I)"  # noqa: E731
            demos = [{"input": [[0, 0]], "output": [[cell]]}]
            goal = arcloom.Task("goal", {"train": demos, "test": [{"input": [[3, 3]]}]})
            run = engine.evolve(["O = I"], goal, generations=2, children=1, proposers=[asked])
            self.assertEqual(run.result().fits, 1, run.faults)

    def test_a_failing_primitive_names_the_line(self):
        def divides(x):
            return x // 0

        self.engine.register(divides)
        task = self.tasks["anti_diagonal"]
        error = self.engine.eval([("O = divides(height(I))", task)])[0].pairs[0].error
        self.assertIn(line_of(divides), error.message)
        self.assertIn("ZeroDivisionError", error.message)
        with self.assertRaises(ZeroDivisionError):
            self.engine.program("O = divides(height(I))")(((1,),))

    def test_differs(self):
        asked = []

        def same_height(samples, candidate, expected):
            asked.append(len(samples))
            return (1000 if len(candidate) == len(expected) else 0, len(candidate))

        run = self.engine.run("library:embedded", self.tasks[:4], differs=[same_height])
        self.assertTrue(asked)
        scores = {name: score for name, score, _ in run.scores(self.tasks[0].id)}
        self.assertEqual(scores["differ_same_height"], 1000)
        self.assertEqual(run.differ_faults, ())

    def test_a_failing_differ_is_counted(self):
        def breaks(samples, candidate, expected):
            return candidate[99]

        run = self.engine.run("library:embedded", self.tasks[:4], differs=[breaks])
        self.assertEqual(len(run), 4)
        [(name, times, reason)] = run.differ_faults
        self.assertEqual(name, "differ_breaks")
        self.assertGreater(times, 4)
        self.assertIn(f"{line_of(breaks)}: IndexError", reason)

    def test_proposers(self):
        seen = []

        def model(asked):
            seen.append(asked)
            return ["O = cmirror(I)", "O = nonsense(I)"]

        task = self.tasks["anti_diagonal"]
        run = self.engine.evolve(["O = I"], task, generations=3, children=8, proposers=[model])
        result = run.result()
        self.assertEqual(result.fits, 1)
        self.assertEqual(result.found["anti_diagonal"].size, 1)
        self.assertEqual(result.attempts["anti_diagonal"][0][0], task.tests[0].output)
        [(name, times, reason)] = run.faults
        self.assertEqual((name, times), ("model", 1))
        self.assertIn("nonsense", reason)
        first = seen[0]
        self.assertTrue(all(test.output is None for test in first.task.tests))
        self.assertEqual((first.generation, first.last), (1, ()))
        self.assertIn("def solve", first.best[0].text)
        self.assertEqual(len(first.best[0].pairs), len(task.demos))

    def test_what_is_proposed_may_have_children_and_go(self):
        """Guests that are squeezed out in the generation they came in are stored before their children."""
        texts = [f"O = replace(I, {a}, {b})" for a in range(10) for b in range(10) if a != b]

        def many(asked):
            return texts[asked.generation * 7 % 80 :][:10]

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "archive.db")
            settings = dict(archive=path, children=64, population=4, stop_when_solved=False, proposers=[many])
            tasks = self.tasks[:6]
            self.engine.evolve(["O = I"], tasks, generations=12, **settings).result()
            again = self.engine.evolve(["O = I"], tasks, generations=16, **settings).result()
            self.assertEqual(again.resumed_at, 13)
            archive = arcloom.Archive(path)
            self.assertEqual(len(archive.programs()), archive.counts()["program"])

    def test_a_failing_proposer_and_operator_are_counted(self):
        def raises(asked):
            raise KeyError(asked.task.id)

        def swaps(text, task):
            return text.replace("rot90", "cmirror")

        task = self.tasks["anti_diagonal"]
        run = self.engine.evolve(
            ["O = rot90(I)"], task, generations=2, children=1, proposers=[raises], operators=[swaps], at_once=0
        )
        self.assertEqual(run.result().fits, 1)
        [(name, times, reason)] = run.faults
        self.assertEqual(name, "raises")
        self.assertIn(f"{line_of(raises)}: KeyError", reason)


class Faults(unittest.TestCase):
    """What the user's functions raise names their line, is counted, and does not end the run."""

    def setUp(self):
        self.engine = arcloom.Engine(threads=2)
        self.tasks = arcloom.tasks("embedded")
        self.task = self.tasks["anti_diagonal"]

    def evolve(self, programs=("O = rot90(I)", "O = rot180(I)"), generations=2, **more):
        run = self.engine.evolve(list(programs), self.task, generations=generations, children=4, stop_when_solved=False, **more)
        self.assertEqual(run.result().generations, generations + 1)
        return run

    def test_an_operator_keeps_what_it_made_of_others(self):
        def picky(text, task):
            if "rot90" in text:
                raise RuntimeError("not this one")
            return text.replace("rot180", "cmirror")

        run = self.evolve(operators=[picky])
        self.assertEqual(run.result().fits, 1)
        [(name, times, reason)] = run.faults
        self.assertEqual(name, "picky")
        self.assertIn(f"{line_of(picky, 2)}: RuntimeError: not this one", reason)

    def test_a_generator_keeps_what_it_gave(self):
        def model(asked):
            yield "O = cmirror(I)"
            raise OSError("the line went dead")

        run = self.evolve(proposers=[model])
        self.assertEqual(run.result().fits, 1)
        self.assertIn(f"{line_of(model, 2)}: OSError: the line went dead", run.faults[0][2])

    def test_the_line_is_the_users(self):
        """Not that of a library which the user's function calls."""

        def reads(asked):
            return json.loads("not json")

        [(name, times, reason)] = self.evolve(proposers=[reads]).faults
        self.assertEqual(name, "reads")
        self.assertIn(f"{line_of(reads)}: JSONDecodeError", reason)

    def test_what_takes_other_arguments(self):
        def takes_two(task, best):
            return None

        [(_, _, reason)] = self.evolve(proposers=[takes_two]).faults
        self.assertIn(f"{line_of(takes_two, 0)}: TypeError", reason)

    def test_primitives_are_counted(self):
        def halves(x):
            return 1 // (x - x)

        self.engine.register(halves)
        run = self.engine.run(["O = canvas(halves(height(I)), (1, 1))", "O = I"], self.tasks[:3])
        self.assertEqual(len(run), 3)
        [(name, times, reason)] = run.primitive_faults
        self.assertEqual(name, "halves")
        self.assertGreaterEqual(times, 3)
        self.assertIn(f"{line_of(halves)}: ZeroDivisionError", reason)
        evolution = self.evolve(["O = canvas(halves(height(I)), (1, 1))", "O = I"])
        [(name, times, reason)] = evolution.faults
        self.assertEqual(name, "halves")
        self.assertIn(f"{line_of(halves)}: ZeroDivisionError", reason)
        self.assertEqual(self.engine.run(["O = I"], self.tasks[:3]).primitive_faults, ())
        # What happens later is no fault of the run that is over.
        self.engine.eval([("O = halves(height(I))", self.task)])
        self.assertEqual(evolution.faults, ((name, times, reason),))

    def test_an_exchange_is_counted(self):
        class Broken:
            def publish(self, migrants):
                raise OSError("no route")

            def poll(self):
                raise KeyError("box")

        class Rubbish:
            def publish(self, migrants):
                pass

            def poll(self):
                return [b"rubbish"]

        [(name, times, reason)] = self.evolve(generations=4, migrate_every=1, exchange=Broken()).faults
        self.assertEqual(name, "exchange")
        self.assertGreaterEqual(times, 4)
        self.assertRegex(reason, f"({line_of(Broken.publish)}: OSError: no route|{line_of(Broken.poll)}: KeyError)")
        [(name, times, reason)] = self.evolve(generations=4, migrate_every=2, exchange=Rubbish()).faults
        self.assertEqual((name, times), ("exchange", 2))
        self.assertIn("7 bytes", reason)


class Evolution(unittest.TestCase):
    def setUp(self):
        self.engine = arcloom.Engine(threads=2)
        self.tasks = arcloom.tasks("embedded")

    def test_progress_archive_and_resume(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "archive.db")
            settings = dict(archive=path, seed=3, children=32, stop_when_solved=False)
            first = [p.generation for p in self.engine.evolve("library:embedded", self.tasks[:3], generations=2, **settings)]
            self.assertEqual(first, [0, 1, 2])
            result = self.engine.evolve("library:embedded", self.tasks[:3], generations=4, **settings).result()
            self.assertEqual((result.resumed_at, result.generations), (3, 5))
            archive = arcloom.Archive(path)
            self.assertGreater(archive.counts()["program"], 0)
            copy = os.path.join(folder, "copy.db")
            arcloom._native.copy_archive(path, copy)
            self.assertEqual(arcloom.Archive(copy).counts(), archive.counts())
            programs = archive.programs(solved=True)
            self.assertTrue(programs)
            lineage = archive.lineage(programs[0].id)
            self.assertIn("class=\"node program", lineage._repr_svg_())
            self.assertIn("tasks that fit", str(archive.curves()))
            page = pathlib.Path(folder, "report.html")
            self.assertEqual(archive.report(page, arcloom.tasks()), page.stat().st_size)
            self.assertIn("Tasks that fit", page.read_text())
            self.assertIn("<table", archive._repr_html_())
            with sqlite3.connect(path) as plain:
                self.assertEqual(plain.execute("select count(*) from program").fetchone()[0], archive.counts()["program"])
        with self.assertRaises(arcloom.ArcloomError):
            arcloom.Archive("/no/such/file.db")

    def test_solve(self):
        found = self.engine.solve(self.tasks[:8], budget=0.02)
        self.assertEqual(list(found), [task.id for task in self.tasks[:8]])
        fitting = {name: one for name, one in found.items() if one.is_fit}
        self.assertTrue(fitting)
        for name, one in fitting.items():
            self.assertEqual(len(one.attempts), len(self.tasks[name].tests))
            judged = self.engine.eval([(one.programs[0], self.tasks[name])])
            self.assertTrue(judged[0].is_fit)

    def test_stop(self):
        run = self.engine.evolve("library:embedded", self.tasks, stop_when_solved=False)
        next(run)
        run.stop()
        self.assertTrue(run.result().stopped)

    def test_other_threads_go_on(self):
        count = 0
        done = threading.Event()

        def counting():
            nonlocal count
            while not done.is_set():
                count += 1
                time.sleep(0.001)

        thread = threading.Thread(target=counting)
        thread.start()
        self.engine.evolve("library:embedded", self.tasks, stop_when_solved=False, timeout=1).result()
        done.set()
        thread.join()
        self.assertGreater(count, 50)

    @unittest.skipIf(os.name == "nt", "signals are POSIX")
    def test_an_interrupt_ends_the_run(self):
        code = (
            "import arcloom, signal, sys\n"
            # Started in the background, the tests hand down that interrupts are ignored.
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "print('ready', flush=True)\n"
            "try:\n"
            "    arcloom.Engine().evolve('library:embedded', 'embedded', stop_when_solved=False).result()\n"
            "except KeyboardInterrupt:\n"
            "    print('interrupted')\n"
        )
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "ready\n")
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.communicate(timeout=30)[0], "interrupted\n")


if __name__ == "__main__":
    unittest.main()
