"""Searches: what the listings of breadth-first search and of Bellman and Ford's shortest paths keep round by round.

The listing itself is run, on all graphs of up to four vertices at once, and compared with the paths that there are.
That is no proof for larger graphs, and is called bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial, reduce
from itertools import pairwise, permutations

from ....generator.graphs.graph import listing
from ..obligation import Obligation
from ..solver import Term, decide, z3
from ..verdict import Bounded, Proved, Verdict, together
from .symbolic_run import ABSENT, NUMBERS, Cell, Cells, SymbolicRun, number

MOST = 4
RULES = ("procedure.steps", "procedure.loop", "procedure.meaning")
Edges = dict[tuple[int, ...], Cell]
Claims = Callable[[int], tuple[list[Term], list[Term]]]


def obligations() -> tuple[Obligation, ...]:
    """What searches from the first vertex of a graph keep."""
    return (
        Obligation(
            "procedures.bfs.levels",
            "After k rounds of bfs_levels a vertex has a level if a path of at most k edges leads there, the length of "
            "the shortest one, whatever directions the rounds take; after n rounds the frontier is empty.",
            partial(check_small_graphs, levels_are_distances),
            RULES,
        ),
        Obligation(
            "procedures.bfs.parents",
            "After n rounds of bfs_parents every vertex that is reached has as its parent the least of those that an "
            "edge leads from and that are one step nearer to the source.",
            partial(check_small_graphs, parents_are_nearer),
            RULES,
        ),
        Obligation(
            "procedures.sssp.distances",
            "Where no weight is negative, n rounds of bellman_ford, and of bellman_ford_largest, give every vertex the "
            "length of the shortest path, and the last of them makes none less.",
            partial(check_small_graphs, distances_are_least),
            RULES,
            slow=True,
        ),
        Obligation(
            "procedures.components.labels",
            "On an undirected graph n rounds of fastsv give every vertex the least one that a path leads from, and the "
            "last of them finds no edge between trees.",
            partial(check_small_graphs, labels_are_least),
            RULES,
        ),
    )


def check_small_graphs(claims: Claims) -> Verdict:
    """Whether claims about graphs of so many vertices hold, as far as they are looked at."""
    verdict = together(decide(z3.And(goals), given=given) for n in range(1, MOST + 1) for goals, given in [claims(n)])
    return Bounded(f"graphs of at most {MOST} vertices") if isinstance(verdict, Proved) else verdict


def edges(n: int) -> Edges:
    """Edges that may be there or not, with weights of which nothing is known."""
    return {
        (u, v): Cell(z3.Bool(f"edge {u} {v}"), NUMBERS.variable(f"weight {u} {v}")) for u in range(n) for v in range(n)
    }


def source(n: int, value: float) -> Cells:
    """A vector that holds a value at the first vertex alone."""
    return {(v,): number(value) if v == 0 else ABSENT for v in range(n)}


def paths(n: int, start: int, end: int) -> Iterator[tuple[int, ...]]:
    """The paths from one vertex to another that come to none twice."""
    inner = [v for v in range(n) if v not in (start, end)]
    for count in range(len(inner) + 1):
        for middle in permutations(inner, count):
            yield (start, *middle, end) if start != end else (start,)
        if start == end:
            return


def leads(graph: Edges, path: tuple[int, ...]) -> Term:
    """Whether all edges of a path are there."""
    return z3.And([graph[edge].present for edge in pairwise(path)])


def within(graph: Edges, n: int, vertex: int, steps: int) -> Term:
    """Whether a path of at most so many edges leads from the first vertex to another."""
    return z3.Or([leads(graph, path) for path in paths(n, 0, vertex) if len(path) - 1 <= steps])


def same(cell: Cell, present: Term, value: Term) -> Term:
    """Whether a component is present where it must be, with the value that it must have."""
    return z3.And(cell.present == present, z3.Implies(present, cell.value == value))


def distance(graph: Edges, n: int, vertex: int) -> Term:
    """The number of edges of the shortest path from the first vertex, if there is one."""
    found = NUMBERS.constant(n)
    for steps in reversed(range(n)):
        found = z3.If(within(graph, n, vertex, steps), NUMBERS.constant(steps), found)
    return found


def levels_are_distances(n: int) -> tuple[list[Term], list[Term]]:
    """The claims of `procedures.bfs.levels`."""
    graph = {edge: Cell(cell.present, NUMBERS.constant(1)) for edge, cell in edges(n).items()}
    run = SymbolicRun(n, {"A": graph, "B": graph, "frontier": source(n, 0)})
    rounds = run.run(listing("bfs_levels"), n)
    goals = run.agree + [
        same(held["levels"][v,], within(graph, n, v, k), distance(graph, n, v))
        for k, held in enumerate(rounds, 1)
        for v in range(n)
    ]
    return [*goals, *(z3.Not(cell.present) for cell in rounds[-1]["frontier"].values())], []


def parents_are_nearer(n: int) -> tuple[list[Term], list[Term]]:
    """The claims of `procedures.bfs.parents`."""
    graph = edges(n)
    run = SymbolicRun(n, {"A": graph, "B": graph, "frontier": source(n, 0)})
    (*_, held) = run.run(listing("bfs_parents"), n)
    goals = [*run.agree, same(held["parents"][0,], z3.BoolVal(True), NUMBERS.constant(0))]
    for v in range(1, n):
        parent = NUMBERS.constant(n)
        for u in reversed(range(n)):
            nearer = z3.And(
                graph[u, v].present,
                within(graph, n, u, n),
                distance(graph, n, u) + 1 == distance(graph, n, v),
            )
            parent = z3.If(nearer, NUMBERS.constant(u), parent)
        goals.append(same(held["parents"][v,], within(graph, n, v, n), parent))
    return goals, []


def distances_are_least(n: int) -> tuple[list[Term], list[Term]]:
    """The claims of `procedures.sssp.distances`, and that no weight is negative."""
    graph = edges(n)
    goals = []
    for name in ("bellman_ford", "bellman_ford_largest"):
        (*_, held) = SymbolicRun(n, {"A": graph, "distance": source(n, 0)}).run(listing(name), n)
        for v in range(n):
            goals += [is_least(graph, n, v, held["distance"][v,]), z3.Not(held["near"][v,].present)]
    return goals, [cell.value >= 0 for cell in graph.values()]


def is_least(graph: Edges, n: int, vertex: int, cell: Cell) -> Term:
    """Whether a vertex has the length of the shortest path from the first one, if a path leads there."""
    ways = [(leads(graph, path), length(graph, path)) for path in paths(n, 0, vertex)]
    reached = z3.Or([way for way, _ in ways])
    least = z3.And([z3.Implies(way, cell.value <= long) for way, long in ways])
    attained = z3.Or([z3.And(way, cell.value == long) for way, long in ways])
    return z3.And(cell.present == reached, z3.Implies(reached, z3.And(least, attained)))


def length(graph: Edges, path: tuple[int, ...]) -> Term:
    """The sum of the weights of a path."""
    return reduce(lambda total, edge: total + graph[edge].value, pairwise(path), NUMBERS.constant(0))


def labels_are_least(n: int) -> tuple[list[Term], list[Term]]:
    """The claims of `procedures.components.labels`, and that edges lead both ways and from each vertex to itself."""
    graph = edges(n)
    (*_, held) = SymbolicRun(n, {"A": graph}).run(listing("fastsv"), n)
    goals = [z3.Not(cell.present) for cell in held["N"].values()]
    for v in range(n):
        least = NUMBERS.constant(n)
        for u in reversed(range(n)):
            least = z3.If(z3.Or([leads(graph, path) for path in paths(n, u, v)]), NUMBERS.constant(u), least)
        goals.append(same(held["label"][v,], z3.BoolVal(True), least))
    loops = [graph[v, v].present for v in range(n)]
    return goals, [*loops, *(graph[u, v].present == graph[v, u].present for u in range(n) for v in range(n))]
