"""Ours beside theirs: every algorithm, in all its ways, on a graph."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from msgspec import Struct

from ...generator.graphs import graph as ours
from ...generator.graphs.edges import Graph
from ..benchmark.graphs import numbers
from . import expected, small

DAMPING, TOLERANCE, LIMIT = 0.85, 1e-10, 1000
BATCH = 4
TRUSSES = (3, 5)
Find = Callable[[], np.ndarray]


class Comparison(Struct, frozen=True):
    """An algorithm, and others that find the same by name; `relative` is how far results may be apart, and
    `rounding` what all differences may come to, added up."""

    algorithm: str
    ours: Find
    theirs: dict[str, Find]
    relative: float = 0.0
    rounding: float = 0.0

    def run(self) -> Outcome:
        """Run it, and compare."""
        begin = time.perf_counter()
        found = self.ours()
        seconds = time.perf_counter() - begin
        differing = tuple(name for name, find in self.theirs.items() if not self.is_same(found, find()))
        return Outcome(self.algorithm, seconds, tuple(self.theirs), differing)

    def is_same(self, found: np.ndarray, other: np.ndarray) -> bool:
        """Whether two results are the same, as far as rounding lets them."""
        known = np.isfinite(other)
        if found.shape != other.shape or not np.array_equal(known, np.isfinite(found)):
            return False
        apart = np.abs(found[known] - other[known])
        return bool((apart <= self.relative * np.abs(other[known])).all() or apart.sum() <= self.rounding)


class Outcome(Struct, frozen=True):
    """How long an algorithm took, beside whom it was set, and who found something else."""

    algorithm: str
    seconds: float
    beside: tuple[str, ...]
    differing: tuple[str, ...]


def comparisons(matrix: Any) -> Iterator[Comparison]:
    """Every algorithm on a graph; beside NetworkX, too, on a small one."""
    graph, few = Graph(matrix), 0 < matrix.shape[0] <= small.SMALL
    for source in sources(matrix):
        yield from searches(graph, matrix, source, few)
    yield from counts(graph, matrix, few)
    labels: dict[str, Find] = {"scipy": partial(expected.components, matrix)}
    labels |= {"networkx": partial(small.components, matrix)} if few else {}
    yield Comparison("components", lambda: numbers(ours.components(graph)), labels)
    settled: dict[str, Find] = {"numpy": partial(expected.ranks, matrix, DAMPING, TOLERANCE)}
    settled |= {"networkx": partial(small.ranks, matrix, DAMPING, TOLERANCE)} if few else {}
    rank = partial(ours.pagerank, graph, damping=DAMPING, tolerance=TOLERANCE, limit=LIMIT)
    apart = 2 * TOLERANCE * DAMPING / (1 - DAMPING)
    yield Comparison("pagerank", lambda: numbers(rank()), settled, rounding=apart)
    some = range(matrix.shape[0]) if few else sources(matrix)[:BATCH]
    between: dict[str, Find] = {"numpy": partial(expected.betweenness, matrix, some)}
    between |= {"networkx": partial(small.betweenness, matrix, some)} if few else {}
    terms = (matrix.nnz + 4 * matrix.shape[0]) * np.finfo(float).eps  # of sums of positive numbers
    yield Comparison("betweenness", lambda: numbers(ours.betweenness(graph, some)), between, relative=terms)


def sources(matrix: Any) -> list[int]:
    """The vertex with the most edges, the first, and the last; none if there is none."""
    order = matrix.shape[0]
    return list(dict.fromkeys((int(np.argmax(np.diff(matrix.indptr))), 0, order - 1))) if order else []


def searches(graph: Graph, matrix: Any, source: int, few: bool) -> Iterator[Comparison]:
    """Searches and shortest paths from a source, in every direction and both ways."""
    levels: dict[str, Find] = {"scipy": partial(expected.levels, matrix, source)}
    levels |= {"networkx": partial(small.levels, matrix, source)} if few else {}
    before: dict[str, Find] = {"numpy": partial(expected.parents, matrix, source)}
    paths: dict[str, Find] = {"scipy": partial(expected.distances, matrix, source)}
    paths |= {"networkx": partial(small.distances, matrix, source)} if few else {}
    for direction in ours.DIRECTIONS:
        search = partial(ours.bfs, graph, source, direction=direction)
        yield Comparison(f"bfs from {source}, {direction}", as_numbers(search), levels)
        search = partial(ours.bfs, graph, source, parents=True, direction=direction)
        yield Comparison(f"parents from {source}, {direction}", as_numbers(search), before)
    yield Comparison(f"sssp from {source}", lambda: numbers(ours.sssp(graph, source)), paths)
    for delta in (20.0, 100.0):
        find = partial(ours.sssp, graph, source, delta=delta)
        yield Comparison(f"sssp from {source}, buckets of {delta:g}", as_numbers(find), paths)


def counts(graph: Graph, matrix: Any, few: bool) -> Iterator[Comparison]:
    """What is about triangles."""
    simple = graph.simple.to_scipy()
    known: dict[str, Find] = {"graphblas": partial(expected.triangles, simple)}
    known |= {"networkx": partial(small.triangles, matrix)} if few else {}
    for method in ours.TRIANGLES:
        count = partial(ours.triangles, graph, method)
        yield Comparison(f"triangles, {method}", as_numbers(count), known)
    joined: dict[str, Find] = {"graphblas": partial(expected.clustering, simple)}
    joined |= {"networkx": partial(small.clustering, matrix)} if few else {}
    once = 2 * np.finfo(float).eps  # of one division
    yield Comparison("clustering", lambda: numbers(ours.clustering(graph)), joined, relative=once)
    for k in TRUSSES:
        left: dict[str, Find] = {"graphblas": partial(expected.truss, simple, k)}
        left |= {"networkx": partial(small.truss, matrix, k)} if few else {}
        yield Comparison(f"k_truss, {k}", partial(edges, graph, k), left)


def as_numbers(find: Callable[[], Any]) -> Find:
    """What an algorithm finds, as an array."""
    return lambda: numbers(find())


def edges(graph: Graph, k: int) -> np.ndarray:
    """The edges of the k-truss, each as one number."""
    (rows, columns), _ = ours.k_truss(graph, k).components()
    return np.sort(rows.astype(np.float64) * graph.order + columns)
