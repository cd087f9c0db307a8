"""Scalars: which fills a dtype holds."""

import numpy as np
import pytest
from gnomon.reference.algebra.scalars import cast, checked_fill, fill_fits
from gnomon.reference.errors import DtypeError


@pytest.mark.parametrize(
    ("fill", "dtype", "fits"),
    [
        (1e300, "float32", False), (-1e300, "float32", False), (1e300j, "complex64", False), (1e300, "float64", True),
        (np.inf, "float32", True), (np.nan, "float32", True), (10**400, "float64", False), (2**70, "float64", True),
        (2**70, "int64", False), ([[1], 2], "float64", False), ([1], "float64", False), (None, "float64", False),
        (np.ma.masked, "float64", False), ("1", "float64", False), (np.inf, "int8", False),
        (np.timedelta64(3), "float64", False), (np.float32(3), "int8", True), (np.array(3), "int8", True),
        (np.True_, "uint64", True), (np.False_, "uint64", True), (np.True_, "int8", True),
        (np.int8(-1), "uint64", False),
    ],
)  # fmt: skip
def test_fills_fit_or_not(fill: object, dtype: str, fits: bool) -> None:
    assert fill_fits(fill, np.dtype(dtype)) == fits


def test_fills_of_thousands_of_digits_are_refused() -> None:
    for dtype in ("float64", "int64", "complex64"):
        with pytest.raises(DtypeError, match="something of type int that cannot be printed does not fit"):
            checked_fill(10**9999, np.dtype(dtype))


def test_numbers_too_large_become_infinite_without_a_warning() -> None:
    assert cast(1e39, np.dtype("float32")) == np.inf and cast(-1e39, np.dtype("float32")) == -np.inf
    assert cast(1e39j, np.dtype("complex64")).imag == np.inf
