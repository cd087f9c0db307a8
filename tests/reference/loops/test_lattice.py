"""Merge lattices: the points of Figure 6 and others, and that the points cover every coordinate once."""

import itertools

import gnomon as gn
import pytest
from gnomon.properties.programs.problem import Problem
from gnomon.properties.strategies import PLAIN, programs
from gnomon.reference.drawing.hierarchies import LoopPlan, loops
from gnomon.reference.loops.fusing import choose_strategy
from gnomon.reference.notation.printer import pretty
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.statement import Forall, assignments, reads, show
from hypothesis import given, settings


def lattices(expression: str, formats: dict[str, str], out: str) -> dict[str, dict[str, str]]:
    """Loop variable to the points of its lattice: merged tensors to the expression there."""
    order = {
        name: expression.count(",", expression.index(name + "("), expression.index(")", expression.index(name + "(")))
        + 1
        for name in formats
    }
    operands = {n: gn.tensor([[0]] * order[n], [1.0], (3,) * order[n], f) for n, f in formats.items()}
    ready = prepare(expression, operands, out=out)
    return {each.strategy.index: points(each) for each in loops(ready.program)}


def points(each: LoopPlan) -> dict[str, str]:
    return {
        "".join(sorted(a.tensor for a in p.merged)): "; ".join(pretty(a.value) for a in assignments(p.statement))
        for p in each.points()
    }


def test_figure_6_addition_of_csr_and_coo() -> None:
    found = lattices("A(i,j) = B(i,j) + C(i,j)", {"B": "CSR", "C": "COO"}, "RowMajor")
    assert found["j"] == {"BC": "B(i,j) + C(i,j)", "B": "B(i,j)", "C": "C(i,j)"}
    assert found["i"] == {"C": "B(i,j) + C(i,j)", "": "B(i,j)"}


def test_intersection_has_one_point() -> None:
    found = lattices("A(i,j) = B(i,j) * C(i,j)", {"B": "CSR", "C": "COO"}, "RowMajor")
    assert found["j"] == {"BC": "B(i,j) * C(i,j)"}


def test_products_of_sums() -> None:
    found = lattices("a(i) = (b(i) + c(i)) * d(i)", {"b": "s", "c": "s", "d": "s"}, "s")
    assert found["i"] == {"bcd": "(b(i) + c(i)) * d(i)", "bd": "b(i) * d(i)", "cd": "c(i) * d(i)"}


def test_a_constant_addend_iterates_the_whole_extent() -> None:
    found = lattices("a(i) = b(i) + 1", {"b": "s"}, "Dense")
    assert found["i"] == {"b": "b(i) + 1.0", "": "1.0"}


@pytest.mark.every(2)
@pytest.mark.parametrize("value", ["(-1*1)*A(k)", "A(k)*(0*1)", "4/2 - A(k)", "max(2 - 3, A(k))"])
def test_numbers_together_are_a_number_where_the_rest_is_missing(value: str) -> None:
    a = gn.tensor([[0]], [1.0], (3,), "SparseVector", fill=2.0)
    b = gn.tensor([[0]], [1.0], (3,), "SparseVector")
    gn.check(f"y(i) = tanh(sum(k, {value})) * B(i)", A=a, B=b, out="SparseVector")


def test_subtraction_negates_where_the_left_is_missing() -> None:
    found = lattices("a(i) = b(i) - c(i)", {"b": "s", "c": "s"}, "s")
    assert found["i"] == {"bc": "b(i) - c(i)", "b": "b(i)", "c": "-c(i)"}


def test_a_mask_intersects_and_its_complement_does_not() -> None:
    assert lattices("a(i)<m(i)> = b(i)", {"b": "s", "m": "s"}, "s")["i"] == {"bm": "b(i)"}
    assert set(lattices("a(i)<!m(i)> = b(i)", {"b": "s", "m": "s"}, "s")["i"]) == {"bm", "b"}


@given(programs(PLAIN))
@settings(max_examples=settings().max_examples // 2)
def test_every_coordinate_has_one_point_with_the_whole_expression(drawn: Problem) -> None:
    """Whatever subset of the sparse accesses is present, the point found for it merges no other access.

    Nor does it merge what its statement does not read; and larger points come first, as the loops of a merge do.
    """
    for each in loops(drawn.ready.program):
        lattice = each.strategy.lattice
        sizes = [len(point.merged) for point in lattice.points()]
        assert sizes == sorted(sizes, reverse=True)
        for size in range(len(lattice.sparse) + 1):
            for present in map(frozenset, itertools.combinations(lattice.sparse, size)):
                point = lattice.point(present)
                if point is not None:
                    assert point.merged <= present & frozenset(reads(point.statement))
                    assert not frozenset(reads(point.statement)) & (frozenset(lattice.sparse) - present)
                    again = lattice.point(point.merged)
                    assert again is not None
                    assert unsigned(show(again.statement)) == unsigned(show(point.statement))


def unsigned(text: str) -> str:
    """A statement whose zeros have no sign: which of two fills a product leaves depends on what is missing."""
    return text.replace("-0.0", "0.0")


@pytest.mark.parametrize(
    ("left", "right", "name"),
    [
        ("SparseVector", "SparseVector", "co-iterate x, y"),
        ("SparseVector", "Dense", "iterate x; locate y"),
        ("Dense", "SparseVector", "iterate y; locate x"),
        ("HashVector", "HashVector", "iterate x; locate y"),
        ("SparseVector", "HashVector", "iterate x; locate y"),
        ("compressed(unordered)", "Dense", "iterate x; locate y"),
        ("compressed(unordered)", "SparseVector", "co-iterate x, y; reorder x"),
        ("compressed(nonunique)", "SparseVector", "co-iterate x, y; deduplicate x"),
        ("compressed(nonunique)", "Dense", "iterate x; locate y; fused"),
        ("compressed(nonunique,unordered)", "SparseVector", "co-iterate x, y; reorder and deduplicate x"),
        ("Dense", "Dense", "iterate every i; locate x, y"),
    ],
)
def test_figure_8_strategies(left: str, right: str, name: str) -> None:
    x, y = (gn.tensor([[0]], [1.0], (3,), f) for f in (left, right))
    program = prepare("a = x(i) * y(i)", {"x": x, "y": y}).program
    (loop,) = loops(program)
    assert loop.strategy.name() == name
    assert isinstance(program.statement, Forall)
    assert choose_strategy(program, program.statement, ()).name() == name


@pytest.mark.parametrize(
    ("format", "name"),
    [
        ("compressed(full)", "iterate x"),
        ("compressed", "iterate every i with x alongside"),
        ("Dense", "iterate every i; locate x"),
    ],
)
def test_an_iterated_level_that_holds_everything_stands_for_the_extent(format: str, name: str) -> None:
    x = gn.tensor([[0, 1, 2]], [1.0, 2.0, 3.0], (3,), format)
    (loop,) = loops(prepare("y(i) = x(i) + 1", {"x": x}).program)
    assert loop.strategy.name() == name
