"""SciPy sparse matrices and arrays, kept in their own format."""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from ..algebra.scalars import cast
from ..errors import FormatError, StorageError
from ..storage.named_formats import format_of
from ..storage.packing import array_of, checked_shape, fit_values, guard, pack
from ..storage.tensor import Tensor
from ..storage.vectorised import in_order_of_levels, indices, run_starts

FORMATS = {"csr": "CSR", "csc": "CSC", "coo": "COO", "dia": "DIA", "lil": "CSR", "dok": "COO"}


def is_scipy(value: Any) -> bool:
    """Whether a value is a SciPy sparse matrix or array, without importing SciPy."""
    return hasattr(value, "tocoo") and hasattr(value, "format") and type(value).__module__.startswith("scipy.sparse")


def from_scipy(value: Any) -> Tensor:
    """The tensor in the format that SciPy holds it in, with arrays of its own. Duplicates add up.

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
        format = "BCSR({},{})".format(*value.data.shape[1:]) if kind == "bsr" else FORMATS[kind]
        if kind in ("csr", "csc", "bsr") and (segments := in_order(segments_of(value))) is not None:
            return keep_segments(segments, value.shape, format)
        if kind == "dia" and (stored := diagonals(value)) is not None:
            return keep_diagonals(*stored, value.shape)
        coords, values = components(value)
    except (ValueError, TypeError, IndexError, AttributeError, OverflowError) as error:
        raise contradiction_error(value, str(error)) from None
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


class Segments(NamedTuple):
    """Compressed rows or columns, without room beyond the last: where each begins, and their other coordinates and
    values, in blocks."""

    indptr: np.ndarray
    indices: np.ndarray
    data: np.ndarray


def segments_of(value: Any) -> Segments:
    """The compressed rows, columns or rows of blocks of a SciPy array. Raises StorageError where arrays contradict each
    other."""
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
    if held.size and (held.min() < 0 or held.max() >= columns):
        n = int(np.flatnonzero((held < 0) | (held >= columns))[0])
        raise contradiction_error(value, f"indices[{n}] is {held[n]}, outside [0, {columns})")
    return Segments(indptr, held, data[: indptr[-1]])


def is_in_order(segments: Segments) -> bool:
    """Whether the coordinates of each segment rise, so that none is there twice."""
    rises = segments.indices[1:] > segments.indices[:-1]
    begun = segments.indptr[1:-1]
    rises[begun[(begun > 0) & (begun < len(segments.indices))] - 1] = True
    return bool(rises.all())


def in_order(segments: Segments) -> Segments | None:
    """Segments whose coordinates rise; None where a coordinate is there twice."""
    if is_in_order(segments):
        return segments
    rows, columns = outer_coordinates(segments), segments.indices.astype(np.int64)
    held, order = in_order_of_levels((rows, columns), np.arange(len(columns)))
    if not run_starts(held, len(order)).all():
        return None
    return Segments(segments.indptr, held[1], segments.data[order])


def outer_coordinates(segments: Segments) -> np.ndarray:
    """The number of the segment of each coordinate."""
    ends = segments.indptr.astype(np.int64)
    return np.repeat(np.arange(len(ends) - 1), ends[1:] - ends[:-1])


def keep_segments(segments: Segments, shape: tuple[int, ...], name: str) -> Tensor:
    """The tensor over copies of segments in order."""
    format, extents = format_of(name, 2), checked_shape(shape)
    guard(len(segments.indptr) - 1, format)
    vals = fit_values(array_of(segments.data.reshape(-1), "values"), None).copy()
    vals.flags.writeable = False
    held = {"pos": segments.indptr, "crd": segments.indices}
    level = {name: indices(each, np.int32) for name, each in held.items()}
    found = tuple(n or 0 for n in format.map.level_extents(extents))
    levels = ({}, level, *({} for _ in format.levels[2:]))
    return Tensor(format, extents, vals.dtype, cast(0, vals.dtype), levels, {}, found, vals).mark_trusted()


def of_segments(value: Any) -> tuple[np.ndarray, np.ndarray]:
    """The components of compressed rows, columns or rows of blocks."""
    segments = segments_of(value)
    _, held, data = segments
    block, outer = data.shape[1:], outer_coordinates(segments)
    blocks = (held, outer) if value.format == "csc" else (outer, held)
    inside = np.indices(block)
    coords = [
        b.astype(np.int64)[:, None, None] * size + within for b, size, within in zip(blocks, block, inside, strict=True)
    ]
    return np.stack([a.reshape(-1) for a in coords]), data.reshape(-1)


def offsets_of(value: Any) -> np.ndarray:
    """The offsets of diagonals, one for each row of values."""
    offsets = integers(value, "offsets").astype(np.int64)
    if value.data.ndim != 2 or len(offsets) != len(value.data):
        raise contradiction_error(value, f"there are {len(offsets)} offsets for data of shape {value.data.shape}")
    return offsets


def diagonals(value: Any) -> tuple[np.ndarray, np.ndarray] | None:
    """The offsets of diagonals that hold something in the matrix, in order, and their values at their rows; None where
    a diagonal is there twice. SciPy has values at their columns."""
    offsets, (rows, columns) = offsets_of(value), value.shape
    reaching = [n for n, d in enumerate(offsets.tolist()) if -rows < d < columns]
    if type(value.data) is not np.ndarray or len(set(offsets[reaching].tolist())) < len(reaching):
        return None
    held = {int(offsets[n]): value.data[n] for n in reaching}
    held = {d: row[max(0, d) : min(columns, rows + d)] for d, row in held.items()}
    kept = [d for d in sorted(held) if held[d].any()]
    guard(len(kept) * rows, format_of("DIA", 2))
    values = np.zeros((len(kept), rows), value.data.dtype)
    for own, d in zip(values, kept, strict=True):
        own[max(0, -d) :][: len(held[d])] = held[d]
    values[values == 0] = 0  # which may have been negative
    return np.array(kept, np.int64), values


def keep_diagonals(offsets: np.ndarray, values: np.ndarray, shape: tuple[int, ...]) -> Tensor:
    """The tensor over diagonals in order and their values at their rows."""
    format, extents = format_of("DIA", 2), checked_shape(shape)
    vals = fit_values(array_of(values.reshape(-1), "values"), None).copy()
    vals.flags.writeable = False
    shared, found = {"offset": indices(offsets, np.int32)}, (len(offsets), *extents)
    return Tensor(format, extents, vals.dtype, cast(0, vals.dtype), ({},) * 3, shared, found, vals).mark_trusted()


def of_diagonals(value: Any) -> tuple[np.ndarray, np.ndarray]:
    """The components of diagonals, of which only zeros may lie outside the matrix."""
    offsets, (rows, columns) = offsets_of(value), value.shape
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
    columns, values = (
        np.array(list(chain.from_iterable(lists)), dtype)
        for lists, dtype in ((value.rows, np.int64), (value.data, value.dtype))
    )
    return np.stack([np.repeat(np.arange(len(counts)), counts), columns]), values


def integers(value: Any, name: str) -> np.ndarray:
    """A vector of integers of a SciPy array. Raises StorageError if it is something else."""
    array = getattr(value, name)
    if not isinstance(array, np.ndarray) or array.ndim != 1 or array.dtype.kind not in "iu":
        raise contradiction_error(value, f"{name} is no vector of integers")
    return array


def contradiction_error(value: Any, why: str) -> StorageError:
    """The error for arrays that contradict each other."""
    hint = "make it anew from its rows, columns and values"
    return StorageError(
        f"the arrays of this SciPy {value.format} array are damaged: {why}", hint=hint, rule="file.scipy.damaged"
    )
