"""The schedule of a linear nest that a kernel for a GPU follows if none is asked for: the first of these that is legal.

- The outermost loop is split into tiles of 256, whose iterations the threads of a block run: of a matrix-vector product
  each thread computes a row.
- Where iterations come to one component, as over the columns of a matrix, they update it atomically.
- A loop over what is stored, which cannot be split so, runs a block for each of its iterations.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import ScheduleError, Unsupported
from ...statement.statement import Forall, Program, Where
from ..commands import Command
from ..nests import fresh_name
from ..schedule import Schedule, apply_schedule

TILE = 256


def grid_schedule(program: Program) -> Schedule:
    """The schedule for blocks and threads if none is asked for. Raises Unsupported where there is none."""
    for commands in candidates(program):
        schedule = Schedule(commands)
        try:
            apply_schedule(program, schedule)
        except ScheduleError:
            continue
        return schedule
    raise Unsupported(
        "there is no schedule that runs this statement on a GPU unasked",
        hint="write one that runs every assignment inside a loop on GPUBlock, for example "
        "split(i,block,thread,256),parallelize(block,GPUBlock,NoRaces),parallelize(thread,GPUThread,NoRaces)",
    )


def candidates(program: Program) -> Iterator[tuple[Command, ...]]:
    """The schedules that may do, best first."""
    s = program.statement
    while isinstance(s, Where):
        s = s.consumer
    if s is not program.statement or not isinstance(s, Forall):
        return
    block, thread = fresh_name(program, "block"), fresh_name(program, "thread")
    split = Command("split", (s.index, block, thread, TILE))
    for races in ("NoRaces", "Atomics"):
        units = ((block, "GPUBlock"), (thread, "GPUThread"))
        yield split, *(Command("parallelize", (variable, unit, races)) for variable, unit in units)
    for races in ("NoRaces", "Atomics"):
        yield (Command("parallelize", (s.index, "GPUBlock", races)),)
