"""Scalars: the Python or NumPy objects that stand for one number of a dtype while a statement runs.

float64, complex128, integers and Booleans are Python objects, which compute fast and, for floats, as IEEE says;
float32 and complex64 are NumPy scalars, since only those round after every operation.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..errors import DtypeError, MeaningError
from .dtypes import DTYPES, Number, same_value

INDEX = (np.dtype("int32"), np.dtype("int64"))


def checked_dtype(dtype: Any) -> np.dtype:
    """The dtype that a user named. Raises DtypeError for one that tensors cannot have.

    >>> checked_dtype("int8")
    dtype('int8')
    """
    found = named_dtype(dtype)
    if found is None or found not in DTYPES:
        named = abbreviate(dtype) if found is None else found
        swapped = found is not None and found.newbyteorder("=") in DTYPES
        known = f"one of {', '.join(d.name for d in DTYPES)}"
        bytes_here = 'bytes in the order of this machine: x.astype(x.dtype.newbyteorder("="))'
        raise DtypeError(
            f"dtype {named} is not supported",
            hint=f"use {bytes_here if swapped else known}",
            rule="type.dtypes",
        )
    return found


def checked_index(index: Any) -> np.dtype:
    """The dtype of index arrays. Raises DtypeError for any but int32 and int64."""
    found = named_dtype(index)
    if found is None or found not in INDEX:
        named = abbreviate(index) if found is None else found
        raise DtypeError(
            f"index arrays are int32 or int64, not {named}", hint='write index="int64"', rule="format.index"
        )
    return found


def named_dtype(name: Any) -> np.dtype | None:
    """The dtype that NumPy knows by that name, if any; `None` names none."""
    try:
        return None if name is None else np.dtype(name)
    except (TypeError, ValueError, KeyError, SyntaxError):
        return None


def cast(value: Any, dtype: np.dtype) -> Any:
    """The scalar of that dtype with (nearly) that value. Floats do not become integers; integers are range-checked.

    >>> cast(True, np.dtype("float64")), cast(3, np.dtype("bool"))
    (1.0, True)
    """
    return caster(dtype)(value)


@cache
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
            return narrow(dtype)


def as_float(value: Any) -> float:
    """A Python float; an integer too large for one is infinite."""
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def narrow(dtype: np.dtype) -> Callable[[Any], Any]:
    """The function that makes a float32 or complex64: a number too large is infinite, and nothing warns."""
    kind, largest = dtype.type, float(np.finfo(dtype).max)

    def make(value: Any) -> Any:
        if type(value) is kind or (isinstance(value, float) and abs(value) <= largest):
            return kind(value)
        with np.errstate(all="ignore"):
            return kind(value)

    return make


def integer(dtype: np.dtype) -> Callable[[Any], int]:
    """The function that makes an integer and checks its range."""
    low, high = limits(dtype)

    def make(value: Any) -> int:
        number = int(value)
        if low <= number <= high:
            return number
        raise MeaningError(
            f"integer overflow: {number} does not fit in {dtype.name}",
            hint="give the operands or the result a wider dtype",
            rule="type.overflow",
        )

    return make


@cache
def limits(dtype: np.dtype) -> tuple[int, int]:
    """The least and the greatest number of an integer dtype."""
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


def scalars(values: np.ndarray) -> list[Any]:
    """The elements of an array as scalars."""
    if values.dtype in (np.dtype("float32"), np.dtype("complex64")):
        return list(values)
    return list(values.tolist())


def abbreviate(value: Any) -> str:
    """The text of a value for an error message, cut short. Python refuses to print integers of thousands of digits, and
    what a user's class raises when it is printed is no matter here.

    >>> abbreviate([1.5, 2]), abbreviate(10**9999)
    ('[1.5, 2]', 'something of type int that cannot be printed')
    """
    try:
        text = repr(value)
    except Exception:
        return f"something of type {type(value).__name__} that cannot be printed"
    return text if len(text) < 80 else f"{text[:76]} ..."


def zero(dtype: np.dtype) -> Number:
    """The zero of a dtype."""
    value: Number = dtype.type(0).item()
    return value


def checked_fill(fill: Number, dtype: np.dtype) -> Number:
    """The fill as a scalar of the dtype. Raises DtypeError for a fill that it cannot hold."""
    if not fill_fits(fill, dtype):
        raise DtypeError(
            f"fill {abbreviate(fill)} does not fit in {dtype.name}",
            hint="choose another fill or another dtype",
            rule="type.fill",
        )
    number: Number = cast(fill, dtype)
    return number


def same_fill(a: Number, b: Number, dtype: np.dtype | None) -> bool:
    """Whether two fills are one number in a dtype, where that holds them; as they are, if it is not known.

    >>> [same_fill(np.float32(0.1), 0.1, dtype and np.dtype(dtype)) for dtype in ("float32", "float64", None)]
    [True, False, False]
    """
    return same_value(*(n if dtype is None or not fill_fits(n, dtype) else cast(n, dtype) for n in (a, b)))


def odd_booleans(values: np.ndarray) -> np.ndarray:
    """Which Booleans are stored as another byte than 0 or 1, which C would read as a number.

    >>> odd_booleans(np.array([2, 0, 1], np.uint8).view(bool)).tolist()
    [True, False, False]
    """
    found: np.ndarray = values.view(np.uint8) > 1
    return found


def fill_fits(fill: Any, dtype: np.dtype) -> bool:
    """Whether a dtype can hold a fill value: floats may round, nothing else may change, no finite one be infinite.

    >>> fill_fits(0.5, np.dtype("int8")), fill_fits(2.0, np.dtype("int8")), fill_fits(0.1, np.dtype("float32"))
    (False, True, True)
    """
    if type(fill) is int and fill == 0:
        return True
    if not is_number(fill):
        return False
    whole = isinstance(fill, bool | np.bool_ | int | np.integer)
    if dtype.kind in "biu":
        low, high = (0, 1) if dtype.kind == "b" else limits(dtype)
        number = int(fill) if whole else fill
        return not np.iscomplexobj(fill) and bool(low <= number <= high) and number == int(number)
    if dtype.kind == "f" and np.iscomplexobj(fill):
        return False
    value = np.asarray(as_float(fill) if whole else fill)
    with np.errstate(all="ignore"):
        stays = np.isfinite(value.astype(dtype)) or not (whole or np.isfinite(value))
    return bool(stays)


def is_masked(value: Any) -> bool:
    """Whether a value is a masked array. There is none before NumPy has loaded `numpy.ma`, which it does when
    somebody first uses that, and which takes 7 ms."""
    return "numpy.ma" in sys.modules and isinstance(value, np.ma.MaskedArray)


def is_number(value: Any) -> bool:
    """Whether a value is one number, of Python or of NumPy."""
    if isinstance(value, np.ndarray | np.generic) and not is_masked(value):
        return value.ndim == 0 and value.dtype.kind in "biufc"
    return isinstance(value, bool | int | float | complex)


def overflow_places(values: np.ndarray, stored: np.ndarray) -> np.ndarray:
    """The places where a finite value, or part of a complex one, has become infinite in the dtype that stores it.

    >>> overflow_places(np.array([1.0, np.inf, 1e300]), np.array([1.0, np.inf, np.inf], np.float32)).tolist()
    [2]
    """
    inexact = values.dtype.kind in "fc" and stored.dtype.kind in "fc"
    if not inexact or np.finfo(values.dtype).max <= np.finfo(stored.dtype).max:
        return np.zeros(0, np.int64)
    lost = np.isfinite(values.real) & ~np.isfinite(stored.real)
    if stored.dtype.kind == "c":
        lost |= np.isfinite(values.imag) & ~np.isfinite(stored.imag)
    return np.flatnonzero(lost)
