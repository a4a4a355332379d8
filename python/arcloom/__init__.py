"""arcloom: a fast engine for ARC-AGI programs written in arc-dsl.

`arcloom.dsl` and `arcloom.constants` replace arc-dsl's modules of the same names; everything else is
the engine. Nothing here needs another package; numpy, pandas, polars and ray are used where they are
installed and asked for.
"""

from ._native import VERSION as __version__
from ._native import (
    Archive,
    ArcloomError,
    Batt,
    Check,
    Column,
    Engine,
    Evolution,
    Figure,
    Function,
    Grid,
    Library,
    Lineage,
    Pair,
    Primitive,
    Program,
    ProgramError,
    Run,
    Step,
    Task,
    TaskSet,
    Trace,
    library,
    register,
    tasks,
    unregister,
    write_submission,
)
from .frames import to_numpy, to_pandas, to_polars

__all__ = [
    "Archive", "ArcloomError", "Batt", "Check", "Column", "Engine", "Evolution", "Figure", "Function",
    "Grid", "Library", "Lineage", "Pair", "Primitive", "Program", "ProgramError", "Run", "Step", "Task",
    "TaskSet", "Trace", "__version__", "library", "register", "tasks", "to_numpy", "to_pandas",
    "to_polars", "unregister", "write_submission",
]  # fmt: skip
