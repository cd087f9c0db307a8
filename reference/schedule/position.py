"""Pos and coord: between the coordinates of a loop and the positions of one operand (Senanayake 2020, section 4)."""

from __future__ import annotations

from ..derivation import Coord, Pos
from ..errors import ScheduleError
from ..printer import pretty
from ..statement import Forall, Program, Statement, assignments, reads
from ..strategy import known
from ..substitution import background_of, substitute_statement
from ..syntax import Access
from .nests import changed, derive, free, fresh, loops


def pos(program: Program, variable: str, position: str, access: Access) -> Program:
    """Count the positions at which an operand stores a variable's coordinates.

    Before: `∀i s`. After: `∀p s`, where `A` stores `i` at position `p`, wherever `s` reads `A`. Preconditions: `i` is
    in coordinate space; the operand is read in the loop and stores `i`, and if that was collapsed all of its parts one
    after the other, in that order; where the operand has no component there is nothing to do (no position stands for a
    coordinate that only others hold: a union has no positions); the levels above are reached by loops around.
    """
    free(program, variable)
    fresh(program, (position,))
    graph = program.derivations
    if graph.is_position(variable):
        raise ScheduleError(
            f"pos needs coordinates, but {variable} counts positions already",
            hint=f"leave pos out, or go back to coordinates first: coord({variable},...)",
        )
    if graph.made(variable) is not None and graph.parts(variable):
        raise ScheduleError(
            f"pos needs a whole dimension, but {variable} is one part of a split",
            hint="apply pos before the split, and split the positions",
        )
    read = found(program, variable, access)
    originals = graph.originals(variable)
    first = next((k for k in range(len(read.levels)) if read.levels[k : k + len(originals)] == originals), None)
    if first is None:
        stored = ", ".join(read.levels)
        raise ScheduleError(
            f"{pretty(access)} does not store {', '.join(originals)} one after the other: its levels hold {stored}",
            hint=f"collapse variables in the order of the storage of {access.tensor}, or take another operand",
        )
    relation = Pos(variable, position, read, first, first + len(originals))
    for loop, bound in loops(program.statement, variable):
        if read in reads(loop.body):
            check_needed(program, loop, read)
            check_parents(program, bound, read, first)

    def counting(s: Forall, bound: tuple[str, ...]) -> Statement:
        return Forall(position, s.body) if read in reads(s.body) else s

    return derive(changed(program, variable, counting), relation)


def found(program: Program, variable: str, access: Access) -> Access:
    """The access as the loops over a variable read it. Raises ScheduleError if they do not."""
    there = [a for loop, _ in loops(program.statement, variable) for a in reads(loop.body)]
    for candidate in there:
        if (candidate.tensor, candidate.indices) == (access.tensor, access.indices):
            return candidate
    names = ", ".join(dict.fromkeys(pretty(Access(a.tensor, a.indices)) for a in there))
    raise ScheduleError(
        f"the loop over {variable} does not read {pretty(access)}", hint=f"take one of the operands it reads: {names}"
    )


def check_needed(program: Program, loop: Forall, read: Access) -> None:
    """Refuse an operand without which a loop still has something to do."""
    background = background_of(program)
    if substitute_statement(loop.body, frozenset({read}), background) is not None:
        raise ScheduleError(
            f"pos on a union: the loop over {loop.index} has something to compute where {read.tensor} has no component",
            hint="tile the coordinates instead: split without pos",
        )


def check_parents(program: Program, bound: tuple[str, ...], read: Access, first: int) -> None:
    """Refuse positions below a parent that no loop around has reached."""
    graph = program.derivations
    there = {v for v in read.levels if graph.is_recoverable(v, bound)}
    if known(read, there, program.provenance) < first:
        above = ", ".join(read.levels[:first])
        raise ScheduleError(
            f"the positions of {read.tensor} at level {first + 1} are counted below {above}, which the loops around "
            "do not give",
            hint=f"put the loops over {above} outside",
        )


def coord(program: Program, position: str, variable: str) -> Program:
    """Count coordinates again, over what a loop over positions covers.

    Before: `∀p s`. After: `∀c s`, where `c` is the coordinate stored at the position. Preconditions: `p` is in position
    space, and no workspace is indexed by it. It may be a part of a split: then `c` runs over the coordinates in each
    tile of positions.
    """
    free(program, position)
    fresh(program, (variable,))
    relation = program.derivations.space_of(position)
    if relation is None:
        raise ScheduleError(
            f"coord needs positions, but {position} counts coordinates", hint="leave coord out, or apply pos first"
        )

    for loop, _ in loops(program.statement, position):
        written = [leaf.target for leaf in assignments(loop.body)]
        for access in (*reads(loop.body), *written):
            if position in access.indices:
                raise ScheduleError(
                    f"{position} is an index of the workspace {access.tensor}, so its loop cannot count coordinates",
                    hint="apply coord before precompute",
                )

    def renamed(s: Forall, bound: tuple[str, ...]) -> Statement:
        return Forall(variable, s.body)

    return derive(changed(program, position, renamed), Coord(position, variable, relation))
