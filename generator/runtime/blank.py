"""Blanks: what every result of a kernel that has one shape begins with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod
from typing import Any

import msgspec
import numpy as np

from ...reference.errors import StorageError
from ...reference.storage.packing import LARGEST
from ...reference.storage.room import refuse_large
from ...reference.storage.spec import Spec
from ...reference.storage.tensor import Tensor
from ..storage.layout import Layout, array_names
from .left import Arrays, Assembled, Left
from .status import MOST
from .structs import Struct

Begun = tuple[Struct, np.ndarray | None]
"""A struct for a result, and the memory for its values where this side provides that."""


class Blank(msgspec.Struct, frozen=True, dict=True):
    """A result of some shape before anything is in it, assembled in a layout."""

    layout: Layout
    shape: tuple[int, ...]

    @cached_property
    def is_given(self) -> bool:
        """Whether the result stores nothing but its values, which this side provides."""
        return not array_names(self.layout.format)

    @property
    def most(self) -> int:
        """The most components that a result may have before it is refused as too large."""
        return MOST // self.layout.dtype.itemsize

    @property
    def is_large(self) -> bool:
        """Whether the result has more coordinates than `most`."""
        return prod(self.shape) > self.most

    @cached_property
    def extents(self) -> tuple[int, ...]:
        """The extents of the level coordinates."""
        return tuple([0 if n is None else n for n in self.layout.format.map.level_extents(self.shape)])

    @cached_property
    def known(self) -> dict[str, Any]:
        """What is known of the tensor: all of it but its values, or what a kernel leaves."""
        format, vals = self.layout.format, np.empty(0, self.layout.dtype)
        levels: tuple[dict[str, int], ...] = tuple({} for _ in format.levels)
        none = Tensor(format, self.shape, self.layout.dtype, self.layout.fill, levels, {}, self.extents, vals)
        unknown = ("vals",) if self.is_given else Arrays._fields
        return {name: held for name, held in none.mark_trusted().__dict__.items() if name not in unknown}

    def begin(self, given: np.ndarray | None = None) -> Begun:
        """A struct for the result, with memory for its values if these are all that it stores.

        Raises StorageError if there is not enough, or for an extent that does not fit in 64 bits.
        """
        if not self.is_given:
            return Struct.empty(self.shape, self.extents), None
        struct = Struct.bare(self.shape, self.extents)
        vals = empty(self.extents, self.layout.dtype) if given is None else given
        struct.lend(vals)
        return struct, vals

    def finish(self, begun: Begun) -> Tensor:
        """The result as a kernel has assembled it in what has been begun."""
        struct, vals = begun
        if vals is None:
            assembled = object.__new__(Assembled)
            assembled.__dict__.update(self.known, left=Left(struct, self.layout))
            return assembled
        vals.flags.writeable = False
        made = object.__new__(Tensor)
        made.__dict__.update(self.known, vals=vals)
        return made


def refuse_room(layout: Layout, shape: tuple[int, ...], packed: Spec | None) -> None:
    """Refuse a result of a shape that takes more than fits in memory before anything is stored in it."""
    if array_names(layout.format) and prod(shape) > LARGEST:
        refuse_large(layout.format if packed is None else packed.format_for(len(shape)), shape, LARGEST)


def empty(extents: Sequence[int], dtype: np.dtype) -> np.ndarray:
    """Memory for every position of a dense result. Raises StorageError if there is not enough."""
    count = prod(extents)
    if count * dtype.itemsize > MOST:
        raise too_large(extents, count, dtype, f": {MOST} bytes at most")
    try:
        return np.empty(count, dtype)
    except MemoryError:
        raise too_large(extents, count, dtype) from None


def too_large(extents: Sequence[int], count: int, dtype: np.dtype, limit: str = "") -> StorageError:
    """The error for a dense result that does not fit in memory."""
    needed = f"a dense result of shape {tuple(extents)} needs {count} values of {dtype.itemsize} bytes"
    return StorageError(
        f"{needed}, which does not fit in memory{limit}",
        hint="ask for a sparse result, for example out='COO'",
        rule="code.status",
    )
