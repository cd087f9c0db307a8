"""Commands: a schedule's steps as values, each a function from program to program."""

from __future__ import annotations

from dataclasses import dataclass

from ..format import Format
from ..printer import pretty
from ..statement import Program
from ..syntax import Access, Expr, Span
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
