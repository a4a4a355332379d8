"""The names of types that arc-dsl's modules export."""

from typing import Any, Callable, Container, FrozenSet, Iterable, List, Tuple, Union

Boolean = bool
Integer = int
IntegerTuple = Tuple[Integer, Integer]
Numerical = Union[Integer, IntegerTuple]
IntegerSet = FrozenSet[Integer]
Grid = Tuple[Tuple[Integer]]
Cell = Tuple[Integer, IntegerTuple]
Object = FrozenSet[Cell]
Objects = FrozenSet[Object]
Indices = FrozenSet[IntegerTuple]
IndicesSet = FrozenSet[Indices]
Patch = Union[Object, Indices]
Element = Union[Object, Grid]
Piece = Union[Grid, Patch]
TupleTuple = Tuple[Tuple]
ContainerContainer = Container[Container]

__all__ = [
    "Any", "Boolean", "Callable", "Cell", "Container", "ContainerContainer", "Element", "FrozenSet",
    "Grid", "Indices", "IndicesSet", "Integer", "IntegerSet", "IntegerTuple", "Iterable", "List",
    "Numerical", "Object", "Objects", "Patch", "Piece", "Tuple", "TupleTuple", "Union",
]  # fmt: skip
