"""Alongside: every coordinate of an extent, with iterators that advance where they meet it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ..ir import ir, logic
from ..ir.ir import INT, Expr, Name
from ..ir.writer import Writer
from ..storage.positions import At, Positions
from .cases import ALONE, Round
from .cursor import Cursor, start
from .locating import place_level
from .merging import advance
from .visit import Visit
from .walk import Walk


def coiterate_alongside(visit: Visit, out: Writer) -> None:
    """Every coordinate of the extent, with iterators that advance where they meet it: one after another."""
    course = visit.course
    begin, end = course.reach(out)
    walks = [course.walk(p, out, merges=True) for p in course.loop.coiterated]
    if (begin, end) != course.range:
        walks = [replace(walk, limits=(begin, end)) for walk in walks]
    cursors = [start(w, out) for w in walks]
    inner = out.inner()
    counter = Name(inner.fresh(course.index), True)
    standing = []
    for walk, cursor in zip(walks, cursors, strict=True):
        c = cursor.coordinate(cursor.place, inner)
        there = logic.both(cursor.alive, logic.compare("==", c, ir.add(counter, walk.fiber.base)))
        standing.append(inner.declare("const bool", f"at{walk.fiber.stem}", there))
    meet(visit, list(zip(walks, cursors, standing, strict=True)), counter, ALONE, inner)
    out.add(ir.For(counter.name, begin, end, inner.code))


def meet(visit: Visit, merged: Sequence[tuple[Walk, Cursor, Expr]], counter: Name, round_: Round, out: Writer) -> None:
    """At a coordinate that cursors may stand at, on conditions: the body, and the steps of those that do."""
    course = visit.course
    env = course.inside(counter, course.env.partly())
    conditions = {walk.fiber.active.access: there for walk, _, there in merged}
    if course.strategy.flagged:
        env = env.flag({**env.site.flags, **conditions})
    held = [hold_position(w, c, conditions[w.fiber.active.access], counter, out) for w, c, _ in merged]
    for (walk, _, _), (positions, _) in zip(merged, held, strict=True):
        env = place_level(course.frame, walk.fiber.placement, positions, ir.add(counter, walk.fiber.base), env, out)
    visit.finish(out, env, conditions, round_)
    for (walk, cursor, _), (_, following) in zip(merged, held, strict=True):
        out.add(*advance(cursor, conditions[walk.fiber.active.access], following))


def hold_position(walk: Walk, cursor: Cursor, there: Expr, counter: Expr, out: Writer) -> tuple[Positions, Expr]:
    """Where a cursor that may have met the loop's coordinate stands, and the place after it."""
    after = ir.add(cursor.place, ir.ONE)
    if not walk.fiber.gathers:
        if cursor.items is None:
            return At(cursor.position(out)), after
        stored = logic.choice(there, cursor.listed_position, ir.ZERO)
        return At(out.hold(f"p{walk.fiber.stem}", stored)), after
    end = out.declare(INT, f"{cursor.place.name}_segend", cursor.place, natural=True)
    level = ir.add(counter, walk.fiber.base)
    same = logic.compare("==", cursor.coordinate(end, out), level)
    out.add(ir.While(logic.both(logic.compare("<", end, cursor.end), same), (ir.Assign(end, ir.ONE, "+="),)))
    return cursor.group(end), end
