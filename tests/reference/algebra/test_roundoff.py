"""A floating-point format holds numbers of few digits exactly."""

import numpy as np
from gnomon.reference.algebra.exact import exact
from gnomon.reference.algebra.roundoff import is_representable, roundoff


def test_representable_values() -> None:
    assert is_representable(exact(0.5 + 1j), roundoff(np.dtype("float64")))
    assert not is_representable(exact(2**53 + 1), roundoff(np.dtype("float64")))
