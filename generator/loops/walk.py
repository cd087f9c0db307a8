"""Walks: a fiber in a loop, kept to a window of coordinates and to places among positions."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from ..ir import extremes, ir, logic
from ..ir.ir import INT, Expr
from ..ir.writer import Writer
from ..scope.flags import where_present
from ..scope.searching import Limits, is_one, search
from ..storage.positions import At, Run
from .fiber import Fiber


class Walk(Struct, frozen=True, dict=True):
    """The walk over a fiber.

    It keeps to the loop's coordinates in `limits` and to the positions in `places`; `ends`: that is the last level of
    which positions are counted. Those that belong here are a `step` apart.
    """

    fiber: Fiber
    limits: Limits | None = None
    places: Limits | None = None
    ends: bool = False
    step: Expr = ir.ONE

    @cached_property
    def window(self) -> tuple[Expr, Expr] | None:
        """The level coordinates that the loop ranges over, if they are not all."""
        if self.limits is None:
            return None
        begin, end = self.limits
        return ir.add(begin, self.fiber.base), ir.add(end, self.fiber.base)

    @cached_property
    def searches(self) -> bool:
        """Whether the ends of the window can be found by bisection."""
        return bool(
            self.window
            and self.fiber.by_position
            and self.fiber.level.ordered
            and self.fiber.is_labeled
            and not self.fiber.sorts
        )

    @property
    def keeps_places(self) -> bool:
        """Whether the walk can keep to some positions: of gathered duplicates the first says where they belong."""
        return not self.fiber.gathers or not (self.fiber.merges or self.fiber.sorts)

    @property
    def may_step(self) -> bool:
        """Whether the walk goes from position to position, below one parent, and nothing but places bounds it."""
        fiber, direct = self.fiber, self.limits is None and not self.fiber.many
        return direct and fiber.by_position and not (fiber.merges or fiber.sorts or fiber.gathers)

    @cached_property
    def compared_window(self) -> Limits | None:
        """The window, if each coordinate must be compared with it."""
        return None if self.searches else self.window

    def outside(self, c: Expr, p: Expr) -> Expr:
        """Whether a level coordinate leaves the window, or a position the places to keep to."""
        found: Expr = ir.FALSE
        if self.compared_window is not None and (self.fiber.by_position or self.fiber.sorts):
            begin, end = self.compared_window
            if end == ir.add(begin, ir.ONE):
                found = logic.compare("!=", c, begin)
            else:
                found = logic.either(logic.compare("<", c, begin), logic.compare(">=", c, end))
        if self.places is not None and (self.fiber.sorts or not self.fiber.by_position):
            first, last = self.places
            found = logic.either(found, logic.compare("<", p, first), logic.compare(">=", p, last))
        return found

    def elsewhere(self, begin: Expr, end: Expr) -> Expr:
        """Whether duplicates at the positions `[begin, end)` belong elsewhere: the first does, or all that is below.

        The first stands for all at the last level that is counted.
        """
        if self.places is None:
            return ir.FALSE
        first, last = self.places
        before = logic.compare("<", begin, first) if self.ends else logic.compare("<=", end, first)
        return logic.either(before, logic.compare(">=", begin, last))

    def bounds(self, out: Writer) -> tuple[Expr, Expr]:
        """The range of positions or coordinates of a direct walk."""
        if self.step != ir.ONE and self.places is not None:
            return self.places
        begin, end = where_present(
            self.fiber.env.site.there(self.fiber.active.access),
            self.reach,
            ((INT, f"p{self.fiber.stem}_low", ir.ZERO), (INT, f"p{self.fiber.stem}_high", ir.ZERO)),
            out,
        )
        if self.places is not None and self.fiber.by_position and not self.fiber.gathers:
            begin, end = extremes.larger(begin, self.places[0]), extremes.smaller(end, self.places[1])
        if self.window is None or not self.searches:
            return begin, end
        begin, end = out.hold(f"p{self.fiber.stem}_low", begin), out.hold(f"p{self.fiber.stem}_high", end)
        for limit, stem in zip(self.window, ("begin", "end"), strict=True):
            if limit == self.fiber.bound_level.fields.get("N"):
                return begin, end

            def before(inner: Writer, p: Expr, limit: Expr = limit) -> Expr:
                return logic.compare(
                    "<", self.fiber.bound_level.call("pos_access", (p, self.fiber.path), inner)[0], limit
                )

            found = search(begin, end, before, f"p{self.fiber.stem}_{stem}", out)
            if stem == "begin":
                begin = found
        return begin, found

    def reach(self, out: Writer) -> tuple[Expr, Expr]:
        """The positions or coordinates below where the parent stands."""
        match self.fiber.parents:
            case At(p=p) if self.fiber.by_position:
                begin, end = self.fiber.bound_level.call("pos_bounds", (p,), out)
            case Run(begin=first, end=last):
                begin = self.fiber.bound_level.call("pos_bounds", (first,), out)[0]
                end = self.fiber.bound_level.call("pos_bounds", (ir.sub(last, ir.ONE),), out)[1]
            case _:
                begin, end = self.fiber.bound_level.call("coord_bounds", (self.fiber.path,), out)
                if self.window is not None:
                    begin, end = extremes.larger(begin, self.window[0]), extremes.smaller(end, self.window[1])
        return begin, end

    @property
    def counts(self) -> bool:
        """Whether the walk will be a loop that counts."""
        return not self.fiber.sorts and not self.fiber.gathers and not is_one(*self.bounds(Writer()))
