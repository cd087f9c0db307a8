"""Repacking: whether a tensor is what packing gives for the components that it holds.

What is packed keeps every invariant, so such a tensor does. This is told for whole levels at a time, where validation
goes from node to node to say what is wrong and where.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..errors import GnomonError
from ..levels.compressed import Compressed
from ..levels.dense import Dense
from ..levels.level import Indices
from ..levels.singleton import Singleton
from .coordinate_map import Rank, Remainder
from .enumeration import Storage, enumerate_leaves
from .format import Format
from .hierarchy import Doubt, Hierarchy, components_at, is_fixed
from .named_formats import format_of
from .packing import pack
from .spec import Spec
from .validation import length_complaints, shape_complaints, storage_complaints
from .vectorised import are_sorted, run_starts


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
    if tensor.format.is_array or holds_segments_in_order(tensor) or holds_rows_in_order(tensor):
        return True
    if tensor.format == format_of("DIA", 2):
        return True  # whose offsets are in order and inside the shape: each diagonal has a component
    try:
        stores = [tensor.storage(k) for k in range(len(tensor.levels))]
        coords, values = components_at(tensor, *enumerate_leaves(tensor.format, stores))
        again = pack(coords, np.zeros(len(values), bool), tensor.shape, tensor.format, index=np.int64)
    except (GnomonError, IndexError, MemoryError):
        return False
    pairs = zip((*tensor.levels, tensor.shared), (*again.levels, again.shared), strict=True)
    is_same = again.extents == tensor.extents and len(again.vals) == len(tensor.vals)
    return is_same and all(hold_alike(held, packed) for held, packed in pairs)


def is_stored_as(tensor: Hierarchy, asked: Spec) -> bool:
    """Whether packing what a tensor holds as it is asked for gives its arrays again, which nobody can change.

    >>> from gnomon import spec, tensor
    >>> A = tensor([[0, 1], [2, 0]], [5.0, 7.0], (2, 3), "CSR")
    >>> is_stored_as(A, spec("CSR")), is_stored_as(A, spec("CSR", index="int64"))
    (True, False)
    """
    stored = [a for store in (*tensor.levels, tensor.shared) for a in store.values() if isinstance(a, np.ndarray)]
    if (asked.dtype is not None and asked.dtype != tensor.dtype) or any(a.dtype != asked.index for a in stored):
        return False
    is_known = tensor.sound and tensor.doubt is Doubt.NOTHING and is_fixed(tensor)
    if not is_known or asked.format_for(tensor.order) != tensor.format:
        return False
    return tensor.format.map.is_permutation and (holds_segments_in_order(tensor) or holds_rows_in_order(tensor))


def holds_segments_in_order(tensor: Hierarchy) -> bool:
    """Whether all levels of a readable tensor are dense, or compressed with coordinates that rise in each segment; no
    parent is stored without children.

    >>> from gnomon import tensor
    >>> [holds_segments_in_order(tensor([[0, 1], [2, 0]], [5.0, 7.0], (2, 3), f)) for f in ("DCSR", "COO", "HashMap")]
    [True, False, False]
    """
    levels = tensor.format.levels
    is_ordered = all(type(level) in (Dense, Compressed) and level.ordered and level.unique for level in levels)
    if not is_ordered or not holds_whole_blocks(tensor.format) or not len(tensor.vals):
        return False
    compressed = [k for k, level in enumerate(levels) if isinstance(level, Compressed)]
    for k in compressed:
        pos, crd = (np.asarray(tensor.levels[k][name]) for name in ("pos", "crd"))
        holds_all = k == compressed[0] or bool(np.all(pos[1:] > pos[:-1]))
        if not (holds_all and rises_in_segments(tensor.levels[k]).all() and lies_inside(crd, tensor.extents[k])):
            return False
    return True


def holds_whole_blocks(format: Format) -> bool:
    """Whether no rank is stored, and of blocks, if there are any, every place: each has a component in the shape.

    >>> [holds_whole_blocks(format_of(name, 2)) for name in ("CSR", "BCSR(2,3)", "CSB(2,3)", "DIA")]
    [True, True, False, False]
    """
    pairs = zip(format.levels, format.map.terms, strict=True)
    return not any(
        isinstance(term, Rank) or (isinstance(term, Remainder) and type(level) is not Dense) for level, term in pairs
    )


def rises_in_segments(stored: Storage) -> np.ndarray:
    """For each coordinate but the first, whether it begins a segment or is more than the one before."""
    pos, crd = (np.asarray(stored[name]) for name in ("pos", "crd"))
    found = crd[1:] > crd[:-1]
    begun = pos[1:-1]
    found[begun[(begun > 0) & (begun < len(crd))].astype(np.int64) - 1] = True
    return np.asarray(found)


def holds_rows_in_order(tensor: Hierarchy) -> bool:
    """Whether a readable tensor stores rows of coordinates, one after another and each once.

    >>> from gnomon import tensor
    >>> [holds_rows_in_order(tensor([[0, 1], [2, 0]], [5.0, 7.0], (2, 3), f)) for f in ("DCSR", "COO", "HashMap")]
    [False, True, False]
    """
    first, *others = tensor.format.levels
    if type(first) is not Compressed or not tensor.format.map.is_permutation:
        return False
    if any(type(level) is not Singleton or level.padded for level in others):
        return False
    if not all(level.ordered for level in (first, *others)) or any(level.unique for level in (first, *others[:-1])):
        return False
    columns = [np.asarray(store["crd"]) for store in tensor.levels]
    inside = all(lies_inside(crd, extent) for crd, extent in zip(columns, tensor.extents, strict=True))
    return inside and are_sorted(columns) and bool(run_starts(columns, len(columns[0])).all())


def lies_inside(crd: Indices, extent: int) -> bool:
    """Whether coordinates lie in [0, extent)."""
    return not crd.size or bool(crd.min() >= 0 and crd.max() < extent)


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
