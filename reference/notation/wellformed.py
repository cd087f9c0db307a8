"""Well-formedness: what an assignment over operands must be to mean something (docs/spec/notation/wellformed.md)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from msgspec import Struct

from ..algebra.dtypes import Number
from ..errors import ExpressionError
from ..span import Span
from .idioms import idiom
from .printer import pretty
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
    is_coordinate,
    mask_reads,
    nodes,
)


class Operand(Struct, frozen=True):
    """What an expression needs to know of a tensor, whose extents may stand in for others that are not known yet.

    `dense_leaves`: its storage cannot leave components out.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    fill: Number
    dense_leaves: bool = False


def unused_operand(name: str, source: str | None, span: Span | None = None) -> ExpressionError:
    """The error for an operand that an expression does not have."""
    said = f"{name} is given but does not occur in the expression"
    return ExpressionError(said, source=source, span=span, rule="notation.operands")


class Checker(Struct, frozen=True):
    """The well-formedness of an assignment over its operands."""

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
            if is_coordinate(access):
                said = f"{access.tensor} is used as a value but indexes no operand that is given"
                hint = f"pass previous contents of {self.assignment.target.tensor}, or an operand that it indexes"
                raise self.error("notation.coordinates.extent", said, access.span, hint)
            if any(i in self.operands for i in access.indices):
                scalars = f"scalars are no indices; pass {access.tensor}=... if it is a tensor; given: {known}"
                hint = idiom(access.tensor, ", ".join(access.indices)) or scalars
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
                raise unused_operand(name, self.source, self.assignment.span)

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
        told = {*free_variables(self.assignment.value), *(v for a in mask_reads(mask) for v in a.indices)}
        told |= {*target.indices} if target.tensor in self.operands else set()
        for variable in target.indices:
            if variable not in told:
                raise self.error(
                    "notation.variables",
                    f"{variable} is on the left but not on the right, so its extent is not known",
                    target.span,
                    f"index an operand by {variable}: on the right, in a mask, or as previous contents that are given",
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
