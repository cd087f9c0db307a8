"""Layouts: what generated code must know of a tensor before it sees one.

A layout is a declaration and the width of every index array. Shapes are no part of it.
"""

from __future__ import annotations

import inspect
from functools import cache, cached_property
from typing import TypeGuard

import numpy as np

from ...reference.algebra.dtypes import Number
from ...reference.levels.level import Level
from ...reference.storage.declaration import Declaration
from ...reference.storage.format import Format
from ...reference.storage.tensor import Tensor

C_TYPES = {
    "bool": "bool",
    "float32": "float",
    "float64": "double",
    "complex64": "float complex",
    "complex128": "double complex",
} | {f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)}
SHARED = -1


def c_type(dtype: np.dtype) -> str:
    """The C type of a dtype."""
    return C_TYPES[dtype.name]


class Layout(Declaration, frozen=True, dict=True):
    """How a tensor's arrays are laid out. `index`: the dtype of each index array by level (-1: shared) and name."""

    index: tuple[tuple[int, str, str], ...]

    @classmethod
    def uniform(cls, format: Format, dtype: np.dtype, fill: Number, index: str = "int32") -> Layout:
        """The layout with index arrays of one width."""
        return cls(format, dtype, fill, tuple(sorted((k, name, index) for k, name in array_names(format))))

    @classmethod
    def of(cls, tensor: Tensor) -> Layout:
        """The layout of a tensor. Offsets of diagonals that no level reads are no part of it."""
        index = [(k, n, name_of(a.dtype)) for k, own in enumerate(tensor.levels) for n, a in own.items() if is_array(a)]
        if tensor.shared:
            read = {name for k, name in array_names(tensor.format) if k == SHARED}
            index += [(SHARED, n, name_of(a.dtype)) for n, a in tensor.shared.items() if n in read]
        return cls(tensor.format, tensor.dtype, tensor.fill, tuple(sorted(index)))

    @cached_property
    def dtypes(self) -> dict[tuple[int, str], np.dtype]:
        """The dtype of the elements of each index array."""
        return {(k, name): np.dtype(index) for k, name, index in self.index}

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """Where structs have the index arrays: level (-1: shared) and number."""
        own = [(k, n) for k, level in enumerate(self.format.levels) for n in range(len(level.arrays()))]
        return (*own, *((SHARED, n) for n in range(len(self.shared_names))))

    @cached_property
    def shared_names(self) -> tuple[str, ...]:
        """The arrays that several levels read."""
        return tuple(name for k, name in array_names(self.format) if k == SHARED)

    @property
    def types(self) -> dict[tuple[int, str], str]:
        """The C type of the elements of each index array."""
        return {(k, name): f"{index}_t" for k, name, index in self.index}


@cache
def name_of(dtype: np.dtype) -> str:
    """The name of a dtype, which NumPy makes anew each time."""
    return dtype.name


def is_array(held: np.ndarray | int) -> TypeGuard[np.ndarray]:
    return isinstance(held, np.ndarray)


def array_names(format: Format) -> list[tuple[int, str]]:
    """The index arrays of a format: level and name, those of no level last."""
    own = [(k, name) for k, level in enumerate(format.levels) for name in level.arrays()]
    common = {
        (SHARED, name): None for level in format.levels for name, role in level.roles().items() if role == "shared"
    }
    return own + list(common)


def field_of(parameter: str, format: Format, k: int, array: str, *, length: bool = False) -> str:
    """Where the tensor struct keeps an index array, or its length."""
    if k == SHARED:
        shared = [name for level, name in array_names(format) if level == SHARED]
        return f"{parameter}->{'shared_length' if length else 'shared'}[{shared.index(array)}]"
    n = format.levels[k].arrays().index(array)
    return f"{parameter}->level[{k}].{'length' if length else 'array'}[{n}]"


def layout_key(layout: Layout) -> str:
    """A text that two layouts share only if the same code serves both."""
    levels = ",".join(level_key(level) for level in layout.format.levels)
    return f"{levels} {layout.format.map} {layout.dtype.name} {layout.fill!r} {layout.index}"


def level_key(level: Level) -> str:
    """A text for a level format: its class and configuration, and for one from elsewhere its source."""
    kind = type(level)
    own = kind.__module__.startswith(__name__.split(".")[0] + ".")
    return f"{kind.__module__}.{level!r}" if own else f"{kind.__module__}.{level!r} {inspect.getsource(kind)}"


def parameters(format: Format, k: int) -> tuple[str, ...]:
    """The parameters of a level, in the order in which they are stored."""
    return tuple(name for name, role in format.levels[k].roles().items() if role == "parameter")


def default_parameters(level: Level) -> dict[str, int]:
    """The parameters that a level chooses without components."""
    none = np.zeros(0, np.int64)
    chosen = level.analyse(none, [none], 0)
    return {n: v for n, v in chosen.items() if isinstance(v, int)}
