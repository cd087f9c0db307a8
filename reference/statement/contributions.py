"""Contributions of missing operands: a reduction folds what is stored, and at once what all the rest contribute.

Before, where the rows of A are lists: `y(i) = max(j, A(i,j))` visits every j, of which most contribute a fill. After:

    ∀i
      y(i) = max(w(i), copies_max(0, lt(w1(i), 1000)))
      where w:
        ∀j
          w(i)<$A(i,j)> max= A(i,j)
      where w1:
        ∀j
          w1(i)<$A(i,j)> += 1

where `w1` counts the stored ones of 1000: the fill takes part if there are fewer. A sum takes as many copies of it as
are missing. What reduces is associative and commutative, so that the order is free.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import reduce

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..algebra.copies import are_folded_at_once, copies
from ..algebra.operators import ADD, OPERATORS, SUB, conversion
from ..notation.elaboration import elaborate
from ..notation.extent import Count
from ..notation.syntax import Access, Apply, Expr, Fill, Literal, Mask, Reduce, accesses, free_variables
from ..notation.types import apply_typed, dtype_of
from ..storage.format import Format
from .counting import COUNTS, counting_term
from .substitution import Background, annihilates, substitute
from .updating import Fold

LESS = OPERATORS["lt"]


class Stored(Struct, frozen=True):
    """A reduction of what is stored: `fold` where `mask` admits it. Each of the others of `count` contributes
    `missing`. What is stored contributes as `counted` does, by which it is counted."""

    fold: Fold
    counted: Expr
    mask: Mask
    missing: Expr
    count: int

    @property
    def counter(self) -> Fold:
        """The fold that counts the contributions that are stored."""
        return Fold(self.counted, ADD, self.fold.variables)

    @property
    def count_variables(self) -> tuple[str, ...]:
        """The variables by which these counts differ."""
        used = (*free_variables(self.mask.value), *free_variables(self.counted))
        return tuple(dict.fromkeys(v for v in used if v not in self.fold.variables))

    def with_rest(self, folded: Access, counts: Access) -> Expr:
        """The whole reduction, from what is stored, folded, and how many these are."""
        operator, dtype = self.fold.operator, dtype_of(folded)
        assert operator is not None
        every = Literal(Count(self.count), dtype=COUNTS)
        left = apply_typed(SUB, (every, counts)) if operator.multiple else apply_typed(LESS, (counts, every))
        number = left if left.dtype == dtype else Apply(conversion(dtype), (left,), dtype=dtype)
        rest = Apply(copies(operator), (self.missing, number), dtype=dtype)
        return Apply(operator, (folded, rest), dtype=dtype)


def reduction(e: Reduce) -> Fold:
    """What the reductions of one operator, one right inside the other, fold."""
    variables, body = [e.index], e.body
    while isinstance(body, Reduce) and body.operator is e.operator:
        variables.append(body.index)
        body = body.body
    return Fold(body, e.operator, tuple(variables))


def stored_part(e: Reduce, formats: Mapping[str, Format], known: Background) -> Stored | None:
    """The part of a reduction that is stored, where all the rest contribute the same and can be folded at once; None
    where they contribute nothing, or have to be visited."""
    fold, dtype = reduction(e), dtype_of(e)
    optional = frozenset(a for a in accesses(fold.contribution) if not formats[a.tensor].is_whole)
    sparse = frozenset(a for a in optional if not set(fold.variables).isdisjoint(a.indices))
    missing = substitute(fold.contribution, sparse, known)
    admitted = presence(fold.contribution, sparse, optional, known)
    if not sparse or admitted is None or not set(free_variables(missing)).isdisjoint(fold.variables):
        return None
    if isinstance(missing, Fill) and annihilates(e.operator.left_identity, missing):
        return None
    count = math.prod(known.extents[v] for v in fold.variables)
    if not count or may_fail(missing) or selects(missing):
        return None
    if not are_folded_at_once(e.operator, missing.value if isinstance(missing, Fill) else None, count, dtype):
        return None
    one = counting_term(fold.contribution, admitted, optional, known)
    return Stored(fold, one, Mask(admitted, structural=True), with_numbers(missing), count)


def may_fail(e: Expr) -> bool:
    """Whether there may be no value: an integer that does not fit in its dtype, or divided by zero. Then it must not be
    computed where nothing is missing."""
    match e:
        case Access() | Literal():
            return False
        case Fill(value=value, dtype=dtype):
            return dtype.kind in "iu" and not np.iinfo(dtype).min <= int(value.real) <= np.iinfo(dtype).max
        case Apply(operator=operator, args=args):
            return operator.may_fail(dtype_of(args[0]), dtype_of(e)) or any(map(may_fail, args))
        case Reduce(operator=operator, body=body):
            return operator.may_fail(dtype_of(e), dtype_of(e)) or may_fail(body)


def presence(e: Expr, sparse: frozenset[Access], optional: frozenset[Access], known: Background) -> Expr | None:
    """What is present exactly where a contribution is: one of its operands, if that decides, or itself.

    Of one that is something else where its sparse operands are missing, what is present where one of these is; None if
    there is nothing to contribute at some of these places, or they are operands of a reduction inside.
    """
    if not {v for a in sparse for v in a.indices} <= {*free_variables(e)}:
        return e if isinstance(substitute(e, sparse, known), Fill) else None
    alone = {a: not isinstance(substitute(e, optional - {a}, known), Fill) for a in sorted(sparse, key=str)}
    if isinstance(substitute(e, sparse, known), Fill):
        deciding = (a for a in alone if alone[a] and isinstance(substitute(e, frozenset({a}), known), Fill))
        return next(deciding, e)
    return reduce(union, tuple[Expr, ...](alone)) if alone and all(alone.values()) else None


def union(left: Expr, right: Expr) -> Expr:
    """What is present where one of two expressions is."""
    return elaborate(apply_typed(ADD, (left, right)))


def selects(e: Expr) -> bool:
    """Whether an operator selects an argument by what is present, and one is missing: a number would be present."""
    match e:
        case Access() | Literal() | Fill():
            return False
        case Apply(operator=operator, args=args):
            here = operator.selects and any(isinstance(each, Fill) for each in args)
            return here or any(map(selects, args))
        case Reduce(body=body):
            return selects(body)


def with_numbers(e: Expr) -> Expr:
    """An expression in which fills are numbers."""
    match e:
        case Fill(value=value, dtype=dtype):
            return Literal(value, dtype=dtype)
        case Apply(args=args):
            return replace(e, args=tuple(map(with_numbers, args)))
        case Reduce(body=body):
            return replace(e, body=with_numbers(body))
        case Access() | Literal():
            return e
