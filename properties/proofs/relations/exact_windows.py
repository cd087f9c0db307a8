"""Exact windows: where `exactness.py` says that nothing need be compared, loops still reach every point once.

The nests of `relation_chains` do so; here are two loops in tiles, in any order, of which two neighbours are collapsed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise, permutations

import numpy as np

from ....reference.errors import ScheduleError
from ....reference.schedule.command import Command, make_command
from ....reference.schedule.commands import run
from ....reference.schedule.legality import check
from ....reference.schedule.preparation import prepare
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


def prove_reached_once() -> Verdict:
    """The verdict on all of them."""
    return together(name_chain(chain, constant(chain.nest, is_reached_once)) for chain in crossings())


def obligations() -> tuple[Obligation, ...]:
    """That nothing is left out that would have to be compared."""
    return (
        Obligation(
            "relations.exactness.crossed",
            "Two loops in tiles, in any order, of which two neighbours are collapsed, reach every point at most once.",
            prove_reached_once,
            ("schedule.extent", "schedule.loop.completed", "code.schedule"),
            slow=True,
        ),
    )
