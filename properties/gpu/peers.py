"""Libraries that compute on GPUs too: cuSPARSE, through CuPy, and torch.sparse. Results are made before they are timed
where a library takes them, and caches are emptied before each call, as for kernels of ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from ...reference.storage.tensor import Tensor
from .cases import Case
from .timing import median_of

PRODUCTS = ("SpMV", "SpMM", "SpGEMM into CSR")
"""The kernels that are products of two operands in libraries."""
CACHED = 1 << 27
"""How many bytes are cleared before a call: more than caches hold, and enough for the host to queue the call."""
BY_ROWS, FLOAT64 = 2, 1
"""What cuSPARSE calls matrices that are stored row by row, and CUDA double precision."""
FOR_SPMV, FOR_SPMM = (0, 2, 3), (0, 4, 6)
"""The algorithms of cuSPARSE for CSR matrices, by their numbers: the one chosen by default, and each of the others."""


class AbsentError(Exception):
    """A peer is not installed, has no GPU, or does not compute a case."""


@contextmanager
def whatever_fails() -> Iterator[None]:
    """Raise AbsentError for whatever a peer's code raises, such as when it runs out of memory."""
    try:
        yield
    except AbsentError:
        raise
    except Exception as error:
        raise AbsentError(f"{type(error).__name__}: {error}".partition("\n")[0]) from None


@whatever_fails()
def with_cupy(case: Case) -> float:
    """How long cuSPARSE takes, by the fastest of its algorithms.

    Raises AbsentError where CuPy is not installed or has no such kernel."""
    try:
        import cupy
        import cupyx.scipy.sparse as csp
    except ImportError:
        raise AbsentError("not installed") from None
    if case.kernel not in PRODUCTS:
        raise AbsentError("no such kernel")
    scratch = cupy.empty(CACHED, cupy.int8)

    def put(t: Tensor) -> Any:
        if not t.levels[-1]:
            return cupy.asarray(t.to_numpy())
        return csp.csr_matrix(tuple(map(cupy.asarray, csr_arrays(t))), shape=t.shape)

    def once(compute: Callable[[], object]) -> float:
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        scratch.data.memset_async(0, CACHED)
        begin.record()
        compute()
        end.record()
        end.synchronize()
        return float(cupy.cuda.get_elapsed_time(begin, end)) / 1e3

    left, right = map(put, case.operands.values())
    ways = [lambda: left @ right] if case.kernel.startswith("SpGEMM") else list(dense_products(cupy, left, right))
    return min(median_of(partial(once, way)) for way in ways)


def dense_products(cupy: Any, left: Any, right: Any) -> Iterator[Callable[[], object]]:
    """The product of a sparse matrix and a dense vector or matrix by each of some algorithms of cuSPARSE."""
    from cupy_backends.cuda.libs import cusparse
    from cupyx.cusparse import DnMatDescriptor, DnVecDescriptor, SpMatDescriptor

    def dense(array: Any) -> Any:
        if array.ndim == 1:
            return DnVecDescriptor.create(array)
        rows, columns = array.shape
        made = cusparse.createDnMat(rows, columns, columns, array.data.ptr, kind, BY_ROWS)
        return DnMatDescriptor(made, cusparse.dnMatGet, cusparse.destroyDnMat)

    handle, kind, transposed = cupy.cuda.device.get_cusparse_handle(), FLOAT64, (0,) * right.ndim
    result = cupy.zeros((left.shape[0], *right.shape[1:]))
    parts = (SpMatDescriptor.create(left), dense(right), dense(result))
    one, zero = np.array(1.0), np.array(0.0)

    def call(function: Any, algorithm: int, scratch: Any = None, held: Any = None) -> Any:
        factors, product = (one.ctypes.data, parts[0].desc, parts[1].desc), (zero.ctypes.data, parts[2].desc)
        last = () if scratch is None else (scratch.ptr,)
        return function(handle, *transposed, *factors, *product, kind, algorithm, *last)

    sizes, multiply, algorithms = {
        1: (cusparse.spMV_bufferSize, cusparse.spMV, FOR_SPMV),
        2: (cusparse.spMM_bufferSize, cusparse.spMM, FOR_SPMM),
    }[right.ndim]
    for algorithm in algorithms:
        buffer = cupy.empty(max(1, call(sizes, algorithm)), cupy.int8)
        yield partial(call, multiply, algorithm, buffer.data, result)


@whatever_fails()
def with_torch(case: Case) -> float:
    """How long torch.sparse takes. Raises AbsentError where it is not installed, has no GPU or no such kernel."""
    try:
        import torch
    except ImportError:
        raise AbsentError("not installed") from None
    if not torch.cuda.is_available():
        raise AbsentError("it finds no GPU")
    if case.kernel not in (*PRODUCTS, "SDDMM"):
        raise AbsentError("no such kernel")
    scratch = torch.empty(CACHED, dtype=torch.int8, device="cuda")

    def put(t: Tensor) -> Any:
        if not t.levels[-1]:
            return torch.from_numpy(t.to_numpy()).cuda()
        vals, crd, pos = map(torch.from_numpy, csr_arrays(t))
        return torch.sparse_csr_tensor(pos, crd, vals, size=t.shape).cuda()

    first, *rest = map(put, case.operands.values())

    def compute() -> Any:
        if len(rest) == 1:
            return first @ rest[0]
        products = torch.sparse.sampled_addmm(first, rest[0], rest[1].T, beta=0.0)
        return products.values().mul_(first.values())

    def once() -> float:
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        scratch.zero_()
        begin.record()
        compute()
        end.record()
        torch.cuda.synchronize()
        return float(begin.elapsed_time(end)) / 1e3

    return median_of(once)


def csr_arrays(t: Tensor) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values, columns and bounds of rows of a CSR matrix, copied."""
    return np.array(t.vals), np.array(t.levels[1]["crd"]), np.array(t.levels[1]["pos"])
