"""Running a loaded kernel on tensors that fit it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import msgspec
import numpy as np

from ...reference.storage.spec import Spec
from ...reference.storage.tensor import Tensor
from ..source import IN_PLACE, PHASES, Source
from ..storage.layout import Layout
from .blank import Begun, Blank, refuse_room
from .conversions import Conversion
from .library import Function, Library
from .status import complain
from .structs import Struct


class Runner(msgspec.Struct, frozen=True, dict=True):
    """The functions of one kernel in a library, their names starting with `prefix`.

    `result` is how the kernel assembles its result, `packed` how that is stored in the end, if otherwise; `conversions`
    say which operands are converted for it. Functions for two phases may be in a library that is still to be built, by
    `build_phases`.
    """

    library: Library
    result: Layout
    prefix: str = ""
    packed: Spec | None = None
    conversions: tuple[Conversion, ...] = ()
    build_phases: Callable[[], Library] | None = None

    @cached_property
    def phases(self) -> Library:
        """The library that assembles and computes a result in two phases."""
        return self.library if self.build_phases is None else self.build_phases()

    @cached_property
    def works_in_place(self) -> bool:
        """Whether the kernel can go on from the previous contents of its result where these are."""
        return self.packed is None and self.library.has(self.prefix + IN_PLACE)

    def blank(self, shape: tuple[int, ...]) -> Blank:
        """What results of a shape begin with. Raises StorageError where they do not fit in memory."""
        refuse_room(self.result, shape, self.packed)
        return Blank(self.result, shape)

    def run(self, mode: str, target: Struct, operands: Sequence[Struct], what: str) -> None:
        """Call the function of a mode. Raises the error that its status stands for."""
        complain(self.function(mode)(target.pointer, *[o.pointer for o in operands]), what)

    def function(self, mode: str) -> Function:
        """The function of a mode, which takes pointers to the result and to operands, and returns a status."""
        return (self.phases if mode in PHASES else self.library).function(self.prefix + mode)

    def begin(
        self, mode: str, blank: Blank, operands: Sequence[Struct], what: str, given: np.ndarray | None = None
    ) -> Begun:
        """A result that the function of a mode has assembled, its values in an array if one is given; operands in the
        order of the kernel's parameters."""
        begun = blank.begin(given)
        self.run(mode, begun[0], operands, what)
        return begun

    def evaluate(self, operands: Mapping[str, Tensor], shape: tuple[int, ...], what: str) -> Tensor:
        """The result on operands in the order of the kernel's parameters, in the format that was requested."""
        blank = self.blank(shape)
        begun = self.begin("evaluate", blank, [Struct.of(tensor) for tensor in operands.values()], what)
        return self.convert(blank.finish(begun))

    def update(self, before: Tensor, struct: Struct, operands: Sequence[Struct], what: str) -> Tensor:
        """The result in the arrays of its previous contents, which nobody may read any more."""
        self.run(IN_PLACE, struct, operands, what)
        return before.again()

    def convert(self, result: Tensor) -> Tensor:
        """An assembled result, converted to the format that was requested."""
        return result if self.packed is None else result.convert(self.packed)


def arity(source: Source) -> int:
    """The number of tensors that the functions of a kernel take."""
    return 1 + len(source.operands)
