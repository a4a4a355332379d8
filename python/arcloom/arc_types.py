"""The names of types that arc-dsl's modules export."""

from typing import Any, Callable, Container, FrozenSet, Iterable, List, Tuple, TypeAlias, Union

# Numbers.
Boolean: TypeAlias = bool
Integer: TypeAlias = int
IntegerTuple = tuple[int, int]
IntegerSet = frozenset[int]
Numerical = int | IntegerTuple

# Cells, sets of them, and grids.
Cell = tuple[int, IntegerTuple]
Indices = frozenset[IntegerTuple]
IndicesSet = frozenset[Indices]
Object = frozenset[Cell]
Objects = frozenset[Object]
Grid = tuple[tuple[int, ...], ...]

# One or another of these.
Patch = Object | Indices
Element = Object | Grid
Piece = Grid | Patch

TupleTuple = tuple[tuple[Any, ...], ...]
ContainerContainer = Container[Container[Any]]

__all__ = [
    "Any", "Boolean", "Callable", "Cell", "Container", "ContainerContainer", "Element", "FrozenSet",
    "Grid", "Indices", "IndicesSet", "Integer", "IntegerSet", "IntegerTuple", "Iterable", "List",
    "Numerical", "Object", "Objects", "Patch", "Piece", "Tuple", "TupleTuple", "Union",
]  # fmt: skip
