"""Products and quotients of unknowns, as functions of which only laws are known.

Solvers are strong on linear arithmetic with functions and weak on products of unknowns. The positions of a level are
such products (`p * N + i`), but proofs about them need little: a greater factor gives a product greater by at least the
other factor, and a quotient times the divisor is at most the dividend, by less than the divisor. What follows from
laws that products obey holds of products. The laws are obligations themselves: `levels.laws`.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations

from ..solver import Term, z3


@cache
def operation(name: str) -> Term:
    """The function that stands for products, quotients or remainders."""
    return z3.Function(name, z3.IntSort(), z3.IntSort(), z3.IntSort())


def times(a: Term, b: Term) -> Term:
    """A product; the factors are in one order, whichever way they came."""
    first, second = sorted((a, b), key=lambda t: t.sexpr())
    return operation("times")(first, second)


Known = dict[int, tuple[Term, Term]]
"""Terms that have been looked at, by their number in Z3, with what stands for them."""


def linear(term: Term, known: Known | None = None) -> Term:
    """A term without bound variables, as a sum of monomials, with functions for what is not linear.

    >>> p, N, i = z3.Ints("p N i")
    >>> linear((p + 1) * N + i == 3)
    N + times(N, p) + i == 3
    """
    return rebuilt(z3.simplify(term, som=True, hoist_mul=False), {} if known is None else known)


def rebuilt(term: Term, known: Known) -> Term:
    """The same term with functions for products, quotients and remainders."""
    held = known.get(term.get_id())
    if held is not None:
        return held[1]
    children = term.children()
    found = rebuild(term, children, [rebuilt(c, known) for c in children]) if children else term
    known[term.get_id()] = (term, found)
    return found


def rebuild(term: Term, children: list[Term], others: list[Term]) -> Term:
    """A term with other children."""
    kind = term.decl().kind()
    if kind == z3.Z3_OP_MUL:
        return monomial_term(others)
    if kind in (z3.Z3_OP_IDIV, z3.Z3_OP_MOD) and not z3.is_int_value(others[1]):
        return operation("quotient" if kind == z3.Z3_OP_IDIV else "remainder")(*others)
    return term if all(map(operator.is_, children, others)) else term.decl()(*others)


def monomial_term(factors: list[Term]) -> Term:
    """A monomial."""
    others = sorted((f for f in factors if not z3.is_int_value(f)), key=lambda t: t.sexpr())
    while len(others) > 1:
        *others, a, b = others
        others.append(times(a, b))
    product = others[0] if others else z3.IntVal(1)
    for n in factors:
        if z3.is_int_value(n):
            product = n * product
    return product


def laws(terms: Iterable[Term]) -> Iterator[Term]:
    """The laws of the products, quotients and remainders among the terms."""
    products, seen = {}, set()
    for t in terms:
        name = t.decl().name()
        if name in ("quotient", "remainder") and t.num_args() == 2:
            a, b = t.children()
            if (a.get_id(), b.get_id()) not in seen:
                seen.add((a.get_id(), b.get_id()))
                q, r = operation("quotient")(a, b), operation("remainder")(a, b)
                product = times(q, b)
                products[product.get_id()] = product
                yield from division_laws(a, b, q, r, product)
        elif name == "times" and t.num_args() == 2:
            products[t.get_id()] = t
    for t in products.values():
        a, b = t.children()
        yield sign_law(a, b, t)
    for s, t in combinations(products.values(), 2):
        for a, b, c in shared_factor(s.children(), t.children()):
            yield order_law(a, b, c, s, t)
            yield order_law(b, a, c, t, s)
            yield z3.Implies(a == b, s == t)


def shared_factor(left: list[Term], right: list[Term]) -> Iterator[tuple[Term, Term, Term]]:
    """The other factors, and the one that two products have in common."""
    for m in (0, 1):
        for n in (0, 1):
            if left[m].eq(right[n]):
                yield left[1 - m], right[1 - n], left[m]


def sign_law(a: Term, b: Term, product: Term) -> Term:
    """A product of what is not negative is not negative, and zero if a factor is; one is neutral."""
    signs = z3.Implies(z3.And(a >= 0, b >= 0), product >= 0)
    zero = z3.Implies(z3.Or(a == 0, b == 0), product == 0)
    least = z3.Implies(z3.And(a >= 1, b >= 1), z3.And(product >= a, product >= b))
    return z3.And(signs, zero, least, z3.Implies(a == 1, product == b), z3.Implies(b == 1, product == a))


def order_law(a: Term, b: Term, c: Term, left: Term, right: Term) -> Term:
    """A greater factor gives a product greater by at least the other factor: `left` is a*c, `right` is b*c."""
    return z3.Implies(z3.And(c >= 0, a < b), z3.And(left + c <= right, z3.Implies(b == a + 1, left + c == right)))


def division_laws(a: Term, b: Term, q: Term, r: Term, product: Term) -> Iterator[Term]:
    """What a quotient q and a remainder r of a by b are; `product` is q*b."""
    yield z3.Implies(b > 0, z3.And(a == product + r, r >= 0, r < b))
    yield z3.Implies(z3.And(b > 0, a >= 0, a < b), z3.And(r == a, q == 0))
    yield z3.Implies(z3.And(b > 0, a >= b, a < 2 * b), z3.And(r == a - b, q == 1))
    yield z3.Implies(z3.And(b > 0, a < 0, a >= -b), z3.And(r == a + b, q == -1))
