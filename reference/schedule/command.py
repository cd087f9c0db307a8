"""Commands as values: how each is written, and what a schedule holds of it. What they do is `commands.py`."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from msgspec import Struct

from ..algebra.scalars import abbreviate
from ..errors import ScheduleError
from ..notation.printer import pretty
from ..notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce
from ..noted import Noted
from ..span import Span
from ..statement.printed import print_parsed
from ..storage.format import Format
from .path import Path, print_path

Argument = str | int | tuple[str, ...] | Expr | Format
SIDES = ("left", "right")


class Kind(StrEnum):
    """The kinds of arguments that commands take."""

    NAME = "a name"
    LOOP = "a loop"
    SIZE = "an integer"
    OPERANDS = "a number of operands, or some of them"
    NAMES = "names"
    SIDE = "left or right"
    EXPRESSION = "an expression"
    ACCESS = "an operand such as A(i,j)"
    LIMIT = "a kind of bound"
    UNIT = "a parallel unit"
    STRATEGY = "a race strategy"
    FORMAT = "a format"


class Form(Struct, frozen=True):
    """How a command is written: an example, and the kinds of its arguments.

    The last `optional` arguments may be left out; if it is None, all of them repeat.
    """

    example: str
    kinds: tuple[Kind, ...]
    optional: int | None = 0

    def of(self, count: int) -> tuple[Kind, ...] | None:
        """The kinds of so many arguments; None if the command does not take so many."""
        if self.optional is None:
            repeats, rest = divmod(count, len(self.kinds))
            return None if rest or not repeats else self.kinds * repeats
        return self.kinds[:count] if len(self.kinds) - self.optional <= count <= len(self.kinds) else None


LOOP, NAME, SIZE, NAMES = Kind.LOOP, Kind.NAME, Kind.SIZE, Kind.NAMES
FORMS = {
    "split": Form("split(i,i0,i1,32)", (LOOP, NAME, NAME, SIZE)),
    "divide": Form("divide(i,i0,i1,4)", (LOOP, NAME, NAME, SIZE)),
    "collapse": Form("collapse(i,j,f)", (LOOP, LOOP, NAME)),
    "pos": Form("pos(i,p,A(i,j))", (LOOP, NAME, Kind.ACCESS)),
    "coord": Form("coord(p,i)", (LOOP, NAME)),
    "reorder": Form("reorder(j,i)", (LOOP,), None),
    "precompute": Form(
        "precompute(A(i,j)*x(j),{j},{jw},w,Dense)", (Kind.EXPRESSION, NAMES, NAMES, NAME, Kind.FORMAT), optional=2
    ),
    "loopfuse": Form("loopfuse({},2,left,T,Dense)", (Kind.OPERANDS, Kind.SIDE, NAME, Kind.FORMAT), optional=2),
    "hoist": Form("hoist(w)", (NAME,)),
    "convert": Form("convert(B(k,j),{k,j})", (Kind.ACCESS, NAMES), None),
    "bound": Form("bound(i,b,16,max_exact)", (LOOP, NAME, SIZE, Kind.LIMIT)),
    "unroll": Form("unroll(i,4)", (LOOP, SIZE)),
    "parallelize": Form("parallelize(i,CPUThread,NoRaces)", (LOOP, Kind.UNIT, Kind.STRATEGY)),
}


class Command(Noted, frozen=True):
    """A command's name and its arguments, as its function takes them; where it stands in a schedule's text.

    `path` leads to the one section that it is given to; without, a command is given to every loop that it names, and
    a part is taken where it is first computed.
    """

    notes = frozenset({"span"})

    name: str
    args: tuple[Argument, ...]
    span: Span | None = None
    path: Path | None = None

    def __str__(self) -> str:
        given = [] if self.path is None else [print_path(self.path)]
        return f"{self.name}({','.join([*given, *map(print_argument, self.args)])})"


def make_command(name: str, args: tuple[Argument, ...], path: Path | None = None) -> Command:
    """A command of a name and arguments. Raises ScheduleError for arguments of another number or kind than it takes."""
    form = FORMS.get(name) if isinstance(name, str) else None
    if form is None:
        what = f"{abbreviate(name)} is no command"
        raise ScheduleError(what, hint=f"write one of {', '.join(FORMS)}", rule="schedule.text.kinds")
    kinds = form.of(len(args))
    if kinds is None:
        raise ScheduleError(
            f"{name} does not take {len(args)} arguments", hint=f"write {form.example}", rule="schedule.text.kinds"
        )
    args = tuple(map(as_read, args, kinds))
    for argument, kind in zip(args, kinds, strict=True):
        if not is_kind(argument, kind):
            raise ScheduleError(
                f"{name} takes {kind} here, not {abbreviate(argument)}",
                hint=f"write {form.example}",
                rule="schedule.text.kinds",
            )
    if not (path is None or (isinstance(path, tuple) and all(isinstance(n, int) for n in path))):
        raise ScheduleError(
            f"{abbreviate(path)} is not a path", hint="give the ways at each branch, as in (0, 1)", rule="schedule.path"
        )
    return Command(name, args, path=path)


def as_read(argument: Argument, kind: Kind) -> Argument:
    """An argument as it would be read from the text of a schedule: formats have no blanks around their commas."""
    if kind is Kind.FORMAT and isinstance(argument, str):
        return ",".join(part.strip() for part in argument.split(","))
    return int(argument) if isinstance(argument, np.integer) else argument


def is_kind(argument: Argument, kind: Kind) -> bool:
    """Whether an argument is of a kind."""
    match kind:
        case Kind.NAME | Kind.LOOP:
            return isinstance(argument, str) and argument.isidentifier()
        case Kind.LIMIT | Kind.UNIT | Kind.STRATEGY | Kind.SIDE:
            return isinstance(argument, str)
        case Kind.SIZE:
            return isinstance(argument, int) and not isinstance(argument, bool)
        case Kind.OPERANDS:
            return is_kind(argument, Kind.SIZE) or is_kind(argument, Kind.EXPRESSION)
        case Kind.NAMES:
            return isinstance(argument, tuple) and all(is_kind(each, Kind.NAME) for each in argument)
        case Kind.EXPRESSION:
            return isinstance(argument, Access | Literal | Fill | Apply | Reduce)
        case Kind.ACCESS:
            return isinstance(argument, Access)
        case Kind.FORMAT:
            return isinstance(argument, str | Format)


def print_argument(argument: Argument) -> str:
    """The text of a command's argument."""
    match argument:
        case tuple():
            return "{" + ",".join(argument) + "}"
        case Access(tensor=tensor, indices=indices):
            return pretty(Access(tensor, indices))
        case int() | str() | Format():
            return str(argument)
        case _:
            return print_parsed(argument)
