"""Products of unknowns as unknowns of their own, of which the solver is told what it needs.

Solvers are weak where unknowns are multiplied. A product is written as a sum of monomials, each an unknown integer;
where two products share a factor, an instance of one law is given, proved once as the obligation `c.products`:

    0 <= y  and  a < b   imply   a*y + y <= b*y
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from msgspec import Struct, field

from ..solver import Term, z3

Monomial = tuple[int, ...]
Sum = dict[Monomial, int]


class Products(Struct):
    """Monomials by the identities of their factors. `say` takes the laws, and what takes a law back, one at a time.

    `without` has the terms that were found to be without products.
    """

    say: Callable[[Term, Callable[[], object]], None]
    atoms: dict[int, Term] = field(default_factory=dict)
    unknowns: dict[Monomial, Term] = field(default_factory=dict)
    monomials: dict[int, Monomial] = field(default_factory=dict)
    rows: dict[tuple[tuple[Monomial, int], ...], list[tuple[Term, Term]]] = field(default_factory=dict)
    multiples: dict[tuple[tuple[Monomial, int], ...], dict[int, Term]] = field(default_factory=dict)
    without: dict[int, Term] = field(default_factory=dict)

    def times(self, a: Term, b: Term) -> Term:
        """The product of two terms, free of products of unknowns."""
        left, right = self.sum(a), self.sum(b)
        found: Sum = {}
        for m, x in left.items():
            for n, y in right.items():
                key = tuple(sorted(m + n))
                found[key] = found.get(key, 0) + x * y
        product = self.term(found)
        if any(left.keys() - {()}) and any(right.keys() - {()}):
            self.compare_product(left, self.term(right), product)
            self.compare_product(right, self.term(left), product)
        for shared, other in ((left, right), (right, left)):
            if other.keys() == {()} and shared:
                self.multiples.setdefault(tuple(sorted(shared.items())), {})[other[()]] = product
        return product

    def compare_product(self, shared: Sum, other: Term, product: Term) -> None:
        """Say how a product compares with the others that have a factor in common, constant multiples of it too."""
        key = tuple(sorted(shared.items()))
        row = self.rows.setdefault(key, [])
        if any(other.eq(known) for known, _ in row):
            return
        y = self.term(shared)
        laws = [
            z3.Implies(z3.And(other >= 0, y >= 0), product >= 0),
            z3.Implies(other == 0, product == 0),
            z3.Implies(other == 1, product == y),
        ]
        multiples = self.multiples.get(key, {}).items()
        for known, result in (*row, *((z3.IntVal(number), multiple) for number, multiple in multiples)):
            for a, b, r, s in ((known, other, result, product), (other, known, product, result)):
                laws.append(z3.Implies(z3.And(y >= 0, a < b), r + y <= s))
            laws.append(z3.Implies(known == other, result == product))
        row.append((other, product))
        self.say(z3.And(laws), row.pop)

    def sum(self, term: Term) -> Sum:
        """A term as a sum of monomials with coefficients."""
        if z3.is_int_value(term):
            return {(): term.as_long()} if term.as_long() else {}
        if z3.is_app_of(term, z3.Z3_OP_ADD):
            return add([self.sum(each) for each in term.children()])
        if z3.is_app_of(term, z3.Z3_OP_SUB):
            first, *rest = [self.sum(each) for each in term.children()]
            return add([first, *[scale(each, -1) for each in rest]])
        if z3.is_app_of(term, z3.Z3_OP_UMINUS):
            return scale(self.sum(term.arg(0)), -1)
        if z3.is_app_of(term, z3.Z3_OP_MUL):
            product = term.arg(0)
            for each in term.children()[1:]:
                product = self.times(product, each)
            return self.sum(product) if not z3.is_app_of(product, z3.Z3_OP_MUL) else self.scaled_atom(product)
        known = self.monomials.get(term.get_id())
        if known is not None:
            return {known: 1}
        self.atoms[term.get_id()] = term
        return {(term.get_id(),): 1}

    def scaled_atom(self, term: Term) -> Sum:
        """The sum for a number times an unknown."""
        number, unknown = term.children()
        return scale(self.sum(unknown), number.as_long())

    def term(self, found: Sum) -> Term:
        """A sum of monomials as a term."""
        parts = [self.monomial(m) if x == 1 else x * self.monomial(m) for m, x in sorted(found.items()) if x and m]
        constant = found.get((), 0)
        if not parts:
            return z3.IntVal(constant)
        total = parts[0] if len(parts) == 1 else z3.Sum(parts)
        return total + constant if constant else total

    def monomial(self, m: Monomial) -> Term:
        """The unknown for a product of unknowns."""
        if len(m) == 1:
            return self.atoms[m[0]]
        if m not in self.unknowns:
            self.unknowns[m] = z3.Int(f"product {len(self.unknowns)}")
            self.monomials[self.unknowns[m].get_id()] = m
        return self.unknowns[m]

    def flat(self, term: Term) -> Term:
        """A term in which every product of unknowns is an unknown of its own."""
        if term.get_id() in self.without or z3.is_quantifier(term) or z3.is_var(term) or term.num_args() == 0:
            return term
        children = term.children()
        others = [self.flat(each) for each in children]
        if z3.is_app_of(term, z3.Z3_OP_MUL):
            product = others[0]
            for each in others[1:]:
                product = self.times(product, each)
            return product
        if all(map(operator.is_, children, others)):
            self.without[term.get_id()] = term
            return term
        return term.decl()(*others)


class Exact(Products):
    """Products that are what they are: for small numbers the solver need not be told what follows."""

    def monomial(self, m: Monomial) -> Term:
        """The unknown for a product of unknowns, with its definition."""
        is_new = len(m) > 1 and m not in self.unknowns
        found = super().monomial(m)
        if is_new:
            product = self.atoms[m[0]]
            for each in m[1:]:
                product = product * self.atoms[each]
            self.say(found == product, lambda: self.unknowns.pop(m))
        return found


def add(sums: list[Sum]) -> Sum:
    """The sum of sums."""
    found: Sum = {}
    for each in sums:
        for m, x in each.items():
            found[m] = found.get(m, 0) + x
    return {m: x for m, x in found.items() if x}


def scale(found: Sum, factor: int) -> Sum:
    """A sum times a number."""
    return {m: x * factor for m, x in found.items()}
