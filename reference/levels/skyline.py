"""The skyline level: each row from its first coordinate to the diagonal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..errors import StorageError
from .invariants import segments
from .level import Coordinates, CoordinateValueIteration, Indices, Ints, Level, Violation, array, extent


@dataclass(frozen=True)
class Skyline(Level):
    """Row `p` holds the coordinates up to and including `p`, at the positions `[pos[p], pos[p+1])`.

    For lower triangles with a ragged left edge, as in profile (skyline) solvers.
    """

    name: ClassVar[str] = "skyline"
    letter: ClassVar[str] = "k"

    pos: Ints = array()
    N: int = extent()

    def pos_bounds(self, p: int) -> tuple[int, int]:
        """pos_bounds(p_{k-1}) -> <pbegin_k, pend_k>"""
        return self.pos[p], self.pos[p + 1]

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """pos_access(p_k, i_1, ..., i_{k-1}) -> <i_k, found>"""
        return i[-1] + 1 - (self.pos[i[-1] + 1] - p), True

    def locate(self, p: int, i: Coordinates) -> tuple[int, bool]:
        """locate(p_{k-1}, i_1, ..., i_k) -> <p_k, found>"""
        q = self.pos[p + 1] - (p + 1 - i[-1])
        return q, i[-1] <= p and q >= self.pos[p]

    def size(self, parents: int) -> int:
        """The positions of all rows."""
        return self.pos[parents]

    def misfit(self, above: tuple[Level, ...]) -> str | None:
        if len(above) == 1 and above[0].full and isinstance(above[0], CoordinateValueIteration):
            return None
        return "it finds its parent by coordinate, so exactly one dense level must stand above it"

    def lengths(self, parents: int, size: int) -> dict[str, int]:
        return {"pos": parents + 1}

    def stored_size(self, parents: int) -> int:
        return self.pos[parents] if parents < len(self.pos) else 0

    def analyse(self, parents: Indices, i: Sequence[Indices], count: int) -> dict[str, int | Indices]:
        """Each row reaches left to its first coordinate. Raises StorageError above the diagonal."""
        above = np.flatnonzero(i[-1] > parents)
        if above.size:
            n = int(above[0])
            raise StorageError(
                f"component ({int(parents[n])}, {int(i[-1][n])}) lies above the diagonal, where skyline stores nothing",
                hint="store the lower triangle, or use banded",
                rule="level.skyline.refused",
            )
        beyond = np.flatnonzero(parents >= self.N)
        if beyond.size:
            n = int(beyond[0])
            raise StorageError(
                f"component ({int(parents[n])}, {int(i[-1][n])}) lies in a row that ends before the diagonal",
                hint="skyline stores square matrices; use banded or compressed levels",
                rule="level.skyline.refused",
            )
        length = np.zeros(count, np.int64)
        np.maximum.at(length, parents, parents - i[-1] + 1)
        return {"pos": np.concatenate(([0], np.cumsum(length)))}

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        yield from segments(self.pos, parents, size)
        for p in range(parents):
            length = self.pos[p + 1] - self.pos[p]
            if length > p + 1:
                yield Violation(
                    "pos", p + 1, f"gives row {p} {length} coordinates, but only {p + 1} reach the diagonal"
                )
            if length > 0 and p >= self.N:
                yield Violation("pos", p + 1, f"gives row {p} the coordinate {p}, outside [0, {self.N})")
