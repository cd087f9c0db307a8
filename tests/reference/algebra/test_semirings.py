"""Semirings: names, and what is none."""

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import SemiringError


@pytest.mark.parametrize("given", [None, 5, b"min_plus", ["min_plus"], np.zeros(2)])
def test_what_names_no_semiring_is_refused(given: object) -> None:
    with pytest.raises(SemiringError, match="expected the name of a semiring"):
        gn.semiring(given)  # type: ignore[arg-type]


def test_a_semiring_stands_for_its_name() -> None:
    ring = gn.semiring("min_plus")
    assert gn.semiring(ring) is ring
