"""What a branched schedule costs: time and auxiliary memory, symbolically (SparseAuto, section 3).

Time is a sum over the assignments, of the products of how often the loops around each run. A loop counts its extent,
or what is stored where it visits only that: `nnz(B(i,j))` is the number of pairs (i,j) that B holds components of.
Memory is a sum over the temporaries, of the products of the extents of their variables. Initialising temporaries and
the operations of an assignment are not counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

from msgspec import Struct

from .contraction import Contraction
from .graph import Stored, leaves, temporaries
from .space import Found


class Leaf(Struct, frozen=True):
    """The loops around an assignment, and which of them visit only what is stored in which operand, by its number."""

    loops: frozenset[str]
    stored: Stored


class Cost(Struct, frozen=True):
    """The assignments, in an order that depends on their loops alone, and the variables of the temporaries as they are
    nested: two schedules of one cost differ in nothing that is counted here."""

    time: tuple[Leaf, ...]
    memory: tuple[frozenset[str], ...]


class Sizes(Struct, frozen=True):
    """The extents of loops, and how many prefixes of coordinates each operand stores, of one level, of two, ..."""

    extents: Mapping[str, float]
    prefixes: Mapping[int, Sequence[float]]


def cost_of(found: Found) -> Cost:
    """The cost of a branched schedule."""
    time = sorted(
        (Leaf(*each) for each in leaves(found.graph)), key=lambda each: (sorted(each.loops), sorted(each.stored))
    )
    return Cost(tuple(time), tuple(temporaries(found.graph)))


def visited_depths(contraction: Contraction, leaf: Leaf) -> list[tuple[int, int]]:
    """The operands whose stored coordinates some loop around an assignment visits, and down to which level."""
    depths = dict[int, int]()
    for number, v in sorted(leaf.stored):
        depths[number] = max(depths.get(number, 0), contraction.operands[number].levels.index(v) + 1)
    return list(depths.items())


def runs(contraction: Contraction, leaf: Leaf, sizes: Sizes) -> float:
    """How often an assignment runs, at most: each loop counted by what one operand stores, or by its extent."""

    def least(loops: frozenset[str], left: list[tuple[int, int]]) -> Iterator[float]:
        yield prod(sizes.extents[v] for v in loops)
        for place, (number, depth) in enumerate(left):
            own = frozenset(contraction.operands[number].levels[:depth])
            if own <= loops:
                rest = min(least(loops - own, left[place + 1 :]))
                yield sizes.prefixes[number][depth - 1] * rest

    return min(least(leaf.loops, visited_depths(contraction, leaf)))


def time(contraction: Contraction, cost: Cost, sizes: Sizes) -> float:
    """How often the assignments run, all together, at most."""
    return sum(runs(contraction, leaf, sizes) for leaf in cost.time)


def memory(cost: Cost, sizes: Sizes) -> float:
    """How many components the temporaries have, all together."""
    return sum(prod(sizes.extents[v] for v in kept) for kept in cost.memory)


def print_time(contraction: Contraction, cost: Cost) -> str:
    """The time as a sum of products, extents in capital letters."""
    return " + ".join(print_leaf(contraction, leaf) for leaf in cost.time)


def print_leaf(contraction: Contraction, leaf: Leaf) -> str:
    """How often an assignment runs: what is stored, and the extents of the other loops."""
    left, factors = set(leaf.loops), list[str]()
    for number, depth in visited_depths(contraction, leaf):
        operand = contraction.operands[number]
        if left.issuperset(operand.levels[:depth]):
            left.difference_update(operand.levels[:depth])
            whole = depth == len(operand.levels)
            held = operand.tensor if whole else f"{operand.tensor}({','.join(operand.levels[:depth])})"
            factors.append(f"nnz({held})")
    return "·".join([*factors, *(v.upper() for v in contraction.loops if v in left)]) or "1"


def print_memory(cost: Cost, order: tuple[str, ...]) -> str:
    """The components of the temporaries as a sum of products; `0` if there are none."""
    return " + ".join("·".join(v.upper() for v in order if v in kept) or "1" for kept in cost.memory) or "0"
