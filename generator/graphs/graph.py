"""Graph algorithms: procedures in index notation, run by kernels (COMET, section V; LAGraph).

Each function reads its `.gn` file, which is the algorithm, and makes its operands of a matrix A: an edge from i to j is
a stored component A(i,j), whatever its value. `engine="reference"` interprets the steps instead.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import scipy.sparse

from ...reference.errors import ExpressionError, MeaningError
from ...reference.files.scipy_arrays import from_scipy
from ...reference.procedure.parser import parse_procedure
from ...reference.procedure.run import Engine, by_reference, is_same, run_procedure
from ...reference.procedure.syntax import Procedure
from ...reference.schedule.preparation import as_tensor
from ...reference.storage.packing import tensor
from ...reference.storage.tensor import Tensor
from ..runtime.steps import KernelSteps

KERNELS = KernelSteps()
ENGINES: dict[str, Engine] = {"c": KERNELS, "reference": by_reference}
TRIANGLES = ("burkhardt", "cohen", "sandia_ll", "sandia_uu")
COUNTS = np.dtype("int64")


@cache
def listing(name: str) -> Procedure:
    """The procedure of an algorithm, as its `.gn` file has it.

    >>> listing("components").parameters
    ('A', 'label')
    """
    return parse_procedure((files(__package__) / f"{name}.gn").read_text())


def run(name: str, engine: str, **operands: Any) -> dict[str, Tensor]:
    """What the procedure of an algorithm gives."""
    if engine not in ENGINES:
        raise ExpressionError(f"engine {engine!r} is not known", hint=f"use {' or '.join(ENGINES)}")
    return run_procedure(listing(name), operands, ENGINES[engine])


def bfs(A: Any, source: int, *, parents: bool = False, pull: bool = False, engine: str = "c") -> Tensor:
    """The level of every vertex that is reached from a source, which has level 0; with `parents`, the vertex before it.

    The source is its own parent; of several, the least vertex is the parent. With `pull` each vertex that is not
    reached yet looks for the frontier among its neighbours, else the frontier looks for them.
    """
    edges = graph(A, format="CSC" if pull else "CSR")
    check_vertex(source, edges)
    if parents:
        start = vector(edges, [source], [source])
        return run("bfs_parents", engine, A=edges, frontier=start, vertex=vertices(edges))["parents"]
    return run("bfs_levels", engine, A=edges, frontier=vector(edges, [source], [0]), one=np.int64(1))["levels"]


def sssp(A: Any, source: int, *, delta: float | None = None, engine: str = "c") -> Tensor:
    """The length of the shortest path from a source to every vertex that it reaches, by the values of A.

    With `delta`, by buckets of distances of that width, for which weights may not be negative. Raises MeaningError for
    a cycle of negative length that the source reaches.
    """
    edges = graph(A, weights=True)
    check_vertex(source, edges)
    start = vector(edges, [source], np.zeros(1, edges.dtype))
    if delta is not None:
        return by_buckets(edges, start, delta, engine)
    found = run("bellman_ford", engine, A=edges, distance=start, n=np.int64(edges.shape[0]))
    if not is_same(found["distance"], found["before"]):
        raise MeaningError(f"vertex {source} reaches a cycle of negative length, so there are no shortest paths")
    return found["distance"]


def by_buckets(edges: Tensor, start: Tensor, delta: float, engine: str) -> Tensor:
    """Shortest paths by buckets of distances. Raises ExpressionError for negative weights, or a width that is not
    positive."""
    coords, weights = edges.components()
    if not delta > 0:
        raise ExpressionError(f"delta={delta!r} is no width of a bucket", hint="pass a positive number")
    if np.any(weights < 0):
        hint = "leave delta out"
        raise ExpressionError("paths by buckets are for weights that are not negative", hint=hint)
    light = weights <= delta
    parts = [tensor(coords[:, kept], weights[kept], edges.shape, "CSR") for kept in (light, ~light)]
    width = edges.dtype.type(np.ceil(delta) if edges.dtype.kind in "iu" else delta)
    return run("delta_stepping", engine, light=parts[0], heavy=parts[1], distance=start, width=width)["distance"]


def triangles(A: Any, method: str = "sandia_ll", *, engine: str = "c") -> int:
    """The number of triangles of the undirected graph of A; loops do not count. `method` is one of four."""
    if method not in TRIANGLES:
        raise ExpressionError(f"method {method!r} is not known", hint=f"use {', '.join(TRIANGLES)}")
    edges = graph(A, undirected=True, loops=False, dtype=COUNTS)
    more = {} if method == "burkhardt" else {"vertex": vertices(edges)}
    return int(run(f"triangles_{method}", engine, A=edges, **more)["triangles"].to_numpy())


def pagerank(A: Any, *, damping: float = 0.85, tolerance: float = 1e-4, limit: int = 100, engine: str = "c") -> Tensor:
    """The PageRank of every vertex, until ranks change by no more than `tolerance` in sum, or after `limit` rounds."""
    edges = graph(A, dtype=COUNTS)
    n = edges.shape[0]
    rank = np.full(n, 1.0 / max(n, 1))
    given = {"damping": damping, "share": 1.0 / max(n, 1), "tolerance": tolerance, "limit": np.int64(limit)}
    return run("pagerank", engine, A=edges, rank=rank, **given)["rank"]


def k_truss(A: Any, k: int, *, engine: str = "c") -> Tensor:
    """The edges of the k-truss of the undirected graph of A: each is in k - 2 of its triangles or more."""
    if k < 3:
        raise ExpressionError(f"there is no {k}-truss", hint="k is 3 or more")
    edges = graph(A, undirected=True, loops=False, dtype=COUNTS)
    return run("k_truss", engine, C=edges, support=np.int64(k - 2))["C"]


def components(A: Any, *, engine: str = "c") -> Tensor:
    """The least vertex of the connected component of every vertex, in the undirected graph of A."""
    edges = graph(A, undirected=True)
    return run("components", engine, A=edges, label=vertices(edges))["label"]


def clustering(A: Any, *, engine: str = "c") -> Tensor:
    """The local clustering coefficient of every vertex of the undirected graph of A; 0 with fewer than two
    neighbours."""
    return run("clustering", engine, A=graph(A, undirected=True, loops=False, dtype=COUNTS))["coefficient"]


def betweenness(A: Any, sources: Any = None, *, engine: str = "c") -> Tensor:
    """The betweenness centrality of every vertex: over shortest paths from some sources, by default all vertices."""
    edges = graph(A, loops=False)
    n = edges.shape[0]
    chosen = range(n) if sources is None else list(sources)
    for source in chosen:
        check_vertex(source, edges)
    coords = np.array([range(len(chosen)), chosen], dtype=np.int64).reshape(2, -1)
    start = tensor(coords, np.ones(len(chosen)), (len(chosen), n), "CSR")
    return run("betweenness", engine, A=edges, start=start)["centrality"]


def graph(
    A: Any,
    *,
    weights: bool = False,
    undirected: bool = False,
    loops: bool = True,
    dtype: np.dtype | None = None,
    format: str = "CSR",
) -> Tensor:
    """The edges of a matrix: ones, or its values as `weights`; `undirected`, each edge both ways; with `loops` or not.

    Raises ExpressionError for what is no square matrix, or for weights that have no order.
    """
    given = as_tensor("A", A)
    if len(given.shape) != 2 or given.shape[0] != given.shape[1]:
        raise ExpressionError(f"A has shape {given.shape}, but a graph is a square matrix")
    if weights and given.dtype.kind in "bc":
        raise ExpressionError(f"weights of dtype {given.dtype.name} cannot be added and compared")
    coords, values = given.components()
    if not loops:
        keep = coords[0] != coords[1]
        coords, values = coords[:, keep], values[keep]
    held = values if weights else np.ones(len(values), np.bool_)
    matrix = scipy.sparse.coo_array((held, tuple(coords)), shape=given.shape).tocsr()
    if undirected:
        matrix = (matrix + matrix.T).tocsr()
    if not weights and dtype is not None:
        matrix.data = np.ones(matrix.nnz, dtype)
    return from_scipy(matrix.tocsc() if format == "CSC" else matrix)


def vertices(edges: Tensor) -> np.ndarray:
    """The vertices of a graph, each at its own coordinate."""
    return np.arange(edges.shape[0], dtype=np.int64)


def vector(edges: Tensor, at: list[int], values: Any) -> Tensor:
    """A sparse vector over the vertices of a graph."""
    return tensor([at], np.asarray(values), (edges.shape[0],), "SparseVector")


def check_vertex(vertex: Any, edges: Tensor) -> None:
    """Refuse what is no vertex of a graph."""
    n = edges.shape[0]
    if not isinstance(vertex, int | np.integer) or isinstance(vertex, bool) or not 0 <= vertex < n:
        raise ExpressionError(f"{vertex!r} is no vertex", hint=f"vertices are the numbers from 0 to {n - 1}")
