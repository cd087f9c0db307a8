"""Copies: the fold of as many copies of a value as a number says, for each operator that reduces.

`copies_max(a, n)` is `max` of `n` copies of `a`, and its identity if `n` is zero; `copies_add(a, n)` is `a * n`.
Lowering makes such operators, for what is contributed where operands are missing (`statement/contributions.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from .dtypes import Number, same_value
from .error_bound import of_choice, of_mul
from .exact import Exact, truth
from .operator import Operator
from .operators import CONVERSIONS, OPERATORS
from .promotion import promote_dtypes


def are_folded_at_once(operator: Operator, value: Number | None, count: int, dtype: np.dtype) -> bool:
    """Whether up to `count` copies of a value, None if it is not known, are folded at once: one does for all, or their
    product is as exact as their sum."""
    if operator.idempotent:
        return True
    if operator.multiple is not None:
        return dtype.kind != "c" and is_counted(count, dtype)
    with np.errstate(all="ignore"):
        return value is not None and same_value(operator.compute(value, value), value)


def is_counted(count: int, dtype: np.dtype) -> bool:
    """Whether a dtype holds every number up to a count."""
    return count <= (2 ** (np.finfo(dtype).nmant + 1) if dtype.kind == "f" else np.iinfo(dtype).max)


def copies(operator: Operator) -> Operator:
    """The operator that folds copies of its first argument. The second argument says how many copies; of an idempotent
    operator, whether there are any.

    >>> from gnomon.reference.algebra.operators import ADD, MAX
    >>> copies(ADD).compute(0.5, 3), copies(MAX).compute(2.0, 1), copies(MAX).compute(2.0, 0)
    (1.5, 2.0, -inf)
    """
    return made_copies(OPERATORS.get(operator.name, operator))


@cache
def made_copies(operator: Operator) -> Operator:
    """The operator that folds copies, made once."""
    product = None if operator.multiple is None else OPERATORS[operator.multiple]
    folded = product or operator.left_unit
    c, smt = ("{0}", "{0}") if folded is None else (folded.c, folded.smt)
    return Operator(
        name=f"copies_{operator.name}",
        arity=2,
        compute=lambda a, n: operator.repeat(a, int(n.real), np.asarray(a).dtype),
        compute_in=lambda dtype: in_dtype(operator, dtype),
        exact=first_copy(operator) if product is None else product.exact,
        bound=of_choice if product is None else of_mul,
        result_dtype=promote_dtypes,
        operand_dtype=promote_dtypes,
        c=f"({{1}} != 0 ? {c} : {{annihilator}})",
        smt=f"(ite (= {{1}} 0) {number(float(operator.repeat(None, 0, np.dtype('float64'))))} {smt})",
        checked=None if product is None else product.checked,
        left_annihilator=operator.left_identity,
    )


def number(value: float) -> str:
    """A number as SMT-LIB writes it; infinities are words."""
    return f"(- {-value:g})" if value < 0 and math.isfinite(value) else f"{value:g}"


def in_dtype(operator: Operator, dtype: np.dtype) -> Callable[[Any, Any], Any]:
    """Copies of scalars of a dtype: none fold to its identity in that dtype."""
    return lambda a, n: operator.repeat(a, int(n.real), dtype)


def first_copy(operator: Operator) -> Callable[[Exact, Exact], Exact]:
    """The fold of a copy if there is one; the identity, which depends on a dtype, is no exact number."""
    unit = operator.left_unit
    return lambda a, n: math.nan if not truth(n) else a if unit is None else unit.exact(a)


MADE = (*CONVERSIONS.values(), *(copies(operator) for operator in OPERATORS.values() if operator.reduction))
PRINTED = OPERATORS | {operator.name: operator for operator in MADE}
"""The operators that occur in statements, by name: declared ones, conversions and copies."""
