"""Formats of results: those that are assembled component by component, and coordinates, from which others are packed.

Before: `C(i,j) = A(i,j)` into DIA, whose diagonals are known only once all components are. After:

    ∀i
      ∀j
        C(i,j) = A(i,j)
    ;
    C, in COO, is packed into DIA
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..levels.level import Append, Insert, Level, Widen
from ..storage.format import Format
from ..storage.named_formats import coo
from ..storage.packing import pack
from .relation import FormatRelation, Split
from .statement import Assign, Forall, Statement, Where
from .statement import Sequence as InOrder


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


def check_packed(format: Format) -> None:
    """Refuse a format that not even an empty tensor can be packed into. Raises FormatError."""
    pack(np.zeros((format.order, 0), np.int64), [], (1,) * format.order, format)


def coordinates(modes: Sequence[int]) -> Format:
    """Coordinates in some order of the modes."""
    format = coo(len(modes))
    return format if list(modes) == sorted(modes) else Format(format.levels, mode_order=modes)


def visited_modes(s: Statement, relations: Sequence[FormatRelation]) -> list[int]:
    """The modes of the result of a statement, in the order in which its loops begin to visit them."""
    loops, indices = path(s)
    parts = {r.parent: r.outer for r in relations if isinstance(r, Split) and r.outer in loops}
    return sorted(range(len(indices)), key=lambda mode: loops.index(parts.get(indices[mode], indices[mode])))


def path(s: Statement, around: tuple[str, ...] = ()) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The loops around the assignment to the result of a statement, and the indices that it is assigned at."""
    match s:
        case Assign():
            return around, s.target.indices
        case Forall(index=index, body=body):
            return path(body, (*around, index))
        case Where(consumer=consumer):
            return path(consumer, around)
        case InOrder(statements=statements):
            return path(statements[-1], around)
