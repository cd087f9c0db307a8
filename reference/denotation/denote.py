"""Denotation: what an expression means, straight from index notation, in exact arithmetic.

This is the ground truth. It knows no formats and no loops: an operand is a table of the components it holds. At each
coordinate of the result, every sub-expression is *missing* with a constant, *present* with a value, or a *constant*
that is neither. Each value comes with the bound on what floating-point arithmetic may make of it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeGuard

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..algebra import exact as arithmetic
from ..algebra.agreement import agrees
from ..algebra.error_bound import infinite_if_nan, of_argument
from ..algebra.exact import Exact, exact
from ..algebra.operator import Constant, Operator
from ..algebra.operators import ADD, DUPLICATES, conversion
from ..algebra.roundoff import roundoff
from ..notation.resolution import Resolved
from ..notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce, accesses
from ..notation.types import apply_typed, dtype_of, operand_dtype
from ..notation.wellformed import Operand
from .freedom import (
    Scale,
    allow_distribution,
    allow_factoring,
    allow_regrouping,
    allow_rounding,
    combine_scales,
    continues,
    distributes,
    factors_out,
    finite_magnitude,
    largest_product,
    multiply_scales,
)
from .meaning import Coordinates, Meaning, Point, State, distinct, is_decided, is_missing, same

MANY = 64
Table = Mapping[Coordinates, list[Any]]


class Denotation(Struct, frozen=True, dict=True):
    """The meaning of a resolved assignment on tables of components, coordinate by coordinate."""

    resolved: Resolved
    tables: Mapping[str, Table]

    def point(self, i: Coordinates) -> Point:
        """What the result may be at a coordinate."""
        where = dict(zip(self.resolved.assignment.target.indices, i, strict=True))
        readings = tuple(self.assign(where, admitted) for admitted in self.admits(where))
        return Point(readings, exact(self.resolved.fill), self.resolved.dtype)

    def at(self, i: Coordinates) -> Meaning:
        """The result at a coordinate: masked, combined with previous contents, in the result's dtype."""
        return self.point(i).meaning

    def is_present(self, i: Coordinates) -> bool:
        """Whether a coordinate belongs to the structure of the result, in exact arithmetic."""
        point = self.point(i)
        return point.belongs(point.meaning)

    def accepts(self, i: Coordinates, computed: object) -> bool:
        """Whether a computed value is one that the expression may have at a coordinate."""
        return self.point(i).accepts(computed)

    def points(self) -> Iterator[Coordinates]:
        """Every coordinate of the result."""
        return itertools.product(*(range(n) for n in self.resolved.shape))

    def assign(self, where: Mapping[str, int], admitted: bool) -> Meaning:
        """What the assignment leaves at a coordinate that its mask lets through, or does not."""
        a = self.resolved.assignment
        fill = Meaning(State.MISSING, exact(self.resolved.fill))
        own = dtype_of(a.value)
        has_previous = a.target.tensor in self.tables
        if not admitted:
            if not (a.merge and has_previous):
                return fill
            meaning, own = self.access(a.target, where), dtype_of(a.target)
        elif a.operator is not None and has_previous:
            whole = apply_typed(a.operator, (a.target, a.value))
            meaning, own = self.expression(whole, where), dtype_of(whole)
        else:
            meaning = self.expression(a.value, where)
        if own != self.resolved.dtype:
            ring = self.resolved.semiring
            finish = conversion(self.resolved.dtype, None if ring is None else ring.add)
            meaning = apply_operator(finish, (meaning,), own, self.resolved.dtype)
        return meaning

    @cached_property
    def operands(self) -> dict[str, Operand]:
        """The declaration of every operand: fill, dtype and extents."""
        return dict(self.resolved.operands)

    def admits(self, where: Mapping[str, int]) -> tuple[bool, ...]:
        """Whether the mask lets a coordinate through: what it does not hold is outside, whatever its fill.

        Both, what is exact first, where a computed value may be zero or not.
        """
        mask = self.resolved.assignment.mask
        if mask is None:
            return (True,)
        held = self.expression(mask.value, where)
        inside = held.state is State.PRESENT and (mask.structural or arithmetic.truth(held.value))
        if mask.structural or is_decided(held):
            return (inside != mask.complement,)
        return (inside != mask.complement, inside == mask.complement)

    def expression(self, e: Expr, where: Mapping[str, int]) -> Meaning:
        """An expression at the coordinates of its free variables."""
        match e:
            case Access():
                return self.access(e, where)
            case Literal(value=value) | Fill(value=value):
                return Meaning(State.CONSTANT, exact(value))
            case Apply():
                return self.chain(e, where)[0]
            case Reduce():
                return self.reduce(e, where)

    def access(self, access: Access, where: Mapping[str, int]) -> Meaning:
        """A component: the sum of what is stored for it, or missing with the fill."""
        found, operand = self.stored_values(access, where), self.operands[access.tensor]
        if not found:
            return Meaning(State.MISSING, exact(operand.fill))
        total = Meaning(State.PRESENT, exact(found[0]))
        if len(found) > 1:
            values = [exact(v) for v in found]
            result = values[0]
            for value in values[1:]:
                result = in_dtype(arithmetic.add(result, value), operand.dtype)
            bound = reduction_bound(ADD, values, [0.0] * len(values), result, operand.dtype)
            total = Meaning(State.PRESENT, result, bound)
        return total

    def stored_values(self, access: Access, where: Mapping[str, int]) -> Sequence[Any]:
        """What is stored for a component, which may be several values."""
        return self.tables[access.tensor].get(tuple(where[v] for v in access.indices), ())

    def chain(self, e: Apply, where: Mapping[str, int]) -> tuple[Meaning, tuple[Meaning, ...]]:
        """An operator over its arguments, and the operands that it has through arguments which it computes too."""
        args, operands = list[Meaning](), list[Meaning]()
        for argument in e.args:
            if isinstance(argument, Apply) and continues(argument, e):
                meaning, own = self.chain(argument, where)
            else:
                meaning = self.expression(argument, where)
                own = (meaning,)
            args.append(meaning)
            operands += own
        applied, doubled = self.apply(e, tuple(args)), self.is_over_duplicates(e, where)
        if doubled:
            applied = allow_distribution(applied, e.operator, self.convert_arguments(e, tuple(args)), dtype_of(e))
        meaning = allow_regrouping(applied, e.operator, operands, dtype_of(e))
        if doubled or len(operands) > 2 or distributes(e):
            meaning = allow_rounding(meaning, e.operator, lambda: self.scale(e, e, where), dtype_of(e))
        return meaning, tuple(operands)

    def scale(self, e: Expr, outer: Apply, where: Mapping[str, int]) -> Scale:
        """How large the operands of an operator are, through reductions over which it may be distributed."""
        match e:
            case Reduce(index=index, body=body) if e.operator.name in outer.operator.distributes_over:
                places = [{**where, index: c} for c in self.contributing_values(e, where)]
                kept = (at for at in places if not self.counts_for_nothing(e, self.expression(body, at)))
                found = (self.scale(body, outer, at) for at in kept)
                return combine_scales(found, selects=e.operator.selects)
            case Apply(args=args) if e is outer or continues(e, outer):
                return multiply_scales(outer.operator, [self.scale(argument, outer, where) for argument in args])
            case Access() if len(held := self.stored_values(e, where)) > 1:
                found = (Scale(len(held) + 1, finite_magnitude(Meaning(State.PRESENT, exact(v)))) for v in held)
                return combine_scales(found, selects=False)
            case _:
                return Scale(1, finite_magnitude(self.expression(e, where)))

    def apply(self, e: Apply, args: tuple[Meaning, ...]) -> Meaning:
        """An operator over its arguments, converted to the dtype it computes in."""
        converted = self.convert_arguments(e, args)
        meaning = apply_operator(e.operator, converted, operand_dtype(e), dtype_of(e))
        return allow_distribution(meaning, e.operator, converted, dtype_of(e)) if distributes(e) else meaning

    def convert_arguments(self, e: Apply, args: tuple[Meaning, ...]) -> tuple[Meaning, ...]:
        """The arguments of an operator in the dtype it computes in."""
        wanted = operand_dtype(e)
        return tuple(
            m if have == wanted else apply_operator(conversion(wanted, e.operator), (m,), have, wanted)
            for m, have in zip(args, map(dtype_of, e.args), strict=True)
        )

    def is_over_duplicates(self, e: Apply, where: Mapping[str, int]) -> bool:
        """Whether an operator may be applied to each of several components that are stored for one coordinate."""
        if DUPLICATES.name not in e.operator.distributes_over:
            return False
        return any(len(self.stored_values(a, where)) > 1 for a in accesses(e) if all(v in where for v in a.indices))

    def reduce(self, e: Reduce, where: Mapping[str, int]) -> Meaning:
        """The fold over the whole extent: missing contributions equal to the identity do not count."""
        own, dtype = dtype_of(e.body), dtype_of(e)
        contributions = [self.expression(e.body, {**where, e.index: c}) for c in self.contributing_values(e, where)]
        if own != dtype:
            contributions = [apply_operator(conversion(dtype, e.operator), (m,), own, dtype) for m in contributions]
        found = fold(e.operator, contributions, dtype)
        return allow_factoring(found, lambda: self.grown(e, where), dtype) if factors_out(e) else found

    def grown(self, e: Expr, where: Mapping[str, int]) -> Fraction:
        """How large what is left of a reduction may become where operands of less than 1 are taken out of it."""
        match e:
            case Reduce(index=index, body=body):
                return sum(
                    (self.grown(body, {**where, index: c}) for c in self.contributing_values(e, where)), Fraction(0)
                )
            case Apply():
                return largest_product(e.operator, self.chain(e, where)[1])
            case Access() | Literal() | Fill():
                return Fraction(0)

    def counts_for_nothing(self, e: Reduce, contribution: Meaning) -> bool:
        """Whether a reduction of one contribution is that of none."""
        own, dtype = dtype_of(e.body), dtype_of(e)
        if own != dtype:
            contribution = apply_operator(conversion(dtype, e.operator), (contribution,), own, dtype)
        return is_missing(contribution) and equals(e.operator.left_identity, contribution.value, dtype)

    def contributing_values(self, e: Reduce, where: Mapping[str, int]) -> Iterable[int]:
        """The values of a reduction's variable to look at: the whole extent (`support.py` leaves out some)."""
        return range(self.extent(e))

    def extent(self, e: Reduce) -> int:
        """The extent of a reduction's variable."""
        access = next(a for a in accesses(e.body) if e.index in a.indices)
        return self.operands[access.tensor].shape[access.indices.index(e.index)]


def apply_operator(operator: Operator, args: tuple[Meaning, ...], dtype: np.dtype, result: np.dtype) -> Meaning:
    """The one rule: a missing argument that is an annihilator or identity acts as one; others are their constant."""
    if operator.absent is not None and is_missing(args[0]) and equals(operator.absent, args[0].value, dtype):
        return Meaning(State.MISSING, exact(operator.absent(result)))
    present = [m for m in args if m.state is State.PRESENT]
    missing = [m for m in args if m.state is State.MISSING]
    if len(args) == 2 and missing:
        for m, annihilator in zip(args, (operator.left_annihilator, operator.right_annihilator), strict=True):
            if m.state is not State.MISSING or annihilator is None:
                continue
            if present and may_equal(annihilator, m, dtype):
                return annihilate_perhaps(operator, args, annihilator, dtype, result)
            if equals(annihilator, m.value, dtype):
                return m if dtype == result else Meaning(State.MISSING, exact(annihilator(result)))
    if len(args) == 2 and missing and len(present) + len(missing) == 2:
        left, right = args
        if left.state is State.MISSING and equals(operator.left_identity, left.value, dtype):
            return alone(operator.left_unit, right, dtype)
        if right.state is State.MISSING and equals(operator.right_identity, right.value, dtype):
            return alone(operator.right_unit, left, dtype)
    state = State.PRESENT if present else State.MISSING if missing else State.CONSTANT
    return compute(operator, tuple(as_argument(m, dtype) for m in args), state, result)


def may_equal(constant: Constant, m: Meaning, dtype: np.dtype) -> bool:
    """Whether rounding decides if something missing that is computed is a constant."""
    return m.bound > 0 and agrees(constant(dtype), m.value, m.bound, dtype)


def annihilate_perhaps(
    operator: Operator, args: tuple[Meaning, ...], annihilator: Constant, dtype: np.dtype, result: np.dtype
) -> Meaning:
    """What an operator leaves where rounding decides whether a missing argument annihilates the present one."""
    nothing = exact(annihilator(result))
    computed = compute(operator, tuple(as_argument(m, dtype) for m in args), State.PRESENT, result)
    vanishes = any(m.state is State.MISSING and equals(annihilator, m.value, dtype) for m in args)
    values = (nothing, *computed.values()) if vanishes else (*computed.values(), nothing)
    state = State.MISSING if vanishes else State.PRESENT
    return Meaning(state, values[0], computed.bound, distinct(values), undecided=True)


def as_argument(m: Meaning, dtype: np.dtype) -> Meaning:
    """An argument's meaning, its bound infinite where the argument may have overflowed in its dtype."""
    bound = max(of_argument(value, m.bound, dtype) for value in m.values())
    return m if bound == m.bound else replace(m, bound=bound)


def compute(operator: Operator, args: tuple[Meaning, ...], state: State, dtype: np.dtype) -> Meaning:
    """The operator applied to every choice of its arguments' exact values."""
    options = list(itertools.product(*(m.values() for m in args)))
    undecided = any(m.undecided for m in args)
    if len(options) > MANY:
        return Meaning(state, operator.exact(*options[0]), math.inf, undecided=undecided)
    bounds = [m.bound for m in args]
    results = [in_dtype(operator.exact(*values), dtype) for values in options]
    u = roundoff(dtype)
    bound = max(infinite_if_nan(operator.bound(v, bounds, r, u)) for v, r in zip(options, results, strict=True))
    if dtype.kind == "b":
        bound = min(bound, 1.0)
    results += [-r for v, r in zip(options, results, strict=True) if is_pole(r, operator, v)]
    choices = distinct([v for values in options for v in values] if operator.selects else results)
    return Meaning(state, results[0], bound, choices if len(choices) > 1 else (), undecided)


def is_pole(result: Exact, operator: Operator, values: Sequence[Exact]) -> TypeGuard[float]:
    """Whether the sign of a zero, which exact arithmetic does not have, decides that of an infinite result.

    So it does if the result is of the other sign as far below a zero among the arguments as the others are away from
    it, no further than 1. Infinite arguments count as large ones.
    """
    if not arithmetic.is_infinite(result) or all(v != 0 for v in values):
        return False
    reals = [Fraction(2) * int(arithmetic.sign(v)) if arithmetic.is_infinite(v) else v for v in values]
    near = min([Fraction(1), *(abs(v) for v in reals if isinstance(v, Fraction) and v != 0)])
    other = operator.exact(*(-near if v == 0 else v for v in reals))
    return not isinstance(other, arithmetic.Pair) and (other < 0 < result or result < 0 < other)


def in_dtype(value: Exact, dtype: np.dtype) -> Exact:
    """The value as a dtype has it: Booleans are 0 or 1, complex numbers pairs; dtypes are exact here."""
    match dtype.kind:
        case "b":
            return arithmetic.boolean(arithmetic.truth(value))
        case "c":
            return arithmetic.as_pair(value)
        case _:
            return value


def alone(unit: Operator | None, m: Meaning, dtype: np.dtype) -> Meaning:
    """An argument whose partner is a missing identity."""
    return m if unit is None else compute(unit, (m,), m.state, dtype)


def fold(operator: Operator, contributions: list[Meaning], dtype: np.dtype) -> Meaning:
    """A reduction of contributions in any order and association."""
    counted = [
        m for m in contributions if not (m.state is State.MISSING and equals(operator.left_identity, m.value, dtype))
    ]
    certain = any(m.state is State.PRESENT and not m.undecided for m in contributions)
    undecided = not certain and any(m.undecided for m in contributions)
    if not counted:
        identity = 0 if operator.left_identity is None else operator.left_identity(dtype)
        return Meaning(State.MISSING, exact(identity), undecided=undecided)
    state = State.MISSING if all(m.state is State.MISSING for m in counted) else State.PRESENT
    if operator.selects:
        choices = distinct([c for m in counted for c in m.values()])
        bound = max(m.bound for m in counted)
        return Meaning(state, choices[0], bound, choices if len(choices) > 1 else (), undecided)
    first = counted[0] if operator.left_unit is None else alone(operator.left_unit, counted[0], dtype)
    results = first.values()
    for m in counted[1:]:
        options = itertools.product(results, m.values())
        results = distinct([in_dtype(operator.exact(*values), dtype) for values in options])
        if len(results) > MANY:
            return Meaning(state, results[0], math.inf, undecided=undecided)
    folded = [first, *counted[1:]]
    folded = [as_argument(m, dtype) for m in folded] if len(folded) > 1 else folded
    bounds = [m.bound for m in folded]
    bound = max(reduction_bound(operator, values, bounds, results[0], dtype) for values in extremes(folded))
    return Meaning(state, results[0], bound, results if len(results) > 1 else (), undecided)


def extremes(contributions: list[Meaning]) -> Iterator[list[Exact]]:
    """The choices of contributions among which a fold has its largest error.

    They are as large as may be, finite where they can be, and where they cannot, beside the smallest.
    """
    yield [max(m.values(), key=size) for m in contributions]
    if any(m.choices for m in contributions):
        yield [max(m.values(), key=lambda v: (math.isfinite(size(v)), size(v))) for m in contributions]
        yield [min(m.values(), key=lambda v: (math.isfinite(size(v)), size(v))) for m in contributions]


def size(value: Exact) -> float:
    """The magnitude of a value, infinite for what is no number."""
    found = arithmetic.magnitude(value)
    return found if found == found else math.inf


def reduction_bound(
    operator: Operator, values: list[Exact], bounds: list[float], result: Exact, dtype: np.dtype
) -> float:
    """The error bound of a fold."""
    assert operator.reduction_bound is not None
    if len(values) == 1 and operator.exact_identity:
        return bounds[0]
    return infinite_if_nan(operator.reduction_bound(values, bounds, result, roundoff(dtype)))


def equals(constant: Constant | None, value: Exact, dtype: np.dtype) -> bool:
    """Whether a declared identity or annihilator is this value."""
    return constant is not None and same(exact(constant(dtype)), value)
