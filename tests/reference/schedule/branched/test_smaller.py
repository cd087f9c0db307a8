"""Smaller spaces: parts of the whole one, and what is looked at of many operands."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.sparseauto.kernels import KERNELS
from gnomon.reference.errors import ScheduleError
from gnomon.reference.schedule.branched.contraction import Contraction, Operand
from gnomon.reference.schedule.branched.graph import Branch, Graph, structure
from gnomon.reference.schedule.branched.smaller import InOrder, OneByOne, connected_order, few_schedules
from gnomon.reference.schedule.branched.space import Found, Space
from msgspec.structs import replace

MANY = 100_000


def chain(count: int, dense: bool = False) -> Contraction:
    """A product of matrices in CSR, or dense ones."""
    loops = "abcdefghijklmno"[: count + 1]
    pairs = [loops[n : n + 2] for n in range(count)]
    operands = tuple(
        Operand(pair.upper(), frozenset(pair))
        if dense
        else Operand(pair.upper(), frozenset(pair), frozenset({(pair[0], pair[1])}), tuple(pair), frozenset(pair[1]))
        for pair in pairs
    )
    return Contraction(operands, Operand("Z", frozenset(loops[0] + loops[-1])), tuple(loops))


def structures(every: list[Found]) -> set[str]:
    """The structures of some schedules."""
    return {structure(each.graph) for each in every}


def joins_one_by_one(graph: Graph) -> bool:
    """Whether every producer leaves one operand to the consumer, which is a nest over it and the temporary."""
    if not isinstance(graph, Branch):
        return True
    return not isinstance(graph.consumer, Branch) and joins_one_by_one(graph.producer)


@pytest.mark.parametrize(
    "contraction", [chain(4), chain(4, dense=True), KERNELS[4].contraction, KERNELS[8].contraction]
)
def test_each_space_is_part_of_the_one_before(contraction: Contraction) -> None:
    order = (connected_order(contraction),)
    sizes = [list(space(contraction, 1, MANY).schedules(order)) for space in (Space, OneByOne, InOrder)]
    assert structures(sizes[2]) <= structures(sizes[1]) <= structures(sizes[0])
    assert structures(sizes[0]) <= structures(list(Space(contraction, 1, MANY).schedules()))
    assert len(sizes[2]) < len(sizes[0])


def test_one_operand_joins_at_a_time() -> None:
    contraction = chain(5)
    found = list(OneByOne(contraction, 1, MANY).schedules((connected_order(contraction),)))
    assert all(joins_one_by_one(each.graph) for each in found) and len(found) > 1


def test_loops_stand_in_the_order_of_the_nest() -> None:
    for each in InOrder(chain(4, dense=True), 1, MANY).schedules(((0, 1, 2, 3),)):
        for nest in structure(each.graph).replace("(", "").replace(")", "").split("|"):
            loops = [v.strip() for v in nest.split(",")]
            assert loops == sorted(loops)


@pytest.mark.parametrize(
    ("contraction", "most", "expected"),
    [
        (chain(6), 200, Space),
        (chain(6), 100, OneByOne),
        (chain(4, dense=True), 400, OneByOne),
        (chain(6, dense=True), 400, InOrder),
    ],
)
def test_the_largest_space_that_is_small_enough_is_taken(
    contraction: Contraction, most: int, expected: type[Space]
) -> None:
    order = (connected_order(contraction),)
    found = few_schedules(contraction, 1, most)
    assert structures(found) == structures(list(expected(contraction, 1, MANY).schedules(order)))


def test_all_orders_are_taken_where_they_are_few() -> None:
    assert structures(few_schedules(chain(4), 1, 40)) == structures(list(Space(chain(4), 1, MANY).schedules()))


def test_what_is_too_large_all_the_same_is_refused() -> None:
    with pytest.raises(ScheduleError, match="more than 10 branched schedules of 6 operands"):
        few_schedules(chain(6), 1, 10)


def test_neighbours_share_loops() -> None:
    mttkrp = [Operand(loops, frozenset(loops)) for loops in ("jr", "ijkl", "kr", "lr")]
    contraction = Contraction(tuple(mttkrp), Operand("A", frozenset("ir")), tuple("ijklr"))
    assert [mttkrp[n].name for n in connected_order(contraction)] == ["ijkl", "lr", "kr", "jr"]
    assert connected_order(replace(contraction, commutative=False)) == (0, 1, 2, 3)
    assert connected_order(chain(5)) == (0, 1, 2, 3, 4)
    deep = tuple(Operand(loops, frozenset(loops)) for loops in ("ijkl", "k", "il"))
    assert connected_order(Contraction(deep, Operand("A", frozenset("i")), tuple("ijkl"))) == (0, 2, 1)


def test_long_products_are_taken_apart() -> None:
    """Of eight operands with three in each row, the linear nest would take 3^7 steps for each row."""
    rng = np.random.default_rng(0)
    matrices = {name: gn.from_numpy((rng.random((9, 9)) < 0.4).astype(float), "CSR") for name in "BCDEFGH"}
    factors = [
        f"{name}({u},{v})" for name, (u, v) in zip(matrices, ["ij", "jk", "kl", "lm", "mn", "no", "op"], strict=True)
    ]
    text, x = f"y(i) = {' * '.join(factors)} * x(p)", rng.random(9)
    kernel = gn.compile(text, **matrices)
    assert kernel.request.choice is not None and "loopfuse" in str(kernel.request.choice.finalists[0].schedule)
    expected = x
    for each in reversed(matrices.values()):
        expected = each.to_numpy() @ expected
    assert np.allclose(kernel(**matrices, x=x).to_numpy(), expected)


@pytest.mark.parametrize("count", [2, 5, 8, 12])
def test_products_of_numbers_have_no_loops(count: int) -> None:
    names = "abcdefghijklmn"[:count]
    kernel = gn.compile(f"z = {' * '.join(names)}")
    assert kernel(**dict.fromkeys(names, 2.0)).to_numpy() == 2.0**count
