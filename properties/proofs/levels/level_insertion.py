"""Proofs about assembly by insertion (Chou 2018, section 3.4): each step keeps storage valid and adds what it should.

Stated for one step from any valid storage, so by induction for any number of them in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..solver import Term, z3
from ..verdict import Verdict, together
from .invariant_terms import fresh
from .level_access import initial_insertion, vacancies
from .level_model import Model
from .level_properties import establish
from .restricted_terms import Notes, formula, implies
from .storage_axioms import results_by_name

Change = Callable[[Term, Term, Term, Term], Term]
"""Of a parent, a coordinate, a position, and whether they were enumerated before: whether they are now."""


def prove_insert(model: Model) -> Verdict:
    """Where `locate` finds room, `insert_coord` leaves valid storage with one more child, and all others."""
    notes = Notes()
    p, c, i = fresh("p"), fresh("c"), model.path()
    valid = [*model.assumptions(), *model.parent(p, i), c >= 0, c < model.fields["N"]]
    cases = list(vacancies(model, p, i, c, notes))

    def more(q: Term) -> Change:
        return lambda r, d, s, before: z3.Or(before, z3.And(r == p, d == c, s == q))

    found = [prove_change(model, "insert_coord", (q, c), [*valid, free], more(q), Notes()) for q, free in cases]
    return together([establish(valid, [], notes), *found])


def prove_insert_init(model: Model) -> Verdict:
    """`insert_init` makes new parents without children, and leaves those of others."""
    parents, size = fresh("parents"), fresh("size")
    (before, after), frame = initial_insertion(model, parents)
    old = model.with_sizes(parents, size)
    given = [*frame, *old.axioms(), *blank(model, old)]

    def keep_earlier(r: Term, d: Term, s: Term, before: Term) -> Term:
        return z3.And(r < parents, before)

    return prove_change(model, "insert_init", (before, after), given, keep_earlier, Notes(), old)


def prove_widen(model: Model) -> Verdict:
    """Before a parent's positions run out the level is crowded, and a wider one has more."""
    count, notes = fresh("count"), Notes()
    (room,) = model.results("size", z3.IntVal(1))
    (crowded,) = model.results("is_crowded", count)
    wider = results_by_name(model.level, model.fields, "wider", (), notes)
    (more,) = model.with_storage(wider).results("size", z3.IntVal(1))
    return establish(model.frame(), [z3.Implies(count > room, formula(crowded)), more > room], notes)


def prove_insert_reset(model: Model) -> Verdict:
    """`insert_reset` leaves valid storage in which those parents have no children, and others what they had."""
    begin, end = fresh("begin"), fresh("end")
    given = [*model.assumptions(), begin >= 0, begin <= end, end <= model.parents]

    def keep_others(r: Term, d: Term, s: Term, before: Term) -> Term:
        return z3.And(before, z3.Or(r < begin, r >= end))

    return prove_change(model, "insert_reset", (begin, end), given, keep_others, Notes())


def prove_change(
    model: Model,
    function: str,
    arguments: tuple[Term, ...],
    given: list[Term],
    change: Change,
    notes: Notes,
    before: Model | None = None,
) -> Verdict:
    """Whether a level function leaves valid storage, in which iteration gives what is said."""
    goals = []
    for path in model.runs(function, arguments, notes):
        after = model.with_storage(path.fields)
        for goal in (*after.axioms(), children_as_said(before or model, after, change)):
            goals.append(formula(implies(path.when, goal)))
    return establish(given, goals, notes)


def children_as_said(before: Model, after: Model, change: Change) -> Term:
    """What iteration gives below any parent, compared with what it gave."""
    r, d, s, j = fresh("r"), fresh("d"), fresh("s"), after.path()
    was = before.child(r, j, d, s)
    return z3.Implies(z3.And(*after.parent(r, j)), after.child(r, j, d, s) == change(r, d, s, was))


def blank(model: Model, old: Model) -> Iterator[Term]:
    """Where there are no coordinates at all, new elements are blank, as arrays grow (reference/storage/assembly.py)."""
    for name, length in old.lengths.items():
        n = fresh("n")
        value = model.level.blank().get(name, 0)
        grown = z3.And(n >= length, n < model.lengths[name])
        element = model.fields[name](n)
        yield z3.Implies(
            model.fields["N"] == 0, z3.ForAll([n], z3.Implies(grown, element == value), patterns=[element])
        )
