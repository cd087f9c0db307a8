"""Derivations: the relations that a schedule adds between index variables, and their functions (Figures 17 to 19).

Each relation maps the variables it derives from to the ones it derives, one to one. `recover_original` gives a parent
from the derived variables, `recover_derived` a derived variable from its parents, `bounds` the range of a derived
variable from those of its parents. Values count from 0, ranges are half open; a position counts from the first of its
segment. (Senanayake 2020, sections 3.3, 5.1 and 5.2.)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from .provenance import Split
from .syntax import Access

KINDS = ("max_exact", "max_constraint", "min_exact", "min_constraint", "divisible")
Range = tuple[int, int]
Values = Mapping[str, int]


class Extents(Protocol):
    """What bounds depend on."""

    def extent(self, variable: str) -> int:
        """The number of values of a variable."""


class Space(Extents, Protocol):
    """What recovery needs to know of the data."""

    def coordinate(self, relation: Pos, position: int) -> int:
        """The coordinate that is stored at a position."""

    def position(self, relation: Pos, coordinate: int) -> int:
        """Where a coordinate is stored."""

    def following(self, relation: Pos, position: int) -> int:
        """The coordinate stored at the position after one that holds something."""


@dataclass(frozen=True, slots=True)
class Divide:
    """`outer` has `parts` values: `parent = outer * width + inner` with `width` the parent's extent over `parts`."""

    parent: str
    outer: str
    inner: str
    parts: int

    def width(self, extent: int) -> int:
        """The extent of `inner`.

        >>> Divide("i", "i0", "i1", 4).width(10)
        3
        """
        return max(1, -(-extent // self.parts))


@dataclass(frozen=True, slots=True)
class Collapse:
    """`fused = outer * N + inner`, with `N` the extent of `inner`."""

    outer: str
    inner: str
    fused: str


@dataclass(frozen=True, slots=True)
class Pos:
    """`position` is where an access stores `coordinate`, at its levels `first` to `last - 1`."""

    coordinate: str
    position: str
    access: Access
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Coord:
    """`coordinate` is what `of` stores at its position; it replaces `position`, which may be a part of that."""

    position: str
    coordinate: str
    of: Pos


@dataclass(frozen=True, slots=True)
class Bound:
    """`bounded = parent`, whose range is known: `kind` says what about it equals or is limited by `size`."""

    parent: str
    bounded: str
    size: int
    kind: str


Derivation = Split | Divide | Collapse | Pos | Coord | Bound


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
        case _:
            return (end - begin) % relation.size == 0


def parents(relation: Derivation) -> tuple[str, ...]:
    """The variables that a relation derives from."""
    match relation:
        case Split(parent=parent) | Divide(parent=parent) | Bound(parent=parent):
            return (parent,)
        case Collapse(outer=outer, inner=inner):
            return (outer, inner)
        case Pos(coordinate=coordinate):
            return (coordinate,)
        case Coord(of=of):
            return (of.position,)


def derived(relation: Derivation) -> tuple[str, ...]:
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


def factor(relation: Split | Divide, space: Extents) -> int:
    """The extent of the inner variable."""
    match relation:
        case Split(factor=size):
            return size
        case Divide(parent=parent):
            return relation.width(space.extent(parent))


def recover_original(relation: Derivation, variable: str, values: Values, space: Space) -> int:
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


def recover_derived(relation: Derivation, variable: str, values: Values, space: Space) -> int:
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


def recover_track(relation: Derivation, variable: str, values: Values, space: Space) -> int:
    """The value of a parent where the last derived variable is one more than in `values` (Figure 17, dashed arrow).

    Tracking goes on from where it stands; only positions gain by it, whose coordinates would have to be searched for.
    """
    match relation:
        case Pos(position=position):
            return space.following(relation, values[position])
        case _:
            last = derived(relation)[-1]
            return recover_original(relation, variable, {**values, last: values[last] + 1}, space)


def bounds(relation: Derivation, variable: str, ranges: Mapping[str, Range], space: Extents) -> Range:
    """The range of a derived variable from those of its parents (Figure 19)."""
    match relation:
        case Split(parent=parent, outer=outer, factor=size):
            begin, end = ranges[parent]
            return (begin // size, -(-end // size)) if variable == outer else (0, size)
        case Divide(outer=outer, parts=parts):
            return 0, parts if variable == outer else factor(relation, space)
        case Collapse(outer=outer, inner=inner):
            size = space.extent(inner)
            (first, last), (begin, end) = ranges[outer], ranges[inner]
            empty = last <= first or end <= begin
            return (0, 0) if empty else (first * size + begin, (last - 1) * size + end)
        case Pos(position=position):
            return 0, space.extent(position)
        case Coord(coordinate=coordinate):
            return 0, space.extent(coordinate)
        case Bound(parent=parent):
            return ranges[parent]


def is_exact(relation: Derivation, ranges: Mapping[str, Range], space: Extents) -> bool:
    """Whether every combination of derived values is one of the parents: no guard is needed (section 5.3)."""
    match relation:
        case Split(parent=parent, factor=size):
            begin, end = ranges[parent]
            return begin % size == 0 and end % size == 0
        case Divide(parent=parent, parts=parts):
            begin, end = ranges[parent]
            return begin == 0 and end == parts * factor(relation, space)
        case Collapse() | Pos() | Coord() | Bound():
            return True


@dataclass(frozen=True, slots=True)
class Derivations:
    """The relations of one schedule, in the order of its commands: the provenance graph above the loops.

    Variables that no relation derives are the original ones, over which unscheduled loops run.
    """

    relations: tuple[Derivation, ...] = ()

    def with_(self, relation: Derivation) -> Derivations:
        """These relations and one more."""
        return Derivations((*self.relations, relation))

    def names(self, relation: Derivation) -> tuple[str, ...]:
        """The variables of a relation."""
        return (*parents(relation), *derived(relation))

    def parts(self, variable: str) -> bool:
        """Whether a variable is one of several that its value takes, or derives from one that is."""
        match self.made(variable):
            case Split() | Divide():
                return True
            case None | Coord():
                return False
            case relation:
                return any(self.parts(v) for v in parents(relation))

    def made(self, variable: str) -> Derivation | None:
        """The relation that derives a variable; None for an original one."""
        return next((r for r in self.relations if variable in derived(r)), None)

    def uses(self, variable: str) -> tuple[Derivation, ...]:
        """The relations that derive from a variable."""
        return tuple(r for r in self.relations if variable in parents(r))

    def originals(self, variable: str) -> tuple[str, ...]:
        """The original variables that a variable derives from, outer ones first."""
        relation = self.made(variable)
        if relation is None:
            return (variable,)
        return tuple(dict.fromkeys(v for parent in parents(relation) for v in self.originals(parent)))

    def is_in_bounds(self, variable: str) -> bool:
        """Whether every value that the loops give a variable lies in its range: no guard is needed (section 5.3).

        Loops are in bounds. Parents of a split are not, unless a bound says that the tiles fit. Parents of positions
        and of coordinates are, because a guard keeps every look into storage inside.

        >>> tiled = Derivations((Bound("i", "b", 16, "max_exact"), Split("b", "b0", "b1", 4)))
        >>> tiled.is_in_bounds("b"), Derivations((Split("i", "i0", "i1", 4),)).is_in_bounds("i")
        (True, False)
        """
        return all(self.keeps_in_bounds(use, variable) for use in self.uses(variable))

    def keeps_in_bounds(self, use: Derivation, variable: str) -> bool:
        """Whether what one relation derives stays inside."""
        match use:
            case Split(factor=size):
                return self.fits(variable, size) and all(map(self.is_in_bounds, derived(use)))
            case Divide(parts=parts):
                return self.fits(variable, parts) and all(map(self.is_in_bounds, derived(use)))
            case Pos() | Coord():
                return True
            case Collapse() | Bound():
                return all(map(self.is_in_bounds, derived(use)))

    def fits(self, variable: str, size: int) -> bool:
        """Whether a bound says that a size divides the range of a variable."""
        match self.made(variable):
            case Bound(kind="max_exact" | "divisible", size=known):
                return known % size == 0
            case _:
                return False

    def is_position(self, variable: str) -> bool:
        """Whether a variable counts positions rather than coordinates."""
        match self.made(variable):
            case None | Coord():
                return False
            case Pos():
                return True
            case Collapse(inner=inner):
                return self.is_position(inner)
            case Split(parent=parent) | Divide(parent=parent) | Bound(parent=parent):
                return self.is_position(parent)

    def space_of(self, variable: str) -> Pos | None:
        """The relation whose positions a variable counts."""
        match self.made(variable):
            case Pos() as relation:
                return relation
            case None | Coord():
                return None
            case relation:
                return self.space_of(parents(relation)[-1])

    def is_derivable(self, variable: str, known: Collection[str]) -> bool:
        """Whether a value follows downward from known ones."""
        relation = self.made(variable)
        return variable in known or (
            relation is not None and all(self.is_derivable(parent, known) for parent in parents(relation))
        )

    def is_recoverable(self, variable: str, known: Collection[str]) -> bool:
        """Whether a value follows upward from known ones."""
        return variable in known or any(
            all(self.is_recoverable(v, known) for v in derived(use)) for use in self.uses(variable)
        )

    def leads_to(self, relation: Derivation, known: Collection[str]) -> bool:
        """Whether known variables derive from what a relation derives: sibling nests may each have their own."""
        return any(v in known or any(self.leads_to(use, known) for use in self.uses(v)) for v in derived(relation))

    def expansion(self, variable: str, known: Collection[str]) -> tuple[str, ...]:
        """The loops that a loop over a derived variable stands for: those that make the variables it completes known.

        Without an original variable among them it is a loop over a range of integers (section 5.4).

        >>> split = Split("i", "i0", "i1", 4)
        >>> Derivations((split,)).expansion("i0", ()), Derivations((split,)).expansion("i1", ("i0",))
        ((), ('i',))
        """
        if self.made(variable) is None or self.is_derivable(variable, known):
            return ()
        found = self.reached(variable, known)
        return found if any(self.made(v) is None for v in found) else ()

    def reached(self, variable: str, known: Collection[str]) -> tuple[str, ...]:
        """The loops that make a variable known, outermost first."""
        relation = self.made(variable)
        if variable in known:
            return ()
        if relation is None:
            return (variable,)
        if isinstance(relation, Split | Divide):
            siblings = [v for v in derived(relation) if v != variable]
            if not all(self.is_recoverable(v, known) for v in siblings):
                return (variable,)
        found: list[str] = []
        for parent in parents(relation):
            found += [v for v in self.reached(parent, (*known, *found)) if v not in found]
        return tuple(found)

    def leaves(self, variable: str, known: Collection[str]) -> tuple[str, ...]:
        """Which of some loops a variable has become, in the order in which they count through it."""
        uses = [use for use in self.uses(variable) if self.leads_to(use, known)]
        if variable in known or not uses:
            return (variable,)
        replaced = {use.position: use.coordinate for use in self.relations if isinstance(use, Coord)}
        first = uses[0]
        if isinstance(first, Coord) and first.position == variable:
            return self.leaves(first.coordinate, known)
        own = [replaced.get(v, v) for v in derived(first)]
        return tuple(leaf for v in own for leaf in self.leaves(v, known))
