"""What a schedule's settings choose: products taken apart, masks that push or pull, operands copied, or the linear
nest. `auto` is what a kernel follows unasked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from msgspec.structs import replace

from ...errors import GnomonError, ScheduleError, Unsupported
from ...statement.statement import Program
from ...storage.tensor import Tensor
from ..application import apply_schedule
from ..autoschedule.partition import Partition
from ..autoschedule.unasked import default_schedule, take, threads
from ..command import Command
from ..commands import run
from ..direct import direct_order
from ..schedule import Schedule, as_schedule
from ..settings import (
    AUTO,
    MASK,
    WORKSPACES,
    Direction,
    Workspaces,
    direction_of,
    find_setting,
    is_automatic,
    modes_of,
    workspaces_of,
)
from .choice import Choice, Finalist
from .contraction import contraction_of
from .directions import choose_directions
from .inputs import choose_inputs
from .turning import goes, turn

SEVERAL = 3
Unasked = Choice | Schedule
Steps = tuple[Command, ...]


def options(program: Program, asked: Schedule) -> Unasked:
    """What a schedule leaves to choose among, by the sizes of operands, or what it has become where that is one: its
    settings worked out, its commands behind them.

    Raises ScheduleError, with a caret if there is a text, for a setting that cannot be had.
    """
    found = choose(program, asked)
    if not isinstance(found, Choice):
        return asked.work_out(Schedule(found))
    every = tuple(replace(each, schedule=asked.work_out(each.schedule)) for each in found.finalists)
    is_certain = not asked.commands and workspaces_of(asked.settings) is not Workspaces.NONE
    kept = every if is_certain else tuple(legal_ones(every, program))
    return replace(found, finalists=kept) if len(kept) > 1 else (kept or every)[0].schedule


def device_options(program: Program, asked: Schedule) -> Unasked:
    """What settings leave to choose among for a GPU: what they leave for a CPU without `auto`, and behind it what runs
    loops on blocks and threads. A schedule without settings stays as it is.

    Raises Unsupported for settings beside commands, ScheduleError for a setting that cannot be had.
    """
    if not asked.settings:
        return asked
    if asked.commands:
        raise Unsupported(
            f"settings choose nothing for a GPU beside commands, as in {asked}", hint="leave either of them out"
        )
    told = replace(asked, settings=tuple(each for each in asked.settings if each.name != AUTO))
    found = options(program, told)
    if not isinstance(found, Choice):
        return on_grid(program, found)
    every = tuple(replace(each, schedule=on_grid(program, each.schedule)) for each in found.finalists)
    return replace(found, finalists=every)


def on_grid(program: Program, chosen: Schedule) -> Schedule:
    """What settings have chosen, with what runs it on a GPU."""
    from ..autoschedule.grids import grid_schedule

    whole = grid_schedule(program, chosen)
    return replace(whole, chosen=len(whole.commands))


def choose(program: Program, asked: Schedule) -> Choice | Steps:
    """The commands that settings choose, or the choice among several."""
    settings = asked.settings
    automatic, kept = is_automatic(settings), workspaces_of(settings)
    products = take_apart(program) if automatic and kept is Workspaces.BOTH else None
    if products is not None:
        return products
    first = arrange(program, asked)
    program_ = reduce(follow, first, program)
    choice = choose_directions(program_) if direction_of(settings) is Direction.AUTO else None
    if choice is None and kept is Workspaces.BOTH:
        choice = as_told(program_, direction_of(settings), choose_inputs(program_, modes_of(settings)))
    finish = in_parallel if automatic else without_more
    if choice is None:
        return finish(program, first)

    def finish_schedule(found: Schedule) -> Schedule:
        return replace(found, commands=finish(program, (*first, *found.commands)))

    return replace(
        choice, finalists=tuple(replace(each, schedule=finish_schedule(each.schedule)) for each in choice.finalists)
    )


def as_told(program: Program, direction: Direction | None, choice: Choice | None) -> Choice | None:
    """A choice without what would turn masks another way than they are told to go."""
    if choice is None or direction is None or direction is Direction.AUTO:
        return choice
    kept = (each for each in choice.finalists if goes(reduce(follow, each.schedule.commands, program), direction))
    return replace(choice, finalists=tuple(kept))


def take_apart(program: Program) -> Choice | None:
    """The choice among ways to take the product of several operands apart; None if a program is none, or nothing is to
    be taken apart."""
    try:
        contraction = contraction_of(program)
    except ScheduleError:
        return None
    if len(contraction.operands) < SEVERAL:
        return None
    from .products import choose_products

    return choose_products(program, contraction)


def arrange(program: Program, asked: Schedule) -> Steps:
    """The commands that settings choose whatever the sizes: those by which masks push or pull, or else the result needs
    no workspace. Raises ScheduleError where a direction cannot be had, with a caret under the setting."""
    settings = asked.settings
    direction, setting = direction_of(settings), find_setting(settings, MASK)
    if direction is None or direction is Direction.AUTO:
        return direct_order(program) if workspaces_of(settings) is Workspaces.NONE else ()
    assert setting is not None
    try:
        return turn(program, direction, find_setting(settings, WORKSPACES))
    except ScheduleError as error:
        raise error.at(asked.source, setting.span) from None


def without_more(program: Program, steps: Steps) -> Steps:
    """Commands without any more."""
    return steps


def in_parallel(program: Program, steps: Steps) -> Steps:
    """Commands, and what runs the loops that they leave in parallel; for none at all, tiles too."""
    if not steps:
        return default_schedule(program).commands
    made = Partition(steps, reduce(follow, steps, program), ())
    return take(made, threads(made.program)).commands


def follow(program: Program, command: Command) -> Program:
    """The program after a command that is known to be legal."""
    return run(command, program)


def is_legal(program: Program, schedule: Schedule) -> bool:
    """Whether a schedule can be applied to a program."""
    try:
        apply_schedule(program, schedule)
    except GnomonError:
        return False
    return True


def legal_ones(finalists: Sequence[Finalist], program: Program) -> list[Finalist]:
    """The finalists whose schedules can be applied to a program."""
    return [each for each in finalists if is_legal(program, each.schedule)]


def choose_schedule(
    given: str | Schedule | None, program: Program, operands: Mapping[str, Tensor] | None = None
) -> Schedule:
    """A schedule for a program, its settings worked out: on operands, if there are any.

    Raises ParseError with a caret under the text, ScheduleError for a setting that cannot be had.
    """
    asked = as_schedule(given)
    if not asked.settings:
        return asked
    found = options(program, asked)
    if not isinstance(found, Choice):
        return found
    return (found.finalists[0] if operands is None else found.at(operands)).schedule


def unasked_schedules(program: Program) -> tuple[Schedule, ...]:
    """The schedules that a kernel may follow unasked, none of which is without commands."""
    found = options(program, as_schedule(AUTO))
    every = tuple(each.schedule for each in found.finalists) if isinstance(found, Choice) else (found,)
    return tuple(each for each in every if each.commands)
