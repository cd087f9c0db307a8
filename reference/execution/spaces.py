"""Spaces: values, extents and windows of derived variables while a statement runs (Senanayake 2020, section 5).

A loop over a derived variable that completes original ones runs over those, in the window that the loops around it
leave, and admits the coordinates from which every derived variable around it is derived with the value that it has.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence

from ..errors import ScheduleError
from ..levels.iterators import Positions, children
from ..levels.level import CoordinatePositionIteration, Level
from ..statement.derivation import (
    Bound,
    Collapse,
    Coord,
    Derivation,
    Divide,
    Pos,
    Range,
    extent,
    factor,
    holds,
    parents,
    recover_derived,
)
from ..statement.exactness import follows
from ..statement.provenance import Split
from ..statement.provenance_graph import ProvenanceGraph
from .state import State

Run = Callable[[], None]
Value = Callable[[], int]
Window = Callable[[], Range]
Table = tuple[list[int], list[int]]


class Spaces:
    """The derived variables of one execution; a `Space` for the functions of `derivation.py`."""

    def __init__(self, state: State, derivations: ProvenanceGraph) -> None:
        self.state = state
        self.derivations = derivations
        self.tables: dict[tuple[Pos, Positions], Table] = {}

    def extent(self, variable: str) -> int:
        """The number of values of a variable; of a position, in the segment where its access stands."""
        relation = self.derivations.relation_of(variable)
        match relation:
            case None:
                size: int = self.state.extents[variable]
                return size
            case Pos():
                begin, end = self.segment(relation)
                return end - begin
            case _:
                count: int = extent(relation, variable, self)
                return count

    def bounded(self, variable: str, known: Collection[str], run: Run) -> Run:
        """A loop that first checks what a schedule has said of its range. It raises ScheduleError if that is wrong."""
        relations = self.derivations.bounds_on(variable, known)

        def checked() -> None:
            for relation in relations:
                size = self.extent(relation.parent)
                if not holds(relation, (0, size)):
                    raise ScheduleError(
                        f"{relation.parent} ranges from 0 to {size}, for which {relation.kind} {relation.size} is "
                        "wrong",
                        hint="give a bound that holds, or leave it out",
                    )
            run()

        return checked if relations else run

    def levels(self, relation: Pos) -> tuple[Level, ...]:
        """The levels whose positions are counted."""
        return self.state.sources[relation.access.tensor].levels[relation.first : relation.last]

    def stand(self, relation: Pos) -> tuple[Positions, tuple[int, ...]]:
        """Where the access stands above those levels."""
        positions, paths = self.state.standing_at(relation.access)
        return positions[relation.first], paths[relation.first]

    def segment(self, relation: Pos) -> Range:
        """The positions below where the access stands."""
        p, _ = self.stand(relation)
        begin, end = (p[0], p[-1] + 1) if isinstance(p, tuple) else (p, p + 1)
        for level in self.levels(relation):
            begin, end = below(level, begin, end)
        return begin, end

    def table(self, relation: Pos) -> Table:
        """The positions below where the access stands, and the coordinates that they hold, collapsed to one.

        It is kept for operands; a workspace holds something else every time that it is filled.
        """
        p, path = self.stand(relation)
        if relation.access.tensor in self.state.workspaces:
            return self.listed(relation, p, path)
        if (relation, p) not in self.tables:
            self.tables[relation, p] = self.listed(relation, p, path)
        return self.tables[relation, p]

    def listed(self, relation: Pos, p: Positions, path: tuple[int, ...]) -> Table:
        """The positions below one or several, with the coordinates that they hold."""
        begin, _ = self.segment(relation)
        stored = sorted(descend(self.levels(relation), p, path, ()))
        variables = relation.access.levels[relation.first : relation.last]
        held = [self.collapsed(relation.coordinate, dict(zip(variables, c, strict=True))) for _, c in stored]
        return [q - begin for q, _ in stored], held

    def collapsed(self, variable: str, values: dict[str, int]) -> int:
        """The value of a variable that collapses others with these values."""
        if variable in values:
            return values[variable]
        relation = self.derivations.relation_of(variable)
        assert relation is not None
        if isinstance(relation, Coord):
            return self.collapsed(relation.of.coordinate, values)
        held = {v: self.collapsed(v, values) for v in parents(relation)}
        value: int = recover_derived(relation, variable, held, self)
        return value

    def coordinate(self, relation: Pos, position: int) -> int:
        """The coordinate that is stored at a position."""
        positions, held = self.table(relation)
        return held[bisect_left(positions, position)]

    def following(self, relation: Pos, position: int) -> int:
        """The coordinate stored at the position after one that holds something."""
        positions, held = self.table(relation)
        return held[bisect_left(positions, position) + 1]

    def position(self, relation: Pos, coordinate: int) -> int:
        """Where the access stands, which is at the coordinate: of duplicates, the first."""
        positions, _ = self.state.standing_at(relation.access)
        p: Positions = positions[relation.last]
        return (p[0] if isinstance(p, tuple) else p) - self.segment(relation)[0]

    def value(self, variable: str, known: Collection[str]) -> Value:
        """The value of a variable, downward from those that are known."""
        if variable in known:
            coordinates = self.state.coordinates
            return lambda: coordinates[variable]
        return self.derived(variable, known)

    def derived(self, variable: str, known: Collection[str]) -> Value:
        """The value of a derived variable from those of its parents; of a coordinate, from what it is one of."""
        relation = self.derivations.relation_of(variable)
        assert relation is not None
        if isinstance(relation, Coord):
            return self.value(relation.of.coordinate, known)
        values = {v: self.value(v, known) for v in parents(relation)}
        return lambda: recover_derived(relation, variable, {v: each() for v, each in values.items()}, self)

    def looped(self, variable: str, known: Collection[str], dimension: Window) -> Window:
        """The values that a loop runs over inside others: a range of integers, the one value that follows, or those of
        the dimension of an original variable that the loops around leave."""
        if self.derivations.relation_of(variable) is None:
            tiled = bool(self.derivations.uses(variable))
            return self.within(dimension, self.window(variable, known)) if tiled else dimension
        if self.derivations.is_derivable(variable, known):
            return self.admitted(variable, known)
        return lambda: (0, self.extent(variable))

    def admitted(self, variable: str, known: Collection[str]) -> Window:
        """The one value of a completed variable, or none where a derived variable around it has another value."""
        coordinates = self.state.coordinates
        own = self.derived(variable, known)
        checks = [(v, self.derived(v, known)) for v in self.compared(variable, known)]

        def window() -> Range:
            if any(coordinates[v] != value() for v, value in checks):
                return 0, 0
            c = own()
            return c, c + 1

        return window

    def compared(self, variable: str, known: Collection[str]) -> tuple[str, ...]:
        """The derived variables around that are compared where a variable is completed: all that follow by now."""
        graph = self.derivations
        return tuple(v for v in known if graph.shares(v, variable) and follows(graph, v, known))

    def window(self, variable: str, known: Collection[str]) -> Window:
        """The values that loops around a variable leave it: all of them lie in this range."""
        coordinates, extent = self.state.coordinates, self.extent
        if variable in known:
            return lambda: (coordinates[variable], coordinates[variable] + 1)
        uses = [use for use in self.derivations.uses(variable) if self.derivations.leads_to(use, known)]
        parts = [w for use in uses if (w := self.through(use, variable, known)) is not None]

        return self.within(lambda: (0, extent(variable)), *parts)

    def within(self, *windows: Window) -> Window:
        """The values that lie in all of some windows."""

        def window() -> Range:
            ranges = [each() for each in windows]
            return max(begin for begin, _ in ranges), min(end for _, end in ranges)

        return window

    def through(self, use: Derivation, variable: str, known: Collection[str]) -> Window | None:
        """What the variables derived by one relation leave a parent."""
        match use:
            case Split(outer=outer, inner=inner) | Divide(outer=outer, inner=inner):
                return self.through_split(use, self.window(outer, known), self.window(inner, known))
            case Collapse(outer=outer, inner=inner, fused=fused):
                whole = self.window(fused, known)
                return self.outer_of(inner, whole) if variable == outer else self.inner_of(use, whole, known)
            case Pos() as relation:
                return self.within(
                    self.stored(relation, self.window(relation.position, known)), *self.back(relation, known)
                )
            case Bound(bounded=bounded):
                return self.window(bounded, known)
            case Coord():
                return None

    def back(self, relation: Pos, known: Collection[str]) -> list[Window]:
        """What coordinates that have replaced positions, or parts of them, leave those that are stored there."""
        graph = self.derivations
        uses = [use for use in graph.relations if isinstance(use, Coord) and use.of.position == relation.position]
        return [self.window(use.coordinate, known) for use in uses if graph.leads_to(use, known)]

    def through_split(self, use: Split | Divide, outer: Window, inner: Window) -> Window:
        """The tile."""

        def window() -> Range:
            size, (first, last), (begin, end) = factor(use, self), outer(), inner()
            return first * size + begin, (last - 1) * size + end

        return window

    def outer_of(self, inner: str, whole: Window) -> Window:
        """The outer coordinates that a range of collapsed ones touches."""

        def window() -> Range:
            size, (begin, end) = self.extent(inner), whole()
            return (begin // size, (end - 1) // size + 1) if size and begin < end else (0, 0)

        return window

    def inner_of(self, use: Collapse, whole: Window, known: Collection[str]) -> Window | None:
        """The inner coordinates of a range of collapsed ones, where the outer one is known."""
        if not self.derivations.is_derivable(use.outer, known):
            return None
        outer = self.value(use.outer, known)

        def window() -> Range:
            base, (begin, end) = outer() * self.extent(use.inner), whole()
            return begin - base, end - base

        return window

    def stored(self, relation: Pos, places: Window) -> Window:
        """The coordinates that a range of positions holds."""

        def window() -> Range:
            begin, end = places()
            positions, held = self.table(relation)
            inside = held[bisect_left(positions, begin) : bisect_left(positions, end)]
            return (min(inside), max(inside) + 1) if inside else (0, 0)

        return window


def below(level: Level, begin: int, end: int) -> Range:
    """The positions of the children of some consecutive parents."""
    if end <= begin:
        return 0, 0
    if isinstance(level, CoordinatePositionIteration):
        return level.pos_bounds(begin)[0], level.pos_bounds(end - 1)[1]
    return level.size(begin), level.size(end)


def descend(
    levels: Sequence[Level], p: Positions, path: tuple[int, ...], found: tuple[int, ...]
) -> list[tuple[int, tuple[int, ...]]]:
    """Every position of the last of some levels below a position or several, with the coordinates on the way."""
    parents = p if isinstance(p, tuple) else (p,)
    if not levels:
        return [(q, found) for q in parents]
    below_ = [(c, q) for parent in parents for c, q in children(levels[0], parent, path)]
    return [leaf for c, q in below_ for leaf in descend(levels[1:], q, (*path, c), (*found, c))]
