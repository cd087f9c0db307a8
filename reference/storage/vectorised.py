"""Whole arrays of components: their level coordinates, their storage order, and which of them share a node.

What packing does to all components at once; the level formats' `place` goes on from here, one level at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..algebra.scalars import limits
from ..errors import FormatError, MeaningError, StorageError
from ..levels.level import Append, Indices
from .coordinate_map import Mode, Quotient, Rank, Remainder
from .format import Format


def map_coordinates(
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
                shared["offset"], ranks = numbered_values(i[plus] - i[minus])
                levels.append(ranks)
                extents[k] = len(shared["offset"])
    return tuple(levels), tuple(int(n) for n in extents if n is not None), shared


def slots(format: Format, k: int, i: Indices) -> Indices:
    """The slot of each component among those with the same coordinates in the full levels below the rank.

    Equal components share a slot.
    """
    outer: list[int] = []
    for term, level in zip(format.map.terms[k + 1 :], format.levels[k + 1 :], strict=True):
        if not level.full or not isinstance(term, Mode):
            break
        outer.append(term.mode)
    modes = [*outer, *(m for m in range(format.order) if m not in outer)]
    order = sorting_order([i[m] for m in modes], i.shape[1])
    group, whole = (run_starts([i[m][order] for m in each], len(order)) for each in (outer, modes))
    number = np.cumsum(whole) - 1
    starts = np.maximum.accumulate(np.where(group, number, 0)) if len(order) else number
    found = np.empty(len(order), np.int64)
    found[order] = number - starts
    return found


def numbered_values(values: Indices) -> tuple[Indices, Indices]:
    """The different values in order, and for each value its number among them.

    Values that lie close together are marked in a table, rather than sorted.

    >>> [found.tolist() for found in numbered_values(np.array([3, -1, 3]))]
    [[-1, 3], [1, 0, 1]]
    """
    low = int(values.min(initial=0))
    span = int(values.max(initial=0)) - low + 1
    if span > 4 * len(values):
        found, numbers = np.unique(values, return_inverse=True)
        return found, numbers.astype(np.int64)
    marked = np.zeros(span, bool)
    marked[values - low] = True
    return np.flatnonzero(marked) + low, (np.cumsum(marked) - 1)[values - low]


def offsets(format: Format, levels: tuple[Indices, ...], extents: tuple[int, ...]) -> dict[str, Indices]:
    """The offset array of diagonals stored as a tensor of higher order: column minus row, per diagonal.

    Raises FormatError if no level tells the offsets, StorageError for a component off its diagonal.
    """
    readers = [k for k, level in enumerate(format.levels) if "offset" in level.roles()]
    if format.map.has_rank or not readers:
        return {}
    k = next((k for k in readers if format.levels[k].branchless), None)
    if k is None or {k - 2 if n == k else n - 1 for n in readers} != {k - 2}:
        raise FormatError(
            f"level {readers[0] + 1} ({format.levels[readers[0]].name}) of {format}: nothing gives it its offsets",
            hint="levels that read offsets are the rows and the columns of the same diagonals: dense,range,offset",
            rule="format.composition.ranks",
        )
    offset = np.zeros(extents[k - 2], np.int64)
    offset[levels[k - 2]] = levels[k] - levels[k - 1]
    wrong = np.flatnonzero(offset[levels[k - 2]] != levels[k] - levels[k - 1])
    if wrong.size:
        n = int(wrong[0])
        raise StorageError(
            f"component {tuple(int(a[n]) for a in levels)} does not lie on diagonal {int(levels[k - 2][n])}, "
            f"whose offset is {int(offset[levels[k - 2][n]])}",
            rule="format.composition.ranks",
        )
    return {"offset": offset}


def sorting_order(columns: Sequence[Indices], count: int) -> Indices:
    """The order that sorts components by these columns, the first most significant; stable.

    >>> sorting_order([np.array([1, 0, 1]), np.array([2, 5, 0])], 3).tolist()
    [1, 2, 0]
    """
    if count < 2 or are_sorted(columns):
        return np.arange(count)
    keys = numbered_keys(columns, count)
    return np.lexsort(columns[::-1]) if keys is None else np.sort(keys) & ((1 << count.bit_length()) - 1)


def in_order_of_levels(levels: tuple[Indices, ...], values: np.ndarray) -> tuple[tuple[Indices, ...], np.ndarray]:
    """Components sorted by their level coordinates, duplicates as they come. Coordinates are read off the sorted keys,
    which is faster than to fetch them from where they were.

    >>> in_order_of_levels((np.array([1, 0, 1]), np.array([2, 5, 0])), np.array([7.0, 8.0, 9.0]))
    ((array([0, 1, 1]), array([5, 0, 2])), array([8., 9., 7.]))
    """
    count = len(values)
    if count < 2 or are_sorted(levels):
        return levels, values
    keys = numbered_keys(levels, count)
    if keys is None:
        order = np.lexsort(levels[::-1])
        return tuple(a[order] for a in levels), values[order]
    widths = [int(column.max()).bit_length() for column in levels]
    keys.sort()
    order = keys & ((1 << count.bit_length()) - 1)
    keys >>= count.bit_length()
    columns: list[Indices] = []
    for width in reversed(widths):
        columns.append(keys & ((1 << width) - 1))
        keys >>= width
    return tuple(reversed(columns)), values[order]


def numbered_keys(columns: Sequence[Indices], count: int) -> Indices | None:
    """One integer for each component: its row, and behind it, in the last bits, its number; NumPy sorts integers much
    faster than rows. None if 63 bits do not suffice, or a coordinate is negative."""
    widths = [int(column.max()).bit_length() for column in columns]
    if sum(widths) + count.bit_length() > 63 or any(column.min() < 0 for column in columns):
        return None
    keys = np.zeros(count, np.int64)
    for column, width in zip(columns, widths, strict=True):
        keys = (keys << width) | column
    return (keys << count.bit_length()) | np.arange(count)


def are_sorted(columns: Sequence[Indices]) -> bool:
    """Whether components are sorted by some columns, the first most significant.

    >>> are_sorted([np.array([0, 0, 1]), np.array([2, 3, 1])]), are_sorted([np.array([0, 0]), np.array([3, 2])])
    (True, False)
    """
    alike: Any = True
    for column in columns:
        before, after = column[:-1], column[1:]
        if np.any(alike & (after < before)):
            return False
        alike = alike & (after == before)
    return True


def run_starts(columns: Sequence[Indices], count: int) -> Indices:
    """The places where a row of coordinates differs from the row before; the first place counts."""
    different = np.zeros(count, bool)
    different[:1] = True
    for column in columns:
        different[1:] |= column[1:] != column[:-1]
    return different


def first_occurrences(columns: Sequence[Indices], count: int) -> Indices:
    """For each component, the number of the first component with the same coordinates.

    >>> first_occurrences([np.array([3, 1, 3, 1])], 4).tolist()
    [0, 1, 0, 1]
    """
    order = sorting_order(columns, count)
    starts = run_starts([a[order] for a in columns], count)
    found = np.empty(count, np.int64)
    found[order] = order[starts][np.cumsum(starts) - 1]
    return found


def sum_duplicates(columns: tuple[Indices, ...], values: np.ndarray) -> tuple[tuple[Indices, ...], np.ndarray]:
    """Components with duplicates added up where the first of them was. Raises MeaningError if integers overflow.

    >>> sum_duplicates((np.array([3, 1, 3]),), np.array([1.0, 2.0, 4.0]))
    ((array([3, 1]),), array([5., 2.]))
    """
    count = len(values)
    if count < 2:
        return columns, values
    order = sorting_order(columns, count)
    first = np.flatnonzero(run_starts([a[order] for a in columns], count))
    if len(first) == count:
        return columns, values
    totals = sum_runs(values[order], first)
    kept = order[first]
    again = np.argsort(kept)
    return tuple(a[kept[again]] for a in columns), totals[again]


def sum_neighbours(columns: tuple[Indices, ...], values: np.ndarray) -> tuple[tuple[Indices, ...], np.ndarray]:
    """Components with duplicates that stand side by side added up. Raises MeaningError if integers overflow.

    >>> sum_neighbours((np.array([3, 3, 1]),), np.array([1.0, 2.0, 4.0]))
    ((array([3, 1]),), array([3., 4.]))
    """
    starts = run_starts(columns, len(values))
    if starts.all():
        return columns, values
    first = np.flatnonzero(starts)
    return tuple(a[first] for a in columns), sum_runs(values, first)


def sum_runs(values: np.ndarray, first: Indices) -> np.ndarray:
    """The sums of runs of values, which begin at the places `first`, in the values' dtype."""
    match values.dtype.kind:
        case "b":
            return np.logical_or.reduceat(values, first)
        case "i" | "u":
            totals, info = np.add.reduceat(values.astype(object), first), np.iinfo(values.dtype)
            wrong = [n for n in totals if not info.min <= n <= info.max]
            if wrong:
                raise MeaningError(
                    f"integer overflow: duplicates add up to {wrong[0]}, which does not fit in {values.dtype.name}",
                    hint="give the tensor a wider dtype",
                    rule="format.duplicates",
                )
            return totals.astype(values.dtype)
        case _:
            totals, later = values[first], np.ones(len(values), bool)
            later[first] = False
            run = np.cumsum(~later) - 1
            with np.errstate(all="ignore"):
                np.add.at(totals, run[later], values[later])  # one after another, as `reduceat` does not
            return totals


def is_sorted_by_levels(format: Format) -> bool:
    """Whether components are stored in the order of their level coordinates, so that duplicates stand side by side."""
    return all(level.ordered or not isinstance(level, Append) for level in format.levels)


def storage_order(format: Format, levels: tuple[Indices, ...], count: int) -> Indices | None:
    """The order in which components are stored; None if they come in it.

    Siblings increase. Those of an unordered level that is appended to stay as they come, each beside its duplicates;
    rows of coordinates that are unordered all through stay where they are.
    """
    keys: list[Indices] = []
    for k, level in enumerate(format.levels):
        if level.ordered or not isinstance(level, Append):
            keys.append(levels[k])
        elif not level.unique and all(below.branchless and not below.ordered for below in format.levels[k + 1 :]):
            keys.append(np.arange(count))
        else:
            keys.append(first_occurrences(levels[: k + 1], count))
    return None if are_sorted(keys) else sorting_order(keys, count)


def holds_duplicates(format: Format) -> bool:
    """Whether a component can be stored twice: innermost, a non-unique level that is appended to, or a chain of
    non-unique branchless levels below one."""
    for level in reversed(format.levels):
        if level.unique or level.padded:
            return False
        if not level.branchless:
            return isinstance(level, Append) and not format.map.has_rank
    return False


def fresh(format: Format, k: int, levels: tuple[Indices, ...], count: int) -> Indices:
    """Which components need a node of their own at level `k`, rather than that of the component before.

    A non-unique level has a node for each chain of branchless levels below it. Whole rows are components, which differ
    unless duplicates are kept.
    """
    end = k
    if not format.levels[k].unique:
        while end + 1 < len(format.levels) and format.levels[end + 1].branchless:
            end += 1
    if end == len(format.levels) - 1:
        return np.ones(count, bool)
    return run_starts(levels[: end + 1], count)


def indices(values: Any, index: np.dtype | type) -> np.ndarray:
    """A copy of values as an index array, of 64 bits if they need them; read-only."""
    array = np.asarray(values, np.int64)
    low, high = limits(np.dtype(index))
    fits = array.size == 0 or (low <= array.min() and array.max() <= high)
    array = array.astype(index if fits else np.int64)
    array.flags.writeable = False
    return array
