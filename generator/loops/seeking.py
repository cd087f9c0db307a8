"""Seeking: an iterator that begins anew, though the loops around go on, is moved ahead by bisection.

Of a product of two hypersparse matrices, each row of A is merged with all the rows that B has. To step from row to row
takes as long as B has rows, for each row of A; what the row of A asks for is sought:

    while (pA2 < pA2_end && pB1 < pB1_end) {
        const int64_t kA = A2_crd[pA2];
        if (B1_crd[pB1] < kA) { …  // by strides that double, then bisection
        }
        if (pB1 < pB1_end) { const int64_t kB = B1_crd[pB1];  … }
    }

One that goes from coordinate to coordinate, along a diagonal, is at once where another one stands.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...reference.loops.merging import loops_above
from ...reference.loops.strategy import Active
from ..ir import extremes, ir, logic
from ..ir.ir import INT, Assign, Expr, If, Int, While
from ..ir.writer import Writer
from ..scope.searching import search
from .course import Course
from .cursor import Cursor


def sought(course: Course, cursors: Mapping[Active, Cursor]) -> frozenset[Active]:
    """The iterators of a merge that seek the coordinate of another one: none where something is left to do though an
    operand is missing. A fiber that loops around repeat beside others is bisected; a line of coordinates is entered
    anywhere. One iterator steps."""
    if course.strategy.forks:
        return frozenset()
    above = above_of(course, cursors)
    again = {a for a, c in cursors.items() if can_bisect(c) and any(above[a] < others for others in above.values())}
    at_once = [a for a, cursor in cursors.items() if can_jump(cursor)]
    return frozenset(again.union(at_once if len(again) + len(at_once) < len(cursors) else at_once[1:]))


def followers(course: Course, cursors: Mapping[Active, Cursor]) -> tuple[Active | None, tuple[Active, ...]]:
    """Of a merge with one body for all points, the leader, an iterator of an operand without which nothing is left to
    do, and the iterators that seek the leader's coordinate: over fibers that loops around repeat, and over lines."""
    above = above_of(course, cursors)
    needed = (a for a in cursors if a.is_sparse and a.access not in course.strategy.uncertain)
    leader = max(needed, key=lambda a: len(above[a]), default=None)
    if leader is None or course.strategy.depends:
        return None, ()
    again = (a for a, c in cursors.items() if (can_bisect(c) and above[a] < above[leader]) or can_jump(c))
    return leader, tuple(a for a in again if a != leader)


def above_of(course: Course, cursors: Mapping[Active, Cursor]) -> dict[Active, frozenset[str]]:
    """The loops around that tell in which fiber each iterator is."""
    space = course.loop.space
    return {a: loops_above(a, space.around, space.provenance) for a in cursors}


def can_bisect(cursor: Cursor) -> bool:
    """Whether the coordinates at the places of a cursor are in order, and can be read in whatever order."""
    fiber = cursor.walk.fiber
    return fiber.by_position and fiber.comes_in_order and not fiber.sorts


def can_jump(cursor: Cursor) -> bool:
    """Whether the places of a cursor are coordinates."""
    fiber = cursor.walk.fiber
    return not fiber.by_position and not fiber.sorts


def seek(cursor: Cursor, c: Expr, out: Writer) -> None:
    """Move a cursor to the first of its places whose coordinate does not come before another."""
    if can_jump(cursor):
        out.add(If(logic.compare("<", cursor.place, c), (Assign(cursor.place, c),)))
    else:
        seek_by_bisection(cursor, c, out)


def seek_by_bisection(cursor: Cursor, c: Expr, out: Writer) -> None:
    """Move a cursor over positions, by strides that double, then by bisection."""
    place, inner = cursor.place, out.inner()
    stride = inner.declare(INT, f"{place.name}_stride", ir.ONE, natural=True)
    farther = ir.add(place, stride)
    left = logic.compare("<", stride, ir.sub(cursor.end, place))
    inner.add(While(logic.both(left, is_before(cursor, farther, c)), (Assign(stride, ir.mul(stride, Int(2))),)))
    first = ir.add(place, ir.add(ir.floordiv(stride, Int(2)), ir.ONE))
    last = extremes.smaller(farther, cursor.end)
    found = search(first, last, lambda _, p: is_before(cursor, p, c), f"{place.name}_found", inner)
    inner.add(Assign(place, found))
    out.add(If(is_before(cursor, place, c), inner.code))


def is_before(cursor: Cursor, place: Expr, c: Expr) -> Expr:
    """Whether the coordinate at a place comes before another."""
    return logic.compare("<", cursor.coordinate(place, Writer()), c)
