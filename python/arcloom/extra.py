"""What the language has beyond arc-dsl: functions, typed aliases and constants.

`from arcloom.extra import *` beside `arcloom.dsl` and `arcloom.constants` gives everything that
programs may use.
"""

from ._native import ALIASES as _aliases
from ._native import EXTRA_CONSTANTS as _constants
from ._native import PRIMITIVES as _primitives

_own = {name: function for name, function in _primitives.items() if function.extra}
globals().update(_own, **_aliases, **_constants)

__all__ = [*_own, *_aliases, *_constants]
