"""Graph algorithms and the products that they are made of, beside compositions of python-graphblas that do the same,
and SciPy's `csgraph` where it has them.

Graphs are made before anything is timed, here and there: what is timed is the search, with the calls of its steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from itertools import chain
from typing import Any

import numpy as np
import scipy.sparse as sp
from msgspec import Struct
from scipy.sparse import csgraph

from ...generator.graphs import graph as algorithms
from ...generator.graphs.edges import Graph
from ...reference.errors import DisagreementError
from ...reference.storage.tensor import Tensor
from .case import Action, Case, Peers, Row
from .compositions import DAMPING, TOLERANCE, ranks, searches, shortest_paths, triangles
from .inputs import hubs, shared_matrices, sort_indices
from .peers import Hand
from .sparse import neighbours, products, with_lengths

SCALES, EDGES, FEW_EDGES, SIDE = (16, 17, 18), 16, 2, 256


class Algorithm(Struct, frozen=True, dict=True):
    """A graph algorithm on an input, and its peers; `rounding` is how far apart results may be, differences added."""

    kernel: str
    input: str
    bytes: float
    action: Action
    peers: Peers
    rounding: float = 0.0

    def rows(self, threads: int) -> Iterator[Row]:
        """The algorithm with so many threads; SciPy has one in any case. Raises DisagreementError, once."""
        yield Row(self.kernel, self.input, threads, self.bytes, self.action, {n: self.peers[n] for n in self.agreement})

    @cached_property
    def agreement(self) -> tuple[str, ...]:
        """The peers, each of which gives what we do. Raises DisagreementError for the first that does not."""
        ours = numbers(self.action())
        known = np.isfinite(ours)
        for name, peer in self.peers.items():
            theirs = numbers(peer())
            same = np.array_equal(known, np.isfinite(theirs))
            if not same or np.abs(ours[known] - theirs[known]).sum() > self.rounding:
                raise DisagreementError(f"{self.kernel} on {self.input}: {name} gives something else")
        return tuple(self.peers)


def numbers(result: Any) -> np.ndarray:
    """What an algorithm gives, as an array: a number for each vertex, infinity where it has none, or one in all."""
    match result:
        case Tensor():
            (coords, *_), values = result.components()
            return spread(coords, values, result.shape[0])
        case (order, before):
            return levels_of(order, before)
        case int() | np.ndarray():
            return np.asarray(result, np.float64)
        case _:
            coords, values = result.to_coo()
            return spread(coords, values, result.size)


def spread(vertices: np.ndarray, values: np.ndarray, order: int) -> np.ndarray:
    """Values by vertex, infinity elsewhere."""
    found = np.full(order, np.inf)
    found[vertices] = values
    return found


def levels_of(order: np.ndarray, before: np.ndarray) -> np.ndarray:
    """The levels of vertices by the order in which a search has come to them, and by which vertex."""
    levels = np.full(len(before), np.inf)
    levels[order[0]] = 0
    for vertex in order[1:]:
        levels[vertex] = levels[before[vertex]] + 1
    return levels


def graph_cases(hand: Hand) -> Iterator[Algorithm | Case]:
    """Every algorithm, and products in the semirings of some: on graphs with hubs, on a grid, whose searches have many
    short rounds, and on matrices from files, where calls take the time."""
    for name, matrix in chain(((f"R-MAT {n}", hubs(n, EDGES)) for n in SCALES), others()):
        yield from algorithms_on(name, matrix)
        yield from neighbours(hand, name, matrix)
    for name, matrix in chain(((f"R-MAT {n} thin", hubs(n, FEW_EDGES)) for n in SCALES), others()):
        yield from products(hand, name, matrix)


def others() -> Iterator[tuple[str, Any]]:
    """A grid, and matrices from files."""
    yield f"grid {SIDE}x{SIDE}", sort_indices(grid(SIDE))
    yield from shared_matrices()


def algorithms_on(name: str, directed: Any) -> Iterator[Algorithm]:
    """The algorithms on the undirected graph of a matrix, with weights from 1 to 9 for shortest paths.

    The bytes are those of the edges, each read once, by a whole search or in a round of PageRank.
    """
    pattern = Graph(directed).simple.to_scipy().astype(np.float64)
    weighted = with_lengths(pattern)
    plain, heavy, source = Graph(pattern), Graph(weighted), int(np.argmax(np.diff(pattern.indptr)))
    size = float(pattern.indices.nbytes + pattern.indptr.nbytes)
    yield Algorithm(
        "bfs",
        name,
        size,
        partial(algorithms.bfs, plain, source),
        searches(pattern, source) | {"scipy": partial(csgraph.breadth_first_order, pattern, source)},
    )
    yield Algorithm(
        "sssp",
        name,
        size + weighted.data.nbytes,
        partial(algorithms.sssp, heavy, source),
        shortest_paths(weighted, source) | {"scipy": partial(csgraph.dijkstra, weighted, indices=source)},
    )
    apart = 2 * TOLERANCE * DAMPING / (1 - DAMPING)  # each is so far from the fixed point, or half of it
    yield Algorithm("pagerank", name, size, partial(algorithms.pagerank, plain), ranks(pattern), apart)
    for method in algorithms.TRIANGLES:
        count = partial(algorithms.triangles, plain, method)
        yield Algorithm(f"triangles {method}", name, size, count, triangles(pattern, method))


def grid(side: int) -> Any:
    """A grid of streets: each crossing leads to the next in four directions."""
    line = sp.diags_array([np.ones(side - 1)], offsets=[1], shape=(side, side))
    same = sp.eye_array(side)
    return (sp.kron(line, same) + sp.kron(same, line)).tocsr()
