"""arc-dsl's constants: `from arcloom.constants import *`."""

from ._native import CONSTANTS as _constants

globals().update(_constants)

__all__ = list(_constants)
