"""Tasks as data: transformed, in arrays, in files of other tools, split.

numpy and `datasets` are imported when a function needs them.
"""

from __future__ import annotations

import importlib
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, TypeAlias

from ._native import ArcloomError, Grid, Pair, Task, TaskSet
from .results import Attempts

__all__ = [
    "DIHEDRAL", "Batch", "Transform", "batches", "from_datasets", "from_json_lines", "splits", "to_datasets", "to_json_lines",
    "transforms",
]  # fmt: skip

#: The eight turns and mirrors of a grid, by name: the place is the number of `Transform.dihedral`.
DIHEDRAL: tuple[str, ...] = ("identity", "rot90", "rot180", "rot270", "vmirror", "hmirror", "dmirror", "cmirror")
#: Which one undoes which.
_UNDONE = (0, 3, 2, 1, 4, 5, 6, 7)

#: An array of numpy, which not everybody has.
Array: TypeAlias = Any
#: Rows of a grid, as lists.
Rows = list[list[int]]
#: Tasks, or what stands for them: a set, a task, the name of a set, an id, a path, or several of them.
Tasks = TaskSet | Task | Iterable[Task | str | PathLike[str]] | str | PathLike[str]


def _turned(rows: Rows, number: int) -> Rows:
    if number == 1:
        return [list(row) for row in zip(*rows[::-1])]
    if number == 2:
        return [row[::-1] for row in rows[::-1]]
    if number == 3:
        return [list(row) for row in zip(*rows)][::-1]
    if number == 4:
        return [row[::-1] for row in rows]
    if number == 5:
        return rows[::-1]
    if number == 6:
        return [list(row) for row in zip(*rows)]
    if number == 7:
        return [list(row) for row in zip(*[row[::-1] for row in rows[::-1]])]
    return rows


@dataclass(frozen=True)
class Transform:
    """A change of a task that can be undone: a turn or mirror, other colours, another order of the demos."""

    #: Number of the turn or mirror, as in `DIHEDRAL`.
    dihedral: int = 0
    #: The colour that takes the place of each of 0 to 9.
    colors: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
    #: Places of the demos in the old order; `None` to leave them.
    demos: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.dihedral < len(DIHEDRAL):
            raise ValueError(f"dihedral is {self.dihedral}: give a number from 0 to {len(DIHEDRAL) - 1}")
        if sorted(self.colors) != list(range(10)):
            raise ValueError(f"colors is {self.colors}: give each of 0 to 9 once")
        if self.demos is not None and sorted(self.demos) != list(range(len(self.demos))):
            raise ValueError(f"demos is {self.demos}: give each place from 0 once")

    def grid(self, grid: Any) -> Grid:
        """A grid of the task, changed."""
        rows = _turned(Grid(grid).tolist(), self.dihedral)
        return Grid([[self.colors[cell] if 0 <= cell < 10 else cell for cell in row] for row in rows])

    def undo(self, grid: Any) -> Grid:
        """A grid of the changed task as one of the task: for predictions."""
        back = {new: old for old, new in enumerate(self.colors)}
        rows = [[back.get(cell, cell) for cell in row] for row in Grid(grid).tolist()]
        return Grid(_turned(rows, _UNDONE[self.dihedral]))

    def task(self, task: Task) -> Task:
        """The task, changed. Its id stays."""
        order = range(len(task.demos)) if self.demos is None else self.demos
        if len(order) != len(task.demos):
            raise ValueError(f"demos orders {len(order)} pairs, and task {task.id} has {len(task.demos)}")

        def pair(one: Pair) -> dict[str, Grid]:
            output = {} if one.output is None else {"output": self.grid(one.output)}
            return {"input": self.grid(one.input), **output}

        return Task(task.id, {"train": [pair(task.demos[place]) for place in order], "test": [pair(test) for test in task.tests]})

    def undo_attempts(self, attempts: Attempts) -> Attempts:
        """What is handed in for the changed task, for the task."""
        return tuple(tuple(self.undo(grid) for grid in grids) for grids in attempts)


def transforms(task: Task, count: int, seed: int = 0, *, dihedral: bool = True, colors: bool = True, demos: bool = True, keep: Sequence[int] = (0,)) -> list[Transform]:
    """So many different transforms of a task, drawn with a seed; the first is the identity.

    Colours in `keep` stay what they are: 0 is the background of most tasks. Fewer come back where there are no more.
    """
    draw = random.Random(f"{seed} {task.id}")
    found: dict[Transform, None] = {Transform(): None}
    for _ in range(20 * max(1, count)):
        if len(found) >= count:
            break
        moved = [color for color in range(10) if color not in keep]
        new = moved[:]
        if colors:
            draw.shuffle(new)
        palette = list(range(10))
        for old, color in zip(moved, new):
            palette[old] = color
        order = list(range(len(task.demos)))
        if demos:
            draw.shuffle(order)
        places = tuple(order) if demos and order != sorted(order) else None
        found[Transform(draw.randrange(len(DIHEDRAL)) if dihedral else 0, tuple(palette), places)] = None
    return list(found)[: max(0, count)]


@dataclass(frozen=True, eq=False)
class Batch:
    """Pairs of tasks as arrays of one size. Cells outside a grid are `pad`."""

    #: Grids that are given: (pairs, side, side), 8-bit.
    inputs: Array
    #: Grids that are wanted, the same; all `pad` where the answer is not known.
    outputs: Array
    #: Rows and columns of each input: (pairs, 2).
    input_sizes: Array
    #: Rows and columns of each output; 0 where the answer is not known.
    output_sizes: Array
    #: Id of the task of each pair.
    tasks: tuple[str, ...]
    #: True for a demo, false for a test.
    is_demo: tuple[bool, ...]

    def __len__(self) -> int:
        return len(self.tasks)


def batches(tasks: Tasks, size: int = 64, *, side: int = 30, pad: int = -1, demos: bool = True, tests: bool = True) -> Iterator[Batch]:
    """The pairs of tasks as arrays, `size` pairs at a time, the last batch with what is left."""
    numpy: Any = importlib.import_module("numpy")
    if size < 1:
        raise ValueError(f"size is {size}: give a whole number from 1")
    rows: list[tuple[str, bool, Grid, Grid | None]] = []
    for task in TaskSet(tasks):
        rows += [(task.id, True, pair.input, pair.output) for pair in task.demos if demos]
        rows += [(task.id, False, pair.input, pair.output) for pair in task.tests if tests]
    for start in range(0, len(rows), size):
        part = rows[start : start + size]
        arrays = [numpy.full((len(part), side, side), pad, dtype=numpy.int8) for _ in range(2)]
        sizes = [numpy.zeros((len(part), 2), dtype=numpy.int16) for _ in range(2)]
        for place, (id, _, *grids) in enumerate(part):
            for array, size_of, grid in zip(arrays, sizes, grids):
                if grid is None:
                    continue
                if max(grid.shape) > side:
                    raise ValueError(f"task {id} has a grid of {grid.height}x{grid.width}: give a side of at least {max(grid.shape)}")
                array[place, : grid.height, : grid.width] = numpy.asarray(grid)
                size_of[place] = grid.shape
        yield Batch(arrays[0], arrays[1], sizes[0], sizes[1], tuple(row[0] for row in part), tuple(row[1] for row in part))


def to_json_lines(tasks: Tasks, path: str | PathLike[str]) -> int:
    """Writes a task per line, `{"id": ..., "train": [...], "test": [...]}`; gives their number."""
    lines = [json.dumps({"id": task.id, **task.to_dict()}) for task in TaskSet(tasks)]
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
    return len(lines)


def from_json_lines(path: str | PathLike[str], name: str | None = None) -> TaskSet:
    """Tasks of such a file."""
    found: list[Task] = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                try:
                    one = json.loads(line)
                    found.append(Task(str(one.pop("id", f"line {number}")), one))
                except (ValueError, AttributeError, ArcloomError) as error:
                    raise ValueError(f"{path}:{number}: {error}") from error
    return TaskSet(found, str(path) if name is None else name)


def to_datasets(tasks: Tasks) -> Any:
    """A `datasets.Dataset` of Hugging Face with columns `id`, `train` and `test`."""
    module: Any = importlib.import_module("datasets")
    return module.Dataset.from_list([{"id": task.id, **task.to_dict()} for task in TaskSet(tasks)])


def from_datasets(dataset: Any, name: str = "tasks") -> TaskSet:
    """Tasks of a `datasets.Dataset`, or of any rows with `train` and `test`, and `id` where there is one."""
    found: list[Task] = []
    for number, row in enumerate(dataset):
        data = {part: [{key: grid for key, grid in pair.items() if grid is not None} for pair in row[part]] for part in ("train", "test")}
        found.append(Task(str(row.get("id", row.get("task_id", number))), data))
    return TaskSet(found, name)


def splits(tasks: Tasks, count: int = 5) -> list[tuple[TaskSet, TaskSet]]:
    """For each of `count` folds the tasks outside of it and those in it. The fold of a task depends on its id alone."""
    whole = TaskSet(tasks)
    folds = whole.folds(count)
    outside = [[task for other in folds if other is not fold for task in other] for fold in folds]
    return [(TaskSet(rest, f"{whole.name} without fold {number}"), fold) for number, (rest, fold) in enumerate(zip(outside, folds), 1)]
