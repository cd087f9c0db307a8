"""Evaluation by kernels that are made for operands, each of which is kept for others that are stored alike."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from threading import Lock
from typing import Any

from msgspec import Struct, field

from ...reference.algebra.dtypes import identity
from ...reference.algebra.semirings import Semiring, semiring_or_none
from ...reference.files.operands import as_tensors, valid_tensor
from ...reference.notation.text import Text, as_text
from ...reference.storage.packing import borrow_array
from ...reference.storage.tensor import Tensor
from ..storage.layout import Layout
from .kernel import Kernel, kernel_for
from .narrowing import narrow_indices
from .stand_ins import stand_ins

MOST = 128
SURROUNDINGS = ("CC", "NVCC", "CUDA_HOME", "GNOMON_GPU", "GNOMON_CACHE")
"""Variables of the environment that say how kernels are built, and where they are kept."""


class Kernels(Struct):
    """The kernels that have been asked for last, by all that they depend on.

    >>> kernels = Kernels()
    >>> [kernels.find(key, lambda: "made " + key) for key in ("y", "y")], len(kernels.made)
    (['made y', 'made y'], 1)
    """

    made: OrderedDict[Hashable, Any] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def find(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The kernel of a key, made if there is none. What cannot be told from others is made each time."""
        try:
            with self.lock:
                found = self.made.pop(key, None)
        except TypeError:
            return make()
        found = make() if found is None else found
        with self.lock:
            self.made[key] = found
            while len(self.made) > MOST:
                self.made.popitem(last=False)
        return found


KERNELS = Kernels()


def kernel_on(expression: str | Text, operands: Mapping[str, Any], **settings: Any) -> Tensor:
    """The value of an expression on operands, by a kernel made for them, stored as the reference stores it.

    Settings are those of `kernel_for`.
    """
    return call_on(expression, operands, **settings)()


def call_on(
    expression: str | Text, operands: Mapping[str, Any], *, semiring: str | Semiring | None = None, **settings: Any
) -> Callable[[], Tensor]:
    """The call that computes an expression on operands, by a kernel made for them; it may be made again and again, as
    long as nobody changes arrays among them."""
    ring = semiring_or_none(semiring)
    given, text = as_tensors(operands, ring, borrow_array), as_text(expression)
    tensors = {name: valid_tensor(name, tensor) for name, tensor in given.items()}
    key = key_of(text, tensors, semiring=semiring, **settings)
    kernel: Kernel = KERNELS.find(key, lambda: kernel_for(text, tensors, semiring=semiring, **settings))
    if kernel.request.is_far:
        return lambda: narrow_indices(kernel.run(tensors), kernel.request.result_spec.index)
    return lambda: kernel.run(tensors)


def key_of(text: Text, tensors: Mapping[str, Tensor], **settings: Any) -> Hashable:
    """What tells a kernel from others: what computes the same, and names what it computes the same, is the same."""
    layouts = [(name, layout := Layout.of(t), layout.format.name, identity(t.fill)) for name, t in tensors.items()]
    far = stand_ins({name: tensor.shape for name, tensor in tensors.items()})
    operators = () if text.operators is None else tuple(text.operators.items())
    asked = [(name, value, repr(value)) for name, value in sorted(settings.items())]
    around = map(os.environ.get, SURROUNDINGS)
    return text.source, operators, text.ring, (*layouts,), (*far.items(),), (*asked,), (*around,)
