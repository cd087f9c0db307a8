"""Smaller spaces: what is looked at of the branched schedules of many operands.

With each operand more there are about five times as many schedules, and n operands have n! / 2 orders. A search that
has to end soon takes the largest of these spaces that is small enough:

1. all schedules (`space.py`);
2. those of one order of the operands, in which neighbours share loops;
3. of these, those in which one operand joins at a time: `((A * B) * C) * D`, or `A * (B * (C * D))`;
4. of these, those whose loops stand in the order of the linear nest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...errors import ScheduleError
from .contraction import Contraction
from .space import Found, Order, Parting, Section, Space, Ties


class OneByOne(Space):
    """The schedules in which one operand joins at a time: each temporary is read beside one operand."""

    def partings(self, section: Section) -> Iterator[Parting]:
        """The ways to part the operands of a section."""
        return (each for each in super().partings(section) if len(each.reading) == 1)


class InOrder(OneByOne):
    """Of these, the schedules whose loops stand in the order of the linear nest."""

    def outside(self, ties: Ties) -> dict[int, int]:
        """The loops that come before each loop, which is all those around it."""
        return {bit: bit - 1 for bit in self.names}


def few_schedules(contraction: Contraction, memory_depth: int, most: int) -> list[Found]:
    """The branched schedules in the largest of the spaces that has at most so many, and parts of them.

    Raises ScheduleError if none has.
    """
    order = (connected_order(contraction),)
    spaces: tuple[tuple[type[Space], Iterable[Order] | None], ...]
    spaces = ((Space, None), (Space, order), (OneByOne, order), (InOrder, order))
    for space, orders in spaces:
        try:
            return list(space(contraction, memory_depth, most).schedules(orders))
        except ScheduleError as error:
            refused = error
    raise refused


def connected_order(contraction: Contraction) -> Order:
    """An order in which neighbours share loops: first the operand with most of them that needs the outermost loop, then
    the one that shares the innermost loops with those before; as written if operands do not commute.

    >>> from .contraction import Operand
    >>> operands = [Operand(loops, frozenset(loops)) for loops in ("jr", "kr", "ijk")]
    >>> connected_order(Contraction(tuple(operands), Operand("A", frozenset("ir")), tuple("ijkr")))
    (2, 1, 0)
    """
    left = list(range(len(contraction.operands)))
    if not contraction.commutative:
        return tuple(left)
    depth, found, there = {v: n for n, v in enumerate(contraction.loops)}, list[int](), set[str]()

    def closeness(number: int) -> tuple[list[int], int]:
        own = contraction.operands[number].loops
        return sorted((depth[v] for v in own & there), reverse=True), -len(own - there)

    def first(number: int) -> tuple[bool, int]:
        own = contraction.operands[number].loops
        return own.issuperset(contraction.loops[:1]), len(own)

    while left:
        found.append(max(left, key=closeness if found else first))
        left.remove(found[-1])
        there |= contraction.operands[found[-1]].loops
    return tuple(found)
