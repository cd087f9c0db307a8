"""Crowded lists: a loop over a list whose coordinates would be put in order first goes over all that there are instead,
and locates each, where four of five are there.

    if (5 * ((int64_t) w1_count[0]) >= 4 * B2_dimension) {
        for (int64_t j = 0; j < B2_dimension; j++) {
            …  // locate
            if (foundw1) { … }
        }
    } else {
        gn_order_int32(&w1_list, w1_crd, 0, w1_count[0], &status);
        while (…) { … }
    }

Rows of a product that are nearly full take the time of dense ones so.
"""

from __future__ import annotations

from ...reference.levels.level import Locate
from ...reference.statement.statement import Assign
from ..ir import ir, logic
from ..ir.ir import Int, Name
from ..ir.writer import Writer
from ..storage.translation import widen
from .course import Course
from .cursor import stored_coordinates
from .iteration import Ahead, Body, iterate
from .locating import locate_coordinate
from .walk import Walk

MANY = Int(4), Int(5)
"""How many of how many coordinates have to be there, for all to be visited in the time in which those are put in order:
where fewer are, a processor often guesses wrong whether the next one is.
"""


def may_crowd(course: Course, walk: Walk) -> bool:
    """Whether a loop goes over a list that has to be put in order, each of whose coordinates can be located."""
    loop, fiber = course.loop.statement, walk.fiber
    lists = fiber.sorts and isinstance(fiber.level, Locate) and stored_coordinates(walk) is not None
    return lists and isinstance(loop.body, Assign) and not loop.tags


def iterate_crowded(course: Course, walk: Walk, out: Writer, visit: Body, ahead: Ahead | None) -> None:
    """Write the loop twice: over every coordinate, and over the list in order."""
    fiber, (first, last) = walk.fiber, walk.bounds(out)
    begin, end = (ir.add(limit, fiber.base) for limit in course.range)
    every, few = out.inner(), out.inner()
    if ahead is not None:
        ahead(ir.sub(end, begin), every)
    inner = every.inner()
    c = Name(inner.fresh(fiber.coordinate_name()), True)
    positions, found = locate_coordinate(course.frame, fiber.active.access, fiber.active.first, c, course.env, inner)
    there = inner.inner()
    visit(there, c, positions)
    inner.add(*logic.conditional(found, there.code))
    every.loop(c.name, begin, end, inner.code)
    iterate(walk, few, visit, ahead)
    part, whole = MANY
    crowded = logic.compare(">=", ir.mul(whole, widen(ir.sub(last, first))), ir.mul(part, ir.sub(end, begin)))
    out.add(ir.If(crowded, every.code, few.code))
