"""Pos and coord: between the coordinates of a loop and the positions of one operand (Senanayake 2020, section 4)."""

from __future__ import annotations

from ..errors import ScheduleError
from ..loops.merging import known_depth
from ..notation.printer import pretty
from ..notation.syntax import Access
from ..statement.provenance import Provenance
from ..statement.relation import Coord, Divide, Pos, Split, parents
from ..statement.statement import Forall, Program, Statement, assignments, reads
from ..statement.substitution import background_of, substitute_statement
from .nests import change_loops, check_countable, derive, free, fresh, loops, refuse_indexed
from .path import Path


def pos(program: Program, path: Path, variable: str, position: str, access: Access) -> Program:
    """Count the positions at which an operand stores a variable's coordinates.

    Before: `∀i s`. After: `∀p s`, where `A` stores `i` at position `p`, wherever `s` reads `A`. Preconditions: `i` is
    in coordinate space; the operand is read in the loop and stores `i`, and if that was collapsed all of its parts one
    after the other, in that order; where the operand has no component there is nothing to do (no position stands for a
    coordinate that only others hold: a union has no positions); the levels above are reached by loops around.
    """
    fresh(program, (position,))
    refuse_indexed(program, variable)
    read = find_access(program, path, variable, access)
    first, last = storage_levels(program, variable, read)

    def count_positions(s: Forall) -> Statement:
        return Forall(position, s.body) if read in reads(s.body) else s

    counted = Pos(dimension(program, variable), position, read, first, last)
    return derive(change_loops(program, path, variable, count_positions), counted)


def dimension(program: Program, variable: str) -> str:
    """The variable of which one is the innermost part: itself, if it is no part of a split."""
    match program.provenance.derivation_of(variable):
        case (Split() | Divide()) as relation if relation.inner == variable:
            return dimension(program, relation.parent)
        case _:
            return variable


def whole(program: Program, path: Path, variable: str, position: str, access: Access) -> tuple[str, str, Access]:
    """The arguments of `pos`, whose operand may be given by its name alone where one access of it stores the variable.

    Raises ScheduleError if several do.
    """
    there = [
        a for loop, _ in loops(program.statement, variable, path) for a in reads(loop.body) if a.tensor == access.tensor
    ]
    if access.indices or not there:
        return variable, position, access
    originals = set(program.provenance.originals(variable))
    storing = [a for a in there if originals <= set(a.levels)] or there
    forms = dict.fromkeys(Access(a.tensor, a.indices) for a in storing)
    if len(forms) > 1:
        written = " or ".join(f"pos({variable},{position},{pretty(each)})" for each in forms)
        raise ScheduleError(
            f"{access.tensor} is read in several ways", hint=f"write {written}", rule="schedule.pos.operand"
        )
    return variable, position, next(iter(forms))


def check_coordinates(program: Program, path: Path, variable: str, position: str, access: Access) -> None:
    """Refuse a variable that counts positions already."""
    if program.provenance.is_position(variable):
        raise ScheduleError(
            f"pos needs coordinates, but {variable} counts positions already",
            hint=f"leave pos out, or go back to coordinates first: coord({variable},...)",
        )


def check_whole(program: Program, path: Path, variable: str, position: str, access: Access) -> None:
    """Refuse a variable that counts tiles of a dimension: only the coordinates inside a tile have positions."""
    if is_part(program.provenance, dimension(program, variable)):
        raise ScheduleError(
            f"pos needs coordinates, but {variable} counts the parts of a split",
            hint="take the inner part, or apply pos before the split and split the positions",
        )


def is_part(graph: Provenance, variable: str) -> bool:
    """Whether a variable is a part of a split or division, or derives from one: others complete the original."""
    match graph.derivation_of(variable):
        case Split() | Divide():
            return True
        case None | Coord():
            return False
        case relation:
            return any(is_part(graph, v) for v in parents(relation))


def find_access(program: Program, path: Path, variable: str, access: Access) -> Access:
    """The access, with its levels, that the loops over a variable read. Raises ScheduleError if none of them reads
    it."""
    free(program, path, variable)
    there = [a for loop, _ in loops(program.statement, variable, path) for a in reads(loop.body)]
    for candidate in there:
        if (candidate.tensor, candidate.indices) == (access.tensor, access.indices):
            return candidate
    names = ", ".join(dict.fromkeys(pretty(Access(a.tensor, a.indices)) for a in there))
    raise ScheduleError(
        f"the loop over {variable} does not read {pretty(access)}",
        hint=f"take one of the operands it reads: {names}",
        rule="schedule.pos.operand",
    )


def storage_levels(program: Program, variable: str, read: Access) -> tuple[int, int]:
    """The levels at which an operand stores the parts of a variable, one after the other. Raises ScheduleError if it
    does not."""
    originals = program.provenance.originals(variable)
    for first in range(len(read.levels)):
        if read.levels[first : first + len(originals)] == originals:
            return first, first + len(originals)
    stored = ", ".join(read.levels)
    raise ScheduleError(
        f"{pretty(Access(read.tensor, read.indices))} does not store {', '.join(originals)} one after the other: its "
        f"levels hold {stored}",
        hint=f"collapse variables in the order of the storage of {read.tensor}, or take another operand",
        rule="schedule.pos.operand",
    )


def check_needed(program: Program, path: Path, variable: str, position: str, access: Access) -> None:
    """Refuse an operand without which a loop still has something to do."""
    read = find_access(program, path, variable, access)
    for loop, _ in loops(program.statement, variable, path):
        if read in reads(loop.body):
            refuse_more(program, loop, read)


def refuse_more(program: Program, loop: Forall, read: Access) -> None:
    """Refuse a loop over positions that has something to do where their operand has no component."""
    if substitute_statement(loop.body, frozenset({read}), background_of(program)) is not None:
        raise ScheduleError(
            f"pos on a union: the loop over {loop.index} has something to compute where {read.tensor} has no component",
            hint="tile the coordinates instead: split without pos",
            rule="schedule.pos.needed",
        )


def check_parents(program: Program, path: Path, variable: str, position: str, access: Access) -> None:
    """Refuse positions below a parent that no loop around has reached."""
    graph, read = program.provenance, find_access(program, path, variable, access)
    first, _ = storage_levels(program, variable, read)
    for loop, bound in loops(program.statement, variable, path):
        there = {v for v in read.levels if graph.is_recoverable(v, bound)}
        if read in reads(loop.body) and known_depth(read, there, program.provenance) < first:
            above = ", ".join(read.levels[:first])
            raise ScheduleError(
                f"the positions of {read.tensor} at level {first + 1} are counted below {above}, which the loops "
                "around do not give",
                hint=f"put the loops over {above} outside",
                rule="schedule.pos.parents",
            )


def coord(program: Program, path: Path, position: str, variable: str) -> Program:
    """Count coordinates again, over what a loop over positions covers.

    Before: `∀p s`. After: `∀c s`, where `c` is the coordinate stored at the position. Preconditions: `p` is in position
    space, and no workspace is indexed by it. It may be a part of a split: then `c` runs over the coordinates in each
    tile of positions.
    """
    free(program, path, position)
    fresh(program, (variable,))
    relation = program.provenance.space_of(position)
    if relation is None:
        raise ScheduleError(
            f"coord needs positions, but {position} counts coordinates", hint="leave coord out, or apply pos first"
        )

    def rename(s: Forall) -> Statement:
        return Forall(variable, s.body)

    return derive(change_loops(program, path, position, rename), Coord(position, variable, relation))


def check_unindexed(program: Program, path: Path, position: str, variable: str) -> None:
    """Refuse positions that are an index of a workspace."""
    if not program.provenance.is_position(position):
        return
    for loop, _ in loops(program.statement, position, path):
        written = [leaf.target for leaf in assignments(loop.body)]
        for access in (*reads(loop.body), *written):
            if position in access.indices:
                raise ScheduleError(
                    f"{position} is an index of the workspace {access.tensor}, so its loop cannot count coordinates",
                    hint="apply coord before precompute",
                )


def check_coordinate(program: Program, path: Path, position: str, variable: str) -> None:
    """Refuse positions of coordinates that are more than a loop could count."""
    relation = program.provenance.space_of(position)
    if relation is not None:
        check_countable(program, path, relation.coordinate)
