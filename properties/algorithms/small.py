"""What NetworkX finds on small graphs, in the same form as `expected`."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

SMALL = 400
"""As many vertices at most."""


def networkx() -> Any:
    """The library."""
    return importlib.import_module("networkx")


def as_digraph(graph: Any) -> Any:
    """The graph as it is."""
    return networkx().from_scipy_sparse_array(graph, create_using=networkx().DiGraph)


def simple_graph(graph: Any) -> Any:
    """The undirected graph without loops."""
    found = networkx().Graph(as_digraph(graph))
    found.remove_edges_from(list(networkx().selfloop_edges(found)))
    return found


def by_vertex(found: Iterable[tuple[int, float]], order: int) -> np.ndarray:
    """Numbers by vertex, infinity elsewhere."""
    numbers = np.full(order, np.inf)
    for vertex, number in found:
        numbers[vertex] = number
    return numbers


def levels(graph: Any, source: int) -> np.ndarray:
    """How many edges away each vertex is."""
    found = networkx().single_source_shortest_path_length(as_digraph(graph), source)
    return by_vertex(found.items(), graph.shape[0])


def distances(graph: Any, source: int) -> np.ndarray:
    """Lengths of shortest paths."""
    found = networkx().single_source_dijkstra_path_length(as_digraph(graph), source)
    return by_vertex(found.items(), graph.shape[0])


def triangles(graph: Any) -> np.ndarray:
    """How many triangles there are."""
    return np.asarray(sum(networkx().triangles(simple_graph(graph)).values()) / 3)


def clustering(graph: Any) -> np.ndarray:
    """How many of the pairs of neighbours of a vertex are joined."""
    return by_vertex(networkx().clustering(simple_graph(graph)).items(), graph.shape[0])


def truss(graph: Any, k: int) -> np.ndarray:
    """The edges of the k-truss, both ways, each as one number."""
    n, edges = graph.shape[0], networkx().k_truss(simple_graph(graph), k).edges
    return np.sort([float(n * u + v) for pair in edges for u, v in (pair, pair[::-1])])


def components(graph: Any) -> np.ndarray:
    """The least vertex of the part to which each belongs."""
    parts = networkx().connected_components(simple_graph(graph))
    return by_vertex(((v, min(part)) for part in parts for v in part), graph.shape[0])


def ranks(graph: Any, damping: float, tolerance: float) -> np.ndarray:
    """PageRank."""
    pattern = graph.copy()
    pattern.data = np.ones(graph.nnz)
    each = tolerance / max(graph.shape[0], 1)
    found = networkx().pagerank(as_digraph(pattern), alpha=damping, tol=each, max_iter=10_000)
    return by_vertex(found.items(), graph.shape[0])


def betweenness(graph: Any, sources: Sequence[int]) -> np.ndarray:
    """Betweenness centrality from some sources."""
    plain = as_digraph(graph)
    plain.remove_edges_from(list(networkx().selfloop_edges(plain)))
    found = networkx().betweenness_centrality_subset(plain, list(sources), list(plain), normalized=False)
    return by_vertex(found.items(), graph.shape[0])
