"""Loops: the code of one index variable, by its strategy (Chou 2018, sections 4.3 to 4.5, Figures 8 and 9)."""

from __future__ import annotations

from ...reference.notation.syntax import Access
from ...reference.statement.relation import Split
from ..ir import ir, logic
from ..ir.ir import Expr, Name
from ..ir.writer import Writer
from ..scope.searching import is_one
from ..scope.terms import print_guards
from ..scope.tiles import length
from ..storage.positions import Positions
from .alongside import coiterate_alongside
from .coiteration import coiterate
from .crowded import iterate_crowded, may_crowd
from .flagged import coiterate_flagged
from .fused import follow
from .iteration import iterate
from .listed import coordinate_list, iterate_listed
from .locating import locate_coordinate, place_level
from .shorter import iterate_shorter, shorter
from .visit import Visit


def write_loop(visit: Visit, out: Writer) -> ir.For | None:
    """Write the loop, under a comment that tells its strategy. What was written, if that counts iterations."""
    course, strategy = visit.course, visit.course.strategy
    out.add(ir.Comment(f"{course.index}: {strategy.name()}"))
    if course.completes:
        complete_variable(visit, out)
    elif not strategy.coiterated:
        return iterate_extent(visit, out)
    elif strategy.whole_extent:
        coiterate_alongside(visit, out)
    elif course.is_single:
        return iterate_level(visit, out)
    elif course.strategy.flagged:
        coiterate_flagged(visit, out)
    elif course.follows:
        follow(visit, out)
    else:
        coiterate(visit, out)
    return None


def complete_variable(visit: Visit, out: Writer) -> None:
    """The one value of a variable that others determine, unless it belongs to another tile."""
    course = visit.course
    guards = course.loop.guards_beside(course.env.tiling.narrowed, course.env.tiling.stepped)
    admitted = print_guards(guards, course.frame, course.env)
    env = course.env if admitted == ir.TRUE else course.env.partly()
    inner = out if admitted == ir.TRUE else out.inner()
    value, _ = course.range
    if course.loop.range.begin not in course.env.site.held:
        value = inner.hold(course.index, value)
    here = course.inside(value, env)
    conditions: dict[Access, Expr] = {}
    for placement in course.loop.coiterated:
        access = placement.active.access
        positions, found = locate_coordinate(course.frame, access, placement.active.first, value, here, inner)
        here = place_level(course.frame, placement, positions, value, here, inner)
        conditions[access] = found
    visit.finish(inner, here, conditions)
    if inner is not out:
        out.add(*logic.conditional(admitted, inner.code))


def iterate_extent(visit: Visit, out: Writer) -> ir.For | None:
    """Every coordinate of the extent, locating everything."""
    course = visit.course
    split = course.env.site.surroundings.counted_tile(course.index)
    if split is not None:
        return iterate_tile(visit, split, out)
    begin, end = course.reach(out)
    if is_one(begin, end):
        visit.finish(out, course.inside(out.hold(course.index, begin), course.env), {})
        return None
    step = course.step_over(course.index, course.loop.range) if (begin, end) == course.range else ir.ONE
    inner = out.inner()
    counter = inner.fresh(course.index)
    visit.finish(inner, course.inside(Name(counter, True), course.env), {})
    return out.loop(counter, begin, end, inner.code, step)


def iterate_tile(visit: Visit, split: Split, out: Writer) -> ir.For:
    """Every coordinate of a tile, counted inside it: at most as often as the tile is large."""
    course = visit.course
    inner = out.inner()
    counter = Name(inner.fresh(split.inner), True)
    tile = ir.mul(course.env.site.coordinates[split.outer], ir.Int(split.factor))
    place = ir.add(course.env.tiling.first(split), counter)
    env = course.inside(inner.hold(course.index, ir.add(tile, place)), course.env)
    visit.finish(inner, env.bind_terms({env.site.space.derive(split.inner): place}), {})
    return out.loop(counter.name, ir.ZERO, length(course.frame, course.env, split), inner.code)


def iterate_level(visit: Visit, out: Writer) -> ir.For | None:
    """The coordinates of one level."""
    course = visit.course
    (placement,) = course.loop.coiterated
    walk = course.walk(placement, out, merges=False)

    def at(inner: Writer, c: Expr, positions: Positions) -> None:
        index = inner.hold(course.index, ir.sub(c, walk.fiber.base))
        env = course.inside(index, course.env.partly())
        env = place_level(course.frame, placement, positions, c, env, inner)
        visit.finish(inner, env, {placement.active.access: ir.TRUE})

    listed = coordinate_list(walk)
    if listed is not None:
        return iterate_listed(walk, listed, out, at)
    held = shorter(course, walk)
    if may_crowd(course, walk):
        iterate_crowded(course, walk, out, at, visit.ahead([walk]))
    elif held is None:
        return iterate(walk, out, at, visit.ahead([walk]))
    else:
        iterate_shorter(walk, held, out, at)
    return None
