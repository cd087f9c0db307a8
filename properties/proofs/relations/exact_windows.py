"""Exact windows: where `exactness.py` says that nothing need be compared, loops still reach every point once.

The nests of `relation_chains` do so; here are two loops in tiles, in any order, of which two neighbours are collapsed;
and those of a matrix of which the loop over one tile's inside counts positions, so that it tells the tile, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import pairwise, permutations

import numpy as np

from ....reference.errors import ScheduleError
from ....reference.notation.syntax import Access
from ....reference.schedule.command import Command, make_command
from ....reference.schedule.commands import run
from ....reference.schedule.legality import check
from ....reference.schedule.preparation import prepare
from ....reference.storage.packing import pack
from ..obligation import Obligation
from ..verdict import Verdict, together
from .relation_chains import SIZES, Chain, constant, name_chain
from .walked import is_reached_once

TILES = (make_command("split", ("i", "i0", "i1", SIZES[0])), make_command("split", ("j", "j0", "j1", SIZES[1])))


@cache
def crossings() -> tuple[Chain, ...]:
    """Two dense loops in tiles, in every order that begins with the first, of which two neighbours are collapsed."""
    start = prepare("B(i,j) = A(i,j)", {"A": np.ones((4, 4))}).program
    return tuple(found for commands in orders() for found in extend(commands, Chain((), start)))


@cache
def crossings_of_positions() -> tuple[Chain, ...]:
    """The same over a sparse matrix, where the inside of a tile of either dimension counts positions then."""
    start = prepare("B(i,j) = A(i,j)", {"A": pack(np.zeros((2, 1), np.int32), np.ones(1), (4, 4), "DCSR")}).program
    counted = [make_command("pos", (inner, "p", Access("A", ("i", "j")))) for inner in ("i1", "j1")]
    every = ((*commands, pos) for commands in orders() for pos in counted)
    return tuple(found for commands in every for found in extend(commands, Chain((), start)))


def orders() -> Iterator[tuple[Command, ...]]:
    """The commands: both splits, an order and a collapse."""
    for variables in permutations(("i0", "i1", "j0", "j1")):
        if variables[0].startswith("i"):
            for outer, inner in pairwise(variables):
                yield (*TILES, make_command("reorder", variables), make_command("collapse", (outer, inner, "f")))


def extend(commands: tuple[Command, ...], chain: Chain) -> Iterator[Chain]:
    """The chain with these commands, if they are legal."""
    program = chain.program
    try:
        for command in commands:
            program = run(command, program)
            check(program)
    except ScheduleError:
        return
    yield Chain((*chain.commands, *commands), program)


def prove_reached_once(chains: Callable[[], tuple[Chain, ...]]) -> Verdict:
    """The verdict on some of them."""
    return together(name_chain(chain, constant(chain.nest, is_reached_once)) for chain in chains())


def obligations() -> tuple[Obligation, ...]:
    """That nothing is left out that would have to be compared."""
    return (
        Obligation(
            "relations.exactness.crossed",
            "Two loops in tiles, in any order, of which two neighbours are collapsed, reach every point at most once.",
            partial(prove_reached_once, crossings),
            ("schedule.extent", "schedule.loop.completed", "code.schedule"),
            slow=True,
        ),
        Obligation(
            "relations.exactness.told",
            "Two loops over a sparse matrix in tiles, in any order, of which two neighbours are collapsed and one "
            "counts positions, reach every point at most once.",
            partial(prove_reached_once, crossings_of_positions),
            ("schedule.loop.guard", "schedule.loop.completed", "schedule.window.positions"),
            slow=True,
        ),
    )
