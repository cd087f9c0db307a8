"""The space: the counts of SparseAuto's Table 3, and the same set as Algorithm 1 on every order gives."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, permutations

import pytest
from gnomon.properties.sparseauto.kernels import KERNELS
from gnomon.reference.errors import ScheduleError
from gnomon.reference.schedule.branched.contraction import Contraction, Operand
from gnomon.reference.schedule.branched.graph import Branch, Graph, structure
from gnomon.reference.schedule.branched.space import branched_schedules, operand_orders
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from .kernels import schedules_of

DISTINCT = {1: 1484, 3: 735, 4: 128, 6: 352, 7: 46, 8: 5163}
Loops = tuple[str, ...]
Factor = tuple[frozenset[str], tuple[tuple[str, str], ...]]


@pytest.mark.parametrize("row", DISTINCT)
def test_the_counts_of_table_3(row: int) -> None:
    found = [structure(each.graph) for each in schedules_of(row)]
    assert len(found) == DISTINCT[row]


def test_a_space_that_is_too_large_is_refused() -> None:
    with pytest.raises(ScheduleError, match="more than 100 branched schedules of 3 operands") as refused:
        list(branched_schedules(KERNELS[4].contraction, most=100))
    assert refused.value.hint is not None


def test_operands_that_do_not_commute_keep_their_order() -> None:
    kernel = KERNELS[4].contraction
    assert list(operand_orders(kernel)) == [(0, 1, 2), (0, 2, 1), (1, 0, 2)]
    fixed = replace(kernel, commutative=False)
    assert list(operand_orders(fixed)) == [(0, 1, 2)]
    assert {each.order for each in branched_schedules(fixed)} == {(0, 1, 2)}


def in_order(order: Loops, edges: tuple[tuple[str, str], ...]) -> bool:
    """Whether every edge whose ends are there points inward."""
    return all(order.index(u) < order.index(w) for u, w in edges if u in order and w in order)


def arrangements(factors: tuple[Factor, ...], result: Factor, newest: int | None) -> Iterator[str]:
    """Algorithm 1 as it stands, on every order of the loops, at every place, for both sides, to any depth."""
    every = frozenset().union(result[0], *(loops for loops, _ in factors))
    edges = tuple(edge for _, own in (*factors, result) for edge in own)
    orders = [order for order in permutations(sorted(every)) if in_order(order, edges)]
    for order in orders:
        yield ",".join(order)
        if len(factors) < 3 or len(order) < 2:
            continue
        for loc in range(1, len(factors)):
            for side in ("left", "right"):
                yield from parted(order, factors, result, newest, loc, side)


def parted(
    order: Loops, factors: tuple[Factor, ...], result: Factor, newest: int | None, loc: int, side: str
) -> Iterator[str]:
    """One application of Algorithm 1, both sides of it arranged in every way."""
    if newest is not None and (
        range(loc) == range(newest, newest + 1) or range(loc, len(factors)) == range(newest, newest + 1)
    ):
        return
    left, right = factors[:loc], factors[loc:]
    filling, reading = (left, right) if side == "left" else (right, left)
    needed = frozenset().union(*(loops for loops, _ in filling))
    rest = frozenset().union(result[0], *(loops for loops, _ in reading))
    count = next(n for n, v in enumerate((*order, None)) if v not in needed or v not in rest)
    fused = order[:count]
    kept = (needed & rest).difference(fused)
    if (not fused and len(filling) == 1) or len(kept) > 2:
        return
    if needed <= set(fused) or rest <= set(fused):
        return
    inside = [tuple((loops.difference(fused), edges) for loops, edges in each) for each in (filling, reading)]
    temporary: Factor = (kept, ())
    consuming = (temporary, *inside[1]) if side == "left" else (*inside[1], temporary)
    left_over = (result[0].difference(fused), result[1])
    for first in set(arrangements(inside[0], temporary, None)):
        for second in set(arrangements(consuming, left_over, consuming.index(temporary) if side == "left" else loc)):
            yield ",".join([*fused, f"({first} | {second})"])


def brute_force(contraction: Contraction) -> set[str]:
    """The structures of a contraction without those that fill two temporaries first."""
    factors = [(each.loops, tuple(each.edges)) for each in contraction.operands]
    result = (contraction.result.loops, tuple(contraction.result.edges))
    return {found for order in permutations(factors) for found in arrangements(order, result, None)}


@st.composite
def contractions(draw: st.DrawFn) -> Contraction:
    """At most three operands over at most four loops, stored in any order, and a result."""
    loops = "ijkl"[: draw(st.integers(2, 4))]
    operands = []
    for name in "BCD"[: draw(st.integers(2, 3))]:
        own = draw(st.lists(st.sampled_from(loops), min_size=1, max_size=3, unique=True))
        tied = draw(st.booleans()) and all(loops.index(u) < loops.index(w) for u, w in pairwise(own))
        edges = frozenset(pairwise(own)) if tied else frozenset()
        operands.append(Operand(name, frozenset(own), edges))
    there = sorted(frozenset().union(*(each.loops for each in operands)))
    kept = draw(st.sets(st.sampled_from(there), max_size=2))
    return Contraction(tuple(operands), Operand("A", frozenset(kept)), tuple(there))


def fills_two(graph: Graph) -> bool:
    """Whether a graph fills two temporaries first: the first one is all that fills the second does without."""
    return (
        isinstance(graph, Branch)
        and isinstance(graph.consumer, Branch)
        and graph.side == "left"
        and graph.consumer.loc == 1
    )


@given(contractions())
def test_the_same_set_as_by_algorithm_1_on_every_order(contraction: Contraction) -> None:
    graphs = [each.graph for each in branched_schedules(contraction)]
    assert {structure(graph) for graph in graphs if not fills_two(graph)} == brute_force(contraction)
