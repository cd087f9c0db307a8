"""Types: the dtype of every sub-expression (docs/spec/types.md).

NumPy's promotion with weak literals. Each operator states the dtype it computes in and the dtype it gives; sums and
products widen as `numpy.sum` does.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..algebra.dtypes import DTYPES, Number
from ..errors import DtypeError, InternalError
from .syntax import Access, Apply, Expr, Fill, Literal, Reduce, accesses

Dtypes = Mapping[str, np.dtype]


def result_dtype(e: Expr, dtypes: Dtypes) -> np.dtype:
    """The dtype of an expression, given those of its tensors. Raises DtypeError where an operator refuses them.

    >>> from gnomon.reference.notation.parser import parse
    >>> result_dtype(parse("a = x / 2").value, {"x": np.dtype("int8")}).name
    'float64'
    """
    match e:
        case Access(tensor=tensor):
            return dtypes[tensor]
        case Literal(value=value):
            return natural(value)
        case Fill(dtype=dtype):
            return dtype
        case Apply(operator=operator):
            arguments = promote_arguments(e, dtypes)
            try:
                operator.operand_dtype(*arguments)
                return operator.result_dtype(*arguments)
            except DtypeError as error:
                raise DtypeError(error.message, hint=error.hint, span=error.span or e.span) from None
        case Reduce(operator=operator, body=body):
            contribution = result_dtype(body, dtypes)
            try:
                return operator.reduced_dtype(operator.result_dtype(contribution, contribution))
            except DtypeError as error:
                raise DtypeError(error.message, hint=error.hint, span=error.span or e.span) from None


def dtype_of(e: Expr) -> np.dtype:
    """The dtype that elaboration has put on an expression."""
    if e.dtype is None:
        raise InternalError(f"{e} has not been elaborated")
    return e.dtype


def operand_dtypes(e: Apply, dtypes: Dtypes) -> tuple[np.dtype, ...]:
    """The dtype to which each argument of an operator is converted before it computes."""
    return (e.operator.operand_dtype(*promote_arguments(e, dtypes)),) * len(e.args)


def promote_arguments(e: Apply, dtypes: Dtypes) -> tuple[np.dtype, ...]:
    """The dtypes of the arguments; constants take theirs from the other arguments."""
    own = [result_dtype(a, dtypes) for a in e.args]
    strong = [d for a, d in zip(e.args, own, strict=True) if not is_weak(a)]
    if not strong:
        return tuple(own)
    weak = [sample(d) for a, d in zip(e.args, own, strict=True) if is_weak(a)]
    common = np.result_type(*strong, *weak)
    return tuple(common if is_weak(a) else d for a, d in zip(e.args, own, strict=True))


def holding(dtype: np.dtype, *values: Number) -> np.dtype | None:
    """The narrowest dtype that holds some integers beside all of an integer dtype; None if there is none.

    >>> holding(np.dtype("int8"), 127), holding(np.dtype("uint8"), -3), holding(np.dtype("uint64"), -3)
    (dtype('int8'), dtype('int16'), None)
    """
    if dtype.kind not in "iu":
        return dtype
    wider = [dtype, *(d for d in DTYPES if d.kind in "iu" and np.can_cast(dtype, d))]
    fitting = [d for d in wider if all(np.iinfo(d).min <= v.real <= np.iinfo(d).max for v in values)]
    return min(fitting, key=lambda d: d.itemsize, default=None)


def is_weak(e: Expr) -> bool:
    """Whether an expression is made of literals only."""
    return not isinstance(e, Fill) and next(accesses(e), None) is None


def sample(dtype: np.dtype) -> Number:
    """A Python number of the kind of a dtype, for weak promotion."""
    match dtype.kind:
        case "b":
            return False
        case "i" | "u":
            return 0
        case "f":
            return 0.0
        case _:
            return 0j


def natural(value: Number) -> np.dtype:
    """The dtype of a literal on its own."""
    if isinstance(value, int) and not isinstance(value, bool) and not -(2**63) <= value < 2**63:
        return np.dtype("uint64") if 0 <= value < 2**64 else np.dtype("float64")
    return np.dtype(type(value))
