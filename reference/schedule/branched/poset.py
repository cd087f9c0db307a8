"""Depths of branched schedules, and which of them others are better than (SparseAuto, section 5.2, stages 1 and 2).

Without sizes little can be told of costs, but a schedule whose assignments all stand in fewer loops, with temporaries
of fewer variables, is better on all data large enough. Schedules at the same depths never remove one another.
"""

from __future__ import annotations

from collections.abc import Iterable

from .space import Found

Depths = tuple[int, int]


def depths(found: Found) -> Depths:
    """The loops around the deepest assignment, and the variables of the largest temporary (none for a scalar)."""
    return found.graph.depth, found.graph.memory_depth


def is_deeper(one: Depths, other: Depths) -> bool:
    """Whether depths are nowhere less than others, and not the same.

    >>> is_deeper((5, 1), (4, 1)), is_deeper((5, 0), (4, 1)), is_deeper((4, 1), (4, 1))
    (True, False, False)
    """
    return one != other and one[0] >= other[0] and one[1] >= other[1]


def shallowest(schedules: Iterable[Found]) -> list[Found]:
    """The schedules at depths that are minimal (stage 2)."""
    every = list(schedules)
    there = {depths(each) for each in every}
    minimal = {own for own in there if not any(is_deeper(own, other) for other in there)}
    return [each for each in every if depths(each) in minimal]
