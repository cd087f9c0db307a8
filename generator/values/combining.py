"""Combining: contributions to a component, one after another (reductions, and parts of them)."""

from __future__ import annotations

import numpy as np

from ...reference.algebra.dtypes import Number
from ...reference.algebra.operator import Operator
from ...reference.notation.types import least_dtype
from ...reference.statement.statement import Assign
from ..ir import ir, logic
from ..ir.ir import Expr
from ..scope.frame import Frame
from .values import accumulate_into, apply_operator, constant


def identity(operator: Operator, dtype: np.dtype) -> Number:
    """The identity of a reduction."""
    assert operator.left_identity is not None
    return operator.left_identity(dtype)


def start(a: Assign, frame: Frame) -> Expr:
    """What a component of an assignment's target holds before its first contribution."""
    return initial(a.operator, frame.facts.fills[a.target.tensor], frame.facts.dtypes[a.target.tensor])


def initial(operator: Operator | None, fill: Number, dtype: np.dtype) -> Expr:
    """What a component of some fill holds before its first contribution. Of a fill that does not fit in the dtype
    nothing is ever read: 0 stands for it."""
    if operator is not None:
        return constant(identity(operator, dtype), dtype)
    return constant(fill if least_dtype(dtype, fill) == dtype else 0, dtype)


def first(found: Expr, a: Assign, frame: Frame) -> Expr:
    """What a component holds after its first contribution."""
    if a.operator is None or a.operator.left_unit is None:
        return found
    dtype = frame.facts.dtypes[a.target.tensor]
    return apply_operator(a.operator.left_unit, dtype, dtype, frame, (found,))


def store_contribution(place: Expr, found: Expr, a: Assign, frame: Frame) -> ir.Assign:
    """Store a contribution in a place: assigned, or combined with the value that the place holds."""
    if a.operator is None or a.operator.selects:
        return ir.Assign(place, found)
    return accumulate_into(place, found, a.operator, frame.facts.dtypes[a.target.tensor], frame)


def combine_partial(place: Expr, found: Expr, a: Assign, frame: Frame) -> ir.Code:
    """Combine a partial reduction, which may be empty, with the value that a place holds."""
    return unless_empty(found, a, frame, (store_contribution(place, found, a, frame),))


def unless_empty(found: Expr, a: Assign, frame: Frame, code: ir.Code) -> ir.Code:
    """What combines a partial reduction: nothing if it is empty, where that would make a difference.

    Of an operator that selects, a part that holds what it began with has nothing to select.
    """
    assert a.operator is not None
    return logic.conditional(logic.compare("!=", found, start(a, frame)), code) if a.operator.selects else code
