"""Terms in C: what a loop plan says of ranges, windows, guards and coordinates, printed where loops stand.

The interpreter computes the same terms (`reference/execution/numbers.py`): what runs there is what is compiled.
"""

from __future__ import annotations

from ...reference.errors import InternalError
from ...reference.loops.terms import (
    Binary,
    Coordinate,
    Equal,
    Extent,
    Operator,
    Range,
    SegmentBegin,
    SegmentEnd,
    Standing,
    Stored,
    Term,
)
from ..ir import extremes, ir, logic
from ..ir.ir import Expr, Int
from ..storage.translation import widen
from .env import Env
from .frame import Frame
from .searching import Limits
from .segments import place_position, segments


def print_term(term: Term, frame: Frame, env: Env) -> Expr:
    """A term as an expression; one whose value is at hand as that."""
    if term in env.site.held:
        return env.site.held[term]
    match term:
        case int():
            return Int(term)
        case Coordinate(variable=variable):
            return env.site.coordinates[variable]
        case Extent(variable=variable):
            return frame.dimension(variable)
        case SegmentBegin(relation=relation):
            return segments(relation, frame, env.site)[-1][0]
        case SegmentEnd(relation=relation):
            return segments(relation, frame, env.site)[-1][1]
        case Standing(relation=relation):
            return place_position(relation, env.site)
        case Stored(variable=variable):
            raise InternalError(f"{variable} has not been found in storage")
        case Binary(operator=operator, left=left, right=right):
            return print_operator(operator, print_term(left, frame, env), print_term(right, frame, env))


def print_operator(operator: Operator, left: Expr, right: Expr) -> Expr:
    """Two expressions, combined by an operator of terms in 64 bits, whatever the width of the arrays they are from."""
    left, right = widen(left), widen(right) if isinstance(left, Int) else right
    match operator:
        case "+":
            return ir.add(left, right)
        case "-":
            return ir.sub(left, right)
        case "*":
            return ir.mul(left, right)
        case "//":
            return ir.floordiv(left, right)
        case "%":
            return ir.mod(left, right)
        case "min":
            return extremes.smaller(left, right)
        case "max":
            return extremes.larger(left, right)


def print_range(range_: Range, frame: Frame, env: Env) -> Limits:
    """The two ends of a range."""
    return print_term(range_.begin, frame, env), print_term(range_.end, frame, env)


def print_guards(guards: tuple[Equal, ...], frame: Frame, env: Env) -> Expr:
    """Whether all of these hold."""
    sides = [(print_term(guard.left, frame, env), print_term(guard.right, frame, env)) for guard in guards]
    return logic.both(*[logic.compare("==", left, right) for left, right in sides])
