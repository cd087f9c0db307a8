"""What the benchmark is made of: a work, which kernels of several schedules do, a case with its peers, a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ...generator.runtime.kernel import compile_kernel
from ...reference.storage.tensor import Tensor

Action = Callable[[], Any]
Peers = dict[str, Action]

ROWS = "split(i,i0,i1,64),parallelize(i0,CPUThread,NoRaces)"
SLICES = "parallelize(i,CPUThread,NoRaces)"
BESIDE_TEAMS = ("hand", "scipy", "mkl", "graphblas")
"""The peers of rows with several threads: those that have threads, and, in their one thread, the two plainest."""


@dataclass(frozen=True)
class Work:
    """An expression on operands in some formats, and the memory of a dense result."""

    expression: str
    formats: Mapping[str, str]
    operands: Mapping[str, Any]
    out: str | None = None
    memory: np.ndarray | None = None
    semiring: str | None = None

    def by(self, schedule: str | None) -> Action:
        """A call of the kernel that follows a schedule."""
        kernel = compile_kernel(
            self.expression, self.formats, out=self.out, semiring_name=self.semiring, schedule=schedule
        )
        return partial(kernel.run, self.operands, self.memory)


@dataclass(frozen=True)
class Row:
    """One kernel on one input with so many threads: what computes it, by name, and the bytes that must move."""

    kernel: str
    input: str
    threads: int
    bytes: float
    ours: Action
    peers: Peers


@dataclass(frozen=True)
class Case:
    """A work on an input, its schedules by name for one thread and for a team of them, and its peers."""

    kernel: str
    input: str
    bytes: float
    work: Work
    peers: Peers
    alone: Mapping[str, str | None] = field(default_factory=lambda: {"": None})
    team: Mapping[str, str | None] = field(default_factory=dict)

    def rows(self, threads: int) -> Iterator[Row]:
        """What is measured with so many threads: nothing where no schedule for a team is known."""
        schedules = self.alone if threads == 1 else self.team
        peers = {name: p for name, p in self.peers.items() if threads == 1 or name in BESIDE_TEAMS}
        for label, schedule in schedules.items():
            name = f"{self.kernel} {label}".strip()
            yield Row(name, self.input, threads, self.bytes, self.work.by(schedule), peers)


def arrays(t: Tensor) -> list[np.ndarray]:
    """The index arrays of a tensor in storage order, then its values."""
    own = [a for level in t.levels for a in level.values() if isinstance(a, np.ndarray)]
    return [*own, t.vals]


def size(*held: Any) -> int:
    """The bytes of arrays and tensors."""
    return sum(h.nbytes if isinstance(h, np.ndarray) else sum(a.nbytes for a in arrays(h)) for h in held)
