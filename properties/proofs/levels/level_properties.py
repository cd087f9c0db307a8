"""Proofs that what a level declares follows from its storage invariants (Chou 2018, section 3.3).

Siblings are enumerated below one parent, by position or by coordinate; where `r` comes before `s`, the relation is
shown for `s` after `r` by induction over `s`, since storage invariants speak of neighbours. Across parents, segments
follow one another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ....reference.levels.level import Locate
from ..solver import Term, z3
from ..verdict import Bounded, Proved, Unknown, Verdict, together
from .instances import prove
from .invariant_terms import fresh
from .level_model import Model
from .restricted_paths import TURNS
from .restricted_terms import Notes, both, formula, implies

Relation = Callable[[Term, Term], Term]


def establish(given: Iterable[Term], goals: Iterable[Term], notes: Notes | None = None) -> Verdict:
    """Whether goals follow from what is given, with all that is claimed of loops."""
    held = list(given)
    for what, claim in [] if notes is None else notes.claims:
        if not isinstance(prove(claim, held), Proved):
            return Unknown(f"{what}: not proved")
    for goal in goals:
        if not isinstance(prove(goal, held), Proved):
            return Unknown("it does not follow from instances")
    return Proved() if notes is None else as_far_as_unrolled(Proved(), notes)


def as_far_as_unrolled(verdict: Verdict, *notes: Notes) -> Verdict:
    """A verdict that goes no further than the turns of loops that were looked at."""
    is_bounded = isinstance(verdict, Proved) and any(each.unrolled for each in notes)
    return Bounded(f"loops of up to {TURNS} turns") if is_bounded else verdict


def by_induction(given: Sequence[Term], holds: Callable[[Term], Term], first: Term, last: Term) -> Verdict:
    """Whether a statement holds of all numbers from `first` to `last`: of the first, and with each of the next."""
    s = fresh("s")
    base = prove(holds(first), [*given, first <= last])
    if not isinstance(base, Proved):
        return base
    return prove(holds(s + 1), [*given, holds(s), first <= s, s < last])


def prove_segments(model: Model) -> Verdict:
    """Positions below different parents differ and lie in `[0, size)`."""
    return ordered_segments(model) if model.is_by_position else separate_positions(model)


def ordered_segments(model: Model) -> Verdict:
    """Segments lie in `[0, size)`, one after the other."""
    given = model.axioms()
    last = model.parents - 1

    def begin(p: Term) -> Term:
        return model.bounds(p, model.path())[0]

    def end(p: Term) -> Term:
        return model.bounds(p, model.path())[1]

    r, p = fresh("r"), fresh("p")
    valid = [*given, r >= 0, r < model.parents]
    zero = z3.IntVal(0)
    return together(
        [
            prove(begin(r) <= end(r), valid),
            by_induction(given, lambda s: begin(s) >= 0, zero, last),
            by_induction(given, lambda s: end(last - s) <= model.size, zero, last),
            by_induction([*given, p >= 0], lambda s: z3.Implies(s < model.parents, end(p) <= begin(s)), p + 1, last),
        ]
    )


def separate_positions(model: Model) -> Verdict:
    """What coordinate value iteration finds lies in `[0, size)`, and different coordinates at different positions."""
    p, r, c, d, i, j = fresh("p"), fresh("r"), fresh("c"), fresh("d"), model.path(), model.path()
    q, s = fresh("q"), fresh("s")
    given = [
        *model.axioms(),
        *model.parent(p, i),
        *model.parent(r, j),
        model.child(p, i, c, q),
        model.child(r, j, d, s),
    ]
    inside = z3.And(q >= 0, q < model.size)
    return together([prove(inside, given), prove(z3.Implies(q == s, z3.And(p == r, c == d)), given)])


def prove_coordinates(model: Model) -> Verdict:
    """Coordinates lie in `[0, N)`."""
    p, c, q, i = fresh("p"), fresh("c"), fresh("q"), model.path()
    given = [*model.assumptions(), *model.parent(p, i), model.child(p, i, c, q)]
    return prove(z3.And(c >= 0, c < model.fields["N"]), given)


def prove_ordered(model: Model) -> Verdict:
    """Siblings come in the order of their coordinates."""
    return siblings(model, lambda c, d: c <= d)


def prove_unique(model: Model) -> Verdict:
    """Siblings have different coordinates."""
    if model.level.ordered:
        return siblings(model, lambda c, d: c < d)
    return siblings(model, lambda c, d: c != d)


def siblings(model: Model, related: Relation) -> Verdict:
    """Whether a relation holds between siblings, for any two or by induction over the later one."""
    p, r, s, i = fresh("p"), fresh("r"), fresh("s"), model.path()
    begin, end = model.bounds(p, i)
    given = [*model.assumptions(), *model.parent(p, i), begin <= r]
    c, _, here = model.access(p, i, r)

    def holds(s: Term) -> Term:
        d, _, there = model.access(p, i, s)
        return formula(implies(both(s < end, here, there), related(c, d)))

    direct = prove(holds(s), [*given, r < s, s < end], rounds=1)
    return direct if isinstance(direct, Proved) else by_induction(given, holds, r + 1, end - 1)


def prove_full(model: Model) -> Verdict:
    """Every coordinate of the dimension is found below every parent."""
    p, c, q, i = fresh("p"), fresh("c"), fresh("q"), model.path()
    parent = [*model.parent(p, i), c >= 0, c < model.fields["N"]]
    given = [*model.assumptions(), *model.fullness(), *parent]
    if isinstance(model.level, Locate):
        notes = Notes()
        paths = model.runs("locate", (p, (*i, c)), notes)
        goals = [formula(implies(path.when, found)) for path in paths for _, found in (path.results or (),)]
        return establish(given, goals, notes)
    if model.is_by_position:
        goal = z3.Exists([q], model.child(p, i, c, q))
        known = prove(goal, [*model.fullness(), *parent])
        return known if isinstance(known, Proved) else prove(goal, given)
    begin, end = model.bounds(p, i)
    return prove(formula(both(begin <= c, c < end, model.access(p, i, c)[2])), given)


def prove_branchless(model: Model) -> Verdict:
    """Every parent has exactly one child."""
    p, i = fresh("p"), model.path()
    begin, end = model.bounds(p, i)
    found = model.access(p, i, begin)[2]
    return prove(formula(both(end == begin + 1, found)), [*model.assumptions(), *model.parent(p, i)])


def prove_compact(model: Model) -> Verdict:
    """Everything between two positions that hold something holds something: no position is left out."""
    p, at, i, j = fresh("p"), fresh("at"), model.path(), model.path()
    begin, end = model.bounds(p, i)
    given = [*model.assumptions(), *model.parent(p, i)]
    _, q, found = model.access(p, i, at)
    _, following, _ = model.access(p, i, at + 1)
    labelled = z3.Implies(z3.And(begin <= at, at < end), formula(found))
    adjacent = z3.Implies(z3.And(begin <= at, at + 1 < end), following == q + 1)
    _, last, _ = model.access(p, i, end - 1)
    after, beyond = model.bounds(p + 1, j)
    _, first, _ = model.access(p + 1, j, after)
    next_to = z3.Implies(z3.And(begin < end, after < beyond), first == last + 1)
    follow = end == after if model.is_by_position else next_to
    return together([prove(labelled, given), prove(adjacent, given), prove(follow, [*given, *model.parent(p + 1, j)])])


def prove_locate(model: Model) -> Verdict:
    """`locate` finds exactly what iteration enumerates."""
    p, c, q, i, notes = fresh("p"), fresh("c"), fresh("q"), model.path(), Notes()
    given = [*model.assumptions(), *model.parent(p, i), c >= 0, c < model.fields["N"]]
    goals = []
    for path in model.runs("locate", (p, (*i, c)), notes):
        position, found = path.results or ()
        goals.append(formula(implies(both(path.when, found), model.child(p, i, c, position))))
        same = both(found, position == q) if model.level.unique else found
        goals.append(formula(implies(both(path.when, model.child(p, i, c, q)), same)))
    return establish(given, goals, notes)
