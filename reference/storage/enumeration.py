"""Everything that the levels of a tensor encode: node by node, and by whole levels at a time with the same result.

`descend` says what a coordinate hierarchy holds (Chou 2018, section 3.1). `enumerate_leaves` calls level
functions for all nodes of a level at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import CompileError, InternalError
from ..levels.level import CoordinatePositionIteration, CoordinateValueIteration, Indices, Level
from .coordinate_map import Mode, Quotient, Rank, Remainder, Term
from .format import Format
from .whole_levels import Children, listed_children, refuse_more

Coordinates = tuple[int, ...]
Storage = Mapping[str, "np.ndarray | int"]
PIECE = 2**20
"""How many coordinates of a level are looked at at a time: few of them may have a label."""


def descend(levels: tuple[Level, ...], path: Coordinates, p: int) -> Iterator[tuple[Coordinates, int]]:
    """The leaves below position `p`, whose ancestors have the coordinates `path`."""
    k = len(path)
    if k == len(levels):
        yield path, p
        return
    level = levels[k]
    if isinstance(level, CoordinatePositionIteration):
        begin, end = level.pos_bounds(p)
        for q in range(begin, end):
            c, found = level.pos_access(q, path)
            if found:
                yield from descend(levels, (*path, c), q)
    elif isinstance(level, CoordinateValueIteration):
        begin, end = level.coord_bounds(path)
        for c in range(begin, end):
            q, found = level.coord_access(p, (*path, c))
            if found:
                yield from descend(levels, (*path, c), q)


def as_lists(storage: Storage) -> dict[str, Any]:
    """What a level stores, arrays as lists of Python's integers."""
    return {name: held.tolist() if isinstance(held, np.ndarray) else held for name, held in storage.items()}


def enumerate_leaves(
    format: Format, storage: Sequence[Storage], chosen: Sequence[range] | None = None
) -> tuple[tuple[Indices, ...], Indices]:
    """Level coordinates, an array a level, and leaf positions of all that is stored, in storage order.

    If ranges of coordinates are `chosen`, one a mode, what levels tell to be outside them may be left out. Level
    functions that have no source, or are not restricted Python, are called. `storage` is what each level is bound to.
    Raises StorageError if the levels claim to hold more than fits in memory.
    """
    try:
        return by_levels(format, storage, chosen)
    except CompileError:
        levels = tuple(level.bind(as_lists(own)) for level, own in zip(format.levels, storage, strict=True))
        found = list(descend(levels, (), 0))
        path = np.array([c for c, _ in found], np.int64).reshape(len(found), len(levels)).T
        return tuple(path), np.array([p for _, p in found], np.int64)


def by_levels(
    format: Format, storage: Sequence[Storage], chosen: Sequence[range] | None = None
) -> tuple[tuple[Indices, ...], Indices]:
    """As `enumerate_leaves`, always by level functions over whole levels. Raises CompileError where one has no
    source."""
    *_, leaves = nodes(format, storage, chosen)
    return leaves


def node_counts(format: Format, storage: Sequence[Storage]) -> tuple[int, ...]:
    """How many nodes each level has: what loops over all levels down to it visit. Raises CompileError where a level
    function has no source."""
    return tuple(len(positions) for _, positions in nodes(format, storage))[1:]


def nodes(
    format: Format, storage: Sequence[Storage], chosen: Sequence[range] | None = None
) -> Iterator[tuple[tuple[Indices, ...], Indices]]:
    """Coordinates of the levels so far, and positions: of the root, and of the nodes of each level that lead to chosen
    coordinates, if any are."""
    path: tuple[Indices, ...] = ()
    positions: Indices = np.zeros(1, np.int64)
    yield path, positions
    for level, own, term in zip(format.levels, storage, format.map.terms, strict=True):
        within = None if chosen is None else chosen_coordinates(term, chosen)
        parents, coordinates, positions = children(level.bind(own), positions, path, within)
        if chosen is not None and not (kept := leads_to(term, coordinates, chosen)).all():
            parents = np.flatnonzero(kept) if parents is None else parents[kept]
            coordinates, positions = coordinates[kept], positions[kept]
        path = (*(path if parents is None else (c[parents] for c in path)), coordinates)
        yield path, positions


def leads_to(term: Term, c: Indices, chosen: Sequence[range]) -> np.ndarray:
    """Which coordinates of a level are those of components in chosen ranges, as far as they tell.

    >>> leads_to(Quotient(0, 4), np.arange(4), [range(5, 9)]).tolist()
    [False, True, True, False]
    """
    within = chosen_coordinates(term, chosen)
    return np.ones(len(c), bool) if within is None else np.asarray((within.start <= c) & (c < within.stop))


def chosen_coordinates(term: Term, chosen: Sequence[range]) -> range | None:
    """The coordinates of a level that those of components in chosen ranges lie between; None if any may.

    >>> chosen_coordinates(Quotient(0, 4), [range(5, 9)])
    range(1, 3)
    """
    match term:
        case Remainder(mode=mode, factor=factor) if len(chosen[mode]) == 1:
            return range(least := chosen[mode][0] % factor, least + 1)
        case Rank() | Remainder():
            return None
        case Mode(mode=mode):
            least, most = bounds(chosen[mode])
        case Quotient(mode=mode, factor=factor):
            least, most = (n // factor for n in bounds(chosen[mode]))
    return range(least, most + 1)


def bounds(chosen: range) -> tuple[int, int]:
    """The least and the greatest number of a range; of an empty one, numbers that nothing is between."""
    return (min(chosen[0], chosen[-1]), max(chosen[0], chosen[-1])) if chosen else (0, -1)


def wide(held: Any) -> Any:
    """An array of 64-bit integers, in which level functions count."""
    return held.astype(np.int64, copy=False) if isinstance(held, np.ndarray) else held


def children(level: Level, positions: Indices, path: tuple[Indices, ...], within: range | None = None) -> Children:
    """The children of all nodes of the level above, of which those with coordinates outside a range may be left out."""
    if not len(positions):
        return positions, positions, positions
    return listed_children(level, positions, path, within) or called_children(level, positions, path)


def called_children(level: Level, positions: Indices, path: tuple[Indices, ...]) -> tuple[Indices, Indices, Indices]:
    """The children of all nodes of the level above by level functions: number of the parent, coordinate, position."""
    from ..levels.lanes import in_lanes

    level = level.bind({name: wide(getattr(level, name)) for name in level.roles()})
    count = len(positions)
    if isinstance(level, CoordinatePositionIteration):
        begin, end = in_lanes(level, "pos_bounds", count, positions)
    elif isinstance(level, CoordinateValueIteration):
        begin, end = in_lanes(level, "coord_bounds", count, path)
    else:
        raise InternalError(f"{level.name} levels cannot be iterated")
    found = [with_label(level, positions, path, *piece) for piece in expand_ranges(begin, end)]
    parents, c, q = found[0] if len(found) == 1 else (np.concatenate(each) for each in zip(*found, strict=True))
    return parents, c, q


def with_label(
    level: Level, positions: Indices, path: tuple[Indices, ...], parents: Indices, places: Indices
) -> tuple[Indices, Indices, Indices]:
    """Those children of nodes that have a label, of so many positions or coordinates: the number of the parent,
    coordinate, position."""
    from ..levels.lanes import in_lanes

    if not len(places):
        return parents, places, places
    above = tuple(each[parents] for each in path)
    if isinstance(level, CoordinatePositionIteration):
        q = places
        c, found = in_lanes(level, "pos_access", len(q), q, above)
    else:
        c = places
        q, found = in_lanes(level, "coord_access", len(c), positions[parents], (*above, c))
    return (parents, c, q) if found.all() else (parents[found], c[found], q[found])


def expand_ranges(begin: Indices, end: Indices) -> Iterator[tuple[Indices, Indices]]:
    """The elements of many ranges, one range after the other, some at a time: the number of the range, and the element.

    >>> [found.tolist() for found in next(expand_ranges(np.array([3, 7, 0]), np.array([5, 7, 1])))]
    [[0, 0, 2], [3, 4, 0]]
    """
    lengths = np.maximum(end - begin, 0)
    last = np.cumsum(lengths)
    total, first = int(last[-1]), last - lengths
    refuse_more(total)
    for start in range(0, max(total, 1), PIECE):
        stop = min(start + PIECE, total)
        low, high = np.searchsorted(last, start, "right"), np.searchsorted(first, stop)
        counts = np.maximum(np.minimum(last[low:high], stop) - np.maximum(first[low:high], start), 0)
        number = np.repeat(np.arange(low, high), counts)
        yield number, np.arange(start, stop) + np.repeat(begin[low:high] - first[low:high], counts)
