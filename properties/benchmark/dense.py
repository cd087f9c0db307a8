"""Kernels of the benchmark on one sparse matrix: SpMV in several formats, SpMSpV, SpMM, SDDMM."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from ...reference.files.scipy_arrays import from_scipy
from ...reference.storage.format import Format
from ...reference.storage.packing import pack
from ...reference.storage.tensor import Tensor
from .case import Case, Peers, Work, arrays, size
from .graphblas import graphblas_product, graphblas_sampled
from .mkl import mkl_into, mkl_product
from .peers import Hand, numba_peers, tensora_kernel
from .taco import taco_peer

LARGEST_DENSE = 2 * 10**7
LARGEST_SAMPLED = 2 * 10**8
LARGEST_COPY = 2 * 10**6
SPMV = "y(i) = A(i,j) * x(j)"


def spmv_cases(hand: Hand, name: str, s: Any) -> Iterator[Case]:
    """Sparse matrix times vector in every format that suits the input."""
    n, m = s.shape
    rng = np.random.default_rng(0)
    x, y = rng.random(m), np.empty(n)
    coords, vals = np.stack(s.tocoo().coords), s.data

    def case(format: str, a: Tensor, loop: str, sizes: tuple[int, ...], given: list[np.ndarray], more: Peers) -> Case:
        work = Work(SPMV, {"A": format}, {"A": a, "x": x}, memory=y)
        peers = {"hand": hand(loop, *sizes, *given, x, y), **numba_peers(loop, *given, x, y), **more}
        return Case(f"SpMV {format.partition('(')[0]}", name, size(a, x, y), work, peers)

    a = from_scipy(s)
    others = {**times(s, x), **mkl_into(s, x, y), **graphblas_product("plus_times", s, x)}
    if s.nnz < LARGEST_COPY:
        others |= tensora_kernel(SPMV, {"y": "d", "A": "ds", "x": "d"}, A=s, x=x)
    yield case("CSR", a, "spmv_csr", (n,), arrays(a), others)
    c = pack(coords, vals, s.shape, "COO")
    yield case("COO", c, "spmv_coo", (n, s.nnz), arrays(c)[1:], times(s.tocoo(), x))
    if "stencil" in name:
        d, e = pack(coords, vals, s.shape, "DIA"), pack(coords, vals, s.shape, "ELL")
        offset = d.shared["offset"]
        yield case("DIA", d, "spmv_dia", (n, m, len(offset)), [offset, d.vals], times(s.todia(), x))
        yield case("ELL", e, "spmv_ell", (n, e.extents[0]), arrays(e), {})
    if "3x3" in name:
        b = pack(coords, vals, s.shape, "BCSR(3,3)")
        others = times(s.tobsr((3, 3)), x) | taco_peer(spmv_of_blocks(coords, vals, x, y))
        yield case("BCSR(3,3)", b, "spmv_bcsr", (n // 3,), arrays(b), others)


def spmv_of_blocks(coords: np.ndarray, vals: np.ndarray, x: np.ndarray, y: np.ndarray) -> Work:
    """The product of a matrix in blocks of three rows and columns, as one of a tensor of order 4."""
    outer, inner = np.divmod(coords, 3)
    a = pack(np.concatenate([outer, inner]), vals, (y.size // 3, x.size // 3, 3, 3), Format("dsdd"))
    return Work("y(i,k) = A(i,j,k,l) * x(j,l)", {}, {"A": a, "x": x.reshape(-1, 3)}, memory=y.reshape(-1, 3))


def times(s: Any, b: Any) -> Peers:
    """A product by SciPy."""
    return {"scipy": partial(operator.matmul, s, b)}


def spmspv_cases(hand: Hand, name: str, s: Any) -> Iterator[Case]:
    """Sparse matrix by columns times a vector that holds every hundredth component; peers but the loop by hand return
    a sparse vector."""
    n, m = s.shape
    rng = np.random.default_rng(0)
    coords = np.sort(rng.choice(m, -(-m // 100), replace=False)).astype(np.int32)
    vals, y = rng.random(coords.size), np.empty(n)
    by_columns = s.tocsc()
    a = pack(np.stack(s.tocoo().coords), s.data, s.shape, "CSC")
    x = pack(coords[None], vals, (m,), "SparseVector")
    column = type(by_columns)((vals, coords, np.array([0, coords.size], np.int32)), shape=(m, 1))
    met = int(np.diff(by_columns.indptr)[coords].sum())
    peers: Peers = {
        "hand": hand("spmspv_csc", n, len(coords), *arrays(a), *arrays(x)[1:], y),
        **times(by_columns, column),
        **mkl_product(by_columns, column),
        **graphblas_product("plus_times", by_columns, (coords, vals, m)),
    }
    work = Work(SPMV, {"A": "CSC", "x": "SparseVector"}, {"A": a, "x": x}, memory=y)
    yield Case("SpMSpV CSC", name, 12 * met + size(x, y), work, peers)


def spmm_cases(hand: Hand, name: str, s: Any) -> Iterator[Case]:
    """Products with dense matrices."""
    n, m = s.shape
    rng = np.random.default_rng(0)
    a = from_scipy(s)
    spmm = "C(i,j) = A(i,k) * B(k,j)"
    for columns in (16, 64, 128):
        if max(n, m) * columns > LARGEST_DENSE:
            continue
        b, c = rng.random((m, columns)), np.empty((n, columns))
        peers = {
            "hand": hand("spmm_csr", n, columns, *arrays(a), b, c),
            **times(s, b),
            **mkl_into(s, b, c),
            **graphblas_product("plus_times", s, b),
            **numba_peers("spmm_csr", *arrays(a), b, c),
        }
        if s.nnz + b.size < LARGEST_COPY:
            peers |= tensora_kernel(spmm, {"C": "dd", "A": "ds", "B": "dd"}, A=s, B=b)
        work = Work(spmm, {"A": "CSR"}, {"A": a, "B": b}, memory=c)
        yield Case(f"SpMM {columns}", name, size(a, b, c), work, peers)


def sddmm_cases(hand: Hand, name: str, s: Any) -> Iterator[Case]:
    """A product of dense matrices at the components of a sparse one."""
    (n, m), columns = s.shape, 128
    if max(n, m) * columns > LARGEST_DENSE or s.nnz * columns > LARGEST_SAMPLED:
        return
    rng = np.random.default_rng(0)
    b, d, e = from_scipy(s), rng.random((n, columns)), rng.random((m, columns))
    peers: Peers = {
        "hand": hand.into("sddmm_csr", (s.nnz,), n, columns, *arrays(b), d, e),
        **graphblas_sampled(s, d, e),
        **numba_peers("sddmm_csr", *arrays(b), d, e),
    }
    formats = {"B": "CSR", "E": "Dense(1,0)"}
    work = Work("C(i,j) = B(i,j) * (D(i,k) * E(k,j))", formats, {"B": b, "D": d, "E": e.T}, "CSR")
    yield Case(f"SDDMM {columns}", name, size(b, b, d, e), work, peers)
