"""Dominance: stage 3 of SparseAuto's Table 3, by the authors' counts and by those of what is stored."""

from __future__ import annotations

from fractions import Fraction

import pytest
from gnomon.properties.sparseauto.kernels import KERNELS
from gnomon.reference.schedule.branched.constraints import parse_constraints
from gnomon.reference.schedule.branched.cost import cost_of
from gnomon.reference.schedule.branched.dominance import (
    Removal,
    Rule,
    Symbolic,
    Verdict,
    is_nonnegative,
    known_sizes,
    remove_dominated,
    symbolic,
)
from gnomon.reference.schedule.branched.polynomial import Polynomial, constant, variable
from gnomon.reference.schedule.branched.poset import shallowest
from hypothesis import given
from hypothesis import strategies as st

from .kernels import schedules_of

EVERYWHERE, SOMEWHERE = Removal.EVERYWHERE, Removal.SOMEWHERE


@pytest.mark.parametrize(
    ("row", "left"),
    [
        (1, {(rule, removal): (1, 1) for rule in Rule for removal in Removal}),
        (3, {(rule, removal): (2, 1) for rule in Rule for removal in Removal}),
        (4, {(rule, removal): (2, 1) for rule in Rule for removal in Removal}),
        (6, {(rule, removal): (3, 1) for rule in Rule for removal in Removal}),
        (7, {(rule, removal): (1, 1) for rule in Rule for removal in Removal}),
        (8, {(rule, removal): (2, 1) for rule in Rule for removal in Removal}),
        (
            5,
            {
                (Rule.DENSE, SOMEWHERE): (16, 3),
                (Rule.STORED, SOMEWHERE): (12, 2),
                (Rule.DENSE, EVERYWHERE): (18, 4),
                (Rule.STORED, EVERYWHERE): (18, 4),
            },
        ),
    ],
)
def test_what_is_left_of_table_3(row: int, left: dict[tuple[Rule, Removal], tuple[int, int]]) -> None:
    contraction = KERNELS[row].contraction
    sizes = known_sizes(contraction, parse_constraints(KERNELS[row].constraints, contraction), is_nonnegative)
    costs = [cost_of(each) for each in shallowest(schedules_of(row))]
    groups = list(dict.fromkeys(costs))
    for (rule, removal), expected in left.items():
        pruned = remove_dominated([symbolic(contraction, cost, rule) for cost in groups], sizes, removal)
        kept = [groups[n] for n in pruned.left]
        assert (sum(map(costs.count, kept)), len(kept), pruned.open) == (*expected, 0), (rule, removal)


def test_what_removes_is_worse_nowhere() -> None:
    contraction = KERNELS[1].contraction
    sizes = known_sizes(contraction, parse_constraints("8 <= K <= 16, L >= 20", contraction), is_nonnegative)
    K, L, zero = variable("K"), variable("L"), constant(0)
    assert sizes.is_everywhere(Symbolic(K, zero), Symbolic(L, zero)) is Verdict.PROVED
    assert sizes.is_everywhere(Symbolic(L, zero), Symbolic(K, zero)) is Verdict.REFUTED
    assert sizes.is_everywhere(Symbolic(K, zero), Symbolic(K, zero)) is Verdict.REFUTED
    assert sizes.is_everywhere(Symbolic(K, L), Symbolic(L, zero)) is Verdict.REFUTED
    traded = Symbolic(K, variable("I")), Symbolic(constant(12), variable("J"))
    assert sizes.is_somewhere(*traded) is Verdict.REFUTED


def test_ends_of_ranges_prove_what_is_linear_and_the_least_that_is_stored_counts() -> None:
    contraction = KERNELS[1].contraction
    stated = parse_constraints("1 <= K <= 4, I <= nnz(B)", contraction)
    known = known_sizes(contraction, stated, is_nonnegative).constraints
    K, stored = variable("K"), variable("nnz(B)")
    assert is_nonnegative(constant(4) - K, known) and is_nonnegative(stored - variable("I"), known)
    assert not is_nonnegative(K * K - constant(4) * K + constant(3), known)
    assert not is_nonnegative(stored - variable("J"), known)


def test_scalars_count_as_no_memory() -> None:
    contraction = KERNELS[1].contraction
    (winner,) = shallowest(schedules_of(1))
    assert (
        cost_of(winner).memory == (frozenset(),)
        and not symbolic(contraction, cost_of(winner), Rule.STORED).memory.terms
    )


def test_what_is_neither_proved_nor_refuted_is_open() -> None:
    contraction = KERNELS[1].contraction
    sizes = known_sizes(contraction, (), is_nonnegative)
    square = variable("K") * variable("K") - constant(2) * variable("K") * variable("L") + variable("L") * variable("L")
    assert sizes.is_everywhere(Symbolic(constant(0), constant(0)), Symbolic(square, constant(0))) is Verdict.OPEN
    assert remove_dominated([Symbolic(square, constant(0)), Symbolic(constant(0), constant(0))], sizes).left == (0, 1)


@st.composite
def polynomials(draw: st.DrawFn) -> Polynomial:
    """Polynomials in sizes of row 1."""
    found = constant(draw(st.integers(-40, 40)))
    for _ in range(draw(st.integers(1, 4))):
        term = constant(Fraction(draw(st.integers(-3, 3))))
        for name in draw(st.lists(st.sampled_from(["I", "J", "K", "nnz(B)"]), max_size=2)):
            term *= variable(name)
        found += term
    return found


@given(polynomials(), st.data())
def test_what_is_proved_holds_at_all_sizes(p: Polynomial, data: st.DataObject) -> None:
    contraction = KERNELS[1].contraction
    stated = parse_constraints("2 <= I <= 9, 3 <= J, 1 <= K <= 4, I <= nnz(B)", contraction)
    if not is_nonnegative(p, known_sizes(contraction, stated, is_nonnegative).constraints):
        return
    sizes = {v: data.draw(st.integers(*ends)) for v, ends in {"I": (2, 9), "J": (3, 90), "K": (1, 4)}.items()}
    assert p.evaluate({**sizes, "nnz(B)": data.draw(st.integers(sizes["I"], sizes["I"] * sizes["J"]))}) >= 0
