"""Kernels for devices as one writes them by hand: two texts each, operands for them, and what they mean."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import gnomon as gn
import numpy as np
from gnomon.generator.storage.layout import Layout
from gnomon.reference.storage.tensor import Tensor
from msgspec import Struct

FOLDER = Path(__file__).parent / "kernels"
Operands = dict[str, Tensor]


class Sample(Struct, frozen=True):
    """A kernel in two texts: operands that chance draws, with extents below some, and the dense result they have."""

    name: str
    draw: Callable[[np.random.Generator, int], Operands]
    wanted: Callable[[Operands], np.ndarray]
    texts: tuple[str, str] | None = None

    @property
    def host(self) -> str:
        """The host's text."""
        return (FOLDER / f"{self.name}.c").read_text() if self.texts is None else self.texts[0]

    @property
    def device(self) -> str:
        """The device's text."""
        return (FOLDER / f"{self.name}.cu").read_text() if self.texts is None else self.texts[1]

    def named(self, prefix: str) -> tuple[str, str]:
        """Both texts with a prefix before every name that they define, so that they may stand beside others."""
        own = re.compile(rf"\b({self.name}\w*|row_of|evaluate)\b")
        return own.sub(rf"{prefix}\1", self.host), own.sub(rf"{prefix}\1", self.device)

    def layout(self, wanted: np.ndarray) -> Layout:
        """The layout of the result."""
        return Layout.of(gn.from_numpy(wanted, "dense"))


def matrix(rng: np.random.Generator, most: int, dtype: str = "float64") -> Tensor:
    """A matrix of small integers, some of whose rows hold nothing and some much."""
    rows, columns = rng.integers(1, most, 2).tolist()
    dense = rng.random((rows, 1)) < rng.random((1, 1))
    values = rng.integers(1, 9, (rows, columns)) * (rng.random((rows, columns)) < np.where(dense, 0.7, 0.02))
    at = np.nonzero(values)
    return gn.tensor(at, values[at].astype(dtype), (rows, columns), "CSR")


def vector(rng: np.random.Generator, size: int, dtype: str = "float64") -> Tensor:
    """A dense vector of small integers."""
    return gn.from_numpy(rng.integers(-9, 9, size).astype(dtype), "dense")


def matrix_and_vector(rng: np.random.Generator, most: int) -> Operands:
    """A sparse matrix and a vector that it can be multiplied by."""
    A = matrix(rng, most)
    return {"A": A, "x": vector(rng, A.shape[1])}


def two_vectors(rng: np.random.Generator, most: int) -> Operands:
    """Two vectors of one size."""
    size = int(rng.integers(1, 4 * most))
    return {"x": vector(rng, size), "y": vector(rng, size)}


def dense_matrix(rng: np.random.Generator, most: int, dtype: str = "float64") -> Operands:
    """A dense matrix."""
    shape = tuple(rng.integers(1, most, 2).tolist())
    return {"A": gn.from_numpy(rng.integers(-9, 9, shape).astype(dtype), "dense")}


def product(operands: Operands) -> np.ndarray:
    """A matrix times a vector."""
    return operands["A"].to_numpy() @ operands["x"].to_numpy()


def least(operands: Operands) -> np.ndarray:
    """The least stored value of every column."""
    A = operands["A"].to_numpy()
    return np.where(A == 0, np.iinfo("int16").max, A).min(axis=0).astype("int16")


def in_order(operands: Operands) -> np.ndarray:
    """The rows of a matrix in order, three times."""
    return np.stack([np.sort(operands["A"].to_numpy(), axis=1)] * 3)


SORT = Sample("sort_rows", lambda rng, most: dense_matrix(rng, most // 2, "int64"), in_order)
SAMPLES = (
    Sample("spmv_rows", matrix_and_vector, product),
    Sample("spmv_warps", matrix_and_vector, product),
    Sample("spmv_nonzeros", matrix_and_vector, product),
    Sample("spmv_segments", matrix_and_vector, product),
    Sample("dot_blocks", two_vectors, lambda o: np.array(o["x"].to_numpy() @ o["y"].to_numpy())),
    Sample("dot_warps", two_vectors, lambda o: np.array(o["x"].to_numpy() @ o["y"].to_numpy())),
    Sample("least_columns", lambda rng, most: {"A": matrix(rng, most, "int16")}, least),
    Sample("columns_staged", dense_matrix, lambda o: o["A"].to_numpy().T),
    Sample("row_sums_lanes", dense_matrix, lambda o: o["A"].to_numpy().sum(axis=1)),
    Sample(
        "scan_block",
        lambda rng, most: {"x": vector(rng, int(rng.integers(1, 4 * most)), "int64")},
        lambda o: np.cumsum(o["x"].to_numpy()),
    ),
    SORT,
)


def together(every: Sequence[Sample]) -> tuple[str, str]:
    """The texts of samples in one: the functions of the n-th begin with `sn_`."""
    hosts, devices = zip(*(sample.named(f"s{n}_") for n, sample in enumerate(every)), strict=True)
    return "\n".join(hosts), "\n".join(devices)
