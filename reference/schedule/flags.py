"""Flags: what a workspace must know of which components are present (SparseAuto, section 4.2: dense temporaries).

Absent is not fill: absent times infinity stays absent, so that a workspace has a flag for each component. Not where the
producer stores all components together: then one flag tells, or none if they are stored whenever it runs.

    ∀j                                          T holds each m as soon as there is some k: one flag.
      A(j,m) += T(m) * C(j) …                   Were D in CSR, T would hold those m that rows of D have: a flag
      where T: ∀k∈B ∀m T(m) += B(j,k) * D(k,m)  for each.

It is dense then: nothing is looked up, sorted or tested when it is read.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..levels.accumulator import Accumulator
from ..levels.bitmap import Bitmap
from ..levels.dense import Dense
from ..levels.hashed import Hashed
from ..notation.syntax import Access, Fill, accesses
from ..statement.iteration_graph import is_random_access
from ..statement.provenance import Provenance
from ..statement.relation import Bound, Coord, Pos, Same, Split
from ..statement.statement import Assign, Flags, Forall, Program, Statement, Where, Workspace, reads
from ..statement.statement import Sequence as InOrder
from ..statement.substitution import Background, annihilates, background_of, substitute
from ..statement.tags import Parallel
from ..storage.assemblable import FLAGGED
from ..storage.format import Format
from ..storage.room import LARGEST, positions
from .layout import is_known
from .legality import shares_original
from .section import peel_loops

ASKED, CHOSEN = FLAGGED, (Accumulator, *FLAGGED, Hashed)


def settle_flags(program: Program) -> Program:
    """The program with every workspace dense whose components are all stored together."""
    for where, around in fillings(program.statement):
        workspace = program.workspace[where.workspace]
        flags = needed_flags(program, where, around)
        if flags is not Flags.EACH and can_be_dense(program, workspace):
            program = with_flags(program, workspace, flags)
    return program


def with_bitmaps(program: Program) -> Program:
    """The program with a flag at each place of workspaces that would keep lists or tables of what they store.

    Nothing is appended, looked up or sorted then, so that those who fill different components do not meet. Workspaces
    whose format was asked for stay as they are, and so do those that are too large.
    """
    for workspace in program.workspaces:
        levels = workspace.format.levels
        if can_be_dense(program, workspace) and isinstance(levels[-1], Accumulator | Hashed):
            dense = dense_format(workspace)
            format = dataclasses.replace(dense, levels=(*dense.levels[:-1], Bitmap()))
            program = replace_workspace(program, replace(workspace, format=format))
    return program


def fillings(s: Statement, around: tuple[str, ...] = ()) -> Iterator[tuple[Where, tuple[str, ...]]]:
    """Where workspaces are filled, with the loops around, each after those that fill it."""
    match s:
        case Assign():
            return
        case Forall(index=index, body=body):
            yield from fillings(body, (*around, index))
        case Where(consumer=consumer, producer=producer):
            yield from fillings(producer, around)
            yield s, around
            yield from fillings(consumer, around)
        case InOrder(statements=statements):
            for each in statements:
                yield from fillings(each, around)


def can_be_dense(program: Program, workspace: Workspace) -> bool:
    """Whether a workspace may be stored densely: its format is not one that was asked for, it fits, and no loop counts
    its positions."""
    format, kinds = workspace.format, ASKED if workspace.asked else CHOSEN
    counted = any(each.access.tensor == workspace.name for each in program.provenance.positions())
    if counted or not format.levels or not format.map.is_permutation:
        return False
    fits = positions(dense_format(workspace), workspace.shape) <= LARGEST
    return fits and all(isinstance(level, kinds) for level in format.levels)


def dense_format(workspace: Workspace) -> Format:
    """Dense levels, for the modes in the order that they have."""
    return Format((Dense(),) * len(workspace.shape), mode_order=workspace.format.stored_modes)


def with_flags(program: Program, workspace: Workspace, flags: Flags) -> Program:
    """The program with a workspace that is dense."""
    return replace_workspace(program, replace(workspace, format=dense_format(workspace), flags=flags))


def replace_workspace(program: Program, changed: Workspace) -> Program:
    """The program with a workspace in another format."""
    name, format = changed.name, changed.format
    return replace(
        program,
        workspaces=tuple(changed if w.name == name else w for w in program.workspaces),
        tensors=tuple((t, replace(d, format=format) if t == name else d) for t, d in program.tensors),
    )


def needed_flags(program: Program, where: Where, around: tuple[str, ...]) -> Flags:
    """What a workspace must know of its components, as its producer fills it.

    They are stored together if the loops over its variables go over all their values, whatever stands around, and what
    the assignment reads has all components along them.
    """
    filling = path_to(where.producer)
    if filling is None or filling.leaf.mask is not None or missing_counts(filling.leaf, background_of(program)):
        return Flags.EACH
    graph, target = program.provenance, filling.leaf.target
    own = [loop.index for loop in filling.loops if depends(graph, loop.index, target.indices)]
    apart = {loop.index for loop in filling.loops[: filling.branch or 0]}
    if not apart.isdisjoint(own) or any(shares_flag(graph, loop) for loop in filling.loops):
        return Flags.EACH
    if any(is_other_part(graph, loop, v) for loop in own for v in target.indices):
        return Flags.EACH
    if not all(counts_components(graph, v, target) for v in own):
        return Flags.EACH
    if not all(graph.is_recoverable(v, own) for v in target.indices):
        return Flags.EACH
    if not all(holds_all(program, access, own, around) for access in reads(filling.leaf)):
        return Flags.EACH
    always = len(own) == len(filling.loops) and filling.branch is None and filling.leaf.operator is None
    return Flags.NONE if always else Flags.ONE


class Filling(Struct, frozen=True):
    """How a workspace is filled: the loops down to the assignment, of which the first ones, `branch`, stand around
    other workspaces; None if there are no others."""

    loops: tuple[Forall, ...]
    branch: int | None
    leaf: Assign


def path_to(s: Statement) -> Filling | None:
    """How a producer fills its workspace; None if it does so in several statements."""
    loops: list[Forall] = []
    branch = None
    while not isinstance(s, Assign):
        match s:
            case Forall(body=body):
                loops.append(s)
                s = body
            case Where(consumer=consumer):
                branch = len(loops)
                s = consumer
            case InOrder():
                return None
    return Filling(tuple(loops), branch, s)


def goes_over_components(graph: Provenance, s: Statement) -> bool:
    """Whether a statement is an assignment inside loops over the components of its target alone."""
    loops, leaf = peel_loops(s)
    return isinstance(leaf, Assign) and all(depends(graph, loop.index, leaf.target.indices) for loop in loops)


def shares_flag(graph: Provenance, loop: Forall) -> bool:
    """Whether iterations that run at once would share a flag: it is set before lanes over nothing but components."""
    units = {tag.unit for tag in loop.tags if isinstance(tag, Parallel)}
    return bool(units) and not (units == {"CPUVector"} and goes_over_components(graph, loop))


def missing_counts(leaf: Assign, background: Background) -> bool:
    """Whether a contribution counts to which everything that is read is missing."""
    if leaf.operator is None:
        return False
    value = substitute(leaf.value, frozenset(accesses(leaf.value)), background)
    return not (isinstance(value, Fill) and annihilates(leaf.operator.left_identity, value))


def depends(graph: Provenance, variable: str, others: Iterable[str]) -> bool:
    """Whether a variable and one of some others come from one variable of the expression."""
    return any(source_variables(graph, variable) & source_variables(graph, v) for v in others)


def source_variables(graph: Provenance, variable: str) -> frozenset[str]:
    """The variables of the expression from which the schedule and formats derive one."""
    found: set[str] = set()
    for each in graph.originals(variable):
        match graph.format_relation_of(each):
            case Split(parent=parent):
                found.add(parent)
            case Same(original=original):
                found.add(original)
            case _:
                found.add(each)
    return frozenset(found)


def is_other_part(graph: Provenance, variable: str, target: str) -> bool:
    """Whether a loop goes over another part of what a variable of a target is a part of: it may have no iteration
    where that has some value."""
    is_descendant = target in graph.lineage(variable) or variable in graph.lineage(target)
    return shares_original(graph, variable, target) and not is_descendant


def counts_components(graph: Provenance, variable: str, target: Access) -> bool:
    """Whether a loop goes over coordinates of a target and nothing else, of whose range a schedule has said nothing."""
    every = frozenset().union(*[source_variables(graph, v) for v in target.indices])
    narrowed = any(isinstance(graph.derivation_of(v), Pos | Coord | Bound) for v in graph.lineage(variable))
    return source_variables(graph, variable) <= every and not narrowed


def holds_all(program: Program, access: Access, own: Sequence[str], around: tuple[str, ...]) -> bool:
    """Whether an access, as far as it is not known yet, has all components along the loops over some variables."""
    graph, format = program.provenance, program.formats[access.tensor]
    if not any(depends(graph, v, own) for v in access.indices):
        return True
    if not format.map.is_permutation:
        return False
    unknown = [n for n, v in enumerate(access.levels) if not is_known(graph, v, around)]
    first = next((n for n in unknown if depends(graph, access.levels[n], own)), len(access.levels))
    return all(level.full and is_random_access(level) for level in format.levels[first:])
