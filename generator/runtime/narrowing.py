"""Narrowing: results that were computed with wide indices, with narrow ones."""

from __future__ import annotations

import dataclasses

import numpy as np

from ...reference.storage.tensor import Tensor
from ...reference.storage.vectorised import indices


def narrow_indices(tensor: Tensor, index: np.dtype) -> Tensor:
    """The tensor with index arrays in a narrower dtype, each where its values fit."""
    levels = [{n: a if isinstance(a, int) else indices(a, index) for n, a in own.items()} for own in tensor.levels]
    shared = {name: indices(array, index) for name, array in tensor.shared.items()}
    return dataclasses.replace(tensor, levels=tuple(levels), shared=shared).mark_trusted()
