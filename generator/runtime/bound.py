"""Bound kernels: a kernel with its operands, called again and again.

What cannot change from one call to the next is looked at once: names, formats and shapes, the sizes that schedules are
chosen by, conversions of tensors, where arrays lie.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...reference.errors import MeaningError, in_statement
from ...reference.storage.tensor import Tensor

if TYPE_CHECKING:
    from .kernel import Kernel


class Bound:
    """A kernel with its operands, as `Kernel.bind` gives it: a call computes the result from what arrays hold by then."""

    __slots__ = ("again", "kernel", "operands", "out")

    def __init__(self, kernel: Kernel, operands: Mapping[str, Any], out: np.ndarray | None) -> None:
        self.kernel, self.operands, self.out = kernel, operands, out
        call = kernel.prepare(operands)
        given = None if out is None else kernel.memory(out, call.blank.shape, operands)
        steady = is_steady(kernel, operands)
        self.again = call.repeated(given) if steady else partial(kernel.run, operands, out)

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process operands go with the kernel."""
        return Bound, (self.kernel, self.operands, self.out)

    def __call__(self) -> Tensor:
        """The result; each time in the array that was bound as `out`, if there is one. Raises the errors of a call of
        the kernel."""
        try:
            return self.again()
        except MeaningError as error:
            raise in_statement(error, self.kernel.request.text.source) from None

    def __repr__(self) -> str:
        return f"<bound {self.kernel!r}>"


def is_steady(kernel: Kernel, operands: Mapping[str, Any]) -> bool:
    """Whether a call on operands stays right whatever is written into arrays among them; coordinates that are given may
    become others."""
    known = kernel.request.text.coordinates
    return operands.keys().isdisjoint(known) and all(
        slot.is_steady(operands[slot.name]) for slot in kernel.slots if slot.name not in known
    )
