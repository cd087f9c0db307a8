"""Dtypes: those that tensors may have, and the Python numbers that are written beside them (docs/spec/types)."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

Number = bool | int | float | complex
"""A number as Python has it: a constant of an expression, or a fill."""

NAMES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float32", "float64", "complex64", "complex128",
)  # fmt: skip
COORDINATE = np.dtype("int64")
"""The dtype of coordinates that are used as values."""
DTYPES = tuple(np.dtype(name) for name in NAMES)


def identity(value: Number) -> Hashable:
    """What tells a number from others, zeros of either sign included; NaN is like any NaN.

    >>> identity(0.0) == identity(-0.0), identity(float("nan")) == identity(float("nan"))
    (False, True)
    """
    return int(value) if isinstance(value, int | np.integer | np.bool_) else repr(complex(value))


def same_value(a: Number, b: Number) -> bool:
    """Equality in which NaN equals NaN: a fill may be NaN. Numbers of NumPy are compared as they are, not as one of the
    two dtypes would round both.

    >>> same_value(np.float32(0.1), 0.1), same_value(np.float32(0.5), 0.5)
    (False, True)
    """
    a, b = (each.item() if isinstance(each, np.generic) else each for each in (a, b))
    return bool(a == b) or (a != a and b != b)
