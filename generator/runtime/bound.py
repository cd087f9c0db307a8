"""Bound kernels: a kernel with its operands, called again and again.

What cannot change from one call to the next is looked at once: names, formats and shapes, the sizes that schedules are
chosen by, conversions of tensors, where arrays lie.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from ...reference.errors import MeaningError, in_statement
from ...reference.storage.tensor import Tensor
from .operand import Slot


class Bound:
    """A kernel with its operands, as `Kernel.bind` gives it: a call computes the result from what arrays hold by then.

    `again` does so, of a `statement`; `origin` binds the kernel to the operands once more.
    """

    __slots__ = ("again", "origin", "statement")

    def __init__(self, again: Callable[[], Tensor], statement: str, origin: Callable[[], Bound]) -> None:
        self.again, self.statement, self.origin = again, statement, origin

    def __call__(self) -> Tensor:
        """The result; each time in the array that was bound as `out`, if there is one. Raises the errors of a call of
        the kernel."""
        try:
            return self.again()
        except MeaningError as error:
            raise in_statement(error, self.statement) from None

    def __reduce__(self) -> tuple[Any, ...]:
        """To another process operands go with the kernel."""
        return self.origin, ()

    def __repr__(self) -> str:
        return f"<bound kernel {self.statement}>"


def are_steady(slots: Sequence[Slot], operands: Mapping[str, Any], coordinates: Collection[str]) -> bool:
    """Whether operands stay what was compiled whatever is written into arrays among them; coordinates, by the names of
    their variables, stay so if nobody has given them."""
    return operands.keys().isdisjoint(coordinates) and all(
        slot.is_steady(operands[slot.name]) for slot in slots if slot.name not in coordinates
    )
