"""Constants: expressions without accesses, and their values."""

from __future__ import annotations

import numpy as np

from ..algebra.dtypes import Number
from ..errors import InternalError
from .syntax import Access, Apply, Expr, Fill, Literal, Reduce


def constant_value(e: Expr) -> Number:
    """The value of an expression without accesses."""
    match e:
        case Literal(value=value) | Fill(value=value):
            return value
        case Apply(operator=operator, args=args):
            parts = [constant_value(a) for a in args]
            with np.errstate(all="ignore"):
                result: Number = operator.compute(*parts)
            return result
        case Access() | Reduce():
            raise InternalError(f"{e} is not constant")
