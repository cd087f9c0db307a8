"""Folds of compositions: how far a reduction by one may be from its exact value, in whatever order it is computed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations

from ..algebra.dtypes import Number
from ..algebra.error_bound import SLACK, Bound, correctly_rounded
from ..algebra.exact import Exact, exact, is_finite, magnitude, parts_of
from ..algebra.roundoff import largest, smallest
from .composition import Composition
from .syntax import Access, Apply, Expr, Literal, nodes

MOVING = ("add", "sub")
CHOOSING = ("min", "max", "neg", "abs")
FEW = 4
Held = tuple[Exact, float]
Weights = tuple[Fraction, ...]


def of_fold(composition: Composition, identity: Number) -> Bound:
    """The bound of a fold that may begin with the identity anywhere.

    What only chooses among its operands does not round. Where neither operand moves the result by more than it moves
    itself, errors add up. Of a few contributions every order is tried; beyond that nothing is known.
    """
    weights = weigh(composition.term, composition.operands)
    is_steady = weights is not None and max(weights[:-1]) <= 1
    chooses = only_chooses(composition)

    def bound(values: Sequence[Exact], bounds: Sequence[float], result: Exact, u: float) -> float:
        if u == 0 and not any(bounds):
            return 0.0
        if chooses:
            return max(*bounds, *(correctly_rounded(exact(v), 0.0, u) for v in literals(composition.term)))
        if len(values) <= FEW:
            held = list(zip(values, bounds, strict=True))
            return max(b for _, b in every_order(composition, exact(identity), held, u))
        return of_steady_fold(composition, exact(identity), values, bounds, u) if is_steady else math.inf

    return bound


def only_chooses(composition: Composition) -> bool:
    """Whether all that an operator does is to choose among its operands, their negatives and numbers."""
    inside = [e.operator.name for e in nodes(composition.term) if isinstance(e, Apply)]
    return all(name in CHOOSING for name in inside)


def literals(e: Expr) -> Iterator[Number]:
    """The numbers in a term."""
    yield from (each.value for each in nodes(e) if isinstance(each, Literal))


def every_order(composition: Composition, identity: Exact, held: list[Held], u: float) -> Iterator[Held]:
    """What a fold of contributions may come to, by the order and the grouping: exact values with bounds."""

    def apply(*parts: Held) -> Held:
        return composition.with_bound(composition.term, [v for v, _ in parts], [b for _, b in parts], u)

    def begin(one: Held) -> Held:
        started = [apply((identity, 0.0), one), apply(one, (identity, 0.0))]
        return one[0], max(one[1], *(bound if value == one[0] else math.inf for value, bound in started))

    if len(held) == 1:
        yield begin(held[0])
    for many in range(1, len(held)):
        for chosen in combinations(range(len(held)), many):
            rest = [each for n, each in enumerate(held) if n not in chosen]
            for left in every_order(composition, identity, [held[n] for n in chosen], u):
                yield from (begin(apply(left, right)) for right in every_order(composition, identity, rest, u))


def of_steady_fold(
    composition: Composition, identity: Exact, values: Sequence[Exact], bounds: Sequence[float], u: float
) -> float:
    """The bound where errors add up: of every contribution, and of every step of as many applications again.

    No step is larger than all contributions together, as often as they occur in it; none may overflow.
    """
    if not all(is_finite(*parts_of(v)) for v in (identity, *values)) or any(math.isinf(b) for b in bounds):
        return math.inf
    found = [weigh(e, composition.operands) for e in nodes(composition.term)]
    parts = [w for w in found if w is not None]
    often = float(max(Fraction(1), *(each for w in parts for each in w[:-1])))
    beyond = float(sum(w[-1] for w in parts))
    count = 2 * len(values)
    together = sum(map(magnitude, values)) + sum(bounds) + count * (magnitude(identity) + beyond)
    step = len(parts) * (u * 4 * often * together + smallest(u))
    error = (sum(bounds) + count * step) * SLACK
    holds = error <= together / 2 + count * len(parts) * smallest(u) and 4 * often * together < largest(u)
    return error if holds else math.inf


def weigh(e: Expr, operands: Sequence[str]) -> Weights | None:
    """How far a part moves with each operand, and how large it may be beyond that; None where nothing is known.

    A part of weights v, w and c moves by at most v and w times what the operands do, and is at most v |a| + w |b| + c.
    """
    match e:
        case Access(tensor=name):
            return (*(Fraction(name == each) for each in operands), Fraction(0))
        case Literal(value=value) if not isinstance(value, complex) and math.isfinite(value):
            return (*(Fraction(0) for _ in operands), abs(Fraction(value)))
        case Apply(operator=operator, args=args) if operator.name in (*MOVING, *CHOOSING):
            found = [weigh(a, operands) for a in args]
            known = [w for w in found if w is not None]
            together = add if operator.name in MOVING else choose
            return reduce(together, known) if len(known) == len(found) else None
        case _:
            return None


def add(left: Weights, right: Weights) -> Weights:
    """The weights of a sum or a difference."""
    return tuple(a + b for a, b in zip(left, right, strict=True))


def choose(left: Weights, right: Weights) -> Weights:
    """The weights of what is one of two parts."""
    return tuple(map(max, left, right))
