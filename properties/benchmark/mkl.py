"""MKL as a peer of the benchmark, through `sparse-dot-mkl`, where that is installed."""

from __future__ import annotations

import ctypes
import glob
import importlib.util
import os
import sys
from typing import Any

import numpy as np
import scipy.sparse as sp

from .case import Peers

NO_TRANSPOSE = 10


def mkl_library() -> str | None:
    """Where MKL is."""
    found = glob.glob(f"{sys.prefix}/lib/libmkl_rt.so*")
    if not found or importlib.util.find_spec("sparse_dot_mkl") is None:
        return None
    os.environ.setdefault("MKL_RT", found[0])
    return found[0]


def mkl_threads(threads: int) -> None:
    """Let MKL use so many threads."""
    if mkl_library() is not None:
        import sparse_dot_mkl

        sparse_dot_mkl.mkl_set_num_threads(threads)


def mkl_into(a: Any, b: np.ndarray, result: np.ndarray) -> Peers:
    """A product of a sparse matrix with a dense vector or matrix, written into an array."""
    if mkl_library() is None:
        return {}
    import sparse_dot_mkl

    dot, left, memory = sparse_dot_mkl.dot_product_mkl, sp.csr_matrix(a), np.empty_like(result)
    return {"mkl": lambda: dot(left, b, out=memory, out_scalar=0.0)}


def mkl_product(a: Any, b: Any) -> Peers:
    """A product of two sparse matrices in CSR, or in CSC, its result in order."""
    if mkl_library() is None:
        return {}
    import sparse_dot_mkl

    dot = sparse_dot_mkl.dot_product_mkl
    left, right = ((sp.csc_matrix if s.format == "csc" else sp.csr_matrix)(s) for s in (a, b))
    return {"mkl": lambda: dot(left, right, reorder_output=True)}


def mkl_sum(a: Any, b: Any) -> Peers:
    """A sum of two sparse matrices, which the wrapper lacks."""
    path = mkl_library()
    if path is None:
        return {}
    mkl = ctypes.CDLL(path)
    left, right = handle(mkl, a), handle(mkl, b)

    def action(keep: Any = (a, b)) -> None:
        made = ctypes.c_void_p()
        if mkl.mkl_sparse_d_add(NO_TRANSPOSE, left, ctypes.c_double(1.0), right, ctypes.byref(made)):
            raise RuntimeError("MKL cannot add these matrices")
        release(mkl, made)

    return {"mkl": action}


def release(mkl: Any, made: ctypes.c_void_p) -> None:
    """Let go of a matrix that MKL has made."""
    mkl.mkl_sparse_destroy(made)


def handle(mkl: Any, s: Any) -> ctypes.c_void_p:
    """MKL's own handle on the arrays of a CSR matrix."""
    made, (n, m) = ctypes.c_void_p(), s.shape
    begin = s.indptr.ctypes.data
    args = [ctypes.c_void_p(p) for p in (begin, begin + 4, s.indices.ctypes.data, s.data.ctypes.data)]
    if mkl.mkl_sparse_d_create_csr(ctypes.byref(made), 0, n, m, *args):
        raise RuntimeError("MKL cannot take this matrix")
    return made
