"""Who computes a case on a GPU: kernels of gnomon, those written by hand, cuSPARSE through CuPy, and torch.sparse."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from ...generator.cuda.text import Texts
from ...generator.kernel_source import generate_for_device
from ...generator.runtime.request import make_request
from ...generator.runtime.sources import request_source
from ...generator.storage.layout import Layout
from ...reference.files.dictionaries import from_numpy
from ...reference.storage.named_formats import format_of
from ...reference.storage.tensor import Tensor
from .cases import Case
from .timing import REPEATS, Build, Timed

KERNELS = Path(__file__).parent / "kernels"
PRODUCTS = ("SpMV", "SpMM", "SpGEMM into CSR")
"""The kernels that are products of two operands in libraries."""
BY_HAND = ("SpMV", "SpMM", "SDDMM", "TTV", "MTTKRP")
Contender = Callable[[], float]
"""How long a contender's kernels run, in seconds."""


def ours(case: Case, schedule: str, build: Build, folder: Path) -> Timed:
    """gnomon's kernel for a case by a schedule."""
    request = make_request(case.text, case.operands, out=case.out, target="cuda", schedule=schedule)
    source = request_source(request, request.resolve({name: t.shape for name, t in case.operands.items()}))
    path = build(generate_for_device(source, modes=("evaluate",)), folder)
    operands = {name: case.operands[name] for name in source.operands}
    return Timed.of(path, source.layouts[source.program.result], case.shape, operands)


def by_hand(name: str, operands: Mapping[str, Tensor], shape: tuple[int, ...], build: Build, folder: Path) -> Timed:
    """A kernel written by hand, whose result has dense values."""
    host, device = ((KERNELS / f"{name}{suffix}").read_text() for suffix in (".c", ".cu"))
    result = Layout.of(from_numpy(np.zeros((1,) * len(shape)), format_of("Dense", len(shape))))
    return Timed.of(build(Texts(host, device), folder), result, shape, operands)


def copying(size: int, build: Build, folder: Path) -> Timed:
    """A kernel that copies so many numbers."""
    x = from_numpy(np.ones(size), format_of("Dense", 1))
    return by_hand("copy", {"x": x}, (size,), build, folder)


def contenders(case: Case, build: Build, folder: Path) -> Iterator[tuple[str, Contender]]:
    """All who can compute a case, by name; a name that begins with "gnomon" is one of ours."""
    for name, schedule in case.schedules.items():
        yield f"gnomon, {name}", partial(seconds_of_ours, case, schedule, build, folder)
    if case.kernel in BY_HAND:
        yield "by hand", partial(seconds_by_hand, case, build, folder)
    yield "cuSPARSE", partial(by_peer, with_cupy, case)
    yield "torch", partial(by_peer, with_torch, case)


def seconds_of_ours(case: Case, schedule: str, build: Build, folder: Path) -> float:
    """How long gnomon's kernels run."""
    return ours(case, schedule, build, folder).seconds()


def seconds_by_hand(case: Case, build: Build, folder: Path) -> float:
    """How long the kernel written by hand runs."""
    return by_hand(case.kernel.lower(), case.by_hand, case.hand_shape, build, folder).seconds()


class AbsentError(Exception):
    """A peer is not installed, has no GPU, or does not compute a case."""


def median_of(once: Callable[[], float]) -> float:
    """The median of several times, after one that is left out."""
    once()
    return median(once() for _ in range(REPEATS))


def by_peer(peer: Callable[[Case], float], case: Case) -> float:
    """How long a peer takes. Raises AbsentError whatever its code does, such as to run out of memory."""
    try:
        return peer(case)
    except AbsentError:
        raise
    except Exception as error:
        raise AbsentError(f"{type(error).__name__}: {error}".partition("\n")[0]) from None


def with_cupy(case: Case) -> float:
    """cuSPARSE, through CuPy. Raises AbsentError where it is not installed or has no such kernel."""
    try:
        import cupy
        import cupyx.scipy.sparse as csp
    except ImportError:
        raise AbsentError("not installed") from None
    if case.kernel not in PRODUCTS:
        raise AbsentError("no such kernel")

    def put(t: Tensor) -> Any:
        if not t.levels[-1]:
            return cupy.asarray(t.to_numpy())
        return csp.csr_matrix(tuple(map(cupy.asarray, csr_arrays(t))), shape=t.shape)

    left, right = map(put, case.operands.values())

    def once() -> float:
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        left @ right
        end.record()
        end.synchronize()
        return float(cupy.cuda.get_elapsed_time(begin, end)) / 1e3

    return median_of(once)


def with_torch(case: Case) -> float:
    """torch.sparse. Raises AbsentError where it is not installed, has no GPU or no such kernel."""
    try:
        import torch
    except ImportError:
        raise AbsentError("not installed") from None
    if not torch.cuda.is_available():
        raise AbsentError("it finds no GPU")
    if case.kernel not in (*PRODUCTS, "SDDMM"):
        raise AbsentError("no such kernel")

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
        begin.record()
        compute()
        end.record()
        torch.cuda.synchronize()
        return float(begin.elapsed_time(end)) / 1e3

    return median_of(once)


def csr_arrays(t: Tensor) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values, columns and bounds of rows of a CSR matrix, copied."""
    return np.array(t.vals), np.array(t.levels[1]["crd"]), np.array(t.levels[1]["pos"])
