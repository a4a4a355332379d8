"""arc-dsl's 160 functions, run by the engine: `from arcloom.dsl import *`.

Same names, argument names, values and exceptions as arc-dsl's `dsl.py`, whose type names are here
too. Values are integers, booleans, `None`, tuples, frozensets and functions, Python's own included.
Functions that arc-dsl lacks are in `arcloom.extra`.
"""

from . import arc_types as _types
from ._native import PRIMITIVES as _primitives
from .arc_types import *  # noqa: F403

_own = {name: function for name, function in _primitives.items() if not function.extra}
globals().update(_own)

__all__ = [*_own, *_types.__all__]
