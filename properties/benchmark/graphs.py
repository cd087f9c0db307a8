"""Graph algorithms beside compositions of python-graphblas that do the same, and SciPy's `csgraph` where it has them.

Graphs are made before anything is timed, here and there: what is timed is the search, with the calls of its steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from ...generator.graphs import graph as algorithms
from ...generator.graphs.edges import Graph
from .case import Action, Peers, Row
from .graphblas import peer, to_graphblas
from .inputs import hubs

DAMPING, TOLERANCE = 0.85, 1e-4


@dataclass(frozen=True)
class Algorithm:
    """A graph algorithm on an input, and its peers."""

    kernel: str
    input: str
    bytes: float
    action: Action
    peers: Peers

    def rows(self, threads: int) -> Iterator[Row]:
        """The algorithm with so many threads; SciPy has one in any case."""
        yield Row(self.kernel, self.input, threads, self.bytes, self.action, self.peers)


def graph_cases() -> Iterator[Algorithm]:
    """Every algorithm on graphs with hubs and on a grid, whose searches have many short rounds."""
    every = algorithms.TRIANGLES
    yield from algorithms_on("R-MAT 16", hubs(16, 16), every)
    yield from algorithms_on("R-MAT 18", hubs(18, 16), ("sandia_ll",))
    yield from algorithms_on("grid 256x256", grid(256), every)


def algorithms_on(name: str, directed: Any, methods: tuple[str, ...]) -> Iterator[Algorithm]:
    """The algorithms on the undirected graph of a matrix, with weights from 1 to 9 for shortest paths, and triangles by
    some methods.

    The bytes are those of the edges, each read once, by a whole search or in a round of PageRank.
    """
    pattern = Graph(directed).simple.to_scipy().astype(np.float64)
    weighted = pattern.copy()
    weighted.data = np.random.default_rng(0).integers(1, 10, pattern.nnz).astype(np.float64)
    plain, heavy, source = Graph(pattern), Graph(weighted), int(np.argmax(np.diff(pattern.indptr)))
    size = float(pattern.indices.nbytes + pattern.indptr.nbytes)
    found: tuple[tuple[str, Action, Peers, float], ...] = (
        (
            "bfs",
            partial(algorithms.bfs, plain, source),
            searches(pattern, source) | {"scipy": partial(csgraph.breadth_first_order, pattern, source)},
            size,
        ),
        (
            "sssp",
            partial(algorithms.sssp, heavy, source),
            shortest_paths(weighted, source) | {"scipy": partial(csgraph.dijkstra, weighted, indices=source)},
            size + weighted.data.nbytes,
        ),
        ("pagerank", partial(algorithms.pagerank, plain), ranks(pattern), size),
    )
    for kernel, action, peers, moved in found:
        yield Algorithm(kernel, name, moved, action, peers)
    for method in methods:
        count = partial(algorithms.triangles, plain, method)
        yield Algorithm(f"triangles {method}", name, size, count, triangles(pattern, method))


def grid(side: int) -> Any:
    """A grid of streets: each crossing leads to the next in four directions."""
    line = sp.diags_array([np.ones(side - 1)], offsets=[1], shape=(side, side))
    same = sp.eye_array(side)
    return (sp.kron(line, same) + sp.kron(same, line)).tocsr()


@peer
def searches(gb: Any, pattern: Any, source: int) -> Action:
    """Levels of a breadth-first search, as LAGraph has them; the library chooses to push or to pull."""
    edges, n = to_graphblas(gb, pattern.astype(np.bool_)), pattern.shape[0]
    step = gb.semiring.any_pair["BOOL"]

    def action() -> Any:
        levels, frontier, depth = gb.Vector(np.int64, n), gb.Vector(bool, n), 0
        frontier[source] = True
        while frontier.nvals:
            levels(frontier.S) << depth
            frontier(~levels.S, replace=True) << frontier.vxm(edges, step)
            depth += 1
        return levels.wait()

    return action


@peer
def shortest_paths(gb: Any, weighted: Any, source: int) -> Action:
    """Shortest paths by rounds over the edges of what the round before has made less (Bellman and Ford), as ours."""
    edges, n, step = to_graphblas(gb, weighted), weighted.shape[0], gb.semiring.min_plus["FP64"]

    def action() -> Any:
        distance, near = gb.Vector(np.float64, n), gb.Vector(np.float64, n)
        distance[source] = near[source] = 0.0
        while near.nvals:
            found = near.vxm(edges, step).new()
            near = found.dup(mask=~found.ewise_mult(distance, gb.binary.ge).new().V)
            distance(gb.binary.min) << near
        return distance.wait()

    return action


@peer
def ranks(gb: Any, pattern: Any) -> Action:
    """PageRank; the rank of vertices without an edge goes to all."""
    edges, n = to_graphblas(gb, pattern), pattern.shape[0]
    degree, step = edges.reduce_rowwise().new(), gb.semiring.plus_first["FP64"]

    def action() -> Any:
        rank = gb.Vector(np.float64, n)
        rank << 1.0 / n
        change = np.inf
        while change > TOLERANCE:
            passed = rank.ewise_mult(degree, gb.binary.truediv).new().vxm(edges, step).new()
            lost = rank.dup(mask=~degree.S).reduce().value or 0.0
            left = (1 - DAMPING + DAMPING * lost) / n
            after = gb.Vector(np.float64, n)
            after << left
            after(gb.binary.plus) << passed.apply(gb.binary.times, right=DAMPING)
            moved = after.ewise_mult(rank, gb.binary.minus).new()
            change, rank = moved.apply(gb.unary.abs).reduce().value, after
        return rank

    return action


@peer
def triangles(gb: Any, pattern: Any, method: str) -> Action:
    """A count of triangles; the triangles of the matrix are taken in the time that is measured, as ours are."""
    edges, count = to_graphblas(gb, pattern.astype(np.int64)), gb.semiring.plus_pair["INT64"]

    def meeting(left: Any, right: Any, where: Any) -> Any:
        return left.mxm(right, count).new(mask=where.S).reduce_scalar().value or 0

    def action() -> Any:
        match method:
            case "burkhardt":
                return meeting(edges, edges, edges) // 6
            case "cohen":
                return meeting(edges.select("tril").new(), edges.select("triu").new(), edges) // 2
            case _:
                part = edges.select("tril" if method == "sandia_ll" else "triu").new()
                return meeting(part, part, part)

    return action
