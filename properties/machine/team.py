"""Teams: which thread does what, and who has been where (OpenMP's threads, and the lanes of a vector).

Two accesses race if different units of work make them, one writes, nothing orders them, and they do not exclude one
another. A unit is an iteration of a shared loop, whichever thread runs it, or what one thread does outside such loops.
Where no accesses race, every order of units, and no finer interleaving, gives a result that threads can give.
"""

from __future__ import annotations

from typing import NamedTuple

from .fault import Race, Where
from .memory import Address, Block, element

KEPT = 2


class Visit(NamedTuple):
    """An access: by which unit, whether it writes, and under which guard (`atomic`, `critical`, or none)."""

    unit: str
    writes: bool
    guard: str
    where: Where

    def races(self, other: Visit) -> bool:
        """Whether another access meets this one."""
        apart = self.guard != "" and self.guard == other.guard
        return self.unit != other.unit and (self.writes or other.writes) and not apart


class Team:
    """Threads, or lanes, that work side by side; one runs at a time. It `waits` while a single one works for all."""

    def __init__(self, size: int, kind: str) -> None:
        self.size, self.kind = size, kind
        self.thread, self.unit, self.waits = 0, "", False
        self.visits: dict[tuple[Block, int], list[Visit]] = {}

    def turn(self, thread: int, iteration: int | None = None) -> None:
        """A thread goes on, with an iteration of a shared loop or outside of any."""
        self.thread = thread
        self.unit = f"{self.kind} {thread}" if iteration is None else f"iteration {iteration}"

    def barrier(self) -> None:
        """Everybody waits for everybody: what comes is after what was."""
        self.visits.clear()

    def note(self, p: Address, guard: str, where: Where, *, writes: bool) -> None:
        """An access of the unit that runs."""
        block, k = p
        owner = block.made.get(self)
        if owner == self.thread:
            return
        if owner is not None:
            raise Race(f"{self.unit} reaches {block}, which belongs to {self.kind} {owner}", where)
        visit = Visit(self.unit, writes, guard, where)
        before = self.visits.setdefault((block, k), [])
        for other in before:
            if visit.races(other):
                raise Race(self.print_race(p, visit, other), where)
        alike = [v for v in before if (v.writes, v.guard) == (writes, guard)]
        if len(alike) < KEPT and all(v.unit != self.unit for v in alike):
            before.append(visit)

    def print_race(self, p: Address, visit: Visit, other: Visit) -> str:
        """A race in words."""
        doing = {True: "writes", False: "reads"}
        return (
            f"{visit.unit} {doing[visit.writes]} element {element(p)} of {p[0]}, which {other.unit} "
            f"{doing[other.writes]} in line {other.where.line}"
        )
