"""Cursors: walks that are advanced step by step."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from ..ir import extremes, ir, logic
from ..ir.ir import INT, Expr, Name
from ..ir.writer import Writer
from ..scope.flags import under
from ..storage.positions import At, Listed, Positions, Run, each, item
from .walk import Walk


class Head(Struct, frozen=True):
    """What a cursor stands at: a coordinate, where it is stored, and the place after it."""

    c: Expr
    positions: Positions
    next: Expr


class Cursor(Struct, frozen=True):
    """A walk under way, at `place` of the places up to `end`: positions, coordinates or places in a scratch list.

    Where a merge visits duplicates together, `run` is the end of those met last: a cursor that is not advanced meets
    them once more.
    """

    walk: Walk
    place: Name
    end: Expr
    items: Name | None
    run: Name | None = None

    @property
    def alive(self) -> Expr:
        """Whether anything is left in the window."""
        inside = logic.compare("<", self.place, self.end)
        walk = self.walk
        if (
            walk.compared_window is None
            or self.items is not None
            or not walk.fiber.by_position
            or not walk.fiber.merges
        ):
            return inside
        return logic.both(inside, logic.compare("<", self.coordinate(self.place, Writer()), walk.compared_window[1]))

    def skip(self) -> ir.Code:
        """Move on, in a merge, to the next place that is labeled."""
        vacant = self.vacant
        if vacant == ir.FALSE:
            return ()
        more = logic.both(logic.compare("<", self.place, self.end), vacant)
        return (ir.While(more, (ir.Assign(self.place, ir.ONE, "+="),)),)

    @property
    def vacant(self) -> Expr:
        """Whether a merge comes to nothing at the place, for want of a label."""
        fiber = self.walk.fiber
        if self.items is not None or not fiber.merges or fiber.is_labeled:
            return ir.FALSE
        labeled = fiber.labeled_at(self.place)
        assert labeled is not None
        return logic.negate(labeled)

    def coordinate(self, place: Expr, out: Writer) -> Expr:
        """The level coordinate at a place."""
        if self.items is not None:
            return item(self.items, place, "coordinate")
        if not self.walk.fiber.by_position:
            return place
        return self.walk.fiber.bound_level.call("pos_access", (place, self.walk.fiber.path), out)[0]

    def head(self, out: Writer, to_end: SeekEnd) -> Head:
        """Write what is needed to know the coordinate here, and how far its duplicates reach."""
        walk = self.walk
        value = self.coordinate(self.place, out)
        stem = (
            walk.fiber.coordinate_stem if walk.fiber.merges or walk.fiber.base != ir.ZERO else walk.fiber.strategy.index
        )
        c = out.declare(f"const {INT}", stem, value, natural=True)
        after = ir.add(self.place, ir.ONE)
        if not walk.fiber.gathers:
            return Head(c, At(self.position(out)), after)
        end = self.resume(after, out)
        to_end(self, end, c, out)
        return Head(c, self.group(end), end)

    def resume(self, after: Expr, out: Writer) -> Name:
        """Write how far the duplicates here are known to reach."""
        if self.run is None:
            return declare_run(self.place, after, out)
        out.add(ir.Assign(self.run, extremes.larger(self.run, after)))
        return self.run

    def group(self, end: Expr) -> Positions:
        """The positions of the duplicates in the places from here to `end`."""
        return Run(self.place, end) if self.items is None else Listed(self.items, self.place, end)

    @property
    def listed_position(self) -> Expr:
        """The position that the scratch list keeps at the place."""
        assert self.items is not None
        return item(self.items, self.place, "position")

    def position(self, out: Writer) -> Expr:
        """The position at the place."""
        walk = self.walk
        if self.items is not None:
            return out.hold(f"p{walk.fiber.stem}", self.listed_position)
        if walk.fiber.by_position:
            return self.place
        return out.hold(
            f"p{walk.fiber.stem}",
            walk.fiber.bound_level.call("coord_access", (walk.fiber.parent, (*walk.fiber.path, self.place)), out)[0],
        )


SeekEnd = Callable[[Cursor, Name, Expr, Writer], None]


def step_over(cursor: Cursor, end: Name, c: Expr, out: Writer) -> None:
    """Move the end of the duplicates at a coordinate on, place by place."""
    again = logic.compare("==", cursor.coordinate(end, out), c)
    out.add(ir.While(logic.both(logic.compare("<", end, cursor.end), again), (ir.Assign(end, ir.ONE, "+="),)))


def start(walk: Walk, out: Writer) -> Cursor:
    """Write what comes before a walk that is advanced step by step."""
    if walk.fiber.sorts:
        items = list_children(walk, out)
        place = out.declare(INT, f"s{walk.fiber.stem}", ir.ZERO, natural=True)
        return Cursor(walk, place, ir.Spelled("{0}.size", (items,)), items)
    begin, end = walk.bounds(out)
    prefix = "p" if walk.fiber.by_position else "c"
    place = out.declare(INT, f"{prefix}{walk.fiber.stem}", begin, natural=True)
    end = out.hold(f"{place.name}_end", end)
    cursor = Cursor(walk, place, end, None)
    if walk.compared_window is not None and walk.fiber.by_position:
        early = logic.compare("<", cursor.coordinate(place, out), walk.compared_window[0])
        before = logic.either(cursor.vacant, early)
        out.add(ir.While(logic.both(logic.compare("<", place, end), before), (ir.Assign(place, ir.ONE, "+="),)))
    out.add(*cursor.skip())
    return cursor


def start_merging(walk: Walk, out: Writer) -> Cursor:
    """Write what comes before a walk that others are merged with: no duplicates are met yet."""
    cursor = start(walk, out)
    if not walk.fiber.gathers:
        return cursor
    return replace(cursor, run=declare_run(cursor.place, cursor.place, out))


def declare_run(place: Name, end: Expr, out: Writer) -> Name:
    """Declare the end of a run of duplicates."""
    return out.declare(INT, f"{place.name}_segend", end, natural=True)


def list_children(walk: Walk, out: Writer) -> Name:
    """Write all children into the scratch list, sorted unless they come so."""
    key = (walk.fiber.active.access, walk.fiber.active.first)
    items = walk.fiber.frame.routine.scratch(key, f"{walk.fiber.stem}_list")
    array = stored_coordinates(walk)
    if array is not None:
        order_children(walk, array, items, out)
        return items
    out.add(ir.Assign(ir.Spelled("{0}.size", (items,)), ir.ZERO))

    def push(inner: Writer, p: Expr) -> None:
        visit_children(walk, inner, p, items)

    under(walk.fiber.env.site.there(walk.fiber.active.access), out, lambda inner: each(walk.fiber.parents, inner, push))
    walk.fiber.frame.routine.check(out)
    if not walk.fiber.comes_in_order:
        out.add(ir.Do(ir.Call("gn_sort", (ir.Unary("&", items),))))
    return items


def stored_coordinates(walk: Walk) -> str | None:
    """The array that holds the coordinates of all children of the one parent, out of order, and nothing else there."""
    fiber = walk.fiber
    if not fiber.by_position or fiber.many or fiber.comes_in_order:
        return None
    there, q, probe = fiber.env.site.there(fiber.active.access), Name("q", True), Writer()
    c, found = fiber.bound_level.call("pos_access", (q, fiber.path), probe)
    certain = there == ir.TRUE and fiber.holds(found, q) == ir.TRUE and walk.outside(c, q) == ir.FALSE
    if not certain or probe.body or not isinstance(c, ir.Element) or c.index != q:
        return None
    return next(name for name, array in fiber.bound_level.fields.items() if array == c.array)


def order_children(walk: Walk, array: str, items: Name, out: Writer) -> None:
    """List the children of the one parent in order, whose coordinates an array holds."""
    fiber = walk.fiber
    level, routine = fiber.bound_level, fiber.frame.routine
    begin, end = level.call("pos_bounds", (fiber.parent,), out)
    kind = level.types[array].removesuffix("_t")
    call = ir.Call(f"gn_order_{kind}", (ir.Unary("&", items), level.fields[array], begin, end, ir.STATUS_ADDRESS))
    out.add(ir.Do(call))
    routine.keep_marks(items)
    routine.check(out)


def visit_children(walk: Walk, out: Writer, p: Expr, items: Name) -> None:
    """Push the children of one parent onto the scratch list."""
    inner = out.inner()
    if walk.fiber.by_position:
        begin, end = walk.fiber.bound_level.call("pos_bounds", (p,), out)
        q: Expr = Name(inner.fresh("q"), True)
        counter = q
        c, found = walk.fiber.bound_level.call("pos_access", (q, walk.fiber.path), inner)
        if walk.compared_window is not None:
            c = inner.hold("c", c)
    else:
        begin, end = walk.fiber.bound_level.call("coord_bounds", (walk.fiber.path,), out)
        counter = c = Name(inner.fresh("c"), True)
        q, found = walk.fiber.bound_level.call("coord_access", (p, (*walk.fiber.path, c)), inner)
    assert isinstance(counter, Name)
    pushed = ir.Do(ir.Call("gn_push", (ir.Unary("&", items), c, q, ir.STATUS_ADDRESS)))
    inner.add(*logic.conditional(logic.both(walk.fiber.holds(found, q), logic.negate(walk.outside(c, q))), (pushed,)))
    out.add(ir.For(counter.name, begin, end, inner.code))


def step(place: Name, following: Expr) -> ir.Stmt:
    """Move a cursor on."""
    one = following == ir.add(place, ir.ONE)
    return ir.Assign(place, ir.ONE, "+=") if one else ir.Assign(place, following)
