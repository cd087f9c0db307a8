"""Formats that are assembled component by component."""

from __future__ import annotations

from ..levels.level import Append, Insert, Level, Widen
from .format import Format


def is_assemblable(format: Format) -> bool:
    """Whether the level functions of a format can build a tensor component by component.

    Not so where a level can be neither inserted into nor appended to, has one position for several coordinates, or must
    see all of them before anything is stored, as a rank in the map must.
    """
    return not format.map.has_rank and all(
        isinstance(level, Insert | Append) and not level.padded and not looks_ahead(level) for level in format.levels
    )


def looks_ahead(level: Level) -> bool:
    """Whether a level must analyse all its coordinates before it stores one, since it cannot be widened later."""
    return type(level).analyse is not Level.analyse and not isinstance(level, Widen)
