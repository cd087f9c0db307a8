"""Idioms: functions of other languages are refused with what says the same here."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import ExpressionError, ParseError
from gnomon.reference.notation.idioms import IDIOMS
from gnomon.reference.notation.parser import parse


def hint_of(text: str) -> str:
    """The hint with which a function is refused."""
    with pytest.raises(ParseError, match="is not a function") as refused:
        parse(text)
    assert refused.value.hint is not None
    return refused.value.hint


@pytest.mark.parametrize("name", sorted(IDIOMS))
def test_each_has_one_that_is_written_out(name: str) -> None:
    hint = hint_of(f"y(i) = {name}(abs(x(i)), 1)")
    assert hint.startswith(("write ", "assign under a mask")) and "{" not in hint


def test_idioms_compute_what_is_meant() -> None:
    x = np.array([3.0, -4.0])
    relu = hint_of("y(i) = relu(x(i) - 1)").removeprefix("write ")
    assert relu == "max(x(i) - 1, 0)"
    assert gn.evaluate(f"y(i) = {relu}", x=x).to_numpy().tolist() == [2, 0]
    assert hint_of("y(i) = relu(max(x(i), 1), 2)") == "write max(x(i), 0)"
    mean = hint_of("s = mean(i, x(i))").removeprefix("write ").partition(",  and")[0].partition(", and")[0]
    assert gn.evaluate(f"s = {mean}", x=x, n=2)[()] == -0.5
    norm = hint_of("s = norm(i, x(i))").removeprefix("write ")
    assert gn.evaluate(f"s = {norm}", x=x)[()] == 5
    masked = hint_of("y(i) = where(gt(x(i), 0), x(i), 0)").partition("such as ")[2].partition(";")[0]
    assert gn.evaluate(masked, x=x).to_numpy().tolist() == [3, 0]


@pytest.mark.parametrize("name", ["float64", "int64"])
def test_conversions_follow_from_dtypes(name: str) -> None:
    hint = hint_of(f"y(i) = {name}(x(i) * 2)")
    assert f'out=gn.spec(FORMAT, dtype="{name}")' in hint
    assert gn.evaluate("y(i) = x(i) * 2", x=np.array([3], "int32"), out=gn.spec("d", dtype=name)).dtype == name


def test_scalars_in_a_function_that_is_none_have_its_idiom() -> None:
    with pytest.raises(ExpressionError, match="relu is not a function") as refused:
        gn.evaluate("y = relu(a)", a=2.0)
    assert refused.value.hint == "write max(a, 0)"
