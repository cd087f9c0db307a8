"""Graphs of square matrices, in the forms in which algorithms read them, each of which is made once (LAGraph)."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse

from ...reference.errors import argument_error
from ...reference.files.operands import as_tensor
from ...reference.files.scipy_arrays import from_scipy
from ...reference.levels.level import Indices
from ...reference.storage.components import drop_fill
from ...reference.storage.packing import tensor
from ...reference.storage.tensor import Tensor
from ...reference.storage.vectorised import holds_duplicates, sum_duplicates

COUNTS = np.dtype("int64")


class Graph:
    """The graph of a matrix A: an edge from i to j is a stored component A(i,j), whatever its value. Where a format
    stores cells that hold nothing, as dense arrays, blocks and diagonals do, those that hold the fill are no edges.

    Algorithms take a matrix or a graph; a graph keeps the forms that algorithms have asked for. Raises ExpressionError
    for what is no square matrix.

    >>> Graph([[0.5, 2.0], [3.0, 0.0]]).simple.to_numpy().tolist()
    [[0, 1], [1, 0]]
    """

    def __init__(self, A: Any) -> None:
        self.matrix = as_tensor("A", A)
        if len(self.matrix.shape) != 2 or self.matrix.shape[0] != self.matrix.shape[1]:
            raise argument_error(f"A has shape {self.matrix.shape}, but a graph is a square matrix")

    @property
    def order(self) -> int:
        """The number of vertices."""
        return self.matrix.shape[0]

    @cached_property
    def by_rows(self) -> scipy.sparse.csr_array:
        """The values of A by rows; duplicates add up. Raises MeaningError for integers that overflow."""
        coords, values = self.matrix.components()
        if self.matrix.format.dense_leaves:
            coords, values = drop_fill(coords, values, self.matrix.fill)
        places: tuple[Indices, ...] = tuple(coords)
        if holds_duplicates(self.matrix.format):
            places, values = sum_duplicates(places, values)
        return scipy.sparse.coo_array((values, places), shape=self.matrix.shape).tocsr()

    @cached_property
    def weights(self) -> Tensor:
        """The values of A. Raises ExpressionError for those that have no order."""
        if self.matrix.dtype.kind in "bc":
            raise argument_error(f"weights of dtype {self.matrix.dtype.name} cannot be added and compared")
        if np.isnan(self.by_rows.data).any():
            raise argument_error("a weight is NaN, which is no length", "leave such edges out")
        return from_scipy(self.by_rows)

    @cached_property
    def lengths(self) -> Tensor:
        """The weights as paths add them up: whole numbers in 64 bits, whatever their own dtype."""
        weights, wide = self.weights, np.dtype(f"{self.weights.dtype.kind}8")
        if weights.dtype.kind == "f" or weights.dtype == wide:
            return weights
        return replace(weights, dtype=wide, vals=weights.vals.astype(wide)).mark_trusted()

    @cached_property
    def edges(self) -> Tensor:
        """True for each edge, by rows."""
        return ones(self.by_rows)

    @cached_property
    def incoming(self) -> Tensor:
        """True for each edge, by columns."""
        return ones(self.by_rows.tocsc())

    @cached_property
    def counts(self) -> Tensor:
        """A one for each edge."""
        return ones(self.by_rows, COUNTS)

    @cached_property
    def loopless(self) -> Tensor:
        """True for each edge between two vertices."""
        return ones(without_loops(self.by_rows))

    @cached_property
    def reflexive(self) -> Tensor:
        """True for each edge, both ways, and for a loop at each vertex."""
        loops = scipy.sparse.eye_array(self.order, dtype=np.int8, format="csr")
        return ones((both_ways(self.by_rows) + loops).tocsr())

    @cached_property
    def simple(self) -> Tensor:
        """A one for each edge between two vertices, both ways."""
        return ones(both_ways(without_loops(self.by_rows)), COUNTS)

    def start(self, vertex: int, value: Any) -> Tensor:
        """A sparse vector over the vertices, which has a value at one of them.

        >>> Graph([[0.5, 2.0], [3.0, 0.0]]).start(1, 7).to_numpy().tolist()
        [0, 7]
        """
        return tensor([[vertex]], np.array([value]), (self.order,), "SparseVector")

    def check_vertex(self, vertex: Any) -> None:
        """Refuse what is no vertex."""
        if not isinstance(vertex, int | np.integer) or isinstance(vertex, bool) or not 0 <= vertex < self.order:
            hint = f"vertices are the numbers from 0 to {self.order - 1}" if self.order else "the graph has no vertex"
            raise argument_error(f"{vertex!r} is no vertex", hint)


def as_graph(A: Any) -> Graph:
    """The graph of a matrix; a graph is itself."""
    return A if isinstance(A, Graph) else Graph(A)


def ones(matrix: Any, dtype: np.dtype | None = None) -> Tensor:
    """A matrix with ones of a dtype, bool if none, for what is stored in another."""
    held = matrix.copy()
    held.data = np.ones(matrix.nnz, np.bool_ if dtype is None else dtype)
    return from_scipy(held)


def without_loops(matrix: Any) -> Any:
    """A matrix without its diagonal."""
    found = matrix.tocoo()
    kept = found.row != found.col
    return scipy.sparse.coo_array((found.data[kept], (found.row[kept], found.col[kept])), shape=matrix.shape).tocsr()


def both_ways(matrix: Any) -> Any:
    """The places of a matrix and of its transposed."""
    held = matrix.copy()
    held.data = np.ones(matrix.nnz, np.int8)
    return (held + held.T).tocsr()
