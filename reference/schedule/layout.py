"""Layout: the modes of a workspace lie in the order in which what reads it visits them (SparseAuto, section 4.2).

A level can only be reached through those above it, so that a workspace is laid out again where the loops of its reader
come in another order. Only its producer and its consumer see how it is stored.
"""

from __future__ import annotations

from msgspec.structs import replace

from ..notation.syntax import Access
from ..statement.provenance import Provenance
from ..statement.statement import Assign, Program, Workspace, change_leaves, leaves, reads, rename_reads
from ..storage.format import Format

Modes = tuple[int, ...]


def lay_out(program: Program) -> Program:
    """The program with its workspaces in the order in which they are read.

    A workspace stays as it is if it is read in several orders, or if loops count its positions.
    """
    for workspace in program.workspaces:
        order = reading_order(program, workspace)
        if order is not None and order != tuple(workspace.format.stored_modes):
            program = lay_out_workspace(program, workspace, order)
    return program


def reading_order(program: Program, workspace: Workspace) -> Modes | None:
    """The modes of a workspace in the order in which loops visit them; None where that is not one order, or levels
    hold parts of modes."""
    graph, name = program.provenance, workspace.name
    if not workspace.format.map.is_permutation or any(each.access.tensor == name for each in graph.positions()):
        return None
    found = {
        visiting_order(graph, tuple(workspace.format.stored_modes), access, around)
        for leaf, around in leaves(program.statement, ())
        for access in reads(leaf)
        if access.tensor == name
    }
    return found.pop() if len(found) == 1 else None


def visiting_order(graph: Provenance, modes: Modes, access: Access, around: tuple[str, ...]) -> Modes | None:
    """The modes of an access in the order in which loops make their variables known; those that become known together
    as they are."""
    known: dict[int, int] = {}
    for depth in range(len(around) + 1):
        for mode, variable in zip(modes, access.levels, strict=True):
            if mode not in known and is_known(graph, variable, around[:depth]):
                known[mode] = depth
    return tuple(sorted(modes, key=known.__getitem__)) if len(known) == len(modes) else None


def is_known(graph: Provenance, variable: str, around: tuple[str, ...]) -> bool:
    """Whether loops give the value of a variable."""
    return graph.is_recoverable(variable, around) or graph.is_derivable(variable, around)


def lay_out_workspace(program: Program, workspace: Workspace, order: Modes) -> Program:
    """The program with the modes of a workspace in another order."""
    name, format = workspace.name, Format(workspace.format.levels, mode_order=order)
    before = workspace.format.stored_modes

    def reading(leaf: Assign) -> Assign:
        for access in reads(leaf):
            if access.tensor == name:
                levels = tuple(access.levels[before.index(mode)] for mode in order)
                leaf = rename_reads(leaf, {access: replace(access, levels=levels)})
        return leaf

    return replace(
        program,
        statement=change_leaves(program.statement, reading),
        workspaces=tuple(replace(w, format=format) if w.name == name else w for w in program.workspaces),
        tensors=tuple((t, replace(d, format=format) if t == name else d) for t, d in program.tensors),
    )
