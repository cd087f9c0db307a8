"""Workspaces: a section becomes what fills a workspace and what reads it (Senanayake 2020, section 4; SparseAuto, 4.2).

`precompute` and `loopfuse` say what goes through the workspace, and where the loops go; the rest is here.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct
from msgspec.structs import replace

from ..algebra.operator import Operator
from ..errors import FormatError, ScheduleError
from ..levels.bitmap import Bitmap
from ..levels.level import Insert
from ..notation.elaboration import rename
from ..notation.syntax import Access, Expr, Reduce, accesses
from ..notation.types import dtype_of
from ..statement.relation import (
    Bound,
    Collapse,
    Coord,
    Derivation,
    Divide,
    Pos,
    Same,
    Split,
    derived_variables,
    parents,
)
from ..statement.statement import Assign, Forall, Program, Where, Workspace, reads
from ..statement.substitution import background_of, counted_variables, without_operands
from ..storage.declaration import Declaration
from ..storage.format import Format
from ..storage.named_formats import format_of
from ..storage.room import LARGEST, positions, workspace_levels
from .branching import Branching, Parted, is_stored, reduces
from .nests import check_countable, extent, fresh_name, refuse_tagged
from .parts import through
from .section import Section, in_loops, loops_since_allocation, with_section

Variables = tuple[str, ...]


class Temporary(Struct, frozen=True):
    """The workspace that a command asks for: its name, its variables and those that fill it, its format if any, which
    the user may have `asked` for."""

    name: str
    variables: Variables
    renamed: Variables
    format: Format | None
    asked: bool

    @property
    def names(self) -> dict[str, str]:
        """The new names of variables where the workspace is filled."""
        return dict(zip(self.variables, self.renamed, strict=True))

    def format_in(self, program: Program) -> Format:
        """The format of the workspace: as asked for, else as its variables are named, until it is laid out."""
        return self.format or Format(workspace_levels([extent(program, v) or 0 for v in self.variables]))


def insertable(name: str, wanted: str | Format, variables: Variables) -> Format:
    """A format as a workspace over some variables has it: every level inserted into, the last one knowing what is
    present."""
    format = format_over(wanted, len(variables))
    for k, level in enumerate(format.levels):
        if not isinstance(level, Insert):
            raise ScheduleError(
                f"the workspace {name} cannot be stored as {format}: level {k + 1} ({level.name}) is not inserted into",
                hint="use Dense, bitmap, HashVector or hashed,hashed, or leave the format out",
                rule="schedule.precompute.workspace",
            )
    if not format.map.is_permutation:
        raise ScheduleError(
            f"the workspace {name} cannot be stored as {format}: its map is no order of the variables",
            hint="use Dense, bitmap, HashVector or hashed,hashed, or leave the format out",
            rule="schedule.precompute.workspace",
        )
    present = tuple(Bitmap() if level.full else level for level in format.levels[-1:])
    return Format((*format.levels[:-1], *present), mode_order=format.stored_modes)


def format_over(wanted: str | Format, order: int) -> Format:
    """The format that is wanted over so many variables. Raises ScheduleError if it has another order."""
    try:
        return format_of(wanted, order)
    except FormatError as error:
        if error.hint is not None:
            raise
        raise ScheduleError(
            error.message,
            hint=f"name a format of order {order}, or leave the format out",
            rule="schedule.precompute.workspace",
        ) from None


def through_workspace(
    program: Program, section: Section, parted: Parted, loops: Branching, asked: Temporary
) -> Program:
    """The program in which a part of the assignment of a section goes through a workspace, by loops that branch."""
    for loop in (*loops.own, *loops.reduced):
        refuse_tagged(loop)
    for loop in loops.own:
        check_extent(program, loop.index)
    for loop in loops.reduced:
        check_reduction(program, loop, parted.leaf, asked.name)
    leaf, value, names = parted.leaf, parted.part, asked.names
    made = new_workspace(program, asked, asked.format_in(program), value, loops.reduced, leaf.operator)
    levels = tuple(asked.variables[m] for m in made.workspace.format.stored_modes)
    read = Access(asked.name, asked.variables, levels, dtype=value.dtype, span=parted.hole.span)
    around = loops_since_allocation(program.statement, section, leaf.target.tensor)
    counted = any(reduces(program, loop, leaf) for loop in (*around, *loops.around, *loops.consuming))
    kept = counted or (program.continues and leaf.target.tensor == program.result)
    consumer = replace(leaf, value=through(leaf.value, parted.hole, read), operator=leaf.operator if kept else None)
    filled = Access(asked.name, asked.renamed, dtype=value.dtype)
    for old, new in names.items():
        value = rename(value, old, new)
    producer = Assign(filled, value, leaf.operator if loops.reduced else None)
    producing = tuple(replace(loop, index=names.get(loop.index, loop.index)) for loop in loops.producing)
    branched = Where(in_loops(loops.consuming, consumer), in_loops(producing, producer), asked.name)
    statement = with_section(program.statement, section.path, in_loops(loops.around, branched))
    known = {loop.index for loop in (*section.around, *section.loops)}
    return add_workspace(replace(program, statement=statement), made, with_intermediate(program, names, known, made))


def new_workspace(
    program: Program,
    asked: Temporary,
    format: Format,
    value: Expr,
    moved: tuple[Forall, ...],
    operator: Operator | None,
) -> Made:
    """The workspace for a part: where nothing was computed, it holds what the part is without its operands."""
    background = background_of(program)
    whole = value
    for original in dict.fromkeys(v for loop in moved for v in program.provenance.originals(loop.index)):
        assert operator is not None
        whole = Reduce(operator, original, whole, dtype=value.dtype)
    missing = without_operands(whole, background)
    shape = tuple(extent(program, v) or 0 for v in asked.variables)
    refuse_large(asked.name, format, shape)
    made = Workspace(asked.name, format, shape, dtype_of(value), missing.value, asked.asked)
    return Made(made, counted_variables(whole, frozenset(accesses(whole)), background))


class Made(Struct, frozen=True):
    """A workspace, and the variables whose extents its value of what is missing counts."""

    workspace: Workspace
    depends: frozenset[str]


def add_workspace(program: Program, made: Made, names: dict[str, str]) -> Program:
    """The program that knows of a workspace and of the new names of variables."""
    workspace, extents = made.workspace, dict(program.extents)
    graph = program.provenance
    for old, new in names.items():
        if graph.is_original(old):
            extents[new] = extents[old]
    for relation in graph.of_schedule:
        if any(names.get(v, v) != v for v in derived_variables(relation)):
            graph = graph.extend(rename_relation(relation, names))
    declared = Declaration(workspace.format, workspace.dtype, workspace.missing)
    return replace(
        program,
        workspaces=(*program.workspaces, workspace),
        tensors=(*program.tensors, (workspace.name, declared)),
        extents=tuple(extents.items()),
        depends=program.depends | made.depends,
        provenance=graph.follow(reads(program.statement)),
    )


def with_intermediate(program: Program, names: dict[str, str], known: Collection[str], made: Made) -> dict[str, str]:
    """New names also for the derived variables from which those with new names derive, and over which none of the
    `known` loops runs."""
    graph, loops, name = program.provenance, {*known, *names, *names.values()}, made.workspace.name
    new = dict(names)
    for relation in reversed(graph.of_schedule):
        if any(new.get(v, v) != v for v in derived_variables(relation)):
            for v in parents(relation):
                if not graph.is_original(v) and v not in loops:
                    new[v] = fresh_name(program, f"{v}_{name}")
    return new


def rename_relation(relation: Derivation, names: dict[str, str]) -> Derivation:
    """A relation among variables under other names."""
    match relation:
        case Split() | Divide():
            parent, outer, inner = (names.get(v, v) for v in (relation.parent, relation.outer, relation.inner))
            return replace(relation, parent=parent, outer=outer, inner=inner)
        case Collapse():
            outer, inner, fused = (names.get(v, v) for v in (relation.outer, relation.inner, relation.fused))
            return Collapse(outer, inner, fused)
        case Pos(coordinate=coordinate, position=position):
            return replace(relation, coordinate=names.get(coordinate, coordinate), position=names[position])
        case Coord(position=position, coordinate=coordinate, of=of):
            counted = rename_relation(of, {of.position: of.position, **names})
            assert isinstance(counted, Pos)
            return Coord(names.get(position, position), names[coordinate], counted)
        case Bound(parent=parent, bounded=bounded):
            return replace(relation, parent=names.get(parent, parent), bounded=names[bounded])


def check_reduction(program: Program, loop: Forall, leaf: Assign, name: str) -> None:
    """Refuse a loop over which nothing is reduced, or that goes over a part of what is."""
    if leaf.operator is None or is_stored(program, loop.index):
        raise ScheduleError(
            f"the loop over {loop.index} cannot go into what fills {name}: the format of an operand derives "
            f"{loop.index}, which is no variable of the expression",
            hint="convert the operand first, or take another part",
        )


def check_extent(program: Program, variable: str) -> None:
    """Refuse a variable over which no workspace can be laid out."""
    if program.provenance.format_relation_of(variable) is not None:
        raise ScheduleError(
            f"a workspace cannot count by {variable}: the format of an operand derives it",
            hint="convert the operand first, or precompute over other variables",
            rule="schedule.precompute.workspace",
        )
    copied = next((v for v in program.provenance.originals(variable) if is_copy(program, v)), None)
    if copied is not None:
        raise ScheduleError(
            f"a workspace cannot count by {variable}: it goes over {copied}, a copy, off the diagonal too",
            hint="precompute before the other command, or over other variables",
            rule="schedule.precompute.workspace",
        )
    if extent(program, variable) is None:
        raise ScheduleError(
            f"a workspace needs a known number of values, but that of {variable} depends on what is stored",
            hint=f"split({variable},...) first, and precompute over the inner loop",
            rule="schedule.precompute.workspace",
        )
    check_countable(program, (), variable)
    if isinstance(program.provenance.derivation_of(variable), Coord):
        raise ScheduleError(
            f"a workspace cannot count by {variable}: its values are coordinates that only positions give",
            hint="precompute before coord",
            rule="schedule.precompute.workspace",
        )


def is_copy(program: Program, variable: str) -> bool:
    """Whether a variable stands for another one at a second place of an access."""
    return isinstance(program.provenance.format_relation_of(variable), Same)


def refuse_large(name: str, format: Format, shape: tuple[int, ...]) -> None:
    """Refuse a workspace whose levels would not fit in memory before anything is stored."""
    count = positions(format, shape)
    if count > LARGEST:
        raise ScheduleError(
            f"the workspace {name} of shape {shape} in {format} needs {count} positions, more than {LARGEST}",
            hint="precompute over fewer variables or a smaller tile, or name a hashed format",
            rule="schedule.precompute.workspace",
        )
