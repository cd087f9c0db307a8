"""Orders of inputs by sizes: an operand that is merged again and again with another is stored so that it is looked up.

Before, each row of A is merged with each column of B: `∀i ∀j ∀k C(i,j) += A(i,k) * B(k,j)`. After
`convert(B(k,j),{k,j})` each component of A finds its row of B: `∀i ∀k ∀j`. Merges take rows times columns, products
only as many steps as there are components that meet.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...errors import ScheduleError
from ...loops.plan import LoopPlan, Node, Planner
from ...notation.syntax import Access
from ...statement.staging import dissolve
from ...statement.statement import Program, assignments, indices, reads
from ..command import Command
from ..schedule import Schedule
from .choice import Finalist
from .expectation import Term, product
from .merging import Sizes, merges
from .transposition import follow
from .work import Work

CONVERTED, MULTIPLIED = 100, 4
"""The work of storing a component in another order, and of a multiplication into a row of the result, where a step of a
merge is 1."""


class Turned(NamedTuple):
    """An operand in another order, and the schedule that has it."""

    access: Access
    schedule: Schedule


def find_orders(program: Program, sizes: Sizes) -> Iterator[Finalist]:
    """Schedules of a linear nest of which each stores an operand in another order, with their work."""
    bare = dissolve(program)
    for access, schedule in other_orders(program, bare):
        yield Finalist(schedule, f"convert {access.tensor}", work_of(bare, access, sizes))


def other_orders(program: Program, bare: Program) -> Iterator[Turned]:
    """The operands that a loop merges with others for each value of a loop around that has nothing to do with them,
    where in another order they would be merged no more."""
    node: Node = Planner(bare).root()
    while isinstance(node, LoopPlan):
        for access in dict.fromkeys(each.access for each in node.strategy.coiterated if node.strategy.merges):
            order = (node.index, *(v for v in access.levels if v != node.index))
            is_again = not set(node.space.around) <= {*access.levels}
            if is_again and order != access.levels and len(order) == len(access.indices):
                yield from stored_by(program, access, order)
        node = node.body


def stored_by(program: Program, access: Access, order: tuple[str, ...]) -> Iterator[Turned]:
    """An operand stored in another order, if that is legal, the loops of the result stay in their order, and it is then
    merged with nothing."""
    command = Command("convert", (Access(access.tensor, access.indices), order))
    try:
        after = dissolve(follow(program, command))
    except ScheduleError:
        return
    name = next(a.tensor for a in reads(after.statement) if (a.indices, a.levels) == (access.indices, order))
    if result_loops(after) == result_loops(dissolve(program)) and not merges(Planner(after).root(), name):
        yield Turned(access, Schedule((command,)))


def result_loops(program: Program) -> tuple[str, ...]:
    """The loops over variables of the result, outermost first."""
    own = {
        v
        for leaf in assignments(program.statement)
        if leaf.target.tensor == program.result
        for v in leaf.target.indices
    }
    return tuple(v for v in indices(program.statement) if v in own)


def work_of(program: Program, access: Access, sizes: Sizes) -> Work:
    """What is converted, and what is multiplied: as much as meets of what operands store anywhere."""
    met = Term()
    for v in dict.fromkeys(v for read in reads(program.statement) for v in read.indices):
        met *= sizes.extent(v)
    for read in reads(program.statement):
        met *= product([sizes.positions(read, len(read.levels))])
        for v in read.indices:
            met /= sizes.extent(v)
    return Work(((CONVERTED, product([sizes.positions(access, len(access.levels))])), (MULTIPLIED, met)))
