"""Elaboration: conversions between dtypes made explicit, and sums moved out of products.

Before: `C(i,j) = sum(l, sum(k, B(i,k,l) * C(k,j)) * D(l,j))`, where B holds float32 and the others float64.
After: `sum(l, sum(k, float64(B(i,k,l)) * C(k,j) * D(l,j)))`.

The law used: an operator that distributes over a reduction, and whose missing operand is that reduction's identity,
may be applied to each contribution instead of to their total.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from msgspec.structs import replace

from ..algebra.operator import Operator
from ..algebra.operators import conversion
from ..algebra.scalars import cast
from .syntax import Access, Apply, Expr, Fill, Literal, Reduce, free_variables
from .types import dtype_of, operand_dtype


def elaborate(e: Expr) -> Expr:
    """The typed expression with its conversions explicit and its sums moved outward."""
    return hoist(insert_conversions(e), frozenset())


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


def hoist(e: Expr, around: frozenset[str]) -> Expr:
    """The expression with reductions moved out of the operators that distribute over them, inside reductions over some
    variables."""
    match e:
        case Access() | Literal() | Fill():
            return e
        case Reduce(index=index, body=body):
            return replace(e, body=hoist(body, around | {index}))
        case Apply(args=args):
            return hoist_reductions(replace(e, args=tuple(hoist(a, around) for a in args)), around)


def hoist_reductions(e: Apply, around: frozenset[str]) -> Expr:
    """An operator over hoisted arguments: those of their reductions that leave become the outermost nodes."""
    args, moved = list(e.args), list[Reduce]()
    for position in leaving(e, around):
        while moves_out(e.operator, position, args):
            reduce = args[position]
            assert isinstance(reduce, Reduce)
            moved.append(reduce)
            args[position] = reduce.body
    made: Expr = replace(e, args=tuple(args))
    for reduce in reversed(moved):
        made = Reduce(reduce.operator, reduce.index, made, dtype=e.dtype)
    return made


def leaving(e: Apply, around: frozenset[str]) -> Sequence[int]:
    """The places of the arguments whose reductions leave if they may.

    If both arguments hold reductions, the loops of one would run for each contribution of the other. One leaves, around
    a workspace for the other, if it has all variables of the other; else none does: `sum(k, A(i,k)) * sum(l, B(l,j))`
    is a product of two workspaces. Both do if they share a variable that is reduced around them: the whole is then one
    contraction, which schedules take apart.
    """
    if len(e.args) != 2:
        return ()
    left, right = (set(free_variables(argument)) for argument in e.args)
    if not all(map(holds_reduction, e.args)) or around & left & right:
        return (0, 1)
    covering = (n for n, (own, other) in enumerate(((left, right), (right, left))) if other <= own)
    return [n for n in covering if moves_out(e.operator, n, e.args)][:1]


def moves_out(operator: Operator, position: int, args: Sequence[Expr]) -> bool:
    """Whether an argument is a reduction, and an operator may be applied to each contribution instead of to all."""
    reduce, other = args[position], args[1 - position]
    if not isinstance(reduce, Reduce) or reduce.operator.name not in operator.distributes_over:
        return False
    annihilator = (operator.left_annihilator, operator.right_annihilator)[position]
    identity = reduce.operator.left_identity
    if annihilator is None or identity is None:
        return False
    dtype = dtype_of(reduce)
    return annihilator(dtype) == identity(dtype) and not mentions(other, reduce.index)


def holds_reduction(e: Expr) -> bool:
    """Whether a reduction stands anywhere in an expression."""
    match e:
        case Access() | Literal() | Fill():
            return False
        case Apply(args=args):
            return any(map(holds_reduction, args))
        case Reduce():
            return True


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
