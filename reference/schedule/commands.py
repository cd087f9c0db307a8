"""Commands: a schedule's steps as values, each a function from program to program."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ScheduleError
from ..format import Format
from ..printer import pretty
from ..statement import Program
from ..syntax import Access, Apply, Expr, Fill, Literal, Reduce, Span
from . import bound, collapse, parallelize, position, precompute, reorder, split, unroll


@dataclass(frozen=True, slots=True)
class Command:
    """A command's name and its arguments, as its function takes them; where it stands in a schedule's text."""

    name: str
    args: tuple[object, ...]
    span: Span | None = None

    def __str__(self) -> str:
        return f"{self.name}({','.join(map(written, self.args))})"


FUNCTIONS = {
    "split": split.split,
    "divide": split.divide,
    "collapse": collapse.collapse,
    "pos": position.pos,
    "coord": position.coord,
    "reorder": reorder.reorder,
    "precompute": precompute.precompute,
    "bound": bound.bound,
    "unroll": unroll.unroll,
    "parallelize": parallelize.parallelize,
}


NAME, SIZE, NAMES, EXPRESSION, ANY = "a name", "an integer", "names", "an expression", "a format"
KINDS = {
    "split": (NAME, NAME, NAME, SIZE),
    "divide": (NAME, NAME, NAME, SIZE),
    "collapse": (NAME, NAME, NAME),
    "pos": (NAME, NAME, EXPRESSION),
    "coord": (NAME, NAME),
    "precompute": (EXPRESSION, NAMES, NAMES, NAME, ANY),
    "bound": (NAME, NAME, SIZE, NAME),
    "unroll": (NAME, SIZE),
    "parallelize": (NAME, NAME, NAME),
}


def check_kinds(name: str, args: tuple[object, ...]) -> None:
    """Raise ScheduleError for an argument that is not of the kind that a command takes."""
    for argument, kind in zip(args, KINDS.get(name, (NAME,) * len(args)), strict=False):
        if not is_kind(argument, kind):
            raise ScheduleError(
                f"{name} takes {kind} here, not {argument!r}", hint=f"its arguments are {signature(name)}"
            )


def signature(name: str) -> str:
    """The kinds of a command's arguments."""
    return ", ".join(KINDS.get(name, (NAME, "…")))


def is_kind(argument: object, kind: str) -> bool:
    """Whether an argument is of a kind."""
    if kind == NAME:
        return isinstance(argument, str) and argument.isidentifier()
    if kind == SIZE:
        return isinstance(argument, int) and not isinstance(argument, bool)
    if kind == NAMES:
        return isinstance(argument, tuple) and all(is_kind(each, NAME) for each in argument)
    return kind == ANY or isinstance(argument, Access | Literal | Fill | Apply | Reduce)


def written(argument: object) -> str:
    """An argument as it is written."""
    match argument:
        case tuple():
            return "{" + ",".join(argument) + "}"
        case Access(tensor=tensor, indices=indices):
            return pretty(Access(tensor, indices))
        case int() | str() | Format():
            return str(argument)
        case _:
            return pretty(argument)  # type: ignore[arg-type]


def run(command: Command, program: Program) -> Program:
    """The program after a command. Raises ScheduleError if a precondition fails."""
    made: Program = FUNCTIONS[command.name](program, *command.args)  # type: ignore[operator]
    return made


Argument = str | int | tuple[str, ...] | Access | Expr
