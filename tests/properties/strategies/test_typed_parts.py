"""Bounds of the integers that a drawn expression comes to."""

import numpy as np
import pytest
from gnomon.properties.strategies.typed_parts import reduction_span
from gnomon.reference.algebra.operators import OPERATORS


@pytest.mark.parametrize(
    ("operator", "span", "extent", "found"),
    [
        ("add", (2, 4), 3, (0, 12)),
        ("max", (2, 4), 3, (2, 4)),
        ("and", (2, 4), 1, (1, 1)),
        ("or", (0, 4), 1, (0, 1)),
        ("xor", (2, 4), 2, (0, 1)),
        ("and", (2, 4), 0, (1, 1)),
    ],
)
def test_reductions(operator: str, span: tuple[int, int], extent: int, found: tuple[int, int]) -> None:
    assert reduction_span(OPERATORS[operator], span, extent, np.dtype("uint64")) == found
