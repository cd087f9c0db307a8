"""Polynomials over named sizes with rational coefficients: what costs are sums of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import reduce
from operator import mul
from typing import Any

from msgspec import Struct

Monomial = tuple[str, ...]


class Polynomial(Struct, frozen=True):
    """Coefficients by monomials: the names of the variables, in order, each as often as its power; none is zero.

    >>> x, y = variable("x"), variable("y")
    >>> str((x + y) * (x - y) + constant(3)), ((x + y) * x).evaluate({"x": 2, "y": 5})
    ('3 + x·x - y·y', 14)
    """

    terms: tuple[tuple[Monomial, Fraction], ...]

    def __add__(self, other: Polynomial) -> Polynomial:
        return collect([*self.terms, *other.terms])

    def __neg__(self) -> Polynomial:
        return Polynomial(tuple((m, -c) for m, c in self.terms))

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + -other

    def __mul__(self, other: Polynomial) -> Polynomial:
        products = ((tuple(sorted(m + n)), c * d) for m, c in self.terms for n, d in other.terms)
        return collect(products)

    def __str__(self) -> str:
        text = " + ".join(print_term(m, c) for m, c in self.terms) or "0"
        return text.replace("+ -", "- ")

    @property
    def variables(self) -> frozenset[str]:
        """The names of its variables."""
        return frozenset(v for m, _ in self.terms for v in m)

    @property
    def degree(self) -> int:
        """The most variables that a term multiplies."""
        return max((len(m) for m, _ in self.terms), default=0)

    def evaluate(self, at: Mapping[str, Any]) -> Any:
        """Its value: a number, or an array where variables have arrays of values."""
        return sum(reduce(mul, (at[v] for v in m), c if c.denominator > 1 else c.numerator) for m, c in self.terms)

    def slope(self, v: str) -> Polynomial:
        """What a variable is multiplied by, where it has no powers."""
        return collect((tuple(u for u in m if u != v), c) for m, c in self.terms if v in m)

    def substitute(self, values: Mapping[str, Polynomial]) -> Polynomial:
        """The polynomial with others in the place of variables."""
        return add(reduce(mul, (values.get(v, variable(v)) for v in m), constant(c)) for m, c in self.terms)


def collect(terms: Iterable[tuple[Monomial, Fraction]]) -> Polynomial:
    """The polynomial of some terms, those with the same variables added up."""
    found = dict[Monomial, Fraction]()
    for m, c in terms:
        found[m] = found.get(m, Fraction(0)) + c
    return Polynomial(tuple(sorted((m, c) for m, c in found.items() if c)))


def add(polynomials: Iterable[Polynomial]) -> Polynomial:
    """The sum of polynomials."""
    return collect(term for each in polynomials for term in each.terms)


def variable(name: str) -> Polynomial:
    """A variable."""
    return Polynomial((((name,), Fraction(1)),))


def constant(value: int | Fraction) -> Polynomial:
    """A number."""
    return collect([((), Fraction(value))])


def product(names: Iterable[str]) -> Polynomial:
    """The product of some variables; 1 of none."""
    return Polynomial(((tuple(sorted(names)), Fraction(1)),))


def print_term(m: Monomial, c: Fraction) -> str:
    """A term of a sum."""
    if not m:
        return str(c)
    return "·".join(m) if c == 1 else f"-{'·'.join(m)}" if c == -1 else f"{c}·{'·'.join(m)}"
