"""Formats that are assembled component by component."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..levels.bitmap import Bitmap
from ..levels.dense import Dense
from ..levels.level import Append, Insert, Level, Widen
from .coordinate_map import Remainder
from .format import Format

FLAGGED = (Bitmap, Dense)
"""Levels that keep a place of its own, and at most a flag, of each coordinate."""


def is_assemblable(format: Format) -> bool:
    """Whether the level functions of a format can build a tensor component by component.

    Not so where a level can be neither inserted into nor appended to, has one position for several coordinates, or must
    see all of them before anything is stored, as a rank in the map must.
    """
    return not format.map.has_rank and all(
        isinstance(level, Insert | Append) and not level.padded and not looks_ahead(level) for level in format.levels
    )


def is_assemblable_in_parts(format: Format) -> bool:
    """Whether, besides, iterations of a loop can each append a part of their own, as on a GPU.

    Not so where components of one block may come in several of them, where something below what is appended is
    inserted, for which room is found only as it comes, or where more is kept of what is inserted than a flag or a
    bucket.
    """
    kept = [level for level in format.levels if isinstance(level, Insert) and not isinstance(level, Widen)]
    stored = [level for level in format.levels if level.arrays()]
    mixed = any(isinstance(u, Append) and isinstance(v, Insert) for u, v in pairwise(stored))
    blocked = bool(stored) and any(isinstance(term, Remainder) for term in format.map.terms)
    return is_assemblable(format) and flags_alone(kept) and not blocked and not mixed


def flags_alone(levels: Sequence[Level]) -> bool:
    """Whether a place of its own, and at most a flag, is all that the levels keep of each component."""
    return all(isinstance(level, FLAGGED) for level in levels)


def looks_ahead(level: Level) -> bool:
    """Whether a level must analyse all its coordinates before it stores one, since it cannot be widened later."""
    return type(level).analyse is not Level.analyse and not isinstance(level, Widen)
