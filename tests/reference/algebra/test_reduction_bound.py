"""Reductions have tight bounds unless a part of them may overflow or vanish."""

import functools
import math

import numpy as np
import pytest
from gnomon.reference.algebra.exact import exact
from gnomon.reference.algebra.operators import OPERATORS
from gnomon.reference.algebra.roundoff import roundoff

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
