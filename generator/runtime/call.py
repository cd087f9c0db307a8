"""Calls of kernels: what the shapes of operands settle, and the functions with their arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from ...reference.schedule.schedule import Schedule
from ...reference.storage.tensor import Tensor
from .blank import Blank
from .conversions import Conversion
from .runner import Runner
from .status import complain
from .structs import Struct

if TYPE_CHECKING:
    from ...reference.statement.filling import Fillings


class Settled(msgspec.Struct):
    """What follows from the shapes of operands: the shape of the result, the extents of the variables; after the first
    call also the functions and the blank of the result, and where it may have more components than fit in memory,
    how it gets them; how operands are converted without a schedule, once that has been asked; and the sizes of operands
    for which a schedule was chosen last, and that schedule."""

    shapes: tuple[tuple[int, ...], ...]
    shape: tuple[int, ...]
    extents: dict[str, int]
    call: tuple[Runner, Blank] | None = None
    fillings: Fillings | None = None
    conversions: tuple[Conversion, ...] | None = None
    chosen: tuple[Mapping[str, int], Schedule] | None = None


class Call(NamedTuple):
    """A call that is ready to be made, on operands of some shapes."""

    runner: Runner
    blank: Blank
    structs: list[Struct]
    what: str
    shapes: tuple[tuple[int, ...], ...]

    def evaluate(self, given: np.ndarray | None = None) -> tuple[Tensor, Struct]:
        """The result, its values in an array if one is given, and the struct in which it was assembled."""
        begun = self.runner.begin("evaluate", self.blank, self.structs, self.what, given)
        return self.runner.convert(self.blank.finish(begun)), begun[0]

    def repetition(self, given: np.ndarray | None) -> Callable[[], Tensor]:
        """What computes the result, as often as it is called: in an array if one is given, else anew each time."""
        if given is None:
            return lambda: self.evaluate()[0]
        begun = self.blank.begin(given)
        result, structs = self.blank.finish(begun), (begun[0], *self.structs)
        function, what = self.runner.function("evaluate"), self.what

        def again() -> Tensor:
            complain(function(*[each.pointer for each in structs]), what)
            return result

        return again

    def assemble(self) -> Tensor:
        """The structure of the result, as it is assembled; values that are stored anyhow are fill."""
        begun = self.blank.begin()
        if begun[1] is not None:
            begun[1].fill(self.blank.layout.fill)
        self.runner.run("assemble", begun[0], self.structs, self.what)
        return self.blank.finish(begun)

    def update(self, before: Tensor, struct: Struct) -> Tensor:
        """The result in the arrays of its previous contents."""
        return self.runner.update(before, struct, self.structs, self.what)
