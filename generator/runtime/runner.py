"""Running a loaded kernel on tensors that fit it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from ...reference.algebra.dtypes import Number
from ...reference.errors import StorageError
from ...reference.storage.packing import LARGEST
from ...reference.storage.room import refuse_large
from ...reference.storage.spec import Spec
from ...reference.storage.tensor import Tensor
from ..kernel_source import IN_PLACE, Source
from ..storage.layout import Layout, array_names
from .library import MOST, Library, complain
from .structs import Struct


@dataclass(frozen=True)
class Runner:
    """The functions of one kernel in a library, their names starting with `prefix`.

    `result` is how the kernel assembles its result, `packed` how that is stored in the end, if otherwise.
    """

    library: Library
    result: Layout
    prefix: str = ""
    packed: Spec | None = None

    @cached_property
    def is_given(self) -> bool:
        """Whether the result stores nothing but its values, which this side provides."""
        return not array_names(self.result.format)

    @cached_property
    def works_in_place(self) -> bool:
        """Whether the kernel can go on from the previous contents of its result where these are."""
        return self.packed is None and self.library.has(self.prefix + IN_PLACE)

    @cached_property
    def modes(self) -> tuple[int, ...] | None:
        """The mode of each level of the result, if each holds a whole one."""
        format = self.result.format
        return tuple(format.stored_modes) if format.map.is_permutation else None

    def run(self, mode: str, target: Struct, operands: Sequence[Struct], what: str) -> None:
        """Call the function of a mode. Raises the error that its status stands for."""
        function = self.library.function(self.prefix + mode)
        complain(function(target.pointer, *[o.pointer for o in operands]), what)

    def evaluate(self, operands: Mapping[str, Tensor], shape: tuple[int, ...], what: str) -> Tensor:
        """The result on operands in the order of the kernel's parameters."""
        return self.finish(self.run_evaluate(operands, shape, what), shape)

    def run_evaluate(
        self, operands: Mapping[str, Tensor], shape: tuple[int, ...], what: str
    ) -> tuple[Struct, np.ndarray | None]:
        """The struct that holds the result, and its values where this side provides them."""
        target, vals = self.target(shape)
        self.run("evaluate", target, [Struct.of(t) for t in operands.values()], what)
        return target, vals

    def update(self, before: Tensor, struct: Struct, operands: Sequence[Struct], what: str) -> Tensor:
        """The result in the arrays of its previous contents, which nobody may read any more; operands in the order of
        the kernel's parameters."""
        self.run(IN_PLACE, struct, operands, what)
        return before.again()

    def target(self, shape: tuple[int, ...], given: np.ndarray | None = None) -> tuple[Struct, np.ndarray | None]:
        """A struct for the result; with memory for its values, if these are all that it stores.

        Raises StorageError if what it takes before anything is stored does not fit in memory.
        """
        extents = self.extents(shape)
        target = Struct.empty(shape, extents)
        if not self.is_given:
            if prod(shape) > LARGEST:
                format = self.result.format if self.packed is None else self.packed.format_for(len(shape))
                refuse_large(format, shape, LARGEST)
            return target, None
        vals = empty(extents, self.result.dtype) if given is None else given
        target.lend(vals)
        return target, vals

    def extents(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The extents of the result's level coordinates."""
        if self.modes is not None:
            return tuple([shape[m] for m in self.modes])
        return tuple(0 if n is None else n for n in self.result.format.map.level_extents(shape))

    def finish(self, made: tuple[Struct, np.ndarray | None], shape: tuple[int, ...]) -> Tensor:
        """The result as a tensor in the format that was requested."""
        return self.convert(self.collect(made, shape))

    def convert(self, result: Tensor) -> Tensor:
        """An assembled result, converted to the format that was requested."""
        return result if self.packed is None else result.convert(self.packed)

    def collect(self, made: tuple[Struct, np.ndarray | None], shape: tuple[int, ...]) -> Tensor:
        """The result as a tensor in the format in which the kernel assembles it."""
        target, vals = made
        if vals is None:
            return target.tensor(self.result, shape, self.extents(shape))
        vals.flags.writeable = False
        levels: tuple[dict[str, int], ...] = tuple({} for _ in self.result.format.levels)
        fill: Number = self.result.fill
        return Tensor(
            self.result.format, shape, self.result.dtype, fill, levels, {}, self.extents(shape), vals
        ).mark_trusted()


def empty(extents: Sequence[int], dtype: np.dtype) -> np.ndarray:
    """Memory for every position of a dense result. Raises StorageError if there is not enough."""
    count = 1
    for n in extents:
        count *= n
    needed = f"a dense result of shape {tuple(extents)} needs {count} values of {dtype.itemsize} bytes"
    hint = "ask for a sparse result, for example out='COO'"
    if count * dtype.itemsize > MOST:
        raise StorageError(f"{needed}, which does not fit in memory: {MOST} bytes at most", hint=hint)
    try:
        return np.empty(count, dtype)
    except MemoryError:
        raise StorageError(f"{needed}, which does not fit in memory", hint=hint) from None


def arity(source: Source) -> int:
    """The number of tensors that the functions of a kernel take."""
    return 1 + len(source.operands)
