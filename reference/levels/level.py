"""The level interface: capabilities and properties of one coordinate hierarchy level (Chou 2018, sections 3.2 to 3.4).

A level format is a small frozen dataclass. Its fields are its configuration (properties of Table 1, parameters);
its methods are level functions in restricted Python, the single definition that the interpreter calls, the
generator translates and the prover encodes. Fields made by `array`, `shared`, `size` and `parameter` hold storage:
they are empty in a format and are filled in by `bind`, so that `self.pos[p]` reads as in the paper's Table 2.

Coordinates are passed as a tuple `i` whose last entry is the coordinate of this level (`coord_access`, `locate`) or
of its parent (`coord_bounds`, `pos_access`). All ranges are half-open.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

Coordinates = tuple[int, ...]
Ints = list[int]


def array() -> Any:
    """A storage array that belongs to this level (`pos`, `crd`)."""
    return field(init=False, compare=False, repr=False, metadata={"role": "array"})


def shared() -> Any:
    """A storage array that belongs to the tensor and that several levels read (`offset` of DIA)."""
    return field(init=False, compare=False, repr=False, metadata={"role": "shared"})


def size() -> Any:
    """A size of the tensor: `N`, the extent of this level's dimension; `M`, that of the next level's."""
    return field(init=False, compare=False, repr=False, metadata={"role": "size"})


def parameter() -> Any:
    """An integer chosen per tensor when it is packed (`W` of a hashed level)."""
    return field(init=False, compare=False, repr=False, metadata={"role": "parameter"})


@dataclass(frozen=True)
class Level:
    """Base of all level formats: the properties of section 3.3 with the values of a plain dense-like level.

    `full`: holds every coordinate of its dimension. `ordered`: siblings increase. `unique`: no duplicates among
    siblings. `branchless`: exactly one child per parent. `compact`: no unlabeled position between two coordinates.
    `padded`: positions may be unlabeled (found is false) although the level would otherwise be branchless or full.
    """

    name: ClassVar[str]
    letter: ClassVar[str]
    full: ClassVar[bool] | bool
    ordered: ClassVar[bool] | bool
    unique: ClassVar[bool] | bool
    branchless: ClassVar[bool] | bool
    compact: ClassVar[bool] | bool
    padded: ClassVar[bool] | bool

    def bind(self, storage: Mapping[str, int | Sequence[int]]) -> Self:
        """This level over actual storage: a copy whose arrays, sizes and parameters are set by name."""
        bound = copy.copy(self)
        for name in self.roles():
            object.__setattr__(bound, name, storage[name])
        return bound

    @classmethod
    def roles(cls) -> dict[str, str]:
        """Storage field name to its role: array, shared, size or parameter."""
        return {f.name: f.metadata["role"] for f in dataclasses.fields(cls) if "role" in f.metadata}


@runtime_checkable
class CoordinateValueIteration(Protocol):
    """Iterates coordinates directly (section 3.2): `coord_bounds(i_1..i_{k-1})`, `coord_access(p_{k-1}, i_1..i_k)`."""

    def coord_bounds(self, i: Coordinates) -> tuple[int, int]: ...
    def coord_access(self, p: int, i: Coordinates) -> tuple[int, bool]: ...


@runtime_checkable
class CoordinatePositionIteration(Protocol):
    """Iterates positions (section 3.2): `pos_bounds(p_{k-1})`, `pos_access(p_k, i_1..i_{k-1})`."""

    def pos_bounds(self, p: int) -> tuple[int, int]: ...
    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]: ...


@runtime_checkable
class Locate(Protocol):
    """Random access (section 3.2): the position of coordinate `i_k` under `p_{k-1}`, and whether it is there."""

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]: ...


@runtime_checkable
class Insert(Protocol):
    """Assembly in any order (section 3.4). `insert_init` initialises the new positions `[begin, end)` of this level."""

    def size(self, parents: int) -> int: ...
    def insert_coord(self, p: int, i: int) -> None: ...
    def insert_init(self, begin: int, end: int) -> None: ...
    def insert_finalize(self, parents: int, size: int) -> None: ...


@runtime_checkable
class Append(Protocol):
    """Assembly in order (section 3.4). `append_init` prepares the new parents `[begin, end)`."""

    def append_coord(self, p: int, i: int) -> None: ...
    def append_edges(self, p: int, begin: int, end: int) -> None: ...
    def append_init(self, begin: int, end: int) -> None: ...
    def append_finalize(self, parents: int, size: int) -> None: ...
