"""What scripts for SciPy name: sparse and dense arrays, and how operators on them are spelled."""

from __future__ import annotations

from collections.abc import Sequence
from math import frexp

import numpy as np
from msgspec import Struct

from ...reference.algebra.dtypes import Number
from ...reference.algebra.operator import Operator

INFIX = {"add": "+", "sub": "-", "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
EXTREME = {"min": "minimum", "max": "maximum"}
PADDED = ("dia", "bsr", "lil", "dok")


class Value(Struct, frozen=True):
    """What a name in the script stands for: a variable per axis, and SciPy's format, "" for NumPy's arrays and numbers.

    `faithful` if what is absent and what is a zero can be told apart: everything is present, or nothing but what is
    present is stored. `number` is the value of a literal.
    """

    text: str
    indices: tuple[str, ...]
    dtype: np.dtype
    format: str = ""
    faithful: bool = False
    number: Number | None = None

    def __str__(self) -> str:
        return self.text

    @property
    def order(self) -> int:
        """The number of axes."""
        return len(self.indices)

    def axes(self, indices: Sequence[str]) -> tuple[int, ...]:
        """The axes of some variables."""
        return tuple(self.indices.index(v) for v in indices)

    def rest(self, over: Sequence[str]) -> tuple[str, ...]:
        """The variables but for some."""
        return tuple(v for v in self.indices if v not in over)


def join_variables(left: Value, right: Value) -> tuple[str, ...]:
    """The variables of two values, those of the first in front."""
    return (*left.indices, *right.rest(left.indices))


def along(v: Value, over: Sequence[str]) -> str:
    """The axis argument of a reduction of a value over some variables."""
    axes = v.axes(over)
    if len(axes) == v.order:
        return ""
    return f"axis={axes[0] if len(axes) == 1 else tuple(sorted(axes))}"


def print_operator(name: str, left: Value, right: Value) -> str:
    """An operator on two values."""
    if name in INFIX:
        return f"{left} {INFIX[name]} {right}"
    return f"{left}.{EXTREME[name]}({right})" if left.format else f"np.{EXTREME[name]}({left}, {right})"


def entire(left: Value, right: Value) -> bool:
    """Whether a NumPy result has everything present, as both operands have."""
    return left.faithful and right.faithful and not (left.format or right.format)


def has_exact_reciprocal(v: Value) -> bool:
    """Whether a value is a number by whose reciprocal one may multiply instead: a power of two, and no extreme one."""
    if not isinstance(v.number, int | float) or v.number == 0 or not 2.0**-100 <= abs(v.number) <= 2.0**100:
        return False
    return abs(frexp(v.number)[0]) == 0.5


def leaves_integers(operator: Operator) -> bool:
    """Whether an operator gives float64 for integers, where NumPy has smaller floats for smaller integers."""
    return operator.result_dtype(np.dtype("int8"), *[np.dtype("int8")] * (operator.arity - 1)).kind == "f"
