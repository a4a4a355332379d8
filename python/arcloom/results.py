"""What the engine gives back, as records: immutable, comparable, hashable where their parts are, picklable.

Nothing here computes; the engine fills the fields. Similarities go from 0 to 1. Rows and tasks are counted from 0,
lines and columns of a text from 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, overload

from . import _native
from ._native import Column, Grid, Program, Task

__all__ = [
    "Asked", "Attempt", "Attempts", "Check", "CheckRow", "Device", "Dropped", "EvalPair", "EvalRow", "Evolved", "Fault", "Finding",
    "GenerationFigures", "Html", "LineageNode", "OperatorCount", "Reply", "Run", "Score", "Solution", "Standing", "StepError",
    "SubmissionScore", "TaskRun", "TextError",
]  # fmt: skip

#: What is handed in for a task: for each test up to two grids that differ, the better first.
Attempts = tuple[tuple[Grid, ...], ...]
#: Whether tests are right within two attempts; unknown where their answers are not there.
TestState = Literal["right", "wrong", "unknown"]

#: Most rows of a table in a notebook.
_ROWS = 20


def plain(value: Any) -> Any:
    """Grids and arrays as lists, for `json`."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot stand in a task: give lists, Grids or arrays")


def _expected_beside(attempts: Attempts, expected: list[Grid | None] | None = None) -> str:
    """Attempts as drawings in a row, each test's expected output before them where it is given."""
    parts: list[str] = []
    for number, grids in enumerate(attempts):
        wanted = expected[number] if expected is not None and number < len(expected) else None
        shown = ([("expected", wanted)] if wanted is not None else []) + [(f"attempt {n + 1}", grid) for n, grid in enumerate(grids)]
        drawn = "".join(
            f'<figure style="margin:0"><figcaption style="opacity:.7">{label}</figcaption>{grid._repr_svg_()}</figure>' for label, grid in shown
        )
        parts.append(f'<div style="display:flex;flex-wrap:wrap;gap:1em"><span>test {number + 1}</span>{drawn or "nothing handed in"}</div>')
    return "".join(parts)


@dataclass(frozen=True)
class Html:
    """Something that notebooks show."""

    #: The markup.
    text: str

    def _repr_html_(self) -> str:
        return self.text


class Fault(NamedTuple):
    """Something of the user's that failed: a proposer, an operator, a registered function, a differ."""

    #: Its name.
    name: str
    #: How often it failed.
    times: int
    #: Why, the first time.
    reason: str


@dataclass(frozen=True)
class TextError:
    """Why a text is not a program."""

    #: What is wrong, with the suggestion.
    message: str
    #: Line in the text.
    line: int
    #: Column in characters.
    column: int
    #: The name to write instead of an unknown one.
    suggestion: str | None = None

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


@dataclass(frozen=True)
class StepError:
    """Why a program gives no grid for an input."""

    #: What went wrong.
    message: str
    #: Line of the text; `None` for a program that was not judged as a text.
    line: int | None
    #: The failing call with its arguments, shortened; empty where no call failed.
    call: str

    def __str__(self) -> str:
        line = "" if self.line is None else f"line {self.line}: "
        call = f" in {self.call}" if self.call else ""
        return f"{line}{self.message}{call}"


@dataclass(frozen=True)
class Dropped:
    """Lines of a text that are no part of a program."""

    #: `prose`, `thinking`, `block` (of another language), `import`, `statement` (outside functions), `function`
    #: (that no program uses) or `redefined`.
    kind: str
    #: The first line.
    line: int
    #: How many lines.
    line_count: int


@dataclass(frozen=True)
class EvalPair:
    """What a program gives for one input."""

    #: Whether it is the expected output; `None` for a test, whose answer is not looked at.
    right: bool | None
    #: How near it is; `None` for a test.
    similarity: float | None
    #: Cells that differ; `None` for a test, without an output, and where sizes differ.
    wrong_cells: int | None
    #: The output, where there is one.
    output: Grid | None
    #: Why there is none.
    error: StepError | None


@dataclass(frozen=True)
class EvalRow:
    """A program judged on a task, or why the text is none."""

    #: Place of the text among the jobs.
    job: int
    #: Id of the task.
    task: str
    #: Name of the function; empty for lines without a `def`, and where there is no program.
    name: str
    #: Demos of the task.
    demos: int
    #: Why there is no program; `None` where there is one.
    error: TextError | None = None
    #: The program.
    program: Program | None = None
    #: Demos that fit.
    fits: int = 0
    #: Mean similarity of the demos.
    similarity: float = 0.0
    #: Calls of the program.
    size: int = 0
    #: Units of work spent on all inputs.
    work: int = 0
    #: The demos.
    pairs: tuple[EvalPair, ...] = ()
    #: The tests.
    tests: tuple[EvalPair, ...] = ()
    #: What of the text was left out.
    dropped: tuple[Dropped, ...] = ()

    @property
    def is_fit(self) -> bool:
        """True when all demos fit."""
        return self.error is None and self.fits == self.demos

    def to_dict(self) -> dict[str, Any]:
        """The row as `arcloom eval --stdin` gives it."""
        head: dict[str, Any] = {"id": self.job, "schema": _native.JSON_SCHEMA, "task": self.task, "name": self.name}
        if self.error is not None:
            error = self.error
            head["error"] = {"message": error.message, "line": error.line, "column": error.column, "suggestion": error.suggestion}
        else:
            head |= {"fits": self.fits, "demos": self.demos, "similarity": self.similarity, "size": self.size, "work": self.work}
            head |= {"pairs": [_pair(pair) for pair in self.pairs], "tests": [_pair(pair) for pair in self.tests]}
        if self.dropped:
            head["dropped"] = [{"kind": one.kind, "line": one.line, "line_count": one.line_count} for one in self.dropped]
        return head


def _pair(pair: EvalPair) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if pair.right is not None:
        fields |= {"right": pair.right, "similarity": pair.similarity}
    if pair.wrong_cells is not None:
        fields["wrong_cells"] = pair.wrong_cells
    if pair.output is not None:
        fields["output"] = pair.output.tolist()
    if pair.error is not None:
        error: dict[str, Any] = {"message": pair.error.message}
        if pair.error.line is not None:
            error["line"] = pair.error.line
        if pair.error.call:
            error["call"] = pair.error.call
        fields["error"] = error
    return fields


@dataclass(frozen=True)
class CheckRow:
    """A program on a task, demos and tests."""

    #: Place of the program in what was checked.
    program: int
    #: Its name.
    name: str
    #: Id of the task.
    task: str
    #: `right`, `wrong`, `failed`, or why it was not checked.
    state: str
    #: Pairs that are right.
    right_pairs: int
    #: Pairs that were looked at.
    pairs: int
    #: Why it is not right.
    reason: str | None

    @property
    def right(self) -> bool:
        """True when every pair is right."""
        return self.state == "right"


@dataclass(frozen=True)
class Check:
    """Programs on tasks, a row for each. A sequence of `CheckRow`."""

    #: The rows.
    rows: tuple[CheckRow, ...]

    @property
    def right(self) -> int:
        """Number of rows that are right."""
        return sum(row.right for row in self.rows)

    @cached_property
    def columns(self) -> dict[str, Column | list[Any]]:
        """Columns by name: numbers as `Column`, which numpy reads in place, texts as lists."""
        rows = self.rows
        return {
            "program": Column([row.program for row in rows]),
            "name": [row.name for row in rows],
            "task": [row.task for row in rows],
            "state": [row.state for row in rows],
            "right": Column([int(row.right) for row in rows]),
            "pairs": Column([row.pairs for row in rows]),
            "right_pairs": Column([row.right_pairs for row in rows]),
            "reason": [row.reason for row in rows],
        }

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[CheckRow]:
        return iter(self.rows)

    @overload
    def __getitem__(self, key: int) -> CheckRow: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[CheckRow, ...]: ...
    def __getitem__(self, key: int | slice) -> CheckRow | tuple[CheckRow, ...]:
        return self.rows[key]

    def __repr__(self) -> str:
        return f"Check({self.right} of {len(self.rows)} right)"

    def _repr_html_(self) -> str:
        first = sorted(self.rows, key=lambda row: (row.right, row.right_pairs / max(1, row.pairs)))[:_ROWS]
        cells = [[row.name, row.task, row.state, f"{row.right_pairs}/{row.pairs}", row.reason or ""] for row in first]
        return _native._table(repr(self), ["name", "task", "state", "right", "why"], cells, len(self.rows))


class Finding(NamedTuple):
    """What a differ says is wrong with the output for a demo."""

    #: The differ.
    differ: str
    #: The demo, counted from 0.
    demo: int
    #: What it found, as a value of the DSL.
    value: Any


class Score(NamedTuple):
    """What a differ says about a program: 0 to 1000."""

    #: The differ.
    differ: str
    #: From 0 to 1000.
    score: int
    #: What it found, as a value of the DSL.
    finding: Any


@dataclass(frozen=True)
class TaskRun:
    """What a run of programs came to on a task."""

    #: Id of the task.
    task: str
    #: Its demos.
    demos: int
    #: Demos that what is handed in fits.
    fits: int
    #: Similarity of the best program; `None` where no differ was asked.
    similarity: float | None
    #: Whether the tests are right within two attempts.
    tests: TestState
    #: Tests that are right.
    right_tests: int
    #: Tests whose answer is known.
    known_tests: int
    #: Grids that were looked at.
    candidates: int
    #: Of these, that do different things.
    distinct: int
    #: The best programs, best first.
    best: tuple[Program, ...]
    #: What is handed in.
    attempts: Attempts
    #: What differs say about the best program.
    scores: tuple[Score, ...]

    @property
    def is_fit(self) -> bool:
        """True when all demos fit."""
        return self.fits == self.demos

    def _repr_html_(self) -> str:
        program = self.best[0]._repr_html_() if self.best else "no program"
        return f"<p><b>{self.task}</b>: fits {self.fits}/{self.demos}, tests {self.tests}</p>{program}{_expected_beside(self.attempts)}"


@dataclass(frozen=True)
class Run:
    """Programs on tasks, a record for each task."""

    #: The tasks that were finished.
    tasks: tuple[TaskRun, ...]
    #: Tasks that were not, because the run was stopped.
    unfinished: int = 0
    #: Differs of yours that failed.
    differ_faults: tuple[Fault, ...] = ()
    #: Registered functions that failed.
    primitive_faults: tuple[Fault, ...] = ()

    @property
    def fits(self) -> int:
        """Tasks on which some program fits all demos."""
        return sum(task.is_fit for task in self.tasks)

    @property
    def right(self) -> int:
        """Tasks all of whose tests are right within two attempts."""
        return sum(task.tests == "right" for task in self.tasks)

    @cached_property
    def _by_id(self) -> dict[str, TaskRun]:
        return {task.task: task for task in self.tasks}

    @cached_property
    def columns(self) -> dict[str, Column | list[Any]]:
        """Columns by name: numbers as `Column`, which numpy reads in place, texts as lists."""
        rows = self.tasks
        return {
            "task": [row.task for row in rows],
            "demos": Column([row.demos for row in rows]),
            "fits": Column([row.fits for row in rows]),
            "similarity": Column([float("nan") if row.similarity is None else float(row.similarity) for row in rows]),
            "size": Column([row.best[0].size if row.best else 0 for row in rows]),
            "tests": [row.tests for row in rows],
            "right_tests": Column([row.right_tests for row in rows]),
            "known_tests": Column([row.known_tests for row in rows]),
            "candidates": Column([row.candidates for row in rows]),
            "distinct": Column([row.distinct for row in rows]),
            "program": [row.best[0].line if row.best else None for row in rows],
        }

    def __getitem__(self, task: str) -> TaskRun:
        if task not in self._by_id:
            raise KeyError(f"no task {task} in this run")
        return self._by_id[task]

    def __contains__(self, task: object) -> bool:
        return task in self._by_id

    def __iter__(self) -> Iterator[TaskRun]:
        return iter(self.tasks)

    def __len__(self) -> int:
        return len(self.tasks)

    def best(self, task: str) -> tuple[Program, ...]:
        """The best programs of a task, best first."""
        return self[task].best

    def attempts(self, task: str) -> Attempts:
        """What is handed in for a task: up to two grids for each test."""
        return self[task].attempts

    def scores(self, task: str) -> tuple[Score, ...]:
        """What each differ says about the best program of a task."""
        return self[task].scores

    def __repr__(self) -> str:
        unfinished = f", {self.unfinished} not reached in time" if self.unfinished else ""
        return f"Run({len(self.tasks)} tasks, {self.fits} fit, {self.right} right{unfinished})"

    def _repr_html_(self) -> str:
        order = {"wrong": 0, "unknown": 1, "right": 2}
        first = sorted(self.tasks, key=lambda row: (order[row.tests], row.fits / max(1, row.demos), row.similarity or 0.0))
        cells = [
            [row.task, row.tests, f"{row.fits}/{row.demos}", "" if row.similarity is None else f"{row.similarity:.3f}", row.best[0].line if row.best else ""]
            for row in first[:_ROWS]
        ]
        return _native._table(repr(self), ["task", "tests", "fits", "similarity", "program"], cells, len(self.tasks))


@dataclass(frozen=True)
class Solution:
    """What a search found for a task."""

    #: Id of the task.
    task: str
    #: Demos that the best proposal fits.
    fits: int
    #: Its demos.
    demos: int
    #: What is handed in.
    attempts: Attempts
    #: The programs behind it, best first.
    programs: tuple[Program, ...]

    @property
    def is_fit(self) -> bool:
        """True when all demos fit."""
        return self.fits == self.demos

    def _repr_html_(self) -> str:
        program = self.programs[0]._repr_html_() if self.programs else "no program"
        return f"<p><b>{self.task}</b>: fits {self.fits}/{self.demos}</p>{program}{_expected_beside(self.attempts)}"

    def beside(self, task: Task) -> Html:
        """The attempts beside the expected outputs of the task, where it has them."""
        return Html(_expected_beside(self.attempts, [pair.output for pair in task.tests]))


@dataclass(frozen=True)
class Attempt:
    """A program that was tried on a task."""

    #: Its text.
    text: str
    #: For each demo `1` when it is right, else `0`.
    pairs: str
    #: How near it is.
    similarity: float
    #: What differs say of its outputs, a few.
    findings: tuple[Finding, ...] = ()
    #: Demos, counted from 0, for which it gives no grid, and why.
    errors: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Reply:
    """What became of a text that a proposer gave."""

    #: The text.
    text: str
    #: Why it is no program; `None` for one that is.
    error: TextError | None = None
    #: How it did; `None` for what is no program, or was known already.
    attempt: Attempt | None = None
    #: Whether it has a place in the population.
    kept: bool = False

    @property
    def known(self) -> bool:
        """True when the population had the program already."""
        return self.error is None and self.attempt is None


@dataclass(frozen=True)
class Asked:
    """What a proposer is told."""

    #: The task, without the answers of its tests.
    task: Task
    #: The generation that is about to be bred.
    generation: int
    #: The best programs so far, best first.
    best: tuple[Attempt, ...] = ()
    #: What became of the texts that this proposer gave for this task when it was last asked.
    last: tuple[Reply, ...] = ()


@dataclass(frozen=True)
class OperatorCount:
    """What an operator, or a proposer, did since the start of a run."""

    #: Its name.
    name: str
    #: Tried; for a proposer, texts.
    applied: int
    #: A program came of it.
    valid: int
    #: The program was new.
    new: int
    #: It was better than what it was made from; for a proposer, than the best of the task.
    improving: int


@dataclass(frozen=True)
class GenerationFigures:
    """A generation in figures."""

    #: Which one; 0 is what was there before.
    generation: int
    #: Programs evaluated in it.
    evaluations: int
    #: The same since the start of this process.
    evaluations_total: int
    #: Seconds of this process so far.
    elapsed: float
    #: Tasks that fit in generation 0.
    fits_at_start: int
    #: Tasks that fit now.
    fits: int
    #: All tasks.
    tasks: int
    #: The best task that does not fit, and its similarity.
    nearest: tuple[str, float] | None = None
    #: Operators and proposers that did something.
    operators: tuple[OperatorCount, ...] = ()


@dataclass(frozen=True)
class Evolved:
    """What a run of evolution came to."""

    #: Generations that are done, generation 0 included.
    generations: int
    #: Generations that were there when this process began.
    resumed_at: int
    #: Programs evaluated by this process.
    evaluations: int
    #: Tasks that fit in generation 0.
    fits_at_start: int
    #: Tasks for which what is handed in fits all demos.
    fits: int
    #: Tasks with a program that stands validation.
    validated: int
    #: True when it was stopped from outside, by time or by hand.
    stopped: bool
    #: All tasks.
    tasks: int
    #: Programs found, by task.
    found: Mapping[str, Program] = field(default_factory=dict, hash=False)
    #: What is handed in, by task.
    attempts: Mapping[str, Attempts] = field(default_factory=dict, hash=False)

    @property
    def message(self) -> str:
        """How it ended, in a sentence."""
        if self.generations == 0:
            return "the time ended before generation 0: nothing was tried; call again with the same archive and more time"
        end = "stopped" if self.stopped else "ended"
        return f"{end} after {self.generations} generations: {self.fits} of {self.tasks} tasks fit, {self.fits_at_start} at the start"

    def __repr__(self) -> str:
        return f"Evolved({self.message})"

    def _repr_html_(self) -> str:
        cells = [[task, program.line] for task, program in list(self.found.items())[:_ROWS]]
        return _native._table(repr(self), ["task", "program"], cells, len(self.found))


@dataclass(frozen=True)
class Standing:
    """How a task stands in an archive: by what was handed in, or by the best stored program."""

    #: Id of the task.
    task: str
    #: `right`, `fits`, `open` or `untried`.
    state: str
    #: Demos that fit.
    fits: int
    #: Demos of the task.
    demos: int
    #: Whether the tests are right within two attempts.
    tests: TestState
    #: How near it is.
    similarity: float
    #: Who made the program.
    origin: str
    #: What is handed in.
    attempts: Attempts


@dataclass(frozen=True)
class SubmissionScore:
    """A submission against the answers."""

    #: Tests of which one of the two attempts is right.
    right_outputs: int
    #: Tests whose answer is known.
    outputs: int
    #: Tasks of which every known test is right.
    right_tasks: int
    #: Tasks with a known test.
    tasks: int

    @property
    def outputs_score(self) -> float:
        """Share of tests that are right, which is what competitions count."""
        return self.right_outputs / max(1, self.outputs)

    @property
    def tasks_score(self) -> float:
        """Share of tasks that are right."""
        return self.right_tasks / max(1, self.tasks)


@dataclass(frozen=True)
class Device:
    """A device besides the CPU that can evaluate programs."""

    #: Its number, as in `gpu:0`.
    number: int
    #: What it is called.
    name: str
    #: `OpenCL` or `CUDA`.
    api: str
    #: Version of its driver.
    driver: str
    #: Bytes of its memory.
    memory: int
    #: Compute units.
    units: int
    #: True when it is the CPU under another name.
    is_cpu: bool


@dataclass(frozen=True)
class LineageNode:
    """A program in a lineage."""

    #: Its name.
    name: str
    #: Its calls.
    size: int
    #: The generation it came up in.
    generation: int | None
    #: The operator or proposer that made it.
    operator: str | None
    #: Where it is from.
    source: str
    #: Ids of the programs it was made from.
    parents: tuple[str, ...]

