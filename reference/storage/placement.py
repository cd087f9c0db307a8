"""Placement: where the entries of a whole level go, whatever its format says of that."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import CompileError
from ..levels.lanes import in_lanes
from ..levels.level import Indices, Level, Placed


def place(level: Level, parents: Indices, i: Sequence[Indices], fresh: Indices, count: int) -> Placed:
    """What the `place` of a level gives. That of the base, which goes from entry to entry, is not called where the
    access function that it uses has a source: this is called for all entries at once."""
    if type(level).place is not Level.place or not len(parents):
        return level.place(parents, i, fresh, count)
    name, arguments = level.access(parents, tuple(i))
    try:
        return Placed(in_lanes(level, name, len(parents), *arguments)[0], level.size(count), {})
    except CompileError:
        return level.place(parents, i, fresh, count)
