"""Evaluation by kernels that are made for operands, each of which is kept for others that are stored alike."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from threading import Lock
from typing import Any

import numpy as np
from msgspec import Struct, field

from ...reference.algebra.dtypes import identity
from ...reference.algebra.semirings import Semiring, semiring_or_none
from ...reference.files.operands import as_tensors, valid_tensor
from ...reference.notation.text import Text, as_text
from ...reference.storage.hierarchy import Doubt, is_lasting
from ...reference.storage.packing import borrow_array
from ...reference.storage.tensor import Tensor
from ..storage.layout import Layout
from .kernel import Kernel, kernel_for
from .narrowing import narrow_indices
from .operand import Kept
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
        found = self.of(key)
        if found is None:
            found = make()
            self.keep(key, found)
        return found

    def of(self, key: Hashable) -> Any:
        """The kernel of a key, None if there is none."""
        with suppress(TypeError), self.lock:
            found = self.made.get(key)
            if found is not None:
                self.made.move_to_end(key)
            return found
        return None

    def keep(self, key: Hashable, kernel: Any) -> None:
        """Keep the kernel of a key, and give up the one that nobody has asked for longest."""
        with suppress(TypeError), self.lock:
            self.made[key] = kernel
            while len(self.made) > MOST:
                self.made.popitem(last=False)


class Kind(Struct, frozen=True, cache_hash=True):
    """What kernels depend on in a tensor: its layout, the name of its format, its fill and its shape."""

    layout: Layout
    name: str | None
    fill: Hashable
    shape: tuple[int, ...]

    @classmethod
    def of(cls, tensor: Tensor) -> Kind:
        """The kind of a tensor."""
        layout = Layout.of(tensor)
        return cls(layout, layout.format.name, identity(tensor.fill), tensor.shape)


KERNELS = Kernels()
SEEN, KINDS = Kernels(), Kept[Kind]()
"""Kernels by operands as they are given, before they are made tensors and validated, and the kinds of tensors that
nobody changes."""


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
    text = as_text(expression)
    kinds, others = kinds_of(operands), surroundings(text, semiring=semiring, **settings)
    seen: Kernel | None = None if kinds is None else SEEN.of((kinds, others))
    if seen is not None:
        return lambda: seen.run(operands)
    given = as_tensors(operands, semiring_or_none(semiring), borrow_array)
    tensors = {name: valid_tensor(name, tensor) for name, tensor in given.items()}
    key = key_of(tensors), others
    kernel: Kernel = KERNELS.find(key, lambda: kernel_for(text, tensors, semiring=semiring, **settings))
    if kernel.request.is_far:
        return lambda: narrow_indices(kernel.run(tensors), kernel.request.result_spec.index)
    keep_kinds(operands)
    if (kinds := kinds_of(operands)) is not None:
        SEEN.keep((kinds, others), kernel)
    return lambda: kernel.run(tensors)


def kinds_of(operands: Mapping[str, Any]) -> Hashable | None:
    """What kernels depend on in operands, by name; None where some are neither arrays nor tensors of a known kind."""
    found: list[tuple[str, Hashable, Any]] = []
    for name, value in operands.items():
        if type(value) is np.ndarray and value.ndim:
            found.append((name, value.dtype, value.shape))
        elif (kind := KINDS.of(value)) is not None:
            found.append((name, kind, None))
        else:
            return None
    return (*found,)


def keep_kinds(operands: Mapping[str, Any]) -> None:
    """Keep the kinds of tensors that are valid, and that nobody changes."""
    for value in operands.values():
        if isinstance(value, Tensor) and value.doubt is Doubt.NOTHING and is_lasting(value):
            KINDS.keep(value, Kind.of(value))


def key_of(tensors: Mapping[str, Tensor]) -> Hashable:
    """What tells kernels for some tensors from those for others."""
    layouts = [(name, layout := Layout.of(t), layout.format.name, identity(t.fill)) for name, t in tensors.items()]
    far = stand_ins({name: tensor.shape for name, tensor in tensors.items()})
    return (*layouts,), (*far.items(),)


def surroundings(text: Text, **settings: Any) -> Hashable:
    """What tells a kernel from others for the same operands: what computes the same, and names what it computes the
    same, is the same."""
    operators = () if text.operators is None else tuple(text.operators.items())
    asked = [(name, value, repr(value)) for name, value in sorted(settings.items())]
    return text.source, operators, text.ring, (*asked,), (*map(os.environ.get, SURROUNDINGS),)
