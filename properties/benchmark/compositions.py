"""Graph algorithms composed of the operations of python-graphblas, as its users write them: peers of ours."""

from __future__ import annotations

from typing import Any

import numpy as np

from .case import Action
from .graphblas import peer, to_graphblas

DAMPING, TOLERANCE = 0.85, 1e-4


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
