"""Loops that go in circles: the names stand for what they did some rounds before, so that no condition ever holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from msgspec import Struct, field

from ..storage.tensor import Tensor

FIRST = 1024  # rounds, before which nothing is compared: few loops run for so long
LONGEST = 64  # rounds of a circle that is found
Image = tuple[tuple[object, ...], list[np.ndarray]]


class Recurrence(Struct):
    """What the names stood for after the last round whose number is a power of two, from the `FIRST` on.

    Each of the `LONGEST` rounds after that one is compared with it (Brent's search for a cycle, for short ones), so
    that a loop that runs for long pays little: most rounds are not looked at, and others differ in how much is stored.
    """

    marked: int = 0
    images: Mapping[str, Image] = field(default_factory=dict)

    def circle(self, done: int, values: Mapping[str, Tensor]) -> int:
        """How many rounds before the names stood for what they do after `done` rounds; 0 if that is not known."""
        if done < FIRST:
            return 0
        if done & (done - 1) == 0:
            self.marked, self.images = done, {name: image(tensor) for name, tensor in values.items()}
        length = done - self.marked
        return length if 0 < length <= LONGEST and self.holds(values) else 0

    def holds(self, values: Mapping[str, Tensor]) -> bool:
        """Whether the names stand for tensors that are stored alike, bit for bit; the smallest are compared first."""
        names = sorted(values, key=lambda name: values[name].vals.size)
        return values.keys() == self.images.keys() and all(is_alike(values[name], self.images[name]) for name in names)


def image(tensor: Tensor) -> Image:
    """How a tensor is stored, in memory of its own: steps go on in the memory of what nobody reads again."""
    return frame(tensor), [array.copy() for array in pieces(tensor)]


def frame(tensor: Tensor) -> tuple[object, ...]:
    """What is known of a tensor but for its arrays."""
    return tensor.format, tensor.shape, tensor.dtype, np.asarray(tensor.fill).tobytes()


def pieces(tensor: Tensor) -> Iterator[np.ndarray]:
    """The bytes of everything that a tensor stores: values, the arrays and parameters of its levels, shared arrays."""
    for stored in (tensor.vals, *(part for store in (*tensor.levels, tensor.shared) for part in store.values())):
        yield np.ascontiguousarray(np.atleast_1d(stored)).view(np.uint8)


def is_alike(tensor: Tensor, kept: Image) -> bool:
    """Whether a tensor is stored as one was whose image was kept."""
    return frame(tensor) == kept[0] and all(map(np.array_equal, pieces(tensor), kept[1]))
