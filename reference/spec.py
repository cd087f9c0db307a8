"""Specifications of tensors: a format, and what a format alone does not say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .errors import DtypeError
from .format import Format
from .named_formats import format_of
from .syntax import Number
from .types import DTYPES


@dataclass(frozen=True, slots=True)
class Spec:
    """A format with dtype and fill, each None where the expression decides, and the dtype of index arrays."""

    format: str | Format
    dtype: np.dtype | None = None
    index: np.dtype = np.dtype("int32")
    fill: Number | None = None

    def format_for(self, order: int) -> Format:
        """The format for tensors of an order."""
        return format_of(self.format, order)


def spec(format: str | Format | Spec, *, dtype: Any = None, index: Any = "int32", fill: Number | None = None) -> Spec:
    """The specification with these settings. Raises DtypeError for a dtype that tensors cannot have.

    >>> spec("CSR", dtype="float32").dtype
    dtype('float32')
    """
    if isinstance(format, Spec):
        return format
    settled = None if dtype is None else np.dtype(dtype)
    if settled is not None and settled not in DTYPES:
        raise DtypeError(f"dtype {settled} is not supported", hint=f"use one of {', '.join(d.name for d in DTYPES)}")
    indices = np.dtype(index)
    if indices not in (np.dtype("int32"), np.dtype("int64")):
        raise DtypeError(f"index arrays are int32 or int64, not {indices}")
    return Spec(format, settled, indices, fill)
