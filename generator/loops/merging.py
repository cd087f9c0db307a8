"""Merging: iterators that advance in step, what is left of them, and where they stand (Chou 2018, Figure 9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from msgspec import Struct

from ...reference.loops.strategy import Active, Strategy
from ...reference.notation.syntax import Access
from ..ir import extremes, ir, logic
from ..ir.ir import INT, Expr, Name, Spelled
from ..ir.writer import Writer
from ..scope.flags import condition
from .cases import Step
from .cursor import Cursor, step
from .walk import Walk

BEYOND = Spelled("INT64_MAX")


class Extent(Struct, frozen=True):
    """The coordinates of an extent as one more iterator, which is empty unless each has something to do."""

    place: Name
    end: Expr
    everywhere: Expr

    @property
    def alive(self) -> Expr:
        """Whether any are left."""
        return logic.compare("<", self.place, self.end)

    @property
    def head(self) -> Expr:
        """The next one."""
        return logic.choice(self.alive, self.place, BEYOND)


class Merge(Struct, frozen=True):
    """The iterators of a loop with one body for all points; those at their end stand beyond every coordinate.

    `flags` tell what the loops around have found.
    """

    strategy: Strategy
    flags: Mapping[Access, Expr]
    iterators: tuple[tuple[Walk, Cursor], ...]

    def heads(self, out: Writer) -> list[Expr]:
        """The coordinates that the iterators stand at."""
        found: list[Expr] = []
        for walk, cursor in self.iterators:
            c = ir.sub(cursor.coordinate(cursor.place, out), walk.fiber.base)
            stem = f"{self.strategy.index}{walk.fiber.active.access.tensor}"
            found.append(out.declare(f"const {INT}", stem, logic.choice(cursor.alive, c, BEYOND), natural=True))
        return found

    def extent(self, begin: Expr, end: Expr, out: Writer) -> Extent:
        """The coordinates `[begin, end)`, if the accesses around that are present leave each something to do."""
        index, everywhere = self.strategy.index, condition(self.strategy.everywhere, self.flags)
        place = out.declare(INT, f"{index}_next", begin, natural=True)
        return Extent(place, out.hold(f"{index}_end", logic.choice(everywhere, end, place)), everywhere)

    def has_more(self, extent: Extent | None) -> Expr:
        """Whether the merge may still come to something to do."""
        alive = {walk.fiber.active: cursor.alive for walk, cursor in self.iterators}
        found = {a.access: there for a, there in alive.items() if a.is_sparse}
        full = [there for a, there in alive.items() if not a.is_sparse]
        some = logic.both(*full, condition(self.strategy.remains, {**self.flags, **found}))
        return some if extent is None else logic.either(extent.alive, logic.both(logic.negate(extent.everywhere), some))

    def visits(self) -> Expr:
        """How often the merge meets a coordinate at most."""
        certain = tuple(a for a in self.strategy.coiterated if a.access not in self.strategy.uncertain)
        return visits([certain], {walk.fiber.active: cursor for walk, cursor in self.iterators})


def visits(points: Sequence[tuple[Active, ...]], cursors: Mapping[Active, Cursor]) -> Expr:
    """How often a merge meets a coordinate at most: no more often than an iterator that all of its loops advance."""
    always = [ir.sub(c.end, c.place) for a, c in cursors.items() if all(a in point for point in points)]
    if always:
        return reduce(extremes.smaller, always)
    return reduce(ir.add, [ir.sub(c.end, c.place) for c in cursors.values()])


def cursor_step(cursor: Cursor, there: Expr, following: Expr) -> Step:
    """The step of a cursor, given whether its access is present."""

    def move(present: bool | None) -> ir.Code:
        if present is False:
            return ()
        return advance(cursor, ir.TRUE if present else there, following)

    return move


def advance(cursor: Cursor, there: Expr, following: Expr) -> ir.Code:
    """Step over the coordinate that was visited, and over places that are not labeled."""
    return (step_on(cursor, there, following), *cursor.skip())


def step_on(cursor: Cursor, there: Expr, following: Expr) -> ir.Stmt:
    """Step over the coordinate that was visited."""
    if there == ir.TRUE:
        return step(cursor.place, following)
    if following == ir.add(cursor.place, ir.ONE):
        return ir.Assign(cursor.place, there, "+=")
    return ir.Assign(cursor.place, logic.choice(there, following, cursor.place))
