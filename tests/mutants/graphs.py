"""Mutants of graph algorithms: the forms of graphs, and the listings."""

from __future__ import annotations

from mutant import Mutant

GRAPH = "generator/graphs/graph.py"
EDGES = "generator/graphs/edges.py"

GRAPHS = ("tests/generator/graphs/test_graph.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "graph.1",
        EDGES,
        "return (held + held.T).tocsr()",
        "return held.tocsr()",
        "an undirected graph has the edges that are stored alone",
        GRAPHS,
    ),
    Mutant(
        "graph.2",
        EDGES,
        "kept = found.row != found.col",
        "kept = found.row >= 0",
        "loops count where they must not",
        GRAPHS,
    ),
    Mutant(
        "graph.9",
        EDGES,
        "        if self.matrix.format.dense_leaves:\n",
        "        if False:\n",
        "cells that hold the fill are edges",
        GRAPHS,
    ),
    Mutant(
        "graph.10",
        EDGES,
        "return replace(weights, dtype=wide, vals=weights.vals.astype(wide)).mark_trusted()",
        "return weights",
        "paths that are not the shortest have to fit in narrow integers",
        GRAPHS,
    ),
    Mutant(
        "graph.11",
        GRAPH,
        "finite = np.isfinite(weights)",
        "finite = weights >= 0",
        "edges of infinite length are looked at for ever",
        GRAPHS,
    ),
    Mutant(
        "graph.12",
        GRAPH,
        "end = dtype.type(longest)",
        "end = np.float64(longest)",
        "widths are lost beside lengths of less precision",
        GRAPHS,
    ),
    Mutant(
        "graph.3",
        GRAPH,
        'if found["near"].nnz:',
        "if False:",
        "negative cycles are not reported",
        GRAPHS,
    ),
    Mutant(
        "graph.4",
        "generator/graphs/bfs_levels.gn",
        "frontier(i) * A(i,j)",
        "frontier(i) * A(j,i)",
        "a search that pushes goes along edges backwards",
        GRAPHS,
    ),
    Mutant(
        "graph.5",
        "generator/graphs/pagerank.gn",
        " + damping * lost * share",
        "",
        "the rank of vertices that lead nowhere is lost",
        GRAPHS,
    ),
    Mutant(
        "graph.6",
        "generator/graphs/betweenness.gn",
        "between(s,v)<!$start(s,v)> = dependency(s,v)",
        "between(s,v) = dependency(s,v)",
        "paths count at their sources",
        GRAPHS,
    ),
    Mutant(
        "graph.7",
        "generator/graphs/k_truss.gn",
        "ge(S(i,j), support)",
        "gt(S(i,j), support)",
        "an edge needs a triangle more",
        GRAPHS,
    ),
    Mutant(
        "graph.8",
        "generator/graphs/bfs_parents.gn",
        "frontier(i) * A(i,j)  in min_first",
        "frontier(i) * A(i,j)  in max_first",
        "of several parents the greatest is taken",
        GRAPHS,
    ),
    Mutant(
        "graph.13",
        EDGES,
        "coords, values = drop_fill(coords, values, self.matrix.fill)",
        "coords, values = coords[:, values != self.matrix.fill], values[values != self.matrix.fill]",
        "cells that hold a fill of NaN are edges",
        GRAPHS,
    ),
    Mutant(
        "graph.14",
        EDGES,
        "places, values = sum_duplicates(places, values)",
        "pass",
        "edges that are stored twice wrap around",
        GRAPHS,
    ),
    Mutant(
        "graph.15",
        GRAPH,
        '"bellman_ford_largest" if dtype.kind in "iu" and longest >= np.iinfo(dtype).max else "bellman_ford"',
        '"bellman_ford"',
        "a vertex whose distance is the largest number is not reached",
        GRAPHS,
    ),
    Mutant(
        "graph.16",
        GRAPH,
        "dtype.type(whole) if longest + whole <= np.iinfo(dtype).max else None",
        "dtype.type(whole)",
        "buckets end beyond the largest number",
        GRAPHS,
    ),
    Mutant(
        "graph.17",
        GRAPH,
        "given = delta.item() if isinstance(delta, np.generic) else delta",
        "given = delta",
        "widths that are narrow floats overflow beside the largest number",
        GRAPHS,
    ),
    Mutant(
        "graph.18",
        GRAPH,
        "wrong = found.vals[(found.vals < least) | ((found.vals > most) & (found.vals != found.fill))]",
        "wrong = found.vals[:0]",
        "lengths that do not fit in narrow integers wrap around",
        GRAPHS,
    ),
)
