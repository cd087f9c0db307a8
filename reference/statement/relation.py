"""Relations among index variables, those of formats and those of schedules, and their functions (Figures 17 and 18).

Each relation maps the variables it derives from to the ones it derives, one to one. `recover_original` gives a parent
from the derived variables, `recover_derived` a derived variable from its parents. Values count from 0; a position
counts from the first of its segment. A blocked map `(i,j)->(i//b,...,i%b,...)` is the relation of the command `split`,
an access with a repeated variable is a diagonal. (Senanayake 2020, sections 3.2, 3.3, 5.1 and 5.2.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, get_args

from msgspec import Struct
from msgspec.structs import replace

from ..notation.syntax import Access

BoundKind = Literal["max_exact", "max_constraint", "min_exact", "min_constraint", "divisible"]
KINDS: tuple[BoundKind, ...] = get_args(BoundKind)
Range = tuple[int, int]
Whole = Any
"""An integer, or a term for one."""


class Extents(Protocol):
    """The extents on which the bounds of derived variables depend."""

    def extent(self, variable: str) -> Whole:
        """The number of values of a variable."""


class Space(Extents, Protocol):
    """What recovery needs to know of the data."""

    def coordinate(self, relation: Pos, position: Whole) -> Whole:
        """The coordinate that is stored at a position."""

    def position(self, relation: Pos, coordinate: Whole) -> Whole:
        """Where a coordinate is stored."""


class Split(Struct, frozen=True):
    """`parent = outer * factor + inner`, with `0 <= inner < factor`."""

    parent: str
    outer: str
    inner: str
    factor: int


class Same(Struct, frozen=True):
    """`copy = original`: the second occurrence of a variable in one access."""

    copy: str
    original: str


class Rank(Struct, frozen=True):
    """`rank` numbers what the storage of one tensor holds (a diagonal, a slot): its extent is known from the tensor."""

    rank: str
    tensor: str
    level: int


class Divide(Struct, frozen=True):
    """`outer` has `parts` values: `parent = outer * width + inner` with `width` the parent's extent over `parts`."""

    parent: str
    outer: str
    inner: str
    parts: int

    def width(self, extent: Whole) -> Whole:
        """The extent of `inner`.

        >>> Divide("i", "i0", "i1", 4).width(10)
        3
        """
        return (extent + (self.parts - 1)) // self.parts


class Collapse(Struct, frozen=True):
    """`fused = outer * N + inner`, with `N` the extent of `inner`."""

    outer: str
    inner: str
    fused: str


class Pos(Struct, frozen=True):
    """`position` is where an access stores `coordinate`, at its levels `first` to `last - 1`."""

    coordinate: str
    position: str
    access: Access
    first: int
    last: int

    def counts(self, access: Access) -> bool:
        """Whether an access has the positions that are counted: those of the same tensor, by the same variables."""
        own = self.access
        return access.tensor == own.tensor and access.levels[: self.last] == own.levels[: self.last]

    def follow(self, accesses: Sequence[Access]) -> Pos:
        """The relation by one of these accesses that has the same positions, preferably by its own."""
        same = [a for a in accesses if self.counts(a)]
        return self if self.access in same or not same else replace(self, access=same[0])


class Coord(Struct, frozen=True):
    """`coordinate` is what `of` stores at its position; it replaces `position`, which may be a part of that."""

    position: str
    coordinate: str
    of: Pos


class Bound(Struct, frozen=True):
    """`bounded = parent`, whose range is bounded by `size`.

    It ends there (`max_exact`) or before (`max_constraint`), begins there (`min_exact`) or after (`min_constraint`), or
    has a length that `size` divides (`divisible`).
    """

    parent: str
    bounded: str
    size: int
    kind: BoundKind


FormatRelation = Split | Same | Rank
"""What a format brings in: variables that its levels store, or number."""
Derivation = Split | Divide | Collapse | Pos | Coord | Bound
"""What a command of a schedule adds."""
Relation = FormatRelation | Derivation


def holds(relation: Bound, values: Range) -> bool:
    """Whether a range is as a bound says.

    >>> holds(Bound("i", "b", 16, "max_exact"), (0, 16)), holds(Bound("i", "b", 4, "divisible"), (0, 10))
    (True, False)
    """
    begin, end = values
    match relation.kind:
        case "max_exact":
            return end == relation.size
        case "max_constraint":
            return end <= relation.size
        case "min_exact":
            return begin == relation.size
        case "min_constraint":
            return begin >= relation.size
        case "divisible":
            return (end - begin) % relation.size == 0


def parents(relation: Relation) -> tuple[str, ...]:
    """The variables that a relation derives from: none, where storage alone says what there is."""
    match relation:
        case Split(parent=parent) | Divide(parent=parent) | Bound(parent=parent):
            return (parent,)
        case Collapse(outer=outer, inner=inner):
            return (outer, inner)
        case Pos(coordinate=coordinate):
            return (coordinate,)
        case Coord(of=of):
            return (of.position,)
        case Same(original=original):
            return (original,)
        case Rank():
            return ()


def derived_variables(relation: Relation) -> tuple[str, ...]:
    """The variables that a relation derives, outer ones first."""
    match relation:
        case Split(outer=outer, inner=inner) | Divide(outer=outer, inner=inner):
            return (outer, inner)
        case Collapse(fused=fused):
            return (fused,)
        case Pos(position=position):
            return (position,)
        case Coord(coordinate=coordinate):
            return (coordinate,)
        case Bound(bounded=bounded):
            return (bounded,)
        case Same(copy=copy):
            return (copy,)
        case Rank(rank=rank):
            return (rank,)


def variables_of(relation: Relation) -> tuple[str, ...]:
    """The variables of a relation."""
    return (*parents(relation), *derived_variables(relation))


def factor(relation: Split | Divide, space: Extents) -> Whole:
    """The extent of the inner variable."""
    match relation:
        case Split(factor=size):
            return size
        case Divide(parent=parent):
            return relation.width(space.extent(parent))


def recover_original(relation: Derivation, variable: str, values: Mapping[str, Whole], space: Space) -> Whole:
    """The value of a parent from those of the derived variables (Figure 18, upward)."""
    match relation:
        case Split(outer=outer, inner=inner) | Divide(outer=outer, inner=inner):
            return values[outer] * factor(relation, space) + values[inner]
        case Collapse(outer=outer, inner=inner, fused=fused):
            size = space.extent(inner)
            return values[fused] // size if variable == outer else values[fused] % size
        case Pos(position=position):
            return space.coordinate(relation, values[position])
        case Coord(coordinate=coordinate, of=of):
            return space.position(of, values[coordinate])
        case Bound(bounded=bounded):
            return values[bounded]


def recover_derived(relation: Derivation, variable: str, values: Mapping[str, Whole], space: Space) -> Whole:
    """The value of a derived variable from those of its parents (Figure 18, downward)."""
    match relation:
        case Split(parent=parent, outer=outer) | Divide(parent=parent, outer=outer):
            size = factor(relation, space)
            return values[parent] // size if variable == outer else values[parent] % size
        case Collapse(outer=outer, inner=inner):
            return values[outer] * space.extent(inner) + values[inner]
        case Pos(coordinate=coordinate):
            return space.position(relation, values[coordinate])
        case Coord(of=of):
            return space.coordinate(of, values[of.position])
        case Bound(parent=parent):
            return values[parent]
