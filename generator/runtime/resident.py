"""Copies of operands that a GPU keeps from one call to the next, for as long as the operands live."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from weakref import finalize

import cffi

from .library import Library
from .structs import Struct, types

WORDS = "int gn_keep(const void *host); int gn_forget(const void *host);"


class DeviceLibrary(Library):
    """A loaded library whose kernels run on a GPU."""

    def __init__(self, path: Path, names: Sequence[str], arities: Sequence[int], optional: Sequence[str] = ()) -> None:
        super().__init__(path, names, arities, optional)
        words = cffi.FFI()
        words.cdef(WORDS)
        self.kept = words.dlopen(str(path))
        self.words = words

    def keep(self, struct: Struct) -> None:
        """Have the GPU keep copies of the arrays of an operand, from the first kernel that reads them on."""
        for place in [self.words.cast("void *", int(types().cast("uintptr_t", view))) for view in arrays_of(struct)]:
            self.kept.gn_keep(place)
            finalize(struct, self.kept.gn_forget, place)


def arrays_of(struct: Struct) -> list[Any]:
    """Where the arrays of an operand are: beside what says where they are."""
    return struct.keeps[2:]
