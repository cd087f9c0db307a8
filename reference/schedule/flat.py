"""Flat workspaces: one mode in place of several, where nothing but one nest goes over what is stored.

Before, with a table of tables for `w`:                After:

    ∀i                                                     ∀i
      ∀j ∀k                                                  ∀jk
        T(i,j,k) = w(j,k)                                      T(i,j,k) = w(jk)
      where w:                                               where w:
        ∀l ∀j ∀k                                               ∀l ∀j ∀k ∀jk
          w(j,k) += A(i,l) * B(l,j,k)                            w(jk) += A(i,l) * B(l,j,k)

With `jk = j * K + k` (Senanayake 2020, section 3.3: collapse), a component is found at once in an accumulator over all
places, and the components that are stored are put in order once. Tables are found one in another, and all tables of a
level are as wide as the fullest one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from ..errors import ScheduleError
from ..levels.level import Widen
from ..notation.extent import is_known
from ..notation.syntax import Access
from ..statement.provenance import Provenance
from ..statement.relation import Collapse
from ..statement.statement import (
    Assign,
    Forall,
    Program,
    Statement,
    Where,
    Workspace,
    assignments,
    change_leaves,
    foralls,
    leaves,
    reads,
    rename_reads,
)
from ..statement.tags import GPU
from ..storage.format import Format
from ..storage.room import LARGEST, workspace_levels
from .flags import replace_workspace
from .nests import fresh_name
from .parallelize import tagged_units
from .section import Section, in_loops, peel_loops, sections, with_section

Variables = tuple[str, ...]


def flatten_workspaces(program: Program) -> Program:
    """The program with a single mode for each workspace of several modes that is read by a single loop nest.

    Workspaces of kernels for GPUs keep all modes: such a workspace has a flag for each place anyway. Raises
    ScheduleError for a workspace with too many places.
    """
    if any(unit in GPU for unit in tagged_units(program.statement)):
        return program
    for workspace in program.workspaces:
        for section in list(sections(program.statement)):
            reader = Reader.of(program, section, workspace)
            if reader is not None:
                program = flatten(program, reader, workspace)
    return program


class Reader(Struct, frozen=True):
    """The reader of a workspace, in the section that branches there: the loops over the modes of the workspace, the
    loops inside these, and the assignment that all of these loops enclose."""

    section: Section
    where: Where
    own: tuple[Forall, ...]
    inside: tuple[Forall, ...]
    leaf: Assign
    read: Access

    @classmethod
    def of(cls, program: Program, section: Section, workspace: Workspace) -> Reader | None:
        """The reader of a workspace that a section branches for and that can be flat. None if the workspace cannot: if
        the format of the workspace was asked for or is no table of tables, something else goes over the coordinates
        that the workspace stores, parts of variables fill the workspace, or loops are tagged."""
        where = section.end
        if not isinstance(where, Where) or where.workspace != workspace.name:
            return None
        loops, leaf = peel_loops(where.consumer)
        count, reading = len(workspace.shape), [a for a in reads(program.statement) if a.tensor == workspace.name]
        nested = count > 1 and all(isinstance(level, Widen) for level in workspace.format.levels)
        tagged = any(loop.tags for s in (where.consumer, where.producer) for loop in foralls(s))
        filled = [(s.target, around) for s, around in leaves(where.producer, ()) if s.target.tensor == workspace.name]
        whole = all({*target.indices} <= {*around} for target, around in filled)
        if not (nested and whole) or workspace.asked or tagged or len(reading) != 1 or not isinstance(leaf, Assign):
            return None
        found = cls(section, where, tuple(loops[:count]), tuple(loops[count:]), leaf, reading[0])
        return found if found.goes_over_it_alone(program.provenance) else None

    @property
    def variables(self) -> Variables:
        """The variables over the modes, in the order of the loops."""
        return tuple(loop.index for loop in self.own)

    def goes_over_it_alone(self, graph: Provenance) -> bool:
        """Whether the loops over the modes tell apart what is assigned to, and nothing else is found by them."""
        own, others = {*self.variables}, (a for a in reads(self.leaf) if a != self.read)
        plain = all(graph.is_original(v) and graph.format_relation_of(v) is None for v in own)
        told = own == {*self.read.indices} and own <= {*self.leaf.target.indices}
        return plain and told and all(own.isdisjoint(a.levels) for a in others)


def flatten(program: Program, reader: Reader, workspace: Workspace) -> Program:
    """The program with one mode for a workspace. Raises ScheduleError if the workspace has too many places."""
    extents, section, where, name = dict(program.extents), reader.section, reader.where, workspace.name
    count = places(name, [extents[v] for v in reader.variables])
    modes = [reader.read.indices.index(v) for v in reader.variables]
    targets = [leaf.target for leaf in assignments(where.producer) if leaf.target.tensor == name]
    flat = dict[Variables, str]()
    for access in (reader.read, *targets):
        variables = tuple(access.indices[mode] for mode in modes)
        if variables not in flat:
            program, flat[variables] = collapse_variables(program, variables)

    def variable(access: Access) -> str:
        return flat[tuple(access.indices[mode] for mode in modes)]

    def fill_flat(leaf: Assign) -> Statement:
        if leaf.target.tensor != name:
            return leaf
        by = variable(leaf.target)
        return Forall(by, replace(leaf, target=replace(leaf.target, indices=(by,), levels=())))

    by = variable(reader.read)
    leaf = rename_reads(reader.leaf, {reader.read: replace(reader.read, indices=(by,), levels=(by,))})
    made = Where(Forall(by, in_loops(reader.inside, leaf)), change_leaves(where.producer, fill_flat), name)
    statement = with_section(program.statement, section.path, in_loops(section.loops, made))
    program = replace(program, statement=statement)
    return replace_workspace(program, replace(workspace, format=Format(workspace_levels((count,))), shape=(count,)))


def places(name: str, shape: Sequence[int]) -> int:
    """How many places a workspace of some shape has. Raises ScheduleError for more than fit in memory."""
    count = prod(shape)
    if all(map(is_known, shape)) and count > LARGEST:
        raise ScheduleError(
            f"the workspace {name} of shape {tuple(shape)} has {count} places, more than the {LARGEST} of modes=flat",
            hint="write modes=nested, or reorder the loops so that the workspace has fewer modes",
            rule="schedule.modes",
        )
    return count


def collapse_variables(program: Program, variables: Variables) -> tuple[Program, str]:
    """The program with one more variable, into which some are collapsed, and its name."""
    graph, fused = program.provenance, variables[0]
    for n, v in enumerate(variables[1:], 2):
        name = fresh_name(program, "".join(variables[:n]))
        graph, fused = graph.extend(Collapse(fused, v, name)), name
    return replace(program, provenance=graph), fused
