"""Tensors as C structs, without copies, and what kernels leave in structs as tensors.

A struct is the same for every kernel: what one has filled, another reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import cffi
import numpy as np

from ...reference.errors import StorageError
from ...reference.storage.format import interleaving
from ...reference.storage.tensor import Tensor
from ..storage.layout import SHARED, Layout, array_names, parameters

TYPES = """
typedef struct { int64_t extent; int64_t parameter[4]; void *array[4]; int64_t length[4]; } gn_level;
typedef struct { const int64_t *shape; gn_level *level; void *shared[4]; int64_t shared_length[4]; void *vals;
                 int64_t size; } gn_tensor;
void free(void *);
"""
LARGEST = 2**63 - 1


@cache
def types() -> cffi.FFI:
    """The foreign interface of what kernels share."""
    ffi = cffi.FFI()
    ffi.cdef(TYPES)
    return ffi


@cache
def allocator() -> Any:
    """The C library, which frees what kernels allocate."""
    return types().dlopen(None)


class Struct:
    """A tensor struct, with what must live as long as it does."""

    __slots__ = ("__weakref__", "keeps", "pointer")

    def __init__(self, pointer: Any, keeps: list[Any]) -> None:
        self.pointer, self.keeps = pointer, keeps

    @classmethod
    def empty(cls, shape: Sequence[int], extents: Sequence[int]) -> Struct:
        """An empty tensor of some shape. Raises StorageError if an extent does not fit in 64 bits."""
        refuse_huge((*shape, *extents))
        new = types().new
        levels = new("gn_level[]", max(len(extents), 1))
        for k, extent in enumerate(extents):
            levels[k].extent = extent
        modes = new("int64_t[]", list(shape) or 1)
        tensor = new("gn_tensor *")
        tensor.shape, tensor.level = modes, levels
        return cls(tensor, [modes, levels])

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
        view = types().from_buffer(plainly(array))
        self.keeps.append(view)
        return view

    def lend(self, vals: np.ndarray) -> None:
        """Give the struct the memory for its values."""
        self.pointer.vals = self.address(vals)
        self.pointer.size = len(vals)

    def tensor(self, layout: Layout, shape: tuple[int, ...], extents: tuple[int, ...]) -> Tensor:
        """The tensor that a kernel left here. Its arrays are freed when nothing refers to them any more."""
        held = self.pointer
        levels = []
        for k, level in enumerate(layout.format.levels):
            own: dict[str, Any] = {
                name: adopt(held.level[k].array[n], held.level[k].length[n], layout.dtypes[k, name])
                for n, name in enumerate(level.arrays())
            }
            own |= {name: int(held.level[k].parameter[n]) for n, name in enumerate(parameters(layout.format, k))}
            own |= interleaving(layout.format, k)
            levels.append(own)
        shared = {
            name: adopt(held.shared[n], held.shared_length[n], layout.dtypes[SHARED, name])
            for n, name in enumerate(layout.shared_names)
        }
        vals = adopt(held.vals, held.size, layout.dtype)
        return Tensor(
            layout.format, shape, layout.dtype, layout.fill, tuple(levels), shared, extents, vals
        ).mark_trusted()


def adopt(pointer: Any, length: int, dtype: np.dtype) -> np.ndarray:
    """An array that a kernel allocated, freed when nothing refers to it any more."""
    if not pointer:
        return np.zeros(0, dtype)
    owned = types().gc(pointer, allocator().free, length * dtype.itemsize)
    if length == 0:
        return np.zeros(0, dtype)
    array = np.frombuffer(types().buffer(owned, length * dtype.itemsize), dtype)
    array.flags.writeable = False
    return array


def plainly(array: np.ndarray) -> np.ndarray:
    """An array as C reads one: without gaps, aligned, and in the byte order of the machine; a copy if it must be."""
    if array.flags.c_contiguous and array.flags.aligned and array.dtype.isnative:
        return array
    return np.require(array, array.dtype.newbyteorder("="), ["C", "A"])


def refuse_huge(extents: Sequence[int]) -> None:
    """Refuse extents that C cannot count to."""
    largest = max(extents, default=0)
    if largest > LARGEST:
        raise StorageError(f"an extent of {largest} does not fit in 64 bits", hint=f"extents are at most {LARGEST}")
