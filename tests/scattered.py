"""Operands of which nothing is known but how much they store."""

import gnomon as gn
import numpy as np
from gnomon.reference.storage.tensor import Tensor


def spread(shape: tuple[int, ...], count: int, format: str) -> Tensor:
    """A tensor with so many components, anywhere."""
    rng = np.random.default_rng(count)
    places = np.sort(rng.choice(int(np.prod(shape)), count, replace=False))
    return gn.tensor(np.array(np.unravel_index(places, shape)), rng.integers(1, 9, count) * 1.0, shape, format)
