"""Rows: an array with its last mode innermost in memory, as dense levels store it."""

from __future__ import annotations

import numpy as np

BLOCK = 128
"""How many rows and columns are copied at a time, so that both sides stay in the cache."""


def in_rows(array: np.ndarray) -> np.ndarray:
    """The array, or a copy of it that lies in memory row by row.

    A large matrix of columns, as Fortran has them, is copied in blocks: NumPy goes through all of one side for every
    line of the other.

    >>> in_rows(np.array([[1, 2], [3, 4]], order="F")).flags.c_contiguous
    True
    """
    if array.ndim != 2 or array.flags.c_contiguous or not array.flags.f_contiguous or min(array.shape) < BLOCK:
        return np.ascontiguousarray(array).reshape(array.shape)
    copied = np.empty(array.shape, array.dtype)
    for i in range(0, len(array), BLOCK):
        for j in range(0, array.shape[1], BLOCK):
            copied[i : i + BLOCK, j : j + BLOCK] = array[i : i + BLOCK, j : j + BLOCK]
    return copied
