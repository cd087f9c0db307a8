"""What the benchmark measures: cases on all inputs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ...reference.files.suffix import read
from .branched import branched_cases
from .case import Case
from .contractions import winning_cases
from .dense import sddmm_cases, spmm_cases, spmspv_cases, spmv_cases
from .graphs import Algorithm, graph_cases
from .inputs import matrices, sort_indices
from .peers import Hand
from .sparse import product_cases, sum_cases, triangle_cases
from .tensors import tensor_cases

GROUPS = (spmv_cases, spmspv_cases, spmm_cases, sddmm_cases, sum_cases, product_cases, triangle_cases)


def cases(hand: Hand) -> Iterator[Case | Algorithm]:
    """Everything that is measured. Files are looked for in $GNOMON_DATA."""
    yield from graph_cases()
    inputs = dict(matrices())
    folder = Path(os.environ.get("GNOMON_DATA", "../shared/data"))
    for file in ("pushpull.mtx.gz", "bcsstk13.mtx.gz"):
        if (folder / file).exists():
            inputs[file.partition(".")[0]] = sort_indices(read(folder / file, "CSR").to_scipy())
    yield from tensor_cases(hand)
    yield from branched_cases(hand)
    yield from winning_cases(hand)
    for group in GROUPS:
        for name, s in inputs.items():
            yield from group(hand, name, s)
