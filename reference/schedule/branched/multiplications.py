"""Multiplications: how many components of operands meet in the value of an assignment, if they lie anywhere.

In `A(i,k) * B(k,j)` as many as the product of all extents times the share of components that each operand has. In
`A(i,k) * (B(j,k) + E(j,k))` as many as those of A meet of B, and of E.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, product

from ...notation.syntax import Access, Apply, Expr, accesses
from . import expectation
from .expectation import Term
from .merging import Sizes


def multiplications(value: Expr, sizes: Sizes) -> Iterator[Term]:
    """How many components meet, for each product of what is added, where each variable has all its values."""
    every = tuple(dict.fromkeys(v for read in stored_operands(tuple(accesses(value)), sizes) for v in read.indices))
    for factors in summands(value):
        yield count_meeting(stored_operands(factors, sizes), every, sizes)


def summands(e: Expr) -> list[tuple[Access, ...]]:
    """The operands that meet in an expression, for each of those that are added in it: those that an operator with an
    annihilator combines meet, others stand beside one another."""
    match e:
        case Access():
            return [(e,)]
        case Apply(operator=operator, args=args) if operator.left_annihilator or operator.right_annihilator:
            return [tuple(chain(*each)) for each in product(*map(summands, args))]
        case Apply(args=args):
            return list(chain(*map(summands, args)))
        case _:
            return [()]


def stored_operands(factors: Sequence[Access], sizes: Sizes) -> list[Access]:
    """The operands among some factors that store components, without workspaces."""
    return [a for a in factors if a.levels and a.tensor not in sizes.program.workspace]


def count_meeting(factors: Sequence[Access], variables: Sequence[str], sizes: Sizes) -> Term:
    """How many components of operands meet for all values of some variables."""
    met = Term()
    for v in variables:
        met *= sizes.extent(v)
    for read in factors:
        met *= expectation.product([sizes.components(read)])
        for v in read.indices:
            met /= sizes.extent(v)
    return met
