"""Packing: components to storage, by whole levels at a time, and by level functions one component at a time.

Both give the same arrays. `pack` is the vectorised path; `pack_by_level_functions` defines what it must give.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .assembly import Assembler, indices
from .errors import DtypeError, StorageError
from .format import Format
from .levels.level import Append, Indices, Insert, Level
from .named_formats import format_of
from .scalars import checked_fill, scalars
from .syntax import Number
from .tensor import Tensor, interleaving
from .types import DTYPES
from .vectorised import fresh, holds_duplicates, mapped, offsets, storage_order, summed

LARGEST = 2**28


@dataclass(frozen=True)
class Components:
    """Components in storage order: level coordinates (one array a level), values, level extents, shared arrays."""

    levels: tuple[Indices, ...]
    values: np.ndarray
    shape: tuple[int, ...]
    extents: tuple[int, ...]
    shared: dict[str, Indices]
    duplicates: bool


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

    Duplicates are kept where the innermost levels are non-unique and add up elsewhere. Siblings of unordered levels
    keep the order in which they come. Raises StorageError, FormatError, DtypeError, and MeaningError where integer sums
    overflow.

    >>> pack([[1, 0, 1]], [1.0, 2.0, 4.0], (3,), "compressed(unordered)").levels[0]["crd"].tolist()
    [1, 0]
    """
    format, fill, found = prepared(coords, values, shape, format, dtype, fill)
    index = checked_index(index)
    shared = dict(found.shared)
    stores: list[dict[str, Any]] = []
    parents: Indices = np.zeros(len(found.values), np.int64)
    count = 1
    for k in range(len(format.levels)):
        level, own = analysed(format, k, found, shared, parents, count)
        if not isinstance(level, Append):
            guard(level.size(count), format)
        nodes = fresh(format, k, found.levels, found.duplicates, len(found.values))
        placed = level.place(parents, found.levels[: k + 1], nodes, count)
        check_room(format, k, found, placed.positions, nodes)
        own |= {name: a for name, a in placed.arrays.items() if level.roles()[name] == "array"}
        for name in placed.arrays.keys() & shared.keys():
            held = shared[name]
            shared[name] = np.maximum(held, placed.arrays[name]) if len(held) else placed.arrays[name]
        stores.append({name: v if isinstance(v, int) else indices(v, index) for name, v in own.items()})
        parents, count = placed.positions, placed.size
    vals = np.full(count, fill, found.values.dtype)
    vals[parents] = found.values
    vals.flags.writeable = False
    arrays = {name: indices(a, index) for name, a in shared.items()}
    return Tensor(format, found.shape, vals.dtype, fill, tuple(stores), arrays, found.extents, vals).trusted()


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
    own |= interleaving(format, k)
    given = {"N": found.extents[k], "M": found.extents[k + 1] if k + 1 < len(found.extents) else 0}
    own |= level.bind({**shared, **own, **given}).analyse(parents, found.levels[: k + 1], count)
    return level.bind({**shared, **own, **given}), own


def guard(count: int, format: Format) -> None:
    """Refuse storage that would not fit in memory."""
    if count > LARGEST:
        raise StorageError(
            f"{format} would need {count} positions, more than {LARGEST}", hint="choose a format with fewer full levels"
        )


def check_room(format: Format, k: int, found: Components, positions: Indices, nodes: Indices) -> None:
    """Refuse two nodes of a level in one position, as of two coordinates below one parent of a padded singleton."""
    starts = np.flatnonzero(nodes)
    held = positions[starts]
    order = np.argsort(held, kind="stable")
    same = np.flatnonzero(held[order][1:] == held[order][:-1])
    if same.size:
        both = [starts[order[same[0] + n]] for n in (0, 1)]
        one, two = (format.map.invert([int(a[n]) for a in found.levels]) for n in both)
        raise StorageError(
            f"components {one} and {two} cannot both be stored in {format}: "
            f"level {k + 1} ({format.levels[k].name}) has one position for them",
            hint="choose a format whose levels hold several coordinates per parent",
        )


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
    format, fill, found = prepared(coords, values, shape, format, dtype, fill)
    known = pack(coords, values, shape, format, dtype=found.values.dtype, fill=fill, index=index)
    given: list[dict[str, Any]] = []
    for level, store in zip(format.levels, known.levels, strict=True):
        fixed = not isinstance(level, Append | Insert)
        given.append(
            {n: v if isinstance(v, int) else v.tolist() for n, v in store.items() if fixed or isinstance(v, int)}
        )
    shared = {name: values.tolist() for name, values in found.shared.items()}
    assembler = Assembler(format, found.extents, found.values.dtype, fill, settled=given, shared=shared)
    previous = None
    paths = zip(*(a.tolist() for a in found.levels), strict=True) if found.levels else [()] * len(found.values)
    for c, value in zip(paths, scalars(found.values), strict=True):
        p = assembler.position(c, duplicate=c == previous and found.duplicates)
        assembler.values[p] = value
        previous = c
    return assembler.finish(found.shape, index)


def prepared(
    coords: Any, values: Any, shape: Sequence[int], format: str | Format, dtype: Any, fill: Number
) -> tuple[Format, Number, Components]:
    """Check components and bring them into the storage order of a format."""
    extents = checked_shape(shape)
    format = format_of(format, len(extents))
    held = fitted(array_of(values, "values"), dtype)
    i = checked_coordinates(array_of(coords, "coordinates"), held, extents)
    levels, level_extents, shared = mapped(format, i, extents)
    duplicates = holds_duplicates(format)
    if not duplicates:
        levels, held = summed(levels, held)
    order = storage_order(format, levels, len(held))
    levels, held = tuple(a[order] for a in levels), held[order]
    shared |= offsets(format, levels, level_extents)
    return format, checked_fill(fill, held.dtype), Components(levels, held, extents, level_extents, shared, duplicates)


def array_of(given: Any, what: str) -> np.ndarray:
    """An array of what a user gave; of integers, none of which NumPy may round."""
    try:
        found = np.asarray(given)
    except ValueError:
        raise StorageError(f"the {what} {given!r} are ragged", hint="give rows of equal length") from None
    rounded = found.dtype.kind == "f" and isinstance(given, list | tuple) and found.ndim == 1
    if rounded and given and all(isinstance(n, int) and n >= 0 for n in given):
        return np.array(given, np.uint64)
    return found


def checked_shape(shape: Sequence[int]) -> tuple[int, ...]:
    """A shape as a tuple of integers."""
    try:
        extents = tuple(operator.index(n) for n in shape)
    except TypeError:
        raise StorageError(f"shape {shape!r} is not a tuple of integers", hint="write for example (3, 4)") from None
    if any(n < 0 for n in extents):
        raise StorageError(f"shape {extents} has a negative extent")
    return extents


def fitted(values: np.ndarray, dtype: Any) -> np.ndarray:
    """Values in a dtype that can hold them: floats may round, integers must be in range."""
    try:
        wanted = np.dtype(values.dtype if dtype is None else dtype)
    except TypeError:
        wanted = np.dtype(object)
    if wanted not in DTYPES:
        named = values.dtype if dtype is None else dtype
        raise DtypeError(f"dtype {named} is not supported", hint=f"use one of {', '.join(d.name for d in DTYPES)}")
    if values.ndim != 1:
        raise StorageError(f"values of shape {values.shape} are not a vector", hint="give one value per component")
    if values.dtype.kind in "iu" and wanted.kind in "iu":
        info = np.iinfo(wanted)
        wrong = [n for n in (values.min(initial=0), values.max(initial=0)) if not info.min <= n <= info.max]
        if wrong:
            raise DtypeError(f"value {wrong[0]} does not fit in {wanted.name}", hint="choose a wider dtype")
    elif values.size and not np.can_cast(values.dtype, wanted, "same_kind"):
        raise DtypeError(f"values of dtype {values.dtype.name} cannot be stored as {wanted.name}")
    with np.errstate(all="ignore"):
        return values.astype(wanted)


def checked_index(index: Any) -> np.dtype:
    """The dtype of index arrays."""
    for wanted in (np.dtype("int32"), np.dtype("int64")):
        if index in (wanted, wanted.type, wanted.name):
            return wanted
    raise DtypeError(f"index arrays are int32 or int64, not {index}")


def checked_coordinates(coords: np.ndarray, values: np.ndarray, shape: tuple[int, ...]) -> Indices:
    """Coordinates, one row a mode, that fit the values and lie in the shape."""
    expected = (len(shape), len(values))
    alone = len(shape) == 1 and coords.shape == expected[1:]
    if coords.shape != expected and not alone and not coords.size == expected[0] * expected[1] == 0:
        raise StorageError(
            f"coordinates of shape {coords.shape} do not fit {len(values)} values of order {len(shape)}",
            hint="give coordinates of shape (order, number of values)",
        )
    if coords.size and coords.dtype.kind not in "iu":
        raise StorageError(f"coordinates have dtype {coords.dtype.name}, not integers")
    i = coords.reshape(expected)
    for mode, extent in enumerate(shape):
        outside = np.flatnonzero((i[mode] < 0) | (i[mode] >= extent)) if i.size else np.zeros(0, int)
        if outside.size:
            n = int(outside[0])
            raise StorageError(
                f"component {n} has coordinates {tuple(int(c) for c in i[:, n])}, "
                f"outside the shape {shape} in mode {mode + 1}",
                hint="coordinates count from 0",
            )
    return i.astype(np.int64)
