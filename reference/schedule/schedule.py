"""Schedules: settings, and commands in order (Senanayake 2020, section 4). How they apply is `application.py`."""

from __future__ import annotations

from typing import Any

from ..algebra.scalars import abbreviate
from ..errors import ScheduleError
from ..notation.extent import LONGEST
from ..notation.syntax import Access, Expr
from ..noted import Noted
from ..statement.printed import parse_printed
from ..storage.format import Format
from ..storage.room import LARGEST
from .command import Argument, Command, make_command
from .path import Path
from .settings import (
    AUTO,
    FLAT_MODES,
    MASK,
    MODES,
    NO_WORKSPACES,
    WORKSPACES,
    Setting,
    Settings,
    find_repetition,
    make_setting,
)
from .text import read_schedule

Names = str | list[str] | tuple[str, ...]


class Schedule(Noted, frozen=True):
    """Settings, and commands in order. Each method adds one; `source` is the text that a schedule was read from.

    The first commands may be `chosen` by settings that are worked out.

    >>> print(Schedule().split("i", "i0", "i1", 32).parallelize("i0", "CPUThread", "NoRaces"))
    split(i,i0,i1,32),parallelize(i0,CPUThread,NoRaces)
    >>> print(Schedule().mask("push").reorder("i", "k", "j"))
    mask=push,reorder(i,k,j)
    """

    notes = frozenset({"source", "chosen"})

    commands: tuple[Command, ...] = ()
    source: str | None = None
    settings: Settings = ()
    chosen: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.commands, tuple) or not all(isinstance(c, Command) for c in self.commands):
            raise ScheduleError(
                f"{abbreviate(self.commands)} is not a sequence of commands",
                hint='pass a text as it is, schedule="unroll(i,4)", or write gn.Schedule().unroll("i", 4)',
                rule="error.python",
            )

        if not isinstance(self.settings, tuple) or not all(isinstance(s, Setting) for s in self.settings):
            what = f"{abbreviate(self.settings)} is not a sequence of settings"
            raise ScheduleError(what, hint='write gn.Schedule().mask("push")', rule="error.python")

    def __bool__(self) -> bool:
        return bool(self.settings or self.commands)

    def __str__(self) -> str:
        return ",".join(map(str, (*self.settings, *self.commands)))

    def __reduce__(self) -> tuple[Any, ...]:
        return read_again, (str(self), self.source, self.chosen)

    @property
    def own(self) -> tuple[Command, ...]:
        """The commands that no setting has chosen."""
        return self.commands[self.chosen :]

    def work_out(self, chosen: Schedule) -> Schedule:
        """The schedule once its settings have chosen another, whose commands stand before the commands of this one. Of
        the settings of both `workspaces=none` and `modes=flat` are left, which are settled after all commands."""
        own = tuple(each for each in self.settings if each in (NO_WORKSPACES, FLAT_MODES))
        kept = (*own, *(each for each in chosen.settings if each not in own))
        return Schedule((*chosen.commands, *self.commands), self.source, kept, len(chosen.commands))

    @property
    def counts_to(self) -> int:
        """How many combinations of coordinates it can do with, whichever they are."""
        return LARGEST if FLAT_MODES in self.settings else LONGEST

    def with_(self, name: str, *args: Argument, path: Path | None = None) -> Schedule:
        """These commands and one more. Raises ScheduleError for arguments of another kind than the command takes."""
        return Schedule((*self.commands, make_command(name, args, path)), settings=self.settings, chosen=self.chosen)

    def with_setting(self, setting: Setting) -> Schedule:
        """These settings and one more. Raises ScheduleError if it is there already."""
        if not isinstance(setting, Setting):
            raise ScheduleError(
                f"{abbreviate(setting)} is no setting", hint='write gn.Schedule().mask("push")', rule="error.python"
            )
        settings = (*self.settings, setting)
        if find_repetition(settings) is not None:
            raise ScheduleError(f"{setting.name} is set twice", hint="set it once", rule="schedule.settings")
        return Schedule(self.commands, settings=settings, chosen=self.chosen)

    def auto(self) -> Schedule:
        """Everything chosen that nothing else tells, as unasked: `settings`."""
        return self.with_setting(Setting(AUTO))

    def mask(self, direction: str) -> Schedule:
        """Masks that `push`, `pull`, or do what is less work, `auto`: `settings`."""
        return self.with_setting(make_setting(MASK, direction))

    def workspaces(self, kept: str) -> Schedule:
        """Workspaces that no command makes: `none`, those for the `output`, or for inputs too, `both`: `settings`."""
        return self.with_setting(make_setting(WORKSPACES, kept))

    def modes(self, kept: str) -> Schedule:
        """Workspaces over several modes `nested`, a table for each mode, or `flat`: `settings`."""
        return self.with_setting(make_setting(MODES, kept))

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

    def convert(self, access: str | Access, variables: Names, *others: Any, path: Path | None = None) -> Schedule:
        """An operand, such as `"B(k,j)"`, stored in another order first, or several at once: `convert.convert`."""
        given = enumerate((access, variables, *others))
        return self.with_("convert", *(names(each) if n % 2 else expression(each) for n, each in given), path=path)

    def bound(self, variable: str, bounded: str, size: int, kind: str, path: Path | None = None) -> Schedule:
        """What is known of a range: `bound.bound`."""
        return self.with_("bound", variable, bounded, size, kind, path=path)

    def unroll(self, variable: str, factor: int, path: Path | None = None) -> Schedule:
        """A find_repetition body: `unroll.unroll`."""
        return self.with_("unroll", variable, factor, path=path)

    def parallelize(self, variable: str, unit: str, strategy: str, path: Path | None = None) -> Schedule:
        """Iterations at once: `parallelize.parallelize`."""
        return self.with_("parallelize", variable, unit, strategy, path=path)


def refuse_nameless(name: str | None, format: str | Format | None) -> None:
    """Refuse a format for a workspace that has no name."""
    if name is None and format is not None:
        raise ScheduleError(
            "a workspace with a format needs a name", hint='give the name before it: "t"', rule="schedule.text.kinds"
        )


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
    return parse_printed(given) if isinstance(given, str) else given


def read_again(text: str, source: str | None, chosen: int) -> Schedule:
    """A schedule that has travelled as its text between processes."""
    settings, commands = read_schedule(text)
    return Schedule(commands, source, settings, chosen)


def as_schedule(given: str | Schedule | None) -> Schedule:
    """A schedule, or the text of one. Raises ParseError with a caret under the text."""
    match given:
        case Schedule():
            return given
        case str():
            settings, commands = read_schedule(given)
            return Schedule(commands, given, settings)
        case None:
            return Schedule()
        case _:
            raise ScheduleError(
                f"{abbreviate(given)} is not a schedule",
                hint='write commands, "split(i,i0,i1,32)"',
                rule="error.python",
            )
