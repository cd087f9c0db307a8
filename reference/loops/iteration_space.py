"""The iteration space inside some loops: values, extents and windows of variables as terms.

(Senanayake 2020, section 5.) A loop over a derived variable that completes original ones has become loops over those,
in the window that the loops around it leave. Where a window holds exactly the coordinates that belong there, nothing
need be compared inside it. Positions narrow walks over storage instead of coordinates (`Kept`).
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct
from msgspec.structs import replace

from ..errors import InternalError
from ..notation.syntax import Access
from ..statement.exactness import partitions, variables_to_compare
from ..statement.provenance import Provenance
from ..statement.relation import (
    Bound,
    Collapse,
    Coord,
    Derivation,
    Divide,
    Pos,
    Same,
    Split,
    derived_variables,
    factor,
    parents,
    recover_derived,
    recover_original,
)
from .terms import (
    Coordinate,
    Equal,
    Extent,
    Range,
    SegmentBegin,
    SegmentEnd,
    Standing,
    Stored,
    Term,
    greatest,
    least,
)


class Kept(Struct, frozen=True):
    """What a walk over a level of an access keeps to: positions with a descendant in `window`.

    Descendants are positions at the last level that `relation` counts, and the window counts from the begin of their
    segment.
    """

    relation: Pos
    window: Range


class IterationSpace(Struct, frozen=True):
    """The variables of a statement inside the loops `around`; a `Space` for the functions of `relation.py`.

    `stored` are the variables whose coordinates have been found at the position where a loop stands. `fits`: every
    extent is a multiple of the blocks into which formats split it.
    """

    provenance: Provenance
    around: tuple[str, ...] = ()
    stored: frozenset[str] = frozenset()
    fits: bool = False

    def inside(self, variable: str) -> IterationSpace:
        """The space inside one more loop."""
        return replace(self, around=(*self.around, variable))

    def loops(self, variable: str) -> tuple[str, ...] | None:
        """The loops around that give the value of a source or original variable, outermost first; None if it is not
        known yet."""
        return self.provenance.loops(variable, self.around)

    def extent(self, variable: str) -> Term:
        """The number of values of a variable; of a position, in the segment where its access stands."""
        match self.provenance.derivation_of(variable):
            case None:
                return Extent(variable)
            case Pos() as relation:
                return SegmentEnd(relation) - SegmentBegin(relation)
            case Coord(of=of):
                return self.extent(of.coordinate)
            case Split(parent=parent, inner=inner, factor=size) if inner == variable:
                return least(size, self.extent(parent))
            case Split(parent=parent, factor=size):
                return (self.extent(parent) + (size - 1)) // size
            case Divide(outer=outer, parts=parts) if outer == variable:
                return parts
            case Divide() as relation:
                return self.factor(relation)
            case Collapse(outer=outer, inner=inner):
                return self.extent(outer) * self.extent(inner)
            case Bound(parent=parent):
                return self.extent(parent)

    def factor(self, relation: Split | Divide) -> Term:
        """The number of values of the inner variable of a relation, before anything cuts its range off."""
        found: Term = factor(relation, self)
        return found

    def coordinate(self, relation: Pos, position: Term) -> Term:
        """The coordinate that is stored at a position: its variable's value, where loops have placed the access."""
        del position
        return self.value(relation.coordinate)

    def position(self, relation: Pos, coordinate: Term) -> Term:
        """The position that stores a coordinate: where loops have placed the access, from the begin of its segment."""
        del coordinate
        return Standing(relation) - SegmentBegin(relation)

    def value(self, variable: str) -> Term:
        """The value of a variable: that of its loop, or what follows downward from its parents."""
        if variable in self.around:
            return Coordinate(variable)
        return self.derive(variable)

    def derive(self, variable: str) -> Term:
        """The value of a derived variable that follows from its parents, even if it has a loop of its own."""
        match self.provenance.derivation_of(variable):
            case Pos() as relation:
                return self.position(relation, 0)
            case Coord(of=of):
                return self.value(of.coordinate)
            case None:
                raise InternalError(f"no loop around gives {variable} a value")
            case relation:
                found: Term = recover_derived(relation, variable, {v: self.value(v) for v in parents(relation)}, self)
                return found

    def recover(self, variable: str) -> Term:
        """The value of a variable: that of its loop, or what follows upward from variables derived from it."""
        if variable in self.around:
            return Coordinate(variable)
        relation = self.provenance.recovery(variable, self.around)
        if relation is None:
            raise InternalError(f"the value of {variable} is not known inside {self.around}")
        below = {v: self.recover(v) for v in derived_variables(relation)}
        found: Term = recover_original(relation, variable, below, self)
        return found

    def shift(self, variable: str, index: str) -> Term:
        """What to add to the coordinate of a loop over `index` to get that of `variable`: 0 where they are the same,
        else the begin of the block inside which the loop runs."""
        if variable == index:
            return 0
        split = next(s for s in self.provenance.splits(variable) if s.inner == index)
        return self.recover(split.outer) * split.factor

    def range(self, variable: str) -> Range:
        """The values that a loop over a variable ranges over.

        They are the one value that follows from the loops around, the coordinate that was found in storage, or those
        values of the variable that the loops around leave.
        """
        if variable in self.stored:
            return Range(Stored(variable), Stored(variable) + 1, single=True)
        if self.completes(variable):
            value = self.derive(variable)
            return Range(value, value + 1, single=True)
        own, window = self.dimension(variable), self.window(variable)
        if window.whole:
            return own
        step = window.step if own.whole else 1
        return Range(greatest(own.begin, window.begin), least(own.end, window.end), step=step)

    def completes(self, variable: str) -> bool:
        """Whether other loops have given a derived variable its value."""
        return not self.provenance.is_original(variable) and self.provenance.is_derivable(variable, self.around)

    def dimension(self, variable: str) -> Range:
        """All values of a variable: of the inner part of a format's split, those that the last block has."""
        if not self.provenance.is_original(variable):
            return Range(0, self.extent(variable), whole=True)
        match self.provenance.format_relation_of(variable):
            case Same(original=original):
                c = self.recover(original)
                return Range(c, c + 1, single=True)
            case Split(parent=parent, outer=outer, inner=inner, factor=size) if inner == variable:
                rest = Extent(parent) - self.recover(outer) * size
                return Range(0, size if self.fits else least(size, rest), whole=True)
            case _:
                return Range(0, Extent(variable), whole=True)

    def is_narrowed(self, variable: str) -> bool:
        """Whether the loops around leave a variable only some of its values."""
        return bool(self.provenance.uses_towards(variable, self.around))

    def overlaps(self, variable: str, stepped: Collection[str] = ()) -> bool:
        """Whether the windows of a variable, one for each iteration of the loops around, overlap."""
        return self.is_narrowed(variable) and not partitions(self.provenance, variable, self.around, stepped)

    def window(self, variable: str) -> Range:
        """The values that the loops around leave a variable: all that belong here, and perhaps others.

        Two relations that both leave some values leave none that are known to be equally far apart.
        """
        if variable in self.around:
            c = Coordinate(variable)
            return Range(c, c + 1, single=True)
        found = Range(0, self.extent(variable), whole=True)
        for use in self.provenance.uses(variable):
            narrowed = self.through(use, variable) if self.provenance.leads_to(use, self.around) else None
            if narrowed is not None:
                step = narrowed.step if found.whole else 1
                found = Range(greatest(found.begin, narrowed.begin), least(found.end, narrowed.end), step=step)
        return found

    def through(self, use: Derivation, variable: str) -> Range | None:
        """The window that one relation leaves a parent; None where it narrows none, as with positions (`Kept`)."""
        match use:
            case Split(outer=outer, inner=inner) | Divide(outer=outer, inner=inner):
                return tile(self.factor(use), self.window(outer), self.window(inner), self.extent(variable))
            case Collapse(outer=outer, inner=inner, fused=fused):
                collapsed, size = self.window(fused), self.extent(inner)
                if collapsed.whole:
                    return None
                if variable == outer:
                    return rows(collapsed, size)
                if not self.provenance.is_derivable(outer, self.around):
                    return None
                base = self.value(outer) * size
                return Range(collapsed.begin - base, collapsed.end - base)
            case Bound(bounded=bounded):
                own = self.window(bounded)
                return None if own.whole else own
            case Pos() | Coord():
                return None

    def kept_positions(self, access: Access, level: int) -> tuple[Kept, ...]:
        """The positions to which a walk over a level of an access keeps, by each relation that counts them."""
        counting = (r for r in self.provenance.positions() if r.first <= level < r.last and r.counts(access))
        found = (Kept(r, self.window(r.position)) for r in counting if self.provenance.leads_to(r, self.around))
        return tuple(each for each in found if not each.window.whole)

    def guards(
        self, completed: Collection[str], narrowed: Collection[Pos] = (), stepped: Collection[str] = ()
    ) -> tuple[Equal, ...]:
        """The conditions where loops complete original variables: the loop of a derived one has the value that follows.

        `completed` are the original variables, `narrowed` the relations to whose positions walks keep, `stepped` the
        variables whose loops go by the step of their range. Nothing is compared where windows are exact
        (`exactness.py`).
        """
        compared = variables_to_compare(self.provenance, self.around, completed, narrowed, stepped)
        return tuple(Equal(self.derive(v), Coordinate(v)) for v in compared)


def tile(size: Term, outer: Range, inner: Range, extent: Term) -> Range:
    """The values, of so many, of a split variable whose outer and inner part lie in ranges: of one tile, if `outer` is
    single.

    Those with one inner part are a tile apart, or as many tiles as the outer parts are apart.

    >>> tile(4, Range(0, 3, whole=True), Range(1, 2, single=True), 10)
    Range(begin=1, end=10, single=False, whole=False, step=4)
    >>> tile(4, Range(1, 2, single=True), Range(1, 4, step=2), 10)
    Range(begin=5, end=8, single=False, whole=False, step=2)
    """
    last = outer.begin if outer.single else outer.end - 1
    end = extent if outer.whole else last * size + (size if inner.whole else inner.end)
    begin = outer.begin * size + inner.begin
    if outer.single:
        return Range(begin, end, step=inner.step)
    return Range(begin, end, step=size * outer.step if inner.single and (outer.whole or outer.step != 1) else 1)


def rows(collapsed: Range, size: Term) -> Range:
    """The outer values that a range of collapsed ones touches, where `size` inner ones make a row."""
    width = greatest(1, size)
    return Range(collapsed.begin // width, (collapsed.end - 1) // width + 1)
