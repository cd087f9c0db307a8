"""Iterating one level in a loop of its own (Chou 2018, sections 3.2 and 4.3)."""

from __future__ import annotations

from collections.abc import Callable

from ..ir import ir, logic
from ..ir.ir import Expr, Name
from ..ir.writer import Writer
from ..scope.searching import Limits, is_one
from ..storage.positions import At, Positions
from .cursor import Cursor, start, step, step_over
from .walk import Walk

Body = Callable[[Writer, Expr, Positions], None]
Ahead = Callable[[Expr, Writer], None]


def iterate(walk: Walk, out: Writer, visit: Body, ahead: Ahead | None) -> ir.For | None:
    """Write the walk as a loop of its own, returned if it counts; `visit` gets the level coordinate.

    `ahead` is given the number of positions before the loop.
    """
    if not walk.fiber.sorts and not walk.fiber.gathers:
        return iterate_directly(walk, out, visit, ahead)
    cursor = start(walk, out)
    if ahead is not None:
        ahead(ir.sub(cursor.end, cursor.place), out)
    iterate_list(cursor, out, visit) if walk.fiber.sorts else iterate_groups(walk, cursor, out, visit)
    return None


def iterate_directly(walk: Walk, out: Writer, visit: Body, ahead: Ahead | None) -> ir.For | None:
    """One position or coordinate after another."""
    begin, end = walk.bounds(out)
    single = is_one(begin, end)
    if ahead is not None and not single:
        begin, end = out.hold(f"p{walk.fiber.stem}_begin", begin), out.hold(f"p{walk.fiber.stem}_end", end)
    if ahead is not None:
        ahead(ir.sub(end, begin), out)
    return iterate_between(walk, (begin, end), out, visit)


def iterate_between(walk: Walk, limits: Limits, out: Writer, visit: Body) -> ir.For | None:
    """The positions or coordinates of a direct walk that lie in these limits."""
    begin, end = limits
    single = is_one(begin, end)
    inner = out.inner()
    if walk.fiber.by_position:
        counter: Expr = (
            out.hold(f"p{walk.fiber.stem}", begin) if single else Name(inner.fresh(f"p{walk.fiber.stem}"), True)
        )
        target = out if single else inner
        c, found = walk.fiber.bound_level.call(
            "pos_access", (counter, walk.fiber.path), target, (walk.fiber.coordinate_name(),)
        )
        c, p = walk.fiber.name_coordinate(c, target), counter
    else:
        stem = walk.fiber.coordinate_name()
        counter = out.hold(stem, begin) if single else Name(inner.fresh(stem), True)
        target = out if single else inner
        p, found = walk.fiber.bound_level.call("coord_access", (walk.fiber.parent, (*walk.fiber.path, counter)), target)
        c, p = counter, target.hold(f"p{walk.fiber.stem}", p)
    admitted = logic.both(walk.fiber.holds(found, p), logic.negate(walk.outside(c, p)))
    if single and admitted == ir.TRUE:
        visit(out, c, At(p))
        return None
    body = target.inner()
    visit(body, c, At(p))
    if single:
        out.add(*logic.conditional(admitted, body.code))
        return None
    if admitted != ir.TRUE:
        inner.add(ir.If(logic.negate(admitted), (ir.Jump("continue"),)))
    inner.add(*body.code)
    assert isinstance(counter, Name)
    return out.loop(counter.name, begin, end, inner.code, walk.step)


def iterate_groups(walk: Walk, cursor: Cursor, out: Writer, visit: Body) -> None:
    """One coordinate after another, each with the run of its duplicates (Figure 1c, lines 5 to 7)."""
    inner = out.inner()
    head = cursor.head(inner, step_over)
    body = inner.inner()
    visit(body, head.c, head.positions)
    left_out = logic.either(walk.outside(head.c, cursor.place), walk.elsewhere(cursor.place, head.next))
    inner.add(*logic.conditional(logic.negate(left_out), body.code))
    inner.add(step(cursor.place, head.next))
    out.add(ir.While(cursor.alive, inner.code))


def iterate_list(cursor: Cursor, out: Writer, visit: Body) -> None:
    """The places of the scratch list, one after another or gathered."""
    inner = out.inner()
    head = cursor.head(inner, step_over)
    visit(inner, head.c, head.positions)
    inner.add(step(cursor.place, head.next))
    out.add(ir.While(cursor.alive, inner.code))
