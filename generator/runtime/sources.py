"""Sources of requests: what kernels are generated from, and what their schedules cost. None is needed of a kernel that
is kept."""

from __future__ import annotations

from ...reference.errors import InternalError, Unsupported
from ...reference.notation.resolution import Resolved
from ...reference.schedule.application import apply_schedule
from ...reference.schedule.parallelize import tagged_units
from ...reference.schedule.schedule import Schedule
from ...reference.schedule.visits import Excess, excess
from ...reference.statement.statement import Program, Statement, reads
from ..source import Source
from .conversions import Conversion, conversions_of, parameters
from .request import Request


def request_source(request: Request, resolved: Resolved) -> Source:
    """What the kernel of a request is generated from, for the resolved assignment."""
    lowered = request.lower(resolved)
    program = apply_schedule(lowered, schedule_for(request, lowered))
    if request.target == "c":
        refuse_gpu(program.statement)
    conversions = request_conversions(request, program)
    read = {each.name: each.layout(request.declarations[each.source]) for each in conversions}
    known = {**request.declarations, **read}
    layouts = {program.previous if n == program.result else n: layout for n, layout in known.items()}
    layouts[program.result] = request.result(resolved)
    if request.target == "cuda":
        from .device import for_device, refuse_single_thread

        refuse_single_thread(lowered, program, request.schedule)
        program = for_device(program, layouts)
    depends = tuple(extent_of(v, lowered) for v in sorted(program.depends))
    checks = request.overflow == "check"
    sharing, own = request.tuning.sharing, frozenset(request.text.coordinate_places)
    names = parameters(tuple(request.declarations), conversions)
    return Source(program, layouts, names, request.title, request.wide, depends, own, sharing, checks, request.target)


def schedule_for(request: Request, lowered: Program) -> Schedule:
    """The schedule of a request for a program: what was chosen unasked is not for loops where a reduction has nothing
    to fold."""
    own = Schedule(request.schedule.own)
    if not request.folds_nothing(dict(lowered.extents)):
        return request.schedule
    if own or request.target == "c":
        return own
    from ...reference.schedule.autoschedule.grids import grid_schedule

    return grid_schedule(lowered)


def request_conversions(request: Request, program: Program) -> tuple[Conversion, ...]:
    """How the operands of a request are converted for its program."""
    return conversions_of(program, request.declarations, far=request.is_far)


def excess_of(request: Request) -> Excess | None:
    """What a schedule that a user has written, and no setting has chosen, visits in excess."""
    if not request.schedule.own:
        return None
    lowered = request.program
    return excess(lowered, apply_schedule(lowered, request.schedule))


def extent_of(variable: str, program: Program) -> tuple[str, int]:
    """The operand and the mode that have a variable's extent."""
    sources = {each.name: each.source for each in program.converted}
    for access in reads(program.statement):
        if variable in access.indices and access.tensor not in program.workspace:
            return program.given(sources.get(access.tensor, access.tensor)), access.indices.index(variable)
    raise InternalError(f"no operand has the variable {variable}")


def refuse_gpu(s: Statement) -> None:
    """Refuse what only a graphics processor runs."""
    for unit in tagged_units(s):
        if unit.startswith("GPU"):
            raise Unsupported(
                f"{unit} is no unit of a CPU", hint='parallelize over CPUThread or CPUVector, or ask for target="cuda"'
            )
