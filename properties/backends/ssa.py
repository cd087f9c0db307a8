"""Scripts that name every intermediate result once, for backends that compute one operation a line."""

from __future__ import annotations

import keyword
from collections.abc import Iterable
from itertools import count


class Lines:
    """The lines of a script that is being written. Names of tensors are kept unless they mean something in Python."""

    def __init__(self, header: str, tensors: Iterable[str], reserved: Iterable[str] = ()) -> None:
        self.lines = header.splitlines()
        meant = {"np", "inf", "nan", "result", *reserved, *keyword.kwlist}
        known = set(tensors)
        self.names: dict[str, str] = {}
        for name in known:
            free = name
            while free in meant or (free != name and free in known):
                free += "_"
            self.names[name] = free
        self.fresh = (name for n in count(1) if (name := f"t{n}") not in self.names.values())

    def bind(self, tensor: str, value: str) -> None:
        """Give a tensor's name a value."""
        self.lines.append(f"{self.names[tensor]} = {value}")

    def let(self, value: str) -> str:
        """Give a value a fresh name."""
        name = next(self.fresh)
        self.lines.append(f"{name} = {value}")
        return name

    def finish(self, value: str) -> str:
        """The text, which assigns a value to `result`."""
        return "\n".join([*self.lines, f"result = {value}"]) + "\n"
