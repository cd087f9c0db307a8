"""Dictionaries from coordinates to values, and dense arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import StorageError
from ..format import Format
from ..packing import pack
from ..syntax import Number
from ..tensor import Tensor


def from_dict(
    components: Mapping[tuple[int, ...], Any], shape: tuple[int, ...], format: str | Format = "COO", *, fill: Number = 0
) -> Tensor:
    """The tensor with these components.

    >>> from_dict({(0, 1): 2.0}, (2, 2), "CSR").to_numpy().tolist()
    [[0.0, 2.0], [0.0, 0.0]]
    """
    for i in components:
        if not isinstance(i, tuple) or len(i) != len(shape):
            raise StorageError(f"{i!r} is not a tuple of {len(shape)} coordinates")
    coords = np.array(list(components), np.int64).reshape(len(components), len(shape)).T
    return pack(coords, np.array(list(components.values())), shape, format, fill=fill)


def to_dict(tensor: Tensor) -> dict[tuple[int, ...], Any]:
    """The stored components of a tensor; duplicates add up."""
    found: dict[tuple[int, ...], Any] = {}
    for i, value in tensor.entries():
        found[i] = found[i] + value if i in found else value
    return found


def from_numpy(array: np.ndarray, format: str | Format, *, fill: Number = 0) -> Tensor:
    """The components of an array that differ from the fill, in a format.

    >>> from_numpy(np.array([[0.0, 2.0], [0.0, 0.0]]), "CSR").nnz
    1
    """
    kept = np.isnan(array) != np.isnan(fill) if fill != fill else np.asarray(array != fill)
    if array.ndim == 0:
        return pack(np.zeros((0, 1), np.int64), array.reshape(1), (), format, fill=fill)
    return pack(np.stack(np.nonzero(kept)), array[kept], array.shape, format, fill=fill)
