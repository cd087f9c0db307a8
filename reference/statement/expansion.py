"""Expansion: the loops that a loop over a derived variable stands for (Senanayake 2020, sections 5.1 and 5.4).

Before: `∀p1 y(i) += A(i,j) * x(j)`, with `p0` around. After: `∀i ∀j ∀p1 …`: the original variables that `p1`
completes are looped over as without a schedule, and `p1` takes the one value that follows. Where the operand whose
positions are counted is not read, because a workspace has taken its place, it is the other way round: `∀p1 ∀i ∀j …`,
and the coordinates are searched for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from .provenance import Provenance
from .statement import Forall, reads


def order(s: Forall, bound: tuple[str, ...], provenance: Provenance) -> tuple[str, ...]:
    """The variables of the loops that a loop stands for, outermost first; its own is among them."""
    added = provenance.expansion(s.index, bound)
    relation = provenance.space_of(s.index)
    if added and relation is not None and relation.access not in reads(s.body):
        return (s.index, *added)
    return (*added, s.index)


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
