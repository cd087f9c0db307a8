"""What kernels leave in structs, as tensors: arrays are taken over when somebody looks at them, without copies.

A result that only another kernel reads is never looked at.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from threading import Lock
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ...reference.storage.enumeration import Storage
from ...reference.storage.format import interleaving
from ...reference.storage.hierarchy import read_only
from ...reference.storage.tensor import Tensor
from ..storage.layout import SHARED, Layout, parameters
from .foreign import ANYTHING, NOTHING, Functions, content, own
from .structs import Struct

TAKING = Lock()


class Arrays(NamedTuple):
    """What a tensor stores: by level, of no level, and values."""

    levels: tuple[Storage, ...]
    shared: Mapping[str, np.ndarray]
    vals: np.ndarray


class Left:
    """The arrays that a kernel has left in a struct. They are freed when nothing refers to them any more, or by the end
    of the process."""

    __slots__ = ("arrays", "layout", "struct")

    def __init__(self, struct: Struct, layout: Layout) -> None:
        self.struct, self.layout = struct, layout
        self.arrays: Arrays | None = None

    def take(self) -> Arrays:
        """The arrays as NumPy has them: the same whoever asks."""
        with TAKING:
            if self.arrays is None:
                self.arrays = take_over(self.struct.pointer, self.layout)
        return self.arrays

    def __del__(self) -> None:
        if self.arrays is None and not sys.is_finalizing():
            free, held = release(), self.struct.pointer
            for k, n in self.layout.places:
                free(held.shared[n] if k == SHARED else held.level[k].array[n])
            free(held.vals)


class Assembled(Tensor):
    """A tensor as a kernel has left it. Once somebody has looked at its arrays it is like any other."""

    left: Left

    @property
    def positions(self) -> int:
        """How many positions the last level has, each with a value."""
        left = self.__dict__.get("left")
        return len(self.vals) if left is None else int(left.struct.pointer.size)

    def __getattr__(self, name: str) -> Any:
        """The arrays, which are taken over. Raises AttributeError for all else that there is not."""
        if name not in Arrays._fields:
            raise AttributeError(f"a tensor has no attribute {name!r}", name=name, obj=self)
        left = self.__dict__.get("left")
        if left is not None:
            self.__dict__.update(left.take()._asdict())
            object.__setattr__(self, "__class__", Tensor)
            self.__dict__.pop("left", None)
        return self.__dict__[name]

    def __reduce_ex__(self, protocol: Any) -> Any:
        """To another process, and into a copy, the arrays go."""
        self.__getattr__("vals")
        return Tensor.__reduce_ex__(self, protocol)


@cache
def release() -> Callable[[Any], object]:
    """The function of the C library that frees what kernels allocate."""
    return Functions(None).find("free", NOTHING, [ANYTHING])


def take_over(held: Any, layout: Layout) -> Arrays:
    """The arrays and parameters in a struct."""
    levels = []
    for k, level in enumerate(layout.format.levels):
        stored: dict[str, Any] = {
            name: adopt(held.level[k].array[n], held.level[k].length[n], layout.dtypes[k, name])
            for n, name in enumerate(level.arrays())
        }
        stored |= {name: int(held.level[k].parameter[n]) for n, name in enumerate(parameters(layout.format, k))}
        levels.append(read_only(stored | interleaving(layout.format, k)))
    shared = {
        name: adopt(held.shared[n], held.shared_length[n], layout.dtypes[SHARED, name])
        for n, name in enumerate(layout.shared_names)
    }
    return Arrays(tuple(levels), MappingProxyType(shared), adopt(held.vals, held.size, layout.dtype))


def adopt(pointer: Any, length: int, dtype: np.dtype) -> np.ndarray:
    """An array that a kernel allocated, freed when nothing refers to it any more."""
    if not pointer:
        return np.zeros(0, dtype)
    owned = own(pointer, release(), length * dtype.itemsize)
    if length == 0:
        return np.zeros(0, dtype)
    array = np.frombuffer(content(owned, length * dtype.itemsize), dtype)
    array.flags.writeable = False
    return array
