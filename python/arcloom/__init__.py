"""arcloom: a fast engine for ARC-AGI programs written in arc-dsl.

`arcloom.dsl` and `arcloom.constants` replace arc-dsl's modules of the same names; everything else is
the engine. Nothing here needs another package; numpy is used where it is installed.
"""

from ._native import VERSION as __version__
