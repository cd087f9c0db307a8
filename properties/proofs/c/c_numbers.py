"""Sums and quotients of C, with what the solver needs to know of them."""

from __future__ import annotations

from ..solver import Term, z3
from .c_facts import Knowledge


def total(know: Knowledge, a: Term, b: Term) -> Term:
    """A sum in a normal form."""
    products = know.products
    return products.term(products.sum(a + b))


def quotient(know: Knowledge, a: Term, b: Term) -> Term:
    """A quotient rounded down."""
    if z3.is_int_value(b) and b.as_long() > 0:
        return a / b
    q = know.fresh("quotient")
    product = know.products.times(q, b)
    know.say(z3.Implies(b > 0, z3.And(product <= a, a < product + b)))
    know.say(z3.Implies(z3.And(b > 0, a >= 0), q >= 0))
    return q


def truncated_quotient(know: Knowledge, a: Term, b: Term) -> Term:
    """A quotient as C has it; of a negative dividend nothing is known."""
    if z3.is_int_value(b) and b.as_long() > 0:
        return z3.If(a >= 0, a / b, -(-a / b))
    q = know.fresh("quotient")
    product = know.products.times(q, b)
    know.say(z3.Implies(z3.And(b > 0, a >= 0), z3.And(product <= a, a < product + b, q >= 0)))
    return q
