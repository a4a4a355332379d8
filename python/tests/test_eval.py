"""Texts as language models write them: judged, never raising, with everything about each in its row."""

import collections
import json
import pathlib
import pickle
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import arcloom
from arcloom.results import StepError, TextError

TASKS = arcloom.tasks("embedded")
TASK = TASKS["anti_diagonal"]


def styles(seed=0, count=1000):
    """So many texts in the styles of language models: (style, text)."""
    draw = random.Random(seed)
    programs = [program.text for program in arcloom.library("library:embedded")]
    lines = [f"O = {name}(I)" for name in ("rot90", "rot180", "rot270", "vmirror", "hmirror", "cmirror", "dmirror", "trim")]
    wrong = ["rotate90", "flip_horizontal", "get_objects", "fliplr", "np.rot90", "upscle", "most_common_color", "vmiror"]
    prose = ["Looking at the examples, the grid is mirrored.", "Sure! Here is the function:", "Let me think (carefully) about this = that.", "I hope this helps!"]

    def fence(code, label="python"):
        return f"```{label}\n{code.rstrip()}\n```"

    def style(number):
        program, line, words = draw.choice(programs), draw.choice(lines), draw.choice(prose)
        other = draw.choice(programs)
        return [
            ("code", program),
            ("line", line),
            ("fence", fence(program)),
            ("fence and prose", f"{words}\n\n{fence(program)}\n\n{draw.choice(prose)}"),
            ("fence without a label", f"{words}\n{fence(program, '')}"),
            ("prose", f"{words}\n\n{program}\n{draw.choice(prose)}"),
            ("think", f"<think>\nMaybe {line}? No.\n{draw.choice(prose)}\n</think>\n\n{fence(program)}"),
            ("think without a beginning", f"So {line}.\n</think>\n{program}"),
            ("several functions", f"{program}\n\n{other}"),
            ("several blocks", f"{fence(program)}\n{words}\n{fence(other)}"),
            ("imports and usage", f"from arc_types import *\nimport numpy as np\n\n{program}\n\nif __name__ == '__main__':\n    print(solve(I))\n"),
            ("cut off", f"{words}\n```python\n{program[: draw.randrange(20, len(program))]}"),
            ("wrong name", f"{words}\n{fence(f'def solve(I):{chr(10)}    x1 = {draw.choice(wrong)}(I){chr(10)}    return x1')}"),
            ("wrong arity", fence(f"def solve(I):\n    return {draw.choice(['rot90(I, 1)', 'fill(I, 2)', 'objects(I)', 'upscale(I)'])}")),
            ("other Python", fence("def solve(I):\n    " + draw.choice(["return [row[::-1] for row in I]", "for row in I:\n        pass\n    return I", "O = I.copy()\n    return O", "return I[0]"]))),
            ("fails when it runs", f"```\nx1 = ofcolor(I, {draw.randrange(20, 90)})\nO = first(x1)\n```"),
            ("no grid", draw.choice(["O = height(I)", "def solve(I):\n    return palette(I)"])),
            ("refusal", f"I am sorry, I cannot find a rule. {words}"),
            ("nothing", draw.choice(["", "\n\n", "```\n```", "<think>hmm", "...", "None", "42"])),
            ("noise", "".join(draw.choice("abc(){}[]=,:`<>\"'\\ \n\té\0") for _ in range(draw.randrange(1, 80)))),
        ][number % 20]

    return [style(number) for number in range(count)]


class Texts(unittest.TestCase):
    def setUp(self):
        self.engine = arcloom.Engine(threads=2)

    def one(self, text, task=TASK):
        [row] = self.engine.eval([(text, task)])
        return row

    def test_a_thousand_texts(self):
        """Nothing raises; every text has a row, every row a program or a reason, and what is good is accepted."""
        texts = styles()
        rows = self.engine.eval([(text, TASK) for _, text in texts])
        self.assertEqual({row.job for row in rows}, set(range(len(texts))))
        accepted, rejected = collections.Counter(), collections.Counter()
        for row in rows:
            style = texts[row.job][0]
            if row.error is None:
                accepted[style] += 1
                self.assertEqual(len(row.pairs) + len(row.tests), len(TASK.demos) + len(TASK.tests))
                for pair in row.pairs:
                    self.assertNotEqual(pair.output is None, pair.error is None)
            else:
                rejected[style] += 1
                self.assertTrue(row.error.message and row.error.line >= 1 and row.error.column >= 1, row.error)
        self.assertEqual(len(rows), accepted.total() + rejected.total())
        every = len(texts) // 20
        good = ["code", "line", "fence", "fence and prose", "fence without a label", "prose", "think", "think without a beginning", "imports and usage", "fails when it runs", "no grid"]
        self.assertEqual({style: accepted[style] for style in good}, dict.fromkeys(good, every))
        # The same program twice in one text is one function, the last.
        self.assertGreater(accepted["several functions"], 1.9 * every)
        self.assertEqual(accepted["several blocks"], 2 * every)
        for style in ("wrong name", "wrong arity", "other Python", "refusal"):
            self.assertEqual(rejected[style], every, style)
        print(f"{len(texts)} texts: {accepted.total()} programs accepted, {rejected.total()} rejected with a reason, no exception")

    def test_suggestions_lead_to_the_function(self):
        for name, meant in [("rotate90", "rot90"), ("flip_horizontal", "vmirror"), ("get_objects", "objects"), ("vmiror", "vmirror")]:
            error = self.one(f"x1 = rot180(I)\nO = {name}(x1)").error
            self.assertEqual((error.suggestion, error.line, error.column), (meant, 2, 5))
            self.assertIn(f"did you mean `{meant}`", error.message)
        self.assertIsNone(self.one("The answer is rotation.").error.suggestion)

    def test_a_step_that_fails_says_where_and_on_what(self):
        row = self.one("Here:\n```python\ndef solve(I):\n    x1 = ofcolor(I, 77)\n    return first(x1)\n```")
        self.assertEqual(row.fits, 0)
        self.assertEqual((row.pairs[0].error.line, row.pairs[0].error.call), (5, "first(frozenset())"))
        self.assertEqual([(one.kind, one.line) for one in row.dropped], [("prose", 1)])

    def test_pairs_have_wrong_cells(self):
        pair = self.one("O = hmirror(cmirror(I))").pairs[0]
        self.assertFalse(pair.right)
        wanted, given = TASK.demos[0].output, pair.output
        cells = sum(a != b for own, other in zip(wanted.tolist(), given.tolist()) for a, b in zip(own, other))
        self.assertEqual(pair.wrong_cells, cells)
        right = self.one("O = cmirror(I)")
        self.assertTrue(right.is_fit and all(pair.right and pair.wrong_cells == 0 for pair in right.pairs))
        self.assertTrue(all(test.right is None and test.similarity is None and test.output for test in right.tests))

    def test_rows_are_records(self):
        rows = self.engine.eval([("O = cmirror(I)", TASK), ("O = nope(I)", TASK), ("O = first(I)", TASK)])
        self.assertEqual((len(rows), rows.fits, rows.rejected, rows.unfinished), (3, 1, 1, 0))
        for row in rows:
            again = pickle.loads(pickle.dumps(row))
            self.assertEqual((again, hash(again)), (row, hash(row)))
        self.assertEqual(rows[-1], rows[2])
        self.assertEqual(rows[:2], [rows[0], rows[1]])
        self.assertEqual(rows.of(1), [rows[1]])
        self.assertIsInstance(rows[1].error, TextError)
        self.assertIsInstance(rows[2].pairs[0].error, StepError)
        with self.assertRaises(IndexError):
            rows[3]
        with self.assertRaisesRegex(ValueError, "job 0 is not a pair"):
            self.engine.eval(["O = I"])
        html = rows._repr_html_()
        # Failures first.
        self.assertLess(html.index("nope"), html.index("1.000"))

    def test_one_schema_with_the_command(self):
        texts = ["O = cmirror(I)", "O = nope(I)", "Well:\n```\nO = first(I)\n```", "O = hmirror(cmirror(I))"]
        rows = self.engine.eval([(text, TASK) for text in texts])
        for number, row in enumerate(rows):
            self.assertEqual(row.to_dict(), json.loads(rows.json(number)))

    def test_a_program_is_judged_as_its_text_is(self):
        program = arcloom.Program("O = rot90(I)")
        one, other = self.engine.eval([(program, TASK), (program.text, TASK)])
        self.assertEqual((one.fits, one.similarity, one.size), (other.fits, other.similarity, other.size))

    def test_frames(self):
        rows = self.engine.eval([("O = cmirror(I)", TASK), ("I am sorry", TASK)])
        try:
            import numpy
        except ImportError:
            self.skipTest("numpy is not installed")
        arrays = arcloom.to_numpy(rows)
        self.assertEqual(arrays["fits"].tolist(), [len(TASK.demos), 0])
        self.assertIsInstance(arrays["similarity"], numpy.ndarray)
        for name in ("pandas", "polars"):
            try:
                __import__(name)
            except ImportError:
                continue
            frame = getattr(arcloom, f"to_{name}")(rows)
            self.assertEqual(list(frame["job"]), [0, 1])
            self.assertIn("no program", list(frame["error"])[1])

    def test_progress_and_time(self):
        heard = []
        rows = self.engine.eval([("O = cmirror(I)", TASK)] * 300, progress=lambda *at: heard.append(at))
        self.assertEqual((len(rows), heard[-1]), (300, (300, 300)))
        rows = self.engine.eval([("O = cmirror(I)", TASK)] * 3, timeout=0)
        self.assertEqual((len(rows), rows.unfinished), (0, 3))
        self.assertIn("3 texts not judged in time", repr(rows))

    @unittest.skipIf(sys.platform == "win32", "signals are POSIX")
    def test_an_interrupt_ends_it_soon(self):
        """Long programs in a long batch: the time from the signal to the exception is short."""
        code = (
            "import arcloom, signal, time\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "slow = 'x1 = upscale(I, 20)\\n' + ''.join(f'x{n} = rot90(x{n - 1})\\n' for n in range(2, 4000)) + 'O = downscale(x3999, 20)'\n"
            "jobs = [(slow, task) for task in arcloom.tasks()] * 20\n"
            "print('ready', flush=True)\n"
            "try:\n"
            "    arcloom.Engine(call_budget=10**12).eval(jobs)\n"
            "    print('done')\n"
            "except KeyboardInterrupt:\n"
            "    print('interrupted')\n"
        )
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "ready\n")
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        self.assertEqual(process.stdout.readline(), "interrupted\n")
        # A fifth of a second, and what other work on the machine adds; a program alone takes longer than that.
        self.assertLess(time.monotonic() - began, 2.0)
        process.wait()


class Inputs(unittest.TestCase):
    """What arguments may be, and what is refused with a sentence."""

    def setUp(self):
        self.engine = arcloom.Engine(threads=1)

    def test_tasks_are_taken_in_many_forms(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "mine.json")
            path.write_text(json.dumps(TASK.to_dict()))
            forms = [TASK, "anti_diagonal", "embedded/anti_diagonal", path, str(path), [TASK], ["anti_diagonal"], TASKS[:99]["anti_diagonal"], {"anti_diagonal": TASK}]
            for form in forms:
                self.assertEqual(self.engine.check("O = cmirror(I)", form, all_tasks=True).right, 1, form)
                self.assertEqual(self.engine.eval([("O = cmirror(I)", form)]).fits, 1, form)
                self.assertTrue(self.engine.trace("O = cmirror(I)", form).right, form)

    def test_programs_are_taken_in_many_forms(self):
        program = arcloom.Program("O = cmirror(I)")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "solvers.py")
            arcloom.Library([program]).save(path)
            two = "def solve_a(I):\n    return cmirror(I)\ndef solve_b(I):\n    return rot90(I)\n"
            forms = {1: [program, program.text, [program], ["O = cmirror(I)"], path, str(path), [path], "```\nO = cmirror(I)\n```"], 2: [two, [two], [program, "O = rot90(I)"]]}
            for count, all in forms.items():
                for form in all:
                    self.assertEqual(len(arcloom.Library(form)), count, form)
                    self.assertEqual(self.engine.check(form, TASK, all_tasks=True).right, 1, form)

    def test_grids_are_taken_in_many_forms(self):
        rows = [[1, 2], [3, 4]]
        forms = [rows, tuple(map(tuple, rows)), arcloom.Grid(rows)]
        try:
            import numpy

            forms += [numpy.array(rows), numpy.array(rows, dtype="uint8")]
        except ImportError:
            pass
        program = arcloom.Program("O = rot90(I)")
        for form in forms:
            self.assertEqual(program(form), ((3, 1), (4, 2)))
            self.assertEqual(arcloom.Pair(form, form).output, arcloom.Grid(rows))
            self.assertEqual(arcloom.Task("t", {"train": [{"input": form, "output": form}], "test": [{"input": form}]}).demos[0].input, rows)

    def test_wrong_numbers_are_refused_with_a_sentence(self):
        engine = self.engine
        wrong = {
            "threads is -1": lambda: arcloom.Engine(threads=-1),
            "threads is 99999": lambda: arcloom.Engine(threads=99_999),
            "call_budget is -5": lambda: arcloom.Engine(call_budget=-5),
            "call_budget is 0": lambda: arcloom.Engine(call_budget=0),
            "timeout is -1": lambda: engine.eval([], timeout=-1),
            "timeout is NaN": lambda: engine.run("O = I", TASK, timeout=float("nan")),
            "budget is -2": lambda: engine.solve(TASK, budget=-2.0),
            "pair is -1": lambda: engine.trace("O = I", TASK, -1),
            "no pair 77": lambda: engine.trace("O = I", TASK, 77),
            "kept is 0": lambda: engine.run("O = I", TASK, kept=0),
            "judged is -1": lambda: engine.run("O = I", TASK, judged=-1),
            "children is -3": lambda: engine.evolve("O = I", TASK, children=-3),
            "population is 0": lambda: engine.evolve("O = I", TASK, population=0),
            "generations is -1": lambda: engine.evolve("O = I", TASK, generations=-1),
            "seed is -1": lambda: engine.evolve("O = I", TASK, seed=-1),
            "at_once is -1": lambda: engine.evolve("O = I", TASK, at_once=-1),
            "count is 0": lambda: TASKS.folds(0),
            "one task is wanted": lambda: engine.trace("O = I", TASKS),
            "not of 32": lambda: engine.trace("library:embedded", TASK),
        }
        for sentence, call in wrong.items():
            with self.assertRaisesRegex(ValueError, sentence):
                call()
        for sentence, call in {"tasks are": lambda: engine.check("O = I", 3), "programs are": lambda: engine.check(3, TASK), "functions": lambda: engine.evolve("O = I", TASK, proposers=[3])}.items():
            with self.assertRaisesRegex(TypeError, sentence):
                call()


if __name__ == "__main__":
    unittest.main()
