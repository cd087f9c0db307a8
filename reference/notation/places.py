"""Products that are places: what `A(i,k) * B(k,j)` means in a semiring like `min_firsti`.

Before: `y(i) = A(i,j) * x(j)` in `min_firstj`. After: `y(i) = min(j, second(bool(pair(A(i,j), x(j))), (j)))`. The
product is present where both operands are, whatever their values, and its value is an index variable: the row or column
at which an operand is read. A vector is a column, as in GraphBLAS, but a row on the left of a matrix; its other index
is 0.
"""

from __future__ import annotations

from ..algebra.operators import ADD, PAIR, SECOND, conversion, structural
from ..algebra.positional import Place
from ..algebra.promotion import BOOL
from ..algebra.semirings import Semiring
from ..errors import SemiringError
from .syntax import Access, Apply, Expr, Literal


def place_of(e: Apply, inner: tuple[Expr, ...], semiring: Semiring, place: Place, source: str | None) -> Apply:
    """A product `e` as a place, with operands `inner` in the meaning of the semiring. Raises SemiringError where the
    operand whose place is asked is no vector or matrix."""
    _, second = structural(semiring.plain_add, SECOND)
    _, pair = structural(semiring.plain_add, PAIR)
    where = coordinate_of(e, place, source)
    counted = Apply(ADD, (where, Literal(place.origin)), span=e.span) if place.origin else where
    met = Apply(conversion(BOOL, second), (Apply(pair, inner, span=e.span),), span=e.span)
    return Apply(second, (met, counted), span=e.span)


def coordinate_of(e: Apply, place: Place, source: str | None) -> Expr:
    """The index variable at which the operand is read whose place is asked, as a value; 0 in the mode that a vector has
    not."""
    asked, other = e.args[place.side], e.args[1 - place.side]
    match asked:
        case Access(indices=(variable,)):
            is_row = place.side == 0 and isinstance(other, Access) and len(other.indices) == 2
            own = 1 if is_row else 0
            return Access(variable, (variable,), span=e.span) if place.mode == own else Literal(0)
        case Access(indices=(_, _) as indices):
            return Access(indices[place.mode], (indices[place.mode],), span=e.span)
        case _:
            raise no_place(asked, place, source)


def no_place(asked: Expr, place: Place, source: str | None) -> SemiringError:
    """The error for an operand whose place is asked and that has none."""
    side = ("left", "right")[place.side]
    return SemiringError(
        f"{place} is a place of the {side} operand of *, which is no vector or matrix here",
        hint="assign it to a tensor first, or leave the semiring out and use index variables as values",
        source=source,
        span=asked.span,
        rule="semiring.places",
    )
