"""Declarations: what is said of a tensor before there is one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..algebra.dtypes import Number
from .format import Format


@dataclass(frozen=True, slots=True)
class Declaration:
    """How a tensor is stored, the dtype of its values, and the value of what it does not store."""

    format: Format
    dtype: np.dtype
    fill: Number
