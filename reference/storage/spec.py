"""Specifications of tensors: a format, and what a format alone does not say."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import force_setattr

from ..algebra.dtypes import Number
from ..algebra.scalars import abbreviate, checked_dtype, checked_index, is_number, same_fill
from ..errors import DtypeError, FormatError
from .format import Format
from .named_formats import format_of, not_a_format


class Spec(Struct, frozen=True):
    """A format with dtype and fill, each None where the expression decides, and the dtype of index arrays.

    Raises FormatError for what is no format, DtypeError for dtypes that tensors or index arrays cannot have and for a
    fill that is no number.
    """

    format: str | Format
    dtype: np.dtype | None = None
    index: np.dtype = np.dtype("int32")
    fill: Number | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.format, str | Format):
            raise not_a_format(self.format)
        force_setattr(self, "dtype", None if self.dtype is None else checked_dtype(self.dtype))
        force_setattr(self, "index", checked_index(self.index))
        if self.fill is not None and not is_number(self.fill):
            raise DtypeError(
                f"fill {abbreviate(self.fill)} is not a number", hint="write for example fill=0", rule="type.fill"
            )

    def format_for(self, order: int) -> Format:
        """The format for tensors of an order."""
        return format_of(self.format, order)


def spec(format: str | Format | Spec, *, dtype: Any = None, index: Any = None, fill: Number | None = None) -> Spec:
    """The specification with these settings, laid over those of a spec if one is given; indices have 32 bits by
    default. Raises DtypeError for a dtype that tensors cannot have.

    >>> spec("CSR", dtype="float32").dtype
    dtype('float32')
    """
    below = format if isinstance(format, Spec) else Spec(format)
    return Spec(
        below.format,
        below.dtype if dtype is None else dtype,
        below.index if index is None else index,
        below.fill if fill is None else fill,
    )


def storage_spec(format: str | Format | Spec, dtype: Any = None, fill: Number | None = None, index: Any = None) -> Spec:
    """The specification that a format or spec and the settings beside it make. Raises FormatError for
    contradictions."""
    if isinstance(format, Spec):
        beside = spec(format, dtype=dtype, fill=fill, index=index)
        if format.dtype is not None and format.dtype != beside.dtype:
            raise contradiction("dtype", format.dtype, beside.dtype)
        inside, given = format.fill, beside.fill
        if inside is not None and given is not None and not same_fill(inside, given, beside.dtype):
            raise contradiction("fill", abbreviate(inside), abbreviate(fill))
        return beside
    return spec(format, dtype=dtype, fill=fill, index=index)


def contradiction(name: str, inside: Any, beside: Any) -> FormatError:
    """The error for a setting of a spec that is given again, and otherwise."""
    return FormatError(
        f"{name} is {inside} in the spec, but {beside} is given beside it",
        hint=f"give {name} once",
        rule="format.spec.beside",
    )
