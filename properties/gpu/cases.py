"""What is measured on a GPU: kernels on matrices and tensors, with schedules of the paper, and bytes that they move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from msgspec import Struct, field

from ...reference.files.scipy_arrays import from_scipy
from ...reference.storage.packing import pack_array, tensor
from ...reference.storage.tensor import Tensor
from ..benchmark.inputs import Components, hubs, matrices, power_law, random_tensor, shared_matrices, uniform
from ..programs.kernels import ON_DEVICES

COLUMNS = 128
"""The columns of dense operands, for which the schedules of the paper are written."""
FEWEST, SQUARED = 10_000, 200_000
"""The fewest components of matrices that are measured, and the most of those that are squared."""

FIBERS_BY_LANES = (
    "pos(k,p,B(i,j,k)),split(p,part,lane,8),reorder(i,j,lane,part),parallelize(i,GPUBlock,NoRaces),"
    "parallelize(lane,GPUThread,ParallelReduction)"
)
"""Sums of fibers, which eight lanes share out."""


class Case(Struct, frozen=True):
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


FIBERS = "collapse(i,j,f),pos(f,fpos,B(i,j,k)),split(fpos,block,fiber,4),parallelize(block,GPUBlock,NoRaces)"
"""Sums of fibers, of which threads have equally many."""
SEGMENTS = (
    "collapse(i,j,f),pos(f,fpos,A(i,j)),split(fpos,block,fpos1,{0}),split(fpos1,warp,nnz,{1}),split(k,part,lane,32),"
    "reorder(block,warp,part,lane,nnz),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),"
    "parallelize(lane,GPUThread,Atomics)"
)
"""A product with a dense matrix in which warps have equally many nonzeros, and add up what these bring to a row: blocks
and warps of so many."""


def schedules_of(*names: str) -> dict[str, str]:
    """The schedules of kernels whose texts are kept as examples, and the one that is followed unasked."""
    return {"unasked": "auto", **{name.partition("_")[2]: ON_DEVICES[name][2] for name in names}}


def size_of(*tensors: Tensor) -> int:
    """The bytes of everything that tensors store."""
    every = (array for t in tensors for store in t.levels for array in store.values() if isinstance(array, np.ndarray))
    return sum(array.nbytes for array in every) + sum(t.vals.nbytes for t in tensors)


def dense(rng: np.random.Generator, *shape: int) -> Tensor:
    """A dense tensor of random numbers."""
    return pack_array(rng.random(shape))


def on_matrix(name: str, a: Tensor) -> Iterator[Case]:
    """The kernels on a matrix."""
    rng, (rows, columns) = np.random.default_rng(0), a.shape
    x, b = dense(rng, columns), dense(rng, columns, COLUMNS)
    spmv = schedules_of("spmv_rows", "spmv_blocks", "spmv_warps", "spmv_nonzeros", "spmv_segments")
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
        {**schedules_of("spmm_nonzeros"), "segments": SEGMENTS.format(256, 32), "short": SEGMENTS.format(64, 8)},
        size_of(a, b) + 8 * rows * COLUMNS,
        operands,
        shape,
    )
    operands = {"B": a, "C": dense(rng, rows, COLUMNS), "D": dense(rng, columns, COLUMNS)}
    moved = size_of(*operands.values()) + 8 * a.vals.size
    text = "A(i,k) = B(i,k) * C(i,j) * D(k,j)"
    yield Case(
        "SDDMM",
        name,
        text,
        operands,
        "CSR",
        a.shape,
        {"unasked": "auto", "nonzeros": ON_DEVICES["sddmm_pieces"][2]},
        moved,
        operands,
        (a.vals.size,),
    )
    if rows == columns and a.vals.size <= SQUARED:
        operands, text = {"A": a, "B": a}, "C(i,j) = A(i,k) * B(k,j)"
        tables = {"tables": ON_DEVICES["spgemm_tables"][2]}
        for out, schedules in (("CSR", {"unasked": "auto"}), ("dense,hashed", tables)):
            yield Case(f"SpGEMM into {out}", name, text, operands, out, a.shape, schedules, size_of(a))


def on_tensor(name: str, coords: np.ndarray, values: np.ndarray, shape: tuple[int, ...]) -> Iterator[Case]:
    """The kernels on a tensor of order 3."""
    rng, b = np.random.default_rng(0), tensor(coords, values, shape, "CSF")
    c = dense(rng, shape[2])
    fibers = np.asarray(b.levels[1]["crd"]).size
    text = "A(i,j) = B(i,j,k) * c(k)"
    moved = size_of(b, c) + 8 * fibers
    operands: dict[str, Tensor] = {"B": b, "c": c}
    schedules = {"unasked": "auto", "lanes": FIBERS_BY_LANES, "fibers": FIBERS}
    yield Case("TTV", name, text, operands, "CSR", shape[:2], schedules, moved, operands, (fibers,))
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


def small() -> Iterator[tuple[str, Any]]:
    """The matrices, of SciPy's, of up to ten million components."""
    yield from shared_matrices()
    yield from matrices()


def large() -> Iterator[tuple[str, Any]]:
    """The larger ones, made when their turn comes."""
    yield "hubs 262K", hubs(18, 16)
    yield "power law 2M", power_law(2_000_000, 12)
    yield "uniform 1M", uniform(2**20, 16)
    yield "uniform 1M, 48 a row", uniform(2**20, 48)


def tensors() -> Iterator[tuple[str, Components]]:
    """The tensors of order 3."""
    yield "uniform 1M", random_tensor((10_000,) * 3, 1_000_000)
    yield "uniform 4M", random_tensor((30_000,) * 3, 4_000_000)


def cases() -> Iterator[Case]:
    """Everything that is measured, from small to large."""
    yield from on_matrices(small())
    for name, (coords, values, shape) in tensors():
        yield from on_tensor(name, coords, values, shape)
    yield from on_matrices(large())


def on_matrices(named: Iterable[tuple[str, Any]]) -> Iterator[Case]:
    """The kernels on each of some matrices that is not too small."""
    for name, matrix in named:
        if matrix.nnz >= FEWEST:
            yield from on_matrix(name, from_scipy(matrix))
