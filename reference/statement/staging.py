"""Staging: a result that the loops do not visit in storage order is assembled through a workspace.

Before, in the order that a schedule asks for: `∀i ∀k ∀j C(i,j) += A(i,k) * B(k,j)`, where C is appended to. After:

    ∀i
      ∀j
        C(i,j) = w(j)
      where w:
        ∀k
          ∀j
            w(j) += A(i,k) * B(k,j)

The loops that visit the result in storage order stay around both; the workspace has the modes that they leave open.
A schedule is applied to the statement without this workspace, which nobody asked for: `dissolve` takes it out,
`stage` puts one where the loops still need it. (Kjolstad 2019; Senanayake 2020, section 4.)
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ..algebra.dtypes import same_value
from ..notation.elaboration import fresh_name
from ..notation.syntax import Access
from ..storage.declaration import Declaration
from ..storage.format import Format
from ..storage.room import workspace_levels
from .expansion import remaining_loops
from .iteration_graph import appended_prefix
from .masking import copy_masks, inline_copies
from .provenance import Provenance
from .relation import Collapse, Coord, Divide, Split, parents
from .statement import (
    Assign,
    Forall,
    Program,
    Sequence,
    Statement,
    Where,
    Workspace,
    assignments,
    leaves,
    wrap_in_loops,
)
from .substitution import annihilates, background_of, without_operands


def dissolve(program: Program) -> Program:
    """The program without the workspace through which its result is assembled, whose contents `staging` remembers, and
    without copies of what masks read."""
    program, staging = inline_copies(program), program.staging
    if staging is None or staging.name not in program.workspace:
        return program
    return replace(
        program,
        statement=dissolve_statement(program.statement, staging.name),
        workspaces=tuple(w for w in program.workspaces if w.name != staging.name),
        tensors=tuple((name, declared) for name, declared in program.tensors if name != staging.name),
    )


def dissolve_statement(s: Statement, name: str) -> Statement:
    """A statement whose result is computed where a workspace was."""
    match s:
        case Assign():
            return s
        case Forall(index=index, body=body, tags=tags):
            return Forall(index, dissolve_statement(body, name), tags)
        case Where(consumer=consumer, producer=producer, workspace=workspace):
            if workspace == name:
                (copy,) = assignments(consumer)
                return redirect(producer, name, copy.target)
            return Where(dissolve_statement(consumer, name), producer, workspace)
        case Sequence(statements=statements):
            return Sequence(tuple(dissolve_statement(each, name) for each in statements))


def redirect(s: Statement, name: str, target: Access) -> Statement:
    """A statement that assigns to another target than to the tensor of this name."""
    match s:
        case Assign(target=old):
            return replace(s, target=target) if old.tensor == name else s
        case Forall(index=index, body=body, tags=tags):
            return Forall(index, redirect(body, name, target), tags)
        case Where(consumer=consumer, producer=producer, workspace=workspace):
            return Where(redirect(consumer, name, target), producer, workspace)
        case Sequence(statements=statements):
            return Sequence(tuple(redirect(each, name, target) for each in statements))


def stage(program: Program) -> Program:
    """The program with a workspace for its result, and with copies for its masks, if its loops need them."""
    return copy_masks(stage_result(program))


def stage_result(program: Program) -> Program:
    """The program with a workspace for its result, if its loops need one.

    A result of several assignments, or whose map is no order of its modes, stays as it is.
    """
    found = list(leaves(program.statement, ()))
    own = [(leaf, around) for leaf, around in found if leaf.target.tensor == program.result]
    if len(own) != 1 or not own[0][0].target.levels or not program.formats[program.result].map.is_permutation:
        return program
    leaf, around = own[0]
    contents = contents_of(program, leaf)
    if contents is None and visits_in_order(program, leaf.target, around):
        return replace(program, staging=None)
    return stage_through(program, leaf, around, shared_loops(program, leaf.target, around), contents)


def shared_loops(program: Program, target: Access, around: tuple[str, ...]) -> tuple[str, ...]:
    """The outermost loops that visit a result in storage order: the consumer of the workspace stands inside them.

    It cannot stand inside a loop over a part of an operand's block, nor inside one over a part of a variable whose
    other parts are collapsed with those of other variables: it would run as often as these have values. Nor can it
    inside one over a part of positions whose other parts are not shared: it reads no operand that has these.
    """
    graph, wanted = program.provenance, appended_loops(program, target, passed_variables(program, around))
    turned = {v for relation in transposing_collapses(program, target, around) for v in graph.offspring(relation.outer)}
    found: list[str] = []
    for variable in around:
        parts = counted_parts(graph, variable)
        in_block = any(graph.format_relation_of(v) is not None for v in graph.originals(variable))
        if wanted[: len(parts)] != parts or variable in turned or in_block:
            break
        wanted = wanted[len(parts) :]
        found.append(variable)
    while open_ := [k for k, v in enumerate(found) if is_completed_apart(graph, v, around, found)]:
        del found[open_[0] :]
    return tuple(found)


def is_completed_apart(graph: Provenance, variable: str, around: tuple[str, ...], shared: list[str]) -> bool:
    """Whether a loop that is not shared counts an original of a variable, together with other originals or by
    positions."""
    derived = {leaf for v in graph.originals(variable) for leaf in remaining_loops(graph, v, around)}
    apart = (leaf for leaf in derived if leaf not in shared)
    return any(len(graph.originals(leaf)) > 1 or graph.space_of(leaf) is not None for leaf in apart)


def passed_variables(program: Program, around: tuple[str, ...]) -> tuple[str, ...]:
    """The variables that loops count through, outer ones first: for collapsed loops those that were collapsed."""
    return tuple(v for loop in around for v in counted_parts(program.provenance, loop))


def appended_variables(program: Program, target: Access, around: Iterable[str]) -> tuple[str, ...]:
    """The variables, as they are before any schedule, in the order in which these loops have to visit a result."""
    there = {original for v in around for original in program.provenance.originals(v)}
    loops = {v: program.provenance.loops(v, there) or (v,) for v in target.levels}
    return appended_prefix(target, program.formats[target.tensor], loops)


def appended_loops(program: Program, target: Access, around: tuple[str, ...]) -> tuple[str, ...]:
    """The loops that have to be outermost, in this order, for a result to be appended to."""
    graph = program.provenance
    prefix = appended_variables(program, target, around)
    return tuple(dict.fromkeys(v for original in prefix for v in remaining_loops(graph, original, around)))


def visits_in_order(program: Program, target: Access, around: tuple[str, ...]) -> bool:
    """Whether loops visit a result in the order in which it is appended to."""
    order = passed_variables(program, around)
    wanted = appended_loops(program, target, order)
    return order[: len(wanted)] == wanted and not transposing_collapses(program, target, around)


def transposing_collapses(program: Program, target: Access, around: tuple[str, ...]) -> list[Collapse]:
    """The collapsed loops that visit their variables in another order than a result is appended to in.

    So do those that count other variables between two by which it is appended to.
    """
    graph = program.provenance
    prefix = appended_variables(program, target, around)
    found = []
    for relation in (r for r in graph.of_schedule if isinstance(r, Collapse) and graph.leads_to(r, around)):
        order = (*counted_parts(graph, relation.outer), *counted_parts(graph, relation.inner))
        wanted = tuple(v for original in prefix for v in remaining_loops(graph, original, (*order, *around)))
        if not set(order).isdisjoint(wanted) and not counts_in_order(order, wanted):
            found.append(relation)
    return found


def counts_in_order(order: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether a loop over some variables counts a run of wanted ones, and others only inside the last of these."""
    own = tuple(v for v in wanted if v in order)
    begin = wanted.index(own[0])
    is_run = wanted[begin : begin + len(own)] == own == order[: len(own)]
    return is_run and (len(own) == len(order) or begin + len(own) == len(wanted))


def counted_parts(graph: Provenance, variable: str) -> tuple[str, ...]:
    """The variables that a loop counts through, outer ones first, down to originals and parts of splits."""
    match graph.derivation_of(variable):
        case None | Split() | Divide():
            return (variable,)
        case Coord(of=of):
            return counted_parts(graph, of.coordinate)
        case relation:
            return tuple(v for parent in parents(relation) for v in counted_parts(graph, parent))


def contents_of(program: Program, leaf: Assign) -> Workspace | None:
    """The workspace that a result needs whatever the order of the loops: contributions cannot be folded in the result
    where it has another dtype, or begins with something else."""
    staging, name = program.staging, program.result
    if staging is None:
        return None
    alike = staging.dtype == program.dtypes[name] and same_value(staging.missing, program.fills[name])
    return None if alike and folds(program, leaf) else staging


def folds(program: Program, leaf: Assign) -> bool:
    """Whether missing contributions leave a result as it is."""
    if leaf.operator is None:
        return True
    return annihilates(leaf.operator.left_identity, without_operands(leaf.value, background_of(program)))


def stage_through(
    program: Program, leaf: Assign, around: tuple[str, ...], shared: tuple[str, ...], contents: Workspace | None
) -> Program:
    """The program whose result is computed into a workspace, inside the loops that it shares with what reads it."""
    target = leaf.target
    order = open_loops(program, target, around, shared)
    kept = tuple(v for v in target.indices if set(remaining_loops(program.provenance, v, around)) - set(shared))
    modes = tuple(kept.index(v) for v in target.levels if v in kept)
    workspace = new_workspace(program, kept, modes, contents)
    read = Access(workspace.name, kept, tuple(kept[m] for m in modes), dtype=workspace.dtype)
    consumer = wrap_in_loops(order, Assign(target, read))
    filled = Access(workspace.name, kept)
    declared = Declaration(workspace.format, workspace.dtype, workspace.missing)
    return replace(
        program,
        statement=insert_consumer(program.statement, len(shared), consumer, filled, target.tensor),
        workspaces=(*program.workspaces, workspace),
        tensors=(*program.tensors, (workspace.name, declared)),
        staging=workspace,
    )


def open_loops(program: Program, target: Access, around: tuple[str, ...], shared: tuple[str, ...]) -> tuple[str, ...]:
    """The loops that visit the rest of a result in storage order, inside the shared ones."""
    found: list[str] = []
    for variable in target.levels:
        parts = remaining_loops(program.provenance, variable, around)
        open_ = [v for v in parts if v not in shared]
        found += [] if not open_ else open_ if len(open_) < len(parts) else [variable]
    return tuple(dict.fromkeys(found))


def new_workspace(
    program: Program, kept: tuple[str, ...], modes: tuple[int, ...], contents: Workspace | None
) -> Workspace:
    """A workspace over these variables, of which loops visit the modes in this order."""
    extents = dict(program.extents)
    shape = tuple(extents[v] for v in kept)
    known = contents or program.staging
    name = fresh_name("w" if program.staging is None else program.staging.name, program.names)
    dtype = program.dtypes[program.result] if known is None else known.dtype
    missing = program.fills[program.result] if known is None else known.missing
    return Workspace(name, Format(workspace_levels(list(shape)), mode_order=modes), shape, dtype, missing)


def insert_consumer(s: Statement, depth: int, consumer: Statement, filled: Access, result: str) -> Statement:
    """A statement in which a consumer reads, inside so many loops, what the statement there computes."""
    match s:
        case Forall(index=index, body=body, tags=tags) if depth:
            return Forall(index, insert_consumer(body, depth - 1, consumer, filled, result), tags)
        case Where(consumer=inner, producer=producer, workspace=workspace) if depth:
            return Where(insert_consumer(inner, depth, consumer, filled, result), producer, workspace)
        case _:
            return Where(consumer, redirect(s, result, filled), filled.tensor)
