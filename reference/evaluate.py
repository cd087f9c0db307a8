"""Evaluation: from a text and tensors to a result, through every step of the reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .interpreter import interpret
from .preparation import prepare
from .problem import Problem
from .schedule.schedule import Schedule
from .statement import Program
from .tensor import Tensor
from .trace import Trace
from .visits import check_visits


@dataclass(frozen=True)
class Execution:
    """A result with everything that led to it."""

    source: str
    problem: Problem
    operands: Mapping[str, Tensor]
    program: Program
    result: Tensor
    trace: Trace
    schedule: Schedule = Schedule()


def execute(
    source: str, operands: Mapping[str, Any], *, schedule: str | Schedule | None = None, **settings: Any
) -> Execution:
    """Evaluate an expression by a schedule and keep the trace. Settings are those of `prepare`.

    What a schedule visits is compared with what its absence does.
    """
    ready = prepare(source, operands, schedule=schedule, **settings)
    commands = ready.schedule
    trace = Trace(visits=Counter() if commands.commands else None)
    result, _ = interpret(ready.program, ready.operands, index=ready.index, trace=trace)
    if commands.commands:
        check_visits(ready, commands, trace)
    return Execution(source, ready.problem, ready.operands, ready.program, result, trace, commands)
