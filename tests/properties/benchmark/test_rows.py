"""Whatever the benchmark compares computes the same: kernels of all schedules, and the peers that are installed."""

from __future__ import annotations

import ctypes
import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from depth import ALL, DEEP
from gnomon.generator.runtime.kernel import Kernel
from gnomon.generator.runtime.request import Request, Tuning
from gnomon.generator.tuning.tuner import Tuned
from gnomon.properties.benchmark import case as case_module
from gnomon.properties.benchmark import contractions, mkl, numba_loops, peers, taco
from gnomon.properties.benchmark.__main__ import COLUMNS, cells, ratios
from gnomon.properties.benchmark.branched import ttmc_cases
from gnomon.properties.benchmark.case import Case
from gnomon.properties.benchmark.contractions import cube_cases, matrix_cases
from gnomon.properties.benchmark.inputs import hubs, random_tensor, skewed_tensor, stencil
from gnomon.properties.benchmark.peers import Hand
from gnomon.properties.benchmark.rows import GROUPS, beside_taco
from gnomon.properties.benchmark.tensors import contraction_cases, pair_cases
from gnomon.reference.schedule.branched.search import search
from gnomon.reference.storage.tensor import Tensor
from msgspec.structs import replace

MATRICES = {"stencil 3x3": stencil(6, 2, 1), "hubs": hubs(5, 6)}
SHAPE = (5, 6, 7)
TERMS = 240
BOUND = 2 * (TERMS + 2) * np.finfo(float).eps
"""The relative difference of two sums of so many products of positive numbers, in any order (Higham 2002, 3.1)."""


class Keeping(Hand):
    """Loops by hand whose last sparse result is kept."""

    kept: np.ndarray | None = None
    expected = 0

    def release(self, count: int, made: Sequence[ctypes.c_void_p]) -> None:
        if made:
            self.keep(made[-1], count)
        super().release(count, made)

    def keep(self, vals: Any, count: int) -> None:
        self.kept = np.ctypeslib.as_array(ctypes.cast(vals, ctypes.POINTER(ctypes.c_double)), (count,)).copy()


def cases(hand: Hand) -> Iterator[Case]:
    one, two = random_tensor(SHAPE, 60), random_tensor(SHAPE, 60, seed=1)
    yield from beside_taco(contraction_cases(hand, "random", one))
    yield from contraction_cases(hand, "skewed", skewed_tensor(SHAPE, 60))
    yield from beside_taco(pair_cases(hand, "random", one, two))
    yield from ttmc_cases(hand, "random", one, 3)
    yield from matrix_cases(
        hand, "random", (np.array(MATRICES["hubs"].nonzero()), MATRICES["hubs"].data, (32, 32)), 2, 3
    )
    yield from cube_cases(hand, "random", one, 3)
    for name, matrix in MATRICES.items():
        for group in GROUPS:
            yield from beside_taco(group(hand, name, matrix))


@pytest.fixture(scope="module")
def hand() -> Keeping:
    return Keeping()


@pytest.fixture(scope="module")
def found(hand: Keeping) -> Iterator[list[Case]]:
    """All cases, with the loops for numba run by Python, and what MKL and TACO make and free kept.

    Branched schedules are sought among those that take operands as they are written: any of them computes the same.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contractions, "search", lambda c: search(c, orders=[tuple(range(len(c.operands)))]))
        patch.setattr(peers, "compile_loop", lambda name: getattr(numba_loops, name))
        patch.setattr(mkl, "release", lambda mkl, made: setattr(hand, "kept", exported(mkl, made)))
        patch.setattr(taco, "release", lambda made: hand.keep(made.vals, hand.expected))
        yield list(cases(hand))


def exported(mkl: Any, made: ctypes.c_void_p) -> np.ndarray:
    """The values of a matrix of MKL."""
    begin, end, indices, vals = (ctypes.c_void_p() for _ in range(4))
    base, n, m = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    parts = [ctypes.byref(part) for part in (base, n, m, begin, end, indices, vals)]
    assert mkl.mkl_sparse_order(made) == 0
    assert mkl.mkl_sparse_d_export_csr(made, *parts) == 0
    count = ctypes.cast(end, ctypes.POINTER(ctypes.c_int))[n.value - 1]
    return np.ctypeslib.as_array(ctypes.cast(vals, ctypes.POINTER(ctypes.c_double)), (count,)).copy()


def numbers(result: Any, fill: float) -> np.ndarray:
    """What a peer returns, as an array."""
    if sp.issparse(result):
        return np.asarray(result.toarray())
    if isinstance(result, tuple):
        return np.asarray(result[-1])
    if hasattr(result, "to_dense"):
        return np.asarray(result.to_dense(fill_value=fill))
    if hasattr(result, "to_numpy"):
        return np.asarray(result.to_numpy())
    return np.asarray(result.todense() if hasattr(result, "todense") else result)


def agree(found: np.ndarray, expected: Tensor, what: str) -> None:
    """An array holds the components of a tensor, or its values in storage order."""
    whole = expected.to_numpy()
    wanted = whole if found.size == whole.size else expected.vals
    np.testing.assert_allclose(found.ravel(), wanted.ravel(), rtol=BOUND, atol=0, err_msg=what)


def outcome(case: Case, name: str, hand: Keeping, expected: Tensor) -> np.ndarray:
    """What a peer computes: what it returns, else what it makes and frees, else what it writes."""
    hand.kept, hand.expected = None, expected.vals.size
    if case.work.memory is not None:
        case.work.memory[...] = np.nan
    result = case.peers[name]()
    if hand.kept is not None:
        return hand.kept
    if case.work.memory is not None and (result is None or name == "hand"):
        return case.work.memory
    return numbers(result, float(expected.fill))


def test_every_kernel_of_the_benchmark_has_a_loop_by_hand(found: list[Case]) -> None:
    assert len({case.kernel for case in found}) == 33
    assert all("hand" in case.peers for case in found)


def test_peers_compute_what_kernels_compute(found: list[Case], hand: Keeping) -> None:
    for case in found:
        result = case.work.by(None)()
        expected = dataclasses.replace(result, vals=result.vals.copy())
        for name in case.peers:
            what = f"{case.kernel} on {case.input}: {name}"
            agree(outcome(case, name, hand, expected), expected, what)


def test_schedules_of_dense_results_compute_what_kernels_compute(found: list[Case]) -> None:
    """Sparse results on threads are tested with the generator. Every fourth case; every other one where tests are
    thorough, all in deep runs."""
    for case in found[:: 1 if DEEP else 2 if ALL else 4]:
        if case.work.memory is None:
            continue
        expected = case.work.by(None)().to_numpy().copy()
        for threads in (1, 2):
            for row in case.rows(threads):
                np.testing.assert_allclose(row.ours().to_numpy(), expected, rtol=BOUND, atol=0, err_msg=row.kernel)


def test_rows_with_a_team_have_the_peers_that_belong_there(found: list[Case]) -> None:
    assert len({case.kernel for case in found if not case.named}) == 24
    assert not any(row for case in found if case.named for row in case.rows(2))
    rows = [row for case in found if case.kernel == "SpMM 16" for row in case.rows(2)]
    assert len(rows) == len(MATRICES)
    assert not {"numba", "sparse", "tensora"} & {name for row in rows for name in row.peers}


def test_ratios_are_in_the_columns_of_their_peers() -> None:
    line = cells(ratios({"gnomon": 2.0, "tuned": 1.0, "mkl": 1.5, "hand": 0.1}))
    assert line.split() == ["0.05", "0.75", "0.75", "1.50"]
    places = [line.index(number) // 11 for number in ("0.05", "0.75", "1.50")]
    assert places == [COLUMNS.index(name) for name in ("hand", "mkl", "best/tuned")]


def test_tuned_kernels_compute_the_same(found: list[Case], monkeypatch: pytest.MonkeyPatch) -> None:
    def tune(request: Request, operands: Mapping[str, Tensor], tell: Any) -> Tuned:
        assert Kernel(request).run(operands).shape
        return Tuned(replace(request, tuning=Tuning(("-O2",))), 1.0, 1.0)

    monkeypatch.setattr(case_module, "tune", tune)
    for kernel in ("SpMV CSR", "SDDMM 128", "min_plus"):
        case = next(case for case in found if case.kernel == kernel)
        (row,) = case.rows(1)
        assert row.tuned is not None
        expected = row.ours().to_numpy().copy()
        np.testing.assert_allclose(row.tuned()().to_numpy(), expected, rtol=BOUND)
