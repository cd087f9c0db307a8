"""Packing: components to storage, by whole levels at a time, and by level functions one component at a time.

Both give the same arrays. `pack` is the vectorised path; `pack_by_level_functions` defines what it must give.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..algebra.dtypes import Number
from ..algebra.scalars import (
    abbreviate,
    cast,
    checked_dtype,
    checked_fill,
    is_masked,
    odd_booleans,
    overflow_places,
    scalars,
)
from ..errors import DtypeError, StorageError
from ..levels.compressed import Compressed
from ..levels.dense import Dense
from ..levels.level import Append, Indices, Insert
from .analysis import Components, analyse_level
from .assembly import Assembler
from .format import Format
from .hierarchy import EXTENT
from .named_formats import dense
from .placement import place
from .rows import in_rows
from .spec import Spec, storage_spec
from .tensor import Tensor
from .vectorised import (
    fresh,
    holds_duplicates,
    in_order_of_levels,
    indices,
    is_sorted_by_levels,
    map_coordinates,
    offsets,
    storage_order,
    sum_duplicates,
    sum_neighbours,
)

LARGEST = 2**28
ALLOWED = f"coordinates are integers from 0 to {EXTENT - 1}"


def pack(
    coords: Any,
    values: Any,
    shape: Sequence[int],
    format: str | Format | Spec,
    *,
    dtype: Any = None,
    fill: Number | None = None,
    index: Any = None,
) -> Tensor:
    """The tensor with these components, `coords` of shape (order, n), in a format.

    Duplicates are kept where the innermost levels are non-unique and add up elsewhere. Siblings of unordered levels
    keep the order in which they come. Dtype, fill (else 0) and index (else int32) may come with a spec. Raises
    StorageError, FormatError, DtypeError, and MeaningError where integer sums overflow.

    >>> pack([[1, 0, 1]], [1.0, 2.0, 4.0], (3,), "compressed(unordered)").levels[0]["crd"].tolist()
    [1, 0]
    """
    asked = storage_spec(format, dtype, fill, index)
    format, fill, found = prepare_components(coords, values, shape, asked)
    index = asked.index
    shared = dict(found.shared)
    stores: list[dict[str, Any]] = []
    parents: Indices = np.zeros(len(found.values), np.int64)
    count = 1
    for k in range(len(format.levels)):
        level, own = analyse_level(format, k, found, shared, parents, count)
        if not isinstance(level, Append):
            guard(level.size(count), format)
        nodes = fresh(format, k, found.levels, len(found.values))
        placed = place(level, parents, found.levels[: k + 1], nodes, count)
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
    return Tensor(format, found.shape, vals.dtype, fill, tuple(stores), arrays, found.extents, vals).mark_trusted()


def pack_array(array: np.ndarray, fill: Number = 0) -> Tensor:
    """The tensor that has every component of an array, as `pack` gives it, with a copy of the array's values.

    >>> pack_array(np.eye(2)).vals.tolist()
    [1.0, 0.0, 0.0, 1.0]
    """
    return borrow_array(array.copy(), fill)


def borrow_array(array: np.ndarray, fill: Number = 0) -> Tensor:
    """As `pack_array`, with the array's own values where they lie in order: nobody may change these meanwhile.

    >>> borrow_array(np.eye(2)[::-1]).vals.tolist()
    [0.0, 1.0, 1.0, 0.0]
    """
    vals = in_rows(array).reshape(-1).view()
    vals.flags.writeable = False
    levels: tuple[dict[str, int], ...] = tuple({} for _ in array.shape)
    fill = checked_fill(fill, checked_dtype(vals.dtype))
    return Tensor(dense(array.ndim), array.shape, vals.dtype, fill, levels, {}, array.shape, vals).mark_trusted()


def guard(count: int, format: Format) -> None:
    """Refuse storage that would not fit in memory."""
    if count > LARGEST:
        raise StorageError(
            f"{format} would need {count} positions, more than {LARGEST}",
            hint="choose a format with fewer full levels",
            rule="format.packing.room",
        )


def check_room(format: Format, k: int, found: Components, positions: Indices, nodes: Indices) -> None:
    """Refuse two nodes of a level in one position, as of two coordinates below one parent of a padded singleton."""
    if type(format.levels[k]) in (Dense, Compressed):
        return
    held = positions[nodes]
    if np.all(held[1:] > held[:-1]):
        return
    starts = np.flatnonzero(nodes)
    order = np.argsort(held, kind="stable")
    same = np.flatnonzero(held[order][1:] == held[order][:-1])
    if same.size:
        both = [starts[order[same[0] + n]] for n in (0, 1)]
        one, two = (format.map.invert([int(a[n]) for a in found.levels]) for n in both)
        raise StorageError(
            f"components {one} and {two} cannot both be stored in {format}: "
            f"level {k + 1} ({format.levels[k].name}) has one position for them",
            hint="choose a format whose levels hold several coordinates per parent",
            rule="format.packing.room",
        )


def pack_by_level_functions(
    coords: Any,
    values: Any,
    shape: Sequence[int],
    format: str | Format | Spec,
    *,
    dtype: Any = None,
    fill: Number | None = None,
    index: Any = None,
) -> Tensor:
    """What `pack` gives, by calling assembly level functions for one component after another (Table 3)."""
    asked = storage_spec(format, dtype, fill, index)
    format, fill, found = prepare_components(coords, values, shape, asked)
    index = asked.index
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
        assembler.leaves.values[p] = value
        previous = c
    return assembler.finish(found.shape, index)


def prepare_components(
    coords: Any, values: Any, shape: Sequence[int], asked: Spec
) -> tuple[Format, Number, Components]:
    """Check components and bring them into the storage order of a format."""
    extents = checked_shape(shape)
    format = asked.format_for(len(extents))
    held = fit_values(array_of(values, "values"), asked.dtype)
    i = checked_coordinates(array_of_coordinates(coords), held, extents)
    levels, level_extents, shared = map_coordinates(format, i, extents)
    duplicates = holds_duplicates(format)
    if is_sorted_by_levels(format):
        levels, held = in_order_of_levels(levels, held)
    else:
        levels, held = (levels, held) if duplicates else sum_duplicates(levels, held)
        order = storage_order(format, levels, len(held))
        if order is not None:
            levels, held = tuple(a[order] for a in levels), held[order]
    if not duplicates:
        levels, held = sum_neighbours(levels, held)
    shared |= offsets(format, levels, level_extents)
    fill = cast(0, held.dtype) if asked.fill is None else checked_fill(asked.fill, held.dtype)
    return format, fill, Components(levels, held, extents, level_extents, shared, duplicates)


def array_of(given: Any, what: str) -> np.ndarray:
    """An array of what a user gave; of integers, none of which NumPy may round; of Booleans that are stored as 0 or 1,
    where NumPy takes any other byte for true. `what` is a plural.

    Raises StorageError for what is ragged or masked, DtypeError for integers that no dtype holds together.
    """
    if is_masked(given):
        raise StorageError(
            f"the {what} are masked",
            hint="fill what is masked, for example with .filled(0)",
            rule="format.packing.components",
        )
    try:
        found = np.asarray(given)
    except (ValueError, TypeError):
        raise StorageError(
            f"the {what} {abbreviate(given)} are ragged",
            hint="give rows of equal length",
            rule="format.packing.components",
        ) from None
    if found.dtype.kind == "b" and odd_booleans(found).any():
        found = found.view(np.uint8) != 0
    if found.dtype.kind not in "fO" or not isinstance(given, list | tuple | int):
        return found
    elements = np.asarray(given, object)
    if not elements.size or not all(isinstance(n, int | np.integer) for n in elements.flat):
        return found
    low, high = min(elements.flat), max(elements.flat)
    if low < 0 or high >= 2**64:
        hint = "give floats, which may round"
        raise DtypeError(
            f"no integer dtype holds {what} from {abbreviate(low)} to {abbreviate(high)}",
            hint=hint,
            rule="format.dtype",
        )
    return np.asarray(elements, np.uint64)


def array_of_coordinates(given: Any) -> np.ndarray:
    """An array of coordinates that a user gave. Raises StorageError for what is none, or holds too large integers."""
    try:
        return array_of(given, "coordinates")
    except DtypeError as error:
        raise StorageError(error.message, hint=ALLOWED, rule="format.packing.components") from None


def checked_shape(shape: Sequence[int]) -> tuple[int, ...]:
    """A shape as a tuple of integers."""
    try:
        extents = tuple(operator.index(n) for n in shape)
    except TypeError:
        raise StorageError(
            f"shape {abbreviate(shape)} is not a tuple of integers",
            hint="write for example (3, 4)",
            rule="format.packing.components",
        ) from None
    if any(n < 0 for n in extents):
        raise StorageError(
            f"shape {abbreviate(extents)} has a negative extent",
            hint="extents count from 0",
            rule="format.packing.components",
        )
    for mode, n in enumerate(extents):
        if n > EXTENT:
            raise StorageError(
                f"mode {mode + 1} has an extent larger than {EXTENT}",
                hint="coordinates have 64 bits",
                rule="format.packing.components",
            )
    return extents


def fit_values(values: np.ndarray, dtype: Any) -> np.ndarray:
    """Values in a dtype that can hold them: floats may round but stay finite, integers must be in range.

    What is in the dtype already stays the array that was given.
    """
    wanted = checked_dtype(values.dtype if dtype is None else dtype)
    if values.ndim != 1:
        raise StorageError(
            f"values of shape {values.shape} are not a vector",
            hint="give one value per component",
            rule="format.packing.components",
        )
    if values.dtype == wanted:
        return values
    if values.dtype.kind in "iu" and wanted.kind in "iu":
        info = np.iinfo(wanted)
        wrong = [n for n in (values.min(initial=0), values.max(initial=0)) if not info.min <= n <= info.max]
        if wrong:
            raise DtypeError(
                f"value {wrong[0]} does not fit in {wanted.name}", hint="choose a wider dtype", rule="format.dtype"
            )
    elif values.size and not np.can_cast(values.dtype, wanted, "same_kind"):
        raise DtypeError(
            f"values of dtype {values.dtype.name} cannot be stored as {wanted.name}",
            hint="convert them first",
            rule="format.dtype",
        )
    with np.errstate(all="ignore"):
        stored = values.astype(wanted)
    lost = overflow_places(values, stored)
    if lost.size:
        raise DtypeError(
            f"value {values[lost[0]]} does not fit in {wanted.name}", hint="choose a wider dtype", rule="format.dtype"
        )
    return stored


def checked_coordinates(coords: np.ndarray, values: np.ndarray, shape: tuple[int, ...]) -> Indices:
    """Coordinates, one row a mode, that fit the values and lie in the shape."""
    expected = (len(shape), len(values))
    alone = len(shape) == 1 and coords.shape == expected[1:]
    if coords.shape != expected and not alone and not coords.size == expected[0] * expected[1] == 0:
        raise StorageError(
            f"coordinates of shape {coords.shape} do not fit {len(values)} values of order {len(shape)}",
            hint="give coordinates of shape (order, number of values)",
            rule="format.packing.components",
        )
    if coords.size and coords.dtype.kind not in "iu":
        raise StorageError(
            f"coordinates have dtype {coords.dtype.name}, not integers",
            hint=ALLOWED,
            rule="format.packing.components",
        )
    i = coords.reshape(expected)
    for mode, extent in enumerate(shape):
        if i.size and not (i[mode].min() >= 0 and i[mode].max() < extent):
            n = int(np.flatnonzero((i[mode] < 0) | (i[mode] >= extent))[0])
            raise StorageError(
                f"component {n} has coordinates {tuple(int(c) for c in i[:, n])}, "
                f"outside the shape {shape} in mode {mode + 1}",
                hint="coordinates count from 0",
                rule="format.packing.components",
            )
    return i.astype(np.int64, copy=False)


def tensor(
    coords: Any,
    values: Any,
    shape: tuple[int, ...],
    format: str | Format | Spec = "COO",
    *,
    dtype: Any = None,
    fill: Number | None = None,
    index: Any = None,
) -> Tensor:
    """Pack components into a format.

    `coords` has shape (order, n), one column per component; duplicates add up unless the format can hold them. Fill (0
    unless said), dtype and index (32 bits unless said) may come with a spec. Raises StorageError for coordinates
    outside the shape.
    """
    return pack(coords, values, shape, format, dtype=dtype, fill=fill, index=index)
