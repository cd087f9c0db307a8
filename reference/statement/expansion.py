"""Expansion: the loops that a loop over a derived variable stands for (Senanayake 2020, sections 5.1 and 5.4).

Before: `∀p1 y(i) += A(i,j) * x(j)`, with `p0` around. After: `∀i ∀j ∀p1 …`: the original variables that `p1`
completes are looped over as without a schedule, and `p1` takes the one value that follows. Where the operand whose
positions are counted is not read, because a workspace has taken its place, it is the other way round: `∀p1 ∀i ∀j …`,
and the coordinates are searched for. A loop over collapsed variables by which a workspace is stored stands for itself:
`∀f C(i,j) = w(f)` goes over what `w` stores, and `i` and `j` follow from `f`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from .provenance import Provenance
from .relation import Bound, Coord, Divide, Split, derived_variables, parents
from .statement import Forall, reads


def order(s: Forall, bound: tuple[str, ...], provenance: Provenance) -> tuple[str, ...]:
    """The variables of the loops that a loop stands for, outermost first; its own is among them."""
    if is_stored_by(s, provenance):
        return (s.index,)
    added = completed_loops(provenance, s.index, bound)
    relation = provenance.space_of(s.index)
    if added and relation is not None and relation.access not in reads(s.body):
        return (s.index, *added)
    return (*added, s.index)


def is_stored_by(s: Forall, provenance: Provenance) -> bool:
    """Whether what a loop over collapsed original variables reads is stored by these together, and nothing by one."""
    _, *above = provenance.lineage(s.index)
    levels = {v for access in reads(s.body) for v in access.levels}
    return provenance.is_collapsed(s.index) and s.index in levels and levels.isdisjoint(above)


def steps(s: Forall, bound: tuple[str, ...], provenance: Provenance) -> Iterator[tuple[Forall, tuple[str, ...]]]:
    """The loops that a loop stands for, each with the loops around it."""
    variables = order(s, bound, provenance)
    loops = [Forall(v, s.body, s.tags if v == s.index else ()) for v in variables]
    for n in range(len(loops)):
        yield around(loops[n:]), (*bound, *variables[:n])


def around(loops: Sequence[Forall]) -> Forall:
    """Loops inside one another, outermost first; the body is that of the innermost."""
    innermost = loops[-1]
    for loop in reversed(loops[:-1]):
        innermost = replace(loop, body=innermost)
    return innermost


def completed_loops(graph: Provenance, variable: str, known: Collection[str]) -> tuple[str, ...]:
    """The loops over other variables that a loop over a derived one stands for: those that it completes.

    Without an original variable among them it is a loop over a range of integers (section 5.4).

    >>> tiled = Provenance(of_schedule=(Split("i", "i0", "i1", 4),))
    >>> completed_loops(tiled, "i0", ()), completed_loops(tiled, "i1", ("i0",))
    ((), ('i',))
    """
    if graph.is_original(variable) or graph.is_derivable(variable, known):
        return ()
    found = loops_of(graph, variable, known)
    return found if any(graph.is_original(v) for v in found) else ()


def loops_of(graph: Provenance, variable: str, known: Collection[str]) -> tuple[str, ...]:
    """The loops from whose variables the value of a variable follows, outermost first."""
    relation = graph.derivation_of(variable)
    if variable in known:
        return ()
    if relation is None:
        return (variable,)
    if isinstance(relation, Split | Divide):
        siblings = [v for v in derived_variables(relation) if v != variable]
        if not all(graph.is_recoverable(v, known) for v in siblings):
            return (variable,)
    found: list[str] = []
    for parent in parents(relation):
        found += [v for v in loops_of(graph, parent, (*known, *found)) if v not in found]
    return tuple(found)


def remaining_loops(graph: Provenance, variable: str, known: Collection[str]) -> tuple[str, ...]:
    """Those of some loops that a variable has become, in the order in which they count through it; else itself."""
    uses = graph.uses_towards(variable, known)
    if variable in known or not uses:
        return (variable,)
    replaced = {use.position: use.coordinate for use in graph.of_schedule if isinstance(use, Coord)}
    first = uses[0]
    if isinstance(first, Coord) and first.position == variable:
        return remaining_loops(graph, first.coordinate, known)
    own = [replaced.get(v, v) for v in derived_variables(first)]
    return tuple(leaf for v in own for leaf in remaining_loops(graph, v, known))


def bounds_on(graph: Provenance, variable: str, known: Collection[str]) -> tuple[Bound, ...]:
    """The bounds on the ranges that a loop counts through and that none of the loops around counts through.

    >>> tiled = Provenance(of_schedule=(Bound("i", "b", 16, "max_exact"), Split("b", "b0", "b1", 4)))
    >>> [bound.bounded for bound in bounds_on(tiled, "b0", ())], bounds_on(tiled, "b1", ("b0",))
    (['b'], ())
    """
    around = {v for each in known for v in graph.lineage(each)}
    own = set(graph.lineage(variable)) - around
    return tuple(r for r in graph.of_schedule if isinstance(r, Bound) and r.bounded in own)
