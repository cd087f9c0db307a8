"""Numbers of several dtypes: which are the same."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from gnomon.reference.algebra.dtypes import Number, same_value

TENTH = np.float32(0.1)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (TENTH, 0.1, False),
        (TENTH, 0.10000000149011612, True),
        (np.complex64(TENTH), 0.1, False),
        (np.complex64(TENTH), TENTH, True),
        (np.float32(np.inf), 1e39, False),
        (np.float32(2.0**24), 2**24 + 1, False),
        (np.int64(2**53 + 1), 2.0**53, False),
        (np.float32("nan"), float("nan"), True),
        (-0.0, np.float32(0), True),
        (np.bool_(True), 1.0, True),
    ],
)
def test_numbers_are_compared_as_they_are(a: Number, b: Number, same: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (same_value(a, b), same_value(b, a)) == (same, same)
