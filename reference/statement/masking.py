"""Masking: fibers of a mask that loops would walk again for every value of a reduction around them are copied first.

Before, where the fibers of M are sorted lists: `∀i ∀k ∀j w(j)<M(i,j)> += A(i,k) * B(k,j)`. After:

    ∀i
      ∀k
        ∀j
          w(j)<w1(j)> += A(i,k) * B(k,j)
      where w1:
        ∀j
          w1(j) = M(i,j)

In the copy each coordinate is found at once: the mask pushes (COMET, section III). It stands inside the loops that give
all of a variable of the mask each, as far as these are outermost. A schedule is applied to the statement without such
copies, which nobody asked for (`staging.py`): where loops visit what a mask holds, and reduce inside, it pulls.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from ..levels.level import Level, Locate
from ..notation.elaboration import fresh_name
from ..notation.syntax import Access, accesses, mask_reads
from ..storage.format import Format
from ..storage.room import workspace_levels
from .relation import Pos, derived_variables
from .statement import (
    Assign,
    Forall,
    Program,
    Sequence,
    Statement,
    Where,
    Workspace,
    assignments,
    change_leaves,
    leaves,
    rename_accesses,
    wrap_in_loops,
)

Loops = tuple[str, ...]


def inline_copies(program: Program) -> Program:
    """The program whose masks read what has been copied for them."""
    for name in program.copies:
        program = inline_copy(program, name)
    return replace(program, copies=())


def inline_copy(program: Program, name: str) -> Program:
    """The program without one of the copies."""
    source = next(leaf.value for leaf in assignments(program.statement) if leaf.target.tensor == name)
    assert isinstance(source, Access)

    def read_source(leaf: Assign) -> Assign:
        return with_mask_reads(leaf, {a: source for a in mask_reads(leaf.mask) if a.tensor == name})

    return replace(
        program,
        statement=change_leaves(without_producer(program.statement, name), read_source),
        workspaces=tuple(w for w in program.workspaces if w.name != name),
        tensors=tuple((n, declared) for n, declared in program.tensors if n != name),
    )


def copy_masks(program: Program) -> Program:
    """The program in which masks that loops would walk again and again are copied."""
    while (found := next(walked_again(program), None)) is not None:
        program = copy_mask(program, *found)
    return program


def walked_again(program: Program) -> Iterator[tuple[Assign, Access, Loops, Loops]]:
    """The assignments whose masks read fibers again for every value of a reduction: what is read so, the loops around,
    and those inside which it may be copied."""
    result = result_variables(program)
    for leaf, around in leaves(program.statement, ()):
        originals = [set(program.provenance.originals(v)) for v in around]
        for access in mask_reads(leaf.mask):
            given = result.union(access.indices, *map(program.provenance.parts, access.indices))
            first = next((n for n, own in enumerate(originals) if not own <= given), len(around))
            walked = levels_inside(program, access, around, around[first:])
            if may_be_copied(program, leaf, access) and any(not isinstance(level, Locate) for level in walked):
                yield leaf, access, around, whole_prefix(program, access, around, around[:first])


def result_variables(program: Program) -> set[str]:
    """The variables of the result, and their parts in blocks: loops over others reduce."""
    own = {v for a in assignments(program.statement) if a.target.tensor == program.result for v in a.target.indices}
    return own.union(*(program.provenance.parts(v) for v in own))


def may_be_copied(program: Program, leaf: Assign, access: Access) -> bool:
    """Whether what a mask alone reads may be copied: it is no workspace, its levels are its modes, and no loop counts
    its positions."""
    counted = [r.access for r in program.provenance.of_schedule if isinstance(r, Pos)]
    distinct = len(set(access.indices)) == len(access.indices) and set(access.levels) == set(access.indices)
    return distinct and access not in (*counted, *accesses(leaf.value)) and access.tensor not in program.workspace


def levels_inside(program: Program, access: Access, around: Loops, inside: Loops) -> Iterator[Level]:
    """The levels of an access that some of the loops around it reach."""
    for level, variable in zip(program.formats[access.tensor].levels, access.levels, strict=True):
        if not set(inside).isdisjoint(loops_of(program, variable, around)):
            yield level


def whole_prefix(program: Program, access: Access, around: Loops, outside: Loops) -> Loops:
    """The outermost loops that give all of a variable of an access each, one variable after another, as stored."""
    prefix: Loops = ()
    for variable in access.levels:
        loops = loops_of(program, variable, around)
        following = outside[len(prefix) : len(prefix) + len(loops)]
        if set(following) != set(loops):
            break
        prefix += following
    return prefix


def loops_of(program: Program, variable: str, around: Loops) -> Loops:
    """The loops that have to do with a variable, or with its parts in a block: together they give its value."""
    graph = program.provenance
    own = {variable}.union(*map(derived_variables, graph.splits(variable)))
    return tuple(loop for loop in around if not own.isdisjoint(graph.lineage(loop)))


def copy_mask(program: Program, leaf: Assign, access: Access, around: Loops, prefix: Loops) -> Program:
    """The program with a copy of what the mask of an assignment reads inside some loops, filled inside a prefix of
    them."""
    kept = tuple(v for v in access.levels if set(loops_of(program, v, around)) - set(prefix))
    order = sorted(kept, key=lambda v: max(map(around.index, loops_of(program, v, around))))
    extents = dict(program.extents)
    shape = tuple(extents[v] for v in kept)
    format = Format(workspace_levels(list(shape)), mode_order=[kept.index(v) for v in order])
    declared = replace(dict(program.tensors)[access.tensor], format=format)
    name = fresh_name("w", program.names)
    changed = with_mask_reads(leaf, {access: Access(name, kept, tuple(order), dtype=access.dtype)})
    producer = wrap_in_loops(kept, Assign(Access(name, kept), access))
    return replace(
        program,
        statement=insert_copy(program.statement, len(prefix), leaf, changed, Filling(name, producer)),
        workspaces=(*program.workspaces, Workspace(name, format, shape, declared.dtype, declared.fill)),
        tensors=(*program.tensors, (name, declared)),
        copies=(*program.copies, name),
    )


class Filling(NamedTuple):
    """A copy, and what fills it."""

    name: str
    statement: Statement


def insert_copy(s: Statement, depth: int, leaf: Assign, changed: Assign, copy: Filling) -> Statement:
    """A statement with another assignment in the place of the first that is alike, and before it, inside so many loops,
    what fills the copy that it reads."""
    match s:
        case Forall(body=body) if depth:
            return replace(s, body=insert_copy(body, depth - 1, leaf, changed, copy))
        case Where(consumer=consumer, producer=producer) if leaf in assignments(producer):
            return replace(s, producer=insert_copy(producer, depth, leaf, changed, copy))
        case Where(consumer=consumer):
            return replace(s, consumer=insert_copy(consumer, depth, leaf, changed, copy))
        case Sequence(statements=statements):
            at = next(n for n, each in enumerate(statements) if leaf in assignments(each))
            inner = insert_copy(statements[at], depth, leaf, changed, copy)
            return Sequence((*statements[:at], inner, *statements[at + 1 :]))
        case _:
            return Where(replace_leaf(s, leaf, changed), copy.statement, copy.name)


def replace_leaf(s: Statement, leaf: Assign, changed: Assign) -> Statement:
    """A statement with another assignment in the place of those alike."""
    return change_leaves(s, lambda each: changed if each == leaf else each)


def without_producer(s: Statement, name: str) -> Statement:
    """A statement without what fills a workspace."""
    match s:
        case Assign():
            return s
        case Forall(body=body):
            return replace(s, body=without_producer(body, name))
        case Where(consumer=consumer, workspace=workspace) if workspace == name:
            return consumer
        case Where(consumer=consumer, producer=producer):
            return replace(s, consumer=without_producer(consumer, name), producer=without_producer(producer, name))
        case Sequence(statements=statements):
            return Sequence(tuple(without_producer(each, name) for each in statements))


def with_mask_reads(leaf: Assign, names: dict[Access, Access]) -> Assign:
    """An assignment whose mask reads other accesses."""
    if leaf.mask is None:
        return leaf
    return replace(leaf, mask=replace(leaf.mask, value=rename_accesses(leaf.mask.value, names)))
