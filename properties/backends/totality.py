"""Where a system whose absent components are numbers means something else than gnomon, whose are missing.

Both agree except where a missing operand annihilates what arithmetic would not: an infinity or NaN in a product, a
divisor that is zero or not finite. Programs where that may happen are to be refused.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...reference.algebra.operators import DIV, FLOORDIV, MOD, MUL
from ...reference.notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce
from ...reference.storage.tensor import Tensor
from .backend import Refused

Operands = Mapping[str, Tensor]
UNBOUNDED = ("sqrt", "exp", "log", "pow")
DIVISIONS = (DIV, FLOORDIV, MOD)


def check_total(e: Expr, operands: Operands) -> None:
    """Raise Refused if a missing component may annihilate what is not finite, or a quotient by zero."""
    match e:
        case Apply(operator=operator, args=(left, right)) if operator is MUL:
            if any(may_vanish(a, operands) and not is_finite(b, operands) for a, b in ((left, right), (right, left))):
                raise Refused("an infinity or NaN where a factor may be absent")
        case Apply(operator=operator, args=(_, divisor)) if operator in DIVISIONS:
            if not (is_finite(divisor, operands) and is_nonzero(divisor, operands)):
                raise Refused("a divisor that may be absent, zero or not finite")
        case _:
            pass
    for part in parts(e):
        check_total(part, operands)


def parts(e: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside one."""
    match e:
        case Apply(args=args):
            return args
        case Reduce(body=body):
            return (body,)
        case Access() | Literal() | Fill():
            return ()


def may_vanish(e: Expr, operands: Operands) -> bool:
    """Whether an expression may be missing and zero: as far as its operands tell."""
    match e:
        case Access(tensor=tensor):
            found = operands[tensor]
            return found.fill == 0 and not found.format.is_whole
        case Literal() | Fill():
            return False
        case Apply() | Reduce():
            return True


def is_finite(e: Expr, operands: Operands) -> bool:
    """Whether no value of an expression can be infinite or NaN, as long as nothing overflows by far."""
    match e:
        case Access(tensor=tensor):
            return bool(np.isfinite(operands[tensor].vals).all())
        case Literal(value=value) | Fill(value=value):
            return bool(np.isfinite(value))
        case Apply(operator=operator) if operator.name in UNBOUNDED:
            return False
        case Apply() | Reduce():
            return all(is_finite(part, operands) for part in parts(e))


def is_nonzero(e: Expr, operands: Operands) -> bool:
    """Whether an expression is certainly nowhere zero."""
    match e:
        case Access(tensor=tensor):
            return bool(operands[tensor].to_numpy().all())
        case Literal(value=value) | Fill(value=value):
            return value != 0
        case Apply() | Reduce():
            return False
