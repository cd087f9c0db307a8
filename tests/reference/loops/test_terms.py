"""Terms: numbers are computed at once, what changes nothing is left out, and every value is the one that was meant."""

from __future__ import annotations

from typing import Any

import pytest
from gnomon.properties.proofs.relations.term_values import Sizes, term_value
from gnomon.reference.loops.terms import (
    Binary,
    Coordinate,
    Extent,
    Operator,
    Term,
    combine,
    difference_of,
    greatest,
    least,
    product_of,
    quotient_of,
    remainder_of,
    sum_of,
)
from hypothesis import given
from hypothesis import strategies as st

MADE: dict[Operator, Any] = {
    "+": sum_of, "-": difference_of, "*": product_of, "//": quotient_of, "%": remainder_of, "min": least,
    "max": greatest,
}  # fmt: skip
VALUES = {"M": -3, "N": 7}
INDEX = Coordinate("i")


@st.composite
def terms(draw: st.DrawFn, depth: int = 3) -> tuple[Term, int]:
    """A term, and what it is to be."""
    if depth == 0 or draw(st.booleans()):
        number = draw(st.integers(-2, 3))
        name = draw(st.sampled_from([None, *VALUES]))
        return (number, number) if name is None else (Extent(name), VALUES[name])
    (left, a), (right, b) = draw(terms(depth - 1)), draw(terms(depth - 1))
    operator = draw(st.sampled_from([o for o in MADE if b or o not in ("//", "%")]))
    return MADE[operator](left, right), combine(operator, a, b)


@given(terms())
def test_terms_have_the_value_that_was_meant(drawn: tuple[Term, int]) -> None:
    term, value = drawn
    assert term_value(term, Sizes(VALUES.__getitem__)) == value


@pytest.mark.parametrize("operator", MADE)
def test_numbers_are_computed_at_once(operator: Operator) -> None:
    assert MADE[operator](-7, 2) == combine(operator, -7, 2)
    assert MADE[operator](INDEX, 3) == Binary(operator, INDEX, 3) and MADE[operator](3, INDEX) == Binary(
        operator, 3, INDEX
    )


def test_what_changes_nothing_is_left_out() -> None:
    assert (
        sum_of(INDEX, 0)
        == sum_of(0, INDEX)
        == difference_of(INDEX, 0)
        == product_of(INDEX, 1)
        == product_of(1, INDEX)
        == INDEX
    )
    assert difference_of(0, INDEX) == Binary("-", 0, INDEX)
    assert [combine(operator, -7, 2) for operator in MADE] == [-5, -9, -14, -4, 1, -7, 2]


def test_operators_of_python_make_terms() -> None:
    made = [
        INDEX + 2,
        2 + INDEX,
        INDEX - 2,
        2 - INDEX,
        INDEX * 2,
        2 * INDEX,
        INDEX // 2,
        2 // INDEX,
        INDEX % 2,
        2 % INDEX,
    ]
    signs: list[Operator] = ["+", "+", "-", "-", "*", "*", "//", "//", "%", "%"]
    sides = [(INDEX, 2), (2, INDEX)] * 5
    assert made == [Binary(sign, *side) for sign, side in zip(signs, sides, strict=True)]  # type: ignore[arg-type]
