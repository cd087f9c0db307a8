"""The singleton level: one coordinate per parent (Chou 2018, section 3.1, Tables 2 and 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .level import Append, Coordinates, Indices, Insert, Ints, Level, Placed, Violation, array, extent


@dataclass(frozen=True)
class Singleton(Level):
    """Stores `crd[p]` for each parent `p`, with no sibling. Padded (ELL), -1 marks a position that holds nothing.

    >>> Singleton().bind({"crd": [0, 1, 4], "N": 6}).pos_access(2, (0,))
    (4, True)
    """

    name: ClassVar[str] = "singleton"
    letter: ClassVar[str] = "q"
    configurable: ClassVar[tuple[str, ...]] = ("full", "ordered", "unique", "padded")
    branchless: bool = True

    crd: Ints = array()
    N: int = extent()

    def __post_init__(self) -> None:
        if self.padded:
            object.__setattr__(self, "branchless", False)
            object.__setattr__(self, "compact", False)

    def pos_bounds(self, p: int) -> tuple[int, int]:
        """pos_bounds(p_{k-1}) -> <pbegin_k, pend_k>"""
        return p, p + 1

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """pos_access(p_k, i_1, ..., i_{k-1}) -> <i_k, found>"""
        return self.crd[p], not self.padded or self.crd[p] != -1

    def append_coord(self, p: int, i: int) -> None:
        """append_coord(p_k, i_k)"""
        self.crd[p] = i

    def append_edges(self, p: int, begin: int, end: int) -> None:
        """append_edges(p_{k-1}, pbegin_k, pend_k)"""

    def append_init(self, begin: int, end: int) -> None:
        """append_init(begin_{k-1}, end_{k-1})"""

    def append_finalize(self, parents: int, size: int) -> None:
        """append_finalize(sz_{k-1}, sz_k)"""

    def misfit(self, above: tuple[Level, ...]) -> str | None:
        if not above:
            return "it stores one coordinate per parent, and the top level has no parent level"
        return None if self.padded else next(filter(None, map(short_of_room, chain(above))), None)

    def lengths(self, parents: int, size: int) -> dict[str, int]:
        return {"crd": size}

    def blank(self) -> dict[str, int]:
        return {"crd": -1} if self.padded else {}

    def size(self, parents: int) -> int:
        """One position per parent."""
        return parents

    def place(self, parents: Indices, i: Sequence[Indices], fresh: Indices, count: int) -> Placed:
        crd = np.full(count, -1, np.int64)
        crd[parents] = i[-1]
        return Placed(parents, count, {"crd": crd})

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        for p in range(size):
            if not (0 <= self.crd[p] < self.N or (self.padded and self.crd[p] == -1)):
                yield Violation("crd", p, f"is {self.crd[p]}, outside [0, {self.N})")


def chain(above: Sequence[Level]) -> Iterator[Level]:
    """The level directly above, and those above it up to the first that is not branchless, innermost first."""
    for level in reversed(above):
        yield level
        if not level.branchless:
            return


def short_of_room(level: Level) -> str | None:
    """Why the positions of a level in the chain above a singleton do not hold one coordinate each."""
    appended = level.branchless or isinstance(level, Append)
    if level.padded or isinstance(level, Insert) or not (level.unique or appended):
        kind = f"padded {level.name}" if level.padded else level.name
        return f"below a {kind} level some parents hold nothing; write singleton(padded)"
    if level.unique:
        may_say = "unique" in level.configurable and appended
        mend = f"write {level.name}(nonunique)" if may_say else "use a level that is not unique"
        return f"below a unique {level.name} level there can be several coordinates; {mend}"
    return None
