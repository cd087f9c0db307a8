"""Who computes a case on a GPU: kernels of gnomon, those written by hand, cuSPARSE through CuPy, and torch.sparse."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import numpy as np

from ...generator.cuda.text import Texts
from ...generator.device_source import generate_for_device
from ...generator.runtime.request import make_request
from ...generator.runtime.sources import request_source
from ...generator.storage.layout import Layout
from ...reference.files.dictionaries import from_numpy
from ...reference.storage.named_formats import format_of
from ...reference.storage.tensor import Tensor
from .cases import Case
from .peers import with_cupy, with_torch
from .timing import Build, Timed

KERNELS = Path(__file__).parent / "kernels"
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
    yield "cuSPARSE", partial(with_cupy, case)
    yield "torch", partial(with_torch, case)


def seconds_of_ours(case: Case, schedule: str, build: Build, folder: Path) -> float:
    """How long gnomon's kernels run."""
    return ours(case, schedule, build, folder).seconds()


def seconds_by_hand(case: Case, build: Build, folder: Path) -> float:
    """How long the kernel written by hand runs."""
    return by_hand(case.kernel.lower(), case.by_hand, case.hand_shape, build, folder).seconds()
