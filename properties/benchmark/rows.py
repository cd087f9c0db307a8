"""What the benchmark measures: families of cases, each on its inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from .branched import branched_cases
from .case import Case
from .contractions import winning_cases
from .dense import sddmm_cases, spmm_cases, spmspv_cases, spmv_cases
from .graphs import Algorithm, graph_cases
from .inputs import matrices, shared_matrices
from .peers import Hand
from .sparse import product_cases, sum_cases, triangle_cases
from .taco import taco_peer
from .tensors import tensor_cases

GROUPS = (spmv_cases, spmspv_cases, spmm_cases, sddmm_cases, sum_cases, product_cases, triangle_cases)
FILES = ("pushpull", "bcsstk13")


def matrix_cases(hand: Hand) -> Iterator[Case]:
    """Everything that is measured on a matrix."""
    inputs = dict(matrices()) | {name: s for name, s in shared_matrices() if name in FILES}
    for group in GROUPS:
        for name, s in inputs.items():
            yield from beside_taco(group(hand, name, s))


def beside_taco(cases: Iterator[Case]) -> Iterator[Case]:
    """Cases, with TACO as a peer of those that it takes."""
    for case in cases:
        yield replace(case, peers={**case.peers, **taco_peer(case.work)})


FAMILIES: Mapping[str, Callable[[Hand], Iterator[Case | Algorithm]]] = {
    "matrices": matrix_cases,
    "tensors": lambda hand: beside_taco(tensor_cases(hand)),
    "contractions": winning_cases,
    "branched": branched_cases,
    "graphs": graph_cases,
}
