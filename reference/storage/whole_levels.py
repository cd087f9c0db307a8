"""Whole levels: the children of many nodes at once, where a level's arrays say them without a call for each.

What level functions give for the same nodes (`enumeration.py`), for the levels that formats are mostly made of.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import StorageError
from ..levels.banded import Banded
from ..levels.compressed import Compressed
from ..levels.dense import Dense
from ..levels.hashed import Hashed
from ..levels.level import Indices, Level
from ..levels.offset import Offset
from ..levels.singleton import Singleton

LARGEST = 2**31
"""The most coordinates of a level."""
Children = tuple[Indices | None, Indices, Indices]
"""Number of the parent (None where each node has one child), coordinate and position of every child."""


def listed_children(
    level: Level, positions: Indices, path: tuple[Indices, ...], within: range | None = None
) -> Children | None:
    """The children of nodes with these positions and coordinates; None if only level functions tell them.

    Of a dense level, only those with coordinates `within` a range, if one is given.

    >>> listed_children(Dense().bind({"N": 4}), np.array([0, 2]), (), range(1, 2))
    (array([0, 1]), array([1, 1]), array([1, 9]))
    """
    kind = type(level)
    if kind is Dense:
        return dense_children(level, positions, within)
    if kind is Compressed:
        return compressed_children(level, positions)
    if kind is Banded and path:
        return banded_children(level, positions, path[-1])
    if kind is Hashed:
        return hashed_children(level, positions)
    if kind is Singleton:
        return singleton_children(level, positions)
    if kind is Offset:
        offset = np.asarray(level.offset)  # type: ignore[attr-defined]
        return None, path[-1] + offset[path[-2]], positions
    return None


def dense_children(level: Any, positions: Indices, within: range | None) -> Children:
    """The coordinates from 0 on below every node."""
    low, high = (0, level.N) if within is None else (max(within.start, 0), min(within.stop, level.N))
    width = max(high - low, 0)
    refuse_more(len(positions) * width)
    parents = np.repeat(np.arange(len(positions)), width)
    c = np.tile(np.arange(low, low + width), len(positions))
    return parents, c, np.repeat(positions * np.int64(level.N), width) + c


def compressed_children(level: Any, positions: Indices) -> Children | None:
    """What the segments of nodes that stand side by side hold."""
    found = in_segments(level.pos, positions)
    if found is None:
        return None
    lengths, q = found
    crd = level.crd[q.start : q.stop].astype(np.int64)
    return np.repeat(np.arange(len(lengths)), lengths), crd, np.arange(q.start, q.stop)


def banded_children(level: Any, positions: Indices, rows: Indices) -> Children | None:
    """The runs of nodes that stand side by side."""
    found = in_segments(level.pos, positions)
    if found is None:
        return None
    lengths, run = found
    q = np.arange(run.start, run.stop)
    shift = level.lo[rows].astype(np.int64) - level.pos[rows]
    return np.repeat(np.arange(len(lengths)), lengths), q + np.repeat(shift, lengths), q


def in_segments(pos: np.ndarray, positions: Indices) -> tuple[Indices, range] | None:
    """The lengths of the segments of nodes, and the positions in them, which follow one another; None if nodes do not
    stand side by side, or segments overlap."""
    first, last = int(positions[0]), int(positions[-1])
    if last - first + 1 != len(positions) or np.any(positions[1:] <= positions[:-1]):
        return None
    held = pos[first : last + 2].astype(np.int64)
    lengths = held[1:] - held[:-1]
    if lengths.min() < 0:
        return None
    refuse_more(int(held[-1] - held[0]))
    return lengths, range(int(held[0]), int(held[-1]))


def hashed_children(level: Any, positions: Indices) -> Children | None:
    """The occupied buckets of the nodes' segments."""
    width = level.W
    if width <= 0 or len(level.crd) % width:
        return None
    refuse_more(len(positions) * width)
    crd = level.crd.reshape(-1, width)
    first, count = int(positions[0]), len(positions)
    is_run = int(positions[-1]) - first + 1 == count and bool(np.all(positions[1:] > positions[:-1]))
    held = (crd[first : first + count] if is_run else crd[positions]).reshape(-1)
    taken = np.flatnonzero(held != -1)
    parents = taken // width
    return parents, held[taken].astype(np.int64), taken + ((positions - np.arange(count)) * width)[parents]


def singleton_children(level: Any, positions: Indices) -> Children:
    """The coordinate of each node, which padding has not."""
    c = level.crd[positions].astype(np.int64)
    if not level.padded or (found := c != -1).all():
        return None, c, positions
    return np.flatnonzero(found), c[found], positions[found]


def refuse_more(total: int) -> None:
    """Refuse so many coordinates of a level if they are more than fit in memory, with a StorageError."""
    if total > LARGEST:
        raise StorageError(
            f"the tensor's levels hold {total} coordinates, which do not fit in memory", rule="format.packing.room"
        )
