"""Thresholds: conditions on values are refused, and what their hints say ends the loop where they would have."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import pytest
from gnomon.reference.errors import ExpressionError, ParseError
from gnomon.reference.procedure.parser import parse_procedure

TEXT = """
procedure p(x, eps) -> x
  repeat
    x(i) = {} * x(i)
    d = max(i, x(i)) + 0 * eps{}
  until {}
"""


def hint_of(condition: str, **given: Any) -> str:
    """The hint with which a condition is refused, when it is read or when it is asked."""
    with pytest.raises((ParseError, ExpressionError), match=r"is no (condition|number)") as refused:
        gn.run(TEXT.format(0.5, "", condition), x=[1.0, 2.0], **given)
    assert refused.value.hint is not None
    return refused.value.hint


@pytest.mark.parametrize(
    ("condition", "mask", "factor", "first"),
    [
        ("d below 0.1", "ge(d, 0.1)", 0.5, 0.0625),
        ("d below eps", "ge(d, eps)", 0.5, 0.0625),
        ("d < eps", "ge(d, eps)", 0.5, 0.0625),
        ("d<1e-1", "ge(d, 1e-1)", 0.5, 0.0625),
        ("d <= .125", "gt(d, .125)", 0.5, 0.125),
        ("d above 0.1", "le(d, 0.1)", 2, 4.0),
        ("d > 4", "le(d, 4)", 2, 8.0),
        ("d >= 4", "lt(d, 4)", 2, 4.0),
        ("d above 4.0", "le(d, 4.0)", 2, 8.0),
    ],
)
def test_a_mask_ends_a_loop_on_a_value(condition: str, mask: str, factor: float, first: float) -> None:
    hint = hint_of(condition, eps=0.1)
    assert hint == f"above and below count components; to end on a value, write e<{mask}> = 1 before and e empty here"
    text = TEXT.format(factor, f"\n    e<{mask}> = 1", "e empty")
    assert gn.run(text, x=[0.0, 2.0], eps=0.1).to_numpy().tolist() == [0, first]


def test_a_value_that_is_zero_does_not_end_a_loop_that_waits_for_more() -> None:
    text = TEXT.format(1, "\n    x(i) = x(i) + 1\n    e<le(d, 1.5)> = 1", "e empty")
    assert gn.run(text, x=[0.0], eps=0.0).to_numpy().tolist() == [3]


def test_the_name_of_the_mask_is_new() -> None:
    assert "write e0<ge(d, e)> = 1 before and e0 empty here" in hint_of("d < e", eps=0.1)


def test_where_a_loop_stops_midway_the_hint_fits_too() -> None:
    text = "procedure p(x) -> x\n  repeat\n    x(i)=x(i)\n    stop if x empty or d below 0.1\n  until 2 steps"
    with pytest.raises(ParseError) as refused:
        parse_procedure(text)
    assert str(refused.value.hint).endswith("write e<ge(d, 0.1)> = 1 before and e empty here")
    span = refused.value.span
    assert span is not None and text[span.start : span.stop] == "d below 0.1"


@pytest.mark.parametrize(("condition", "eps"), [("d below eps", 0), ("d above eps", -1), ("d below eps", [1, 2])])
def test_whole_numbers_that_do_not_fit_are_no_values(condition: str, eps: Any) -> None:
    text = TEXT.replace(" + 0 * eps", "").format(0.5, "", condition)
    with pytest.raises(ExpressionError) as refused:
        gn.run(text, x=[1.0, 2.0], eps=eps)
    assert str(refused.value.hint).startswith("pass a whole number from ")


@pytest.mark.parametrize("condition", ["d small", "d below", "dbelow 3", "d < 0.1 * x", "max(d) < 1"])
def test_all_else_has_the_list_of_conditions(condition: str) -> None:
    assert hint_of(condition, eps=0.1).startswith("write until NAME unchanged, ")
