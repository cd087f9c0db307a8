"""Hash tables: whether a tensor of hashed levels keeps every invariant, told for whole levels at a time.

Packing chooses the width of a table and the order in it, so that a valid tensor need not be what packing gives.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..levels.compressed import Compressed
from ..levels.dense import Dense
from ..levels.hashed import Hashed
from ..levels.level import Indices
from .hierarchy import Hierarchy
from .repacking import lies_inside, rises_in_segments, unreadable
from .vectorised import in_order_of_levels, run_starts


def holds_tables(tensor: Hierarchy) -> bool:
    """Whether a tensor has hashed levels, above and below them none but dense levels and compressed ones that are
    ordered and unique, and keeps every invariant.

    >>> from gnomon import tensor
    >>> [holds_tables(tensor([[0, 1], [2, 0]], [5.0, 7.0], (2, 3), f)) for f in ("HashMap", "HashRows", "CSR")]
    [True, True, False]
    """
    format, kinds = tensor.format, [type(level) for level in tensor.format.levels]
    if Hashed not in kinds or not {*kinds} <= {Hashed, Dense, Compressed} or format.may_be_full:
        return False
    if not format.map.is_permutation or not all(
        level.unique and (level.ordered or kind is Hashed) for level, kind in zip(format.levels, kinds, strict=True)
    ):
        return False
    return next(unreadable(tensor), None) is None and all(
        holds_level(kind, tensor.levels[k], tensor.extents[k]) for k, kind in enumerate(kinds)
    )


def holds_level(kind: type, stored: Any, extent: int) -> bool:
    """Whether a level of a readable tensor keeps its invariants."""
    if kind is Hashed:
        return stored["W"] > 0 and holds_table(np.asarray(stored["crd"]), stored["W"], extent)
    return kind is Dense or (lies_inside(stored["crd"], extent) and bool(rises_in_segments(stored).all()))


def holds_table(crd: np.ndarray, width: int, extent: int) -> bool:
    """Whether each segment of so many buckets holds coordinates below an extent once, where `locate` finds them.

    >>> holds_table(np.array([4, -1, 2, 3]), 4, 5), holds_table(np.array([-1, 4, 2, 3]), 4, 5)
    (True, False)
    """
    taken = np.flatnonzero(crd != -1)
    if not len(taken):
        return True
    held, segment = crd[taken].astype(np.int64), taken // width
    if not lies_inside(held, extent):
        return False
    distance = (taken - segment * width - held) % width
    columns, order = in_order_of_levels((segment, held), np.arange(len(taken)))
    return bool(np.all(distance <= occupied_before(taken, segment, width)) and run_starts(columns, len(order)).all())


def occupied_before(taken: Indices, segment: Indices, width: int) -> Indices:
    """How many occupied buckets there are right before each, where a segment goes on from its end at its beginning.

    >>> occupied_before(np.array([0, 1, 3, 6]), np.array([0, 0, 0, 1]), 4).tolist()
    [1, 2, 0, 0]
    """
    count = len(taken)
    number = np.arange(count)
    begins = run_starts((segment,), count)
    runs = run_starts((segment, taken - number), count)
    first = np.maximum.accumulate(np.where(runs, number, 0))
    last = np.append(np.flatnonzero(begins)[1:] - 1, count - 1)[np.cumsum(begins) - 1]
    is_first = taken[first] == segment * width
    goes_on = is_first & (taken[last] == (segment + 1) * width - 1)
    return number - first + np.where(goes_on, (number - first + 1)[last], 0)
