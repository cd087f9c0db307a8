"""Dictionaries from coordinates to values, and dense arrays."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..algebra.dtypes import Number
from ..algebra.scalars import abbreviate, checked_dtype, checked_fill, scalars
from ..errors import StorageError
from ..storage.format import Format
from ..storage.named_formats import dense
from ..storage.packing import array_of, checked_shape, pack, pack_array
from ..storage.spec import Spec, storage_spec
from ..storage.tensor import Tensor
from ..storage.vectorised import sum_duplicates


def from_dict(
    components: Mapping[tuple[int, ...], Any],
    shape: tuple[int, ...],
    format: str | Format | Spec | None = None,
    *,
    fill: Number | None = None,
) -> Tensor:
    """The tensor with these components, in COO if no format is given, a scalar as it is. Raises StorageError for
    coordinates that are none of the shape's.

    >>> from_dict({(0, 1): 2.0}, (2, 2), "CSR").to_numpy().tolist()
    [[0.0, 2.0], [0.0, 0.0]]
    """
    if not isinstance(components, Mapping):
        hint = "write for example {(0, 1): 2.0}"
        raise StorageError(
            f"expected a dictionary of components, but found {abbreviate(components)}",
            hint=hint,
            rule="file.dictionary",
        )
    extents = checked_shape(shape)
    found = [checked_coordinates(i, extents) for i in components]
    coords = np.array(found, np.int64).reshape(len(found), len(extents)).T
    chosen = ("COO" if extents else dense(0)) if format is None else format
    return pack(coords, list(components.values()), extents, chosen, fill=fill)


def checked_coordinates(i: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    """A key of a dictionary as coordinates in the shape."""
    if not isinstance(i, tuple) or len(i) != len(shape):
        raise StorageError(
            f"{abbreviate(i)} is not a tuple of {len(shape)} coordinates",
            hint="write for example (0, 1)",
            rule="file.dictionary",
        )
    try:
        c = tuple(operator.index(n) for n in i)
    except TypeError:
        raise StorageError(
            f"the coordinates {abbreviate(i)} are not integers", hint="write for example (0, 1)", rule="file.dictionary"
        ) from None
    if any(not 0 <= x < n for x, n in zip(c, shape, strict=True)):
        raise StorageError(
            f"{abbreviate(c)} lies outside the shape {shape}", hint="coordinates count from 0", rule="file.dictionary"
        )
    return c


def to_dict(tensor: Tensor) -> dict[tuple[int, ...], Any]:
    """The stored components of a tensor; duplicates add up. Raises MeaningError if integers overflow."""
    if not isinstance(tensor, Tensor):
        raise StorageError(
            f"expected a tensor, but found {abbreviate(tensor)}",
            hint="make one of it, with gn.tensor(...)",
            rule="file.dictionary",
        )
    coords, values = tensor.components()
    rows, totals = sum_duplicates(tuple(coords), values)
    places = zip(*(row.tolist() for row in rows), strict=True) if tensor.order else [()]
    return dict(zip(places, scalars(totals), strict=True))


def from_numpy(array: np.ndarray, format: str | Format | Spec, *, fill: Number | None = None) -> Tensor:
    """The components of an array that differ from the fill, which is 0 unless said, in a format.

    >>> from_numpy(np.array([[0.0, 2.0], [0.0, 0.0]]), "CSR").nnz
    1
    """
    if not isinstance(array, np.ndarray | np.generic):
        raise StorageError(
            f"expected a NumPy array, but found {abbreviate(array)}", hint="pass np.array(...)", rule="file.numpy"
        )
    array = array_of(array, "elements")
    dtype = checked_dtype(array.dtype)
    asked = storage_spec(format, fill=fill)
    stored = dtype if asked.dtype is None else asked.dtype
    fill = checked_fill(0 if asked.fill is None else asked.fill, stored)
    if asked.format == dense(array.ndim) and stored == dtype:
        return pack_array(array, fill)
    kept = np.isnan(array) != np.isnan(fill) if fill != fill else array != np.array(fill, stored)
    if array.ndim == 0:
        return pack(np.zeros((0, 1), np.int64), array.reshape(1), (), asked, fill=fill)
    return pack(np.stack(np.nonzero(kept)), array[kept], array.shape, asked, fill=fill)
