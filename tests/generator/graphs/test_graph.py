"""Graph algorithms against NetworkX on small graphs of every kind, and against SciPy on larger ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gnomon as gn
import numpy as np
import pytest
import scipy.sparse as sp
from depth import ALL
from gnomon.generator.graphs import graph
from gnomon.reference.errors import ExpressionError, MeaningError
from gnomon.reference.files.samples import karate
from gnomon.reference.procedure.run import run_procedure
from scipy.sparse import csgraph

networkx = pytest.importorskip("networkx")

RNG = np.random.default_rng(20)


def random_graph(n: int, degree: float, *, loops: bool = True) -> sp.csr_array:
    """A random directed graph with positive weights."""
    found = sp.random_array((n, n), density=min(1.0, degree / max(n, 1)), rng=RNG, format="lil")
    if not loops:
        found.setdiag(0)
    found = found.tocsr()
    found.eliminate_zeros()
    return found


GRAPHS = {
    "sparse": random_graph(40, 1.2),
    "dense": random_graph(25, 8.0),
    "symmetric": (lambda a: (a + a.T).tocsr())(random_graph(30, 2.0, loops=False)),
    "disconnected": sp.block_diag([random_graph(12, 2.0), random_graph(9, 2.0)], format="csr"),
    "no edges": sp.csr_array((6, 6)),
    "one vertex": sp.csr_array((1, 1)),
    "a path": sp.diags_array([np.ones(14)], offsets=[1], shape=(15, 15), format="csr"),
}
FEW = ("sparse", "symmetric", "no edges")


def directed(a: sp.csr_array) -> Any:
    """The graph for NetworkX."""
    return networkx.from_scipy_sparse_array(a, create_using=networkx.DiGraph)


def simple(a: sp.csr_array) -> Any:
    """The undirected graph without loops for NetworkX."""
    found = networkx.Graph(networkx.from_scipy_sparse_array(a, create_using=networkx.DiGraph))
    found.remove_edges_from(list(networkx.selfloop_edges(found)))
    return found


def stored(found: Any) -> dict[int, Any]:
    """The components of a sparse vector by vertex."""
    coords, values = found.components()
    return dict(zip(coords[0].tolist(), values.tolist(), strict=True))


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("direction", graph.DIRECTIONS)
def test_levels_of_a_search(name: str, direction: str) -> None:
    a = GRAPHS[name]
    for source in {0, a.shape[0] // 2}:
        expected = networkx.single_source_shortest_path_length(directed(a), source)
        assert stored(graph.bfs(a, source, direction=direction)) == expected


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("direction", graph.DIRECTIONS)
def test_parents_of_a_search_are_one_level_above_and_the_least_of_those(name: str, direction: str) -> None:
    a = GRAPHS[name]
    level = networkx.single_source_shortest_path_length(directed(a), 0)
    before = {v: min((u for u in level if a[u, v] and level[u] == level[v] - 1), default=0) for v in level}
    assert stored(graph.bfs(a, 0, parents=True, direction=direction)) == before


@pytest.mark.parametrize("name", GRAPHS)
def test_shortest_paths(name: str) -> None:
    a = GRAPHS[name]
    expected = networkx.single_source_dijkstra_path_length(directed(a), 0)
    assert stored(graph.sssp(a, 0)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "delta"), [("sparse", 0.3), ("dense", 0.1), ("disconnected", 10.0), ("no edges", 1.0)]
)
def test_shortest_paths_by_buckets(name: str, delta: float) -> None:
    expected = networkx.single_source_dijkstra_path_length(directed(GRAPHS[name]), 0)
    assert stored(graph.sssp(GRAPHS[name], 0, delta=delta)) == pytest.approx(expected, abs=1e-12)


def path(weights: Sequence[float], dtype: str) -> gn.Tensor:
    """A path with some weights."""
    n = len(weights)
    return gn.tensor([range(n), range(1, n + 1)], np.array(weights, dtype), (n + 1, n + 1), "CSR")


@pytest.mark.parametrize("delta", [5, 100, 127, 256, 1000, 10**400, 1e-9])
def test_buckets_may_end_beyond_what_lengths_hold(delta: float) -> None:
    for dtype in ("int8", "uint8", "float32", "float64") if ALL else ("int8", "float64"):
        a = path([60, 60, 1], dtype)
        if not dtype.startswith("float") or delta >= 1:
            found, plain = (graph.sssp(a, 0, delta=width) for width in (delta, None))
            assert found.dtype == dtype and stored(found) == {0: 0, 1: 60, 2: 120, 3: 121} == stored(plain)
            assert found.fill == plain.fill


def test_lengths_beyond_a_dtype_are_reported_with_buckets_and_without() -> None:
    for delta in (None, 1, 1000):
        for engine in graph.ENGINES:
            with pytest.raises(MeaningError, match="integer overflow: 200 does not fit in int8"):
                graph.sssp(path([100, 100], "int8"), 0, delta=delta, engine=engine)


def test_widths_are_compared_in_the_dtype_of_lengths() -> None:
    with pytest.raises(gn.GnomonError, match="less than what lengths of paths tell apart"):
        graph.sssp(path([60, 60, 1], "float32"), 0, delta=1e-6)


@pytest.mark.parametrize("delta", [None, 1.0, 100.0])
def test_edges_of_infinite_length_lead_nowhere(delta: float | None) -> None:
    assert stored(graph.sssp(path([1, np.inf, 1], "float64"), 0, delta=delta)) == {0: 0.0, 1: 1.0}


@pytest.mark.parametrize("delta", [None, 1e307, 1e308])
def test_paths_that_are_too_long_for_a_number_lead_nowhere(delta: float | None) -> None:
    assert stored(graph.sssp(path([1e308, 1e308, 1], "float64"), 0, delta=delta)) == {0: 0.0, 1: 1e308}


@pytest.mark.parametrize("format", ["CSR", "COO", "ELL", "DIA", "BCSR(2,2)", "Dense", "bitmap,bitmap"])
def test_cells_that_a_format_stores_anyhow_are_no_edges(format: str) -> None:
    a = path([3, 4], "float64").convert(format)
    assert stored(graph.bfs(a, 0)) == {0: 0, 1: 1, 2: 2} and stored(graph.sssp(a, 0)) == {0: 0, 1: 3, 2: 7}
    assert graph.triangles(a) == 0 and stored(graph.bfs(a.to_numpy(), 1)) == {1: 0, 2: 1}


@pytest.mark.parametrize("format", ["ColumnMajor", "Dense", "BCSR(2,2)", "DIA", "ELL"])
def test_cells_that_hold_a_fill_of_nan_are_no_edges(format: str) -> None:
    a = gn.tensor([[0, 1], [1, 2]], [3.0, 4.0], (4, 4), format, fill=np.nan)
    assert graph.Graph(a).edges.nnz == 2 and stored(graph.sssp(a, 0)) == {0: 0, 1: 3, 2: 7}


def test_edges_that_are_stored_twice_add_up_or_are_reported() -> None:
    format = "compressed(nonunique,unordered),singleton(nonunique,unordered)"
    coords, narrow = [[0, 0, 1], [1, 1, 2]], np.array([100, 100, 1], np.int8)
    fine = gn.tensor(coords, narrow.astype(np.int16), (3, 3), format, dtype="int16")
    assert stored(graph.sssp(fine, 0)) == {0: 0, 1: 200, 2: 201}
    with pytest.raises(MeaningError, match="duplicates add up to 200, which does not fit in int8"):
        graph.sssp(gn.tensor(coords, narrow, (3, 3), format, dtype="int8"), 0)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64"])
def test_a_length_may_be_the_largest_number_of_its_dtype(dtype: str) -> None:
    most = int(np.iinfo(dtype).max)
    a = path([most - 55, 55, 0, 0], dtype)
    for delta in (None, 1, 100, most):
        if delta != 1 or most < 1000:
            found = graph.sssp(a, 0, delta=delta)
            assert stored(found) == {0: 0, 1: most - 55, 2: most, 3: most, 4: most} and found.dtype == dtype
    assert stored(graph.sssp(a, 0, engine="reference")) == stored(graph.sssp(a, 0))


def test_lengths_below_a_narrow_dtype_are_reported() -> None:
    assert stored(graph.sssp(path([-100, -28], "int8"), 0)) == {0: 0, 1: -100, 2: -128}
    with pytest.raises(MeaningError, match="integer overflow: -129 does not fit in int8"):
        graph.sssp(path([-100, -29], "int8"), 0)


def test_lengths_in_a_narrow_dtype_are_sound_tensors() -> None:
    found = graph.sssp(path([3, 4], "int8"), 1)
    found.validate()
    assert (
        found.fill == 127
        and found.to_numpy().tolist() == [127, 0, 4]
        and stored(found.convert("SparseVector")) == {1: 0, 2: 4}
    )


@pytest.mark.parametrize("delta", [None, 1, 50, 1000])
def test_only_shortest_paths_have_to_fit_in_a_narrow_dtype(delta: float | None) -> None:
    a = sp.csr_array((np.array([100, 100, 10], np.int8), ([0, 1, 0], [1, 2, 2])), shape=(3, 3))
    assert stored(graph.sssp(a, 0, delta=delta)) == {0: 0, 1: 100, 2: 10}


def test_a_path_may_come_back_from_the_largest_number() -> None:
    most = np.iinfo(np.int64).max
    weights = np.array([most, -7, most - 1, -most])
    a = sp.csr_array((weights, ([0, 1, 2, 3], [1, 2, 3, 0])), shape=(4, 4))
    with pytest.raises(gn.GnomonError, match="does not fit"):
        graph.sssp(a, 0)
    assert stored(graph.sssp(a[:3, :3], 0)) == {0: 0, 1: most, 2: most - 7}


def test_zeros_in_a_circle_of_largest_lengths_are_no_negative_cycle() -> None:
    most = np.iinfo(np.int64).max
    a = sp.csr_array((np.array([most, 0, 0]), ([0, 1, 2], [1, 2, 1])), shape=(3, 3))
    assert stored(graph.sssp(a, 0)) == {0: 0, 1: most, 2: most}


@pytest.mark.parametrize("delta", [2**62, 2**63, 2**64, 5.5, 1])
def test_buckets_may_end_beyond_the_largest_number(delta: float) -> None:
    if delta > 10:
        assert stored(graph.sssp(path([2**62, 5], "int64"), 0, delta=delta)) == {0: 0, 1: 2**62, 2: 2**62 + 5}
    assert stored(graph.sssp(path([2**40, 5], "int64"), 0, delta=delta * 2**30)) == {0: 0, 1: 2**40, 2: 2**40 + 5}


@pytest.mark.parametrize("width", [np.float16(2), np.float32(2), np.float64(2), np.int8(2), np.uint64(2)])
def test_widths_may_be_numbers_of_numpy(width: Any) -> None:
    for dtype in ("float32", "float64", "int8"):
        assert stored(graph.sssp(path([1, 2], dtype), 0, delta=width)) == {0: 0, 1: 1, 2: 3}


def test_whole_weights_have_buckets_of_whole_widths() -> None:
    a = sp.csr_array((np.array([3, 1, 1], dtype=np.int8), ([0, 0, 2], [1, 2, 1])), shape=(3, 3))
    assert stored(graph.sssp(a, 0, delta=0.5)) == {0: 0, 1: 2, 2: 1} == stored(graph.sssp(a, 0))


def test_negative_weights_are_added_and_negative_cycles_are_reported() -> None:
    a = sp.csr_array((np.array([4.0, 1.0, -3.0]), ([0, 0, 2], [1, 2, 1])), shape=(4, 4))
    assert stored(graph.sssp(a, 0)) == {0: 0.0, 1: -2.0, 2: 1.0}
    cycle = sp.csr_array((np.array([1.0, -2.0, 5.0]), ([0, 1, 3], [1, 0, 0])), shape=(4, 4))
    for source in (0, 3):
        with pytest.raises(MeaningError, match="a cycle of negative length"):
            graph.sssp(cycle, source)
    assert stored(graph.sssp(cycle, 2)) == {2: 0.0}


@pytest.mark.parametrize("name", GRAPHS)
def test_triangles_are_counted_four_ways(name: str) -> None:
    expected = sum(networkx.triangles(simple(GRAPHS[name])).values()) // 3
    assert [graph.triangles(GRAPHS[name], method) for method in graph.TRIANGLES] == [expected] * 4


@pytest.mark.parametrize("name", GRAPHS)
def test_ranks_of_pages(name: str) -> None:
    a = GRAPHS[name]
    pattern = sp.csr_array((np.ones(a.nnz), a.indices, a.indptr), shape=a.shape)
    expected = networkx.pagerank(directed(pattern), tol=1e-12, max_iter=500)
    found = graph.pagerank(a, tolerance=1e-12, limit=500).to_numpy()
    assert dict(enumerate(found.tolist())) == pytest.approx(expected, abs=1e-9)
    assert found.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("k", [3, 4])
def test_trusses(name: str, k: int) -> None:
    expected = networkx.k_truss(simple(GRAPHS[name]), k).edges
    coords, _ = graph.k_truss(GRAPHS[name], k).components()
    assert {tuple(sorted(e)) for e in coords.T.tolist()} == {tuple(sorted(e)) for e in expected}


def test_no_edge_is_in_more_triangles_than_there_are_numbers() -> None:
    assert [graph.k_truss(karate(), k).nnz for k in (2**63 - 1, 2**63 + 1, 10**30)] == [0, 0, 0]


@pytest.mark.parametrize("name", GRAPHS)
def test_components_have_the_label_of_their_least_vertex(name: str) -> None:
    expected = {v: min(part) for part in networkx.connected_components(simple(GRAPHS[name])) for v in part}
    assert dict(enumerate(graph.components(GRAPHS[name]).to_numpy().tolist())) == expected


@pytest.mark.parametrize("value", [0, 3, 2.5, np.float32(1), True])
def test_a_search_starts_from_a_sparse_vector_with_one_component(value: Any) -> None:
    found, wanted = graph.Graph(karate()).start(5, value), gn.tensor([[5]], np.array([value]), (34,), "SparseVector")
    assert (found == wanted) is True and repr(found) == repr(wanted) and type(found.fill) is type(wanted.fill)
    assert all(np.array_equal(array, wanted.levels[0][name]) for name, array in found.levels[0].items())
    assert all(array.dtype == wanted.levels[0][name].dtype for name, array in found.levels[0].items())
    found.validate()


def test_trees_on_a_long_path_grow_together_in_few_rounds() -> None:
    """Labels that only spread would take as many rounds as there are vertices."""
    order = np.random.default_rng(3).permutation(2000)
    path = sp.coo_array((np.ones(1999), (order[1:], order[:-1])), shape=(2000, 2000)).tocsr()
    operands = {"A": graph.Graph(path).reflexive}
    found = run_procedure(graph.listing("fastsv"), operands, graph.KERNELS, rounds=12)
    assert not found["label"].to_numpy().any()


@pytest.mark.parametrize("name", GRAPHS)
def test_clustering(name: str) -> None:
    expected = networkx.clustering(simple(GRAPHS[name]))
    assert dict(enumerate(graph.clustering(GRAPHS[name]).to_numpy().tolist())) == pytest.approx(expected)


@pytest.mark.parametrize("name", GRAPHS)
def test_betweenness(name: str) -> None:
    plain = directed(GRAPHS[name])
    plain.remove_edges_from(list(networkx.selfloop_edges(plain)))
    expected = networkx.betweenness_centrality(plain, normalized=False)
    assert dict(enumerate(graph.betweenness(GRAPHS[name]).to_numpy().tolist())) == pytest.approx(expected)
    some = networkx.betweenness_centrality_subset(plain, [0], list(plain), normalized=False)
    assert dict(enumerate(graph.betweenness(GRAPHS[name], [0]).to_numpy().tolist())) == pytest.approx(some)


@pytest.mark.every(2)
@pytest.mark.parametrize("name", FEW)
def test_the_reference_gives_the_same(name: str) -> None:
    a = GRAPHS[name]
    runs: list[Callable[[str], Any]] = [
        lambda engine: stored(graph.bfs(a, 0, engine=engine)),
        lambda engine: stored(graph.bfs(a, 0, parents=True, direction="pull", engine=engine)),
        lambda engine: stored(graph.sssp(a, 0, engine=engine)),
        lambda engine: graph.triangles(a, "cohen", engine=engine),
        lambda engine: graph.components(a, engine=engine).to_numpy().tolist(),
        lambda engine: graph.k_truss(a, 3, engine=engine).nnz,
    ]
    for run in runs:
        assert run("reference") == run("c")


def test_larger_graphs_agree_with_scipy() -> None:
    a = random_graph(3000, 4.0)
    levels = csgraph.shortest_path(a, unweighted=True, indices=7)
    assert stored(graph.bfs(a, 7)) == {v: int(d) for v, d in enumerate(levels.tolist()) if np.isfinite(d)}
    lengths = csgraph.dijkstra(a, indices=7)
    assert stored(graph.sssp(a, 7)) == pytest.approx({v: d for v, d in enumerate(lengths.tolist()) if np.isfinite(d)})
    _, labels = csgraph.connected_components(a, directed=False)
    first: dict[int, int] = {}
    expected = [first.setdefault(label, v) for v, label in enumerate(labels.tolist())]
    assert graph.components(a).to_numpy().tolist() == expected
    b = random_graph(400, 12.0)
    pattern = (b + b.T).astype(bool).astype(np.int64).tolil()
    pattern.setdiag(0)
    pattern = pattern.tocsr()
    assert graph.triangles(b) == (pattern @ pattern).multiply(pattern).sum() // 6


def test_the_karate_club_is_as_known() -> None:
    a = karate()
    assert graph.triangles(a) == 45
    assert max(stored(graph.bfs(a, 0)).values()) == 3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda a: graph.bfs(a, 40), "40 is no vertex"),
        (lambda a: graph.bfs(a, -1), "-1 is no vertex"),
        (lambda a: graph.bfs(a, True), "True is no vertex"),
        (lambda a: graph.sssp(a, 1.0), "1.0 is no vertex"),
        (lambda a: graph.betweenness(a, [0, 99]), "99 is no vertex"),
        (lambda a: graph.sssp(a.astype(complex), 0), "weights of dtype complex128"),
        (lambda a: graph.sssp(a.astype(bool), 0), "weights of dtype bool"),
        (lambda a: graph.sssp(a * np.nan, 0), "a weight is NaN"),
        (lambda a: graph.bfs(a, 0, direction="sideways"), "direction 'sideways' is not known"),
        (lambda a: graph.sssp(a, 0, delta=0.0), "delta=0.0 is no width"),
        (lambda a: graph.sssp(a, 0, delta=np.inf), "delta=inf is no width"),
        (lambda a: graph.sssp(a, 0, delta="1"), "delta='1' is no width"),
        (lambda a: graph.sssp(a, 0, delta=1e-30), "delta=1e-30 is less than what lengths of paths tell apart"),
        (lambda a: graph.betweenness(a, 1), "sources=1 are no vertices"),
        (lambda a: graph.bfs(a, 0, direction=[]), "direction .* is not known"),
        (lambda a: graph.k_truss(a, 3.5), "there is no 3.5-truss"),
        (lambda a: graph.k_truss(a, "3"), "there is no '3'-truss"),
        (lambda a: graph.pagerank(a, limit="3"), "limit='3' is no number of rounds"),
        (lambda a: graph.pagerank(a, damping=2.0), "damping=2.0 is no share"),
        (lambda a: graph.pagerank(a, tolerance=np.nan), "tolerance=nan is no change"),
        (lambda a: graph.sssp(-a, 0, delta=1.0), "weights that are not negative"),
        (lambda a: graph.triangles(a, "naive"), "method 'naive' is not known"),
        (lambda a: graph.k_truss(a, 2), "there is no 2-truss"),
        (lambda a: graph.components(a[:3]), "a graph is a square matrix"),
        (lambda a: graph.components(a, engine="gpu"), "engine 'gpu' is not known"),
    ],
)
def test_what_has_no_answer_is_refused(call: Callable[[Any], Any], message: str) -> None:
    with pytest.raises(ExpressionError, match=message):
        call(GRAPHS["sparse"])
