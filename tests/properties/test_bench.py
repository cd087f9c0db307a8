"""The loops that the benchmark compares with compute what the kernels compute."""

from __future__ import annotations

import numpy as np
import pytest
from gnomon.properties.bench_inputs import random_tensor, settled, stencil
from gnomon.properties.bench_peers import Hand
from gnomon.properties.bench_rows import Row, contractions, dense_rows, sparse_rows, spmv_rows
from gnomon.reference.packing import pack

MATRIX = settled(stencil(6, 2, 1))
COMPONENTS = random_tensor((5, 6, 7), 40)
TERMS = max(MATRIX.nnz, COMPONENTS[1].size)
BOUND = 2 * (TERMS + 2) * np.finfo(float).eps
"""The relative difference of two sums of so many products of positive numbers, in any order (Higham 2002, 3.1)."""


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    hand = Hand()
    tensors = pack(*COMPONENTS, "CSF"), pack(*COMPONENTS, "COO")
    found = [row for group in (spmv_rows, dense_rows, sparse_rows) for row in group(hand, "stencil 3x3", MATRIX)]
    return [*found, *contractions(hand, "random", COMPONENTS, *tensors)]


def test_every_kernel_of_the_benchmark_has_a_loop_by_hand(rows: list[Row]) -> None:
    assert len(rows) == 17
    assert all("hand" in row.peers for row in rows)


def test_loops_by_hand_fill_the_same_memory_alike(rows: list[Row]) -> None:
    filled = [row for row in rows if row.kernel.startswith(("SpMV", "SpMM", "MTTKRP"))]
    assert len(filled) == 11
    for row in filled:
        result = row.ours()
        expected = result.to_numpy().copy()
        memory = result.vals.base
        assert memory is not None
        memory.flags.writeable = True
        memory[...] = np.nan
        row.peers["hand"]()
        np.testing.assert_allclose(result.to_numpy(), expected, rtol=BOUND, atol=0, err_msg=row.kernel)


def test_loops_by_hand_make_as_many_components(rows: list[Row]) -> None:
    for row in rows:
        if row.kernel in ("CSR + CSR", "COO + COO", "SpGEMM", "TTV CSF"):
            assert row.peers["hand"]() == len(row.ours().vals), row.kernel
