"""The eight kernels of SparseAuto's Table 2, with what its section 6 says of their sizes."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ...generator.runtime.request import make_request
from ...reference.schedule.branched.contraction import Contraction, contraction_of
from ...reference.schedule.branched.cost import Sizes
from ...reference.statement.statement import Program


class Kernel(Struct, frozen=True):
    """An expression, the formats of its sparse operand B and of its result, constraints on sizes, and sizes: extents of
    loops, and how many prefixes of coordinates B stores, of one level, of two, ...

    To the authors' constraints one is added: that no fiber is empty. Without it an assignment inside stored coordinates
    may run less often than one outside them, and fewer schedules dominate others.
    """

    name: str
    expression: str
    sparse: str
    constraints: str
    extents: Mapping[str, int]
    stored: tuple[int, ...]
    out: str | None = None

    @property
    def program(self) -> Program:
        """The kernel, lowered."""
        request = make_request(self.expression, {"B": self.sparse}, out=self.out)
        return request.program

    @property
    def contraction(self) -> Contraction:
        """The kernel as the search sees it."""
        return contraction_of(self.program)

    @property
    def sizes(self) -> Sizes:
        """Sizes of real data with uniform fibers."""
        return Sizes(self.extents, {0: self.stored})


CSR, CSF = "CSR", "dense,compressed,compressed"
GRAPH = "11000 <= I <= 1000000, 11000 <= J <= 1000000, 1e-6*I*J <= nnz(B) <= 1e-3*I*J, I <= nnz(B)"
MATRIX = "11000 <= I <= 5560000, 11000 <= {0} <= 5560000, 1e-7*I*{0} <= nnz(B) <= 1e-3*I*{0}, I <= nnz(B)"
CUBE = (
    "3 <= I <= 2900000, 2048 <= {0} <= 2140000, 2 <= {1} <= {2}, 1e-10*I*{0}*{1} <= nnz(B) <= 1e-5*I*{0}*{1}, "
    "I <= nnz(B(i,{3})) <= nnz(B)"
)
TENSOR = CUBE.format("J", "K", 25500000, "j")
OTHER = CUBE.format("K", "L", 2820000, "k")
ROWS, NONZEROS = 11_000, 429_000
SLICES, FIBERS, COMPONENTS = 12_000, 960_000, 76_800_000


def narrow(*extents: str) -> str:
    """Extents of dense matrices with few columns."""
    return "".join(f", 8 <= {v} <= 256" for v in extents)


def matrix(i: str, j: str, /, **others: int) -> dict[str, int]:
    """A square matrix of 39 components a row, and the extents of other loops."""
    return {i: ROWS, j: ROWS, **others}


def cube(i: str, j: str, k: str, /, **others: int) -> dict[str, int]:
    """A tensor of 80 fibers a slice and 80 components a fiber, and the extents of other loops."""
    return {i: SLICES, j: 9000, k: 288_000, **others}


KERNELS: Mapping[int, Kernel] = {
    1: Kernel(
        "<SDDMM, SpMM>",
        "A(i,l) = B(i,j) * C(i,k) * D(j,k) * E(j,l)",
        CSR,
        GRAPH + narrow("K", "L"),
        matrix("i", "j", k=16, l=16),
        (ROWS, NONZEROS),
    ),
    2: Kernel(
        "<SDDMM, SpMM, GEMM>",
        "A(i,m) = B(i,j) * C(i,k) * D(j,k) * E(j,l) * F(l,m)",
        CSR,
        GRAPH + narrow("K", "L", "M"),
        matrix("i", "j", k=16, l=16, m=16),
        (ROWS, NONZEROS),
    ),
    3: Kernel(
        "<SpMMH, GEMM>",
        "A(i,l) = B(i,k) * C(k,j) * D(k,j) * E(j,l)",
        CSR,
        MATRIX.format("K") + narrow("J", "L"),
        matrix("i", "k", j=64, l=64),
        (ROWS, NONZEROS),
    ),
    4: Kernel(
        "<SpMM, GEMM>",
        "A(i,l) = B(i,j) * C(j,k) * D(k,l)",
        CSR,
        MATRIX.format("J") + narrow("K", "L"),
        matrix("i", "j", k=64, l=64),
        (ROWS, NONZEROS),
    ),
    5: Kernel(
        "TTMC",
        "A(l,m,n) = B(i,j,k) * C(i,l) * D(j,m) * E(k,n)",
        CSF,
        TENSOR + narrow("L", "M", "N"),
        cube("i", "j", "k", l=16, m=16, n=16),
        (SLICES, FIBERS, COMPONENTS),
    ),
    6: Kernel(
        "<SpTTM, TTM>",
        "A(i,l,m) = B(i,j,k) * C(j,l) * D(k,m)",
        CSF,
        TENSOR + narrow("L", "M"),
        cube("i", "j", "k", l=16, m=16),
        (SLICES, FIBERS, COMPONENTS),
    ),
    7: Kernel(
        "<SpTTM, SpTTM>",
        "A(i,j,m) = B(i,j,k) * C(k,l) * D(l,m)",
        CSF,
        TENSOR + narrow("L", "M"),
        cube("i", "j", "k", l=16, m=16),
        (SLICES, FIBERS, COMPONENTS),
        "dense,compressed,dense",
    ),
    8: Kernel(
        "<MTTKRP, GEMM>",
        "A(i,m) = B(i,k,l) * C(l,j) * D(k,j) * E(j,m)",
        CSF,
        OTHER + narrow("J", "M"),
        cube("i", "k", "l", j=32, m=64),
        (SLICES, FIBERS, COMPONENTS),
    ),
}
"""By the rows of Table 2."""
