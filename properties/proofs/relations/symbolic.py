"""Symbolic execution: functions of integers run unchanged on terms of Z3.

An `Integer` answers `+ - * // %` and comparisons with terms. Where a truth value is needed, as in `if`, `and` or `min`,
the execution forks: `explore` runs the function once for every combination of decisions that some values lead to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct, field

from ....reference.errors import GnomonError, Unsupported
from ..solver import SECONDS, Term, decide, z3
from ..verdict import Refuted, Unknown, Verdict, together

Result = TypeVar("Result")
DECISIONS = 200
PATHS = 5000
FEASIBLE = 100
"""Milliseconds for the question whether a path can be taken; where they do not suffice, it is."""
WHOLE = z3.IntSort()
QUOTIENT = z3.Function("quotient", WHOLE, WHOLE, WHOLE)


class Raised(Struct, frozen=True):
    """The function ended with an error."""

    error: Exception


class Path(Struct, Generic[Result], frozen=True):
    """What a function gives under the decisions of one execution.

    `decisions` are joined by what the function assumes. `definitions` say what the quotients by symbolic divisors are,
    and what follows for products: they restrict no values.
    """

    decisions: tuple[Term, ...]
    definitions: tuple[Term, ...]
    result: Result | Raised

    @property
    def condition(self) -> tuple[Term, ...]:
        """All that holds on this path."""
        return (*self.decisions, *self.definitions)


class Execution(Struct, dict=True):
    """One execution: the decisions that it is to take, then those that it takes first."""

    given: tuple[Term, ...] = ()
    prefix: tuple[bool, ...] = ()
    taken: list[bool] = field(default_factory=list)
    decisions: list[Term] = field(default_factory=list)
    definitions: list[Term] = field(default_factory=list)
    alternatives: list[tuple[bool, ...]] = field(default_factory=list)
    products: list[tuple[Term, Term]] = field(default_factory=list)
    settled: dict[Term, bool] = field(default_factory=dict)
    quotients: list[tuple[Term, Term, Term]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.solver = z3.Solver()
        self.solver.set("timeout", FEASIBLE)
        self.solver.add(*self.given)

    def integer(self, name: str) -> Integer:
        """An unknown integer."""
        return Integer(z3.Int(name), self)

    def assume(self, *conditions: Term) -> None:
        """Look only at values that meet some conditions from here on."""
        self.decisions.extend(conditions)
        self.solver.add(*conditions)

    def define(self, fact: Term) -> None:
        """Take note of what holds by definition."""
        self.definitions.append(fact)
        self.solver.add(fact)

    def quotient(self, dividend: Term, divisor: Term) -> Term:
        """The largest integer whose product with the divisor does not go beyond the dividend, on the divisor's side.

        Z3's own quotient is that for positive divisors. A symbolic divisor gets a function with what defines it: a
        product in the place of a division, which the solver finds easier.
        """
        divisor = z3.simplify(divisor)
        if z3.is_int_value(divisor):
            size = divisor.as_long()
            if size == 0:
                raise ZeroDivisionError
            return dividend / divisor if size > 0 else (-dividend) / (-divisor)
        if self.decide(divisor == 0):
            raise ZeroDivisionError
        if not self.decide(divisor > 0):
            dividend, divisor = -dividend, -divisor
        dividend, divisor = z3.simplify(dividend), z3.simplify(divisor)
        return self.divide(dividend, divisor)

    def divide(self, dividend: Term, divisor: Term) -> Term:
        """The quotient by a positive symbolic divisor, with what defines it."""
        found = QUOTIENT(dividend, divisor)
        if not any(found.eq(known) for known, _, _ in self.quotients):
            for fact in define_quotient(found, dividend, divisor):
                self.define(fact)
            for known, other, size in self.quotients:
                if size.eq(divisor):
                    self.define(compare_quotients(found, dividend, known, other))
                    self.define(negate_quotient(found, dividend, known, other, divisor))
                    if z3.is_int_value(z3.simplify(dividend - other - divisor)):
                        self.define(round_up(found, dividend, known, divisor))
                elif other.eq(dividend):
                    steps = [(step, of) for step, whole, of in self.quotients if whole.eq(size) and of.eq(divisor)]
                    for step, of in steps:
                        self.define(divide_in_steps(found, dividend, known, size, step, of))
            self.quotients.append((found, dividend, divisor))
            self.multiply(found, divisor)
        return found

    def multiply(self, first: Term, second: Term) -> Term:
        """The product, with how it compares to others by a common factor."""
        if z3.is_int_value(first) or z3.is_int_value(second):
            return first * second
        for factor, other in ((first, second), (second, first)):
            for pair in self.products:
                for known, another in (pair, pair[::-1]):
                    if known.eq(factor) and not another.eq(other):
                        self.define(compare_products(other, another, factor))
        self.products.append((first, second))
        return first * second

    def decide(self, condition: Term) -> bool:
        """Whether a condition holds from here on: both ways are gone if both are possible."""
        simple = z3.simplify(condition)
        if z3.is_true(simple) or z3.is_false(simple):
            return bool(z3.is_true(simple))
        if simple in self.settled:
            return self.settled[simple]
        number = len(self.taken)
        if number >= DECISIONS:
            raise Unsupported(f"a function takes more than {DECISIONS} decisions on symbolic values")
        if number < len(self.prefix):
            choice = self.prefix[number]
        else:
            choice = self.possible(simple)
            if choice and self.possible(z3.Not(simple)):
                self.alternatives.append((*self.taken, False))
        self.taken.append(choice)
        opposite = z3.simplify(z3.Not(simple))
        self.settled |= {simple: choice, opposite: not choice}
        fact = simple if choice else opposite
        self.decisions.append(fact)
        self.solver.add(fact)
        return choice

    def possible(self, condition: Term) -> bool:
        """Whether a condition may hold here; where the solver does not know, it may."""
        return bool(self.solver.check(condition) != z3.unsat)


class Truth(Struct, frozen=True, eq=False):
    """A condition on integers; asked for its truth value, it forks the execution."""

    term: Term
    execution: Execution

    def __bool__(self) -> bool:
        return self.execution.decide(self.term)


class Integer(Struct, frozen=True, eq=False):
    """An integer that computes terms, with Python's meaning of `//` and `%`."""

    term: Term
    execution: Execution

    def __repr__(self) -> str:
        return str(self.term)

    __hash__ = None  # type: ignore[assignment]

    def integer(self, term: Term) -> Integer:
        """An integer of the same execution."""
        return Integer(z3.simplify(term), self.execution)

    def truth(self, term: Term) -> Truth:
        """A condition of the same execution."""
        return Truth(term, self.execution)

    def __add__(self, other: Whole) -> Integer:
        return self.integer(self.term + term_of(other))

    def __radd__(self, other: Whole) -> Integer:
        return self.integer(term_of(other) + self.term)

    def __sub__(self, other: Whole) -> Integer:
        return self.integer(self.term - term_of(other))

    def __rsub__(self, other: Whole) -> Integer:
        return self.integer(term_of(other) - self.term)

    def __mul__(self, other: Whole) -> Integer:
        return self.integer(self.execution.multiply(self.term, z3.simplify(term_of(other))))

    def __rmul__(self, other: Whole) -> Integer:
        return self.integer(term_of(other) * self.term)

    def __neg__(self) -> Integer:
        return self.integer(-self.term)

    def __floordiv__(self, other: Whole) -> Integer:
        return self.integer(self.execution.quotient(self.term, term_of(other)))

    def __rfloordiv__(self, other: Whole) -> Integer:
        return self.integer(self.execution.quotient(term_of(other), self.term))

    def __mod__(self, other: Whole) -> Integer:
        divisor = term_of(other)
        return self.integer(self.term - self.execution.quotient(self.term, divisor) * divisor)

    def __rmod__(self, other: Whole) -> Integer:
        dividend = term_of(other)
        return self.integer(dividend - self.execution.quotient(dividend, self.term) * self.term)

    def __eq__(self, other: object) -> Truth:  # type: ignore[override]
        return self.truth(self.term == term_of(other))

    def __ne__(self, other: object) -> Truth:  # type: ignore[override]
        return self.truth(self.term != term_of(other))

    def __lt__(self, other: Whole) -> Truth:
        return self.truth(self.term < term_of(other))

    def __le__(self, other: Whole) -> Truth:
        return self.truth(self.term <= term_of(other))

    def __gt__(self, other: Whole) -> Truth:
        return self.truth(self.term > term_of(other))

    def __ge__(self, other: Whole) -> Truth:
        return self.truth(self.term >= term_of(other))


Whole = Integer | int


def define_quotient(quotient: Term, dividend: Term, divisor: Term) -> tuple[Term, ...]:
    """What the quotient by a positive divisor is; the sign follows, but the solver is slow to see it."""
    product = quotient * divisor
    return product <= dividend, dividend < product + divisor, (dividend >= 0) == (quotient >= 0)


def compare_quotients(quotient: Term, dividend: Term, known: Term, other: Term) -> Term:
    """Quotients by one positive divisor are ordered as what is divided. It follows from what they are."""
    return z3.And(z3.Implies(dividend <= other, quotient <= known), z3.Implies(other <= dividend, known <= quotient))


def round_up(quotient: Term, dividend: Term, known: Term, divisor: Term) -> Term:
    """Rounding up what has no rest changes nothing. It follows from what quotients are."""
    return z3.Implies(dividend < known * divisor + divisor, quotient <= known)


def compare_products(first: Term, second: Term, factor: Term) -> Term:
    """Products with a factor that is not negative are ordered as what is multiplied."""
    least = z3.Implies(first <= second, first * factor <= second * factor)
    greatest = z3.Implies(second <= first, second * factor <= first * factor)
    return z3.Implies(factor >= 0, z3.And(least, greatest))


def divide_in_steps(quotient: Term, dividend: Term, known: Term, size: Term, step: Term, divisor: Term) -> Term:
    """What is divided without a rest in two steps has the product as its quotient. It follows from what they are."""
    return z3.Implies(z3.And(known * size == dividend, step * divisor == size), quotient == known * step)


def negate_quotient(quotient: Term, dividend: Term, known: Term, other: Term, divisor: Term) -> Term:
    """Quotients of opposite numbers are opposite, or one lower if there is a rest. It follows from what they are."""
    exact = z3.And(known * divisor == other, quotient == -known)
    rest = z3.And(known * divisor < other, quotient == -known - 1)
    return z3.Implies(dividend + other == 0, z3.Or(exact, rest))


def term_of(value: Any) -> Term:
    """The term that a value stands for; a plain number is itself."""
    match value:
        case Integer() | Truth():
            return value.term
        case bool():
            return z3.BoolVal(value)
        case int():
            return z3.IntVal(value)
        case _:
            raise TypeError(f"{value!r} is no integer")


def explore(function: Callable[[Execution], Result], given: Iterable[Term] = ()) -> tuple[Path[Result], ...]:
    """What a function of symbolic integers gives on every path that some values, of which is `given`, lead along.

    The function makes its integers from the execution that it is passed. Its arithmetic errors, wrong indices and
    refusals are results. Raises Unsupported where it does not come to an end.

    >>> smaller = explore(lambda run: min(run.integer("a"), 3))
    >>> [(path.decisions, path.result) for path in smaller]
    [((Not(a <= 3),), 3), ((a <= 3,), a)]
    """
    conditions = tuple(given)
    waiting: list[tuple[bool, ...]] = [()]
    found: list[Path[Result]] = []
    while waiting:
        if len(found) >= PATHS:
            raise Unsupported(f"a function has more than {PATHS} paths on symbolic values")
        run = Execution(conditions, waiting.pop())
        result = finish(function, run)
        found.append(Path(tuple(run.decisions), tuple(run.definitions), result))
        waiting += run.alternatives
    return tuple(found)


def finish(function: Callable[[Execution], Result], run: Execution) -> Result | Raised:
    """What a function gives, or its error."""
    try:
        return function(run)
    except Unsupported:
        raise
    except (ArithmeticError, LookupError, GnomonError) as error:
        return Raised(error)


def always(
    function: Callable[[Execution], Truth | Term | bool],
    *,
    given: Iterable[Term] = (),
    show: Mapping[str, Term] | None = None,
    seconds: float = SECONDS,
) -> Verdict:
    """Whether what a function says is true on every path; an error refutes it.

    >>> always(lambda run: run.integer("a") // 4 * 4 <= run.integer("a"))
    Proved(witness=())
    >>> always(lambda run: 4 // run.integer("a") >= 0, show={"a": z3.Int("a")})
    Refuted(counterexample=(('a', '0'), ('error', 'ZeroDivisionError()')))
    """
    conditions = tuple(given)
    return together(on_path(path, conditions, show or {}, seconds) for path in explore(function, conditions))


def on_path(path: Path[Any], given: tuple[Term, ...], show: Mapping[str, Term], seconds: float) -> Verdict:
    """Whether what a function says is true on one path."""
    result = path.result
    goal = z3.BoolVal(False) if isinstance(result, Raised) else result if z3.is_expr(result) else term_of(result)
    verdict = settle(goal, (*given, *path.condition), show, seconds)
    if isinstance(verdict, Refuted) and isinstance(result, Raised):
        return Refuted((*verdict.counterexample, ("error", repr(result.error))))
    return verdict


def settle(goal: Term, given: tuple[Term, ...], show: Mapping[str, Term], seconds: float) -> Verdict:
    """Whether a goal follows: shortly as it is, else with a number in the place of each quotient.

    What defines a quotient leaves it one value, so that numbers do as well; but the solver goes another way about it.
    """
    verdict = decide(goal, given=given, show=show, seconds=seconds / 4)
    if not isinstance(verdict, Unknown):
        return verdict
    named: dict[Term, Term] = {}
    for term in (goal, *given):
        for quotient in quotients(term):
            named.setdefault(quotient, z3.Int(f"quotient {len(named)}"))
    # outermost first: a quotient of a quotient holds it
    pairs = sorted(named.items(), key=lambda pair: -len(str(pair[0])))
    plain = [replace_parts(term, pairs) for term in (goal, *given)]
    return decide(plain[0], given=plain[1:], show=show, seconds=seconds)


def quotients(term: Term) -> Iterator[Term]:
    """The quotients by symbolic divisors in a term."""
    waiting, seen = [term], set()
    while waiting:
        each = waiting.pop()
        if each.get_id() in seen:
            continue
        seen.add(each.get_id())
        if z3.is_app(each):
            if each.decl().eq(QUOTIENT):
                yield each
            waiting += each.children()


def replace_parts(term: Term, pairs: Iterable[tuple[Term, Term]]) -> Term:
    """A term with some of its parts replaced by others, the first first."""
    for part, other in pairs:
        term = z3.substitute(term, (part, other))
    return term
