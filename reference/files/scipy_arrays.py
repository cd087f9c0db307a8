"""SciPy sparse matrices and arrays, kept in their own format."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import FormatError, StorageError
from ..storage.packing import array_of, pack
from ..storage.tensor import Tensor

FORMATS = {"csr": "CSR", "csc": "CSC", "coo": "COO", "dia": "DIA", "lil": "CSR", "dok": "COO"}


def is_scipy(value: Any) -> bool:
    """Whether a value is a SciPy sparse matrix or array, without importing SciPy."""
    return hasattr(value, "tocoo") and hasattr(value, "format") and type(value).__module__.startswith("scipy.sparse")


def from_scipy(value: Any) -> Tensor:
    """The tensor in the format that SciPy holds it in. Duplicates add up.

    Raises FormatError for unknown formats, StorageError for arrays that contradict each other. SciPy itself would read
    and write out of bounds by them, so that its conversions are not used.
    """
    kind = value.format
    if kind not in (*FORMATS, "bsr") or (len(value.shape) != 2 and kind != "coo"):
        other = ".tocsr()" if len(value.shape) == 2 else ".tocoo()"
        raise FormatError(
            f"SciPy format {kind!r} of order {len(value.shape)} is not known", hint=f"use {other}", rule="file.scipy"
        )
    try:
        coords, values = components(value)
    except (ValueError, TypeError, IndexError, AttributeError, OverflowError) as error:
        raise contradiction_error(value, str(error)) from None
    format = "BCSR({},{})".format(*value.data.shape[1:]) if kind == "bsr" else FORMATS[kind]
    return pack(coords, array_of(values, "values"), value.shape, format)


def components(value: Any) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and values of what a SciPy array stores."""
    match value.format:
        case "csr" | "csc" | "bsr":
            return of_segments(value)
        case "dia":
            return of_diagonals(value)
        case "lil":
            return of_lists(value)
        case _:
            coo = value.tocoo()
            return np.stack(coo.coords if hasattr(coo, "coords") else [coo.row, coo.col]), coo.data


def of_segments(value: Any) -> tuple[np.ndarray, np.ndarray]:
    """The components of compressed rows, columns or rows of blocks, without room beyond the last."""
    data = value.data if value.format == "bsr" else value.data.reshape(len(value.data), 1, 1)
    count, *block = data.shape
    sizes = tuple(n // size for n, size in zip(value.shape, block, strict=True))
    rows, columns = sizes[::-1] if value.format == "csc" else sizes
    indptr, indices = integers(value, "indptr"), integers(value, "indices")
    if len(indptr) != rows + 1:
        raise contradiction_error(value, f"indptr has length {len(indptr)}, but should have {rows + 1}")
    if len(indices) != count:
        raise contradiction_error(value, f"there are {len(indices)} indices for {count} values")
    if indptr[0] != 0 or np.any(indptr[1:] < indptr[:-1]) or indptr[-1] > count:
        raise contradiction_error(value, f"indptr does not rise from 0 to {count}")
    held = indices[: indptr[-1]]
    outside = np.flatnonzero((held < 0) | (held >= columns))
    if outside.size:
        n = int(outside[0])
        raise contradiction_error(value, f"indices[{n}] is {held[n]}, outside [0, {columns})")
    outer = np.repeat(np.arange(rows), np.diff(indptr))
    blocks = (held, outer) if value.format == "csc" else (outer, held)
    inside = np.indices(block)
    coords = [b[:, None, None] * size + within for b, size, within in zip(blocks, block, inside, strict=True)]
    return np.stack([a.reshape(-1) for a in coords]), data[: indptr[-1]].reshape(-1)


def of_diagonals(value: Any) -> tuple[np.ndarray, np.ndarray]:
    """The components of diagonals, of which only zeros may lie outside the matrix."""
    offsets = integers(value, "offsets")
    if value.data.ndim != 2 or len(offsets) != len(value.data):
        raise contradiction_error(value, f"there are {len(offsets)} offsets for data of shape {value.data.shape}")
    rows, columns = value.shape
    reaching = (-rows < offsets) & (offsets < columns)
    data = value.data[reaching, :columns]
    j = np.arange(data.shape[1])
    i = j - offsets[reaching, None]
    n, j = np.nonzero((i >= 0) & (i < rows) & (data != 0))
    return np.stack([i[n, j], j]), data[n, j]


def of_lists(value: Any) -> tuple[np.ndarray, np.ndarray]:
    """The components of lists of columns and of values, one of each per row."""
    counts = [len(row) for row in value.rows]
    if counts != [len(data) for data in value.data] or len(counts) != value.shape[0]:
        raise contradiction_error(value, "the rows have columns without values, or values without columns")
    columns = np.concatenate([np.zeros(0, np.int64), *(np.asarray(row, np.int64) for row in value.rows)])
    return np.stack([np.repeat(np.arange(len(counts)), counts), columns]), np.concatenate(
        [np.zeros(0, value.dtype), *(np.asarray(data, value.dtype) for data in value.data)]
    )


def integers(value: Any, name: str) -> np.ndarray:
    """A vector of integers of a SciPy array. Raises StorageError if it is something else."""
    array = getattr(value, name)
    if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype.kind not in "iu":
        raise contradiction_error(value, f"{name} is no vector of integers")
    return array.astype(np.int64)


def contradiction_error(value: Any, why: str) -> StorageError:
    """The error for arrays that contradict each other."""
    hint = "make it anew from its rows, columns and values"
    return StorageError(
        f"the arrays of this SciPy {value.format} array are damaged: {why}", hint=hint, rule="file.scipy.damaged"
    )
