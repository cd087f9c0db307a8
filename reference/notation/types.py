"""Types: the dtype of every sub-expression (docs/spec/types/typing.md).

NumPy's promotion with weak literals. Each operator states the dtype it computes in and the dtype it gives; sums and
products widen as `numpy.sum` does.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec.structs import replace

from ..algebra.dtypes import DTYPES, Number
from ..algebra.operator import Operator
from ..errors import DtypeError, InternalError
from ..span import Span
from .extent import Count
from .syntax import Access, Apply, Expr, Fill, Literal, Reduce, accesses

Dtypes = Mapping[str, np.dtype]


def infer_types(e: Expr, dtypes: Dtypes) -> Expr:
    """The expression with its dtype on every node, given those of its tensors; conversions are left to elaboration.

    Raises DtypeError where an operator refuses the dtypes of its arguments.

    >>> from gnomon.reference.notation.parser import parse
    >>> infer_types(parse("a = x / 2").value, {"x": np.dtype("int8")}).dtype.name
    'float64'
    """
    match e:
        case Access(tensor=tensor):
            return replace(e, dtype=dtypes[tensor])
        case Literal(value=value):
            return replace(e, dtype=natural(value))
        case Fill():
            return e
        case Apply(operator=operator, args=args):
            return apply_typed(operator, tuple(infer_types(a, dtypes) for a in args), e.span)
        case Reduce(operator=operator, body=body):
            inner = infer_types(body, dtypes)
            contribution = dtype_of(inner)
            try:
                dtype = operator.reduced_dtype(operator.result_dtype(contribution, contribution))
            except DtypeError as error:
                raise error.at(span=e.span) from None
            return replace(e, body=inner, dtype=dtype)


def apply_typed(operator: Operator, args: tuple[Expr, ...], span: Span | None = None) -> Apply:
    """An operator over typed arguments, typed. Raises DtypeError where it refuses their dtypes."""
    arguments = promote_arguments(args)
    try:
        operator.operand_dtype(*arguments)
        return Apply(operator, args, dtype=operator.result_dtype(*arguments), span=span)
    except DtypeError as error:
        raise error.at(span=span) from None


def dtype_of(e: Expr) -> np.dtype:
    """The dtype that typing has put on an expression."""
    if e.dtype is None:
        raise InternalError(f"{e} has not been typed")
    return e.dtype


def operand_dtype(e: Apply) -> np.dtype:
    """The dtype that an operator of a typed expression computes in, to which each argument is converted before."""
    return e.operator.operand_dtype(*promote_arguments(e.args))


def promote_arguments(args: tuple[Expr, ...]) -> tuple[np.dtype, ...]:
    """The dtypes of typed arguments; constants take theirs from the other arguments."""
    own = [(dtype_of(a), is_weak(a)) for a in args]
    strong = [dtype for dtype, weak in own if not weak]
    if not strong or len(strong) == len(own):
        return tuple(dtype for dtype, _ in own)
    common = np.result_type(*strong, *(sample(dtype) for dtype, weak in own if weak))
    return tuple(common if weak else dtype for dtype, weak in own)


def least_dtype(dtype: np.dtype, *values: Number) -> np.dtype | None:
    """The narrowest dtype that holds some integers beside all of an integer dtype; None if there is none.

    >>> least_dtype(np.dtype("int8"), 127), least_dtype(np.dtype("uint8"), -3), least_dtype(np.dtype("uint64"), -3)
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
    return np.dtype(int if isinstance(value, Count) else type(value))
