"""Counting: the term by which contributions are counted that are stored.

It is 1, but missing where a contribution is missing although something is stored: in `max(j, A(i,j) * sum(k, B(j,k)))`
without any k, nothing that A stores makes a contribution present, and each counts with those that are not stored.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from ..algebra.operators import PAIR, conversion
from ..notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce, accesses
from ..notation.types import dtype_of
from .substitution import Background, substitute

BOOL, COUNTS = np.dtype("bool"), np.dtype("int64")


def counting_term(e: Expr, admitted: Expr, optional: frozenset[Access], known: Background) -> Expr:
    """The number 1, which is missing where a contribution is though `admitted` is present: reductions inside it may be
    over nothing. Such contributions come to what those contribute that are not stored."""
    one, empty = Literal(1, dtype=COUNTS), without_contributions(e)
    decides = (substitute(empty, optional - {a}, known) for a in accesses(admitted))
    if admitted == e or not any(isinstance(left, Fill) for left in decides):
        return one
    present = Apply(PAIR, (Apply(conversion(BOOL), (e,), dtype=BOOL), Literal(True, dtype=BOOL)), dtype=BOOL)
    return Apply(conversion(COUNTS), (present,), dtype=COUNTS)


def without_contributions(e: Expr) -> Expr:
    """An expression whose reductions are over nothing."""
    match e:
        case Access() | Literal() | Fill():
            return e
        case Apply(args=args):
            return replace(e, args=tuple(map(without_contributions, args)))
        case Reduce(operator=operator):
            return Fill(operator.repeat(None, 0, dtype_of(e)), dtype_of(e))
