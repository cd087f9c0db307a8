"""What a kernel for a GPU cannot do, told before anything is generated."""

from __future__ import annotations

from collections.abc import Mapping

from ...reference.errors import ScheduleError, Unsupported
from ...reference.schedule.autoschedule.grids import appends, as_read_on_device, grid_schedule, with_parts_on_blocks
from ...reference.schedule.parallelize import tagged_units
from ...reference.schedule.schedule import Schedule
from ...reference.schedule.section import outermost_nests
from ...reference.statement.statement import Program
from ..cuda.sizes import BLOCKS, UNITS, unit_of
from ..storage.layout import Layout


def for_device(program: Program, layouts: Mapping[str, Layout]) -> Program:
    """The program as a GPU runs it. Raises Unsupported for what no kernel for one computes, with results stored so."""
    program = with_parts_on_blocks(program)
    refuse_unfit(program, layouts)
    refuse_host_units(program)
    return as_read_on_device(program)


def refuse_host_units(program: Program) -> None:
    """Refuse loops on units of a CPU."""
    for unit in tagged_units(program.statement):
        if unit not in UNITS:
            raise Unsupported(f"{unit} is no unit of a GPU", hint=f"parallelize over {', '.join(UNITS)}")


def refuse_single_thread(lowered: Program, program: Program, schedule: Schedule) -> None:
    """Refuse commands that leave all loops of a program to one thread."""
    around = [nest.loops[0].index for nest in outermost_nests(program.statement)]
    units = tagged_units(program.statement)
    if not schedule.own or not around or not {BLOCKS, *units}.issubset(UNITS) or BLOCKS in units:
        return
    wanted = grid_schedule(lowered, schedule).commands[len(schedule.commands) :]
    more = ",".join(map(str, wanted)) or f"parallelize({around[0]},{BLOCKS},...)"
    raise ScheduleError(
        f"no loop runs on {BLOCKS}: one thread of the GPU would run the loop over {around[0]} and all others",
        hint=f"add {more}, or leave the schedule out",
        rule="code.cuda.units",
    )


def refuse_unfit(program: Program, layouts: Mapping[str, Layout]) -> None:
    """Refuse results that are assembled, but for those of which each iteration of an outermost loop makes a part."""
    result = layouts[program.result]
    makers = [nest for nest in outermost_nests(program.statement) if appends(program, nest)]
    if not all(unit_of(nest.loops[0]) == BLOCKS for nest in makers):
        raise Unsupported(
            f"a result in {result.format} is assembled, which kernels for GPUs do only by the outermost loop",
            hint=f"parallelize the outermost loop over {BLOCKS}, or leave out= out, for a dense result",
        )
