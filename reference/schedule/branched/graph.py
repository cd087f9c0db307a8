"""Branched iteration graphs as terms: fused loops around a producer and a consumer, down to linear nests (SparseAuto,
section 4.1).

What fills a temporary and what reads it are graphs themselves. The names of loops alone are the *structure* of a graph:
`i,j,(k | l)`. Several graphs may have one structure, by other operands on either side.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from msgspec import Struct

Loops = tuple[str, ...]
Stored = frozenset[tuple[int, str]]
T = TypeVar("T")


class Linear(Struct, frozen=True, eq=False):
    """Loops directly inside one another around one assignment.

    `stored` says which of them visit only what is stored in which operand, by its number in the contraction.
    """

    loops: Loops
    stored: Stored

    @property
    def depth(self) -> int:
        """How many loops there are around the assignment."""
        return len(self.loops)

    @property
    def memory_depth(self) -> int:
        """There is no temporary."""
        return 0


class Branch(Struct, frozen=True, eq=False):
    """Fused loops around a producer, which fills a temporary, and a consumer, which reads it.

    The producer multiplies the first `loc` operands of the section if `side` is left, else the others; in the consumer
    the temporary stands where they stood. It has the variables `kept`, which both need and which are not fused.
    `depth` is the number of loops around the deepest assignment, `memory_depth` the variables of the largest temporary.
    """

    loops: Loops
    stored: Stored
    loc: int
    side: str
    kept: frozenset[str]
    producer: Graph
    consumer: Graph
    depth: int
    memory_depth: int


Graph = Linear | Branch


def branch(
    loops: Loops, stored: Stored, loc: int, side: str, kept: frozenset[str], producer: Graph, consumer: Graph
) -> Branch:
    """A branch, with its depths."""
    depth = len(loops) + max(producer.depth, consumer.depth)
    memory_depth = max(len(kept), producer.memory_depth, consumer.memory_depth)
    return Branch(loops, stored, loc, side, kept, producer, consumer, depth, memory_depth)


def part(graph: Branch, operands: tuple[T, ...]) -> tuple[tuple[T, ...], tuple[T, ...], int]:
    """What the producer multiplies, what the consumer does beside the temporary, and the place of the temporary.

    >>> nest = Linear(("i",), frozenset())
    >>> part(branch(("i",), frozenset(), 1, "right", frozenset(), nest, nest), ("B", "C", "D"))
    (('C', 'D'), ('B',), 1)
    """
    left, right = operands[: graph.loc], operands[graph.loc :]
    return (left, right, 0) if graph.side == "left" else (right, left, len(left))


def leaves(graph: Graph, stored: Stored = frozenset()) -> Iterator[tuple[frozenset[str], Stored]]:
    """The loops around each assignment, producers before consumers, and which of them visit stored coordinates only."""
    own = graph.stored | stored
    match graph:
        case Linear(loops=loops):
            yield frozenset(loops), own
        case Branch(loops=loops, producer=producer, consumer=consumer):
            for side in (producer, consumer):
                for inside, flags in leaves(side, own):
                    yield inside.union(loops), flags


def temporaries(graph: Graph) -> Iterator[frozenset[str]]:
    """The variables of the temporaries, those around others first, of producers before those of consumers."""
    match graph:
        case Linear():
            return
        case Branch(kept=kept, producer=producer, consumer=consumer):
            yield kept
            yield from temporaries(producer)
            yield from temporaries(consumer)


def structure(graph: Graph) -> str:
    """The names of the loops, as they stand inside one another.

    >>> inner = branch(("j",), frozenset(), 1, "left", frozenset(), *(Linear((v,), frozenset()) for v in "km"))
    >>> structure(branch(("i", "n"), frozenset(), 2, "left", frozenset("m"), inner, Linear(("m", "l"), frozenset())))
    'i,n,(j,(k | m) | m,l)'
    """
    match graph:
        case Linear(loops=loops):
            return ",".join(loops)
        case Branch(loops=loops, producer=producer, consumer=consumer):
            return ",".join([*loops, f"({structure(producer)} | {structure(consumer)})"])
