"""Schedules of Senanayake 2020's evaluation (section 7), and of TACO's own tests, as they are written there.

Two differences remain. TACO's loops begin in another order for SDDMM, so that `reorder(i,k,j)` comes first; and
`fuse` and `MaxExact` are TACO's names, which are taken for `collapse` and `max_exact`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.properties.conformance.rule import problem_of
from gnomon.properties.differential.batch import build_library, cases, hold, run
from gnomon.properties.programs.problem import Problem
from gnomon.reference.storage.packing import pack
from gnomon.reference.storage.tensor import Tensor

RNG = np.random.default_rng(7)


def random(*shape: int, density: float = 0.3) -> np.ndarray:
    """Small integers, some of them 0."""
    return RNG.integers(1, 5, shape) * (RNG.random(shape) < density).astype(float)


def sparse(array: np.ndarray, format: str) -> Tensor:
    """The components other than 0."""
    coords = np.nonzero(array)
    return pack(np.array(coords), array[coords], array.shape, format)


def dense(array: np.ndarray) -> Tensor:
    """Every component."""
    return pack(np.indices(array.shape).reshape(array.ndim, -1), array.reshape(-1), array.shape, "d" * array.ndim)


MATRIX, TENSOR = sparse(random(20, 12), "CSR"), sparse(random(6, 7, 8), "CSF")
FEW, FEWER = sparse(random(17, 6), "CSR"), sparse(random(4, 5, 6), "CSF")
"""For what has 32 columns: more rows than a tile has, and few columns over which sums run."""

SPMV = ("y(i) = A(i,j) * x(j)", {"A": MATRIX, "x": dense(random(12, density=1))})
SPMM = ("C(i,k) = A(i,j) * B(j,k)", {"A": FEW, "B": dense(random(6, 32))})
SPGEMM = ("A(i,j) = B(i,k) * C(k,j)", {"B": MATRIX, "C": sparse(random(12, 9), "CSR")})
SDDMM = ("A(i,k) = B(i,k) * C(i,j) * D(j,k)", {"B": FEW, "C": dense(random(17, 32)), "D": dense(random(32, 6))})
TTV = ("A(i,j) = B(i,j,k) * c(k)", {"B": TENSOR, "c": dense(random(8))})
TTM = ("A(i,j,l) = B(i,j,k) * C(k,l)", {"B": FEWER, "C": dense(random(6, 32))})
MTTKRP = ("A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", {"B": FEWER, "C": dense(random(5, 32)), "D": dense(random(6, 32))})

NONZEROS = "split(fpos,block,fpos1,128),split(fpos1,warp,nnz,16)"
LANES = "split({0},dense_val_unbounded,thread,8),bound(dense_val_unbounded,dense_val,4,MaxExact)"
DEVICE = "parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,{0}),parallelize(thread,GPUThread,{1})"
IGNORED = DEVICE.format("IgnoreRaces", "Atomics")

CPU = (
    (SPMV, "split(i,i0,i1,16),reorder(i0,i1,j),parallelize(i0,CPUThread,NoRaces)"),
    (
        SPMM,
        "split(i,i0,i1,16),pos(j,jpos,A(i,j)),split(jpos,jpos0,jpos1,8),reorder(i0,i1,jpos0,k,jpos1),"
        "parallelize(i0,CPUThread,NoRaces),parallelize(k,CPUVector,IgnoreRaces)",
    ),
    (SPGEMM, "reorder(i,k,j),precompute(B(i,k)*C(k,j),j,j,w),parallelize(i,CPUThread,IgnoreRaces)"),
    (
        SDDMM,
        "split(i,i0,i1,16),pos(k,kpos,B(i,k)),split(kpos,kpos0,kpos1,8),reorder(i0,i1,kpos0,j,kpos1),"
        "parallelize(i0,CPUThread,NoRaces),parallelize(kpos1,CPUVector,ParallelReduction)",
    ),
    (
        TTV,
        "fuse(i,j,f),pos(f,fpos,B(i,j,k)),split(fpos,chunk,fpos2,16),reorder(chunk,fpos2,k),"
        "parallelize(chunk,CPUThread,NoRaces)",
    ),
    (
        TTM,
        "fuse(i,j,f),pos(f,fpos,B(i,j,k)),split(fpos,chunk,fpos2,16),pos(k,kpos,B(i,j,k)),split(kpos,kpos1,kpos2,8),"
        "reorder(chunk,fpos2,kpos1,l,kpos2),parallelize(chunk,CPUThread,NoRaces),"
        "parallelize(kpos2,CPUVector,ParallelReduction)",
    ),
    (MTTKRP, "split(i,i1,i2,16),reorder(i1,i2,k,l,j),parallelize(i1,CPUThread,NoRaces)"),
    (
        MTTKRP,
        "split(i,i1,i2,16),reorder(i1,i2,k,l,j),precompute(B(i,k,l)*D(l,j),j,j,w),parallelize(i1,CPUThread,NoRaces)",
    ),
)
GPU = (
    (
        SPMV,
        "fuse(i,j,f),pos(f,fpos,A(i,j)),split(fpos,block,fpos1,64),split(fpos1,warp,fpos2,16),"
        "split(fpos2,thread,thr_nz,4),reorder(block,warp,thread,thr_nz),"
        f"precompute(A(i,j)*x(j),thr_nz,thr_nz_pre,precomputed),unroll(thr_nz_pre,4),{IGNORED}",
    ),
    (
        SPMV,
        "split(i,block,block_row,64),split(block_row,warp_row,warp,16),pos(j,jpos,A(i,j)),"
        "split(jpos,thread_nz,thread,32),reorder(block,warp,warp_row,thread,thread_nz),"
        + DEVICE.format("IgnoreRaces", "Temporary"),
    ),
    (
        SPMV,
        "split(i,block,thread,64),reorder(block,thread,j),parallelize(block,GPUBlock,IgnoreRaces),"
        "parallelize(thread,GPUThread,IgnoreRaces)",
    ),
    (
        SPMM,
        f"fuse(i,j,f),pos(f,fpos,A(i,j)),{NONZEROS},{LANES.format('k')},reorder(block,warp,nnz,thread,dense_val),"
        f"unroll(dense_val,4),{IGNORED}",
    ),
    (
        SDDMM,
        f"reorder(i,k,j),fuse(i,k,f),pos(f,fpos,B(i,k)),{NONZEROS},{LANES.format('j')},"
        "reorder(block,warp,nnz,thread,dense_val),unroll(dense_val,4)," + DEVICE.format("Atomics", "ParallelReduction"),
    ),
    (
        TTV,
        "fuse(j,k,jk),fuse(i,jk,f),pos(f,fpos,B(i,j,k)),split(fpos,block,fpos1,128),split(fpos1,warp,fpos2,64),"
        "split(fpos2,thread,thr_nz,2),reorder(block,warp,thread,thr_nz),"
        f"precompute(B(i,j,k)*c(k),thr_nz,thr_nz_pre,precomputed),unroll(thr_nz_pre,2),{IGNORED}",
    ),
    (
        TTM,
        f"fuse(j,k,jk),fuse(i,jk,f),pos(f,fpos,B(i,j,k)),{NONZEROS},{LANES.format('l')},"
        f"reorder(block,warp,nnz,thread,dense_val),unroll(dense_val,4),{IGNORED}",
    ),
    (
        MTTKRP,
        f"fuse(k,l,kl),fuse(i,kl,f),pos(f,fpos,B(i,k,l)),{NONZEROS},{LANES.format('j')},"
        f"reorder(block,warp,dense_val,thread,nnz),{IGNORED}",
    ),
)


@pytest.fixture(scope="module")
def problems() -> list[Problem]:
    found = []
    for (source, operands), schedule in (*CPU, *GPU):
        out = "CSR" if source == SPGEMM[0] else "Dense"
        found.append(problem_of(source, out, schedule=schedule, **operands))
    return found


@pytest.mark.every(3)
@pytest.mark.parametrize("number", range(len(CPU) + len(GPU)))
def test_both_engines_give_what_is_meant(problems: list[Problem], number: int, tmp_path: Path) -> None:
    (case,) = cases([problems[number]], [])
    library = build_library([case], tmp_path, chosen_compiler())
    hold(case, case.problem.execution.result, "reference")
    hold(case, run(case, library), "c")
