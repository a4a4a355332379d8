"""arcloom: a fast engine for ARC-AGI programs written in arc-dsl.

`arcloom.dsl` and `arcloom.constants` replace arc-dsl's modules of the same names; everything else is
the engine. What it gives back is in `arcloom.results`, tasks as data are in `arcloom.data`. Nothing here
needs another package; numpy, pandas, polars, datasets and ray are used where they are installed and asked for.
"""

import atexit as _atexit

from ._native import VERSION as __version__
from ._native import (
    Archive,
    ArcloomError,
    Batt,
    Column,
    Engine,
    Evaluations,
    Figure,
    Function,
    Grid,
    Library,
    Lineage,
    Pair,
    Primitive,
    Program,
    ProgramError,
    Step,
    Task,
    TaskSet,
    Trace,
    devices,
    library,
    pull_data,
    score,
    tasks,
    write_submission,
)
from ._native import _finish  # pyright: ignore[reportPrivateUsage]
from .evolution import Evolution
from .frames import to_numpy, to_pandas, to_polars
from .results import Asked, Check, EvalRow, Evolved, Run, Solution

# Threads that call Python must be gone before the interpreter is.
_atexit.register(_finish)

__all__ = [
    "Archive", "ArcloomError", "Asked", "Batt", "Check", "Column", "Engine", "EvalRow", "Evaluations", "Evolution",
    "Evolved", "Figure", "Function", "Grid", "Library", "Lineage", "Pair", "Primitive", "Program", "ProgramError", "Run",
    "Solution", "Step", "Task", "TaskSet", "Trace", "__version__", "devices", "library", "pull_data", "score", "tasks",
    "to_numpy", "to_pandas", "to_polars", "write_submission",
]  # fmt: skip
