"""Sizes of operands, by which schedules are chosen: of tensors that nobody changes they are measured once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...reference.schedule.branched.choice import Place, measure
from ...reference.storage.hierarchy import is_lasting
from ...reference.storage.tensor import Tensor
from .operand import Kept


class Sizes:
    """The sizes of the operands of a kernel."""

    def __init__(self) -> None:
        self.known: dict[Place, Kept[int]] = {}

    def of(self, places: Mapping[str, Place], operands: Mapping[str, Any]) -> dict[str, int]:
        """The sizes at some places of operands, each 1 at least."""
        return {name: self.at(place, operands[place.tensor]) for name, place in places.items()}

    def at(self, place: Place, operand: Any) -> int:
        """The size at a place of an operand."""
        kept = self.known.setdefault(place, Kept())
        found = kept.of(operand)
        if found is None:
            found = measure(place, operand)
            if isinstance(operand, Tensor) and is_lasting(operand):
                kept.keep(operand, found)
        return found
