"""Locality: how a branched schedule walks through what is stored (SparseAuto, section 5.3, stage 5).

The innermost loop around an assignment decides: a tensor that it does not index stays where it is, one whose last
index it is gives its neighbours, and any other one is left for a component as far away as the later indices span.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import prod
from typing import NamedTuple

from .contraction import Contraction
from .cost import Sizes
from .graph import Branch, Graph, Linear, Loops, part
from .space import Found


class Walk(NamedTuple):
    """The loops around an assignment, outermost first, and the indices of each tensor in it, in storage order."""

    loops: Loops
    tensors: tuple[Loops, ...]


def access_cost(contraction: Contraction, found: Found, sizes: Sizes) -> float:
    """How far apart the components are that follow one another in the innermost loops, added up over all tensors of
    all assignments; 0 for neighbours, and for one that stays."""
    return sum(
        prod(sizes.extents[v] for v in tensor[tensor.index(walk.loops[-1]) + 1 :])
        for walk in walks(contraction, found)
        for tensor in walk.tensors
        if walk.loops and walk.loops[-1] in tensor[:-1]
    )


def disorder(contraction: Contraction, found: Found) -> int:
    """How many neighbouring indices of tensors stand in loops the other way round."""
    return sum(
        walk.loops.index(left) > walk.loops.index(right)
        for walk in walks(contraction, found)
        for tensor in walk.tensors
        for left, right in pairwise(v for v in tensor if v in walk.loops)
    )


def walks(contraction: Contraction, found: Found) -> Iterator[Walk]:
    """The assignments of a branched schedule, producers before consumers."""
    factors = tuple(contraction.operands[n].levels for n in found.order)
    yield from inside(found.graph, factors, contraction.result.levels, ())


def inside(graph: Graph, factors: tuple[Loops, ...], target: Loops, around: Loops) -> Iterator[Walk]:
    """The assignments of a graph over operands with some indices, inside loops. Temporaries are stored as they are
    read."""
    loops = (*around, *graph.loops)
    match graph:
        case Linear():
            yield Walk(loops, (*factors, target))
        case Branch(producer=producer, consumer=consumer):
            filling, reading, place = part(graph, factors)
            kept = tuple(v for v in loops_to(consumer, place) if v in graph.kept)
            yield from inside(producer, filling, kept, loops)
            yield from inside(consumer, (*reading[:place], kept, *reading[place:]), target, loops)


def loops_to(graph: Graph, place: int) -> Loops:
    """The loops around the assignment that reads the operand at a place, outermost first."""
    match graph:
        case Linear(loops=loops):
            return loops
        case Branch(loops=loops, loc=loc, side=side, producer=producer, consumer=consumer):
            on_left = place < loc
            if on_left == (side == "left"):
                return (*loops, *loops_to(producer, place if on_left else place - loc))
            return (*loops, *loops_to(consumer, 1 + place - loc if side == "left" else place))
