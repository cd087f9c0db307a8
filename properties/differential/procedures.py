"""Procedures checked: every step that runs, on what its names stand for then, against its denotation.

A procedure means its steps in the order in which they run; a loop means its rounds one after another. So its
denotation is that of the straight line of steps that a run unrolls it to, each on the tensors before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from ...reference.procedure.run import CONVERT, ROUNDS, run_procedure
from ...reference.procedure.syntax import Procedure, Step
from ...reference.storage.spec import Spec
from ...reference.storage.tensor import Tensor
from .check import EVERY, Report, check


class CheckedSteps(Struct):
    """An engine for procedures that compares each step by every engine with its denotation; it goes on with what the
    reference gives."""

    engines: tuple[str, ...] = EVERY
    reports: list[Report] = field(default_factory=list)

    def __call__(self, step: Step, operands: Mapping[str, Tensor], out: Spec | None, *, spent: bool = False) -> Tensor:
        """A step, checked. Raises DisagreementError with the first difference."""
        report = check(step.statement, operands, engines=self.engines, out=out, semiring=step.semiring, convert=CONVERT)
        self.reports.append(report)
        return report.execution.result


class ProcedureReport(Struct, frozen=True):
    """What was compared: a report for each step that ran, and what the procedure gives."""

    steps: tuple[Report, ...]
    results: Mapping[str, Tensor]

    def __str__(self) -> str:
        checked, points = sum(r.checked for r in self.steps), sum(r.points for r in self.steps)
        return f"{len(self.steps)} step{'s' * (len(self.steps) != 1)}: {checked} of {points} points agree"


def check_steps(
    procedure: Procedure, operands: Mapping[str, Any], engines: tuple[str, ...] = EVERY, rounds: int = ROUNDS
) -> ProcedureReport:
    """Run a procedure, whose loops have so many rounds at most, and compare each of its steps with what it means.

    Raises DisagreementError with the first difference."""
    engine = CheckedSteps(engines)
    results = run_procedure(procedure, operands, engine, rounds)
    return ProcedureReport(tuple(engine.reports), results)
