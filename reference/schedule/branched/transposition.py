"""Transposed copies: operands whose stored levels come in another order, at the price of a copy (SparseAuto, section
6.5, names their absence as a limitation).

Before: `∀i ∀j y(j) += B(i,j) * x(i)`, i outside j as B is stored. After, with loops in any order:

    ∀j
      ∀i
        y(j) += B_(i,j) * x(i)
    where B_:
      ∀i
        ∀j
          B_(i,j) = B(i,j)

The copy is hashed, level by level, and laid out as it is read. It is made once, so that its loops must be able to
stand outside all others.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise, permutations

from msgspec import Struct
from msgspec.structs import replace

from ...errors import ScheduleError
from ...notation.syntax import Access
from ...statement.statement import Program
from ..command import Command
from ..commands import run
from ..legality import check
from ..nests import fresh_name
from .contraction import Contraction, Operand, contraction_of, operand_values
from .graph import Loops


class Variant(Struct, frozen=True):
    """A contraction, the program that computes it, and the commands that have copied one of its operands, if any."""

    contraction: Contraction
    program: Program
    commands: tuple[Command, ...] = ()

    @property
    def copies_of(self) -> tuple[str, ...]:
        """The tensor that is copied, if one is."""
        return tuple(each.copy_of for each in self.contraction.operands if each.copy_of is not None)


def transpositions(variant: Variant) -> Iterator[Variant]:
    """The variants in which one operand that stores coordinates is copied, for each other order of its levels that
    does not contradict the other operands. There are none where the program computes an operand before."""
    if variant.contraction.path:
        return
    for value, operand in zip(operand_values(variant.program), variant.contraction.operands, strict=True):
        if isinstance(value, Access) and operand.stored and set(operand.levels) == set(value.indices):
            yield from copies(variant, value)


def copies(variant: Variant, access: Access) -> Iterator[Variant]:
    """The variants in which one operand is copied."""
    name = fresh_name(variant.program, f"{access.tensor}_")
    outermost = (*access.levels, *(v for v in variant.contraction.loops if v not in access.levels))
    reorder = [] if outermost == variant.contraction.loops else [Command("reorder", outermost)]
    commands = (*reorder, Command("precompute", (access, access.levels, access.levels, name)))
    try:
        program = reduce(follow, commands, variant.program)
        contraction = contraction_of(program)
    except ScheduleError:
        return
    for order in permutations(access.levels):
        copy = Variant(
            replace(contraction, operands=tuple(in_order(contraction, name, order, access))), program, commands
        )
        if order != access.levels and is_orderly(copy.contraction):
            yield copy


def in_order(contraction: Contraction, name: str, order: Loops, access: Access) -> Iterator[Operand]:
    """The operands of a contraction, one of them, a copy of what an access reads, with its levels in an order."""
    for each in contraction.operands:
        edges, stored = frozenset(pairwise(order)), frozenset(order)
        copied = replace(each, edges=edges, levels=order, stored=stored, copy_of=access.tensor)
        yield copied if each.tensor == name else each


def is_orderly(contraction: Contraction) -> bool:
    """Whether some order of the loops suits all operands and the result."""
    edges = [edge for each in (*contraction.operands, contraction.result) for edge in each.edges]
    before: dict[str, set[str]] = {v: {u for u, w in edges if w == v} for v in contraction.loops}
    try:
        TopologicalSorter(before).prepare()
    except CycleError:
        return False
    return True


def follow(program: Program, command: Command) -> Program:
    """The program after a command. Raises ScheduleError if it is not legal."""
    after = run(command, program)
    check(after)
    return after
