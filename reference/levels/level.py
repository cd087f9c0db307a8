"""The level interface: capabilities and properties of one coordinate hierarchy level (Chou 2018, sections 3.2 to 3.4).

A level format is a small frozen dataclass. Its fields are its configuration (properties of Table 1, parameters);
its methods are level functions in restricted Python, the single definition that the interpreter calls, the
generator translates and the prover encodes. Fields made by `array`, `shared_array`, `extent` and `parameter` hold
storage: they are empty in a format and are filled in by `bind`, so that `self.pos[p]` reads as in the paper's Table 2.

Coordinates are passed as a tuple `i` whose last entry is the coordinate of this level (`coord_access`, `locate`) or
of its parent (`coord_bounds`, `pos_access`). All ranges are half-open.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ..errors import InternalError

Indices = npt.NDArray[np.integer[Any]]
Coordinates = tuple[int, ...]
Ints = list[int]


def array() -> Any:
    """A storage array that belongs to this level (`pos`, `crd`)."""
    return field(init=False, compare=False, repr=False, metadata={"role": "array"})


def shared_array() -> Any:
    """A storage array that belongs to the tensor and that several levels read (`offset` of DIA)."""
    return field(init=False, compare=False, repr=False, metadata={"role": "shared"})


def extent() -> Any:
    """An extent of the tensor: `N` of this level's dimension, `M` of the next level's."""
    return field(init=False, compare=False, repr=False, metadata={"role": "extent"})


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

    name: ClassVar[str] = "level"
    letter: ClassVar[str] = ""
    full: bool = False
    ordered: bool = True
    unique: bool = True
    branchless: bool = False
    compact: bool = True
    padded: bool = False

    configurable: ClassVar[tuple[str, ...]] = ()

    def bind(self, storage: Mapping[str, Any]) -> Self:
        """This level over actual storage: a copy whose arrays, extents and parameters are set by name."""
        bound = copy.copy(self)
        for name in self.roles():
            object.__setattr__(bound, name, storage[name])
        return bound

    @classmethod
    @cache
    def roles(cls) -> Mapping[str, str]:
        """Storage field name to its role: array, shared, extent or parameter."""
        fields = dataclasses.fields(cls)
        return MappingProxyType({f.name: f.metadata["role"] for f in fields if "role" in f.metadata})

    @classmethod
    @cache
    def arrays(cls) -> tuple[str, ...]:
        """The names of the arrays that belong to this level."""
        return tuple(name for name, role in cls.roles().items() if role == "array")

    def lengths(self, parents: int, size: int) -> dict[str, int]:
        """The length of each array for that many parents and positions."""
        return {}

    def shared_lengths(self, above: Sequence[int]) -> dict[str, int]:
        """The length of each array of the tensor that this level reads, from the extents of the levels above."""
        return {}

    def blank(self) -> dict[str, int]:
        """What an array holds where nothing has been written; 0 unless said."""
        return {}

    def size(self, parents: int) -> int:
        """The number of positions below that many parents, for a level whose size they determine."""
        raise InternalError(f"{self.name} levels grow by appending")

    def analyse(self, parents: Indices, i: Sequence[Indices], count: int) -> dict[str, int | Indices]:
        """Parameters and arrays that must be known before anything is stored.

        `parents` holds the parent position of every entry, `i` its level coordinates down to this level, `count` the
        number of parents.
        """
        return {}

    def misfit(self, above: tuple[Level, ...]) -> str | None:
        """Why the level cannot stand below the levels `above`; None if it can."""
        return None

    def place(self, parents: Indices, i: Sequence[Indices], fresh: Indices, count: int) -> Placed:
        """Where a whole level's entries go, in storage order: the vectorised twin of the assembly functions.

        `fresh` marks entries that must not share a position with the one before. The base uses the level's own access
        functions, entry by entry, and suits every level whose arrays `analyse` has settled.
        """
        positions = np.empty(len(parents), np.int64)
        for n, p in enumerate(parents.tolist()):
            positions[n] = self.position(p, tuple(int(each[n]) for each in i))
        return Placed(positions, self.size(count), {})

    def stored_size(self, parents: int) -> int:
        """The number of positions that the bound level has below that many parents."""
        return self.size(parents)

    def position(self, p: int, i: Coordinates) -> int:
        """The position of a coordinate that the level can hold, by whatever access it offers."""
        name, arguments = self.access(p, i)
        return getattr(self, name)(*arguments)[0]  # type: ignore[no-any-return]

    def access(self, p: int | Indices, i: Coordinates | Sequence[Indices]) -> tuple[str, tuple[Any, ...]]:
        """The level function that gives the position of a coordinate which the level can hold, and its arguments."""
        match self:
            case Locate():
                return "locate", (p, i)
            case CoordinateValueIteration():
                return "coord_access", (p, i)
            case CoordinatePositionIteration():
                return "pos_bounds", (p,)
            case _:
                raise InternalError(f"{self.name} levels have no access function")

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        """Broken invariants of the bound level, first things first. With none, no level function reads out of range.

        What a level declares must follow from them too; in the language of restricted.py, they are what proofs assume.
        """
        yield from ()


class Placed(Struct, frozen=True):
    """Positions of entries, the number of positions of the level, and its arrays."""

    positions: Indices
    size: int
    arrays: dict[str, Indices]


class Violation(Struct, frozen=True):
    """A broken invariant: the array, the index in it, and what is wrong."""

    array: str
    index: int
    message: str


class Capability(type(Protocol)):  # type: ignore[misc]
    """What a level can do is said by its class: which level functions are defined there."""

    def __instancecheck__(cls, level: Any) -> bool:
        return issubclass(type(level), cls)


@runtime_checkable
class CoordinateValueIteration(Protocol, metaclass=Capability):
    """Iterates coordinates directly (section 3.2): `coord_bounds(i_1..i_{k-1})`, `coord_access(p_{k-1}, i_1..i_k)`."""

    def coord_bounds(self, i: Coordinates) -> tuple[int, int]: ...
    def coord_access(self, p: int, i: Coordinates) -> tuple[int, bool]: ...


@runtime_checkable
class CoordinatePositionIteration(Protocol, metaclass=Capability):
    """Iterates positions (section 3.2): `pos_bounds(p_{k-1})`, `pos_access(p_k, i_1..i_{k-1})`."""

    def pos_bounds(self, p: int) -> tuple[int, int]: ...
    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]: ...


@runtime_checkable
class Locate(Protocol, metaclass=Capability):
    """Random access (section 3.2): the position of coordinate `i_k` under `p_{k-1}`, and whether it is there."""

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]: ...


@runtime_checkable
class Insert(Protocol, metaclass=Capability):
    """Assembly in any order (section 3.4). `insert_init` initialises the new positions `[begin, end)` of this level."""

    def size(self, parents: int) -> int: ...
    def insert_coord(self, p: int, i: int) -> None: ...
    def insert_init(self, begin: int, end: int) -> None: ...
    def insert_finalize(self, parents: int, size: int) -> None: ...


@runtime_checkable
class Widen(Protocol, metaclass=Capability):
    """Parameters that can grow while the level is filled: when one parent's `count` children crowd it, and to what."""

    def is_crowded(self, count: int) -> bool: ...
    def wider(self) -> dict[str, int]: ...


@runtime_checkable
class Reset(Protocol, metaclass=Capability):
    """Cheap clearing: `insert_reset` forgets what was inserted below the parents `[begin, end)`, and only that."""

    def insert_reset(self, begin: int, end: int) -> None: ...


@runtime_checkable
class Append(Protocol, metaclass=Capability):
    """Assembly in order (section 3.4). `append_init` prepares the new parents `[begin, end)`."""

    def append_coord(self, p: int, i: int) -> None: ...
    def append_edges(self, p: int, begin: int, end: int) -> None: ...
    def append_init(self, begin: int, end: int) -> None: ...
    def append_finalize(self, parents: int, size: int) -> None: ...


def makes_positions(level: Level) -> bool:
    """Whether appending to a level makes a position of its own: a singleton shares its parent's."""
    return isinstance(level, Append) and not (level.branchless or level.padded)
