"""Declarations: what is said of a tensor before there is one."""

from __future__ import annotations

from typing import Self

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..algebra.dtypes import Number
from .format import Format


class Declaration(Struct, frozen=True):
    """How a tensor is stored, the dtype of its values, and the value of what it does not store."""

    format: Format
    dtype: np.dtype
    fill: Number

    def with_fill(self, fill: Number) -> Self:
        """The same but for the value of what is not stored."""
        return replace(self, fill=fill)
