"""SuiteSparse:GraphBLAS as a peer of the benchmark, through `python-graphblas`, where that is installed.

Operands are taken before anything is timed. Results are waited for: until then their rows may be out of order.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
import scipy.sparse as sp

from .case import Action, Peers


def graphblas() -> Any:
    """The library, or None."""
    return None if importlib.util.find_spec("graphblas") is None else importlib.import_module("graphblas")


def graphblas_threads(threads: int) -> None:
    """Let GraphBLAS use so many threads."""
    gb = graphblas()
    if gb is not None:
        gb.ss.config["nthreads"] = threads


def to_graphblas(gb: Any, value: Any) -> Any:
    """A SciPy matrix, an array, or a sparse vector (coordinates, values, size) as GraphBLAS holds it."""
    if sp.issparse(value):
        return gb.io.from_scipy_sparse(value)
    if isinstance(value, tuple):
        coords, vals, n = value
        return gb.Vector.from_coo(coords, vals, size=n)
    return (gb.Vector if value.ndim == 1 else gb.Matrix).from_dense(value)


def peer(prepare: Callable[..., Action]) -> Callable[..., Peers]:
    """A peer from what prepares a call for the library and operands; none where the library is missing."""

    @wraps(prepare)
    def peers(*operands: Any) -> Peers:
        gb = graphblas()
        return {} if gb is None else {"graphblas": prepare(gb, *operands)}

    return peers


@peer
def graphblas_product(gb: Any, ring: str, a: Any, b: Any) -> Action:
    """A matrix times a matrix or a vector, in a semiring."""
    left, right, multiply = to_graphblas(gb, a), to_graphblas(gb, b), getattr(gb.semiring, ring)["FP64"]
    if isinstance(right, gb.Vector):
        return lambda: left.mxv(right, multiply).new().wait()
    return lambda: left.mxm(right, multiply).new().wait()


@peer
def graphblas_triangles(gb: Any, lower: Any) -> Action:
    """The product of a matrix with itself at its own components."""
    edges, count = to_graphblas(gb, lower), gb.semiring.plus_pair["FP64"]
    return lambda: edges.mxm(edges, count).new(mask=edges.S).wait()


@peer
def graphblas_sampled(gb: Any, b: Any, d: np.ndarray, e: np.ndarray) -> Action:
    """A product of dense matrices, the second given by its columns, at the components of a sparse one, times those."""
    pattern, left, right = to_graphblas(gb, b), to_graphblas(gb, d), to_graphblas(gb, e)
    multiply, times = gb.semiring.plus_times["FP64"], gb.binary.times

    def action() -> Any:
        product = left.mxm(right.T, multiply).new(mask=pattern.S)
        return pattern.ewise_mult(product, times).new().wait()

    return action


@peer
def graphblas_sum(gb: Any, a: Any, b: Any) -> Action:
    """A sum of two sparse matrices."""
    left, right, plus = to_graphblas(gb, a), to_graphblas(gb, b), gb.binary.plus
    return lambda: left.ewise_add(right, plus).new().wait()
