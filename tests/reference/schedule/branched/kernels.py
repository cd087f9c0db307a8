"""Problems of the eight kernels of SparseAuto's Table 2, and their branched schedules."""

from __future__ import annotations

from functools import cache

import gnomon as gn
import numpy as np
from gnomon.properties.programs.problem import Problem
from gnomon.properties.sparseauto.kernels import KERNELS
from gnomon.reference.notation.text import as_text
from gnomon.reference.schedule.branched.space import Found, branched_schedules


@cache
def schedules_of(row: int) -> tuple[Found, ...]:
    """The branched schedules of a kernel."""
    return tuple(branched_schedules(KERNELS[row].contraction))


def problem_of(row: int, seed: int, density: float = 0.4) -> Problem:
    """A kernel with tensors of small integers; B holds something in each of its rows."""
    kernel, random = KERNELS[row], np.random.default_rng(seed)
    extents = {v: int(random.integers(2, 5)) for v in "ijklmn"}
    operands = {}
    for access in as_text(kernel.expression).reads:
        shape = tuple(extents[v] for v in access.indices)
        values = random.integers(1, 5, shape).astype(float)
        if access.tensor == "B":
            values *= random.random(shape) < density
            values[..., 0] = 1.0
        format = kernel.sparse if access.tensor == "B" else ",".join(["dense"] * len(shape))
        where = np.nonzero(values)
        operands[access.tensor] = gn.tensor(np.array(where), values[where], shape, format)
    order = len(as_text(kernel.expression).target.indices)
    return Problem(kernel.expression, operands, kernel.out or ",".join(["dense"] * order))
