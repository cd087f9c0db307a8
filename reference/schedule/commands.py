"""Commands: a schedule's steps as values, each a function from program to program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import repeat

import numpy as np

from ..errors import ScheduleError
from ..notation.printer import pretty
from ..notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce
from ..span import Span
from ..statement.staging import dissolve, stage
from ..statement.statement import Program
from ..storage.format import Format
from . import position
from .bound import bound, check_range
from .collapse import check_both, check_coordinates, collapse
from .hoist import hoist
from .layout import lay_out
from .loopfuse import check_reductions, check_tiles, loopfuse, name_temporary
from .nests import check_countable
from .parallelize import parallelize
from .position import check_coordinate, check_needed, check_parents, check_unindexed, check_whole, coord, pos
from .precompute import name_workspace, precompute
from .precondition import Precondition
from .reorder import check_distributes, reorder
from .section import Path, assignment_of, print_path, section_at, sections
from .split import check_parts, check_size, divide, split
from .unroll import check_factor, unroll

Argument = str | int | tuple[str, ...] | Expr | Format


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


def as_given(program: Program, path: Path, *args: Argument) -> tuple[Argument, ...]:
    """Arguments that leave nothing open."""
    return args


@dataclass(frozen=True, slots=True)
class Form:
    """How a command is written, what it does and what that needs to keep the meaning.

    The last `optional` arguments may be left out; if it is None, the one kind that there is repeats. `whole` gives the
    arguments in a program, with what their text leaves open: a name, the variables of an operand.
    """

    example: str
    function: Callable[..., Program]
    kinds: tuple[Kind, ...]
    preconditions: tuple[Precondition, ...] = ()
    optional: int | None = 0
    whole: Callable[..., tuple[Argument, ...]] = as_given

    def of(self, count: int) -> tuple[Kind, ...] | None:
        """The kinds of so many arguments; None if the command does not take so many."""
        if self.optional is None:
            return tuple(repeat(self.kinds[0], count))
        return self.kinds[:count] if len(self.kinds) - self.optional <= count <= len(self.kinds) else None


LOOP, NAME, SIZE, NAMES = Kind.LOOP, Kind.NAME, Kind.SIZE, Kind.NAMES
COUNTABLE = Precondition("countable", check_countable)
FORMS = {
    "split": Form(
        "split(i,i0,i1,32)", split, (LOOP, NAME, NAME, SIZE), (Precondition("one_to_one", check_size), COUNTABLE)
    ),
    "divide": Form(
        "divide(i,i0,i1,4)", divide, (LOOP, NAME, NAME, SIZE), (Precondition("one_to_one", check_parts), COUNTABLE)
    ),
    "collapse": Form(
        "collapse(i,j,f)",
        collapse,
        (LOOP, LOOP, NAME),
        (Precondition("one_to_one", check_coordinates), Precondition("countable", check_both)),
    ),
    "pos": Form(
        "pos(i,p,A(i,j))",
        pos,
        (LOOP, NAME, Kind.ACCESS),
        (
            Precondition("coordinates", position.check_coordinates),
            Precondition("whole", check_whole),
            Precondition("needed", check_needed),
            Precondition("parents", check_parents),
        ),
        whole=position.whole,
    ),
    "coord": Form(
        "coord(p,i)",
        coord,
        (LOOP, NAME),
        (Precondition("unindexed", check_unindexed), Precondition("countable", check_coordinate)),
    ),
    "reorder": Form("reorder(j,i)", reorder, (LOOP,), (Precondition("distributes", check_distributes),), None),
    "precompute": Form(
        "precompute(A(i,j)*x(j),{j},{jw},w,Dense)",
        precompute,
        (Kind.EXPRESSION, NAMES, NAMES, NAME, Kind.FORMAT),
        optional=2,
        whole=name_workspace,
    ),
    "loopfuse": Form(
        "loopfuse({},2,left,T,Dense)",
        loopfuse,
        (Kind.OPERANDS, Kind.SIDE, NAME, Kind.FORMAT),
        (Precondition("distributes", check_reductions), Precondition("once", check_tiles)),
        optional=2,
        whole=name_temporary,
    ),
    "hoist": Form("hoist(w)", hoist, (NAME,)),
    "bound": Form(
        "bound(i,b,16,max_exact)",
        bound,
        (LOOP, NAME, SIZE, Kind.LIMIT),
        (Precondition("holds", check_range), COUNTABLE),
    ),
    "unroll": Form("unroll(i,4)", unroll, (LOOP, SIZE), (Precondition("one_to_one", check_factor),)),
    "parallelize": Form("parallelize(i,CPUThread,NoRaces)", parallelize, (LOOP, Kind.UNIT, Kind.STRATEGY)),
}


@dataclass(frozen=True, slots=True)
class Command:
    """A command's name and its arguments, as its function takes them; where it stands in a schedule's text.

    `path` leads to the one section that it is given to; without, a command is given to every loop that it names, and
    a part is taken where it is first computed.
    """

    name: str
    args: tuple[Argument, ...]
    span: Span | None = field(default=None, compare=False)
    path: Path | None = None

    def __str__(self) -> str:
        given = [] if self.path is None else [print_path(self.path)]
        return f"{self.name}({','.join([*given, *map(print_argument, self.args)])})"


def make_command(name: str, args: tuple[Argument, ...], path: Path | None = None) -> Command:
    """A command of a name and arguments. Raises ScheduleError for arguments of another number or kind than it takes."""
    form = FORMS[name]
    kinds = form.of(len(args))
    if kinds is None:
        raise ScheduleError(f"{name} does not take {len(args)} arguments", hint=f"write {form.example}")
    args = tuple(int(a) if isinstance(a, np.integer) else a for a in args)
    for argument, kind in zip(args, kinds, strict=True):
        if not is_kind(argument, kind):
            raise ScheduleError(f"{name} takes {kind} here, not {argument!r}", hint=f"write {form.example}")
    if not (path is None or (isinstance(path, tuple) and all(isinstance(n, int) for n in path))):
        raise ScheduleError(f"{path!r} is not a path", hint="give the ways at each branch, as in (0, 1)")
    return Command(name, args, path=path)


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
            return pretty(argument)


def whole(command: Command, program: Program) -> Command:
    """A command with what its text leaves open: `pos(i,p,A)` counts the one access of `A` that stores `i`, a workspace
    without a name gets a new one. Raises ScheduleError if there are several such accesses."""
    return replace(command, args=FORMS[command.name].whole(program, command.path or (), *command.args))


def transform(command: Command, program: Program) -> Program:
    """The program after a command, whether its preconditions hold or not. Raises ScheduleError for what it cannot be
    applied to: loops that are not there or not nested, names in use.

    A command is applied to the statement without the workspace through which its result is assembled, which comes back
    where the loops still need it.
    """
    return stage(apply_function(command, dissolve(program)))


def apply_function(command: Command, program: Program) -> Program:
    """The program after a command's function, its workspaces laid out for the loops that there are then."""
    check_path(command, program)
    return lay_out(FORMS[command.name].function(program, command.path or (), *whole(command, program).args))


def check_path(command: Command, program: Program) -> None:
    """Refuse a path to a section without the loops that a command names, or without the assignment of which it takes a
    part."""
    if command.path is None:
        return
    section = section_at(program.statement, command.path)
    kinds = FORMS[command.name].of(len(command.args)) or ()
    if Kind.EXPRESSION in kinds:
        assignment_of(section)
    for variable in (a for a, kind in zip(command.args, kinds, strict=True) if kind is Kind.LOOP):
        if variable not in section.variables:
            where = [print_path(s.path) for s in sections(program.statement) if variable in s.variables]
            raise ScheduleError(
                f"the section {print_path(command.path)} has no loop over {variable}: it has "
                f"{', '.join(section.variables) or 'none'}",
                hint=f"it stands in {' and '.join(where)}" if where else "gnomon show draws the sections",
            )


def run(command: Command, program: Program) -> Program:
    """The program after a command. Raises ScheduleError if it cannot be applied, or else if a precondition fails."""
    bare = dissolve(program)
    made = apply_function(command, bare)
    for precondition in FORMS[command.name].preconditions:
        precondition.check(bare, command.path or (), *whole(command, bare).args)
    return stage(made)
