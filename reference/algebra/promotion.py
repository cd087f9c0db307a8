"""Promotion: the dtypes in which operators compute and what they give, as NumPy has it (docs/spec/types/typing.md)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..errors import DtypeError
from .dtypes import Number
from .operator import Constant
from .scalars import caster

BOOL, FLOAT64 = np.dtype("bool"), np.dtype("float64")


def promote_dtypes(*dtypes: np.dtype) -> np.dtype:
    """The common dtype of some dtypes, by NumPy's promotion."""
    dtype: np.dtype = np.result_type(*dtypes)
    return dtype


def promote_inexact(*dtypes: np.dtype) -> np.dtype:
    """Promotion for functions that leave the integers: of integers and Booleans they give float64."""
    dtype = promote_dtypes(*dtypes)
    return dtype if dtype.kind in "fc" else FLOAT64


def arithmetic_promotion(name: str) -> Callable[..., np.dtype]:
    """Promotion for operators that Booleans do not have."""

    def promote(*dtypes: np.dtype) -> np.dtype:
        dtype = promote_dtypes(*dtypes)
        if dtype == BOOL:
            raise DtypeError(
                f"{name} of booleans is not defined",
                hint="use xor or not, or convert the operands",
                rule="type.operators",
            )
        return dtype

    return promote


def ordered_promotion(name: str) -> Callable[..., np.dtype]:
    """Promotion for operators that need an order."""

    def promote(*dtypes: np.dtype) -> np.dtype:
        dtype = promote_dtypes(*dtypes)
        if dtype.kind == "c":
            raise DtypeError(
                f"{name} is not defined for complex numbers",
                hint="compare abs(...) or real(...)",
                rule="type.operators",
            )
        return dtype

    return promote


def ordered_inexact_promotion(name: str) -> Callable[..., np.dtype]:
    """Promotion for operators that need an order and leave the integers."""
    check = ordered_promotion(name)
    return lambda *dtypes: promote_inexact(check(*dtypes))


def boolean(*dtypes: np.dtype) -> np.dtype:
    return BOOL


def real_dtype(*dtypes: np.dtype) -> np.dtype:
    """The dtype of the real part."""
    dtype = promote_dtypes(*dtypes)
    part: np.dtype = np.dtype(f"float{4 * dtype.itemsize}") if dtype.kind == "c" else dtype
    return part


def sum_dtype(dtype: np.dtype) -> np.dtype:
    """The dtype in which numpy.sum adds: small integers and Booleans widen to 64 bits."""
    total: np.dtype = np.sum(np.zeros(0, dtype)).dtype
    return total


def constant(value: Number) -> Constant:
    """The same constant in every dtype."""
    return lambda dtype: caster(dtype)(value)


ZERO, ONE = constant(0), constant(1)


def largest(dtype: np.dtype) -> Number:
    """The identity of min."""
    return True if dtype == BOOL else int(np.iinfo(dtype).max) if dtype.kind in "iu" else math.inf


def least(dtype: np.dtype) -> Number:
    """The identity of max."""
    return False if dtype == BOOL else int(np.iinfo(dtype).min) if dtype.kind in "iu" else -math.inf
