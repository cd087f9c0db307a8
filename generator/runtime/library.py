"""Calling kernels: the functions of a library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from .foreign import INT, TENSORS, Functions
from .structs import Struct
from .teams import leave_teams

Function = Callable[..., int]


class Library:
    """A loaded library: its functions by name, of which it may lack optional ones. They take `Struct` pointers.

    Raises OSError if the file is no library, AttributeError if it lacks a function.
    """

    def __init__(self, path: Path, names: Sequence[str], arities: Sequence[int], optional: Sequence[str] = ()) -> None:
        self.functions = Functions(path)
        leave_teams(self.functions)
        self.found = {name: self.find(name, n) for name, n in zip(names, arities, strict=True)}
        for name, n in zip(optional, arities, strict=False):
            with suppress(AttributeError):
                self.found[name] = self.find(name, n)

    def find(self, name: str, arity: int) -> Function:
        """A function that takes that many tensors. Raises AttributeError if there is none."""
        return self.functions.find(name, INT, [TENSORS] * arity)

    def function(self, name: str) -> Function:
        """A function of the library; calling it releases the interpreter lock."""
        return self.found[name]

    def keep(self, struct: Struct) -> None:
        """An operand will be used again and again: nothing to do where its arrays are used as they are."""

    def has(self, name: str) -> bool:
        """Whether there is a function of a name."""
        return name in self.found
