"""Components of tensors beside one another: coordinates in order, each once, with their values."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ..levels.level import Indices
from .tensor import Tensor
from .vectorised import sorting_order, sum_duplicates


def distinct(tensor: Tensor) -> tuple[Indices, np.ndarray]:
    """Coordinates and values, each coordinate once, in lexicographic order."""
    coords, values = tensor.components()
    rows, totals = sum_duplicates(tuple(coords), values) if tensor.order else ((), tensor.vals)
    order = sorting_order(rows, len(totals))
    return np.array(rows, np.int64).reshape(tensor.order, len(totals))[:, order], totals[order]


def drop_fill(coords: Indices, values: np.ndarray, fill: Any) -> tuple[Indices, np.ndarray]:
    """The components that do not hold the fill."""
    kept = ~same_elements(values, np.array([fill], values.dtype))
    return coords[:, kept], values[kept]


def every_value(coords: Indices, values: np.ndarray, shape: tuple[int, ...], fill: Any) -> np.ndarray:
    """The value at every coordinate of a shape, in lexicographic order, of components that store each once.

    >>> every_value(np.array([[0, 1], [1, 0]]), np.array([5, 6]), (2, 2), 9).tolist()
    [9, 5, 6, 9]
    """
    strides = np.array([prod(shape[mode + 1 :]) for mode in range(len(shape))], np.int64)
    every = np.full(prod(shape), fill, values.dtype)
    every[strides @ coords] = values
    return every


def same_components(one: tuple[Indices, np.ndarray], other: tuple[Indices, np.ndarray]) -> bool:
    """Whether components are the same."""
    return np.array_equal(one[0], other[0]) and bool(np.all(same_elements(one[1], other[1])))


def same_elements(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Where elements are the same number, or both NaN."""
    exact = one.dtype == other.dtype
    equals = one == other if exact else one.astype(object) == other.astype(object)
    return np.asarray(equals | ((one != one) & (other != other)), bool)
