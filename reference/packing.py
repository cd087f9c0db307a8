"""Packing: components to storage, by whole levels at a time, and by level functions one component at a time.

Both give the same arrays. `pack` is the vectorised path; `pack_by_level_functions` defines what it must give.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .assembly import Assembler, indices
from .coordinate_map import Mode, Quotient, Rank, Remainder
from .errors import DtypeError, StorageError
from .format import Format
from .levels.level import Append, Indices, Insert, Level
from .named_formats import format_of
from .scalars import cast, scalars
from .syntax import Number
from .tensor import Tensor
from .types import DTYPES

LARGEST = 2 * 10**9


@dataclass(frozen=True)
class Components:
    """Components in storage order: level coordinates (one array a level), values, level extents, shared arrays."""

    levels: tuple[Indices, ...]
    values: np.ndarray
    extents: tuple[int, ...]
    shared: dict[str, Indices]
    keeps_duplicates: bool


def pack(
    coords: Any,
    values: Any,
    shape: Sequence[int],
    format: str | Format,
    *,
    dtype: Any = None,
    fill: Number = 0,
    index: Any = np.int32,
) -> Tensor:
    """The tensor with these components, `coords` of shape (order, n), in a format.

    Duplicates add up unless the innermost level is non-unique. Raises StorageError, FormatError or DtypeError.
    """
    format, settled, fill, found = prepared(coords, values, shape, format, dtype, fill)
    shared = dict(found.shared)
    stores: list[dict[str, Any]] = []
    parents: Indices = np.zeros(len(found.values), np.int64)
    count = 1
    for k in range(len(format.levels)):
        level, own = analysed(format, k, found, shared, parents, count)
        placed = level.place(parents, found.levels[: k + 1], fresh(format, k, found), count)
        own |= {name: a for name, a in placed.arrays.items() if level.roles()[name] == "array"}
        for name in placed.arrays.keys() & shared.keys():
            held = shared[name]
            shared[name] = np.maximum(held, placed.arrays[name]) if len(held) else placed.arrays[name]
        stores.append({name: v if isinstance(v, int) else indices(v, index) for name, v in own.items()})
        parents, count = placed.positions, placed.size
        guard(count, format)
    vals = np.full(count, fill, settled)
    vals[parents] = found.values
    vals.flags.writeable = False
    arrays = {name: indices(a, index) for name, a in shared.items()}
    return Tensor(format, tuple(shape), settled, fill, tuple(stores), arrays, found.extents, vals)


def analysed(
    format: Format, k: int, found: Components, shared: dict[str, Indices], parents: Indices, count: int
) -> tuple[Level, dict[str, Any]]:
    """Level `k` bound to what is known before its entries are placed, and its own part of that."""
    level = format.levels[k]
    roles = level.roles()
    for name, role in roles.items():
        if role == "shared":
            shared.setdefault(name, np.zeros(0, np.int64))
    own: dict[str, Any] = {
        name: 0 if role == "parameter" else np.zeros(0, np.int64)
        for name, role in roles.items()
        if role in ("array", "parameter")
    }
    if "column" in roles:
        chain = [n for n, other in enumerate(format.levels) if "column" in other.roles()]
        own |= {"stride": len(chain), "column": chain.index(k)}
    given = {"N": found.extents[k], "M": found.extents[k + 1] if k + 1 < len(found.extents) else 0}
    own |= level.bind({**shared, **own, **given}).analyse(parents, found.levels[: k + 1], count)
    return level.bind({**shared, **own, **given}), own


def guard(count: int, format: Format) -> None:
    """Refuse storage that would not fit in memory."""
    if count > LARGEST:
        raise StorageError(f"{format} would need {count} positions", hint="choose a format with fewer dense levels")


def pack_by_level_functions(
    coords: Any,
    values: Any,
    shape: Sequence[int],
    format: str | Format,
    *,
    dtype: Any = None,
    fill: Number = 0,
    index: Any = np.int32,
) -> Tensor:
    """What `pack` gives, by calling assembly level functions for one component after another (Table 3)."""
    format, settled, fill, found = prepared(coords, values, shape, format, dtype, fill)
    known = pack(coords, values, shape, format, dtype=settled, fill=fill, index=index)
    given: list[dict[str, Any]] = []
    for level, store in zip(format.levels, known.levels, strict=True):
        fixed = not isinstance(level, Append | Insert)
        given.append(
            {n: v if isinstance(v, int) else v.tolist() for n, v in store.items() if fixed or isinstance(v, int)}
        )
    shared = {name: values.tolist() for name, values in found.shared.items()}
    assembler = Assembler(format, found.extents, settled, fill, settled=given, shared=shared)
    previous = None
    for c, value in zip(zip(*(a.tolist() for a in found.levels), strict=True), scalars(found.values), strict=True):
        p = assembler.position(c, duplicate=c == previous)
        assembler.values[p] = value
        previous = c
    return assembler.finish(tuple(shape), index)


def prepared(
    coords: Any, values: Any, shape: Sequence[int], format: str | Format, dtype: Any, fill: Number
) -> tuple[Format, np.dtype, Number, Components]:
    """Check components and bring them into the storage order of a format."""
    shape = tuple(int(n) for n in shape)
    format = format_of(format, len(shape))
    coords, values = np.asarray(coords), np.asarray(values)
    settled = np.dtype(values.dtype if dtype is None else dtype)
    check_components(coords, values, shape, settled)
    i = coords.astype(np.int64).reshape(len(shape), len(values))
    values = values.astype(settled)
    levels, extents, shared = mapped(format, i, shape)
    order = np.lexsort(levels[::-1]) if levels else np.arange(len(values))
    levels, values = tuple(a[order] for a in levels), values[order]
    keeps = bool(format.levels) and not format.levels[-1].unique and not format.map.has_rank
    if not keeps:
        levels, values = summed(levels, values)
    found = Components(levels, values, extents, shared | offsets(format, levels, extents), keeps)
    return format, settled, cast(fill, settled), found


def check_components(coords: np.ndarray, values: np.ndarray, shape: tuple[int, ...], dtype: np.dtype) -> None:
    """Refuse components that do not fit the shape, or each other, or the dtype."""
    if dtype not in DTYPES:
        raise DtypeError(f"dtype {dtype} is not supported", hint=f"use one of {', '.join(d.name for d in DTYPES)}")
    if not np.can_cast(values.dtype, dtype, "same_kind") and values.size:
        raise DtypeError(f"values of dtype {values.dtype.name} cannot be stored as {dtype.name}")
    if any(n < 0 for n in shape):
        raise StorageError(f"shape {shape} has a negative extent")
    if coords.size != len(shape) * len(values) or (coords.ndim == 2 and coords.shape[0] != len(shape)):
        raise StorageError(
            f"coordinates of shape {coords.shape} do not fit {len(values)} values of order {len(shape)}",
            hint="give coordinates of shape (order, number of values)",
        )
    if coords.size and coords.dtype.kind not in "iu":
        raise StorageError(f"coordinates have dtype {coords.dtype.name}, not integers")
    for mode, extent in enumerate(shape):
        outside = np.flatnonzero((coords[mode] < 0) | (coords[mode] >= extent)) if coords.size else np.zeros(0, int)
        if outside.size:
            n = int(outside[0])
            where = tuple(int(c) for c in coords[:, n])
            raise StorageError(
                f"component {n} has coordinates {where}, outside the shape {shape} in mode {mode + 1}",
                hint="coordinates count from 0",
            )


def mapped(
    format: Format, i: Indices, shape: tuple[int, ...]
) -> tuple[tuple[Indices, ...], tuple[int, ...], dict[str, Indices]]:
    """Level coordinates, level extents, and the shared arrays that ranks bring."""
    levels: list[Indices] = []
    extents = format.map.level_extents(shape)
    shared: dict[str, Indices] = {}
    for k, term in enumerate(format.map.terms):
        match term:
            case Mode(mode=mode):
                levels.append(i[mode])
            case Quotient(mode=mode, factor=factor):
                levels.append(i[mode] // factor)
            case Remainder(mode=mode, factor=factor):
                levels.append(i[mode] % factor)
            case Rank(plus=None):
                levels.append(slots(format, k, i))
                extents[k] = int(levels[k].max()) + 1 if levels[k].size else 0
            case Rank(plus=plus, minus=minus):
                shared["offset"], ranks = np.unique(i[plus] - i[minus], return_inverse=True)
                levels.append(ranks.astype(np.int64))
                extents[k] = len(shared["offset"])
    return tuple(levels), tuple(int(n) for n in extents if n is not None), shared


def slots(format: Format, k: int, i: Indices) -> Indices:
    """The slot of each component among those with the same coordinates in the full levels below the rank.

    Equal components share a slot.
    """
    keys = []
    for term, level in zip(format.map.terms[k + 1 :], format.levels[k + 1 :], strict=True):
        if not level.full or not isinstance(term, Mode):
            break
        keys.append(i[term.mode])
    rest = [i[m] for m in range(format.order)]
    order = np.lexsort([*rest[::-1], *keys[::-1]])
    group, whole = changed([a[order] for a in keys], len(order)), changed([a[order] for a in rest], len(order))
    number = np.cumsum(whole) - 1
    starts = np.maximum.accumulate(np.where(group, number, 0)) if len(order) else number
    found = np.empty(len(order), np.int64)
    found[order] = number - starts
    return found


def changed(columns: Sequence[Indices], count: int) -> Indices:
    """Where a sorted sequence of coordinates differs from the one before; the first counts as different."""
    different = np.zeros(count, bool)
    different[:1] = True
    for column in columns:
        different[1:] |= column[1:] != column[:-1]
    return different


def summed(levels: tuple[Indices, ...], values: np.ndarray) -> tuple[tuple[Indices, ...], np.ndarray]:
    """Sorted components with duplicates added up."""
    first = np.flatnonzero(changed(levels, len(values)))
    if len(first) == len(values):
        return levels, values
    total = np.logical_or if values.dtype == bool else np.add
    with np.errstate(all="ignore"):
        sums = total.reduceat(values, first).astype(values.dtype)
    return tuple(a[first] for a in levels), sums


def offsets(format: Format, levels: tuple[Indices, ...], extents: tuple[int, ...]) -> dict[str, Indices]:
    """The offset array of diagonals stored as a tensor of higher order: column minus row, per diagonal."""
    if format.map.has_rank or not any("offset" in level.roles() for level in format.levels):
        return {}
    k = next(k for k, level in enumerate(format.levels) if level.branchless and "offset" in level.roles())
    offset = np.zeros(extents[k - 2], np.int64)
    offset[levels[k - 2]] = levels[k] - levels[k - 1]
    wrong = np.flatnonzero(offset[levels[k - 2]] != levels[k] - levels[k - 1])
    if wrong.size:
        n = int(wrong[0])
        raise StorageError(
            f"component {tuple(int(a[n]) for a in levels)} does not lie on diagonal {int(levels[k - 2][n])}, "
            f"whose offset is {int(offset[levels[k - 2][n]])}"
        )
    return {"offset": offset}


def fresh(format: Format, k: int, found: Components) -> Indices:
    """Which components need a node of their own at level `k`, rather than that of the component before.

    A non-unique level has a node for each chain of branchless levels below it.
    """
    end = k
    if not format.levels[k].unique:
        while end + 1 < len(format.levels) and format.levels[end + 1].branchless:
            end += 1
    if end == len(format.levels) - 1 and found.keeps_duplicates and end >= k and not format.levels[k].unique:
        return np.ones(len(found.values), bool)
    return changed(found.levels[: end + 1], len(found.values))
