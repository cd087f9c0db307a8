"""Resolution: an expression together with what its tensors are, checked and resolved.

A resolved assignment has one meaning, which `denote.py` states and `interpreter.py` computes. Resolving makes implicit
sums explicit, gives `+` and `*` their semiring's meaning, and settles extents, dtypes and fill values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..algebra.dtypes import Number
from ..algebra.promotion import promote_dtypes
from ..algebra.scalars import cast, checked_fill, zero
from ..algebra.semirings import Semiring
from ..errors import DtypeError, SemiringError
from .reinterpretation import in_meaning
from .syntax import Access, Apply, Assignment, Expr, Fill, Literal, Reduce, accesses
from .types import apply_typed, dtype_of, infer_types, operand_dtype
from .wellformed import Checker, Operand


class Resolved(Struct, frozen=True):
    """A resolved assignment: explicit sums, semiring operators in place, extents, and the result's type and fill."""

    assignment: Assignment
    operands: tuple[tuple[str, Operand], ...]
    extents: tuple[tuple[str, int], ...]
    shape: tuple[int, ...]
    dtype: np.dtype
    fill: Number
    semiring: Semiring | None = None


def resolve(
    assignment: Assignment,
    operands: Mapping[str, Operand],
    *,
    source: str | None = None,
    semiring: Semiring | None = None,
    dtype: np.dtype | None = None,
    fill: Number | None = None,
) -> Resolved:
    """Check an assignment against its operands and settle what it leaves open.

    An assignment whose products are places has them in their stead (`Text.in_ring`). `dtype` and `fill` are those asked
    for the result. The previous contents of a reduction assignment's result are
    the operand of its name. Raises ExpressionError, SemiringError or DtypeError.
    """
    checker = Checker(assignment, operands, source)
    checker.check()
    extents = checker.extents()
    term = in_meaning(assignment, semiring, source)
    known = dict(operands)
    if semiring is not None:
        ring = ring_operands(assignment)
        known = {name: fill_with_identity(name, o, semiring) if name in ring else o for name, o in operands.items()}
    dtypes = {name: o.dtype for name, o in known.items()}
    try:
        term = infer_assignment(term, dtypes)
        own = statement_dtype(term, dtypes)
    except DtypeError as error:
        raise error.at(source) from None
    settled = own if dtype is None else dtype
    if not np.can_cast(own, settled, "same_kind"):
        raise DtypeError(
            f"the result has dtype {own.name}, which {settled.name} cannot hold",
            hint=f"ask for {own.name}, or convert the operands",
            rule="type.result",
        )
    shape = tuple(extents[v] for v in assignment.target.indices)
    if fill is None:
        background = default_fill(term, known, semiring, settled)
    else:
        background = requested_fill(checked_fill(fill, settled), settled, semiring)
    return Resolved(
        term,
        tuple(known.items()),
        tuple(extents.items()),
        shape,
        settled,
        background,
        semiring,
    )


def ring_operands(a: Assignment) -> set[str]:
    """The tensors that a semiring speaks of: what the right side reads, and previous contents that the result keeps.
    A mask is outside."""
    return {*({a.target.tensor} if a.keeps else ()), *(access.tensor for access in accesses(a.value))}


def infer_assignment(a: Assignment, dtypes: Mapping[str, np.dtype]) -> Assignment:
    """The assignment with dtypes on its right side and on what it reads besides: its mask and previous contents."""
    mask = a.mask if a.mask is None else replace(a.mask, value=infer_types(a.mask.value, dtypes))
    target = replace(a.target, dtype=dtypes.get(a.target.tensor))
    return replace(a, target=target, value=infer_types(a.value, dtypes), mask=mask)


def statement_dtype(a: Assignment, dtypes: Mapping[str, np.dtype]) -> np.dtype:
    """The dtype of the right side, combined with previous contents if there are any, or beside them where a mask keeps
    them. The operator takes it anyway."""
    if a.merge and a.operator is None:
        return promote_dtypes(dtype_of(a.target), dtype_of(a.value))
    if a.operator is None:
        return dtype_of(a.value)
    if a.target.tensor in dtypes:
        return dtype_of(apply_typed(a.operator, (a.target, a.value)))
    apply_typed(a.operator, (a.value, a.value), a.span)
    return dtype_of(a.value)


def default_fill(a: Assignment, operands: Mapping[str, Operand], semiring: Semiring | None, dtype: np.dtype) -> Number:
    """The fill of a result for which none is asked."""
    if semiring is not None:
        return absent_of(semiring, dtype)
    if a.keeps and a.target.tensor in operands:
        return cast(operands[a.target.tensor].fill, dtype)  # type: ignore[no-any-return]
    if a.operator is not None and a.operator.left_identity is not None:
        return a.operator.left_identity(dtype)
    return zero(dtype)


def requested_fill(asked: Number, dtype: np.dtype, semiring: Semiring | None) -> Number:
    """The fill of a result as requested. Raises SemiringError where a semiring has another: there the fill means
    absent."""
    if semiring is not None and asked != absent_of(semiring, dtype):
        absent = absent_of(semiring, dtype)
        raise SemiringError(
            f"fill {asked} is asked for the result, but absent is {absent} in {semiring.name}",
            hint=f"leave fill out, or write fill={absent}",
            rule="semiring.fill.result",
        )
    return asked


def absent_of(semiring: Semiring, dtype: np.dtype) -> Number:
    """What is absent in a semiring, as a number."""
    assert semiring.add.left_identity is not None
    return semiring.add.left_identity(dtype)


def outgrown(resolved: Resolved) -> dict[str, Number]:
    """The operands that have to store what is absent in a semiring as a number, which promotion would not keep absent.

    Each with that number, which it must not hold (`refuse_outgrown`).
    """
    if resolved.semiring is None:
        return {}
    identity = resolved.semiring.add.left_identity
    assert identity is not None
    operands = dict(resolved.operands)
    dtypes = {name: o.dtype for name, o in operands.items()}
    a = resolved.assignment
    whole: tuple[Expr, ...] = (a.value,)
    if a.keeps and a.target.tensor in operands:
        whole = (a.target, a.value) if a.operator is None else (apply_typed(a.operator, (a.target, a.value)),)
    found = (each for e in whole for each in promotions(e, frozenset({resolved.dtype})))
    return {
        name: identity(dtypes[name])
        for name, above in found
        if operands[name].dense_leaves and any(identity(dtype) != identity(dtypes[name]) for dtype in above)
    }


def promotions(e: Expr, above: frozenset[np.dtype]) -> Iterator[tuple[str, frozenset[np.dtype]]]:
    """Every access of a typed expression by its tensor's name, with the dtypes to which its values may be converted. A
    constant operator converts no values; an operator whose results have another dtype passes none on."""
    match e:
        case Access(tensor=tensor):
            yield tensor, above
        case Apply(operator=operator, args=args):
            own = operand_dtype(e)
            kept = above if dtype_of(e) == own else frozenset[np.dtype]()
            converted = frozenset[np.dtype]() if operator.constant else kept | {own}
            for argument in args:
                yield from promotions(argument, converted)
        case Reduce(body=body):
            yield from promotions(body, above | {dtype_of(e)})
        case Literal() | Fill():
            return


def refuse_outgrown(name: str, values: np.ndarray, absent: Number | None) -> None:
    """Raise SemiringError if an operand holds the number that stands for what is absent, which promotion would lose."""
    if absent is not None and bool(np.any(values == absent)):
        raise SemiringError(
            f"{name} holds {absent}, which is absent in {values.dtype.name} but a number in the dtype that it is "
            "promoted to",
            hint=f"convert {name} to that dtype, or store it in a format that leaves out what is absent",
            rule="semiring.promotion",
        )


def fill_with_identity(name: str, operand: Operand, semiring: Semiring) -> Operand:
    """The operand inside a semiring, where absent means the identity of the add."""
    assert semiring.add.left_identity is not None
    identity = semiring.add.left_identity(operand.dtype)
    if operand.dense_leaves and operand.fill != identity:
        raise SemiringError(
            f"{name} is stored with dense leaves and fill {operand.fill}, but absent is {identity} in {semiring.name}",
            hint=f"pack it with fill={identity}, or in a format that stores only what is present",
            rule="semiring.fill.operand",
        )
    return replace(operand, fill=identity)
