"""Proofs about assembly by appending (Chou 2018, section 3.4): what is appended is what iteration then gives.

While a level is appended to, `append_invariant(parents, counts)`, declared beside its functions, says what its arrays
hold when `counts[p]` positions have been appended below each parent p. Every function is shown to keep that up, and
`append_finalize` to turn it into segments of those lengths one after the other. That pieces of fibers, appended in the
order of their parents, lie in these segments is arithmetic: `levels.laws.pieces`. A level whose positions are its
parents' (branchless or padded) has a segment of one position for each parent from the start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....reference.errors import CompileError
from ..solver import Term, z3
from ..verdict import Verdict, together
from .declared import declared_invariant
from .invariant_terms import fresh, holds
from .level_model import Model
from .level_properties import by_induction, establish
from .restricted_terms import Array, Notes, Scope, both, formula, implies
from .storage_axioms import scope_of


def is_single(model: Model) -> bool:
    """Whether every parent has one position from the start."""
    return bool(model.level.branchless or model.level.padded)


def unknown_array(name: str) -> Array:
    """An array of which nothing is known."""
    array: Array = z3.Function(fresh(name).decl().name(), z3.IntSort(), z3.IntSort())
    return array


def append_invariant(model: Model, counts: Array) -> Term:
    """What the arrays hold after that many positions have been appended below each parent."""
    if is_single(model):
        return z3.BoolVal(True)
    said = declared_invariant(type(model.level), "append_invariant")
    if said is None:
        raise CompileError(f"{model.level.name} levels do not say what they hold while they are appended to")
    scope = scope_of(model.level, model.fields, model.notes, {"parents": model.parents, "counts": counts})
    return holds(said, scope)


def preservation(model: Model, path: Scope, counts: Array, but: Term | None = None) -> Iterator[Term]:
    """After a step, positions have these counts; all but one hold what they held."""
    after = model.with_storage(path.fields)
    yield formula(implies(path.when, append_invariant(after, counts)))
    q, p, i = fresh("q"), fresh("p"), model.path()
    c, _, found = model.access(p, i, q)
    d, _, still = after.access(p, i, q)
    same = both(d == c, formula(still) == formula(found))
    others = both(q >= 0, q < model.size, True if but is None else q != but)
    yield formula(implies(both(path.when, others, *model.parent(p, i)), same))


def prove_init(model: Model) -> Verdict:
    """`append_init` gives new parents nothing, and leaves others what they have."""
    begin, counts, notes = fresh("begin"), unknown_array("counts"), Notes()
    old = model.with_sizes(begin, model.size)
    given = [*model.frame(), begin >= 0, begin <= model.parents, append_invariant(old, counts)]

    def initial_counts(r: Term) -> Term:
        return z3.If(r < begin, counts(r), 0)

    paths = model.runs("append_init", (begin, model.parents), notes)
    return establish(given, [goal for path in paths for goal in preservation(model, path, initial_counts)], notes)


def prove_start(model: Model) -> Verdict:
    """Blank arrays are those of a level without parents."""
    given = [*model.frame(), model.parents == 0, model.size == 0]
    for name, length in model.lengths.items():
        n = fresh("n")
        element, value = model.fields[name](n), model.level.blank().get(name, 0)
        given.append(z3.ForAll([n], z3.Implies(z3.And(n >= 0, n < length), element == value), patterns=[element]))
    return establish(given, [append_invariant(model, unknown_array("counts"))])


def prove_coord(model: Model) -> Verdict:
    """`append_coord` stores a coordinate at a position, and nothing else."""
    q, c, p, i, notes = fresh("q"), fresh("c"), fresh("p"), model.path(), Notes()
    counts = unknown_array("counts")
    given = [*model.frame(), *model.parent(p, i), q >= 0, q < model.size, c >= 0, c < model.fields["N"]]
    given.append(append_invariant(model, counts))
    goals = []
    for path in model.runs("append_coord", (q, c), notes):
        d, _, found = model.with_storage(path.fields).access(p, i, q)
        goals += [formula(implies(path.when, both(d == c, found))), *preservation(model, path, counts, q)]
    return establish(given, goals, notes)


def prove_edges(model: Model) -> Verdict:
    """`append_edges` adds a piece to a parent's fiber, whatever it had before."""
    p, begin, end, i, notes = fresh("p"), fresh("begin"), fresh("end"), model.path(), Notes()
    counts = unknown_array("counts")
    given = [
        *model.frame(),
        *model.parent(p, i),
        begin >= 0,
        begin <= end,
        end <= model.size,
        append_invariant(model, counts),
    ]

    def longer(r: Term) -> Term:
        return z3.If(r == p, counts(r) + end - begin, counts(r))

    paths = model.runs("append_edges", (p, begin, end), notes)
    return establish(given, [goal for path in paths for goal in preservation(model, path, longer)], notes)


def prove_finalize(model: Model) -> Verdict:
    """After `append_finalize` storage is valid, and each parent's segment is as long as what was appended below it."""
    notes = Notes()
    sums, given = fill_level(model)
    paths = model.runs("append_finalize", (model.parents, model.size), notes)
    found = [prove_finalize_path(model, path, sums, given) for path in paths]
    return together([establish(given, [], notes), *found])


def prove_finalize_path(model: Model, path: Scope, sums: Array, given: list[Term]) -> Verdict:
    """What holds after one path through `append_finalize`."""
    after = model.with_storage(path.fields)
    held = [*given, formula(path.when)]

    def holds_sums(p: Term) -> Term:
        begin, end = after.bounds(p, model.path())
        return z3.And(begin == sums(p), end == sums(p + 1))

    p = fresh("p")
    lemma = z3.ForAll([p], z3.Implies(z3.And(p >= 0, p < model.parents), holds_sums(p)), patterns=[sums(p)])
    unchanged = list(kept_contents(model, after))
    return together(
        [
            by_induction(held, holds_sums, z3.IntVal(0), model.parents - 1),
            establish([*held, lemma, holds_sums(model.parents - 1)], [*unchanged, *after.axioms()]),
        ]
    )


def kept_contents(model: Model, after: Model) -> Iterator[Term]:
    """Every position holds what it held."""
    q, p, i = fresh("q"), fresh("p"), model.path()
    c, _, found = model.access(p, i, q)
    d, _, still = after.access(p, i, q)
    same = both(d == c, formula(still) == formula(found))
    yield formula(implies(both(q >= 0, q < model.size, *model.parent(p, i)), same))


def fill_level(model: Model) -> tuple[Array, list[Term]]:
    """A level to which everything has been appended: the sums of counts, and what holds.

    Every coordinate is in `[0, N)`, or its position has been left blank in a padded level; siblings are appended in
    order and without duplicates where the level says so.
    """
    counts, sums, p, q = unknown_array("counts"), unknown_array("sums"), fresh("p"), fresh("q")
    parent = z3.And(p >= 0, p < model.parents)
    given = [*model.frame(), append_invariant(model, counts)]
    if is_single(model):
        given.append(z3.ForAll([p], sums(p) == p, patterns=[sums(p)]))
    step = z3.And(sums(p + 1) == sums(p) + counts(p), counts(p) >= 0)
    given += [sums(z3.IntVal(0)) == 0, sums(model.parents) == model.size]
    if not is_single(model):
        given.append(z3.ForAll([p], z3.Implies(parent, step), patterns=[sums(p)]))
    c, _, found = model.access(p, model.path(), q)
    inside = formula(both(c >= 0, c < model.fields["N"], found))
    for name, value in model.level.blank().items():
        inside = z3.Or(inside, model.fields[name](q) == value)
    given.append(z3.ForAll([q], z3.Implies(z3.And(q >= 0, q < model.size), inside)))
    return sums, [*given, *in_order(model, sums)]


def in_order(model: Model, sums: Array) -> Iterator[Term]:
    """Siblings are appended as the level's properties say."""
    p, q, r, i = fresh("p"), fresh("q"), fresh("r"), model.path()
    segment = z3.And(p >= 0, p < model.parents, sums(p) <= r, r < q, q < sums(p + 1))
    c, d = model.access(p, i, r)[0], model.access(p, i, q)[0]
    relations: list[Callable[[Term, Term], Term]] = []
    if model.level.ordered:
        relations.append(lambda c, d: c <= d)
    if model.level.unique:
        relations.append(lambda c, d: c != d)
    for related in relations:
        yield z3.ForAll([p, r, q], z3.Implies(segment, related(c, d)))
