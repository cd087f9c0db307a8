"""Cases: which statement of a lattice applies, by the accesses that are present at a coordinate (Figure 9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from ...reference.loops.lattice import Lattice
from ...reference.notation.syntax import Access
from ...reference.statement.statement import Statement
from ..ir import ir, logic
from ..ir.ir import Expr
from ..scope.env import Env

Step = Callable[[bool | None], ir.Code]
Subset = frozenset[Access]
NONE = -1
"""What a subset meets after all that it holds."""


class Case(Struct, frozen=True):
    """One case of a loop body: what must be present, what is done, and the sets of accesses that lead here."""

    needs: tuple[Access, ...]
    statement: Statement | None
    sets: tuple[frozenset[Access], ...]

    @property
    def least(self) -> frozenset[Access]:
        """The accesses that are present in all of those sets, which is one of them."""
        return min(self.sets, key=len)

    def presence(self, access: Access) -> bool | None:
        """Whether an access is present here; None where that differs."""
        held = {access in s for s in self.sets}
        return held.pop() if len(held) == 1 else None


class Round(Struct, frozen=True):
    """A round of a merge: of the accesses in `some` at least one is present; how to step over each one's coordinate.

    `own` are the coordinates of the accesses, where those say the same as the least of them does.
    """

    some: frozenset[Access] = frozenset()
    steps: Mapping[Access, Step] = field(default_factory=dict)
    own: Mapping[Access, Expr] = field(default_factory=dict)

    def inside(self, case: Case, index: str, env: Env) -> Env:
        """The environment in a case: the coordinate is that of an access that is present."""
        met = next((c for a, c in self.own.items() if case.presence(a)), None)
        return env if met is None else env.bind(index, met)


ALONE = Round()


def chain_cases(lattice: Lattice, conditions: Mapping[Access, Expr], some: frozenset[Access]) -> list[Case]:
    """The cases in order. The last needs nothing more: it is what is left.

    All subsets of the accesses in question, larger first, would do; those are left out without which every subset
    still meets its own statement.
    """
    certain = frozenset(a for a, c in conditions.items() if c == ir.TRUE)
    open_ = [a for a, c in conditions.items() if c not in (ir.TRUE, ir.FALSE)]
    subsets = [frozenset(c) for size in range(len(open_), -1, -1) for c in combinations(open_, size)]
    if some and not some & certain:
        subsets = [s for s in subsets if s & some]
    statements: dict[frozenset[Access], Statement | None] = {}
    for s in subsets:
        point = lattice.point(certain | s)
        statements[s] = None if point is None else point.statement
    groups, left = meeting(open_, subsets, statements)
    chain = [
        Case(tuple(a for a in open_ if a in k), statements[k], tuple(certain | s for s in group))
        for k, group in groups.items()
    ]
    if left:
        return [*chain, Case((), None, tuple(certain | s for s in left))]
    return [*chain[:-1], replace(chain[-1], needs=())] if chain else []


def meeting(
    accesses: Sequence[Access], subsets: Sequence[Subset], statements: Mapping[Subset, Statement | None]
) -> tuple[dict[Subset, list[Subset]], list[Subset]]:
    """The subsets that a chain keeps, each with the subsets that meet it first; and the subsets that meet none.

    A subset meets those of the chain that it holds. In order, a candidate is left out if each subset that meets it
    first would meet a case of its own statement without it: the next one that the subset holds, since all candidates
    that come later are still kept.
    """
    place = {a: 1 << n for n, a in enumerate(accesses)}
    bits = np.array([sum(place[a] for a in s) for s in subsets], np.int64)
    inside = [[*np.flatnonzero(bits & ~own == 0).tolist(), NONE] for own in bits]
    number = {statement: n for n, statement in enumerate(dict.fromkeys((None, *statements.values())))}
    meant = [*(number[statements[s]] for s in subsets), 0]
    groups = {n: [n] for n in range(len(subsets))} | {NONE: []}
    met = [0] * len(subsets)
    for candidate in range(len(subsets)):
        group = groups[candidate]
        nexts = [inside[n][met[n] + 1] for n in group]
        if [meant[n] for n in group] != [meant[k] for k in nexts]:
            continue
        del groups[candidate]
        for n, k in zip(group, nexts, strict=True):
            met[n] += 1
            groups[k].append(n)
    found = {k: [subsets[n] for n in sorted(group)] for k, group in groups.items()}
    left = found.pop(NONE)
    return {subsets[k]: group for k, group in found.items()}, left


def is_least(access: Access, own: Mapping[Access, Expr], least: Expr) -> Expr:
    """Whether an access stands at the least coordinate: against the other one directly, if there are two."""
    others = [c for a, c in own.items() if a != access]
    return logic.compare("<=", own[access], others[0]) if len(others) == 1 else logic.compare("==", own[access], least)
