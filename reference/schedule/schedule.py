"""Schedules: commands in order, and their application to a program (Senanayake 2020, section 4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..algebra.operators import PRINTED
from ..errors import GnomonError, ScheduleError
from ..notation.parser import parse
from ..notation.syntax import Access, Expr
from ..statement.statement import Program
from ..storage.format import Format
from .commands import Argument, Command, make_command, run, transform
from .flags import settle_flags
from .legality import check
from .section import Path
from .text import commands

Names = str | list[str] | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Schedule:
    """Commands in order. Each method adds one; `source` is the text that a schedule was read from.

    >>> print(Schedule().split("i", "i0", "i1", 32).parallelize("i0", "CPUThread", "NoRaces"))
    split(i,i0,i1,32),parallelize(i0,CPUThread,NoRaces)
    """

    commands: tuple[Command, ...] = ()
    source: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.commands, tuple) or not all(isinstance(c, Command) for c in self.commands):
            raise ScheduleError(
                f"{self.commands!r} is not a sequence of commands",
                hint='pass a text as it is, schedule="unroll(i,4)", or write gn.Schedule().unroll("i", 4)',
            )

    def __str__(self) -> str:
        return ",".join(map(str, self.commands))

    def __reduce__(self) -> tuple[Any, ...]:
        return read_again, (str(self), self.source)

    def with_(self, name: str, *args: Argument, path: Path | None = None) -> Schedule:
        """These commands and one more. Raises ScheduleError for arguments of another kind than the command takes."""
        return Schedule((*self.commands, make_command(name, args, path)))

    def split(self, variable: str, outer: str, inner: str, size: int, path: Path | None = None) -> Schedule:
        """Tiles of a size: `split.split`."""
        return self.with_("split", variable, outer, inner, size, path=path)

    def divide(self, variable: str, outer: str, inner: str, parts: int, path: Path | None = None) -> Schedule:
        """So many tiles: `split.divide`."""
        return self.with_("divide", variable, outer, inner, parts, path=path)

    def collapse(self, outer: str, inner: str, fused: str, path: Path | None = None) -> Schedule:
        """One loop for two: `collapse.collapse`."""
        return self.with_("collapse", outer, inner, fused, path=path)

    def pos(self, variable: str, position: str, access: str | Access, path: Path | None = None) -> Schedule:
        """The positions of an operand, such as `"A(i,j)"`: `position.pos`."""
        return self.with_("pos", variable, position, expression(access), path=path)

    def coord(self, position: str, variable: str, path: Path | None = None) -> Schedule:
        """Coordinates again: `position.coord`."""
        return self.with_("coord", position, variable, path=path)

    def reorder(self, *variables: str, path: Path | None = None) -> Schedule:
        """Nested loops in this order: `reorder.reorder`."""
        return self.with_("reorder", *variables, path=path)

    def precompute(
        self,
        part: str | Expr,
        variables: Names,
        renamed: Names,
        name: str | None = None,
        format: str | Format | None = None,
        path: Path | None = None,
    ) -> Schedule:
        """A part of the value through a workspace: `precompute.precompute`. Without a name it gets a new one."""
        refuse_nameless(name, format)
        args = (expression(part), names(variables), names(renamed))
        return self.with_("precompute", *args, *given(name, format), path=path)

    def loopfuse(
        self, path: Path, loc: int | str | Expr, side: str, name: str | None = None, format: str | Format | None = None
    ) -> Schedule:
        """The operands of a section on both sides of a workspace: `loopfuse.loopfuse`."""
        refuse_nameless(name, format)
        parted = expression(loc) if isinstance(loc, str) else loc
        return self.with_("loopfuse", parted, side, *given(name, format), path=path)

    def hoist(self, name: str, path: Path | None = None) -> Schedule:
        """A workspace filled outside loops: `hoist.hoist`."""
        return self.with_("hoist", name, path=path)

    def bound(self, variable: str, bounded: str, size: int, kind: str, path: Path | None = None) -> Schedule:
        """What is known of a range: `bound.bound`."""
        return self.with_("bound", variable, bounded, size, kind, path=path)

    def unroll(self, variable: str, factor: int, path: Path | None = None) -> Schedule:
        """A repeated body: `unroll.unroll`."""
        return self.with_("unroll", variable, factor, path=path)

    def parallelize(self, variable: str, unit: str, strategy: str, path: Path | None = None) -> Schedule:
        """Iterations at once: `parallelize.parallelize`."""
        return self.with_("parallelize", variable, unit, strategy, path=path)


def refuse_nameless(name: str | None, format: str | Format | None) -> None:
    """Refuse a format for a workspace that has no name."""
    if name is None and format is not None:
        raise ScheduleError("a workspace with a format needs a name", hint='give the name before it: "t"')


def given(*arguments: str | Format | None) -> tuple[str | Format, ...]:
    """The arguments that are given."""
    return tuple(each for each in arguments if each is not None)


def names(chosen: Names) -> tuple[str, ...]:
    """One name or several, in order."""
    match chosen:
        case list() | tuple():
            return tuple(chosen)
        case _:
            return (chosen,)


def expression(given: str | Expr) -> Expr:
    """An expression, or the text of one, as statements print them."""
    return parse(f"x = {given}", PRINTED).value if isinstance(given, str) else given


def read_again(text: str, source: str | None) -> Schedule:
    """A schedule that has travelled as its text between processes."""
    return Schedule(commands(text), source)


def as_schedule(given: str | Schedule | None) -> Schedule:
    """A schedule, or the text of one. Raises ParseError with a caret under the text."""
    match given:
        case Schedule():
            return given
        case str():
            return Schedule(commands(given), given)
        case None:
            return Schedule()
        case _:
            raise ScheduleError(f"{given!r} is not a schedule", hint='write commands, "split(i,i0,i1,32)"')


def apply_schedule(program: Program, schedule: Schedule) -> Program:
    """The program after every command, its workspaces with the flags that they need then.

    Raises ScheduleError for the first command whose precondition fails.
    """
    return settle_flags(apply_commands(program, schedule))


def apply_commands(program: Program, schedule: Schedule) -> Program:
    """The program after every command, its workspaces as these leave them. Raises ScheduleError likewise."""
    return after(program, schedule, legal)


def apply_schedule_unchecked(program: Program, schedule: Schedule) -> Program:
    """The program after every command, whatever it then computes. Raises ScheduleError for what cannot be applied."""
    return settle_flags(after(program, schedule, apply_unchecked))


def apply_unchecked(command: Command, program: Program) -> Program:
    """The program after a command, whatever it then computes. Raises ScheduleError if it cannot be applied.

    Factors that nobody has checked may leave extents that are not numbers.
    """
    try:
        return transform(command, program)
    except ArithmeticError as error:
        raise ScheduleError(f"{command} cannot be applied: {error}", hint="give factors that are positive") from error


def legal(command: Command, program: Program) -> Program:
    """The program after a command. Raises ScheduleError if a precondition fails, or the loops break a rule then."""
    program = run(command, program)
    check(program)
    return program


def after(program: Program, schedule: Schedule, applied: Callable[[Command, Program], Program]) -> Program:
    """The program after every command, each applied by a function, whose errors get their place."""
    for number, command in enumerate(schedule.commands, 1):
        try:
            program = applied(command, program)
        except GnomonError as error:
            place = "" if schedule.source is not None else f"command {number}, {command}: "
            raise ScheduleError(
                place + error.message, hint=error.hint, source=schedule.source, span=command.span
            ) from None
    return program
