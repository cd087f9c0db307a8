"""Resolution: an expression together with what its tensors are, checked and resolved.

A resolved assignment has one meaning, which `denote.py` states and `interpreter.py` computes. Resolving makes implicit
sums explicit, gives `+` and `*` their semiring's meaning, and settles extents, dtypes and fill values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..algebra.dtypes import Number
from ..algebra.promotion import promote_dtypes
from ..algebra.scalars import cast, checked_fill, zero
from ..algebra.semirings import Semiring
from ..errors import DtypeError, ExpressionError, SemiringError
from ..span import Span
from .printer import pretty
from .reinterpretation import in_meaning
from .syntax import (
    Access,
    Apply,
    Assignment,
    Expr,
    Fill,
    Literal,
    Mask,
    Reduce,
    accesses,
    free_variables,
    mask_reads,
    nodes,
)
from .types import apply_typed, dtype_of, infer_types, operand_dtype


@dataclass(frozen=True, slots=True)
class Operand:
    """What an expression needs to know of a tensor, whose extents may stand in for others that are not known yet.

    `dense_leaves`: its storage cannot leave components out.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    fill: Number
    dense_leaves: bool = False


@dataclass(frozen=True, slots=True)
class Resolved:
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
    background = default_fill(term, known, semiring, settled)
    if fill is not None:
        background = requested_fill(checked_fill(fill, settled), background, semiring)
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
        assert semiring.add.left_identity is not None
        return semiring.add.left_identity(dtype)
    if a.keeps and a.target.tensor in operands:
        return cast(operands[a.target.tensor].fill, dtype)  # type: ignore[no-any-return]
    if a.operator is not None and a.operator.left_identity is not None:
        return a.operator.left_identity(dtype)
    return zero(dtype)


def requested_fill(asked: Number, background: Number, semiring: Semiring | None) -> Number:
    """The fill of a result as requested. Raises SemiringError where a semiring has another: there the fill means
    absent."""
    if semiring is not None and asked != background:
        raise SemiringError(
            f"fill {asked} is asked for the result, but absent is {background} in {semiring.name}",
            hint=f"leave fill out, or write fill={background}",
            rule="semiring.fill.result",
        )
    return asked


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
    """Every access of a typed expression by its tensor's name, with the dtypes to which its values may be converted:
    none in a constant operator, which has no use for them."""
    match e:
        case Access(tensor=tensor):
            yield tensor, above
        case Apply(operator=operator, args=args):
            converted = frozenset[np.dtype]() if operator.constant else above | {operand_dtype(e)}
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


@dataclass(frozen=True, slots=True)
class Checker:
    """The well-formedness of an assignment over its operands (docs/spec/notation/wellformed.md)."""

    assignment: Assignment
    operands: Mapping[str, Operand]
    source: str | None

    def error(self, rule: str, message: str, span: Span | None, hint: str | None = None) -> ExpressionError:
        return ExpressionError(message, hint=hint, source=self.source, span=span, rule=rule)

    def reads(self) -> list[Access]:
        """The accesses on the right side and in the mask."""
        return [*accesses(self.assignment.value), *mask_reads(self.assignment.mask)]

    def check(self) -> None:
        """Refuse what does not denote."""
        self.check_target()
        for access in self.reads():
            self.check_access(access)
        if self.assignment.target.tensor in self.operands:
            self.check_access(self.assignment.target)
        self.check_unused()
        self.check_scopes(self.assignment.value, frozenset(self.assignment.target.indices))
        self.check_variables()

    def check_target(self) -> None:
        target = self.assignment.target
        if len(set(target.indices)) < len(target.indices):
            said = f"{pretty(target)} repeats a variable on the left"
            raise self.error("notation.variables", said, target.span, "use distinct variables")
        if any(a.tensor == target.tensor for a in accesses(self.assignment.value)):
            said, other = f"{target.tensor} is both the result and an operand", "give the result another name"
            hint = f"{other}, or write {pretty(target)} += ... to accumulate" if not self.assignment.operator else other
            raise self.error("notation.result", said, target.span, hint)
        asked = [a for a in mask_reads(self.assignment.mask) if a.tensor == target.tensor]
        if asked and target.tensor not in self.operands:
            raise self.error(
                "mask.target",
                f"the mask reads previous contents of {target.tensor}, but none are given",
                asked[0].span,
                f"pass {target.tensor}=..., or leave out the mask",
            )
        if self.assignment.operator is not None:
            return
        if self.assignment.merge and target.tensor not in self.operands:
            raise self.error(
                "mask.merge",
                f"the mask keeps previous contents of {target.tensor}, but none are given",
                self.assignment.mask.span if self.assignment.mask else None,
                f"pass {target.tensor}=..., or leave out merge",
            )
        if not (self.assignment.merge or asked) and target.tensor in self.operands:
            masked = "say merge in the mask to keep what it excludes"
            instead = masked if self.assignment.mask else f"write {pretty(target)} += ..."
            raise self.error(
                "notation.previous",
                f"{target.tensor} is assigned with =, so previous contents of it have no use",
                target.span,
                f"do not pass {target.tensor}, or {instead}; out= says how the result is stored",
            )

    def check_access(self, access: Access) -> None:
        if access.tensor not in self.operands:
            known = ", ".join(sorted(self.operands)) or "none"
            if any(i in self.operands for i in access.indices):
                hint = f"scalars are no indices; pass {access.tensor}=... if it is a tensor; given: {known}"
                raise self.error("notation.operands", f"{access.tensor} is not a function", access.span, hint)
            hint = f"pass {access.tensor}=...; given: {known}"
            raise self.error("notation.operands", f"unknown tensor {access.tensor}", access.span, hint)
        order = len(self.operands[access.tensor].shape)
        if order != len(access.indices):
            raise self.error(
                "notation.operands",
                f"{pretty(access)} has {len(access.indices)} indices, but {access.tensor} has order {order}",
                access.span,
            )

    def check_unused(self) -> None:
        used = {a.tensor for a in self.reads()} | {self.assignment.target.tensor}
        for name in self.operands:
            if name not in used:
                said = f"{name} is given but does not occur in the expression"
                raise self.error("notation.operands", said, self.assignment.span)

    def check_scopes(self, e: Expr, bound: frozenset[str]) -> None:
        """Reductions bind variables that occur in their body and that are not already in scope."""
        match e:
            case Reduce(index=index, body=body):
                if index in bound:
                    raise self.error(
                        "notation.scopes", f"{index} is already in use around this reduction", e.span, "rename it"
                    )
                if index not in free_variables(body):
                    raise self.error("notation.scopes", f"{index} occurs in no access of the reduction over it", e.span)
                self.check_scopes(body, bound | {index})
            case Apply(args=args):
                for argument in args:
                    self.check_scopes(argument, bound | self.free_beside(argument, args))
            case Access() | Literal() | Fill():
                pass

    def free_beside(self, argument: Expr, args: tuple[Expr, ...]) -> frozenset[str]:
        """Variables that are free in the neighbours of an argument: an inner reduction may not reuse them."""
        return frozenset(v for other in args if other is not argument for v in free_variables(other))

    def check_variables(self) -> None:
        target, mask = self.assignment.target, self.assignment.mask
        free = set(free_variables(self.assignment.value))
        for variable in target.indices:
            if variable not in free:
                raise self.error(
                    "notation.variables",
                    f"{variable} is on the left but not on the right, so its extent is not known",
                    target.span,
                    "every variable on the left must index an operand",
                )
        if mask is not None:
            self.check_mask(mask)

    def check_mask(self, mask: Mask) -> None:
        """A mask is made of operands at the coordinates of the result, without reductions."""
        if not mask.reads:
            hint = "leave it out, or name a tensor or an index variable"
            raise self.error("mask.wellformed", "the mask reads no operand", mask.span, hint)
        for e in nodes(mask.value):
            if isinstance(e, Reduce):
                hint = "assign the reduction to a tensor first, and use that as the mask"
                raise self.error("mask.wellformed", f"the mask reduces over {e.index}", e.span, hint)
        for variable in free_variables(mask.value):
            own = self.assignment.target.indices
            if variable not in own:
                hint = f"write indices of {self.assignment.target.tensor} there: {', '.join(own) or 'it has none'}"
                raise self.error("mask.wellformed", f"{variable} indexes the mask but not the result", mask.span, hint)

    def extents(self) -> dict[str, int]:
        """The extent of every variable; accesses in one scope must agree."""
        first: dict[str, tuple[int, Access, int]] = {}
        self.measure(self.assignment.value, first)
        target = self.assignment.target
        for access in (*mask_reads(self.assignment.mask), *((target,) if target.tensor in self.operands else ())):
            self.measure(access, first)
        return {v: extent for v, (extent, _, _) in first.items()}

    def measure(self, e: Expr, first: dict[str, tuple[int, Access, int]]) -> None:
        """Take in the extents of an expression; a reduction's variable is its own."""
        match e:
            case Access(tensor=tensor, indices=indices):
                for mode, variable in enumerate(indices):
                    extent = self.operands[tensor].shape[mode]
                    known, access, place = first.setdefault(variable, (extent, e, mode))
                    if known != extent:
                        raise self.error(
                            "notation.extents",
                            f"{variable} has extent {known} in {pretty(access)} (mode {place + 1}) but {extent} in "
                            f"{pretty(e)} (mode {mode + 1})",
                            e.span,
                        )
            case Apply(args=args):
                for argument in args:
                    self.measure(argument, first)
            case Reduce(index=index, body=body):
                outer = first.pop(index, None)
                self.measure(body, first)
                del first[index]
                if outer is not None:
                    first[index] = outer
            case Literal() | Fill():
                pass
