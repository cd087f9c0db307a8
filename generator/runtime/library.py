"""Calling kernels: tensors as C structs, without copies, and results as tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import cffi
import numpy as np

from ...reference.errors import GnomonError, HostError, MeaningError, ScheduleError, StorageError
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
Call = Callable[..., int]
OK, MEMORY, OVERFLOW, DIVISION = range(4)
MOST = 2**34


@cache
def interface(names: tuple[str, ...], arities: tuple[int, ...]) -> cffi.FFI:
    """The foreign interface of functions that take that many tensors."""
    ffi = cffi.FFI()
    functions = (f"int {name}({', '.join(['gn_tensor *'] * n)});" for name, n in zip(names, arities, strict=True))
    ffi.cdef(TYPES + "\n".join(functions))
    return ffi


class Library:
    """A loaded library: its functions by name, and the structs that they take.

    Raises OSError if the file is no library, AttributeError if it lacks a function.
    """

    def __init__(self, path: Path, names: Sequence[str], arities: Sequence[int]) -> None:
        self.ffi = interface(tuple(names), tuple(arities))
        self.lib = self.ffi.dlopen(str(path))
        self.c = self.ffi.dlopen(None)
        for name in names:
            self.function(name)

    def function(self, name: str) -> Call:
        """A function of the library; calling it releases the interpreter lock."""
        found: Call = getattr(self.lib, name)
        return found

    def struct(self, shape: Sequence[int], extents: Sequence[int]) -> Struct:
        """An empty tensor of some shape. Raises StorageError if an extent does not fit in 64 bits."""
        refuse_huge((*shape, *extents))
        ffi = self.ffi
        levels = ffi.new("gn_level[]", max(len(extents), 1))
        for k, extent in enumerate(extents):
            levels[k].extent = extent
        modes = ffi.new("int64_t[]", list(shape) or 1)
        tensor = ffi.new("gn_tensor *")
        tensor.shape, tensor.level = modes, levels
        return Struct(tensor, [modes, levels])

    def bind(self, tensor: Tensor) -> Struct:
        """A tensor as a struct that points to its arrays."""
        made = self.struct(tensor.shape, tensor.extents)
        format = tensor.format
        for k, level in enumerate(format.levels):
            for n, name in enumerate(level.arrays()):
                array = tensor.levels[k][name]
                assert isinstance(array, np.ndarray)
                made.pointer.level[k].array[n] = self.address(array, made)
                made.pointer.level[k].length[n] = len(array)
            for n, name in enumerate(parameters(format, k)):
                made.pointer.level[k].parameter[n] = tensor.levels[k][name]
        common = [name for k, name in array_names(format) if k == SHARED]
        for n, name in enumerate(common):
            made.pointer.shared[n] = self.address(tensor.shared[name], made)
            made.pointer.shared_length[n] = len(tensor.shared[name])
        made.pointer.vals = self.address(tensor.vals, made)
        made.pointer.size = len(tensor.vals)
        return made

    def address(self, array: np.ndarray, keeper: Struct) -> Any:
        """Where an array's elements are, or those of a copy that C can read; the struct keeps them alive."""
        view = self.ffi.from_buffer(plainly(array))
        keeper.keeps.append(view)
        return view

    def keep(self, struct: Struct) -> None:
        """An operand will be used again and again: nothing to do where its arrays are used as they are."""

    def values(self, made: Struct, vals: np.ndarray) -> None:
        """Give a struct the memory for its values."""
        made.pointer.vals = self.address(vals, made)
        made.pointer.size = len(vals)

    def adopt(self, pointer: Any, length: int, dtype: np.dtype) -> np.ndarray:
        """An array that a kernel allocated, freed when nothing refers to it any more."""
        if not pointer:
            return np.zeros(0, dtype)
        owned = self.ffi.gc(pointer, self.c.free, length * dtype.itemsize)
        if length == 0:
            return np.zeros(0, dtype)
        array = np.frombuffer(self.ffi.buffer(owned, length * dtype.itemsize), dtype)
        array.flags.writeable = False
        return array

    def result(self, made: Struct, layout: Layout, shape: tuple[int, ...], extents: tuple[int, ...]) -> Tensor:
        """The tensor that a kernel left in a struct."""
        widths = {(k, name): np.dtype(index) for k, name, index in layout.index}
        levels = []
        for k, level in enumerate(layout.format.levels):
            held = made.pointer.level[k]
            own: dict[str, Any] = {
                name: self.adopt(held.array[n], held.length[n], widths[k, name])
                for n, name in enumerate(level.arrays())
            }
            own |= {name: int(held.parameter[n]) for n, name in enumerate(parameters(layout.format, k))}
            own |= interleaving(layout.format, k)
            levels.append(own)
        common = [name for k, name in array_names(layout.format) if k == SHARED]
        shared = {
            name: self.adopt(made.pointer.shared[n], made.pointer.shared_length[n], widths[SHARED, name])
            for n, name in enumerate(common)
        }
        vals = self.adopt(made.pointer.vals, made.pointer.size, layout.dtype)
        return Tensor(
            layout.format, shape, layout.dtype, layout.fill, tuple(levels), shared, extents, vals
        ).mark_trusted()


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


class Struct:
    """A tensor struct, with what must live as long as it does."""

    __slots__ = ("__weakref__", "keeps", "pointer")

    def __init__(self, pointer: Any, keeps: list[Any]) -> None:
        self.pointer, self.keeps = pointer, keeps


def complain(status: int, what: str) -> None:
    """Raise the error that a kernel reports."""
    match status:
        case 0:
            return
        case 1:
            raise StorageError(
                f"there is not enough memory for {what} with its workspaces and its copies on threads: "
                f"what is made beforehand may have {MOST} bytes an array, on all threads together",
                hint="run on fewer threads, ask for a sparse result, or name hashed workspaces in precompute",
            )
        case 2:
            raise StorageError(
                f"{what} has more components than 32-bit positions can count",
                hint='ask for 64-bit indices: gn.spec(format, index="int64")',
            )
        case 4:
            raise ScheduleError(
                f"a bound of the schedule for {what} does not hold", hint="give a bound that holds, or leave it out"
            )
        case 5:
            raise MeaningError(
                f"integer overflow: a value on the way to {what} does not fit in its dtype",
                hint="give the operands or the result a wider dtype",
            )
        case 3:
            raise MeaningError("integer division by zero", hint="use / to divide in floating point")
        case _:
            raise device_error(status, what)


def device_error(status: int, what: str) -> GnomonError:
    """The error that a kernel reports of a GPU."""
    match status:
        case 6:
            return HostError(f"there is no GPU to compute {what} on", hint='use engine="c", or target="c"')
        case 7:
            return HostError(
                f"there is no GPU to compute {what} on: the driver is missing, or too old for the CUDA of the kernel",
                hint='use engine="c"; with a GPU, update its driver, or set NVCC to the nvcc of an older CUDA',
            )
        case 8:
            return HostError(
                "the kernel was built for GPUs of other architectures than this one",
                hint="set GNOMON_GPU to the compute capability of this GPU, for example 86",
            )
        case 9:
            return StorageError(
                f"{what} takes more blocks than a grid has, 2147483647",
                hint="split the loop over blocks into larger parts",
            )
        case _:
            return HostError(
                f"the GPU has stopped while it computed {what}",
                hint="run the kernel under compute-sanitizer, and report what it says",
            )
