"""Evaluation: from a text and tensors to a result, through every step of the reference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ..errors import GnomonError, InternalError, MeaningError, ScheduleError, in_statement
from ..notation.resolution import Resolved
from ..notation.text import Text
from ..schedule.application import apply_schedule_unchecked
from ..schedule.legality import rules
from ..schedule.origin import origins
from ..schedule.preparation import Prepared, prepare
from ..schedule.schedule import Schedule
from ..statement.statement import Program
from ..storage.tensor import Tensor
from .interpreter import interpret
from .trace import Trace
from .visits import check_visits, empty_trace


class Execution(Struct, frozen=True):
    """A result with everything that led to it."""

    text: Text
    resolved: Resolved
    operands: Mapping[str, Tensor]
    program: Program
    result: Tensor
    trace: Trace
    schedule: Schedule = Schedule()

    @property
    def source(self) -> str:
        """The expression as it was written."""
        return self.text.source


def execute(
    source: str | Text, operands: Mapping[str, Any], *, schedule: str | Schedule | None = None, **settings: Any
) -> Execution:
    """Evaluate an expression by a schedule and keep the trace. Settings are those of `prepare`.

    An overflow without a place has that of the statement.
    """
    ready = prepare(source, operands, schedule=schedule, **settings)
    try:
        return execute_prepared(ready)
    except MeaningError as error:
        raise in_statement(error, ready.text.source) from None


def execute_prepared(ready: Prepared) -> Execution:
    """Run what is prepared and keep the trace. Assignments by a schedule are compared with those without it.

    Raises MeaningError where integers overflow or are divided by zero, ScheduleError where iterations of a parallel
    loop conflict or a bound does not hold, InternalError if these differ.
    """
    commands = ready.schedule
    trace = empty_trace() if commands else Trace()
    result, _ = interpret(ready.program, ready.operands, index=ready.index, trace=trace)
    trace.origins = origins(ready.program, ready.schedule)
    if commands:
        check_visits(ready, commands, trace)
    return Execution(ready.text, ready.resolved, ready.operands, ready.program, result, trace, commands)


def execute_unchecked(
    source: str | Text, operands: Mapping[str, Any], *, schedule: str | Schedule | None = None, **settings: Any
) -> Execution:
    """As `execute`, by a schedule whose preconditions nobody checks: what it computes may be wrong.

    Raises ScheduleError for commands that cannot be applied, and where the loops cannot run: where they need what no
    level function gives, append out of order, or conflict.
    """
    ready = prepare(source, operands, schedule=schedule, applied=apply_schedule_unchecked, **settings)
    result, trace = interpret_unchecked(ready)
    return Execution(ready.text, ready.resolved, ready.operands, ready.program, result, trace, ready.schedule)


def interpret_unchecked(ready: Prepared) -> tuple[Tensor, Trace]:
    """The result of loops that may be illegal, and the trace. Raises ScheduleError where they cannot run."""
    try:
        return interpret(ready.program, ready.operands, index=ready.index)
    except GnomonError:
        raise
    except Exception as error:
        raise ScheduleError(
            f"the loops that {ready.schedule} leaves cannot run: {broken_rule(ready.program) or failure(error)}",
            hint="evaluate without unchecked, which says what precondition fails",
            rule="schedule.unchecked",
        ) from error


def broken_rule(program: Program) -> str | None:
    """What the first rule says that the loops of a program break; None if they break none."""
    for _, holds in rules(program):
        try:
            holds()
        except ScheduleError as error:
            return error.message
    return None


def failure(error: Exception) -> str:
    """What went wrong in a run of unchecked loops, in words, where these break no rule."""
    match error:
        case ArithmeticError() | InternalError():
            return str(error)
        case _:
            return "a step meets values that it is never given in loops that are checked"
