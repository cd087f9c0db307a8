"""Flat workspaces: one mode in place of several, where nothing but one nest goes over what is stored.

Before, with a table of tables for `w`:                After:

    ∀i                                                     ∀i
      ∀j ∀k                                                  ∀jk
        T(i,j,k) = w(j,k)                                      T(i,j,k) = w(jk)
      where w:                                               where w:
        ∀l ∀j ∀k                                               ∀l ∀j ∀k ∀jk
          w(j,k) += A(i,l) * B(l,j,k)                            w(jk) += A(i,l) * B(l,j,k)

With `jk = j * K + k`, a component is found at once in an accumulator over all places, and what is stored is put in order
once. Tables would have to be found one in another, and are all as wide as the fullest one. (Liu 2021, section 3, finds
the components of a contraction by such linearised coordinates in one table.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from msgspec.structs import replace

from ..errors import ScheduleError
from ..levels.hashed import Hashed
from ..notation.extent import is_known
from ..notation.syntax import Access
from ..statement.relation import Collapse
from ..statement.statement import Assign, Forall, Program, Statement, Where, Workspace, change_leaves, foralls, reads
from ..statement.statement import Sequence as InOrder
from ..statement.statement import rename_reads, wrap_in_loops
from ..storage.format import Format
from ..storage.room import LARGEST, workspace_levels
from .flags import fillings, replace_workspace
from .nests import fresh_name
from .section import in_loops, peel_loops

Variables = tuple[str, ...]


def flatten_workspaces(program: Program) -> Program:
    """The program with one mode for each workspace of several that one nest alone reads. Raises ScheduleError for one
    that has too many places."""
    for workspace in program.workspaces:
        for where, _ in [*fillings(program.statement)]:
            if where.workspace == workspace.name and can_be_flat(program, where, workspace):
                program = flatten(program, where, workspace)
    return program


def can_be_flat(program: Program, where: Where, workspace: Workspace) -> bool:
    """Whether a workspace is a table of tables whose modes the loops of its reader go over first, and nobody else does.

    Its format must not have been asked for, and no loop may be tagged.
    """
    own, nest, leaf = reading_nest(where, workspace)
    plain = len(workspace.shape) > 1 and not workspace.asked and all(isinstance(e, Hashed) for e in levels_of(workspace))
    if not plain or not isinstance(leaf, Assign) or leaf.operator is not None or leaf.mask is not None:
        return False
    graph, variables = program.provenance, {loop.index for loop in own}
    others = [a for a in reads(program.statement) if a.tensor == workspace.name or a in reads(leaf)]
    mine = [a for a in others if a.tensor == workspace.name]
    if any(loop.tags for s in (where.consumer, where.producer) for loop in foralls(s)) or len(mine) != 1:
        return False
    apart = all(variables.isdisjoint(a.levels) for a in others if a not in mine)
    source = all(graph.is_original(v) and graph.format_relation_of(v) is None for v in variables)
    return apart and source and variables == {*mine[0].indices} and variables <= {*leaf.target.indices}


def levels_of(workspace: Workspace) -> tuple[object, ...]:
    """The levels of a workspace."""
    return workspace.format.levels


def reading_nest(where: Where, workspace: Workspace) -> tuple[list[Forall], list[Forall], Statement]:
    """The loops of what reads a workspace, as many as it has modes first, then the others, and what these enclose."""
    loops, leaf = peel_loops(where.consumer)
    count = len(workspace.shape)
    return loops[:count], loops[count:], leaf


def flatten(program: Program, where: Where, workspace: Workspace) -> Program:
    """The program with one mode for a workspace. Raises ScheduleError if that has too many places."""
    own, nest, leaf = reading_nest(where, workspace)
    assert isinstance(leaf, Assign)
    shape = tuple(dict(program.extents)[loop.index] for loop in own)
    refuse_large(workspace.name, shape)
    (read,) = (a for a in reads(leaf) if a.tensor == workspace.name)
    modes = [read.indices.index(loop.index) for loop in own]
    flat: dict[Variables, str] = {}

    def flattened(access: Access) -> Access:
        nonlocal program
        variables = tuple(access.indices[mode] for mode in modes)
        if variables not in flat:
            program, flat[variables] = collapse_variables(program, variables)
        return replace(access, indices=(flat[variables],), levels=(flat[variables],) if access.levels else ())

    def filling(s: Assign) -> Statement:
        if s.target.tensor != workspace.name:
            return s
        target = flattened(s.target)
        return wrap_in_loops(target.indices, replace(s, target=target))

    reading = flattened(read)
    consumer = wrap_in_loops(reading.indices, in_loops(tuple(nest), rename_reads(leaf, {read: reading})))
    producer = change_leaves(where.producer, filling)
    made = Where(consumer, producer, workspace.name)
    count = prod(shape)
    stored = replace(workspace, format=Format(workspace_levels((count,))), shape=(count,))
    statement = change_where(program.statement, where, made)
    return replace_workspace(replace(program, statement=statement), stored)


def collapse_variables(program: Program, variables: Sequence[str]) -> tuple[Program, str]:
    """The program with one more variable, into which some are collapsed, and its name."""
    fused = variables[0]
    for v in variables[1:]:
        name = fresh_name(program, f"{fused}{v}")
        program = replace(program, provenance=program.provenance.extend(Collapse(fused, v, name)))
        fused = name
    return program, fused


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


def refuse_large(name: str, shape: Sequence[int]) -> None:
    """Refuse a workspace with more places than there may be. Raises ScheduleError."""
    count = prod(shape)
    if all(map(is_known, shape)) and count > LARGEST:
        raise ScheduleError(
            f"the workspace {name} of shape {tuple(shape)} has {count} places, and modes=flat allows {LARGEST}",
            hint="write modes=nested, or reorder the loops so that the workspace has fewer modes",
            rule="schedule.modes",
        )
