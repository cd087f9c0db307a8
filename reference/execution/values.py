"""Values: what an expression comes to where the loops have placed its accesses. It is computed in its own dtype."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..algebra.operator import Operator
from ..algebra.operators import ADD
from ..algebra.scalars import caster
from ..errors import InternalError
from ..notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce
from ..notation.types import dtype_of, least_dtype
from .state import State

Fold = Callable[[Any, Any], Any]


def value(e: Expr, state: State) -> Any:
    """The value of an expression where the loops stand."""
    match e:
        case Literal(value=constant) | Fill(value=constant):
            return constant
        case Access():
            return component(e, state)
        case Apply():
            return apply_operator(e, state)
        case Reduce():
            raise InternalError("reductions become loops before a statement runs")


def component(access: Access, state: State) -> Any:
    """The stored value of an access; duplicates add up. Raises InternalError for one that nobody has stored."""
    source, p = state.sources[access.tensor], state.standing(access).positions[-1]
    values = source.values
    if not isinstance(p, tuple):
        if source.stored is not None and not source.stored[p]:
            raise InternalError(f"{access.tensor} is read where nothing was stored")
        return values[p]
    add, total = accumulator(ADD, state.dtypes[access.tensor]), values[p[0]]
    for q in p[1:]:
        total = add(total, values[q])
    return total


def apply_operator(e: Apply, state: State) -> Any:
    """The value of an operator on those of its arguments. Raises MeaningError for integers that do not fit.

    Fills do not fit where no integer dtype holds them beside the values that they meet.
    """
    lost = next((a for a in e.args if isinstance(a, Fill) and least_dtype(a.dtype, a.value) is None), None)
    if lost is not None:
        return caster(lost.dtype)(lost.value)
    dtype = dtype_of(e)
    found = e.operator.computing_in(dtype_of(e.args[0]))(*[value(a, state) for a in e.args])
    return caster(dtype)(found) if dtype.kind in "iu" else found


@cache
def accumulator(operator: Operator, dtype: np.dtype) -> Fold:
    """The function that folds a contribution into what is there. Raises MeaningError for integers that do not fit."""
    if dtype.kind not in "iu":
        return operator.computing_in(dtype)
    compute, checked = operator.computing_in(dtype), caster(dtype)
    return lambda a, b: checked(compute(a, b))
