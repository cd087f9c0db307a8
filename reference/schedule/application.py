"""Application: what a program is after the commands of a schedule (Senanayake 2020, section 4)."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import GnomonError, ScheduleError
from ..statement.statement import Program
from .command import Command
from .commands import run, transform
from .direct import without_workspaces
from .flags import settle_flags
from .flat import flatten_workspaces
from .legality import check
from .schedule import Schedule
from .settings import FLAT_MODES, MODES, NO_WORKSPACES, WORKSPACES, find_setting

MOST = 64
"""The most commands: what they derive from one another takes long to follow."""


def apply_schedule(program: Program, schedule: Schedule) -> Program:
    """The program after every command, its workspaces with the flags that they need then.

    Raises ScheduleError for the first command whose precondition fails.
    """
    return settle(apply_commands(program, schedule), schedule)


def settle(program: Program, schedule: Schedule) -> Program:
    """The program with the flags that its workspaces need; with `modes=flat`, workspaces over several modes have one
    mode. Raises ScheduleError, with a caret under the setting, for a workspace that is too large for one mode."""
    settled, flat = settle_flags(program), find_setting(schedule.settings, MODES)
    if flat != FLAT_MODES:
        return settled
    try:
        return flatten_workspaces(settled)
    except ScheduleError as error:
        raise error.at(schedule.source, flat.span) from None


def apply_commands(program: Program, schedule: Schedule) -> Program:
    """The program after every command, its workspaces as these leave them. Raises ScheduleError likewise."""
    return after(program, schedule, legal)


def apply_schedule_unchecked(program: Program, schedule: Schedule) -> Program:
    """The program after every command, whatever it then computes. Raises ScheduleError for what cannot be applied."""
    return settle(after(program, schedule, apply_unchecked), schedule)


def apply_unchecked(command: Command, program: Program) -> Program:
    """The program after a command, whatever it then computes. Raises ScheduleError if it cannot be applied.

    Factors that nobody has checked may leave extents that are not numbers.
    """
    try:
        return transform(command, program)
    except ArithmeticError as error:
        raise ScheduleError(
            f"{command} cannot be applied: {error}", hint="give factors that are positive", rule="schedule.unchecked"
        ) from error


def legal(command: Command, program: Program) -> Program:
    """The program after a command. Raises ScheduleError if a precondition fails, or the loops break a rule then."""
    program = run(command, program)
    check(program)
    return program


def rule_of(command: Command) -> str:
    """The rule of the specification that says what a command needs.

    >>> rule_of(Command("split", ()))
    'schedule.split.requires'
    """
    return f"schedule.{command.name}.requires"


def after(program: Program, schedule: Schedule, applied: Callable[[Command, Program], Program]) -> Program:
    """The program after every command, each applied by a function, whose errors get their place.

    Settings have been worked out: what is left of them at most is that no workspace may have come in.
    """
    if len(schedule.commands) > MOST:
        raise ScheduleError(
            f"a schedule has at most {MOST} commands, not {len(schedule.commands)}",
            hint="compute in several statements",
            rule="schedule.application",
        )
    for number, command in enumerate(schedule.commands, 1):
        try:
            program = applied(command, program)
        except GnomonError as error:
            place = "" if schedule.source is not None else f"command {number}, {command}: "
            raise ScheduleError(
                place + error.message,
                hint=error.hint,
                source=schedule.source,
                span=command.span,
                rule=error.rule or rule_of(command),
            ) from None
    setting = find_setting(schedule.settings, WORKSPACES)
    if setting != NO_WORKSPACES:
        return program
    try:
        return without_workspaces(program)
    except ScheduleError as error:
        raise error.at(schedule.source, setting.span) from None
