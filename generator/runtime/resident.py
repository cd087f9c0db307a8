"""Copies of operands that a GPU keeps from one call to the next, for as long as the operands live."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from weakref import finalize

from .foreign import ANYTHING, INT, place_of
from .library import Library
from .structs import Struct


class DeviceLibrary(Library):
    """A loaded library whose kernels run on a GPU."""

    def __init__(self, path: Path, names: Sequence[str], arities: Sequence[int], optional: Sequence[str] = ()) -> None:
        super().__init__(path, names, arities, optional)
        self.keeping, self.forgetting = (
            self.functions.find(name, INT, [ANYTHING]) for name in ("gn_keep", "gn_forget")
        )

    def keep(self, struct: Struct) -> None:
        """Have the GPU keep copies of the arrays of an operand, from the first kernel that reads them on."""
        for place in map(place_of, arrays_of(struct)):
            self.keeping(place)
            finalize(struct, self.forgetting, place)


def arrays_of(struct: Struct) -> list[Any]:
    """Where the arrays of an operand are: beside what says where they are."""
    return struct.keeps[2:]
