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
from ..levels.hashed import Hashed
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
from ..statement.statement import Sequence as InOrder
from ..statement.tags import GPU
from ..storage.format import Format
from ..storage.room import LARGEST, workspace_levels
from .flags import fillings, replace_workspace
from .nests import fresh_name
from .parallelize import tagged_units
from .section import in_loops, peel_loops

Variables = tuple[str, ...]


def flatten_workspaces(program: Program) -> Program:
    """The program with one mode for each workspace of several that one nest alone reads, unless units of a GPU run it:
    they keep flags for all places. Raises ScheduleError for one that has too many places."""
    if any(unit in GPU for unit in tagged_units(program.statement)):
        return program
    for workspace in program.workspaces:
        where = next((w for w, _ in fillings(program.statement) if w.workspace == workspace.name), None)
        reader = None if where is None else Reader.of(program, where, workspace)
        if reader is not None:
            program = flatten(program, reader, workspace)
    return program


class Reader(Struct, frozen=True):
    """What reads a workspace: loops over each of its modes, those inside, and the assignment that these enclose."""

    where: Where
    own: tuple[Forall, ...]
    inside: tuple[Forall, ...]
    leaf: Assign
    read: Access

    @classmethod
    def of(cls, program: Program, where: Where, workspace: Workspace) -> Reader | None:
        """What reads a workspace that can be flat; None if it cannot: where its format was asked for or is no table of
        tables, something else goes over the coordinates that it stores, it is filled by parts of variables, or loops
        are tagged."""
        loops, leaf = peel_loops(where.consumer)
        count, reading = len(workspace.shape), [a for a in reads(program.statement) if a.tensor == workspace.name]
        nested = count > 1 and all(isinstance(level, Hashed) for level in workspace.format.levels)
        tagged = any(loop.tags for s in (where.consumer, where.producer) for loop in foralls(s))
        filled = [(s.target, around) for s, around in leaves(where.producer, ()) if s.target.tensor == workspace.name]
        whole = all({*target.indices} <= {*around} for target, around in filled)
        if not (nested and whole) or workspace.asked or tagged or len(reading) != 1 or not isinstance(leaf, Assign):
            return None
        found = cls(where, tuple(loops[:count]), tuple(loops[count:]), leaf, reading[0])
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
    """The program with one mode for a workspace. Raises ScheduleError if that has too many places."""
    extents, where, name = dict(program.extents), reader.where, workspace.name
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
    program = replace(program, statement=change_where(program.statement, where, made))
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


def change_where(s: Statement, old: Where, new: Where) -> Statement:
    """The statement with another branch in the place of one."""
    if s == old:
        return new
    match s:
        case Assign():
            return s
        case Forall(body=body):
            return replace(s, body=change_where(body, old, new))
        case Where(consumer=consumer, producer=producer):
            return replace(s, consumer=change_where(consumer, old, new), producer=change_where(producer, old, new))
        case InOrder(statements=statements):
            return InOrder(tuple(change_where(each, old, new) for each in statements))
