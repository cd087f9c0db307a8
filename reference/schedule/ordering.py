"""Ordering: operands whose coordinates loops would have to put in order are copied in order first.

Before, where the rows of A are stored in any order: `∀i [GPUBlock NoRaces] ∀j y(i) += A(i,j) * x(j)`. After:

    ∀i [GPUBlock NoRaces]
      ∀j
        y(i) += A_ordered(i,j) * x(j)
    where A_ordered:
      ∀i1
        ∀j1
          A_ordered(i1,j1) = A(i1,j1)

The copy has the components that the operand has, each once: duplicates stand for their sum. It is for those who have no
memory to sort in while they run, as threads of a GPU; whoever makes the copy sorts. A copy is not made where a loop
counts positions of a level that does not keep each coordinate once, one after another: it would have others; nor where
storage numbers diagonals or slots.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Hashable, Iterator

from msgspec.structs import replace

from ..levels.compressed import Compressed
from ..levels.level import CoordinatePositionIteration
from ..loops.plan import (
    AssignPlan,
    LoopPlan,
    Node,
    ParallelPlan,
    Placement,
    Planner,
    SequencePlan,
    WherePlan,
)
from ..loops.verifier import cases
from ..notation.elaboration import fresh_name
from ..notation.syntax import Access
from ..statement.iteration_graph import is_random_access
from ..statement.nest import Nest
from ..statement.provenance import Provenance
from ..statement.relation import Coord, Derivation, Pos, variables_of
from ..statement.statement import (
    Assign,
    Program,
    Where,
    Workspace,
    change_leaves,
    foralls,
    reads,
    rename_accesses,
    wrap_in_loops,
)
from ..storage.format import Format


def with_ordered_copies(program: Program) -> Program:
    """The program in which loops read ordered copies of operands whose coordinates they would have to put in order, as
    far as copies may be made."""
    tensor = next((name for name in sorted_operands(program) if may_be_copied(program, name)), None)
    return program if tensor is None else with_ordered_copies(with_ordered_copy(program, tensor))


def sorted_operands(program: Program) -> Iterator[str]:
    """The operands whose coordinates the loops of a program put in order, but for those that make ordered copies."""
    listed = sorted_tensors(Planner(program).root(), program.ordered)
    return (name for name in listed if name not in program.workspace)


def sorted_tensors(node: Node, ordered: Collection[str]) -> Iterator[str]:
    """The tensors whose coordinates the loops of a plan put in order, but for those that make ordered copies."""
    seen: set[Hashable] = set()
    left = [node]
    while left:
        node = left.pop()
        if isinstance(node, LoopPlan):
            around = node.surroundings
            known = (node.statement, around.fused, around.duplicated, around.optional)
            if known in seen:
                continue
            seen.add(known)
            yield from (p.active.access.tensor for p in node.coiterated if sorts(node, p))
        left += reversed(parts(node, ordered))


def parts(node: Node, ordered: Collection[str]) -> tuple[Node, ...]:
    """What a part of a plan is made of, a loop of its cases, without loops that make ordered copies."""
    match node:
        case LoopPlan(body=body, statement=s):
            return (body, *cases(node)) if any(foralls(s.body)) else ()
        case ParallelPlan(loop=loop):
            return (loop,)
        case WherePlan(statement=s, producer=producer, consumer=consumer, without=without):
            every = (None if s.workspace in ordered else producer, consumer, without)
            return tuple(part for part in every if part is not None)
        case SequencePlan():
            return node.parts
        case AssignPlan():
            return ()


def sorts(loop: LoopPlan, placement: Placement) -> bool:
    """Whether a loop has to list the coordinates of a level: coordinates that are out of order, those below several
    duplicates that do not lie side by side, or duplicates with positions between them that hold no coordinate."""
    active, strategy = placement.active, loop.strategy
    level, above, many = active.level, loop.level_above(active), placement.duplicated
    walked = isinstance(level, CoordinatePositionIteration)
    apart = level.unique or active.access in loop.inside.fused
    gathers = not apart if walked else many
    if not level.ordered and (strategy.ordered or gathers):
        return True
    aligned = all(each is not None and each.ordered and each.compact for each in (above, level))
    return (many and not (walked and aligned)) or (gathers and not level.compact)


def may_be_copied(program: Program, tensor: str) -> bool:
    """Whether a tensor is an operand of which a copy has the positions that loops count, if they count any."""
    format = program.formats[tensor]
    counted = any(each.access.tensor == tensor for each in program.provenance.positions())
    keeps = all(level.unique and level.compact for level in format.levels)
    return not format.map.has_rank and (keeps or not counted)


def with_ordered_copy(program: Program, tensor: str) -> Program:
    """The program that reads an ordered copy of an operand, made before everything else."""
    graph, taken, extents = program.provenance, {*program.names}, dict(program.extents)
    taken |= {v for relation in graph.of_formats for v in variables_of(relation)}

    def fresh(stem: str) -> str:
        name = fresh_name(stem, taken)
        taken.add(name)
        return name

    declared = dict(program.tensors)[tensor]
    format, name = order_levels(declared.format), fresh(f"{tensor}_ordered")
    read = next(access for access in reads(program.statement) if access.tensor == tensor)
    own = tuple(map(fresh, read.indices))
    extents |= {new: extents[old] for new, old in zip(own, read.indices, strict=True)}
    nest = Nest({tensor: declared.format, name: format}, {}, fresh, extents)
    source, target = nest.bind(replace(read, indices=own, levels=())), nest.bind_result(Access(name, own))
    assert source is not None and target is not None
    made = replace(declared, format=format)
    copied = Workspace(name, format, tuple(extents[v] for v in own), made.dtype, made.fill)

    def with_copy(leaf: Assign) -> Assign:
        names = {a: replace(a, tensor=name) for a in reads(leaf) if a.tensor == tensor}
        mask = leaf.mask and replace(leaf.mask, value=rename_accesses(leaf.mask.value, names))
        return replace(leaf, value=rename_accesses(leaf.value, names), mask=mask)

    consumer = change_leaves(program.statement, with_copy)
    relations = tuple(by_copy(each, tensor, name) for each in graph.of_schedule)
    return replace(
        program,
        statement=Where(consumer, wrap_in_loops(source.levels, Assign(target, source)), name),
        provenance=Provenance((*graph.of_formats, *nest.relations()), relations),
        workspaces=(*program.workspaces, copied),
        tensors=(*program.tensors, (name, made)),
        extents=tuple(extents.items()),
        ordered=(*program.ordered, name),
    )


def order_levels(format: Format) -> Format:
    """A format with the levels of another in order, each coordinate once."""
    levels = tuple(
        level if level.full and is_random_access(level) else Compressed(full=level.full) for level in format.levels
    )
    return dataclasses.replace(format, levels=levels)


def by_copy(relation: Derivation, tensor: str, copy: str) -> Derivation:
    """A relation that counts positions of the copy of a tensor, if it counts those of the tensor."""
    match relation:
        case Pos(access=access) if access.tensor == tensor:
            return replace(relation, access=replace(access, tensor=copy))
        case Coord(of=of) if of.access.tensor == tensor:
            return replace(relation, of=replace(of, access=replace(of.access, tensor=copy)))
        case _:
            return relation
