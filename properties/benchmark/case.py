"""What the benchmark is made of: a work, which kernels of several schedules do, a case with its peers, a row."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from msgspec import Struct, field

from ...generator.runtime.kernel import Kernel
from ...generator.runtime.request import make_request
from ...generator.tuning.tuner import tell, tune
from ...reference.algebra.semirings import Semiring
from ...reference.files.operands import as_tensors
from ...reference.schedule.settings import AUTO
from ...reference.storage.tensor import Tensor

Action = Callable[[], Any]
Peers = dict[str, Action]

BESIDE_TEAMS = ("hand", "scipy", "mkl", "graphblas", "taco")
"""The peers of rows with several threads: those that have threads, and, in their one thread, the two plainest."""


class Work(Struct, frozen=True):
    """An expression on operands in some formats, and the memory of a dense result."""

    expression: str
    formats: Mapping[str, str]
    operands: Mapping[str, Any]
    out: str | None = None
    memory: np.ndarray | None = None
    semiring: str | None = None

    def by(self, schedule: str | None) -> Action:
        """The kernel that follows a schedule, with the operands: peers in C know theirs as well."""
        made = make_request(self.expression, self.formats, out=self.out, semiring=self.semiring, schedule=schedule)
        return Kernel(made).bind(out=self.memory, **self.operands)

    def by_tuner(self) -> Action:
        """As `by`, the kernel that the tuner finds, unless it has found one before, for the threads that there are."""
        request = make_request(self.expression, self.formats, out=self.out, semiring=self.semiring)
        found = tune(request, self.in_formats(request.ring), tell)
        return Kernel(found.request).bind(out=self.memory, **self.operands)

    def in_formats(self, ring: Semiring | None) -> dict[str, Tensor]:
        """The operands in their formats."""
        tensors = as_tensors(self.operands, ring)
        return {name: t.convert(self.formats[name]) if name in self.formats else t for name, t in tensors.items()}


class Row(Struct, frozen=True):
    """One kernel on one input with so many threads: what computes it, by name, and the bytes that must move; `tuned`
    makes another kernel for it by measuring."""

    kernel: str
    input: str
    threads: int
    bytes: float
    ours: Action
    peers: Peers
    tuned: Callable[[], Action] | None = None


class Case(Struct, frozen=True):
    """A work on an input, and its peers. Kernels have the schedule that a user gets unasked, in any number of threads,
    or some schedules by name, in one."""

    kernel: str
    input: str
    bytes: float
    work: Work
    peers: Peers
    named: Mapping[str, str | None] = field(default_factory=dict)

    def rows(self, threads: int) -> Iterator[Row]:
        """What is measured with so many threads."""
        peers = {name: p for name, p in self.peers.items() if threads == 1 or name in BESIDE_TEAMS}
        if not self.named:
            yield Row(self.kernel, self.input, threads, self.bytes, self.work.by(AUTO), peers, self.work.by_tuner)
        for label, schedule in self.named.items() if threads == 1 else ():
            name = f"{self.kernel} {label}".strip()
            yield Row(name, self.input, threads, self.bytes, self.work.by(schedule), peers)


def duration(action: Action, calls: int) -> float:
    """How long one call takes of several in a row."""
    start = time.perf_counter()
    for _ in range(calls):
        action()
    return (time.perf_counter() - start) / calls


def arrays(t: Tensor) -> list[np.ndarray]:
    """The index arrays of a tensor in storage order, then its values."""
    own = [a for level in t.levels for a in level.values() if isinstance(a, np.ndarray)]
    return [*own, t.vals]


def size(*held: Any) -> int:
    """The bytes of arrays and tensors."""
    return sum(h.nbytes if isinstance(h, np.ndarray) else sum(a.nbytes for a in arrays(h)) for h in held)
