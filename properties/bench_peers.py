"""What the benchmark compares kernels with, beside SciPy: hand-written loops, MKL, numba, pydata/sparse, tensora.

All but the loops in C are left out where they are not installed.
"""

from __future__ import annotations

import ctypes
import glob
import importlib.util
import os
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..generator.request import chosen
from ..reference.tensor import Tensor
from . import bench_numba

Action = Callable[[], Any]
NO_TRANSPOSE = 10


class Hand:
    """The loops of `hand.c`, built as kernels are, as functions on arrays and integers."""

    def __init__(self) -> None:
        folder = tempfile.mkdtemp()
        path = Path(folder) / "hand.so"
        chosen().build(Path(__file__).with_name("hand.c"), path)
        self.library = ctypes.CDLL(str(path))
        self.free = ctypes.CDLL(None).free
        self.free.argtypes = [ctypes.c_void_p]

    def into(self, name: str, shape: tuple[int, ...], *args: Any) -> Action:
        """A call of one loop whose last argument is allocated for each call."""
        return lambda: self(name, *args, np.empty(shape))()

    def __call__(self, name: str, *args: Any, outputs: int = 0) -> Action:
        """A call of one loop, which says how many components it made; `outputs` arrays that it allocates are freed."""
        function = getattr(self.library, name)
        function.restype = ctypes.c_int64
        given = [ctypes.c_int64(a) if isinstance(a, int) else ctypes.c_void_p(a.ctypes.data) for a in args]

        def action(keep: Any = args) -> int:
            made = [ctypes.c_void_p() for _ in range(outputs)]
            count: int = function(*given, *[ctypes.byref(m) for m in made])
            for m in made:
                self.free(m)
            return count

        return action


def jitted(name: str, *args: Any) -> dict[str, Action]:
    """A loop compiled by numba."""
    if importlib.util.find_spec("numba") is None:
        return {}
    function = compiled(name)
    return {"numba": lambda: function(*args)}


@cache
def compiled(name: str) -> Callable[..., Any]:
    """One of the loops, compiled when it is first called."""
    import numba

    made: Callable[..., Any] = numba.njit(getattr(bench_numba, name))
    return made


def mkl_library() -> str | None:
    """Where MKL is, set to one thread."""
    found = glob.glob(f"{sys.prefix}/lib/libmkl_rt.so*")
    if not found or importlib.util.find_spec("sparse_dot_mkl") is None:
        return None
    os.environ.setdefault("MKL_RT", found[0])
    os.environ.setdefault("MKL_NUM_THREADS", "1")
    return found[0]


def mkl_product(a: Any, b: Any) -> dict[str, Action]:
    """A product by MKL, of a sparse matrix with whatever."""
    if mkl_library() is None:
        return {}
    import sparse_dot_mkl

    dot, left = sparse_dot_mkl.dot_product_mkl, sp.csr_matrix(a)
    right = sp.csr_matrix(b) if sp.issparse(b) else b
    return {"mkl": lambda: dot(left, right)}


def mkl_sum(a: Any, b: Any) -> dict[str, Action]:
    """A sum of two sparse matrices by MKL, which its wrapper lacks."""
    path = mkl_library()
    if path is None:
        return {}
    mkl = ctypes.CDLL(path)
    left, right = handle(mkl, a), handle(mkl, b)

    def action(keep: Any = (a, b)) -> None:
        made = ctypes.c_void_p()
        if mkl.mkl_sparse_d_add(NO_TRANSPOSE, left, ctypes.c_double(1.0), right, ctypes.byref(made)):
            raise RuntimeError("MKL cannot add these matrices")
        mkl.mkl_sparse_destroy(made)

    return {"mkl": action}


def handle(mkl: Any, s: Any) -> ctypes.c_void_p:
    """MKL's own handle on the arrays of a CSR matrix."""
    made, (n, m) = ctypes.c_void_p(), s.shape
    begin = s.indptr.ctypes.data
    args = [ctypes.c_void_p(p) for p in (begin, begin + 4, s.indices.ctypes.data, s.data.ctypes.data)]
    if mkl.mkl_sparse_d_create_csr(ctypes.byref(made), 0, n, m, *args):
        raise RuntimeError("MKL cannot take this matrix")
    return made


def tensora_kernel(expression: str, formats: dict[str, str], **operands: Any) -> dict[str, Action]:
    """A kernel of tensora, on SciPy matrices, dense arrays, and components of tensors (coordinates, values, shape)."""
    if importlib.util.find_spec("tensora") is None:
        return {}
    import tensora

    function = tensora.tensor_method(expression, formats)
    given = {name: as_tensora(formats[name], value) for name, value in operands.items()}
    return {"tensora": lambda: function(**given)}


def as_tensora(format: str, value: Any) -> Any:
    """An operand as a tensor of tensora."""
    from tensora import Tensor as Theirs

    if isinstance(value, tuple):
        coords, vals, shape = value
        return Theirs.from_soa(tuple(c.tolist() for c in coords), vals.tolist(), dimensions=shape, format=format)
    if sp.issparse(value):
        return Theirs.from_scipy_sparse(value, format=format)
    return Theirs.from_numpy(value, format=format)


def arrays(t: Tensor) -> list[np.ndarray]:
    """The index arrays of a tensor in storage order, then its values."""
    own = [a for level in t.levels for a in level.values() if isinstance(a, np.ndarray)]
    return [*own, t.vals]
