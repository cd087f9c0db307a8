"""Levels whose arrays stay true where positions begin elsewhere are told apart, and only those are made in parts."""

from dataclasses import dataclass
from typing import ClassVar

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.ir.ir import Name
from gnomon.generator.storage.level_functions import Bound
from gnomon.generator.storage.relative import tells_differences
from gnomon.reference.levels.compressed import Compressed
from gnomon.reference.levels.dense import Dense
from gnomon.reference.levels.level import Append, Level
from gnomon.reference.levels.singleton import Singleton
from gnomon.reference.storage.format import Format


@dataclass(frozen=True)
class Ended(Compressed):
    """A compressed level whose edges are the ends of fibers themselves."""

    name: ClassVar[str] = "ended"

    def append_edges(self, p: int, begin: int, end: int) -> None:
        self.pos[p + 1] = end

    def append_finalize(self, parents: int, size: int) -> None:
        for p in range(1, parents + 1):
            if self.pos[p] < self.pos[p - 1]:
                self.pos[p] = self.pos[p - 1]


@dataclass(frozen=True)
class Numbered(Compressed):
    """A compressed level that keeps coordinates and positions together."""

    name: ClassVar[str] = "numbered"

    def append_coord(self, p: int, i: int) -> None:
        self.crd[p] = i + p


@dataclass(frozen=True)
class Doubled(Compressed):
    """A compressed level that keeps twice how many children there are, and no more than the parent before."""

    name: ClassVar[str] = "doubled"

    def append_edges(self, p: int, begin: int, end: int) -> None:
        self.pos[p + 1] = 2 * (end - begin)


@dataclass(frozen=True)
class Carried(Compressed):
    """A compressed level whose edges go on from those of the parent before."""

    name: ClassVar[str] = "carried"

    def append_edges(self, p: int, begin: int, end: int) -> None:
        self.pos[p + 1] = self.pos[p] + end - begin


def bound(kind: type[Level]) -> Bound:
    fields = {name: Name(name) for name in ("pos", "crd", "N")}
    return Bound(kind(), fields, {"pos": "int64_t", "crd": "int64_t"})


@pytest.mark.parametrize(
    ("kind", "found"),
    [(Compressed, True), (Singleton, True), (Ended, False), (Numbered, False), (Doubled, False), (Carried, False)],
)
def test_only_what_keeps_differences_is_relative(kind: type[Level], found: bool) -> None:
    """What is multiplied is not looked into: who keeps twice a difference is refused as well."""
    assert isinstance(kind(), Append)
    assert tells_differences(bound(kind)) == found


def test_a_result_that_keeps_positions_is_appended_by_one_thread() -> None:
    rng = np.random.default_rng(0)
    dense = rng.integers(1, 9, (40, 40)) * (rng.random((40, 40)) < 0.2)
    dense[3:9] = 0
    a = gn.tensor(np.nonzero(dense), dense[np.nonzero(dense)].astype(float), dense.shape, "CSR")
    rows = "parallelize(i,CPUThread,NoRaces)"
    kernel = gn.compile("C(i,j) = A(i,k) * A(k,j)", A="CSR", out=Format([Dense(), Ended()]), schedule=rows)
    assert "#pragma omp parallel" not in kernel.source
    np.testing.assert_array_equal(kernel(A=a).to_numpy(), dense @ dense)
