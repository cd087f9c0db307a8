"""The shorter of two: a loop over a level goes over a list that it locates, where that is far shorter, and bisects.

    if (pB2_end - pB2_begin > 32 * ((int64_t) w1_count[0])) {
        for (int64_t pw1 = 0; pw1 < w1_count[0]; pw1++) {
            const int64_t j = w1_crd[pw1];
            …  // bisect
            if (pB2 < pB2_end && B2_crd[pB2] == j) { … }
        }
    } else {
        for (int64_t pB2 = pB2_begin; pB2 < pB2_end; pB2++) { … }
    }

A product that is masked, or has a third operand, by rows of a graph with a hub takes the time of the other rows so.
"""

from __future__ import annotations

from ...reference.levels.level import CoordinatePositionIteration, Locate
from ...reference.loops.plan import Placement
from ...reference.schedule.section import peel_loops
from ...reference.statement.statement import Assign, Forall
from ..ir import ir, logic, traversal
from ..ir.ir import INT, Expr, Int
from ..ir.writer import Writer
from ..scope.searching import Limits, search
from ..storage.positions import At, Positions
from ..storage.translation import widen
from .course import Course
from .cursor import step
from .iteration import Body, iterate_between
from .seeking import FAR
from .walk import Walk


def shorter(course: Course, walk: Walk) -> Walk | None:
    """The walk over a list without whose coordinates nothing is left to do, if a loop may take it for its own walk."""
    loop = course.loop.statement
    if not (walk.fiber.comes_in_order and is_direct(walk)) or loop.tags or not encloses_assignment(loop):
        return None
    lists = (Walk(course.fiber(p, merges=False)) for p in course.loop.located if is_needed_list(course, p))
    return next(filter(is_direct, lists), None)


def encloses_assignment(loop: Forall) -> bool:
    """Whether a loop, with the loops directly inside, encloses an assignment alone, and threads share out none."""
    loops, end = peel_loops(loop)
    return isinstance(end, Assign) and not any(each.is_shared_out for each in loops)


def is_direct(walk: Walk) -> bool:
    """Whether the positions of a walk follow one another, each with one coordinate: in whatever order may be had."""
    fiber = walk.fiber
    return fiber.by_position and fiber.is_labeled and not (fiber.sorts or fiber.gathers)


def is_needed_list(course: Course, placement: Placement) -> bool:
    """Whether an access is located in a level of positions, and nothing is left where it is missing."""
    active, lattice = placement.active, course.strategy.lattice
    if not isinstance(active.level, CoordinatePositionIteration) or not isinstance(active.level, Locate):
        return False
    rest = frozenset(lattice.sparse) - {active.access}
    return active.is_sparse and not course.strategy.flagged and lattice.point(rest) is None


def iterate_shorter(walk: Walk, held: Walk, out: Writer, visit: Body) -> None:
    """Write the loop twice: over the list, each of whose coordinates is searched for, and as the walk that it is."""
    stem = f"p{walk.fiber.stem}"
    begin, end = walk.bounds(out)
    limits = out.declare(f"const {INT}", f"{stem}_begin", begin), out.declare(f"const {INT}", f"{stem}_end", end)
    first, last = held.bounds(out)
    few, many = out.inner(), out.inner()

    def find(inner: Writer, c: Expr, _: Positions) -> None:
        visit_stored(walk, limits, ir.add(ir.sub(c, held.fiber.base), walk.fiber.base), inner, visit)

    iterate_between(held, (first, last), few, find)
    iterate_between(walk, limits, many, visit)
    far = logic.compare(">", ir.sub(limits[1], limits[0]), ir.mul(Int(FAR), widen(ir.sub(last, first))))
    out.add(ir.If(far, few.code, many.code))


def visit_stored(walk: Walk, limits: Limits, c: Expr, out: Writer, visit: Body) -> None:
    """Visit a coordinate of a walk where it is stored at the positions in these limits, the first of which bisection
    finds: each time that it is, if it may be more than once."""
    fiber = walk.fiber

    def coordinate(at: Writer, p: Expr) -> Expr:
        return fiber.bound_level.call("pos_access", (p, fiber.path), at)[0]

    p = search(*limits, lambda at, p: logic.compare("<", coordinate(at, p), c), f"p{fiber.stem}", out)
    inner = out.inner()
    visit(inner, c, At(p))
    stored = logic.both(logic.compare("<", p, limits[1]), logic.compare("==", coordinate(out, p), c))
    if fiber.level.unique:
        out.add(ir.If(stored, inner.code))
        return
    inner.add(step(p, ir.add(p, ir.ONE)))
    out.add(ir.While(stored, traversal.without_breaks(inner.code)))
