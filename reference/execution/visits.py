"""Visits: a schedule makes every assignment at the same coordinates and operand positions as its absence does.

`precompute` makes assignments of its own. Those before the last one are compared with those after it, and what the
components of the result are made of, through all workspaces, with what they are without a schedule.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from ..errors import InternalError
from ..schedule.preparation import Prepared
from ..schedule.schedule import Schedule, apply_schedule
from .contributions import Contributions
from .interpreter import interpret
from .trace import Trace


def recording() -> Trace:
    """A trace that is to be compared with another."""
    return Trace(visits=Counter(), contributions=Contributions())


def baseline(schedule: Schedule) -> Schedule:
    """The commands up to the last `precompute`, which makes assignments of its own."""
    last = max((n for n, c in enumerate(schedule.commands, 1) if c.name == "precompute"), default=0)
    return replace(schedule, commands=schedule.commands[:last])


def check_visits(ready: Prepared, schedule: Schedule, trace: Trace) -> None:
    """Raise InternalError if a scheduled execution made other assignments than the program before its last commands, or
    made up a component of the result of other contributions than the program without a schedule."""
    earlier = baseline(schedule)
    plain = recorded(ready, Schedule())
    before = recorded(ready, earlier) if earlier.commands else plain
    assert before.visits is not None and trace.visits is not None
    if before.visits != trace.visits:
        place = next(iter((before.visits - trace.visits) + (trace.visits - before.visits)))
        raise InternalError(
            f"{place[0]} is assigned to at {dict(place[1])} {before.visits[place]} times without {schedule}, "
            f"{trace.visits[place]} times with it"
        )
    assert plain.contributions is not None and trace.contributions is not None
    name = ready.program.result
    at = plain.contributions.differing(trace.contributions, name)
    if at is not None:
        component = f"{name}({','.join(map(str, at))})"
        raise InternalError(f"{component} is made of other contributions with {schedule} than without it")


def recorded(ready: Prepared, schedule: Schedule) -> Trace:
    """The trace of an execution by a schedule."""
    trace = recording()
    interpret(apply_schedule(ready.lowered, schedule), ready.operands, trace=trace)
    return trace
