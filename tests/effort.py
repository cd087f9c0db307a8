"""How much a kernel does, counted in statements by the checked machine."""

from collections.abc import Mapping

import gnomon as gn
import numpy as np
from gnomon.generator.storage.layout import Layout
from gnomon.properties.machine.run import machine
from gnomon.reference.storage.tensor import Tensor


def executed(text: str, operands: Mapping[str, Tensor]) -> int:
    """How many statements the kernel of an expression executes, whose result is what the reference has."""
    kernel, wanted = gn.compile(text, schedule=None, **operands), gn.evaluate(text, engine="reference", **operands)
    in_order = dict(sorted(operands.items(), key=lambda item: text.index(f"{item[0]}(")))
    found, state = machine(kernel.source, Layout.of(wanted)).ran("evaluate", in_order, wanted.shape)
    np.testing.assert_array_equal(found.to_numpy(), wanted.to_numpy())
    return state.steps
