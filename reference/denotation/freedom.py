"""Freedom: what a result may be because its computation may be bracketed or distributed otherwise.

Exact arithmetic knows no difference. Where intermediate results overflow, or vanish, in one order and not in another,
nothing is claimed of a computed result.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ..algebra import exact as arithmetic
from ..algebra.error_bound import of_argument
from ..algebra.exact import Exact
from ..algebra.operator import Operator
from ..algebra.roundoff import overflow_threshold, roundoff
from ..notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce, accesses
from ..notation.types import dtype_of
from .meaning import Meaning, State

PARTS = 4
"""How much larger a part of a complex product may be, on the way to it, than the product of magnitudes."""


def continues(argument: Apply, e: Apply) -> bool:
    """Whether operands of an argument may be grouped with those around it: one associative operator, one dtype."""
    return argument.operator.name == e.operator.name and e.operator.associative and dtype_of(argument) == dtype_of(e)


def allow_regrouping(m: Meaning, operator: Operator, operands: Sequence[Meaning], dtype: np.dtype) -> Meaning:
    """The meaning of an operator over three operands or more, of which some may be combined first: no claim where
    those may overflow or vanish, though the whole does not."""
    if m.state is not State.PRESENT or len(operands) < 3 or dtype.kind not in "fc":
        return m
    sizes = finite_sizes(operands)
    grown = largest_product(operator, operands)
    shrunk = combine(operator, [min(size, Fraction(1)) for size in sizes])
    overflows = grown > max(sizes, default=Fraction(0)) and PARTS * grown > Fraction(overflow_threshold(dtype))
    vanishes = shrunk < min(sizes, default=Fraction(0)) and shrunk < PARTS * Fraction(float(np.finfo(dtype).tiny))
    return replace(m, bound=math.inf) if overflows or vanishes else m


def finite_sizes(operands: Sequence[Meaning]) -> list[Fraction]:
    """The magnitudes of operands that are neither zero nor infinite."""
    return [Fraction(size) for each in operands if 0 < (size := magnitude(each)) < math.inf]


def largest_product(operator: Operator, operands: Sequence[Meaning]) -> Fraction:
    """The largest magnitude that an operator has over some of its operands."""
    return combine(operator, [max(size, Fraction(1)) for size in finite_sizes(operands)])


def combine(operator: Operator, sizes: list[Fraction]) -> Fraction:
    """The operator over magnitudes; nothing where that is no rational number."""
    found: Exact = Fraction(0)
    for number, size in enumerate(sizes):
        found = operator.exact(found, size) if number else size
    return found if isinstance(found, Fraction) else Fraction(0)


def magnitude(m: Meaning) -> float:
    """The largest magnitude that something may have."""
    return max(arithmetic.magnitude(value) for value in m.values())


def distributes(e: Apply) -> bool:
    """Whether an operator may be applied to the contributions of a sum inside one of its arguments."""
    return any(r.operator.name in e.operator.distributes_over for a in e.args for r in reductions(a))


def reductions(e: Expr) -> Iterator[Reduce]:
    """The reductions in an expression."""
    match e:
        case Reduce(body=body):
            yield e
            yield from reductions(body)
        case Apply(args=args):
            for argument in args:
                yield from reductions(argument)
        case Access() | Literal() | Fill():
            return


def allow_distribution(m: Meaning, operator: Operator, args: tuple[Meaning, ...], dtype: np.dtype) -> Meaning:
    """The meaning of a product over a sum, which may be computed as a sum of products: NaN where infinities cancel or
    meet zero, and no claim where products of the contributions may overflow, though that of the sum does not."""
    if m.state is not State.PRESENT:
        return m
    if not all(math.isfinite(arithmetic.magnitude(v)) for a in args for v in a.values()):
        return replace(m, choices=(*m.values(), math.nan))
    largest = operator.exact(*(Fraction(largest_contribution(a, dtype)) for a in args))
    return replace(m, bound=max(m.bound, of_argument(largest, 0.0, dtype)))


def factors_out(e: Reduce) -> bool:
    """Whether a reduction is over products of which some operands may be taken out of it: those without its variable.

    Reductions directly inside it may change places with it.
    """
    body: Expr = e
    while isinstance(body, Reduce) and body.operator.name == e.operator.name:
        body = body.body
    if not (isinstance(body, Apply) and e.operator.name in body.operator.distributes_over):
        return False
    return any(all(e.index not in access.indices for access in accesses(each)) for each in chain_operands(body, body))


def chain_operands(e: Expr, outer: Apply) -> Iterator[Expr]:
    """The operands of an operator through arguments which it computes too."""
    if isinstance(e, Apply) and (e is outer or continues(e, outer)):
        for argument in e.args:
            yield from chain_operands(argument, outer)
    else:
        yield e


def allow_factoring(m: Meaning, grown: Callable[[], Fraction], dtype: np.dtype) -> Meaning:
    """The meaning of a sum of products, which may be computed as a product over a sum: of any sign where infinite
    products cancel, or an infinity meets zero, and no claim where the sum may overflow, though the products do not."""
    if m.state is not State.PRESENT or dtype.kind not in "fc":
        return m
    if any(value != value for value in m.values()):
        return replace(m, choices=(*m.values(), math.inf, -math.inf))
    return replace(m, bound=math.inf) if grown() > Fraction(overflow_threshold(dtype)) else m


def largest_contribution(m: Meaning, dtype: np.dtype) -> float:
    """How large contributions to a computed sum may be, by its error bound: that counts each with a rounding."""
    u = roundoff(dtype)
    spread = m.bound / u if u > 0 else 0.0
    found = max(arithmetic.magnitude(v) for v in m.values()) + spread
    return min(found, sys.float_info.max)
