"""Values on which integer arithmetic has no result: overflow, and division by zero."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st
from msgspec.structs import replace

from ...reference.algebra.dtypes import NAMES
from ...reference.errors import MeaningError
from ..programs.features import Features
from .invalid_program import (
    Given,
    Mistake,
    Written,
)

INTEGERS = tuple(name for name in NAMES if np.dtype(name).kind in "iu")
SIGNED = tuple(name for name in INTEGERS if np.dtype(name).kind == "i")


def extreme(draw: st.DrawFn, names: Sequence[str], *, lowest: bool = False, least: int = 1) -> Given:
    """A vector of the largest integers of a dtype, or the lowest ones."""
    name = draw(st.sampled_from(names))
    info = np.iinfo(name)
    count = draw(st.integers(least, 3))
    held = (int(info.min if lowest else info.max),) * count
    return Given((tuple(range(count)),), held, (count,), draw(st.sampled_from(("Dense", "SparseVector"))), name)


def overflow(draw: st.DrawFn, features: Features) -> Written:
    value = draw(st.sampled_from(["A(i) + A(i)", "A(i) * A(i)", "A(i) + 1", "square(A(i))", "2 * A(i)"]))
    return Written(f"R(i) = {value}", {"A": extreme(draw, INTEGERS)}, "Dense")


def sign_overflow(draw: st.DrawFn, features: Features) -> Written:
    value = draw(st.sampled_from(["-A(i)", "abs(A(i))", "0 - A(i)", "A(i) - 1", "A(i) * 2"]))
    return Written(f"R(i) = {value}", {"A": extreme(draw, SIGNED, lowest=True)}, "Dense")


def sum_overflow(draw: st.DrawFn, features: Features) -> Written:
    value = draw(st.sampled_from(["A(k)", "sum(k, A(k))", "prod(k, A(k))", "2 + sum(k, A(k))"]))
    return Written(f"R = {value}", {"A": extreme(draw, ("int64", "uint64"), least=2)}, "Dense")


def contents_overflow(draw: st.DrawFn, features: Features) -> Written:
    operand = extreme(draw, INTEGERS)
    return Written(f"R(i) {draw(st.sampled_from('+*'))}= A(i)", {"A": operand, "R": operand}, "Dense")


def zero_divisor(draw: st.DrawFn, features: Features) -> Written:
    operator, divisor = draw(st.sampled_from(["floordiv", "mod"])), draw(st.sampled_from(["0", "B(i)", "A(i) - A(i)"]))
    dividend = extreme(draw, INTEGERS)
    zeros = replace(dividend, values=(0,) * len(dividend.values))
    operands = {"A": dividend, "B": zeros} if divisor == "B(i)" else {"A": dividend}
    return Written(f"R(i) = {operator}(A(i), {divisor})", operands, "Dense")


OVERFLOW = r"integer overflow: -?\d+ does not fit in u?int\d+"
VALUES = {
    "an integer that overflows": Mistake(MeaningError, OVERFLOW, overflow),
    "a negative integer that overflows": Mistake(MeaningError, OVERFLOW, sign_overflow),
    "a sum of integers that overflows": Mistake(MeaningError, OVERFLOW, sum_overflow),
    "previous contents that overflow": Mistake(MeaningError, OVERFLOW, contents_overflow, ("updates",)),
    "an integer division by zero": Mistake(MeaningError, r"integer division of \d+ by zero", zero_divisor),
}
