"""Updates: assignments to results that go on from their previous contents.

Before: `x(i) = x_old(i) + e(i)`, where e is sparse and x, as before, dense: every i is visited. After: x begins as
x_old, and `x(i) += e(i)` visits what e stores. What the loops leave alone stays as it was, so that a kernel may also
work on the previous contents in place.

Not so where a coordinate may have to be removed, or has no position until something is stored there.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from msgspec import Struct

from ..algebra.dtypes import same_value
from ..algebra.operator import Operator
from ..levels.level import Insert, Widen
from ..notation.syntax import Access, Apply, Expr, Fill, Mask, accesses, mask_reads
from ..notation.types import dtype_of
from ..storage.format import Format
from .substitution import Background, annihilates, substitute

FEW = 8


class Fold(Struct, frozen=True):
    """What loops contribute to a target, and the operator and the variables by which it is reduced, if it is."""

    contribution: Expr
    operator: Operator | None = None
    variables: tuple[str, ...] = ()


def continuation(
    target: Access, before: Access, total: Expr, mask: Mask | None, formats: Mapping[str, Format], known: Background
) -> Fold | None:
    """What is folded in previous contents where `total` is assigned, which combines these, `before`, with something
    else or, under a mask that merges, is what takes their place. None where the result has to be built anew.

    Operators that give more than they are given of a lone operand (`or` tells whether it is zero) change what they
    leave alone, and an operand that annihilates makes infinities and NaN vanish: these are built anew too.
    """
    format = formats.get(target.tensor)
    if format is None or format != formats[before.tensor] or not all(map(has_places, format.levels)):
        return None
    if {known.dtypes[before.tensor], dtype_of(total)} != {known.dtypes[target.tensor]}:
        return None
    if any(access.tensor == before.tensor for access in mask_reads(mask)):
        return None
    match total:
        case Apply(operator=operator, args=(left, contribution)) if left == before:
            fold = Fold(contribution, operator)
            return fold if leaves_alone(fold, target, before, format.is_whole, known) else None
        case _ if mask is not None and before not in accesses(total):
            return Fold(total) if format.is_whole or covers(mask, total, known) else None
        case _:
            return None


def has_places(level: object) -> bool:
    """Whether every coordinate of a level has a position, whatever has been stored there."""
    return isinstance(level, Insert) and not isinstance(level, Widen)


def leaves_alone(fold: Fold, target: Access, before: Access, whole: bool, known: Background) -> bool:
    """Whether previous contents stay as they are where nothing is contributed, and contributions where there are no
    previous contents."""
    operator, dtype = fold.operator, known.dtypes[target.tensor]
    assert operator is not None
    if operator.right_unit is not None or (operator.complex_fold is not None and dtype.kind == "c"):
        return False
    missing = substitute(fold.contribution, frozenset(accesses(fold.contribution)), known)
    if isinstance(missing, Fill) and annihilates(operator.right_annihilator, missing):
        return False
    idle = isinstance(missing, Fill) and annihilates(operator.right_identity, missing)
    if whole:
        return idle == (isinstance(missing, Fill) and annihilates(operator.left_identity, missing))
    fill = Fill(known.fills[before.tensor], dtype)
    begins = annihilates(operator.left_identity, fill) and not annihilates(operator.left_annihilator, fill)
    return idle and begins and same_value(fill.value, known.fills[target.tensor])


def covers(mask: Mask, value: Expr, known: Background) -> bool:
    """Whether a value is present wherever its mask admits something, so that no coordinate has to be removed: without
    operands that the value needs there is no mask either. Tried for values of at most `FEW` operands."""
    operands = tuple(dict.fromkeys(accesses(value)))
    if mask.complement or len(operands) > FEW:
        return False
    subsets = (frozenset(some) for n in range(1, len(operands) + 1) for some in combinations(operands, n))
    return all(
        isinstance(substitute(mask.value, missing, known), Fill)
        for missing in subsets
        if isinstance(substitute(value, missing, known), Fill)
    )
