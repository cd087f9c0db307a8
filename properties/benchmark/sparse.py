"""Kernels of the benchmark on sparse matrices, with sparse results: sums, products, triangles."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

from ...reference.files.scipy_arrays import from_scipy
from ...reference.storage.packing import pack
from .case import Case, Peers, Work, arrays, size
from .dense import LARGEST_COPY
from .graphblas import graphblas_product, graphblas_sum, graphblas_triangles
from .inputs import shift_columns, sort_indices
from .mkl import mkl_product, mkl_sum
from .peers import Hand, numba_peers, tensora_kernel

LARGEST_PRODUCT = 6 * 10**7
ADD = "C(i,j) = A(i,j) + B(i,j)"
PRODUCT = "C(i,j) = A(i,k) * B(k,j)"
TRIANGLES = "C(i,j)<$L(i,j)> = L(i,k) * M(k,j)"


def sum_cases(hand: Hand, name: str, s: Any) -> Iterator[Case]:
    """Sums of a matrix and one whose pattern overlaps with its own in part."""
    t, pos = shift_columns(s), np.empty(s.shape[0] + 1, np.int32)
    a, b = from_scipy(s), from_scipy(t)
    both = [*arrays(a), *arrays(b)]
    peers: Peers = {
        "hand": hand("add_csr", s.shape[0], *both, pos, outputs=2),
        "scipy": partial(operator.add, s, t),
        **mkl_sum(s, t),
        **graphblas_sum(s, t),
        **numba_peers("add_csr", *both),
    }
    if s.nnz < LARGEST_COPY:
        peers |= tensora_kernel(ADD, {"C": "ds", "A": "ds", "B": "ds"}, A=s, B=t)
    work = Work(ADD, {"A": "CSR", "B": "CSR"}, {"A": a, "B": b}, "CSR")
    yield Case("CSR + CSR", name, 2 * size(a, b), work, peers)
    c, d = (pack(np.stack(h.tocoo().coords), h.data, h.shape, "COO") for h in (s, t))
    given = [len(c.vals), *arrays(c)[1:], len(d.vals), *arrays(d)[1:]]
    peers = {"hand": hand("add_coo", *given, outputs=3), **sum_by_components(s.tocoo(), t.tocoo())}
    work = Work(ADD, {"A": "COO", "B": "COO"}, {"A": c, "B": d}, "COO")
    yield Case("COO + COO", name, 2 * size(c, d), work, peers)


def sum_by_components(s: Any, t: Any) -> Peers:
    """A sum by SciPy, which adds in CSR."""
    return {"scipy": lambda: (s + t).tocoo()}


def product_cases(hand: Hand, name: str, s: Any) -> Iterator[Case]:
    """The square of a matrix, unless it is too much."""
    if s.shape[0] == s.shape[1] and count_products(s) < LARGEST_PRODUCT:
        yield from products(hand, name, s)


def products(hand: Hand, name: str, s: Any) -> Iterator[Case]:
    """The square of a matrix, rows in order, in three semirings; of lengths where the least is asked for."""
    n, m = s.shape
    flops = count_products(s)
    a, pos = from_scipy(s), np.empty(n + 1, np.int32)
    formats, operands = {"A": "CSR", "B": "CSR"}, {"A": a, "B": a}
    twice = [*arrays(a), *arrays(a)]
    peers: Peers = {
        "hand": hand("spgemm_csr", n, m, *twice, pos, outputs=2),
        "scipy": lambda: order_rows(s @ s),
        **mkl_product(s, s),
        **graphblas_product("plus_times", s, s),
        **numba_peers("spgemm_csr", *twice, m),
    }
    yield Case("SpGEMM", name, 12 * flops, Work(PRODUCT, formats, operands, "CSR"), peers)
    for ring, of in (("min_plus", with_lengths(s)), ("plus_pair", s)):
        b = from_scipy(of)
        others: Peers = {
            "hand": hand(f"{ring}_csr", n, m, *arrays(b), *arrays(b), pos, outputs=2),
            **graphblas_product(ring, of, of),
        }
        work = Work(PRODUCT, formats, {"A": b, "B": b}, "CSR", semiring=ring)
        yield Case(ring, name, 12 * flops, work, others)


def with_lengths(s: Any) -> Any:
    """A matrix whose components are lengths from 1 to 9 instead."""
    found = s.copy()
    found.data = np.random.default_rng(0).integers(1, 10, s.nnz).astype(np.float64)
    return found


def count_products(s: Any) -> int:
    """How many products of two components its square has."""
    return int(np.diff(s.indptr)[s.indices].sum())


def order_rows(s: Any) -> Any:
    """A matrix whose rows have been put in order."""
    s.sort_indices()
    return s


def triangle_cases(hand: Hand, name: str, s: Any) -> Iterator[Case]:
    """How many triangles each edge of a graph closes, unless that is too much: a matrix gives the edges."""
    if s.shape[0] == s.shape[1] and count_products(lower_triangle(s)) < LARGEST_PRODUCT:
        yield from neighbours(hand, name, s)


def neighbours(hand: Hand, name: str, s: Any) -> Iterator[Case]:
    """How many triangles each edge of a graph closes: a product of its lower triangle, masked by that."""
    lower = lower_triangle(s)
    a, pos = from_scipy(lower), np.empty(s.shape[0] + 1, np.int32)
    peers: Peers = {
        "hand": hand("triangles_csr", s.shape[0], *arrays(a)[:2], pos, outputs=2),
        "scipy": lambda: (lower @ lower) * lower,
        **graphblas_triangles(lower),
    }
    work = Work(TRIANGLES, {"L": "CSR", "M": "CSR"}, {"L": a, "M": a}, "CSR", semiring="plus_pair")
    yield Case("triangles", name, 4 * count_products(lower) + size(a), work, peers)


def lower_triangle(s: Any) -> Any:
    """The edges of the graph that has one wherever a matrix has a component, each once, all of weight 1."""
    pattern = sp.csr_array((np.ones(s.nnz), s.indices, s.indptr), shape=s.shape)
    lower = sort_indices(sp.tril(pattern + pattern.T, -1))
    lower.data[:] = 1
    return lower
