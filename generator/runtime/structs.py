"""Tensors as C structs, without copies. A struct is the same for every kernel: what one has filled, another reads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ...reference.errors import StorageError
from ...reference.storage.rows import in_rows
from ...reference.storage.tensor import Tensor
from ..storage.layout import SHARED, array_names, parameters
from .foreign import EXTENTS, LEVELS, TENSORS, elements, new

LARGEST = 2**63 - 1
SHAPES = 256
"""How many shapes stay in memory of C for those that ask again."""


class Struct:
    """A tensor struct, with what must live as long as it does."""

    __slots__ = ("__weakref__", "keeps", "pointer")

    def __init__(self, pointer: Any, keeps: list[Any]) -> None:
        self.pointer, self.keeps = pointer, keeps

    @classmethod
    def over(cls, modes: Any, levels: Any) -> Struct:
        """A tensor of a shape and of levels that are in memory of C."""
        tensor = new(TENSORS)
        tensor.shape, tensor.level = modes, levels
        return cls(tensor, [modes, levels])

    @classmethod
    def empty(cls, shape: tuple[int, ...], extents: tuple[int, ...]) -> Struct:
        """An empty tensor of some shape. Raises StorageError if an extent does not fit in 64 bits."""
        return cls.over(modes_of(shape), levels_of(extents))

    @classmethod
    def bare(cls, shape: tuple[int, ...], extents: tuple[int, ...]) -> Struct:
        """A tensor that stores values alone. `lend` gives the tensor these values; its levels are shared with others.
        Raises StorageError if an extent does not fit in 64 bits."""
        return cls.over(modes_of(shape), bare_levels(extents))

    @classmethod
    def of(cls, tensor: Tensor) -> Struct:
        """A tensor as a struct that points to its arrays."""
        made, format = cls.empty(tensor.shape, tensor.extents), tensor.format
        for k, level in enumerate(format.levels):
            for n, name in enumerate(level.arrays()):
                array = tensor.levels[k][name]
                assert isinstance(array, np.ndarray)
                made.pointer.level[k].array[n] = made.address(array)
                made.pointer.level[k].length[n] = len(array)
            for n, name in enumerate(parameters(format, k)):
                made.pointer.level[k].parameter[n] = tensor.levels[k][name]
        common = [name for k, name in array_names(format) if k == SHARED]
        for n, name in enumerate(common):
            made.pointer.shared[n] = made.address(tensor.shared[name])
            made.pointer.shared_length[n] = len(tensor.shared[name])
        made.lend(tensor.vals)
        return made

    def address(self, array: np.ndarray) -> Any:
        """Where an array's elements are, or those of a copy that C can read; the struct keeps them alive."""
        view = elements(plainly(array))
        self.keeps.append(view)
        return view

    def lend(self, vals: np.ndarray) -> None:
        """Give the struct the memory for its values."""
        self.pointer.vals = self.address(vals)
        self.pointer.size = len(vals)


@lru_cache(SHAPES)
def modes_of(shape: tuple[int, ...]) -> Any:
    """A shape in memory of C, in which nobody changes it. Raises StorageError if an extent does not fit in 64 bits."""
    try:
        return new(EXTENTS, shape or 1)
    except OverflowError:
        raise too_far(shape) from None


def levels_of(extents: tuple[int, ...]) -> Any:
    """Levels of some extents, which store nothing, in memory of C. Raises StorageError as `modes_of`."""
    levels = new(LEVELS, len(extents) or 1)
    try:
        for k, extent in enumerate(extents):
            levels[k].extent = extent
    except OverflowError:
        raise too_far(extents) from None
    return levels


bare_levels = lru_cache(SHAPES)(levels_of)
"""Levels that never store anything, in memory of C in which nobody changes them."""


def plainly(array: np.ndarray) -> np.ndarray:
    """An array as C reads one: without gaps, aligned, and in the byte order of the machine; a copy if it must be."""
    if array.flags.c_contiguous and array.flags.aligned and array.dtype.isnative:
        return array
    return np.require(in_rows(array), array.dtype.newbyteorder("="), ["C", "A"])


def too_far(extents: Sequence[int]) -> StorageError:
    """The error for extents to which C cannot count."""
    return StorageError(
        f"an extent of {max(extents)} does not fit in 64 bits",
        hint=f"extents are at most {LARGEST}",
        rule="format.index",
    )
