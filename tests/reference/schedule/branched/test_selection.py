"""Selection: which schedule is taken for which sizes (SparseAuto, Table 2 and section 3)."""

from __future__ import annotations

from functools import cache

import pytest
from gnomon.properties.sparseauto.kernels import KERNELS
from gnomon.reference.schedule.branched.constraints import parse_constraints
from gnomon.reference.schedule.branched.cost import Sizes
from gnomon.reference.schedule.branched.graph import structure
from gnomon.reference.schedule.branched.locality import access_cost, disorder
from gnomon.reference.schedule.branched.search import Group, compare, search
from gnomon.reference.schedule.branched.selection import best_order, concrete_cost, fastest, walking_cost

HALF_OF_THE_CACHE = 2_621_440


@cache
def left(row: int) -> tuple[Group, ...]:
    """What the stages 1 to 3 leave of a kernel."""
    kernel = KERNELS[row]
    return compare(search(kernel.contraction), parse_constraints(kernel.constraints, kernel.contraction)).left.groups


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("row", "chosen"),
    [
        (1, "i,j,(k | l)"),
        (3, "i,j,(k | l)"),
        (4, "i,k,(j | l)"),
        (5, "i,n,(j,(k | m) | l,m)"),
        (6, "i,j,m,(k | l)"),
        (7, "i,j,l,(k | m)"),
        (8, "i,j,(k,l | m)"),
    ],
)
def test_the_schedules_that_the_authors_run(row: int, chosen: str) -> None:
    contraction, sizes = KERNELS[row].contraction, KERNELS[row].sizes
    group = fastest(contraction, left(row), sizes, 2 * HALF_OF_THE_CACHE)
    assert structure(best_order(contraction, group, sizes).graph) == chosen


def test_distances_count_before_the_order_of_loops() -> None:
    contraction, sizes, group = KERNELS[5].contraction, KERNELS[5].sizes, left(5)[0]
    for each in group.schedules:
        cost = (access_cost(contraction, each, sizes), disorder(contraction, each))
        assert walking_cost(contraction, each, sizes) == cost and min(cost) > 0


def test_sizes_decide() -> None:
    """With one component a fiber a scalar is best, in fewer loops with one fiber a slice."""
    contraction, groups = KERNELS[5].contraction, left(5)
    extents = {"i": 3000, "j": 9000, "k": 9000, "l": 256, "m": 8, "n": 8}
    for stored, chosen in (((3000, 3000, 3000), "i,j,n,(k | l,m)"), ((3000, 90000, 90000), "i,m,n,(j,k | l)")):
        group = fastest(contraction, groups, Sizes(extents, {0: stored}), HALF_OF_THE_CACHE)
        assert structure(best_order(contraction, group, Sizes(extents, {0: stored})).graph) == chosen


def test_what_does_not_fit_comes_last_the_smallest_first() -> None:
    contraction, groups, sizes = KERNELS[5].contraction, left(5), KERNELS[5].sizes
    large = fastest(contraction, groups, sizes, 100)
    small = fastest(contraction, groups, sizes, 10)
    assert concrete_cost(contraction, large, sizes, 100)[0] is False
    assert concrete_cost(contraction, large, sizes, 10)[0] is True and small != large
    none = fastest(contraction, [large], sizes, 1)
    assert none == large and concrete_cost(contraction, none, sizes, 1) == (True, 17, 1_523_712_000)
