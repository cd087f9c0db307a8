"""Dominances: that no branched schedule which the search removes is better at any sizes (SparseAuto, section 5.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from ....generator.runtime.request import make_request
from ....reference.algebra.semirings import Semiring, semiring_name
from ....reference.notation.text import Text, as_text
from ....reference.schedule.branched.constraints import Constraint, known_constraints, parse_constraints
from ....reference.schedule.branched.contraction import contraction_of
from ....reference.schedule.branched.cost import Cost, print_memory, print_time
from ....reference.schedule.branched.dominance import Rule, Symbolic, is_nonnegative, symbolic
from ....reference.schedule.branched.polynomial import Polynomial
from ....reference.schedule.branched.search import compare, search
from ....reference.storage.format import Format
from ....reference.storage.spec import Spec
from ..obligation import Obligation
from ..solver import Term, decide, z3
from ..verdict import Proved, Verdict

SECONDS = 2.0


def obligations_of(
    expression: str | Text,
    formats: Mapping[str, str | Format | Spec],
    constraints: str = "",
    *,
    semiring: str | Semiring | None = None,
    out: str | Format | Spec | None = None,
    convert: str | None = None,
) -> tuple[Obligation, ...]:
    """One obligation for each cost of branched schedules that the search removes: another cost that is left is at most
    as large, in time and in memory, at all sizes that satisfy constraints.

    Raises ScheduleError if the expression is no product, ParseError for what states no constraints.
    """
    ring = semiring_name(semiring)
    request = make_request(as_text(expression), formats, out=out, semiring=ring, convert=convert)
    contraction = contraction_of(request.program)
    stated = parse_constraints(constraints, contraction) if constraints else ()
    known, found = (*known_constraints(contraction), *stated), search(contraction)
    groups = found.shallow.groups

    def told(cost: Cost) -> str:
        return f"{print_time(contraction, cost)} (memory {print_memory(cost, contraction.loops)})"

    def obligation(number: int, removed: Cost, by: Cost) -> Obligation:
        less, more = (symbolic(contraction, each, Rule.STORED) for each in (by, removed))
        statement = f"{told(removed)} is nowhere less than {told(by)}, in time or in memory."
        return Obligation(
            f"dominance.{number}", statement, partial(is_at_most, less, more, known), ("schedule.branched.stages",)
        )

    removed = compare(found, stated, prove=is_nonnegative_by_solver).pruned.dominated
    return tuple(
        obligation(number, groups[one].cost, groups[other].cost)
        for number, (one, other) in enumerate(removed.items(), 1)
    )


def is_at_most(one: Symbolic, other: Symbolic, known: Iterable[Constraint]) -> Verdict:
    """Whether a cost is at most another one at all sizes that are known of."""
    differences = (other.time - one.time, other.memory - one.memory)
    return are_nonnegative(differences, tuple(known))


def are_nonnegative(
    polynomials: Iterable[Polynomial], known: Iterable[Constraint], seconds: float | None = None
) -> Verdict:
    """Whether polynomials are at least 0 at all real sizes that satisfy constraints."""
    whole, known = tuple(polynomials), tuple(known)
    names = frozenset[str]().union(*(each.variables for each in whole))
    names = names.union(*(side.variables for each in known for side in (each.least, each.most)))
    sizes = {name: z3.Real(name) for name in sorted(names)}
    given = [as_term(each.least, sizes) <= as_term(each.most, sizes) for each in known]
    goal = z3.And(*(as_term(each, sizes) >= 0 for each in whole))
    limit = {} if seconds is None else {"seconds": seconds}
    return decide(goal, given=given, show=sizes, **limit)


def as_term(polynomial: Polynomial, sizes: Mapping[str, Term]) -> Term:
    """A polynomial over the solver's reals."""
    total = z3.RealVal(0)
    for names, coefficient in polynomial.terms:
        term = z3.RealVal(str(coefficient))
        for name in names:
            term = term * sizes[name]
        total = total + term
    return total


def is_nonnegative_by_solver(what: Polynomial, constraints: Iterable[Constraint]) -> bool:
    """Whether a polynomial is proved to be at least 0: by its signs, or else by the solver within two seconds."""
    known = tuple(constraints)
    return is_nonnegative(what, known) or are_nonnegative([what], known, SECONDS) == Proved()
