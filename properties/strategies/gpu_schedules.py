"""Random schedules for GPUs: loops in tiles of constant counts of threads, and units nested as the paper nests them."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from ...generator.cuda.sizes import block, unit_of
from ...reference.errors import ScheduleError
from ...reference.levels.level import Insert
from ...reference.notation.syntax import Access
from ...reference.schedule.autoschedule.grids import appends, candidates
from ...reference.schedule.command import Command
from ...reference.schedule.schedule import Schedule
from ...reference.schedule.section import sections
from ...reference.statement.staging import dissolve
from ...reference.statement.statement import Program, assignments, foralls, indices, reads
from .schedules import KINDS, Scheduled, bare, run_in_parallel, schedules, settle, transform

SEQUENTIAL = tuple(kind for kind in KINDS if kind != "parallelize")
THREADS = (1, 2, 3, 32, 33, 64, 256, 1024)
WARPS = (32, 64, 96, 256, 1024)
LANES = (32, 8, 4, 16, 5, 40)
TILED = (False, True, True, True)
NESTS = (("GPUBlock",), ("GPUBlock", "GPUThread"), ("GPUBlock", "GPUWarp", "GPUThread"))


@st.composite
def gpu_schedules(draw: st.DrawFn, program: Program) -> Scheduled:
    """Commands on a program that run some of its loops on units of a GPU, where any may, and the program after them.

    Of results that are appended to, outermost loops alone make parts, each by one iteration: over positions and tiles
    of these, too.
    """
    kept: list[Command] = []
    nests: tuple[tuple[str, ...], ...] = NESTS
    match draw(st.sampled_from(("nothing", "commands", "commands", "positions"))):
        case "commands":
            made = draw(schedules(program, kinds=SEQUENTIAL, longest=4))
            kept, program = list(made.schedule.commands), made.program
        case "positions":
            kept, program = (count_positions if is_inserted(program) else count_in_order)(draw, program)
            nests = NESTS[1:] if kept else NESTS
        case _:
            pass
    if is_inserted(program):
        kept, program = run_on_units(draw, kept, program, draw(st.sampled_from(nests)))
    elif program.provenance.positions():
        kept, program = tile_positions(draw, kept, program)
    kept, program = run_rest(draw, kept, program)
    return Scheduled(Schedule(tuple(kept)), program, ())


def is_inserted(program: Program) -> bool:
    """Whether all levels of the result are inserted into."""
    return all(isinstance(level, Insert) for level in program.formats[program.result].levels)


def count_positions(draw: st.DrawFn, program: Program) -> tuple[list[Command], Program]:
    """Commands that count the positions of an operand at several of its levels, the innermost ones, and the program
    after them; none where that is refused."""
    stored = [a for a in reads(program.statement) if len(a.levels) > 1]
    if not stored:
        return [], program
    access = draw(st.sampled_from(stored))
    return count(access, access.levels[draw(st.integers(0, len(access.levels) - 2)) :], program)


def count(access: Access, variables: Sequence[str], program: Program) -> tuple[list[Command], Program]:
    """Commands that count the positions of an operand at neighbouring levels, and the program after them; none where
    that is refused."""
    variable, *rest = variables
    names = [f"f{number}" for number, _ in enumerate(rest)]
    pairs = zip((variable, *names), rest, names, strict=False)
    counted = Command("pos", ((variable, *names)[-1], "p", bare(access)))
    commands = (*(Command("collapse", pair) for pair in pairs), counted)
    after = transform_all(commands, program)
    return ([], program) if after is None else (list(commands), after)


def count_in_order(draw: st.DrawFn, program: Program) -> tuple[list[Command], Program]:
    """Commands that count the positions of an operand whose first levels have the coordinates that come first in the
    result, and the program after them; none where there is no such operand."""
    levels = next(a.target.levels for a in assignments(program.statement) if a.target.tensor == program.result)
    alike = ((a, n) for a in reads(program.statement) for n in range(1, len(levels) + 1) if a.levels[:n] == levels[:n])
    ways = [(access, n) for access, n in alike if len(access.levels) >= n]
    if not ways:
        return [], program
    access, n = draw(st.sampled_from(ways))
    return count(access, levels[:n], program)


def tile_positions(draw: st.DrawFn, kept: list[Command], program: Program) -> tuple[list[Command], Program]:
    """The commands, with a split of counted positions where a split is legal; and the program after the commands."""
    counted = draw(st.sampled_from(program.provenance.positions())).position
    tile = Command("split", (counted, "g", "h", draw(st.sampled_from(THREADS[:5]))))
    after = transform(tile, program)
    return (kept, program) if after is None else ([*kept, tile], after)


def run_on_units(
    draw: st.DrawFn, kept: list[Command], program: Program, units: tuple[str, ...]
) -> tuple[list[Command], Program]:
    """The commands and more, which run loops on units: the parts of one that is tiled, or any."""
    tiled, after = run_tiles(draw, kept, program, units) if draw(st.sampled_from(TILED)) else (kept, program)
    if tiled != kept:
        return tiled, after
    for unit in units:
        tiled, after = run_in_parallel(draw, tiled, after, (unit,))
    return (tiled, after) if has_room(after) else (kept, program)


def run_rest(draw: st.DrawFn, kept: list[Command], program: Program) -> tuple[list[Command], Program]:
    """The commands and more, which run nests of loops on blocks that are not there yet, as they may be run unasked; one
    of four such nests is left to a single thread, unless it makes parts of a result."""
    for nest in sections(dissolve(program).statement):
        if not nest.loops or nest.around or any(unit_of(loop) == NESTS[0][0] for loop in foralls(nest.loops[0])):
            continue
        if draw(st.integers(0, 3)) == 3 and not appends(program, nest):
            continue
        ways = [(way, after) for way in candidates(program, nest) if (after := transform_all(way, program))]
        if ways:
            way, program = draw(st.sampled_from(ways))
            kept = [*kept, *way]
    return kept, program


def transform_all(commands: Sequence[Command], program: Program) -> Program | None:
    """The program after commands that are legal on any data, else None."""
    after: Program | None = program
    for command in commands:
        after = None if after is None else transform(command, after)
    return after


def has_room(program: Program) -> bool:
    """Whether every block has room for the threads that its loops want."""
    try:
        block(program, program.statement, 0)
    except ScheduleError:
        return False
    return True


def run_tiles(
    draw: st.DrawFn, kept: list[Command], program: Program, units: tuple[str, ...]
) -> tuple[list[Command], Program]:
    """The commands and more, which tile one loop for the units and run each of its parts on one; as they are where a
    tile or the loop on blocks is refused."""
    there = list(dict.fromkeys(indices(program.statement)))
    if not there:
        return kept, program
    counted = [v for v in there if program.provenance.is_position(v)]
    parts, tiles = [draw(st.sampled_from(counted or there))], kept
    after: Program | None = program
    for number, count in enumerate(counts(draw, units)):
        tile = Command("split", (parts.pop(), f"g{number}", f"h{number}", count))
        after = None if after is None else transform(tile, after)
        parts, tiles = [*parts, f"g{number}", f"h{number}"], [*tiles, tile]
    if after is None:
        return kept, program
    for unit, part in zip(units, parts, strict=True):
        settled = settle(draw, after, part, unit)
        if settled is None and unit == "GPUBlock":
            return kept, program
        if settled is not None and has_room(settled[1]):
            tiles, after = [*tiles, settled[0]], settled[1]
    return tiles, after


def counts(draw: st.DrawFn, units: tuple[str, ...]) -> tuple[int, ...]:
    """The constant counts of the tiles in which units lie in blocks: of threads, or of a block and of a warp in it."""
    match units:
        case (_, _):
            return (draw(st.sampled_from(THREADS)),)
        case (_, _, _):
            lanes = draw(st.sampled_from(LANES))
            return draw(st.sampled_from(WARPS)) // 32 * lanes, lanes
        case _:
            return ()
