"""Components of tensors beside one another: coordinates in order, each once, with their values."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ..algebra.dtypes import same_value
from ..levels.level import Indices
from .tensor import Tensor
from .vectorised import holds_duplicates, in_order_of_levels, sum_neighbours


def distinct(tensor: Tensor) -> tuple[Indices, np.ndarray]:
    """Coordinates and values, each coordinate once, in lexicographic order."""
    coords, values = tensor.components()
    if not tensor.order:
        return coords, tensor.vals
    rows, totals = sum_neighbours(*in_order_of_levels(tuple(coords), values))
    return np.array(rows, np.int64).reshape(tensor.order, len(totals)), totals


def is_stored_alike(one: Tensor, other: Tensor) -> bool:
    """Whether two tensors of one shape have the same fill and hold the same components, each once and each at the same
    position, as far as their arrays tell at once.

    >>> from gnomon import tensor
    >>> A, B, C = (tensor([[0], [2]], [n], (2, 3), f) for n, f in ((5.0, "CSR"), (7.0, "CSR"), (7.0, "CSC")))
    >>> is_stored_alike(A, B), is_stored_alike(B, C)
    (True, False)
    """
    if one.format != other.format or not one.format.has_no_gaps or holds_duplicates(one.format):
        return False
    pairs = list(zip((*one.levels, one.shared), (*other.levels, other.shared), strict=True))
    return same_value(one.fill, other.fill) and all(
        held.keys() == beside.keys() and all(np.array_equal(held[name], beside[name]) for name in held)
        for held, beside in pairs
    )


def drop_fill(coords: Indices, values: np.ndarray, fill: Any) -> tuple[Indices, np.ndarray]:
    """The components that do not hold the fill."""
    kept = ~same_elements(values, np.array([fill], values.dtype))
    return (coords, values) if kept.all() else (coords[:, kept], values[kept])


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
