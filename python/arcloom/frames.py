"""Results as arrays and data frames of other packages, numbers without copying where they allow it."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, TypeAlias

from ._native import Evaluations
from .results import Check, Run

__all__ = ["to_numpy", "to_pandas", "to_polars"]

#: An array of numpy, which not everybody has.
Array: TypeAlias = Any
#: What has columns, or columns by name.
Columns: TypeAlias = Evaluations | Check | Run | Mapping[str, Any]


def to_numpy(result: Columns) -> dict[str, Array]:
    """Columns by name as numpy arrays; those of numbers share the result's memory."""
    numpy: Any = importlib.import_module("numpy")
    columns = result if isinstance(result, Mapping) else result.columns
    return {name: numpy.asarray(column, dtype=object) if isinstance(column, list) else numpy.asarray(column) for name, column in columns.items()}


def to_pandas(result: Columns) -> Any:
    """A pandas data frame."""
    module: Any = importlib.import_module("pandas")
    return module.DataFrame(to_numpy(result), copy=False)


def to_polars(result: Columns) -> Any:
    """A polars data frame."""
    module: Any = importlib.import_module("polars")
    arrays = to_numpy(result)
    return module.DataFrame({name: array.tolist() if array.dtype == object else array for name, array in arrays.items()})
