"""Visits: a schedule makes the same assignments, at the same coordinates and positions of operands, as none.

`precompute` and `loopfuse` make assignments of their own, and `hoist` makes them elsewhere, so that the visits of a
schedule are compared with those of its commands up to the last of these. How often a workspace is filled does not
count: tiles that hold nothing fill theirs too. Nor does what is filled in vain, beside a workspace that got nothing:
its flags may tell that or not, so that both run with a flag for each component if they differ. What the components of
the result are made of, through all workspaces, is compared with what they are made of without a schedule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from ..errors import InternalError
from ..schedule.application import apply_commands, apply_schedule
from ..schedule.preparation import Prepared
from ..schedule.schedule import Schedule
from ..statement.statement import Flags, Program
from .contributions import Contributions
from .interpreter import interpret
from .trace import Trace

BRANCHING = ("precompute", "loopfuse", "hoist", "convert")
Apply = Callable[[Program, Schedule], Program]
Visit = tuple[str, tuple[tuple[str, int], ...], tuple[int, ...]]


def empty_trace() -> Trace:
    """An empty trace of visits and contributions."""
    return Trace(visits=Counter(), contributions=Contributions())


def baseline(schedule: Schedule) -> Schedule:
    """The commands up to the last one that makes assignments of its own."""
    last = max((n for n, c in enumerate(schedule.commands, 1) if c.name in BRANCHING), default=0)
    return Schedule(schedule.commands[:last])


def check_visits(ready: Prepared, schedule: Schedule, trace: Trace) -> None:
    """Raise InternalError if a scheduled execution made other assignments than the program before its last commands, or
    made up a component of the result of other contributions than the program without a schedule."""
    earlier = baseline(schedule)
    first, plain = record(ready, Schedule())
    program, before = record(ready, earlier) if earlier else (first, plain)
    made, wanted = own_visits(ready.program, trace), own_visits(program, before)
    if made != wanted and flags_of(ready.program) != flags_of(program):
        made, wanted = (own_visits(*record(ready, each, apply_commands)) for each in (schedule, earlier))
    if made != wanted:
        place = next(iter((wanted - made) + (made - wanted)))
        raise InternalError(
            f"{place[0]} is assigned to at {dict(place[1])} {wanted[place]} times without {schedule}, "
            f"{made[place]} times with it"
        )
    assert plain.contributions is not None and trace.contributions is not None
    name = ready.program.result
    at = plain.contributions.first_difference(trace.contributions, name)
    if at is not None:
        component = f"{name}({','.join(map(str, at))})"
        raise InternalError(f"{component} is made of other contributions with {schedule} than without it")


def own_visits(program: Program, trace: Trace) -> Counter[Visit]:
    """The visits as they are without staging: what fills the workspace through which the result is assembled counts as
    an assignment to the result, and the copy does not count, nor do copies for masks.

    Coordinates are the same for both: loops around the workspace run over the indices of the result that it lacks.
    """
    assert trace.visits is not None
    staging, result = program.staging, program.result
    own = result if staging is None else staging.name
    found: Counter[Visit] = Counter()
    for (target, coordinates, places), count in trace.visits.items():
        if target == own:
            found[result, coordinates, places] += count
        elif target != result and target not in program.copies:
            found[target, coordinates, places] = 1
    return found


def flags_of(program: Program) -> dict[str, Flags]:
    """What the workspaces of a program know of their components."""
    return {workspace.name: workspace.flags for workspace in program.workspaces}


def record(ready: Prepared, schedule: Schedule, applied: Apply = apply_schedule) -> tuple[Program, Trace]:
    """The program after a schedule, and the trace of its execution."""
    trace, program = empty_trace(), applied(ready.lowered, schedule)
    interpret(program, ready.operands, trace=trace)
    return program, trace
