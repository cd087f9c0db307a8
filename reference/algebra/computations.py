"""What operators compute on scalars, as IEEE 754 and NumPy have it: nothing here raises for floats."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import MeaningError


def smaller(a: Any, b: Any) -> Any:
    return a if a != a or a <= b else b


def larger(a: Any, b: Any) -> Any:
    return a if a != a or a >= b else b


def divide(a: Any, b: Any) -> Any:
    try:
        return a / b
    except ZeroDivisionError:
        with np.errstate(all="ignore"):
            return type(a)(np.divide(np.asarray(a), np.asarray(b)))


def integral(numpy_function: Callable[..., Any], function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Division with remainder: of floats as NumPy has it, of integers refusing zero."""

    def compute(a: Any, b: Any) -> Any:
        if b == 0 and isinstance(b, int):
            raise MeaningError(
                f"integer division of {a} by zero",
                hint="use / to divide in floating point",
                rule="type.overflow.division",
            )
        with np.errstate(all="ignore"):
            return function(a, b) if isinstance(a, int) else type(a)(numpy_function(a, b))

    return compute


def scalar_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """A NumPy function as one on scalars: of Python scalars it returns Python scalars, of NumPy scalars NumPy's."""

    def compute(*args: Any) -> Any:
        with np.errstate(all="ignore"):
            result = function(*args)
        return (
            result.item()
            if isinstance(args[0], float | complex | int) and not isinstance(args[0], np.float32 | np.complex64)
            else result
        )

    return compute


def magnitude_of(a: Any) -> Any:
    try:
        return a if isinstance(a, bool) else abs(a)
    except OverflowError:
        return math.inf


def multiply_bool_aware(a: Any, b: Any) -> Any:
    return (a and b) if a is True or a is False else a * b


def add_bool_aware(a: Any, b: Any) -> Any:
    return (a or b) if a is True or a is False else a + b


def like(value: bool, sample: Any) -> Any:
    """A truth value in the type of the operand: or and and keep it."""
    return type(sample)(value)


def power(a: Any, b: Any) -> Any:
    """Powers as in C; libraries do not agree on complex powers of zero, which are 0, 1, or not a number.

    NumPy takes square roots for powers of 0.5, and so has none of -inf.
    """
    if isinstance(a, float | np.floating) and a == -math.inf:
        return type(a)(math.pow(a, b))
    if isinstance(a, complex | np.complexfloating) and a == 0:
        return type(a)(1 if b == 0 else 0 if b.real > 0 else complex(math.nan, math.nan))
    return scalar_function(np.power)(a, b)


def real_part(a: Any) -> Any:
    return a if isinstance(a, bool) else a.real


def imaginary_part(a: Any) -> Any:
    return False if isinstance(a, bool) else a.imag


def conjugate(a: Any) -> Any:
    return a if isinstance(a, bool) else a.conjugate()
