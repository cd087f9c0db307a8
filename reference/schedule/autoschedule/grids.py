"""The schedule that a kernel for a GPU follows if none is asked for. Of each nest of loops, the first that is legal:

- Where the lanes of a warp can share out rows of a dense result, or sums, they do (`by_lanes.py`).
- The outermost loop is split into tiles of 256, whose iterations the threads of a block run: of a sum of vectors each
  thread computes a component.
- Where iterations come to one component, as over the columns of a matrix, they update it atomically.
- A loop over what is stored, which cannot be split so, runs a block for each of its iterations; and so do loops that
  append to a result, each iteration a part.
- Where the outermost loop goes past duplicates, and something is appended for what an operand stores, tiles of what it
  stores run a block each (`by_nonzeros.py`).
- Tiles of other loops that merge step by step, or go past duplicates, run a block each.

What lies in no loop, or in none that may be run so, one thread computes.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ...errors import ScheduleError
from ...levels.level import Insert
from ...loops.fusing import strategies
from ...statement.staging import dissolve
from ...statement.statement import Program, assignments
from ..application import apply_schedule
from ..command import Command
from ..flags import with_bitmaps
from ..legality import check
from ..nests import fresh_name
from ..ordering import sorted_operands, with_ordered_copies
from ..parallelize import parallelize, tagged_units
from ..races import comes_once
from ..schedule import Schedule
from ..section import Section, outermost_nests
from .by_lanes import appended_by_lanes, filled_by_lanes, summed_by_warps
from .by_nonzeros import appended_by_nonzeros

TILE = 256


def grid_schedule(program: Program, asked: Schedule | None = None) -> Schedule:
    """The schedule for blocks and threads if none is asked for, or none that says anything of them."""
    found = Schedule() if asked is None else asked
    after = apply_schedule(program, found)
    for nest in outermost_nests(dissolve(after).statement):
        for commands in candidates(after, nest):
            further = replace(found, commands=(*found.commands, *commands))
            scheduled = schedule_for_device(program, further)
            if scheduled is not None:
                found, after = further, scheduled
                break
    return found


def schedule_for_device(program: Program, schedule: Schedule) -> Program | None:
    """The program under a schedule; None where that is not legal, or no more once operands are copied in order, or
    where loops would still have to put operands in order."""
    try:
        after = apply_schedule(program, schedule)
        ordered = as_read_on_device(after)
        check(ordered)
    except ScheduleError:
        return None
    return after if next(sorted_operands(ordered), None) is None else None


def as_read_on_device(program: Program) -> Program:
    """The program as kernels of a GPU read it: workspaces with flags, and ordered copies of operands, as far as copies
    may be made."""
    return with_ordered_copies(with_bitmaps(program))


def candidates(program: Program, nest: Section) -> Iterator[tuple[Command, ...]]:
    """The schedules of a nest that may do, best first."""
    index, path = nest.loops[0].index, nest.path or None
    block, thread = fresh_name(program, "block"), fresh_name(program, "thread")
    split = Command("split", (index, block, thread, TILE), path=path)
    appending = appends(program, nest)
    stepping = appending and goes_by_steps(program, nest)
    if not appending:
        yield from filled_by_lanes(program, nest)
        for races in ("NoRaces", "Atomics"):
            units = ((block, "GPUBlock"), (thread, "GPUThread"))
            yield split, *(Command("parallelize", (variable, unit, races), path=path) for variable, unit in units)
    elif not stepping:
        yield from appended_by_lanes(program, nest)
        yield from summed_by_warps(program, nest)
    elif comes_to_each_once(program, nest):
        yield from appended_by_nonzeros(program, nest)
    if not stepping:
        for races in ("NoRaces", "Atomics"):
            yield (Command("parallelize", (index, "GPUBlock", races), path=path),)
    for races in ("NoRaces", "Atomics"):
        yield split, Command("parallelize", (block, "GPUBlock", races), path=path)


def appends(program: Program, nest: Section) -> bool:
    """Whether a nest appends to the result."""
    kinds = program.formats[program.result].levels
    written = {a.target.tensor for a in assignments(nest.loops[0])}
    return program.result in written and not all(isinstance(kind, Insert) for kind in kinds)


def goes_by_steps(program: Program, nest: Section) -> bool:
    """Whether the outermost loop goes from one coordinate to the next, past duplicates, so that nobody can tell before
    how many iterations it has."""
    found = strategies(program, nest.loops[0], ())
    return any(not active.level.unique and not each.fused for each in found for active in each.coiterated)


def comes_to_each_once(program: Program, nest: Section) -> bool:
    """Whether a nest comes to each component at most once, with operands as kernels read them: a tile could append no
    more than a piece of one that other positions come to, too."""
    read = as_read_on_device(program)
    return all(comes_once(read, leaf.target.levels, ()) for leaf in assignments(nest.loops[0]))


def with_parts_on_blocks(program: Program) -> Program:
    """The program in which blocks copy a result from the workspace that it is staged in, which no command reaches.

    Before: `∀i ∀j R(i,j) = w(i,j) where w: …`. After: `∀i [GPUBlock NoRaces] ∀j R(i,j) = w(i,j) where w: …`.
    """
    if program.staging is None:
        return program
    for nest in outermost_nests(program.statement):
        if appends(program, nest) and not tagged_units(nest.loops[0]):
            try:
                after = parallelize(program, nest.path, nest.loops[0].index, "GPUBlock", "NoRaces")
                check(after)
            except ScheduleError:
                continue
            program = after
    return program
