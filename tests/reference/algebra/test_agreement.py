"""Computed numbers agree with what their bounds allow, whatever side of zero that is on."""

import math
from fractions import Fraction

import numpy as np
import pytest
from gnomon.properties.differential.check import check
from gnomon.reference.algebra.agreement import agrees
from gnomon.reference.algebra.exact import exact

SINGLE = np.dtype("float32")


@pytest.mark.parametrize(
    ("computed", "value", "bound", "expected"),
    [
        (math.inf, 10**39, 0.0, True), (-math.inf, 10**39, 0.0, False), (-math.inf, 10**37, 1e40, True),
        (math.inf, -(10**37), 1e40, True), (math.inf, 10**37, 1e30, False), (-math.inf, 0, 1e39, True),
        (math.nan, 10**37, 1e40, False), (1.0, math.inf, 1e40, False), (math.inf, -math.inf, 1e40, False),
    ],
)  # fmt: skip
def test_an_infinity_agrees_where_the_bound_reaches_past_the_largest_number_on_its_side(
    computed: float, value: float, bound: float, expected: bool
) -> None:
    assert agrees(computed, exact(value), bound, SINGLE) is expected


def test_complex_numbers_agree_part_by_part() -> None:
    value = exact(complex(1, -2))
    assert agrees(1.5 - 2.5j, value, 0.5, np.dtype("complex128"))
    assert not agrees(1.5 - 2.75j, value, 0.5, np.dtype("complex128"))
    assert agrees(Fraction(1), exact(1 + 0j), 0.0, np.dtype("complex128"))


def test_a_sum_that_cancels_may_overflow_on_the_other_side_when_it_is_multiplied() -> None:
    """The sum is 0.1 and -3 as float32 adds it up from the left; times 2e38 that is minus infinity."""
    given = {"a": -1e8, "b": -4.9, "c": 1e8 + 8, "d": -3.0, "e": 2e38}
    operands = {name: np.array(v, np.float32) for name, v in given.items()}
    assert check("y = (a + b + c + d) * e", operands).checked == 1
