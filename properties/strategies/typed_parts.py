"""Expressions with their dtypes and bounds of their values, built so that none is refused and none overflows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

import numpy as np
from msgspec import Struct

from ...reference.algebra.exact import Exact, exact
from ...reference.algebra.operator import Operator
from ...reference.errors import DtypeError
from ...reference.notation.syntax import Access, Apply, Expr, Literal, Reduce
from ...reference.notation.types import dtype_of, infer_types, operand_dtype

Span = tuple[int, int]


class Part(Struct, frozen=True):
    """An expression with its dtype; `span` bounds the value of an integer, `weak` if it is made of numbers only."""

    term: Expr
    dtype: np.dtype
    span: Span | None = None
    weak: bool = False


@cache
def dtypes_of(operator: Operator, kinds: tuple[tuple[np.dtype, bool], ...]) -> tuple[np.dtype, np.dtype] | None:
    """The dtypes that an operator computes in and gives, for arguments of (dtype, weak); None if it refuses them."""
    args: list[Expr] = []
    dtypes = {}
    for n, (dtype, weak) in enumerate(kinds):
        args.append(Literal(dtype.type(1).item()) if weak else Access(f"x{n}"))
        dtypes[f"x{n}"] = dtype
    try:
        e = infer_types(Apply(operator, tuple(args)), dtypes)
    except DtypeError:
        return None
    assert isinstance(e, Apply)
    return operand_dtype(e), dtype_of(e)


def holds(dtype: np.dtype, span: Span | None) -> bool:
    """Whether an integer dtype holds all that a span bounds; other dtypes hold everything."""
    if span is None or dtype.kind not in "iu":
        return True
    info = np.iinfo(dtype)
    return bool(info.min <= span[0] and span[1] <= info.max)


def apply_operator(operator: Operator, parts: Sequence[Part], written: Operator | None = None) -> Part | None:
    """An operator on parts, or None if it refuses their dtypes or an integer might overflow.

    `written` is what stands in the text, where a semiring gives that another meaning.
    """
    dtypes = dtypes_of(operator, tuple((p.dtype, p.weak) for p in parts))
    if dtypes is None or not all(holds(dtypes[0], p.span) for p in parts):
        return None
    span = result_span(operator, [p.span for p in parts], dtypes[1])
    if not holds(dtypes[1], span):
        return None
    term = Apply(written or operator, tuple(p.term for p in parts))
    return Part(term, dtypes[1], span, all(p.weak for p in parts))


def result_span(operator: Operator, spans: Sequence[Span | None], dtype: np.dtype) -> Span | None:
    """The bounds of an integer result: operators are monotone between the ends of their arguments and 0.

    One that selects may give any of its arguments.
    """
    if dtype.kind == "b":
        return (0, 1)
    if dtype.kind not in "iu":
        return None
    ends = [[exact(v) for v in sorted({s[0], s[1], *({0} if s[0] < 0 < s[1] else ())})] for s in spans if s]
    found = [whole(operator.exact(*values)) for values in product(*ends)]
    if operator.selects:
        found += [whole(end) for own in ends for end in own]
    return min(found), max(found)


def whole(value: Exact) -> int:
    """An exact integer as one."""
    return int(value)  # type: ignore[arg-type]


def reduce(operator: Operator, index: str, body: Part, extent: int, written: Operator | None = None) -> Part | None:
    """A reduction over so many contributions, or None if the operator refuses them or an integer might overflow."""
    dtypes = dtypes_of(operator, ((body.dtype, False), (body.dtype, False)))
    if dtypes is None:
        return None
    dtype = operator.reduced_dtype(dtypes[1])
    span = reduction_span(operator, body.span, extent, dtype)
    if not (holds(dtype, body.span) and holds(dtype, span)):
        return None
    return Part(Reduce(written or operator, index, body.term), dtype, span)


def reduction_span(operator: Operator, span: Span | None, extent: int, dtype: np.dtype) -> Span | None:
    """The bounds of a reduction: of any number of contributions up to the extent."""
    if dtype.kind == "b":
        return (0, 1)
    if dtype.kind not in "iu" or span is None:
        return None
    assert operator.left_identity is not None
    identity = whole(exact(operator.left_identity(dtype)))
    here: Span | None = span if operator.left_unit is None else result_span(operator.left_unit, [span], dtype)
    assert here is not None
    low, high = (identity, identity) if extent == 0 else here
    for _ in range(extent - 1):
        here = result_span(operator, [here, span], np.dtype("int64"))
        assert here is not None
        low, high = min(low, here[0]), max(high, here[1])
    return (low, high) if operator.idempotent and extent else (min(low, identity), max(high, identity))
