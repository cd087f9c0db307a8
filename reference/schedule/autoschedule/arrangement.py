"""Arrangements: the order of the loops of a partition, and what runs in parallel (Senanayake 2020, section 6.2).

Orders are those that keep to the storage order of sparse operands and of the result, and to that of dense operands as
far as the others allow. Only the outermost loop runs on threads, and it must not count what several loops were
collapsed into. A split has to change something: its parts are apart, or one of them is parallel. Beyond the paper, the
authors of which add this by hand, the innermost loop of a simple nest may run on vector lanes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from ...errors import ScheduleError
from ...statement.expansion import remaining_loops
from ...statement.iteration_graph import is_random_access
from ...statement.relation import Collapse
from ...statement.staging import appended_variables
from ...statement.statement import Assign, Forall, Program, Statement, assignments, reads
from ..command import Command
from ..commands import run
from ..legality import check
from .partition import Partition
from .template import Purpose, Template

Edge = tuple[str, str]
THREADS, LANES = "CPUThread", "CPUVector"
SETTLED_BY = ("NoRaces", "ParallelReduction", "Temporary", "Atomics")


def arrangements(partition: Partition) -> Iterator[Template]:
    """The templates of a partition."""
    edges = dense_order(partition, sparse_order(partition))
    for order in orders(partition.loops, edges):
        innermost = order[-1:] if is_whole(partition.program) else ()
        ordered = in_order(partition, order)
        for threads in (None, *order[:1]):
            shared = on_unit(ordered, threads, THREADS)
            for lanes in (None, *innermost):
                found = on_unit(shared, lanes, LANES)
                if found is not None and not idle(partition, order, (threads, lanes)):
                    yield Template(found.commands, purposes(partition, threads))


def is_whole(program: Program) -> bool:
    """Whether the outermost loops that stand directly inside one another are all the loops."""
    s: Statement = program.statement
    while isinstance(s, Forall):
        s = s.body
    return isinstance(s, Assign)


def sparse_order(partition: Partition) -> frozenset[Edge]:
    """Which loops come before which, since levels are reached below one another and results are appended to."""
    program, formats = partition.program, partition.program.formats
    found = set(partition.splits)
    for access in reads(program.statement):
        for k, level in enumerate(formats[access.tensor].levels):
            if k and not is_random_access(level):
                found |= pairs(partition, access.levels[k - 1], access.levels[k])
    for leaf in assignments(program.statement):
        for earlier, later in pairwise(appended_variables(program, leaf.target, partition.loops)):
            found |= pairs(partition, earlier, later)
    return frozenset(found)


def dense_order(partition: Partition, edges: frozenset[Edge]) -> frozenset[Edge]:
    """The edges, and those that walk dense tensors as they lie in memory, as far as they contradict nothing."""
    program, formats = partition.program, partition.program.formats
    targets = [leaf.target for leaf in assignments(program.statement)]
    for access in dict.fromkeys([*targets, *reads(program.statement)]):
        if not access.levels or not formats[access.tensor].is_whole:
            continue
        for u, w in pairwise(access.levels):
            earlier, later = loops_of(partition, u)[-1:], loops_of(partition, w)[-1:]
            edge = (earlier + later) if earlier and later and earlier != later else ()
            if len(edge) == 2 and not reaches(edges, edge[1], edge[0]):
                edges |= {(edge[0], edge[1])}
    return edges


def pairs(partition: Partition, u: str, w: str) -> set[Edge]:
    """Every loop of one variable before every loop of another; nothing between loops that count through both."""
    before, behind = loops_of(partition, u), loops_of(partition, w)
    return {(a, b) for a in before for b in behind} if not set(before) & set(behind) else set()


def loops_of(partition: Partition, variable: str) -> tuple[str, ...]:
    """The loops that a variable has become."""
    graph = partition.program.provenance
    return tuple(v for v in remaining_loops(graph, variable, partition.loops) if v in partition.loops)


def reaches(edges: frozenset[Edge], start: str, end: str) -> bool:
    """Whether one loop must come before another."""
    return start == end or any(a == start and reaches(edges, b, end) for a, b in edges)


def orders(loops: Sequence[str], edges: frozenset[Edge]) -> Iterator[tuple[str, ...]]:
    """The orders of loops in which every edge points inward.

    >>> list(orders("ijk", frozenset({("i", "k")})))
    [('i', 'j', 'k'), ('i', 'k', 'j'), ('j', 'i', 'k')]
    """
    if not loops:
        yield ()
    for first in loops:
        rest = [v for v in loops if v != first]
        if not any((v, first) in edges for v in rest):
            for order in orders(rest, edges):
                yield (first, *order)


def in_order(partition: Partition, order: tuple[str, ...]) -> Partition | None:
    """The partition with its loops in an order; None if that is not legal."""
    return partition if order == partition.loops else extend(partition, Command("reorder", order))


def on_unit(found: Partition | None, variable: str | None, unit: str) -> Partition | None:
    """The partition with a loop, if any, on a unit, by the first race strategy that settles it; None if none does."""
    if found is None or variable is None:
        return found
    if unit == THREADS and isinstance(found.program.provenance.derivation_of(variable), Collapse):
        return None
    every = (extend(found, Command("parallelize", (variable, unit, strategy))) for strategy in SETTLED_BY)
    return next((each for each in every if each is not None), None)


def extend(found: Partition, command: Command) -> Partition | None:
    """The partition with one more command; None if that is not legal, or its result would need a workspace then."""
    try:
        program = run(command, found.program)
        check(program)
    except ScheduleError:
        return None
    if program.staging is not None and found.program.staging is None:
        return None
    return replace(found, commands=(*found.commands, command), program=program)


def idle(partition: Partition, order: tuple[str, ...], tagged: tuple[str | None, ...]) -> bool:
    """Whether some split changes nothing: its loops follow one another, with no copy between them."""
    neighbours = set(pairwise(order))
    return any(split in neighbours and not set(split) & set(tagged) for split in partition.splits)


def purposes(partition: Partition, threads: str | None) -> dict[str, Purpose]:
    """What each split is for."""
    graph, found = partition.program.provenance, {}
    for outer, inner in partition.splits:
        match graph.is_position(outer), threads == outer:
            case True, shared:
                found[inner] = Purpose.SHARE_OF_POSITIONS if shared else Purpose.TILE_OF_POSITIONS
            case False, shared:
                found[inner] = Purpose.SHARE_OF_COORDINATES if shared else Purpose.TILE
    return found
