"""Placement: where the entries of a whole level go, whatever its format says of that."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import CompileError
from ..levels.compressed import Compressed
from ..levels.lanes import in_lanes
from ..levels.level import Indices, Level, Placed


def place(level: Level, parents: Indices, i: Sequence[Indices], fresh: Indices, count: int) -> Placed:
    """What the `place` of a level gives. That of the base, which goes from entry to entry, is not called where the
    access function that it uses has a source: this is called for all entries at once."""
    if type(level) is Compressed and fresh.all():
        return place_each(parents, i[-1], count)
    if type(level).place is not Level.place or not len(parents):
        return level.place(parents, i, fresh, count)
    name, arguments = level.access(parents, tuple(i))
    try:
        return Placed(in_lanes(level, name, len(parents), *arguments)[0], level.size(count), {})
    except CompileError:
        return level.place(parents, i, fresh, count)


def place_each(parents: Indices, c: Indices, count: int) -> Placed:
    """The segments of a compressed level in which each entry has a position of its own.

    >>> placed = place_each(np.array([0, 2, 2]), np.array([5, 1, 3]), 3)
    >>> placed.positions.tolist(), placed.arrays["pos"].tolist()
    ([0, 1, 2], [0, 1, 1, 3])
    """
    pos = np.zeros(count + 1, np.int64)
    np.add.accumulate(np.bincount(parents, minlength=count), out=pos[1:])
    return Placed(np.arange(len(parents)), len(parents), {"pos": pos, "crd": c})
