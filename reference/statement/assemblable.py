"""Formats of results: coordinates, from which those are packed that are not assembled component by component.

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

from ..storage.format import Format
from ..storage.named_formats import coo
from ..storage.packing import pack
from .relation import FormatRelation, Split
from .statement import Assign, Forall, Statement, Where
from .statement import Sequence as InOrder


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
