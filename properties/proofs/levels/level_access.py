"""Proofs that level functions read and write inside their arrays, and divide by positive numbers only.

Each is called under a contract:

- `coord_bounds(i)`, `pos_bounds(p)`: of a parent. `coord_access(p, i)`, `pos_access(q, i)`: within those bounds.
- `locate(p, i)`: a parent, and any coordinate in `[0, N)`. `insert_coord(q, c)`: where `locate` did not find `c`, in a
  segment that was not full.
- `insert_init(begin, end)`: from the number of positions that some parents have to that of as many or more, for which
  the arrays have room. `insert_reset(begin, end)`: a range of parents.
- `append_coord(q, c)`: a position for which the arrays have room. `append_edges(p, begin, end)`: a parent, positions.
  `append_init(begin, end)`: a range of parents that ends with the last. Meanwhile the arrays hold anything.
- `append_finalize`, `insert_finalize`, `size`: the number of parents, and of positions.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....reference.errors import CompileError
from ....reference.levels.level import Level
from ....reference.levels.restricted import level_functions, parse_level_function
from ....reference.levels.restricted_syntax import Arithmetic, Call, Element, expressions, written_arrays
from ..solver import Term, z3
from ..verdict import Unknown, Verdict, together
from .invariant_terms import fresh
from .level_model import Model, Path, relax_full
from .level_properties import establish
from .restricted_terms import Notes, Value, both, formula, negate

Contract = tuple[tuple[Value, ...], tuple[Term, ...]]
"""Arguments of a level function, and what holds of them and of the storage."""


def checked_functions(level: Level) -> tuple[str, ...]:
    """The level functions that read, write or divide.

    Into a level that lacks no coordinate while it is filled, nothing is ever inserted.
    """
    beside = ("is_crowded", "wider", "insert_coord") if relax_full(level).full else ("is_crowded", "wider")
    return tuple(name for name in level_functions(level) if name not in beside and may_fail(level, name))


def may_fail(level: Level, function: str) -> bool:
    """Whether a level function reads, writes or divides, or calls another function that does.

    One that cannot be read may do anything.
    """
    try:
        body = parse_level_function(type(level), function).body
    except CompileError:
        return True
    if written_arrays(body):
        return True
    for e in expressions(body):
        match e:
            case Element() | Arithmetic(operator="//" | "%"):
                return True
            case Call(function=name) if name != function and may_fail(level, name):
                return True
            case _:
                pass
    return False


def in_range(model: Model, function: str) -> Verdict:
    """A level function accesses elements that exist, whenever its contract holds.

    The contract of `insert_coord` says where `locate` ends, so it rests on what `locate` declares of its loops.
    """
    rests = (in_range(model, "locate"),) if function == "insert_coord" else ()
    return together([*rests, *(in_range_under(model, function, each) for each in contracts(model, function))])


def in_range_under(model: Model, function: str, contract: Contract) -> Verdict:
    """A level function accesses elements that exist, for these arguments."""
    notes = Notes()
    arguments, given = contract
    model.runs(function, arguments, notes)
    for access in notes.accesses:
        if access.array not in model.lengths:
            return Unknown(f"{model.level.name}: nothing says how long {access.array} is")
    goals = [z3.Implies(a.when, z3.And(a.index >= 0, a.index < model.lengths[a.array])) for a in notes.accesses]
    goals += [z3.Implies(d.when, d.divisor > 0) for d in notes.divisions]
    return establish(given, goals, notes)


def contracts(model: Model, function: str) -> list[Contract]:
    """Arguments under which a level function may be called, by cases."""
    if function != "insert_coord":
        return [contract(model, function)]
    p, c, i = fresh("p"), fresh("c"), model.path()
    valid = (*model.assumptions(), *model.parent(p, i), c >= 0, c < model.fields["N"])
    return [((q, c), (*valid, free)) for q, free in vacancies(model, p, i, c, Notes())]


def contract(model: Model, function: str) -> Contract:
    """Arguments under which a level function may be called. Raises CompileError for one that has none."""
    p, q, c, begin, end, i = fresh("p"), fresh("q"), fresh("c"), fresh("begin"), fresh("end"), model.path()
    valid = (*model.assumptions(), *model.parent(p, i))
    dimension = (c >= 0, c < model.fields["N"])
    match function:
        case "coord_bounds":
            return (i,), valid
        case "pos_bounds":
            return (p,), valid
        case "coord_access" | "pos_access":
            first, last = model.bounds(p, i)
            arguments = (q, i) if function == "pos_access" else (p, (*i, q))
            return arguments, (*valid, first <= q, q < last)
        case "locate":
            return (p, (*i, c)), (*valid, *dimension)
        case "insert_init":
            return initial_insertion(model, fresh("parents"))
        case "insert_reset":
            return (begin, end), (*model.assumptions(), begin >= 0, begin <= end, end <= model.parents)
        case "append_coord":
            return (q, c), (*model.frame(), *dimension, q >= 0, q < model.size)
        case "append_edges":
            return (p, begin, end), (*model.frame(), *model.parent(p, i), begin >= 0, begin <= end, end <= model.size)
        case "append_init":
            return (begin, model.parents), (*model.frame(), begin >= 0, begin <= model.parents)
        case "append_finalize":
            return (model.parents, model.size), model.frame()
        case "size":
            return (model.parents,), model.axioms()
        case "insert_finalize":
            return (model.parents, model.size), model.assumptions()
        case _:
            raise CompileError(f"{function} has no contract")


def initial_insertion(model: Model, parents: Term) -> Contract:
    """The positions of parents beyond the first ones, for which the arrays have room."""
    (before,), (after,) = model.results("size", parents), model.results("size", model.parents)
    return (before, after), (*model.frame(), parents >= 0, parents <= model.parents)


def vacancies(model: Model, p: Term, i: Path, c: Term, notes: Notes) -> Iterator[tuple[Term, Term]]:
    """Where `locate` says that a coordinate can go, and that it is not there yet and that there is room, by cases.

    A segment is full when `locate` points at a position in it that holds something already.
    """
    for path in model.runs("locate", (p, (*i, c)), notes):
        position, found = path.results or ()
        free = both(path.when, negate(found))
        if model.is_by_position:
            begin, end = model.bounds(p, i)
            occupied = both(begin <= position, position < end, model.access(p, i, position)[2])
            free = both(free, negate(occupied), room(model, p, i, c))
        if free is not False:
            yield position, formula(free)


def room(model: Model, p: Term, i: Path, c: Term) -> Term:
    """The pigeonhole principle for one fiber: different coordinates in `[0, N)`, none of them c, are fewer than N.

    Proved for all sizes by induction: `levels.laws.pigeonhole`.
    """
    begin, end = model.bounds(p, i)
    k, m = fresh("k"), fresh("m")
    first, _, held = model.access(p, i, begin + k)
    second, _, _ = model.access(p, i, begin + m)
    gap = both(k >= 0, k < end - begin, formula(negate(held)))
    outside = both(k >= 0, k < end - begin, z3.Or(first < 0, first >= model.fields["N"], first == c))
    twice = both(k >= 0, k < m, m < end - begin, first == second)
    return z3.Or(end - begin < model.fields["N"], formula(gap), formula(outside), formula(twice))
