"""Proofs by instances: what is given for all indices is used at the indices that occur.

Assumptions about arrays hold for all positions, coordinates, parents. Solvers may search such quantifiers for ever, so
here they are instantiated beforehand: a variable that is an index (`crd(q - 1)`) with what makes the index one that
occurs, one that is a factor with factors that occur. Instances follow from what they are instances of, so a proof from
them is a proof. That none is found says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from ..solver import Nothing, Term, search, z3
from ..verdict import Proved, Unknown, Verdict
from .invariant_terms import is_element, subterms
from .products import Known, laws, linear

ROUNDS = 3
MOST = 6000
SECONDS = 8.0
QUANTIFIED = z3.Probe("has-quantifiers")


def prove(goal: Term, given: Iterable[Term] = (), *, rounds: int = ROUNDS) -> Verdict:
    """Proved if a goal follows from instances of what is given; else unknown.

    >>> f, n = z3.Function("f", z3.IntSort(), z3.IntSort()), z3.Int("n")
    >>> prove(f(6) > f(4), [z3.ForAll([n], f(n) < f(n + 1))])
    Proved(witness=())
    """
    own = [t for t in subterms(goal) if z3.is_const(t) and z3.is_int(t)]
    theory = Theory([*given, z3.Not(goal)], {t.get_id(): t for t in own})
    for _ in range(rounds):
        if isinstance(theory.answer(), Nothing):
            return Proved()
        if not theory.instantiate():
            break
    return Proved() if isinstance(theory.answer(), Nothing) else Unknown("it does not follow from instances")


class Theory:
    """Formulas without quantifiers, and quantified ones that are instantiated where they hold."""

    def __init__(self, formulas: Iterable[Term], constants: dict[int, Term]) -> None:
        self.ground: list[Term] = []
        self.universal: list[tuple[Term, Term]] = []
        self.terms: dict[int, Term] = {}
        self.names = count()
        self.constants = constants
        self.seen: dict[int, Term] = {}
        self.known: Known = {}
        self.patterns: dict[int, Pattern] = {}
        goal = z3.Goal()
        goal.add(*formulas)
        for f in z3.Tactic("snf")(goal)[0]:
            self.add(f)

    def add(self, f: Term) -> None:
        """Take in a formula in which all quantifiers are universal, as all are that are not negated."""
        found = linear(self.without_quantifiers(f), self.known)
        if found.get_id() not in self.seen:
            self.seen[found.get_id()] = found
            self.ground.append(found)
            self.note(found)

    def note(self, f: Term) -> None:
        """Remember the terms that occur in a formula."""
        left = [f]
        while left:
            t = left.pop()
            if t.get_id() not in self.terms:
                self.terms[t.get_id()] = t
                left += t.children()

    def without_quantifiers(self, f: Term) -> Term:
        """The formula with a truth value in place of each quantified part, which implies the part's instances.

        A part that is neither affirmed nor denied, as a condition of a choice is, may still be existential: of such a
        truth value nothing is known.
        """
        if z3.is_quantifier(f):
            name = z3.Bool(f"all!{next(self.names)}")
            if not f.is_forall():
                return name
            self.universal.append((name, f))
            for part in closed_parts(f.body()):
                if z3.is_int(part):
                    self.note(linear(part, self.known))
            return name
        if not has_quantifiers(f):
            return f
        return f.decl()(*map(self.without_quantifiers, f.children()))

    def answer(self) -> object:
        """What the solver says of the formulas so far."""
        return search([*self.ground, *laws(self.terms.values())], {}, seconds=SECONDS)

    def pattern(self, quantifier: Term) -> Pattern:
        """A quantified formula as it is instantiated."""
        if quantifier.get_id() not in self.patterns:
            self.patterns[quantifier.get_id()] = Pattern(quantifier)
        return self.patterns[quantifier.get_id()]

    def instantiate(self) -> bool:
        """Add the instances that the terms suggest; whether there were any."""
        terms = Occurring(self.terms.values(), self.constants, self.known)
        before = len(self.ground)
        for name, quantifier in list(self.universal):
            for instance in self.pattern(quantifier).instances(terms):
                if len(self.ground) - before < MOST:
                    self.add(z3.Implies(name, instance))
        return len(self.ground) > before


def has_quantifiers(f: Term) -> bool:
    """Whether a formula has quantified parts."""
    goal = z3.Goal()
    goal.add(f)
    return bool(QUANTIFIED(goal))


def closed_parts(term: Term) -> Iterator[Term]:
    """The largest parts of a term without bound variables."""
    if z3.is_quantifier(term):
        yield from closed_parts(term.body())
    elif not any(z3.is_var(t) for t in subterms(term)):
        yield term
    else:
        for each in term.children():
            yield from closed_parts(each)


class Occurring:
    """The terms that occur: indices by array, factors by the other factor; and the constants of the goal."""

    def __init__(self, terms: Iterable[Term], constants: dict[int, Term], known: Known) -> None:
        self.indices: dict[str, dict[int, Term]] = {}
        self.factors: dict[int, dict[int, Term]] = {}
        self.constants = constants
        self.known = known
        for t in terms:
            if t.decl().name() == "times":
                a, b = t.children()
                self.factors.setdefault(a.get_id(), {})[b.get_id()] = b
                self.factors.setdefault(b.get_id(), {})[a.get_id()] = a
            elif is_element(t) and t.num_args() == 1 and t.decl().name() not in ("quotient", "remainder"):
                self.indices.setdefault(t.decl().name(), {})[t.arg(0).get_id()] = t.arg(0)


class Pattern:
    """A universal formula with constants in place of its variables, the indices in it and the factors of variables."""

    def __init__(self, quantifier: Term) -> None:
        n = quantifier.num_vars()
        self.marks = [z3.Const(f"bound!{k}!{n}", quantifier.var_sort(k)) for k in range(n)]
        self.body = z3.simplify(z3.substitute_vars(quantifier.body(), *reversed(self.marks)), som=True)
        self.indices: list[tuple[str, Term]] = []
        self.factors: list[tuple[Term, Term]] = []
        for t in subterms(self.body):
            if is_element(t) and t.num_args() == 1:
                self.indices.append((t.decl().name(), t.arg(0)))
            elif z3.is_mul(t):
                factors = t.children()
                self.factors += [(a, b) for a in factors if contains(self.marks, a) for b in factors if not a.eq(b)]

    def instances(self, terms: Occurring) -> Iterator[Term]:
        """The instances at terms that occur."""
        for values in self.bindings([], terms):
            yield z3.substitute(self.body, *values)

    def bindings(self, bound: list[tuple[Term, Term]], terms: Occurring) -> Iterator[list[tuple[Term, Term]]]:
        """Terms that occur for the constants, one after the other: first those with the fewest."""
        free = [mark for mark in self.marks if not any(mark.eq(other) for other, _ in bound)]
        if not free:
            yield bound
            return
        found = [(mark, self.candidates(mark, free, bound, terms)) for mark in free]
        mark, values = min(found, key=lambda each: len(each[1]) or MOST)
        for value in (values or terms.constants).values():
            yield from self.bindings([*bound, (mark, value)], terms)

    def candidates(
        self, mark: Term, free: list[Term], bound: list[tuple[Term, Term]], terms: Occurring
    ) -> dict[int, Term]:
        """The values of a constant that make an index or a factor one that occurs."""
        found: dict[int, Term] = {}
        for name, index in self.indices:
            side = z3.simplify(z3.substitute(index, *bound), som=True) if bound else index
            if mentions(side, [mark]):
                for other in terms.indices.get(name, {}).values():
                    value = solution(side, mark, other, terms.known)
                    if value is not None and not mentions(value, free):
                        found[value.get_id()] = value
        for factor, other in self.factors:
            if factor.eq(mark):
                for value in terms.factors.get(other.get_id(), {}).values():
                    found[value.get_id()] = value
        return found


def contains(marks: Sequence[Term], t: Term) -> bool:
    """Whether a term is one of the constants."""
    return any(t.eq(mark) for mark in marks)


def solution(side: Term, mark: Term, index: Term, known: Known) -> Term | None:
    """The value of a constant that makes a sum of monomials equal to an index: it has one monomial, of degree one."""
    monomials = addends(side)
    own = [m for m in monomials if mentions(m, [mark])]
    if len(own) != 1:
        return None
    rest = linear(index - sum((m for m in monomials if m is not own[0]), z3.IntVal(0)), known)
    if own[0].eq(mark):
        return rest
    if z3.is_mul(own[0]) and own[0].num_args() == 2 and any(c.eq(mark) for c in own[0].children()):
        (factor,) = [c for c in own[0].children() if not c.eq(mark)]
        return divide(rest, factor)
    return None


def addends(term: Term) -> list[Term]:
    """The monomials of a sum."""
    return [m for c in term.children() for m in addends(c)] if z3.is_add(term) else [term]


def divide(term: Term, factor: Term) -> Term | None:
    """A sum of monomials divided by a factor, if it divides each of them."""
    parts = []
    for monomial in addends(term):
        number, rest = (monomial.arg(0), monomial.arg(1)) if z3.is_mul(monomial) else (z3.IntVal(1), monomial)
        if rest.eq(factor):
            parts.append(number)
        elif z3.is_app(rest) and rest.decl().name() == "times" and any(c.eq(factor) for c in rest.children()):
            parts.append(number * next(a for a, b in (rest.children(), rest.children()[::-1]) if b.eq(factor)))
        elif not (z3.is_int_value(rest) and rest.as_long() == 0):
            return None
    return z3.simplify(sum(parts, z3.IntVal(0)), som=True)


def mentions(term: Term, marks: Sequence[Term]) -> bool:
    """Whether any of the constants occurs in a term."""
    ids = {m.get_id() for m in marks}
    return any(t.get_id() in ids for t in subterms(term))
