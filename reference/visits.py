"""Visits: a schedule makes every assignment at the same coordinates and operand positions as its absence does."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from .errors import InternalError
from .interpreter import interpret
from .preparation import Prepared
from .schedule.schedule import Schedule, scheduled
from .trace import Trace


def baseline(schedule: Schedule) -> Schedule:
    """The commands up to the last `precompute`, which makes assignments of its own."""
    last = max((n for n, c in enumerate(schedule.commands, 1) if c.name == "precompute"), default=0)
    return replace(schedule, commands=schedule.commands[:last])


def check_visits(ready: Prepared, schedule: Schedule, trace: Trace) -> None:
    """Raise InternalError if a scheduled execution made other assignments than the program before its last commands."""
    before = Trace(visits=Counter())
    interpret(scheduled(ready.lowered, baseline(schedule)), ready.operands, trace=before)
    assert before.visits is not None and trace.visits is not None
    if before.visits != trace.visits:
        place = next(iter((before.visits - trace.visits) + (trace.visits - before.visits)))
        raise InternalError(
            f"{place[0]} is assigned to at {dict(place[1])} {before.visits[place]} times without {schedule}, "
            f"{trace.visits[place]} times with it"
        )
