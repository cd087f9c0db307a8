"""Elaboration: conversions between dtypes made explicit, and sums moved out of products.

Before: `C(i,j) = sum(l, sum(k, B(i,k,l) * C(k,j)) * D(l,j))`, where B holds float32 and the others float64.
After: `sum(l, sum(k, float64(B(i,k,l)) * C(k,j) * D(l,j)))`.

The law used: an operator that distributes over a reduction, and whose missing operand is that reduction's identity,
may be applied to each contribution instead of to their total.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from msgspec.structs import replace

from ..algebra.operator import Operator
from ..algebra.operators import conversion
from ..algebra.scalars import cast
from .syntax import Access, Apply, Expr, Fill, Literal, Reduce
from .types import dtype_of, operand_dtype


def elaborate(e: Expr) -> Expr:
    """The typed expression with its conversions explicit and its sums moved outward."""
    return hoist(insert_conversions(e))


def insert_conversions(e: Expr) -> Expr:
    """The typed expression in which the arguments of every operator have the dtype that it computes in."""
    match e:
        case Access() | Literal() | Fill():
            return e
        case Apply(operator=operator, args=args):
            wanted = operand_dtype(e)
            return replace(e, args=tuple(as_dtype(insert_conversions(a), wanted, operator) for a in args))
        case Reduce(operator=operator, body=body):
            return replace(e, body=as_dtype(insert_conversions(body), dtype_of(e), operator))


def as_dtype(e: Expr, dtype: np.dtype, within: Operator) -> Expr:
    """The expression converted to a dtype, if it does not have it, as an argument `within` an operator."""
    match e:
        case Literal(value=value):
            return replace(e, value=cast(value, dtype), dtype=dtype)
        case _ if e.dtype == dtype:
            return e
        case _:
            return Apply(conversion(dtype, within), (e,), dtype=dtype)


def hoist(e: Expr) -> Expr:
    """The expression with every reduction moved out of the operators that distribute over it."""
    match e:
        case Access() | Literal() | Fill():
            return e
        case Reduce(body=body):
            return replace(e, body=hoist(body))
        case Apply(args=args):
            return hoist_reductions(replace(e, args=tuple(hoist(a) for a in args)))


def hoist_reductions(e: Apply) -> Expr:
    """An operator over hoisted arguments: the first movable reduction becomes the outermost node."""
    args = e.args
    for position, argument in enumerate(args):
        if isinstance(argument, Reduce) and moves_out(e.operator, position, argument, args):
            inner = replace(e, args=(*args[:position], argument.body, *args[position + 1 :]))
            return Reduce(argument.operator, argument.index, hoist_reductions(inner), dtype=e.dtype)
    return e


def moves_out(operator: Operator, position: int, reduce: Reduce, args: tuple[Expr, ...]) -> bool:
    """Whether a reduction may leave its place among the arguments of an operator."""
    if len(args) != 2 or reduce.operator.name not in operator.distributes_over:
        return False
    other = args[1 - position]
    annihilator = (operator.left_annihilator, operator.right_annihilator)[position]
    identity = reduce.operator.left_identity
    if annihilator is None or identity is None:
        return False
    dtype = dtype_of(reduce)
    return annihilator(dtype) == identity(dtype) and not mentions(other, reduce.index)


def mentions(e: Expr, variable: str) -> bool:
    """Whether a variable occurs anywhere in an expression, bound or free."""
    match e:
        case Access(indices=indices):
            return variable in indices
        case Literal() | Fill():
            return False
        case Apply(args=args):
            return any(mentions(a, variable) for a in args)
        case Reduce(index=index, body=body):
            return variable == index or mentions(body, variable)


def distinct(e: Expr, taken: set[str]) -> Expr:
    """The expression with every reduction over a variable of its own; `taken` collects the names in use.

    Sibling scopes may reuse a name: `sum(k, A(i,k)) * sum(k, B(k))`.
    """
    match e:
        case Access() | Literal() | Fill():
            return e
        case Apply(args=args):
            return replace(e, args=tuple(distinct(a, taken) for a in args))
        case Reduce(index=index, body=body):
            name = fresh_name(index, taken)
            taken.add(name)
            return replace(e, index=name, body=distinct(rename(body, index, name), taken))


def fresh_name(name: str, taken: Collection[str]) -> str:
    """The name, or the first of name1, name2, ... that is not taken."""
    if name not in taken:
        return name
    return next(f"{name}{n}" for n in range(1, len(taken) + 2) if f"{name}{n}" not in taken)


def rename(e: Expr, old: str, new: str) -> Expr:
    """The expression with the free occurrences of a variable renamed."""
    match e:
        case Access(indices=indices, levels=levels):
            inside, outside = (tuple(new if v == old else v for v in part) for part in (indices, levels))
            return replace(e, indices=inside, levels=outside)
        case Literal() | Fill():
            return e
        case Apply(args=args):
            return replace(e, args=tuple(rename(a, old, new) for a in args))
        case Reduce(index=index, body=body):
            return e if index == old else replace(e, body=rename(body, old, new))
