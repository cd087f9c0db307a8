"""What graph algorithms find, by SciPy's `csgraph`, by NumPy, and by compositions of python-graphblas.

Each is one array: a number for each vertex, infinity where it has none. Undirected simple graphs are given as such.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import csgraph

from ..benchmark.graphs import levels_of


def levels(graph: Any, source: int) -> np.ndarray:
    """How many edges away each vertex is (SciPy)."""
    return levels_of(*csgraph.breadth_first_order(graph, source))


def parents(graph: Any, source: int) -> np.ndarray:
    """The least of the vertices one level above that lead to each vertex (NumPy)."""
    edges, depth = graph.tocoo(), levels(graph, source)
    before, after = edges.coords
    leads = np.isfinite(depth[before]) & (depth[before] + 1 == depth[after])
    found = np.full(graph.shape[0], np.inf)
    np.minimum.at(found, after[leads], before[leads])
    found[source] = source
    return found


def distances(graph: Any, source: int) -> np.ndarray:
    """Lengths of shortest paths (SciPy, by Dijkstra)."""
    return np.asarray(csgraph.dijkstra(graph, indices=source))


def meeting(simple: Any) -> Any:
    """How many neighbours the ends of each edge share (GraphBLAS)."""
    gb: Any = importlib.import_module("graphblas")
    edges = gb.io.from_scipy_sparse(simple)
    return edges.mxm(edges, gb.semiring.plus_pair["INT64"]).new(mask=edges.S)


def triangles_at(simple: Any) -> np.ndarray:
    """In how many triangles each vertex is."""
    rows = meeting(simple).reduce_rowwise("plus").new()
    found = np.zeros(simple.shape[0])
    at, values = rows.to_coo()
    found[at] = values // 2
    return found


def triangles(simple: Any) -> np.ndarray:
    """How many triangles there are."""
    return np.asarray(triangles_at(simple).sum() / 3)


def clustering(simple: Any) -> np.ndarray:
    """How many of the pairs of neighbours of a vertex are joined."""
    degree = np.diff(simple.indptr).astype(np.float64)
    return np.asarray(2 * triangles_at(simple) / np.maximum(degree * (degree - 1), 1))


def truss(simple: Any, k: int) -> np.ndarray:
    """The edges of the k-truss, each as one number (GraphBLAS)."""
    gb: Any = importlib.import_module("graphblas")
    left, count = gb.io.from_scipy_sparse(simple), -1
    while left.nvals != count:
        count = left.nvals
        shared = left.mxm(left, gb.semiring.plus_pair["INT64"]).new(mask=left.S)
        left = shared.select(gb.select.valuege, k - 2).new()
    rows, columns, _ = left.to_coo()
    return np.sort(rows.astype(np.float64) * simple.shape[0] + columns)


def components(graph: Any) -> np.ndarray:
    """The least vertex of the part to which each belongs (SciPy)."""
    count, labels = csgraph.connected_components(graph, directed=False)
    first = np.full(count, graph.shape[0])
    np.minimum.at(first, labels, np.arange(graph.shape[0]))
    return np.asarray(first[labels])


def ranks(graph: Any, damping: float, tolerance: float) -> np.ndarray:
    """PageRank, the rank of vertices that lead nowhere spread over all (NumPy)."""
    n = graph.shape[0]
    pattern = graph.copy()
    pattern.data = np.ones(graph.nnz)
    degree, rank, change = np.diff(graph.indptr), np.full(n, 1 / max(n, 1)), np.inf
    while change > tolerance:
        before, lost = rank, rank[degree == 0].sum()
        rank = damping * (pattern.T @ (before / np.maximum(degree, 1))) + (1 - damping + damping * lost) / max(n, 1)
        change = np.abs(rank - before).sum()
    return rank


def betweenness(graph: Any, sources: Sequence[int]) -> np.ndarray:
    """Betweenness centrality from some sources, level by level (Brandes, by NumPy)."""
    edges, n = graph.tocoo(), graph.shape[0]
    found = np.zeros(n)
    for source in sources:
        depth = levels(graph, source)
        before, after = edges.coords
        onward = np.isfinite(depth[before]) & (depth[before] + 1 == depth[after])
        before, after = before[onward], after[onward]
        order = np.argsort(depth[after], kind="stable")
        before, after = before[order], after[order]
        ends = np.flatnonzero(np.diff(depth[after], append=np.inf)) + 1
        steps = [slice(begin, end) for begin, end in zip([0, *ends[:-1]], ends, strict=True)] if len(after) else []
        paths, dependency = np.zeros(n), np.zeros(n)
        paths[source] = 1
        for step in steps:
            paths += np.bincount(after[step], paths[before[step]], n)
        for step in reversed(steps):
            share = (1 + dependency[after[step]]) * paths[before[step]] / paths[after[step]]
            dependency += np.bincount(before[step], share, n)
        dependency[source] = 0
        found += dependency
    return found
