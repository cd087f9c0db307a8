"""Branching: the loops of a nest that goes through a workspace stay around it, or go to its producer or its consumer.

Before: `∀a ∀b ∀c y += e(p)`, where a part `p` of the value goes through a workspace over some of the variables. After:

    ∀ what stays
      ∀ the variables of the workspace, and those that only the rest needs
        y += e(w)
      where w:
        ∀ the variables of the workspace under their new names, and reductions that only the part needs
          w += p

What both sides need and the workspace does not hold stays around both. (Kjolstad 2019; SparseAuto, section 4.2.)
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from ..algebra.operator import Operator
from ..notation.syntax import Access, Expr, Fill, accesses, mask_reads
from ..notation.types import dtype_of
from ..statement.linearity import distributes
from ..statement.statement import Assign, Forall, Program
from ..statement.substitution import annihilates, background_of, substitute
from .section import Section


class Parted(Struct, frozen=True):
    """An assignment with a hole in its value, and the part that goes through a workspace there."""

    leaf: Assign
    hole: Access
    part: Expr


class Branching(Struct, frozen=True):
    """Loops by where they go, each outer ones first; `own` are those over the variables of the workspace."""

    around: tuple[Forall, ...]
    consuming: tuple[Forall, ...]
    producing: tuple[Forall, ...]
    own: tuple[Forall, ...]
    reduced: tuple[Forall, ...]


def branch(program: Program, section: Section, parted: Parted, variables: tuple[str, ...]) -> Branching:
    """Where the loops around an assignment go if a part of its value goes through a workspace over some variables."""
    chain = section.loops
    first = next((n for n, loop in enumerate(chain) if loop.index in variables), len(chain))
    own = [loop for loop in chain if loop.index in variables]
    before, after = list(chain[:first]), [loop for loop in chain[first:] if loop.index not in variables]
    reduced = movable(program, before, after, own, parted) if may_move(program, parted) else []
    used, needed = used_variables(program, [parted.part]), needed_variables(program, parted)
    torn = [*own, *mixed_loops(program, (*section.around, *chain), used)]
    around = [loop for loop in before if loop not in reduced]
    consuming, producing = list[Forall](), [loop for loop in before if loop in reduced]
    for loop in chain[first:]:
        if loop in own:
            consuming.append(loop)
            producing.append(loop)
        elif loop in reduced:
            producing.append(loop)
        elif is_among(program, loop, used) or not is_among(program, loop, needed) or shares(program, loop, torn):
            around.append(loop)
        else:
            consuming.append(loop)
    return Branching(*map(tuple, (around, consuming, producing, own, reduced)))


def needed_variables(program: Program, parted: Parted) -> set[str]:
    """The variables that the rest of an assignment uses."""
    leaf = parted.leaf
    return used_variables(program, [leaf.value, leaf.target, *mask_reads(leaf.mask)])


def used_variables(program: Program, expressions: Iterable[Expr]) -> set[str]:
    """The variables that expressions and their storage levels count by, and those that formats derive from them."""
    named = {v for e in expressions for access in accesses(e) for v in (*access.indices, *access.levels)}
    return named | {part for v in named for part in program.provenance.parts(v)}


def is_among(program: Program, loop: Forall, variables: set[str]) -> bool:
    """Whether a loop runs over one of some variables, a part of one, or something from which one derives."""
    graph = program.provenance
    above = set(graph.lineage(loop.index))
    return not above.isdisjoint(variables) or any(loop.index in graph.lineage(v) for v in variables)


def may_move(program: Program, parted: Parted) -> bool:
    """Whether a reduction may go into what computes a part: all that is computed from it distributes over the
    reduction, and vanishes with it."""
    operator = parted.leaf.operator
    return operator is not None and is_distributive(parted, operator) and vanishes(program, parted, operator)


def is_distributive(parted: Parted, operator: Operator) -> bool:
    """Whether all that is computed from a part distributes over a reduction."""
    return distributes(parted.leaf.value, lambda e: e == parted.hole, operator)


def movable(
    program: Program, before: list[Forall], after: list[Forall], own: list[Forall], parted: Parted
) -> list[Forall]:
    """The reductions that may go into the producer. A reduction directly around the loops over the variables of the
    workspace goes with all its parts. A part inside these loops goes unless another part, which stays, stands inside
    that part."""
    needed = needed_variables(program, parted)

    def is_free(loop: Forall) -> bool:
        return not (loop.tags or is_stored(program, loop.index) or is_among(program, loop, needed))

    outer: list[Forall] = []
    for loop in reversed(before):
        if not is_free(loop):
            break
        outer.insert(0, loop)
    inner = list(filter(is_free, after))
    while True:
        moved = [*outer, *inner]
        others = [loop for loop in (*before, *after) if loop not in moved]
        behind = {loop: [each for each in after[after.index(loop) :] if each in others] for loop in inner}
        torn = next((loop for loop in moved if shares(program, loop, behind.get(loop, [*others, *own]))), None)
        if torn is None:
            return moved
        if torn in inner:
            inner.remove(torn)
        else:
            del outer[0]


def mixed_loops(program: Program, loops: Iterable[Forall], variables: set[str]) -> list[Forall]:
    """The loops that count several variables together, some of these among them: which coordinates of the ones such a
    loop leaves open is told by loops over all parts of the others too."""
    originals = program.provenance.originals
    return [loop for loop in loops if len(originals(loop.index)) > 1 and is_among(program, loop, variables)]


def is_stored(program: Program, variable: str) -> bool:
    """Whether a variable derives from one that the format of an operand derives."""
    originals = program.provenance.originals(variable)
    return any(program.provenance.format_relation_of(v) is not None for v in originals)


def reduces(program: Program, loop: Forall, leaf: Assign) -> bool:
    """Whether a loop contributes several times to one component."""
    own = {*leaf.target.indices, *(v for index in leaf.target.indices for v in program.provenance.parts(index))}
    return not set(program.provenance.originals(loop.index)) <= own or counts_duplicates(program, loop)


def counts_duplicates(program: Program, loop: Forall) -> bool:
    """Whether a loop counts positions of which several may have the same coordinates."""
    relation = program.provenance.space_of(loop.index)
    return relation is not None and not program.formats[relation.access.tensor].levels[relation.last - 1].unique


def vanishes(program: Program, parted: Parted, operator: Operator) -> bool:
    """Whether a value that reads a workspace contributes nothing where that is a reduction of no contributions.

    `max(x, max(k, t(k)))` is `max(k, max(x, t(k)))` only where there is some `k`.
    """
    assert operator.left_identity is not None
    name, dtype = parted.hole.tensor, dtype_of(parted.hole)
    known = background_of(program)
    fills, dtypes = {**known.fills, name: operator.left_identity(dtype)}, {**known.dtypes, name: dtype}
    left = substitute(parted.leaf.value, frozenset({parted.hole}), replace(known, fills=fills, dtypes=dtypes))
    return isinstance(left, Fill) and annihilates(operator.left_identity, left)


def shares(program: Program, loop: Forall, others: Iterable[Forall]) -> bool:
    """Whether a loop derives from an original variable that others derive from too: a part of a reduction."""
    own = set(program.provenance.originals(loop.index))
    return any(own & set(program.provenance.originals(other.index)) for other in others)
