"""Graph algorithms: procedures in index notation, run by kernels (COMET, section V; LAGraph).

Each function runs the algorithm of a `.gn` file on operands made of a graph or of a matrix A (`edges.py`).
`engine="reference"` interprets the steps instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from ...reference.algebra.scalars import abbreviate
from ...reference.errors import MeaningError, argument_error
from ...reference.procedure.parser import parse_procedure
from ...reference.procedure.run import Engine, by_reference, run_procedure
from ...reference.procedure.syntax import Procedure
from ...reference.storage.packing import tensor
from ...reference.storage.tensor import Tensor
from ..runtime.steps import KernelSteps
from .edges import Graph, as_graph

KERNELS = KernelSteps()
ENGINES: dict[str, Engine] = {"c": KERNELS, "reference": by_reference}
DIRECTIONS: dict[str, Callable[[int], tuple[int, int]]] = {
    "auto": lambda order: (order // 16, max(order // 64, 1)),
    "push": lambda order: (order, 1),
    "pull": lambda order: (0, 1),
}
TRIANGLES = ("burkhardt", "cohen", "sandia_ll", "sandia_uu")

__all__ = [
    "Graph",
    "betweenness",
    "bfs",
    "clustering",
    "components",
    "k_truss",
    "pagerank",
    "sssp",
    "triangles",
]


@cache
def listing(name: str) -> Procedure:
    """The procedure of an algorithm, as its `.gn` file has it.

    >>> listing("k_truss").parameters
    ('C', 'support')
    """
    return parse_procedure((files(__package__) / f"{name}.gn").read_text())


def run(name: str, engine: str, **operands: Any) -> dict[str, Tensor]:
    """What the procedure of an algorithm gives."""
    if not isinstance(engine, str) or engine not in ENGINES:
        raise argument_error(f"engine {engine!r} is not known", f"use {' or '.join(ENGINES)}")
    return run_procedure(listing(name), operands, ENGINES[engine])


def bfs(A: Any, source: int, *, parents: bool = False, direction: str = "auto", engine: str = "c") -> Tensor:
    """The level of every vertex that is reached from a source, which has level 0; with `parents`, the vertex before it.

    The source is its own parent; of several, the least vertex is the parent. In the direction "push" the frontier looks
    for vertices that are not reached yet, in "pull" these look for the frontier; with "auto" they do while it is large
    (Beamer, Asanović and Patterson 2012).
    """
    graph = as_graph(A)
    graph.check_vertex(source)
    if not isinstance(direction, str) or direction not in DIRECTIONS:
        raise argument_error(f"direction {direction!r} is not known", f"use {', '.join(DIRECTIONS)}")
    if not isinstance(parents, bool | np.bool_):
        raise argument_error(f"parents={parents!r} is not known", "write parents=True or leave it out")
    many, few = DIRECTIONS[direction](graph.order)
    forms = {"A": graph.edges, "B": graph.incoming, "many": np.int64(many), "few": np.int64(few)}
    if parents:
        return run("bfs_parents", engine, **forms, frontier=graph.start(source, int(source)))["parents"]
    return run("bfs_levels", engine, **forms, frontier=graph.start(source, 0))["levels"]


def sssp(A: Any, source: int, *, delta: float | None = None, engine: str = "c") -> Tensor:
    """The length of the shortest path from a source to every vertex that it reaches, by the values of A.

    With `delta`, by buckets of distances of that width, for which weights may not be negative. Raises MeaningError for
    a cycle of negative length that the source reaches.
    """
    graph = as_graph(A)
    graph.check_vertex(source)
    return by_edges(graph, source, engine) if delta is None else by_buckets(graph, source, delta, engine)


def by_edges(graph: Graph, source: int, engine: str) -> Tensor:
    """Shortest paths by the edges of vertices that have come nearer. Raises MeaningError for a cycle of negative
    length."""
    edges = graph.lengths
    dtype, longest = edges.dtype, longest_path(graph, edges.vals)
    name = "bellman_ford_largest" if dtype.kind in "iu" and longest >= np.iinfo(dtype).max else "bellman_ford"
    found = run(name, engine, A=edges, distance=graph.start(source, dtype.type(0)), n=np.int64(graph.order))
    if found["near"].nnz:
        raise MeaningError(
            f"vertex {source} reaches a cycle of negative length, so there are no shortest paths", rule="error.meaning"
        )
    return in_dtype(found["distance"], graph.weights.dtype)


def by_buckets(graph: Graph, source: int, delta: float, engine: str) -> Tensor:
    """Shortest paths by buckets of distances. Raises ExpressionError for negative weights, or a width that is not
    positive.

    Edges of infinite length lead nowhere, nor do paths whose length overflows to infinity. Where paths may be so long
    that the largest whole number is no end of a bucket, there are no buckets.
    """
    edges = graph.lengths
    coords, weights = edges.components()
    if not is_real(delta) or not 0 < delta < np.inf:
        raise argument_error(f"delta={abbreviate(delta)} is no width of a bucket", "pass a positive number")
    if np.any(weights < 0):
        hint = "leave delta out"
        raise argument_error("paths by buckets are for weights that are not negative", hint)
    finite = np.isfinite(weights)
    coords, weights = coords[:, finite], weights[finite]
    width = bucket_width(delta, longest_path(graph, weights), edges.dtype)
    if width is None:
        return by_edges(graph, source, engine)
    light = weights <= width
    parts = [tensor(coords[:, kept], weights[kept], edges.shape, "CSR") for kept in (light, ~light)]
    start = graph.start(source, edges.dtype.type(0))
    found = run("delta_stepping", engine, light=parts[0], heavy=parts[1], distance=start, width=width)["distance"]
    return without_infinite(found) if found.dtype.kind == "f" else in_dtype(found, graph.weights.dtype)


def longest_path(graph: Graph, weights: np.ndarray) -> Any:
    """A length that no path of at most as many edges as there are vertices exceeds."""
    return graph.order * weights.max(initial=0).item()


def in_dtype(found: Tensor, dtype: np.dtype) -> Tensor:
    """Lengths of paths in the dtype of the weights. Raises MeaningError for one that does not fit.

    No path of narrow weights is as long as the largest number of 64 bits, which stands for what is absent.
    """
    if found.dtype == dtype:
        return found
    least, most = np.iinfo(dtype).min, int(np.iinfo(dtype).max)
    wrong = found.vals[(found.vals < least) | ((found.vals > most) & (found.vals != found.fill))]
    if wrong.size:
        raise MeaningError(
            f"integer overflow: {wrong[0]} does not fit in {dtype.name}",
            hint="give the weights a wider dtype",
            rule="type.overflow",
        )
    vals = np.minimum(found.vals, most).astype(dtype)
    return replace(found, dtype=dtype, fill=most, vals=vals).mark_trusted()


def without_infinite(found: Tensor) -> Tensor:
    """Lengths of paths but those that are infinite."""
    coords, lengths = found.components()
    reached = np.isfinite(lengths)
    return tensor(coords[:, reached], lengths[reached], found.shape, found.format, fill=found.fill)


def bucket_width(delta: float, longest: float, dtype: np.dtype) -> Any:
    """The width of buckets in a dtype, where no path is longer than `longest`; none for whole numbers of which the
    largest is not beyond such a path and a bucket. Raises ExpressionError if it is lost beside such a length."""
    given = delta.item() if isinstance(delta, np.generic) else delta
    if dtype.kind in "iu":
        whole = min(math.ceil(given), longest + 1)
        return dtype.type(whole) if longest + whole <= np.iinfo(dtype).max else None
    width = dtype.type(min(given, float(np.finfo(dtype).max)))
    with np.errstate(over="ignore"):
        end = dtype.type(longest)
    if np.isfinite(end) and end + width == end:
        raise argument_error(f"delta={delta!r} is less than what lengths of paths tell apart", "pass more")
    return width


def triangles(A: Any, method: str = "sandia_ll", *, engine: str = "c") -> int:
    """The number of triangles of the undirected graph of A; loops do not count. `method` is one of four."""
    if not isinstance(method, str) or method not in TRIANGLES:
        raise argument_error(f"method {method!r} is not known", f"use {', '.join(TRIANGLES)}")
    return int(run(f"triangles_{method}", engine, A=as_graph(A).simple)["triangles"].to_numpy())


def pagerank(A: Any, *, damping: float = 0.85, tolerance: float = 1e-4, limit: int = 100, engine: str = "c") -> Tensor:
    """The PageRank of every vertex, until ranks change by no more than `tolerance` in sum, or after `limit` rounds."""
    if not is_whole(limit) or not 1 <= limit <= np.iinfo(np.int64).max:
        raise argument_error(f"limit={limit!r} is no number of rounds", "pass a whole number from 1 on")
    if not is_real(damping) or not 0 <= damping <= 1:
        raise argument_error(f"damping={damping!r} is no share of the rank", "pass a number from 0 to 1")
    if not is_real(tolerance) or not tolerance >= 0:
        raise argument_error(f"tolerance={tolerance!r} is no change of ranks", "pass a number from 0 on")
    graph = as_graph(A)
    share = 1.0 / max(graph.order, 1)
    given = {"damping": damping, "share": share, "tolerance": tolerance, "limit": np.int64(limit)}
    return run("pagerank", engine, A=graph.counts, rank=np.full(graph.order, share), **given)["rank"]


def k_truss(A: Any, k: int, *, engine: str = "c") -> Tensor:
    """The edges of the k-truss of the undirected graph of A: each is in k - 2 of its triangles or more."""
    if not is_whole(k) or k < 3:
        raise argument_error(f"there is no {abbreviate(k)}-truss", "k is a whole number, 3 or more")
    support = np.int64(min(k - 2, np.iinfo(np.int64).max))
    return run("k_truss", engine, C=as_graph(A).simple, support=support)["C"]


def components(A: Any, *, engine: str = "c") -> Tensor:
    """The least vertex of the connected component of every vertex, in the undirected graph of A."""
    graph = as_graph(A)
    return run("fastsv", engine, A=graph.reflexive)["label"]


def clustering(A: Any, *, engine: str = "c") -> Tensor:
    """The local clustering coefficient of every vertex of the undirected graph of A; 0 with fewer than two
    neighbours."""
    return run("clustering", engine, A=as_graph(A).simple)["coefficient"]


def as_list(sources: Any) -> list[Any]:
    """What is given as several vertices, one by one."""
    try:
        return list(sources)
    except TypeError:
        raise argument_error(f"sources={sources!r} are no vertices", "pass several, as in [0, 2]") from None


def betweenness(A: Any, sources: Any = None, *, engine: str = "c") -> Tensor:
    """The betweenness centrality of every vertex: over shortest paths from some sources, by default all vertices."""
    graph = as_graph(A)
    n = graph.order
    chosen = range(n) if sources is None else as_list(sources)
    for source in chosen:
        graph.check_vertex(source)
    coords = np.array([range(len(chosen)), chosen], dtype=np.int64).reshape(2, -1)
    start = tensor(coords, np.ones(len(chosen)), (len(chosen), n), "CSR")
    return run("betweenness", engine, A=graph.loopless, start=start)["centrality"]


def is_whole(number: Any) -> bool:
    """Whether something is a whole number."""
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def is_real(number: Any) -> bool:
    """Whether something is a real number."""
    return isinstance(number, int | float | np.integer | np.floating) and not isinstance(number, bool)
