"""Reductions have tight bounds unless a part of them may overflow or vanish."""

import functools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from gnomon.reference.algebra.agreement import agrees
from gnomon.reference.algebra.exact import Exact, exact
from gnomon.reference.algebra.operator import Operator
from gnomon.reference.algebra.operators import OPERATORS
from gnomon.reference.algebra.roundoff import roundoff
from gnomon.reference.algebra.scalars import cast
from hypothesis import given, settings
from hypothesis import strategies as st

U = roundoff(np.dtype("float64"))


def test_products_whose_partial_products_may_overflow_or_vanish_have_no_tight_bound() -> None:
    of_product = OPERATORS["mul"].reduction_bound
    assert of_product is not None
    huge = [exact(v) for v in (1e200, 1e200, 1e-200, 1e-200)]
    assert of_product(huge, [0.0] * 4, exact(1), U) == math.inf
    small = [exact(v) for v in (1e-200, 1e-200, 1e200)]
    assert of_product(small, [0.0] * 3, exact(1e-200), U) > 1e-200
    assert of_product([exact(0.0), exact(1.0)], [0.0, math.inf], exact(0), U) == math.inf


@pytest.mark.parametrize(
    ("factors", "errors", "expected"),
    [
        ((2.0, math.inf), (0.0, 0.0), 0.0),
        ((1e300, 1e300, math.inf), (0.0, 0.0, 0.0), 0.0),
        ((0.0, math.inf), (0.0, 0.0), 0.0),
        ((1e-200, 1e-200, math.inf), (0.0, 0.0, 0.0), math.inf),
        ((1e-300, math.inf), (1e-300, 0.0), math.inf),
        ((5e-324, 2e-308, math.inf, -2.0), (0.0, 0.0, 0.0, 0.0), math.inf),
    ],
)
def test_an_infinite_product_is_certain_unless_others_may_vanish(
    factors: tuple[float, ...], errors: tuple[float, ...], expected: float
) -> None:
    of_product = OPERATORS["mul"].reduction_bound
    assert of_product is not None
    assert of_product([exact(v) for v in factors], errors, math.inf, U) == expected


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ((1e308, 1e308, -math.inf), math.inf), ((-1e308, -1e308, -math.inf), 0.0), ((1e308, -math.inf), 0.0),
        ((1e308, 1e308, math.nan), 0.0), ((complex(1, 1e308), complex(2, 1e308), complex(3, -math.inf)), math.inf),
        ((complex(1, 1e308), complex(2, 1e308), complex(3, math.inf)), 0.0),
    ],
)  # fmt: skip
def test_an_infinite_sum_is_certain_unless_others_may_overflow_against_it(
    terms: tuple[complex, ...], expected: float
) -> None:
    of_sum, values = OPERATORS["add"].reduction_bound, [exact(v) for v in terms]
    assert of_sum is not None
    total = functools.reduce(OPERATORS["add"].exact, values)
    assert of_sum(values, [0.0] * len(values), total, U) == pytest.approx(expected, abs=1e-14)


terms = st.floats(-4, 4) | st.sampled_from([1e8, -1e8, 3e-5]) | st.floats(0.9, 1.1)
moves = st.just(0.0) | st.floats(-1e-3, 1e-3)


def in_some_order(op: Operator, numbers: Sequence[Any], data: st.DataObject) -> Any:
    """The fold of numbers of which any two may be next."""
    left = list(numbers)
    while len(left) > 1:
        one = left.pop(data.draw(st.integers(0, len(left) - 1)))
        two = left.pop(data.draw(st.integers(0, len(left) - 1)))
        with np.errstate(over="ignore"):
            left.append(op.compute(one, two))
    return left[0]


@pytest.mark.parametrize("name", ["add", "mul", "min", "max"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@given(data=st.data())
@settings(max_examples=settings().max_examples // 2)
def test_folds_in_any_order_of_terms_that_are_off_are_within_the_bound(
    name: str, dtype: str, data: st.DataObject
) -> None:
    op, kind = OPERATORS[name], np.dtype(dtype)
    assert op.reduction_bound is not None
    numbers = [cast(v, kind) for v in data.draw(st.lists(terms, min_size=2, max_size=9))]
    values: list[Exact] = [exact(v) + Fraction(data.draw(moves)) for v in numbers]  # type: ignore[operator]
    errors = [math.nextafter(float(abs(v - exact(n))), math.inf) for v, n in zip(values, numbers, strict=True)]  # type: ignore[operator]
    total = functools.reduce(op.exact, values)
    bound = op.reduction_bound(values, errors, total, roundoff(kind))
    assert agrees(in_some_order(op, numbers, data), total, bound, kind)
