"""Passing through: what is kept in a variable reports nothing where nobody asks for it."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import MeaningError
from gnomon.reference.storage.tensor import Tensor


def vector(dtype: str, held: dict[int, int], format: str = "SparseVector") -> Tensor:
    """A vector of two."""
    return gn.tensor([list(held)], np.array(list(held.values()), dtype), (2,), format)


A, B, D = vector("uint16", {0: 2}), vector("int32", {1: 1}), vector("float64", {})
TWICE = gn.tensor([[0, 0]], np.array([100, 100], np.int8), (2,), "compressed(nonunique)")


@pytest.mark.parametrize(
    ("expression", "operands"),
    [
        ("C(i) = (-A(i) - B(i)) * D(i) + E(i)", {"A": A}),
        ("C(i) = (floordiv(1, A(i) - A(i)) - B(i)) * D(i) + E(i)", {"A": A}),
        ("C(i) = (-A(i) + A(i) - A(i) - B(i)) * D(i) + E(i)", {"A": A}),
        ("C(i) = (A(i) - B(i)) * D(i) + E(i)", {"A": TWICE}),
        ("C(i)<!(-A(i) - B(i)) * D(i)> = E(i)", {"A": A}),
    ],
    ids=["overflow", "division", "chain", "duplicates", "mask"],
)
def test_what_nobody_asks_for_reports_nothing(expression: str, operands: dict[str, Any]) -> None:
    given = {**operands, "B": B, "D": D, "E": [1.0, 1.0]}
    expected = gn.evaluate(expression, **given).to_numpy().tolist()
    assert gn.evaluate(expression, **given, engine="c", schedule=None).to_numpy().tolist() == expected
    with pytest.raises(MeaningError):
        gn.evaluate(expression, **{**given, "D": [1.0, 1.0]}, engine="c", schedule=None)
