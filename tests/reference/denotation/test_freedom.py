"""Freedom: what is not claimed where another order of the same operations overflows, or loses what is small."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.differential.check import denote
from gnomon.reference.denotation.denote import Denotation
from gnomon.reference.execution.evaluate import execute

LARGE = {"float32": 1e30, "float64": 1e200, "complex64": 1e30, "complex128": 1e200}


def denoted(source: str, semiring: str | None = None, **operands: Any) -> Denotation:
    """The denotation of an expression on operands."""
    execution = execute(source, operands, semiring=semiring)
    return denote(execution.resolved, execution.operands)


@pytest.mark.parametrize("dtype", LARGE)
def test_operands_that_overflow_together_may_be_combined_first(dtype: str) -> None:
    large = LARGE[dtype]
    a, b, c = (np.array([x], dtype) for x in (0.0, large, large))
    found = denoted("y(i) = a(i) * b(i) * c(i)", a=a, b=b, c=c)
    assert found.accepts((0,), np.nan) and found.accepts((0,), 0.0)
    gn.check("y(i) = a(i) * b(i) * c(i)", a=a, b=b, c=c, schedule="loopfuse({},1,right,t)")


@pytest.mark.parametrize("dtype", LARGE)
def test_operands_that_vanish_together_may_be_combined_first(dtype: str) -> None:
    large = LARGE[dtype]
    a, b, c = (np.array([x], dtype) for x in (large, 1 / large, 1 / large))
    found = denoted("y(i) = a(i) * b(i) * c(i)", a=a, b=b, c=c)
    assert found.accepts((0,), 0.0)
    gn.check("y(i) = a(i) * b(i) * c(i)", a=a, b=b, c=c, schedule="loopfuse({},1,right,t)")


def test_what_a_result_holds_may_be_combined_first_with_what_updates_it() -> None:
    y, a, b = (np.array([x]) for x in (1e200, 1e200, 1e-200))
    found = denoted("y(i) *= a(i) * b(i)", y=y, a=a, b=b)
    assert found.accepts((0,), np.inf) and found.accepts((0,), 1e200)
    usual = denoted("y(i) *= a(i) * b(i)", y=np.array([2.0]), a=np.array([3.0]), b=np.array([4.0]))
    assert usual.accepts((0,), 24.0) and not usual.accepts((0,), 25.0)
    gn.check("y(i) *= a(i) * b(i)", y=y, a=a, b=b, schedule="loopfuse({},2,left,t)")


def test_sums_overflow_in_some_orders_too() -> None:
    top = float(np.finfo("float64").max)
    a, b, c = (np.array([x]) for x in (-top, top, top / 2))
    found = denoted("y(i) = a(i) + b(i) + c(i)", a=a, b=b, c=c)
    assert found.accepts((0,), np.inf)
    gn.check("y(i) = a(i) + b(i) + c(i)", a=a, b=b, c=c, schedule="loopfuse({},1,right,t)")


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("y(i) = a(i) * b(i) * c(i)", 25.0),
        ("y(i) = a(i) + b(i) + c(i)", 10.0),
        ("y(i) = max(max(a(i), b(i)), c(i))", 3.0),
        ("y(i) = a(i) * b(i)", 7.0),
    ],
)
def test_operands_of_usual_size_are_claimed(source: str, wrong: float) -> None:
    operands = {"a": np.array([2.0]), "b": np.array([3.0]), "c": np.array([4.0])}
    given = {name: held for name, held in operands.items() if f"{name}(" in source}
    found = denoted(source, **given)
    assert not found.accepts((0,), wrong) and not found.accepts((0,), np.inf) and not found.accepts((0,), 0.0)


def test_the_smallest_of_small_numbers_is_claimed() -> None:
    operands = {name: np.array([x]) for name, x in (("a", 5e-324), ("b", 1e-320), ("c", 1e-310))}
    found = denoted("y(i) = min(min(a(i), b(i)), c(i))", **operands)
    assert found.accepts((0,), 5e-324) and not found.accepts((0,), 1.0)


@pytest.mark.parametrize("dtype", LARGE)
def test_operands_may_be_taken_out_of_sums_of_products(dtype: str) -> None:
    top = float(np.finfo(dtype).max)
    source, factored = "y(i) = sum(k, x(i) * b(i,k))", "loopfuse({},b(i,k),left,t)"
    for x, b, other in ((np.inf, [-1.0, 3.0], np.inf), (np.inf, [0.0, 3.0], np.inf), (1e-5, [top, top], np.inf)):
        operands = {"x": np.array([x], dtype), "b": np.array([b], dtype)}
        assert denoted(source, **operands).accepts((0,), other)
        gn.check(source, **operands, schedule=factored)


def test_operands_may_be_taken_out_of_sums_that_change_places() -> None:
    source = "y = sum(i, sum(k, x(k) * b(i,k)))"
    operands = {"x": np.array([np.inf, 1.0]), "b": np.array([[1.0, 2.0], [-2.0, 1.0]])}
    assert denoted(source, **operands).accepts((), -np.inf)
    operands["x"][0] = 2.0
    assert not denoted(source, **operands).accepts((), -np.inf) and denoted(source, **operands).accepts((), 1.0)


def test_what_all_contributions_have_in_common_is_claimed() -> None:
    infinite = {"x": np.array([np.inf]), "b": np.array([[1.0, 3.0]])}
    assert not denoted("y(i) = sum(k, x(i) * b(i,k))", **infinite).accepts((0,), np.nan)
    both = {"x": np.array([[np.inf, np.inf]]), "b": np.array([[-1.0, 3.0]])}
    assert not denoted("y(i) = sum(k, x(i,k) * b(i,k))", **both).accepts((0,), np.inf)


def test_rounding_among_the_smallest_numbers_may_be_multiplied() -> None:
    operands = {name: np.array([x]) for name, x in (("a", -19.459), ("b", 13.865), ("c", 9.595), ("d", 5e-324))}
    found = denoted("y(i) = a(i) * b(i) * c(i) * d(i)", **operands)
    assert found.accepts((0,), -12791e-324) and found.accepts((0,), -13300e-324) and not found.accepts((0,), 1e-317)
    gn.check("y(i) = a(i) * b(i) * c(i) * d(i)", **operands, schedule="loopfuse({},a(i)*d(i),left,t)")


@pytest.mark.parametrize(
    ("source", "semiring", "fill"),
    [("y(i) = x(i) * ((d(i) + 2) * 0)", "max_second", 0), ("y(i) = x(i) * (d(i) * 0)", None, 3)],
)
def test_what_is_missing_may_annihilate_together_with_a_number(source: str, semiring: str | None, fill: int) -> None:
    d = gn.tensor([[1]], [7], (2,), "SparseVector", dtype="uint8", fill=fill)
    operands = {"x": gn.tensor([[0]], [4], (2,), "SparseVector", dtype="uint8"), "d": d}
    for schedule in ("", "loopfuse({},1,left,T)", "loopfuse({},1,right,T)"):
        gn.check(source, **operands, semiring=semiring, out="SparseVector", schedule=schedule)
    found = denoted(source, semiring=semiring, **operands)
    assert found.point((0,)).readings[0].undecided and not found.point((1,)).readings[0].undecided


@pytest.mark.parametrize("source", ["y(i) = a(i) * c(i) * b(i)", "y(i) = c(i) * a(i) * b(i)"])
def test_what_is_missing_may_annihilate_together_once_it_is_rounded(source: str) -> None:
    a, b = (gn.tensor([[0]], [1.0], (2,), "SparseVector", fill=1e-200) for _ in "ab")  # 1e-200 * 1e-200 underflows
    c = gn.tensor([[0, 1]], [2.0, 2.0], (2,), "SparseVector")
    for schedule in ("", "precompute(a(i)*b(i),{i},{i},w)", "loopfuse({},1,right,T)"):
        gn.check(source, a=a, b=b, c=c, out="SparseVector", schedule=schedule)
    assert denoted(source, a=a, b=b, c=c).point((1,)).presence() == {True, False}
    large = gn.tensor([[0]], [1.0], (2,), "SparseVector", fill=1e-100)
    assert denoted(source, a=large, b=large, c=c).point((1,)).presence() == {True}


def test_a_complex_number_next_to_the_largest_one_overflows_with_others() -> None:
    largest, others = np.array([complex(np.finfo(float).max, 3.5)]), [np.array([x + 0j]) for x in (0.0, -2.5, 18.0)]
    operands = dict(zip("abcd", [largest, *others], strict=True))
    assert denoted("y(i) = a(i) * b(i) * c(i) * d(i)", **operands).accepts((0,), complex(np.nan, np.nan))


def test_sums_may_be_rounded_as_they_are_grouped() -> None:
    a, b, c = (np.array([x], "float32") for x in (1e8, -1e8, 1.0))
    found = denoted("y(i) = a(i) + b(i) + c(i)", a=a, b=b, c=c)
    assert found.accepts((0,), 0.0) and not found.accepts((0,), 100.0)
    gn.check("y(i) = a(i) + b(i) + c(i)", a=a, b=b, c=c, schedule="loopfuse({},1,right,t)")


def test_operands_inside_reductions_are_grouped_with_those_outside() -> None:
    x, b, d = np.array([2.0**24], "float32"), np.array([[1, 5]], "float32"), np.array([[1, 7]], "float32")
    source = "y(i) = x(i) + min(k, b(i,k) + d(i,k))"
    found = denoted(source, x=x, b=b, d=d)
    assert found.accepts((0,), 2.0**24) and not found.accepts((0,), 2.0**24 - 8)
    assert not denoted("y(i) = x(i) + min(k, 2 * b(i,k))", x=x, b=b).accepts((0,), 2.0**24)


def test_products_may_be_taken_of_each_of_several_stored_components() -> None:
    """What is stored several times for one coordinate is a sum, over which a product may be distributed."""
    format, huge = "compressed(nonunique)", np.array([6e307])
    B = gn.tensor([[0, 0]], [3.0, -np.inf], (1,), format)
    found = denoted("y(i) = a(i) * B(i)", a=huge, B=B)
    assert found.accepts((0,), np.nan) and found.accepts((0,), -np.inf) and not found.accepts((0,), np.inf)
    B = gn.tensor([[0, 0, 0]], [1e16, 1.0, -1e16], (1,), format)
    found = denoted("y(i) = a(i) * B(i)", a=np.array([1.1]), B=B)
    assert found.accepts((0,), 12.0) and not found.accepts((0,), 60.0)
    gn.check("s = a(i) * B(i)", a=np.array([1.1]), B=B)
