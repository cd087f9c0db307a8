"""Conversions among numbers: single precision as NumPy rounds it, integers rounded once."""

import numpy as np
import pytest
from gnomon.properties.machine.conversion import conversion, nearest_single, single
from gnomon.properties.machine.fault import BadConversion, Narrowed
from gnomon.properties.machine.run import CALLER
from gnomon.properties.machine.types import BOOL, DOUBLE, FLOAT, INT, LONG, SIZE, Complex, Type
from hypothesis import given
from hypothesis import strategies as st


@given(st.floats())
def test_single_precision(x: float) -> None:
    with np.errstate(all="ignore"):
        assert single(x) == float(np.float32(x)) or x != x


@given(st.integers(-(2**63), 2**64 - 1))
def test_integers_become_the_nearest_number_in_single_precision(n: int) -> None:
    exact = np.array(n, np.uint64 if n >= 0 else np.int64).astype(np.float32)
    assert nearest_single(n) == float(exact)


@pytest.mark.parametrize(
    ("of", "to", "before", "after"),
    [
        (LONG, SIZE, -1, 2**64 - 1), (DOUBLE, BOOL, 0.5, 1), (DOUBLE, INT, -2.9, -2), (INT, Complex(64), 3, 3 + 0j),
        (Complex(64), DOUBLE, 2 + 5j, 2.0), (DOUBLE, FLOAT, 1e300, float("inf")), (LONG, INT, -(2**31), -(2**31)),
    ],
)  # fmt: skip
def test_values_that_fit(of: Type, to: Type, before: complex, after: complex) -> None:
    assert conversion(of, to, lambda f: before, CALLER)([]) == after


@pytest.mark.parametrize(
    ("of", "to", "before", "kind"),
    [
        (LONG, INT, 2**31, Narrowed), (SIZE, LONG, 2**63, Narrowed), (DOUBLE, INT, 2.0**31, BadConversion),
        (DOUBLE, SIZE, -1.0, BadConversion), (FLOAT, LONG, float("inf"), BadConversion),
        (DOUBLE, INT, float("nan"), BadConversion),
    ],
)  # fmt: skip
def test_values_that_do_not_fit(of: Type, to: Type, before: float, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        conversion(of, to, lambda f: before, CALLER)([])
