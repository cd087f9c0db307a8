"""Dominance: which costs others are better than whatever the sizes are (SparseAuto, section 5.2, stage 3).

A cost is dominated if another one has at most its time and at most its memory for all sizes that satisfy the
constraints, and differs. That is proved, or refuted by sizes at which it fails, or open, and what is open removes
nothing. The authors ask for less: a cost goes if another one is better at some sizes, and it is better at none, though
elsewhere one may take less time and the other less memory. Both are here.

Two rules count the loops over what is stored: `stored` by the numbers of prefixes, as they are; `dense` by extents, as
the authors do, which is an upper bound. A scalar counts as no memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np
from msgspec import Struct

from .constraints import Constraint, extent_name, known_constraints, prefix_name, prefix_names
from .contraction import Contraction
from .cost import Cost, Leaf, visited_depths
from .polynomial import Polynomial, add, constant, product, variable

Range = tuple[Fraction, Fraction | None]
Prover = Callable[[Polynomial, Sequence[Constraint]], bool]
FAR, POINTS = 10**6, 400


class Rule(Enum):
    """How loops over stored coordinates are counted."""

    STORED = "stored"
    DENSE = "dense"


class Removal(Enum):
    """When a cost is removed: if another one is as good at all sizes, or if one is better at some and never worse."""

    EVERYWHERE = "everywhere"
    SOMEWHERE = "somewhere"


class Verdict(Enum):
    """What is known of a dominance."""

    PROVED = "proved"
    REFUTED = "refuted"
    OPEN = "open"


class Symbolic(Struct, frozen=True):
    """A cost as polynomials."""

    time: Polynomial
    memory: Polynomial


def symbolic(contraction: Contraction, cost: Cost, rule: Rule) -> Symbolic:
    """The cost as polynomials in extents, and, by the stored rule, in numbers of prefixes."""
    time = add(count(contraction, leaf, rule) for leaf in cost.time)
    return Symbolic(time, add(product(map(extent_name, kept)) for kept in cost.memory if kept))


def count(contraction: Contraction, leaf: Leaf, rule: Rule) -> Polynomial:
    """How often an assignment runs: of several operands that store a loop, the first one counts."""
    left, found = set(leaf.loops), constant(1)
    for number, depth in visited_depths(contraction, leaf) if rule is Rule.STORED else ():
        own = contraction.operands[number].levels[:depth]
        if left.issuperset(own):
            left.difference_update(own)
            found *= variable(prefix_name(contraction, number, depth))
    return found * product(map(extent_name, left))


class KnownSizes(Struct, frozen=True):
    """What is known of the sizes of a contraction: constraints, a sample of sizes that satisfy them, corners of the
    ranges among them, and what proves that a polynomial is at least 0 at all sizes that do."""

    constraints: tuple[Constraint, ...]
    sample: Mapping[str, Any]
    prove: Prover

    def verdict(self, one: Symbolic, other: Symbolic, removal: Removal) -> Verdict:
        """Whether one cost removes another."""
        match removal:
            case Removal.EVERYWHERE:
                return self.is_everywhere(one, other)
            case Removal.SOMEWHERE:
                return self.is_somewhere(one, other)

    def is_everywhere(self, one: Symbolic, other: Symbolic) -> Verdict:
        """Whether one cost is at most another one at all sizes, and not the same."""
        differences = (other.time - one.time, other.memory - one.memory)
        if not any(each.terms for each in differences) or any(np.any(self.at(each) < 0) for each in differences):
            return Verdict.REFUTED
        return Verdict.PROVED if all(map(self.is_proved, differences)) else Verdict.OPEN

    def is_somewhere(self, one: Symbolic, other: Symbolic) -> Verdict:
        """Whether one cost is better than another one at some sizes, and the other one at none."""
        time, memory = other.time - one.time, other.memory - one.memory
        at = self.at(time), self.at(memory)
        if not better(*at) or better(-at[0], -at[1]):
            return Verdict.REFUTED
        never = self.is_proved(time - constant(1)) or self.is_proved(memory - constant(1))
        return Verdict.PROVED if never or (self.is_proved(time) and self.is_proved(memory)) else Verdict.OPEN

    def at(self, what: Polynomial) -> Any:
        """The values of a polynomial at the sample."""
        return np.asarray(what.evaluate(self.sample))

    def is_proved(self, what: Polynomial) -> bool:
        """Whether a polynomial is proved to be at least 0."""
        return self.prove(what, self.constraints)


def better(time: Any, memory: Any) -> bool:
    """Whether something takes less of one and not more of the other at some sizes, by how much less it takes."""
    return bool(np.any(((time >= 0) & (memory > 0)) | ((time > 0) & (memory >= 0))))


def known_sizes(contraction: Contraction, constraints: Sequence[Constraint], prove: Prover) -> KnownSizes:
    """The sizes that satisfy constraints, with what holds of all data."""
    every = (*known_constraints(contraction), *constraints)
    return KnownSizes(every, sample_of(contraction, every), prove)


def ranges(constraints: Sequence[Constraint]) -> dict[str, Range]:
    """The ranges of single variables that constraints state: at least, and at most if anything."""
    lower, upper = dict[str, Fraction](), dict[str, Fraction]()
    for each in constraints:
        if not each.least.variables and is_variable(each.most):
            (v,), low = each.most.variables, each.least.evaluate({})
            lower[v] = max(lower.get(v, Fraction(low)), Fraction(low))
        if not each.most.variables and is_variable(each.least):
            (v,), high = each.least.variables, each.most.evaluate({})
            upper[v] = min(upper.get(v, Fraction(high)), Fraction(high))
    return {v: (low, upper.get(v)) for v, low in lower.items()}


def is_variable(what: Polynomial) -> bool:
    """Whether a polynomial is one variable."""
    return len(what.terms) == 1 and len(what.terms[0][0]) == 1 and what.terms[0][1] == 1


def sample_of(contraction: Contraction, constraints: Sequence[Constraint]) -> dict[str, Any]:
    """Sizes that satisfy constraints: extents at the ends of their ranges and between, and shares of what may be
    stored."""
    random = np.random.default_rng(0)
    known = ranges(constraints)
    found = dict[str, Any]()
    for v in map(extent_name, contraction.loops):
        least, most = known[v]
        low, high = float(least), float(most) if most is not None else max(float(least), float(FAR))
        between = np.exp(random.uniform(np.log(low), np.log(max(low, high)), POINTS))
        found[v] = np.where(random.random(POINTS) < 0.6, random.choice([low, high], POINTS), np.floor(between))
    for name, *_ in prefix_names(contraction):
        tops = [
            each.most.evaluate(found)
            for each in constraints
            if each.least == variable(name) and each.most.variables <= set(found)
        ]
        bottoms = [
            each.least.evaluate(found)
            for each in constraints
            if each.most == variable(name) and each.least.variables <= set(found)
        ]
        top, bottom = np.min(np.broadcast_arrays(*tops), axis=0), np.max(np.broadcast_arrays(*bottoms), axis=0)
        share = random.choice([0.0, 1e-6, 1e-3, 0.5, 1.0], POINTS)
        found[name] = np.clip(np.floor(bottom + (top - bottom) * share), bottom, top)
    fit = np.ones(POINTS, bool)
    for each in constraints:
        fit &= np.broadcast_to((each.most - each.least).evaluate(found) >= 0, fit.shape)
    return {v: values[fit] for v, values in found.items()}


def is_nonnegative(what: Polynomial, constraints: Sequence[Constraint]) -> bool:
    """Whether a polynomial is proved to be at least 0 at all sizes that satisfy constraints, by its signs.

    It is linear in how much is stored, so that it has its least value where that is the least or the most: these are
    put in, for longer prefixes first. What is left, in extents, is at least 0 if its coefficients are once lower ends
    are subtracted from the extents, or, if it is linear in each, if it is at the ends of their ranges.
    """
    return is_nonnegative_but_for(frozenset(), what, constraints)


def is_nonnegative_but_for(gone: frozenset[str], what: Polynomial, constraints: Sequence[Constraint]) -> bool:
    """The same where the ends of what is stored have been put in for some names, which do not come back."""
    counts = sorted(v for v in what.variables if v.startswith("nnz("))
    if not counts:
        return is_nonnegative_in_ranges(what, ranges(constraints))
    last = max(counts, key=lambda v: (v.count("(") == 1, len(v)))
    left_out = gone | {last}
    tops = [each.most for each in constraints if each.least == variable(last)]
    bottoms = [each.least for each in constraints if each.most == variable(last)]
    return max(m.count(last) for m, _ in what.terms) == 1 and all(
        any(
            is_nonnegative_but_for(left_out, what.substitute({last: end}), constraints)
            for end in ends
            if not left_out & end.variables
        )
        for ends in (tops, bottoms)
    )


def is_nonnegative_in_ranges(what: Polynomial, known: Mapping[str, Range]) -> bool:
    """Whether a polynomial in extents is at least 0 in their ranges."""
    shifted = what.substitute({v: variable(v) + constant(known[v][0]) for v in what.variables})
    linear = all(len(set(m)) == len(m) for m, _ in what.terms)
    return all(c >= 0 for _, c in shifted.terms) or (linear and is_nonnegative_at_ends(what, known))


def is_nonnegative_at_ends(what: Polynomial, known: Mapping[str, Range]) -> bool:
    """Whether what is linear in each extent is at least 0 at the ends of their ranges, and does not fall where a range
    has no end."""
    if not what.variables:
        return all(c >= 0 for _, c in what.terms)
    v = min(what.variables)
    low, high = known[v]
    end = what.slope(v) if high is None else what.substitute({v: constant(high)})
    return is_nonnegative_at_ends(what.substitute({v: constant(low)}), known) and is_nonnegative_at_ends(end, known)


class Pruned(Struct, frozen=True):
    """Costs that are left, those that are not, each with one that dominates it, and how many dominances are open."""

    left: tuple[int, ...]
    dominated: Mapping[int, int]
    open: int


def remove_dominated(costs: Sequence[Symbolic], sizes: KnownSizes, removal: Removal = Removal.EVERYWHERE) -> Pruned:
    """Which costs no other removes (stage 3); what is removed removes nothing itself."""
    dominated, unknown = dict[int, int](), 0
    for n, cost in enumerate(costs):
        for k in (k for k in range(len(costs)) if k != n and k not in dominated):
            verdict = sizes.verdict(costs[k], cost, removal)
            unknown += verdict is Verdict.OPEN
            if verdict is Verdict.PROVED:
                dominated[n] = k
                break
    return Pruned(tuple(n for n in range(len(costs)) if n not in dominated), dominated, unknown)
