"""Nests: finding and replacing the loops that a command names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from ..errors import ScheduleError
from ..loops.iteration_space import IterationSpace
from ..loops.terms import Binary, Extent, Term, combine
from ..notation.extent import LONGEST, is_known
from ..statement.relation import Derivation, parents
from ..statement.statement import Forall, Program, Statement, assignments, indices, reads
from ..statement.tags import Parallel, Unroll
from .path import Path
from .section import branches, in_loops, peel_loops, sections, with_branch

Change = Callable[[Forall], Statement]


def loops(s: Statement, variable: str, path: Path = ()) -> Iterator[tuple[Forall, tuple[str, ...]]]:
    """The loops over a variable in the section at a path and those that it leads to, each with the loops around it."""
    for section in sections(s):
        if section.path[: len(path)] == path and variable in section.variables:
            at = section.variables.index(variable)
            yield section.loops[at], tuple(loop.index for loop in (*section.around, *section.loops[:at]))


def replace_loops(s: Statement, variable: str, change: Change, path: Path = ()) -> Statement:
    """The statement with every loop over a variable changed, in the section at a path and those that it leads to."""
    own, end = peel_loops(s)
    if path:
        inner = replace_loops(branches(end)[path[0]], variable, change, path[1:])
        return in_loops(tuple(own), with_branch(end, path[0], inner))
    there = [loop.index for loop in own]
    if variable in there:
        at = there.index(variable)
        return in_loops(tuple(own[:at]), change(own[at]))
    for number, branch in enumerate(branches(end)):
        end = with_branch(end, number, replace_loops(branch, variable, change))
    return in_loops(tuple(own), end)


def change_loops(program: Program, path: Path, variable: str, change: Change) -> Program:
    """The program with every loop over a variable changed. Raises ScheduleError if there is none, or it is tagged."""
    free(program, path, variable)
    return replace(program, statement=replace_loops(program.statement, variable, change, path))


def free(program: Program, path: Path, variable: str) -> None:
    """Refuse a variable that no loop runs over, or whose loop a command has tagged."""
    found = [loop for loop, _ in loops(program.statement, variable, path)]
    if not found:
        there = ", ".join(dict.fromkeys(indices(program.statement)))
        raise ScheduleError(f"no loop runs over {variable}", hint=f"the loops are over {there}")
    for loop in found:
        refuse_tagged(loop)


def refuse_tagged(loop: Forall) -> None:
    """Refuse a loop that a command has tagged."""
    variable = loop.index
    for tag in loop.tags:
        match tag:
            case Parallel():
                raise ScheduleError(
                    f"{variable} is parallel: no command may follow parallelize on the same loop",
                    hint=f"give parallelize({variable},...) last",
                    rule="schedule.tagged",
                )
            case Unroll():
                raise ScheduleError(
                    f"{variable} is unrolled: its loop cannot be transformed any more",
                    hint=f"give unroll({variable},...) after the commands that transform it",
                    rule="schedule.tagged",
                )


def fresh_name(program: Program, name: str) -> str:
    """The name, with as many underscores as make it new to the program."""
    while name in program.names:
        name += "_"
    return name


def fresh(program: Program, names: Iterable[str]) -> None:
    """Refuse names for new variables that are in use, or that are given twice."""
    taken = {*program.names}
    for name in names:
        if name in program.workspace:
            raise ScheduleError(
                f"the statement already has a workspace {name}",
                hint="choose another name; gnomon show tells which",
                rule="schedule.names",
            )
        if name in taken:
            raise ScheduleError(
                f"the name {name} is already in use", hint="choose a name that nothing else has", rule="schedule.names"
            )
        taken.add(name)


def positive(what: str, value: int, most: int = LONGEST) -> None:
    """Refuse a factor that is not positive."""
    if value <= 0:
        raise ScheduleError(f"the {what} is {value}, but must be a positive integer", hint=f"give 1 to {most}")


def refuse_large_factor(what: str, value: int, most: int = LONGEST, left: int | None = None) -> None:
    """Refuse a factor that is larger than any loop runs; of what earlier factors have taken, `left` is left to give."""
    if value > most:
        raise ScheduleError(f"the {what} is {value}, but may be at most {most}", hint=f"give 1 to {left or most}")


def check_countable(program: Program, path: Path, variable: str, *_: object) -> None:
    """Refuse a variable with more values than what derives from it could count."""
    size = known_extent(program, variable)
    if size is not None and size > LONGEST:
        raise ScheduleError(
            f"{variable} has {size} values, but a schedule counts to {LONGEST} at most",
            hint="count the positions of an operand instead: pos",
        )


def extent(program: Program, variable: str) -> int | None:
    """The number of values of a variable, if that is the same wherever its loop runs: not so for positions."""
    space = IterationSpace(program.provenance)
    return known_value(space.extent(variable), dict(program.extents))


def known_value(term: Term, extents: Mapping[str, int]) -> int | None:
    """The value of a term that depends on extents alone; of the lesser of two, the one that is known."""
    match term:
        case int():
            return term
        case Extent(variable=variable):
            return extents.get(variable)
        case Binary(operator=operator, left=left, right=right):
            known = [found for each in (left, right) if (found := known_value(each, extents)) is not None]
            value: int | None = known[0] if known and operator == "min" else None
            return combine(operator, *known) if len(known) == 2 else value
        case _:
            return None


def known_extent(program: Program, variable: str) -> int | None:
    """The number of values of a variable, if that is one number, and the extents that it comes from are known."""
    extents = dict(program.extents)
    comes_from = [extents[v] for v in program.provenance.originals(variable) if v in extents]
    return extent(program, variable) if all(map(is_known, comes_from)) else None


def derive(program: Program, relation: Derivation) -> Program:
    """The program with one more relation. Raises ScheduleError if a workspace is indexed by what it derives from."""
    for variable in parents(relation):
        refuse_indexed(program, variable)
    return replace(program, provenance=program.provenance.extend(relation))


def refuse_indexed(program: Program, variable: str) -> None:
    """Refuse a derived variable by which a workspace is indexed."""
    if program.provenance.is_original(variable):
        return
    for access in (*reads(program.statement), *(leaf.target for leaf in assignments(program.statement))):
        if variable in access.indices:
            raise ScheduleError(
                f"{variable} cannot be transformed any more: the workspace {access.tensor} is indexed by it",
                hint="give the command before precompute",
                rule="schedule.provenance",
            )
