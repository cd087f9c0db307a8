"""What is measured on a GPU: kernels on matrices and tensors, with schedules of the paper, and bytes that they move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...reference.files.dictionaries import from_numpy
from ...reference.files.scipy_arrays import from_scipy
from ...reference.storage.named_formats import format_of
from ...reference.storage.packing import tensor
from ...reference.storage.tensor import Tensor
from ..benchmark.inputs import matrices, power_law, shared_matrices, uniform
from ..programs.kernels import ON_DEVICES

COLUMNS = 128
"""The columns of dense operands, for which the schedules of the paper are written."""
SQUARED = 3_000_000
"""The most components of matrices that are squared."""


@dataclass(frozen=True)
class Case:
    """A kernel on an input: operands, the format of the result and its shape, schedules by name, the bytes that any
    kernel must move; and the operands of the kernel written by hand, with the shape of the values that it computes."""

    kernel: str
    input: str
    text: str
    operands: Mapping[str, Tensor]
    out: str
    shape: tuple[int, ...]
    schedules: Mapping[str, str]
    size: int
    by_hand: Mapping[str, Tensor] = field(default_factory=dict)
    hand_shape: tuple[int, ...] = ()


def schedules_of(*names: str) -> dict[str, str]:
    """The schedules of kernels whose texts are kept as examples, and the one that is followed unasked."""
    return {"unasked": "auto", **{name.partition("_")[2]: ON_DEVICES[name][2] for name in names}}


def size_of(*tensors: Tensor) -> int:
    """The bytes of everything that tensors store."""
    every = (array for t in tensors for store in t.levels for array in store.values() if isinstance(array, np.ndarray))
    return sum(array.nbytes for array in every) + sum(t.vals.nbytes for t in tensors)


def dense(rng: np.random.Generator, *shape: int) -> Tensor:
    """A dense tensor of random numbers."""
    return from_numpy(rng.random(shape), format_of("Dense", len(shape)))


def on_matrix(name: str, a: Tensor) -> Iterator[Case]:
    """The kernels on a matrix."""
    rng, (rows, columns) = np.random.default_rng(0), a.shape
    x, b = dense(rng, columns), dense(rng, columns, COLUMNS)
    spmv = schedules_of("spmv_rows", "spmv_blocks", "spmv_warps", "spmv_nonzeros")
    operands: dict[str, Tensor] = {"A": a, "x": x}
    text, moved = "y(i) = A(i,j) * x(j)", size_of(a, x) + 8 * rows
    yield Case("SpMV", name, text, operands, "Dense", (rows,), spmv, moved, operands, (rows,))
    operands = {"A": a, "B": b}
    shape = (rows, COLUMNS)
    yield Case(
        "SpMM",
        name,
        "C(i,k) = A(i,j) * B(j,k)",
        operands,
        "RowMajor",
        shape,
        schedules_of("spmm_nonzeros"),
        size_of(a, b) + 8 * rows * COLUMNS,
        operands,
        shape,
    )
    operands = {"B": a, "C": dense(rng, rows, COLUMNS), "D": dense(rng, columns, COLUMNS)}
    moved = size_of(*operands.values()) + 8 * a.vals.size
    text = "A(i,k) = B(i,k) * C(i,j) * D(k,j)"
    yield Case("SDDMM", name, text, operands, "CSR", a.shape, {"unasked": "auto"}, moved, operands, (a.vals.size,))
    if rows == columns and a.vals.size <= SQUARED:
        operands, text = {"A": a, "B": a}, "C(i,j) = A(i,k) * B(k,j)"
        tables = {"tables": ON_DEVICES["spgemm_tables"][2]}
        for out, schedules in (("CSR", {"unasked": "auto"}), ("dense,hashed", tables)):
            yield Case(f"SpGEMM into {out}", name, text, operands, out, a.shape, schedules, size_of(a))


def on_tensor(name: str, coords: np.ndarray, values: np.ndarray, shape: tuple[int, int, int]) -> Iterator[Case]:
    """The kernels on a tensor of order 3."""
    rng, b = np.random.default_rng(0), tensor(coords, values, shape, "CSF")
    c = dense(rng, shape[2])
    fibers = np.asarray(b.levels[1]["crd"]).size
    text = "A(i,j) = B(i,j,k) * c(k)"
    moved = size_of(b, c) + 8 * fibers
    operands: dict[str, Tensor] = {"B": b, "c": c}
    yield Case("TTV", name, text, operands, "DCSR", shape[:2], {"unasked": "auto"}, moved, operands, (fibers,))
    factors = {"C": dense(rng, shape[1], COLUMNS), "D": dense(rng, shape[2], COLUMNS)}
    yield Case(
        "MTTKRP",
        name,
        "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)",
        {"B": b, **factors},
        "RowMajor",
        (shape[0], COLUMNS),
        schedules_of("mttkrp_nonzeros"),
        size_of(b, *factors.values()) + 8 * shape[0] * COLUMNS,
        {"B": b.convert("COO"), **factors},
        (shape[0], COLUMNS),
    )


def inputs() -> Iterator[tuple[str, Any]]:
    """The matrices, of SciPy's, the large ones made when their turn comes."""
    yield from shared_matrices()
    yield from matrices()
    yield "uniform 16M", uniform(2**20, 16)
    yield "power law 48M", power_law(4_000_000, 12)


def cases() -> Iterator[Case]:
    """Everything that is measured, from small to large."""
    for name, matrix in inputs():
        yield from on_matrix(name, from_scipy(matrix))
    for name, n, count in (("uniform 1M", 10_000, 1_000_000), ("uniform 10M", 50_000, 10_000_000)):
        rng = np.random.default_rng(1)
        coords = np.unique(rng.integers(0, n, (3, count)), axis=1)
        yield from on_tensor(name, coords, rng.random((coords.shape[1],)), (n, n, n))
