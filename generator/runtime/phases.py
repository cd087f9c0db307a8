"""Two phases: a structure is assembled once, and values are computed in it for operands of the same structure.

The function `compute` of a kernel writes at every position of the result's structure, so that in a smaller structure it
would write beyond arrays. A structure is therefore compared first: shapes and index arrays of the operands with those
of the operands for which the structure was assembled, or the structure itself with one that is assembled anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ...reference.storage.tensor import Tensor

Stored = tuple[int | np.ndarray, ...]


class Known(NamedTuple):
    """For which operands a structure was assembled: their shapes, and what the sparse ones store beside values."""

    shapes: tuple[tuple[int, ...], ...]
    stored: Stored

    def is_for(self, shapes: tuple[tuple[int, ...], ...], sparse: Iterable[Tensor]) -> bool:
        """Whether the structure is also that for operands of some shapes, of which some are sparse."""
        return self.shapes == shapes and is_same(self.stored, storage(sparse))


def storage(tensors: Iterable[Tensor]) -> Stored:
    """What tensors store beside their values: parameters and arrays, level by level."""
    return tuple(each for tensor in tensors for store in (*tensor.levels, tensor.shared) for each in store.values())


def is_same(one: Stored, other: Stored) -> bool:
    """Whether the same is stored."""
    return len(one) == len(other) and all(a is b or np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def holds_the_same(one: Tensor, other: Tensor) -> bool:
    """Whether tensors of one format store as much, and the same components at the same positions; elements of arrays
    that are not set play no part."""
    (coords, places), (other_coords, other_places) = one.enumerate_leaves(), other.enumerate_leaves()
    pairs = zip((*coords, places), (*other_coords, other_places), strict=True)
    return sizes(one) == sizes(other) and all(np.array_equal(a, b) for a, b in pairs)


def sizes(tensor: Tensor) -> list[int]:
    """The parameters and the lengths of the arrays of a tensor."""
    return [len(tensor.vals), *(each if isinstance(each, int) else len(each) for each in storage([tensor]))]
