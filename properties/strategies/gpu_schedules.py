"""Random schedules for GPUs: loops in tiles of constant counts of threads, and units nested as the paper nests them."""

from __future__ import annotations

from hypothesis import strategies as st

from ...generator.cuda.sizes import block_threads
from ...generator.storage.layout import array_names
from ...reference.errors import ScheduleError
from ...reference.schedule.commands import Command
from ...reference.schedule.schedule import Schedule
from ...reference.statement.statement import Forall, Program, indices
from .schedules import KINDS, Scheduled, run_in_parallel, schedules, settle, transform

SEQUENTIAL = tuple(kind for kind in KINDS if kind != "parallelize")
THREADS = (1, 2, 3, 32, 33, 64, 256, 1024)
WARPS = (32, 64, 96, 256, 1024)
LANES = 32
TILED = (False, True, True, True)
NESTS = (("GPUBlock",), ("GPUBlock", "GPUThread"), ("GPUBlock", "GPUWarp", "GPUThread"))


@st.composite
def gpu_schedules(draw: st.DrawFn, program: Program) -> Scheduled:
    """Commands on a program that run some of its loops on units of a GPU, where any may, and the program after them.

    Of results that are appended to, the outermost loop alone makes parts, each by one iteration.
    """
    kept: list[Command] = []
    if draw(st.booleans()):
        made = draw(schedules(program, kinds=SEQUENTIAL, longest=4))
        kept, program = list(made.schedule.commands), made.program
    if array_names(program.formats[program.result]):
        kept, program = run_outermost(draw, kept, program)
        return Scheduled(Schedule(tuple(kept)), program, ())
    units = draw(st.sampled_from(NESTS))
    tiled, after = run_tiles(draw, kept, program, units) if draw(st.sampled_from(TILED)) else (kept, program)
    if tiled == kept:
        for unit in units:
            tiled, after = run_in_parallel(draw, tiled, after, (unit,))
            if not has_room(after):
                return Scheduled(Schedule(tuple(kept)), program, ())
    return Scheduled(Schedule(tuple(tiled)), after, ())


def run_outermost(draw: st.DrawFn, kept: list[Command], program: Program) -> tuple[list[Command], Program]:
    """The commands and one more, which runs the outermost loop on blocks, if that may be."""
    settled = None
    if isinstance(program.statement, Forall):
        settled = settle(draw, program, program.statement.index, NESTS[0][0])
    return (kept, program) if settled is None else ([*kept, settled[0]], settled[1])


def has_room(program: Program) -> bool:
    """Whether every block has room for the threads that its loops want."""
    try:
        block_threads(program, program.statement)
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
    parts, tiles = [draw(st.sampled_from(there))], kept
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
            return (draw(st.sampled_from(WARPS)), LANES)
        case _:
            return ()
