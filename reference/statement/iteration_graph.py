"""Iteration graphs: which loop must enclose which (Kjolstad 2017, section 4; Chou 2018, section 4.1).

Nodes are loop variables; every tensor access is a path through the variables of its storage levels, and each step of
the path is an edge from a variable to one that must be looped over further in. A step into a full level that offers
`locate` can also be taken later, by random access, so that edge is a preference only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from ..levels.level import Insert, Level, Locate
from ..notation.syntax import Access
from ..storage.format import Format
from .provenance import Provenance
from .relation import Same, Split


class Edge(Struct, frozen=True):
    """`source` is looped over outside `sink`, because of `access`; `hard` unless the level can be located."""

    source: str
    sink: str
    access: Access | None
    hard: bool


class IterationGraph(Struct, frozen=True):
    """The variables in order of preference, and the edges of all tensor paths."""

    variables: tuple[str, ...]
    edges: tuple[Edge, ...]

    def along(self, accesses: Collection[Access]) -> IterationGraph:
        """The graph with the paths of some accesses alone, beside edges that are no path's."""
        return IterationGraph(self.variables, tuple(e for e in self.edges if e.access is None or e.access in accesses))

    def order(self) -> tuple[str, ...]:
        """A loop order that satisfies every hard edge, and soft ones where it can; shorter if there is a conflict."""
        placed: list[str] = []
        while True:
            waiting = [v for v in self.variables if v not in placed]
            ready = [v for v in waiting if not self.is_blocked(v, placed, hard_only=True)]
            if not ready:
                return tuple(placed)
            placed.append(next((v for v in ready if not self.is_blocked(v, placed, hard_only=False)), ready[0]))

    def is_blocked(self, variable: str, placed: Sequence[str], *, hard_only: bool) -> bool:
        """Whether a variable still waits for another."""
        return any(
            e.sink == variable and e.source not in placed and e.source != variable and (e.hard or not hard_only)
            for e in self.edges
        )

    def conflict(self) -> tuple[Edge, ...]:
        """The hard edges of one cycle; empty if a loop order exists."""
        placed = self.order()
        left = [v for v in self.variables if v not in placed]
        if not left:
            return ()
        trail: list[Edge] = []
        variable = left[0]
        while all(e.sink != variable for e in trail):
            edge = next(e for e in self.edges if e.hard and e.sink == variable and e.source in left)
            trail.append(edge)
            variable = edge.source
        start = next(n for n, e in enumerate(trail) if e.sink == variable)
        return tuple(trail[start:])


def is_random_access(level: Level) -> bool:
    """Whether the level holds every coordinate and finds it: it need not be iterated, and may be read late."""
    return isinstance(level, Locate) and bool(level.full)


def operand_edges(access: Access, format: Format, loops: Mapping[str, tuple[str, ...]]) -> list[Edge]:
    """The tensor path of an operand: each level after the coordinates of all levels above it."""
    edges = []
    for k, (variable, level) in enumerate(zip(access.levels, format.levels, strict=True)):
        for parent in access.levels[:k]:
            sink = loops[variable][-1]
            edges += [Edge(v, sink, access, not is_random_access(level)) for v in loops[parent] if v != sink]
    return edges


def derived_edges(graph: Provenance, loops: Iterable[str], known: Collection[str]) -> Iterator[Edge]:
    """The loops, of those that are known, that give the values on which the range of others depends, which a format
    derives."""
    for v in loops:
        match graph.format_relation_of(v):
            case Same(original=source):
                pass
            case Split(outer=source, inner=inner) if inner == v:
                pass
            case _:
                continue
        yield from (Edge(u, v, None, True) for u in graph.loops(source, known) or () if u != v)


def result_edges(access: Access, format: Format, loops: Mapping[str, tuple[str, ...]]) -> list[Edge]:
    """The tensor path of the result: appended coordinates arrive in storage order, inserted ones in any."""
    edges = []
    for k, (variable, level) in enumerate(zip(access.levels, format.levels, strict=True)):
        inner = loops[variable]
        for outer in (v for parent in access.levels[:k] for v in loops[parent]):
            edges += [Edge(outer, v, access, not isinstance(level, Insert)) for v in inner if v != outer]
    return edges


def appended_prefix(access: Access, format: Format, loops: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The loops that must be outermost, in this order, for the result to be assembled directly.

    They reach down to the last level that is not inserted into: no other loop may interrupt the visit of a fiber
    that is being appended to (section 3.4, append).
    """
    last = max((k for k, level in enumerate(format.levels) if not isinstance(level, Insert)), default=-1)
    return tuple(dict.fromkeys(v for variable in access.levels[: last + 1] for v in loops[variable]))
