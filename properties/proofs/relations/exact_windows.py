"""Exact windows: where `exactness.py` says that nothing need be compared, loops still reach every point once.

Kernels leave out what the interpreter compares where windows are exact. The nests are those of `relation_chains`, and
those of two loops in tiles, in any order, of which two neighbours are collapsed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache, partial
from itertools import pairwise, permutations

import numpy as np

from ....reference.errors import ScheduleError
from ....reference.execution.spaces import Window
from ....reference.schedule.commands import Command, make_command, run
from ....reference.schedule.legality import check
from ....reference.schedule.preparation import prepare
from ....reference.statement.exactness import variables_to_compare
from ....reference.statement.expansion import order
from ....reference.statement.provenance_graph import ProvenanceGraph
from ..obligation import Obligation
from ..solver import Term
from ..verdict import Verdict, together
from .relation_chains import BEGINS, SIZES, Chain, chosen, constant, for_any, named
from .walked import Nest, Stand, Tables, Walk, is_reached_once

RULES = ("schedules 9", "schedules 24")
TILES = (make_command("split", ("i", "i0", "i1", SIZES[0])), make_command("split", ("j", "j0", "j1", SIZES[1])))
LENGTHS = {1: "one command", 2: "two commands", 3: "three commands"}


class Trusting(Tables):
    """Spaces as kernels have them, which compare less, and keep ranges of integers to their windows too.

    `added`: the loops that each loop adds to its own.
    """

    def __init__(self, stand: Stand, derivations: ProvenanceGraph, added: dict[str, tuple[str, ...]]) -> None:
        super().__init__(stand, derivations)
        self.added = added

    def compared(self, variable: str, known: Collection[str]) -> tuple[str, ...]:
        """What is left to compare."""
        return variables_to_compare(self.derivations, tuple(known), self.added[variable])

    def looped(self, variable: str, known: Collection[str], dimension: Window) -> Window:
        """The values that a loop runs over: in its window, unless one value follows."""
        whole = super().looped(variable, known, dimension)
        given = self.derivations.is_derivable(variable, known)
        return whole if given else self.within(whole, self.window(variable, known))


class TrustingWalk(Walk):
    """A way through the loops of a nest that relies on exact windows."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.spaces = Trusting(self.stand, self.nest.graph, added(self.nest))


def added(nest: Nest) -> dict[str, tuple[str, ...]]:
    """The loops that each loop adds to its own."""
    found: dict[str, tuple[str, ...]] = {}
    around: tuple[str, ...] = ()
    for loop in nest.loops:
        every = order(loop, around, nest.graph)
        found[loop.index] = tuple(v for v in every if v != loop.index)
        around = (*around, *every)
    return found


def is_trusted(walk: Walk) -> Term:
    """Whether loops that rely on exact windows reach the point at no other values."""
    return is_reached_once(TrustingWalk(walk.nest, walk.run))


@cache
def crossed() -> tuple[Chain, ...]:
    """Two dense loops in tiles, in every order that begins with the first, of which two neighbours are collapsed."""
    start = prepare("B(i,j) = A(i,j)", {"A": np.ones((4, 4))}).program
    return tuple(found for commands in orders() for found in applied(commands, Chain((), start)))


def orders() -> Iterator[tuple[Command, ...]]:
    """The commands: both splits, an order and a collapse."""
    for variables in permutations(("i0", "i1", "j0", "j1")):
        if variables[0].startswith("i"):
            for outer, inner in pairwise(variables):
                yield (*TILES, make_command("reorder", variables), make_command("collapse", (outer, inner, "f")))


def applied(commands: tuple[Command, ...], chain: Chain) -> Iterator[Chain]:
    """The chain with these commands, if they are legal."""
    program = chain.program
    try:
        for command in commands:
            program = run(command, program)
            check(program)
    except ScheduleError:
        return
    yield Chain((*chain.commands, *commands), program)


def trusted(length: int, first: str) -> Verdict:
    """The verdict on all chains of so many commands that begin with one."""
    every = [chain for begin in BEGINS[length] if begin[0] == first for chain in chosen(length, begin)]
    claim = constant if length == 3 else for_any
    return together(named(chain, claim(chain.nest, is_trusted)) for chain in every)


def trusted_across() -> Verdict:
    """The verdict on two loops in tiles of which neighbours are collapsed."""
    return together(named(chain, constant(chain.nest, is_trusted)) for chain in crossed())


def obligations() -> tuple[Obligation, ...]:
    """That nothing is left out that would have to be compared."""
    text = "Loops of {} that begin with {} reach every point once where exact windows are relied on."
    return (
        *(
            Obligation(
                f"relations.exactness.{length}.{first}",
                text.format(f"schedules of {LENGTHS[length]}", first),
                partial(trusted, length, first),
                RULES,
                slow=length > 1,
            )
            for length, begins in BEGINS.items()
            for first in dict.fromkeys(begin[0] for begin in begins)
        ),
        Obligation(
            "relations.exactness.crossed",
            "So do two loops in tiles, in any order, of which two neighbours are collapsed.",
            trusted_across,
            RULES,
            slow=True,
        ),
    )
