"""What commands do: each a function from program to program, and what that needs to keep the meaning."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from ..errors import ScheduleError
from ..statement.staging import dissolve, stage
from ..statement.statement import Program
from . import position
from .bound import bound, check_range
from .collapse import check_both, check_coordinates, collapse
from .command import FORMS, Argument, Command, Kind
from .convert import check_distributes as check_reads
from .convert import convert
from .hoist import hoist
from .layout import lay_out
from .loopfuse import check_reductions, check_tiles, loopfuse, name_temporary
from .nests import check_countable
from .parallelize import parallelize
from .path import Path, print_path
from .position import check_coordinate, check_needed, check_parents, check_unindexed, check_whole, coord, pos
from .precompute import name_workspace, precompute
from .precondition import Precondition
from .reorder import check_distributes, reorder
from .section import assignment_of, section_at, sections
from .split import check_parts, check_size, divide, split
from .unroll import check_factor, unroll


def as_given(program: Program, path: Path, *args: Argument) -> tuple[Argument, ...]:
    """Arguments that leave nothing open."""
    return args


class Effect(Struct, frozen=True):
    """What a command does, and its preconditions. `whole` gives the arguments in a program, with what their text leaves
    open: a name, the variables of an operand."""

    function: Callable[..., Program]
    preconditions: tuple[Precondition, ...] = ()
    whole: Callable[..., tuple[Argument, ...]] = as_given


COUNTABLE = Precondition("countable", check_countable)
EFFECTS = {
    "split": Effect(split, (Precondition("one_to_one", check_size), COUNTABLE)),
    "divide": Effect(divide, (Precondition("one_to_one", check_parts), COUNTABLE)),
    "collapse": Effect(
        collapse, (Precondition("one_to_one", check_coordinates), Precondition("countable", check_both))
    ),
    "pos": Effect(
        pos,
        (
            Precondition("coordinates", position.check_coordinates),
            Precondition("whole", check_whole),
            Precondition("needed", check_needed),
            Precondition("parents", check_parents),
        ),
        position.whole,
    ),
    "coord": Effect(coord, (Precondition("unindexed", check_unindexed), Precondition("countable", check_coordinate))),
    "reorder": Effect(reorder, (Precondition("distributes", check_distributes),)),
    "precompute": Effect(precompute, whole=name_workspace),
    "loopfuse": Effect(
        loopfuse, (Precondition("distributes", check_reductions), Precondition("once", check_tiles)), name_temporary
    ),
    "hoist": Effect(hoist),
    "convert": Effect(convert, (Precondition("distributes", check_reads),)),
    "bound": Effect(bound, (Precondition("holds", check_range), COUNTABLE)),
    "unroll": Effect(unroll, (Precondition("one_to_one", check_factor),)),
    "parallelize": Effect(parallelize),
}


def whole(command: Command, program: Program) -> Command:
    """A command with what its text leaves open: `pos(i,p,A)` counts the one access of `A` that stores `i`, a workspace
    without a name gets a new one. Raises ScheduleError if there are several such accesses."""
    return replace(command, args=EFFECTS[command.name].whole(program, command.path or (), *command.args))


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
    return lay_out(EFFECTS[command.name].function(program, command.path or (), *whole(command, program).args))


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
                rule="schedule.path",
            )


def run(command: Command, program: Program) -> Program:
    """The program after a command. Raises ScheduleError if it cannot be applied, or else if a precondition fails."""
    bare = dissolve(program)
    made = apply_function(command, bare)
    for precondition in EFFECTS[command.name].preconditions:
        precondition.check(bare, command.path or (), *whole(command, bare).args)
    return stage(made)
