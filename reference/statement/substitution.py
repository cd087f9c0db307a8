"""Substitution: what an expression becomes where some of its operands are missing.

The one rule (docs/spec/denotation/missing.md): a missing operand is the constant fill of its tensor; it acts as
identity or annihilator only where its fill is that; an operator whose operands are all missing is missing, with the
operator applied to their fills. `x * 0 = 0` is a law of *missing* operands, not of floating-point zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..algebra.dtypes import Number, same_value
from ..algebra.exact import exact
from ..algebra.operator import Operator
from ..notation.constants import constant_value
from ..notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce, accesses
from ..notation.types import dtype_of
from .statement import Assign, Forall, Program, Sequence, Statement, Where, reads


class Background(Struct, frozen=True):
    """What missing means: the fill and dtype of every tensor, the extent of every variable. A result that continues
    has no fill: what it holds before an assignment is not known."""

    fills: Mapping[str, Number]
    dtypes: Mapping[str, np.dtype]
    extents: Mapping[str, int]


def background_of(program: Program) -> Background:
    """What missing means in a program."""
    fills = {name: fill for name, fill in program.fills.items() if name != program.result or not program.continues}
    return Background(fills, program.dtypes, dict(program.extents))


def substitute(e: Expr, missing: frozenset[Access], background: Background) -> Expr:
    """The expression where the accesses in `missing` hold no component; a `Fill` if nothing else is left.

    The arguments of each operator have one dtype (`elaboration.py`).
    """
    match e:
        case Access(tensor=tensor):
            return Fill(background.fills[tensor], background.dtypes[tensor]) if e in missing else e
        case Literal() | Fill():
            return e
        case Apply(args=args):
            return apply(replace(e, args=tuple(substitute(a, missing, background) for a in args)))
        case Reduce(operator=operator, index=index, body=body):
            inner = substitute(body, missing, background)
            if isinstance(inner, Fill):
                return reduce_fill(operator, inner, background.extents[index])
            return replace(e, body=inner)


def without_operands(e: Expr, background: Background) -> Fill:
    """The value of an expression where all its operands are missing; a constant expression is its own value."""
    match substitute(e, frozenset(accesses(e)), background):
        case Fill() as fill:
            return fill
        case left:
            return Fill(constant_value(left), dtype_of(e))


def counted_variables(e: Expr, missing: frozenset[Access], background: Background) -> frozenset[str]:
    """The variables of reductions that are missing with something other than their identity.

    What the expression becomes there depends on how many contributions they have.
    """
    match e:
        case Access() | Literal() | Fill():
            return frozenset()
        case Apply(args=args):
            return frozenset().union(*(counted_variables(a, missing, background) for a in args))
        case Reduce(operator=operator, index=index, body=body):
            inner = substitute(body, missing, background)
            counts = isinstance(inner, Fill) and not annihilates(operator.left_identity, inner)
            return counted_variables(body, missing, background) | ({index} if counts else frozenset())


def reduce_fill(operator: Operator, fill: Fill, extent: int) -> Fill:
    """The fill of a reduction all of whose contributions are missing: the fold of `extent` copies of their fill."""
    if annihilates(operator.left_identity, fill):
        return fill
    return Fill(operator.repeat(fill.value, extent, fill.dtype), fill.dtype)


def apply(e: Apply) -> Expr:
    """An operator over simplified arguments: constant if none is present, shortened where a missing one says so."""
    operator, dtype = e.operator, dtype_of(e)
    if any(isinstance(a, Fill) for a in e.args):
        e = replace(e, args=tuple(number(a) for a in e.args))
    match e.args:
        case (Fill() as left, Fill() as right):
            return fold_both_missing(operator, dtype, left, right)
        case (Fill() as left, Literal(value=value)):
            known = annihilation(operator.left_annihilator, left, dtype)
            return fill_result(operator, dtype, left, left.value, value) if known is None else known
        case (Literal(value=value), Fill() as right):
            known = annihilation(operator.right_annihilator, right, dtype)
            return fill_result(operator, dtype, right, value, right.value) if known is None else known
        case (Fill() as only,) if operator.absent is not None and annihilates(operator.absent, only):
            return Fill(operator.absent(dtype), dtype)
        case (Fill() as only,):
            return fill_result(operator, dtype, only, only.value)
        case (Fill() as left, present):
            return fold_one_missing(
                operator,
                operator.left_annihilator,
                operator.left_identity,
                operator.left_unit,
                left,
                present,
                e,
            )
        case (present, Fill() as right):
            return fold_one_missing(
                operator,
                operator.right_annihilator,
                operator.right_identity,
                operator.right_unit,
                right,
                present,
                e,
            )
        case _:
            return e


def number(e: Expr) -> Expr:
    """An expression of numbers alone as the number that it is; any other as it is."""
    if isinstance(e, Apply) and not any(True for _ in accesses(e)):
        return Literal(constant_value(e), dtype=e.dtype)
    return e


Constant = Callable[[np.dtype], Number]


def annihilates(constant: Constant | None, fill: Fill) -> bool:
    """Whether the declared identity or annihilator is the fill."""
    return constant is not None and bool(constant(fill.dtype) == fill.value)


def annihilation(annihilator: Constant | None, fill: Fill, dtype: np.dtype) -> Fill | None:
    """What an operator with results of a dtype leaves where a missing argument annihilates all others, as in the dtype
    of its arguments; None if it does not."""
    if annihilator is None or not annihilates(annihilator, fill):
        return None
    return fill if fill.dtype == dtype else Fill(annihilator(dtype), dtype)


def fill_result(operator: Operator, result: np.dtype, fill: Fill, *values: Number) -> Fill:
    """Missing, with the operator of a result's dtype applied to constants of the dtype of a fill.

    Integers are exact here, whatever their dtype holds: whether one fits is asked where it is computed with.
    """
    if fill.dtype.kind in "biu" and result.kind in "biu":
        value = operator.exact(*(exact(v) for v in values))
        if isinstance(value, Fraction):
            return Fill(bool(value) if result.kind == "b" else int(value), result)
    with np.errstate(all="ignore"):
        return Fill(operator.compute(*values), result)


def fold_both_missing(operator: Operator, dtype: np.dtype, left: Fill, right: Fill) -> Fill:
    """Both operands missing: declared annihilators, then identities, win over computing with the fills."""
    for fill, annihilator in ((left, operator.left_annihilator), (right, operator.right_annihilator)):
        known = annihilation(annihilator, fill, dtype)
        if known is not None:
            return known
    if annihilates(operator.left_identity, left):
        return right if operator.left_unit is None else fill_result(operator.left_unit, dtype, right, right.value)
    if annihilates(operator.right_identity, right):
        return left if operator.right_unit is None else fill_result(operator.right_unit, dtype, left, left.value)
    return fill_result(operator, dtype, left, left.value, right.value)


def fold_one_missing(
    operator: Operator,
    annihilator: Constant | None,
    identity: Constant | None,
    unit: Operator | None,
    fill: Fill,
    present: Expr,
    whole: Apply,
) -> Expr:
    """One operand missing and the other present: annihilated, passed through, or computed with the fill."""
    known = annihilation(annihilator, fill, dtype_of(whole))
    if known is not None:
        return known
    if annihilates(identity, fill):
        return present if unit is None else Apply(unit, (present,), dtype=whole.dtype)
    return whole


def substitute_statement(s: Statement, missing: frozenset[Access], background: Background) -> Statement | None:
    """The statement where those accesses are missing; None where it then has nothing to do.

    An assignment vanishes if its value is missing and equals the identity of its reduction or, with none, what its
    target holds anyway. A workspace whose producer vanishes is itself missing in the consumer.
    """
    match s:
        case Assign():
            return substitute_assign(s, missing, background)
        case Forall(index=index, body=body, tags=tags):
            inner = substitute_statement(body, missing, background)
            return None if inner is None else Forall(index, inner, tags)
        case Where(consumer=consumer, producer=producer, workspace=workspace):
            produced = substitute_statement(producer, missing, background)
            if produced is None:
                return substitute_statement(consumer, missing | reads_of(consumer, workspace), background)
            consumed = substitute_statement(consumer, missing, background)
            return None if consumed is None else Where(consumed, produced, workspace)
        case Sequence(statements=statements):
            left = [each for s in statements if (each := substitute_statement(s, missing, background)) is not None]
            return None if not left else left[0] if len(left) == 1 else Sequence(tuple(left))


def reads_of(s: Statement, tensor: str) -> frozenset[Access]:
    """The accesses of one tensor that a statement reads."""
    return frozenset(access for access in reads(s) if access.tensor == tensor)


def substitute_assign(s: Assign, missing: frozenset[Access], background: Background) -> Assign | None:
    """The assignment after substitution; a missing mask admits everything if it is a complement, else nothing."""
    mask = s.mask if s.mask is None else replace(s.mask, value=substitute(s.mask.value, missing, background))
    if mask is not None and isinstance(mask.value, Fill):
        if not mask.complement:
            return None
        mask = None
    value = substitute(s.value, missing, background)
    if is_unchanged(s, value, background):
        return None
    return Assign(s.target, value, s.operator, mask)


def is_unchanged(s: Assign, value: Expr, background: Background) -> bool:
    """Whether assigning `value` would leave the target as if nothing had been assigned."""
    match value, s.operator:
        case Fill() as fill, None:
            held = background.fills.get(s.target.tensor)
            return held is not None and same_value(fill.value, held)
        case Fill() as fill, operator:
            return operator is not None and annihilates(operator.left_identity, fill)
        case _:
            return False
