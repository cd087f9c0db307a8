"""Kernels that are measured on GPUs, emulated: gnomon's by every schedule, and those written by hand."""

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from gnomon.generator.cuda.text import Texts
from gnomon.generator.runtime.emulation import build
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.properties.gpu import contenders as of
from gnomon.properties.gpu import timing
from gnomon.properties.gpu.cases import COLUMNS, Case, on_matrix, on_tensor
from gnomon.properties.gpu.examples import example
from gnomon.properties.gpu.timing import TIMED
from gnomon.reference.files.scipy_arrays import from_scipy

RNG = np.random.default_rng(2)
MATRIX = sp.csr_array(np.round(RNG.random((23, 23)) * (RNG.random((23, 23)) < 0.2), 2))
COORDS = np.unique(RNG.integers(0, 7, (3, 40)), axis=1)
CASES = {
    case.kernel: case
    for case in (
        *on_matrix("few", from_scipy(MATRIX)),
        *on_tensor("few", COORDS, RNG.random(COORDS.shape[1]), (7, 7, 7)),
    )
}
WAYS = [(name, way) for name, case in CASES.items() for way in case.schedules]


def emulated(texts: Texts, folder: Path) -> Path:
    """A library for the emulation that tells how long kernels have run."""
    return build(texts.host, texts.device, folder, chosen_compiler(), ("-std=c11", "-O0", "-w", TIMED))


def wanted(case: Case) -> np.ndarray:
    """What a case means, by NumPy."""
    subscripts, output = {
        "SpMV": ("ij,j", "i"),
        "SpMM": ("ij,jk", "ik"),
        "SDDMM": ("ik,ij,kj", "ik"),
        "SpGEMM into CSR": ("ik,kj", "ij"),
        "SpGEMM into dense,hashed": ("ik,kj", "ij"),
        "TTV": ("ijk,k", "ij"),
        "MTTKRP": ("ikl,kj,lj", "ij"),
    }[case.kernel]
    return np.einsum(f"{subscripts}->{output}", *(t.to_numpy() for t in case.operands.values()))


@pytest.mark.every(8)
@pytest.mark.parametrize(("name", "way"), WAYS)
def test_ours(name: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One call of each is timed: emulated, each takes as long as any."""
    for count in ("FEWEST", "MOST"):
        monkeypatch.setattr(timing, count, 1)
    case = CASES[name]
    timed = of.ours(case, case.schedules[way], emulated, tmp_path)
    assert np.allclose(timed.run().to_numpy(), wanted(case))
    assert timed.seconds() > 0


@pytest.mark.every(4)
@pytest.mark.parametrize("name", of.BY_HAND)
def test_by_hand(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    found = of.by_hand(name.lower(), case.by_hand, case.hand_shape, emulated, tmp_path).run().to_numpy()
    whole = wanted(case)
    stored = case.operands["B"].to_numpy() if name in ("SDDMM", "TTV") else None
    if stored is not None:
        whole = whole[np.nonzero(stored if name == "SDDMM" else stored.any(2))]
    assert np.allclose(found, whole)


def test_bytes_that_must_be_moved() -> None:
    moved = CASES["SpMV"].size
    assert moved == 12 * MATRIX.nnz + 4 * 24 + 8 * 23 + 8 * 23
    assert CASES["SpMM"].size == 12 * MATRIX.nnz + 4 * 24 + 2 * 8 * 23 * COLUMNS


@pytest.mark.every(3)
@pytest.mark.parametrize("name", ["spmv_nonzeros", "spgemm_tables", "scale_unordered"])
def test_examples(name: str, tmp_path: Path) -> None:
    timed, expected = example(name, emulated, tmp_path)
    assert np.allclose(timed.run().to_numpy(), expected.to_numpy())
