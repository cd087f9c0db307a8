"""A small sparse matrix-vector product, and what a schedule makes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.execution.interpreter import interpret
from gnomon.reference.execution.trace import Trace
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.statement import Program, indices
from gnomon.reference.storage.tensor import Tensor
from msgspec import Struct

COORDS = np.array([[0, 0, 1, 3, 3, 3, 4], [0, 2, 1, 0, 1, 3, 3]])
SHAPE = (5, 4)


class Ran(Struct, frozen=True):
    """What a scheduled program did: its loops, how often each ran, and the coordinates visited, in order."""

    program: Program
    result: Tensor
    loops: list[str]
    counts: dict[str, int]
    visits: list[dict[str, int]]

    def order(self, *variables: str) -> list[tuple[int, ...]]:
        """The visited coordinates of some variables."""
        return [tuple(visit[v] for v in variables) for visit in self.visits]


Run = Callable[..., Ran]


@pytest.fixture
def run() -> Run:
    def ran(source: str, schedule: str, *, out: str | None = None, **operands: Any) -> Ran:
        ready = prepare(source, operands, out=out, schedule=schedule)
        trace = Trace(visits=Counter())
        result, _ = interpret(ready.program, ready.operands, trace=trace)
        assert trace.visits is not None
        visits = [dict(coordinates) for _, coordinates, _ in trace.visits]
        return Ran(ready.program, result, list(indices(ready.program.statement)), dict(trace.iterations), visits)

    return ran


@pytest.fixture
def matrix() -> Callable[[str], Tensor]:
    return lambda format: gn.tensor(COORDS, np.arange(1.0, 8.0), SHAPE, format)


@pytest.fixture
def spmv(run: Run, matrix: Callable[[str], Tensor]) -> Callable[..., Ran]:
    """The product of the matrix in some format with a vector, by some schedule; its result is right."""

    def ran(schedule: str, format: str = "CSR") -> Ran:
        a, x = matrix(format), np.array([1.0, 10.0, 100.0, 1000.0])
        found = run("y(i) = A(i,j) * x(j)", schedule, A=a, x=x)
        np.testing.assert_array_equal(found.result.to_numpy(), a.to_numpy() @ x)
        return found

    return ran
