"""The eight kernels of SparseAuto's Table 2, as programs and as contractions."""

from __future__ import annotations

from typing import NamedTuple

import gnomon as gn
import numpy as np
from gnomon.generator.runtime.request import make_request
from gnomon.properties.programs.problem import Problem
from gnomon.reference.notation.text import as_text
from gnomon.reference.schedule.branched.contraction import Contraction, contraction_of
from gnomon.reference.statement.statement import Program


class Kernel(NamedTuple):
    """An expression, the format of its sparse operand B and of its result."""

    expression: str
    sparse: str
    out: str | None = None

    @property
    def program(self) -> Program:
        """The kernel, lowered."""
        request = make_request(self.expression, {"B": self.sparse}, out=self.out)
        return request.lower(request.resolve_without_shapes())

    @property
    def contraction(self) -> Contraction:
        """The kernel as the search sees it."""
        return contraction_of(self.program)

    def problem(self, seed: int, density: float = 0.4) -> Problem:
        """The kernel with tensors of small integers; B holds something in each of its rows."""
        random = np.random.default_rng(seed)
        extents = {v: int(random.integers(2, 5)) for v in "ijklmn"}
        operands = {}
        for access in as_text(self.expression).reads:
            shape = tuple(extents[v] for v in access.indices)
            values = random.integers(1, 5, shape).astype(float)
            if access.tensor == "B":
                values *= random.random(shape) < density
                values[..., 0] = 1.0
            format = self.sparse if access.tensor == "B" else ",".join(["dense"] * len(shape))
            where = np.nonzero(values)
            operands[access.tensor] = gn.tensor(np.array(where), values[where], shape, format)
        order = len(as_text(self.expression).target.indices)
        return Problem(self.expression, operands, self.out or ",".join(["dense"] * order))


CSF = "dense,compressed,compressed"
KERNELS = {
    1: Kernel("A(i,l) = B(i,j) * C(i,k) * D(j,k) * E(j,l)", "CSR"),
    2: Kernel("A(i,m) = B(i,j) * C(i,k) * D(j,k) * E(j,l) * F(l,m)", "CSR"),
    3: Kernel("A(i,l) = B(i,k) * C(k,j) * D(k,j) * E(j,l)", "CSR"),
    4: Kernel("A(i,l) = B(i,j) * C(j,k) * D(k,l)", "CSR"),
    5: Kernel("A(l,m,n) = B(i,j,k) * C(i,l) * D(j,m) * E(k,n)", CSF),
    6: Kernel("A(i,l,m) = B(i,j,k) * C(j,l) * D(k,m)", CSF),
    7: Kernel("A(i,j,m) = B(i,j,k) * C(k,l) * D(l,m)", CSF, "dense,compressed,dense"),
    8: Kernel("A(i,m) = B(i,k,l) * C(l,j) * D(k,j) * E(j,m)", CSF),
}
