"""Freedom: what a result may be because its computation may be bracketed or distributed otherwise.

Exact arithmetic knows no difference. Where intermediate results overflow, or vanish, in one order and not in another,
nothing is claimed of a computed result.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations, groupby

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..algebra import exact as arithmetic
from ..algebra.agreement import agrees
from ..algebra.error_bound import infinite_if_nan, of_argument
from ..algebra.exact import Exact, exact
from ..algebra.operator import Operator
from ..algebra.roundoff import overflow_threshold, roundoff
from ..notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce, accesses
from ..notation.types import dtype_of
from .meaning import Meaning, State, distinct

PARTS = 4
"""How much larger a part of a complex product may be, on the way to it, than the product of magnitudes."""


def continues(argument: Apply, e: Apply) -> bool:
    """Whether operands of an argument may be grouped with those around it: one associative operator, one dtype."""
    return argument.operator is e.operator and e.operator.associative and dtype_of(argument) == dtype_of(e)


def allow_regrouping(m: Meaning, operator: Operator, operands: Sequence[Meaning], dtype: np.dtype) -> Meaning:
    """The meaning of an operator over three operands or more, of which some may be combined first: no claim where
    those may overflow, though the whole does not, and either presence where those may annihilate the others, though
    none does alone. What is rounded to a multiple of the smallest number, or vanishes, may be multiplied afterwards."""
    if len(operands) < 3:
        return m
    zero = annihilator_together(operator, operands, dtype)
    if zero is not None:
        values = distinct([*m.values(), zero, combine_values(operator, operands)])
        m = replace(m, choices=values if len(values) > 1 else (), undecided=True)
    if m.state is not State.PRESENT or dtype.kind not in "fc" or operator.selects:
        return m
    sizes, grown = finite_sizes(operands), largest_product(operator, operands)
    if grown > max(sizes, default=Fraction(0)) and PARTS * grown > Fraction(overflow_threshold(dtype)):
        return replace(m, bound=math.inf)
    parts = PARTS if dtype.kind == "c" else 1
    rounded = parts * len(operands) * grown * Fraction(float(np.finfo(dtype).smallest_subnormal))
    return replace(m, bound=max(m.bound, float(rounded)))


class Scale(Struct, frozen=True):
    """How many operands there are, and what the operator makes of their magnitudes."""

    operands: int
    size: Fraction


def combine_scales(scales: Iterable[Scale], *, selects: bool) -> Scale:
    """The scale of a reduction of contributions, which chooses one of them or adds them up."""
    found = list(scales)
    sizes = [each.size for each in found]
    size = max(sizes, default=Fraction(0)) if selects else sum(sizes, Fraction(0))
    return Scale(max((each.operands for each in found), default=0), size)


def multiply_scales(operator: Operator, scales: Sequence[Scale]) -> Scale:
    """The scale of an operator over operands."""
    return Scale(sum(each.operands for each in scales), combine(operator, [each.size for each in scales]))


def finite_magnitude(m: Meaning) -> Fraction:
    """The largest magnitude that something may have and be finite, no larger than the largest float."""
    finite = [value for value in m.values() if arithmetic.is_finite(*arithmetic.parts_of(value))]
    return max((Fraction(min(arithmetic.magnitude(v), sys.float_info.max)) for v in finite), default=Fraction(0))


def allow_rounding(m: Meaning, operator: Operator, scale: Callable[[], Scale], dtype: np.dtype) -> Meaning:
    """The meaning of an operator over three operands or more, those inside reductions that it is distributed over among
    them: grouped otherwise, each step may be rounded by as much as a computation without signs would be."""
    if m.state is not State.PRESENT or dtype.kind not in "fc" or operator.selects or math.isinf(m.bound):
        return m
    found = scale()
    if found.operands < 3:
        return m
    error = Fraction(roundoff(dtype)) * found.operands * found.size
    return replace(m, bound=m.bound + float(min(error, Fraction(sys.float_info.max))))


def annihilator_together(operator: Operator, operands: Sequence[Meaning], dtype: np.dtype) -> Exact | None:
    """The annihilator that operands which are missing or constant are, or may be rounded to, once they are combined,
    though no missing one is alone: then present ones vanish or not as all are grouped. None if there is none, or
    nothing is present."""
    annihilator = operator.left_annihilator or operator.right_annihilator
    if annihilator is None or all(each.state is not State.PRESENT for each in operands):
        return None
    zero, missing = exact(annihilator(dtype)), [each for each in operands if each.state is State.MISSING]
    if any(each.value == zero for each in missing):
        return None
    return zero if any(may_make(zero, operator, run, dtype) for run in absent_runs(operator, operands)) else None


def may_make(constant: Exact, operator: Operator, operands: Sequence[Meaning], dtype: np.dtype) -> bool:
    """Whether operands that are combined from the left are a constant, or may be rounded to it."""
    value, bound = operands[0].value, operands[0].bound
    for each in operands[1:]:
        args, bounds = (value, each.value), [bound, each.bound]
        value = operator.exact(*args)
        bound = infinite_if_nan(operator.bound(args, bounds, value, roundoff(dtype)))
    return value == constant or (bound > 0 and agrees(constant, value, bound, dtype))


def absent_runs(operator: Operator, operands: Sequence[Meaning]) -> Iterator[Sequence[Meaning]]:
    """The operands that may be combined and of which none is present and one is missing: all of them where they
    commute, else those that stand side by side."""
    absent = [each for each in operands if each.state is not State.PRESENT]
    apart = [list(run) for inside, run in groupby(operands, lambda each: each.state is not State.PRESENT) if inside]
    for run in [absent] if operator.commutative else apart:
        for start, stop in combinations(range(len(run) + 1), 2):
            if stop - start > 1 and any(each.state is State.MISSING for each in run[start:stop]):
                yield run[start:stop]


def combine_values(operator: Operator, operands: Sequence[Meaning]) -> Exact:
    """The operator over the values of operands, from the left."""
    return reduce(operator.exact, (each.value for each in operands))


def finite_sizes(operands: Sequence[Meaning]) -> list[Fraction]:
    """The magnitudes of operands that are neither zero nor infinite."""
    return [size for each in operands if (size := finite_magnitude(each))]


def largest_product(operator: Operator, operands: Sequence[Meaning]) -> Fraction:
    """The largest magnitude that an operator has over some of its operands."""
    return combine(operator, [max(size, Fraction(1)) for size in finite_sizes(operands)])


def combine(operator: Operator, sizes: list[Fraction]) -> Fraction:
    """The operator over magnitudes; nothing where that is no rational number."""
    found: Exact = Fraction(0)
    for number, size in enumerate(sizes):
        found = operator.exact(found, size) if number else size
    return found if isinstance(found, Fraction) else Fraction(0)


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
    while isinstance(body, Reduce) and body.operator is e.operator:
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
