"""Branched kernels of the benchmark: a tensor times three matrices (TTMC) by the graphs of SparseAuto's Figure 2.

The best one of Table 2 (row 5, group 3) has an order of operands of its own: its temporaries hold what B, E and D make.
The four cases of its section 3.1, each best by another graph, are scaled down so that none takes longer than seconds.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...reference.schedule.settings import AUTO
from ...reference.storage.packing import pack
from .case import Case, Peers, Work, arrays, size
from .inputs import Components, even_tensor, random_tensor
from .peers import Hand

SHAPE, COUNT, RANK = (120, 100, 1000), 200_000, 16
FORMATS = {"B": "CSF"}
TTMC = "A(l,m,n) = B(i,j,k) * C(i,l) * D(j,m) * E(k,n)"
BETWEEN = "reorder(l,i,j,k,m,n),loopfuse({},2,left,T)"
FIGURE_2 = {
    "2(a)": "reorder(i,j,k,l,m,n)",
    "2(b)": "reorder(l,m,i,j,k,n),loopfuse({},3,left,T)",
    "2(c)": BETWEEN,
    "2(d)": f"{BETWEEN},reorder({{1}},m,k,n,j),loopfuse({{1}},2,left,t)",
    "2(e)": f"{BETWEEN},reorder({{1}},m,j,k,n),loopfuse({{1}},2,left,t)",
}
FOUR = {
    1: ((60, 200, 250), (64, 64), (32, 8, 16)),
    2: ((60, 400, 500), (64, 64), (32, 8, 16)),
    3: ((1, 200, 4000), (16, 100), (32, 25, 24)),
    4: ((66, 300, 120), (240, 2), (62, 58, 10)),
}
TURNED = "A(l,m,n) = B(i,j,k) * E(k,n) * D(j,m) * C(i,l)"
FUSED = "reorder(i,n,j,k,m,l),loopfuse({},3,left,T),loopfuse({0},2,left,t)"
BEST = {"best": FUSED, "in lanes": f"{FUSED},reorder({{1}},l,m),parallelize({{0,1}},m,CPUVector,NoRaces)"}


def branched_cases(hand: Hand) -> Iterator[Case]:
    """TTMC of a uniform tensor, with two names for the two orders of its operands."""
    yield from ttmc_cases(hand, "random 120x100x1000", random_tensor(SHAPE, COUNT), RANK)
    yield from four_cases()


def four_cases() -> Iterator[Case]:
    """The cases of section 3.1: a tensor of some shape, with fibers and components in each, and three matrices."""
    rng, graphs = np.random.default_rng(0), {name: FIGURE_2[name] for name in ("2(a)", "2(b)", "2(d)")}
    for number, (shape, (fibers, components), ranks) in FOUR.items():
        b = pack(*even_tensor(shape, fibers, components), "CSF")
        c, d, e = (rng.random((n, rank)) for n, rank in zip(shape, ranks, strict=True))
        result = np.empty(ranks)
        work = Work(TTMC, FORMATS, {"B": b, "C": c, "D": d, "E": e}, memory=result)
        moved = size(b, c, d, e, result)
        yield Case(f"TTMC case {number}", "x".join(map(str, shape)), moved, work, {}, {**graphs, "unasked": AUTO})


def ttmc_cases(hand: Hand, name: str, components: Components, rank: int) -> Iterator[Case]:
    """A tensor times a matrix for each of its modes, beside the best graph written by hand."""
    b = pack(*components, "CSF")
    rng = np.random.default_rng(0)
    c, d, e = (rng.random((n, rank)) for n in b.shape)
    result = np.empty((rank, rank, rank))
    peers: Peers = {"hand": hand("ttmc_csf", rank, rank, rank, *arrays(b), c, d, e, result)}
    operands = {"B": b, "C": c, "D": d, "E": e}
    moved = size(b, c, d, e, result)
    by = {**FIGURE_2, "unasked": AUTO}
    yield Case("TTMC", name, moved, Work(TTMC, FORMATS, operands, memory=result), peers, by)
    yield Case("TTMC turned", name, moved, Work(TURNED, FORMATS, operands, memory=result), peers, BEST)
