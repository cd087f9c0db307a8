"""The banded level: one run of consecutive coordinates per parent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .invariants import segments
from .level import Coordinates, CoordinateValueIteration, Indices, Ints, Level, Violation, array, extent


@dataclass(frozen=True)
class Banded(Level):
    """Children of `p` have the coordinates from `lo[p]` on, at the positions `[pos[p], pos[p+1])`."""

    name: ClassVar[str] = "banded"
    letter: ClassVar[str] = "n"

    lo: Ints = array()
    pos: Ints = array()
    N: int = extent()

    def pos_bounds(self, p: int) -> tuple[int, int]:
        """pos_bounds(p_{k-1}) -> <pbegin_k, pend_k>"""
        return self.pos[p], self.pos[p + 1]

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """pos_access(p_k, i_1, ..., i_{k-1}) -> <i_k, found>: the parent's position is its coordinate"""
        return self.lo[i[-1]] + p - self.pos[i[-1]], True

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """locate(p_{k-1}, i_1, ..., i_k) -> <p_k, found>"""
        q = self.pos[p] + i[-1] - self.lo[p]
        return q, i[-1] >= self.lo[p] and q < self.pos[p + 1]

    def size(self, parents: int) -> int:
        """The positions of all runs."""
        return self.pos[parents]

    def misfit(self, above: tuple[Level, ...]) -> str | None:
        if len(above) == 1 and above[0].full and isinstance(above[0], CoordinateValueIteration):
            return None
        return "it finds its parent by coordinate, so exactly one dense level must stand above it"

    def lengths(self, parents: int, size: int) -> dict[str, int]:
        return {"lo": parents, "pos": parents + 1}

    def stored_size(self, parents: int) -> int:
        return self.pos[parents] if parents < len(self.pos) else 0

    def analyse(self, parents: Indices, i: Sequence[Indices], count: int) -> dict[str, int | Indices]:
        """The run of each parent reaches from its first coordinate to its last."""
        lo = np.full(count, self.N, np.int64)
        hi = np.full(count, -1, np.int64)
        np.minimum.at(lo, parents, i[-1])
        np.maximum.at(hi, parents, i[-1])
        length = np.maximum(hi - lo + 1, 0)
        return {"lo": np.where(length > 0, lo, 0), "pos": np.concatenate(([0], np.cumsum(length)))}

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        yield from segments(self.pos, parents, size)
        for p in range(parents):
            if not 0 <= self.lo[p] <= self.N - (self.pos[p + 1] - self.pos[p]):
                yield Violation("lo", p, f"is {self.lo[p]}, so its run leaves [0, {self.N})")
