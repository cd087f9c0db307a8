"""Graphs of every kind: directed, weighted, with loops, in several parts, with hubs, random, from files, empty."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp

from ..benchmark.inputs import hubs, shared_matrices, sort_indices, uniform

HEAVIEST = 255


def graphs(scale: int) -> Iterator[tuple[str, Any]]:
    """Matrices of graphs by name, with weights that are whole numbers from 1 on, so that lengths of paths are exact.

    The largest have 2^scale vertices. Matrices of files keep their patterns.
    """
    yield "no vertex", sp.csr_array((0, 0))
    yield "one vertex", sp.csr_array((1, 1))
    yield "no edge", sp.csr_array((100, 100))
    yield "a path", with_weights(sp.diags_array([np.ones(299)], offsets=[1], shape=(300, 300)))
    yield "a loop at each vertex", with_weights(sp.eye_array(50))
    for name, matrix in shared_matrices():
        yield name, with_weights(matrix)
    for bits, edges in ((min(8, scale), 4), (min(12, scale), 8), (scale, 4)):
        size = f"{bits}, {edges} edges a vertex"
        yield f"R-MAT {size}", with_weights(hubs(bits, edges))
        yield f"Erdős–Rényi {size}", with_weights(uniform(2**bits, edges))
    yield f"Erdős–Rényi {scale}, 1 edge a vertex", with_weights(uniform(2**scale, 1))
    half = hubs(max(scale - 3, 1), 8)
    yield f"R-MAT {scale - 3} twice, apart", with_weights(sp.block_diag([half, half]))
    yield f"R-MAT {scale - 3}, both ways", both_ways(with_weights(half))


def with_weights(matrix: Any) -> Any:
    """The places of a matrix with weights from 1 on."""
    found = sort_indices(matrix)
    found.data = np.random.default_rng(found.nnz).integers(1, HEAVIEST + 1, found.nnz).astype(np.float64)
    return found


def both_ways(matrix: Any) -> Any:
    """An undirected graph: the lighter of the weights of both directions, or the only one."""
    there, back = matrix.tocoo(), matrix.T.tocoo()
    rows, columns = (np.concatenate([there.coords[n], back.coords[n]]) for n in (0, 1))
    order = np.lexsort((np.concatenate([there.data, back.data]), columns, rows))
    rows, columns, weights = rows[order], columns[order], np.concatenate([there.data, back.data])[order]
    first = np.ones(len(rows), np.bool_)
    first[1:] = (np.diff(rows) != 0) | (np.diff(columns) != 0)
    return sort_indices(sp.coo_array((weights[first], (rows[first], columns[first])), shape=matrix.shape))
