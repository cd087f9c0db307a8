"""Repacking: whether a tensor is what packing gives for the components that it holds.

What is packed keeps every invariant, so such a tensor does. This is told for whole levels at a time, where validation
goes from node to node to say what is wrong and where.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..errors import GnomonError
from ..levels.level import Indices
from .enumeration import Storage, enumerate_leaves
from .hierarchy import Hierarchy, components_at
from .packing import pack
from .validation import length_complaints, shape_complaints, storage_complaints


def is_as_packed(tensor: Hierarchy) -> bool:
    """Whether packing what a tensor holds gives its arrays again: it is then valid.

    A valid tensor need not be so: packing chooses the order in a hash table, and the number of slots. Where a level is
    declared full, nothing is told.

    >>> from gnomon import tensor
    >>> is_as_packed(tensor([[0, 1], [2, 0]], [5.0, 7.0], (2, 3), "CSR"))
    True
    """
    if tensor.format.may_be_full or next(unreadable(tensor), None) is not None:
        return False
    if tensor.format.is_array:
        return True
    try:
        stores = [tensor.storage(k) for k in range(len(tensor.levels))]
        coords, values = components_at(tensor, *enumerate_leaves(tensor.format, stores))
        again = pack(coords, np.zeros(len(values), bool), tensor.shape, tensor.format, index=np.int64)
    except (GnomonError, IndexError, MemoryError):
        return False
    pairs = zip((*tensor.levels, tensor.shared), (*again.levels, again.shared), strict=True)
    is_same = again.extents == tensor.extents and len(again.vals) == len(tensor.vals)
    return is_same and all(hold_alike(held, packed) for held, packed in pairs)


def hold_alike(held: Storage, packed: Storage) -> bool:
    """Whether a level stores what it does where it is packed."""
    return all(np.array_equal(held[name], array) for name, array in packed.items())


def unreadable(tensor: Hierarchy) -> Iterator[str]:
    """What keeps level functions from being called for a tensor's whole levels: arrays that are missing or too long or
    short, segments that overlap, which would hold more than there is."""
    yield from shape_complaints(tensor)
    parents = 1
    for k, format in enumerate(tensor.format.levels):
        storage = tensor.storage(k)
        yield from storage_complaints(tensor, k, storage)
        level = format.bind(storage)
        size = int(level.stored_size(parents))
        yield from length_complaints(tensor, k, level, parents, size)
        if "pos" in level.arrays() and not rises(np.asarray(storage["pos"]), size):
            yield f"level {k + 1} ({format.name}): its segments overlap"
        parents = size
    if len(tensor.vals) != parents:
        yield f"vals has length {len(tensor.vals)}, but the levels encode {parents} positions"


def rises(pos: Indices, size: int) -> bool:
    """Whether segments begin at 0, follow one another and end at a number of positions.

    >>> rises(np.array([0, 2, 2]), 2), rises(np.array([0, 3, 2]), 2), rises(np.array([1, 2]), 2)
    (True, False, False)
    """
    return len(pos) > 0 and bool(pos[0] == 0 and pos[-1] == size and np.all(pos[1:] >= pos[:-1]))
