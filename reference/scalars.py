"""Scalars: the Python or NumPy objects that stand for one number of a dtype while a statement runs.

float64, complex128, integers and Booleans are Python objects, which compute fast and, for floats, as IEEE says;
float32 and complex64 are NumPy scalars, since only those round after every operation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .errors import DtypeError, MeaningError
from .syntax import Number


def cast(value: Any, dtype: np.dtype) -> Any:
    """The scalar of that dtype with (nearly) that value. Floats do not become integers; integers are range-checked.

    >>> cast(True, np.dtype("float64")), cast(3, np.dtype("bool"))
    (1.0, True)
    """
    return caster(dtype)(value)


def caster(dtype: np.dtype) -> Callable[[Any], Any]:
    """The function that makes scalars of a dtype."""
    match dtype.kind, dtype.itemsize:
        case "b", _:
            return bool
        case "f", 8:
            return as_float
        case "c", 16:
            return complex
        case "i" | "u", _:
            return integer(dtype)
        case _:
            return dtype.type


def as_float(value: Any) -> float:
    """A Python float; an integer too large for one is infinite."""
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def integer(dtype: np.dtype) -> Callable[[Any], int]:
    """The function that makes an integer and checks its range."""
    info = np.iinfo(dtype)
    low, high = int(info.min), int(info.max)

    def make(value: Any) -> int:
        number = int(value)
        if low <= number <= high:
            return number
        raise MeaningError(
            f"integer overflow: {number} does not fit in {dtype.name}",
            hint="give the operands or the result a wider dtype",
        )

    return make


def scalars(values: np.ndarray) -> list[Any]:
    """The elements of an array as scalars."""
    if values.dtype in (np.dtype("float32"), np.dtype("complex64")):
        return list(values)
    return list(values.tolist())


def zero(dtype: np.dtype) -> Number:
    """The zero of a dtype."""
    value: Number = dtype.type(0).item()
    return value


def checked_fill(fill: Number, dtype: np.dtype) -> Number:
    """The fill as a scalar of the dtype. Raises DtypeError for a fill that it cannot hold."""
    if not fill_fits(fill, dtype):
        raise DtypeError(f"fill {fill!r} does not fit in {dtype.name}", hint="choose another fill or another dtype")
    number: Number = cast(fill, dtype)
    return number


def fill_fits(fill: Any, dtype: np.dtype) -> bool:
    """Whether a dtype can hold a fill value: floats may round, nothing else may change.

    >>> fill_fits(0.5, np.dtype("int8")), fill_fits(2.0, np.dtype("int8")), fill_fits(0.1, np.dtype("float32"))
    (False, True, True)
    """
    value = np.asarray(fill)
    if value.ndim or value.dtype.kind not in "biufc":
        return False
    match dtype.kind:
        case "b":
            return fill in (0, 1)
        case "i" | "u":
            info = np.iinfo(dtype)
            return value.dtype.kind != "c" and bool(info.min <= fill <= info.max) and fill == int(fill)
        case "f":
            return value.dtype.kind != "c"
        case _:
            return True
