"""Seeking: an iterator that begins anew, though the loops around go on, is moved ahead by bisection.

Of a product of two hypersparse matrices, each row of A is merged with all the rows that B has. To step from row to row
takes as long as B has rows, for each row of A; what the row of A asks for is sought:

    while (pA2 < pA2_end && pB1 < pB1_end) {
        const int64_t kA = A2_crd[pA2];
        if (B1_crd[pB1] < kA) {
            pB1 = gn_max_int64(pB1, pB1_end - (B1_dimension - kA));
            …  // by strides that double, then bisection
        }
        if (pB1 < pB1_end) { const int64_t kB = B1_crd[pB1];  … }
    }

From a row on B has no more rows than there are numbers up to the extent, since no row is stored twice: where nearly all
rows hold something, a row is found at the first place at which it may stand, or next to that.

An iterator over coordinates, as along a diagonal, is set to the coordinate of another iterator at once. Where loops
around repeat two lists in turns, the iterator of the far longer list seeks the coordinates of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import permutations

from ...reference.loops.merging import loops_above
from ...reference.loops.strategy import Active
from ...reference.statement.statement import Assign
from ..ir import extremes, ir, logic
from ..ir.ir import INT, Expr, If, Int, Name, While
from ..ir.writer import Writer
from ..scope.searching import search
from .course import Course
from .cursor import Cursor, step_over

FAR = 32
"""How many coordinates are stepped over in the time in which one is sought."""


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


def unequal(course: Course, cursors: Mapping[Active, Cursor]) -> list[tuple[Active, Active]]:
    """The iterators of a merge that seek where much more is left of their fiber than of the other iterator's, each with
    that other iterator. The merge has two iterators, neither of which always seeks, and its body is an assignment; some
    loop around repeats the fiber."""
    leaf = isinstance(course.loop.statement.body, Assign)
    if not leaf or course.strategy.forks or len(cursors) != 2 or sought(course, cursors):
        return []
    above, around = above_of(course, cursors), frozenset(course.loop.space.around)
    pairs = permutations(cursors, 2)
    return [(a, other) for a, other in pairs if can_bisect(cursors[a]) and above[a] < around]


def is_far_longer(one: Cursor, other: Cursor) -> Expr:
    """Whether so much more is left of a cursor that to seek takes less time than to step."""
    left, others = (ir.sub(cursor.end, cursor.place) for cursor in (one, other))
    return logic.compare(">", left, ir.mul(Int(FAR), others))


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
    return fiber.by_position and fiber.comes_in_order and fiber.is_labeled and not fiber.sorts


def can_jump(cursor: Cursor) -> bool:
    """Whether the places of a cursor are coordinates."""
    fiber = cursor.walk.fiber
    return not fiber.by_position and not fiber.sorts


def seek(cursor: Cursor, c: Expr, out: Writer) -> None:
    """Move a cursor to the first of its places whose coordinate does not come before another."""
    if can_jump(cursor):
        out.add(If(logic.compare("<", cursor.place, c), (ir.Assign(cursor.place, c), *cursor.skip())))
    else:
        seek_by_bisection(cursor, c, out)


def seek_by_bisection(cursor: Cursor, c: Expr, out: Writer) -> None:
    """Move a cursor over positions."""

    def is_before(place: Expr) -> Expr:
        return logic.compare("<", cursor.coordinate(place, Writer()), c)

    inner, first = out.inner(), first_place(cursor, c)
    if first is None:
        inner.add(*leap(cursor.place, cursor.end, is_before, inner))
    else:
        inner.add(ir.Assign(cursor.place, extremes.larger(cursor.place, first)))
        inner.add(If(is_before(cursor.place), leap(cursor.place, cursor.end, is_before, inner)))
    out.add(If(is_before(cursor.place), inner.code))


def first_place(cursor: Cursor, c: Expr) -> Expr | None:
    """The first place at which a coordinate may stand: from there to the end there are as many places as numbers from
    this coordinate up to the extent. None where coordinates may be equal, or have no extent."""
    fiber = cursor.walk.fiber
    extent = fiber.bound_level.fields.get("N")
    return ir.sub(cursor.end, ir.sub(extent, c)) if fiber.level.unique and extent is not None else None


def seek_end(cursor: Cursor, end: Name, c: Expr, out: Writer) -> None:
    """Move the end of the duplicates at a coordinate on to where they end: by bisection, if the cursor may seek so."""
    if not can_bisect(cursor):
        step_over(cursor, end, c, out)
        return

    def is_there(place: Expr) -> Expr:
        return logic.compare("==", cursor.coordinate(place, Writer()), c)

    more = logic.both(logic.compare("<", end, cursor.end), is_there(end))
    out.add(If(more, leap(end, cursor.end, is_there, out)))


def leap(place: Name, end: Expr, goes_on: Callable[[Expr], Expr], out: Writer) -> ir.Code:
    """Move a place where a condition holds to the first place where the condition fails: by strides that double, then
    by bisection."""
    inner = out.inner()
    stride = inner.declare(INT, f"{place.name}_stride", ir.ONE, natural=True)
    farther = ir.add(place, stride)
    left = logic.compare("<", stride, ir.sub(end, place))
    inner.add(While(logic.both(left, goes_on(farther)), (ir.Assign(stride, ir.mul(stride, Int(2))),)))
    first = ir.add(place, ir.add(ir.floordiv(stride, Int(2)), ir.ONE))
    last = extremes.smaller(farther, end)
    inner.add(ir.Assign(place, search(first, last, lambda _, p: goes_on(p), f"{place.name}_found", inner)))
    return inner.code
