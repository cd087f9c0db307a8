"""Cursors: what stands at the coordinate of duplicates passes over them once, however long others are stepped."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from effort import executed
from gnomon.reference.storage.tensor import Tensor

EXTENT = 60
UNORDERED = "compressed(nonunique,unordered),singleton(unordered,nonunique)"


def one_row(index: int, format: str) -> Tensor:
    """A matrix with a full row."""
    return gn.tensor([[index] * EXTENT, range(EXTENT)], np.arange(1.0, EXTENT + 1), (EXTENT, EXTENT), format)


def diagonal(format: str) -> Tensor:
    """A matrix with one component a row."""
    return gn.tensor([range(EXTENT)] * 2, np.ones(EXTENT), (EXTENT, EXTENT), format)


@pytest.mark.parametrize("text", ["y(i) = A(i,j) + B(i,j)", "y(i) = A(i,j) * B(i,j)", "y(i) = A(i,j) + B(i,j) * 2 + 1"])
@pytest.mark.parametrize("format", ["COO", UNORDERED, "compressed(nonunique),singleton(nonunique)"])
def test_duplicates_are_passed_over_once(text: str, format: str) -> None:
    """A full row costs a visit of its components, not one for each row that comes before it."""
    first, last = (executed(text, {"A": diagonal(format), "B": one_row(i, format)}) for i in (0, EXTENT - 1))
    assert last - first < EXTENT**2 // 2
