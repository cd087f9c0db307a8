"""What a branch has to keep: each contribution is computed once, through the workspace (SparseAuto, section 4.2).

A visit of the producer and one of the consumer meet where the loops around have the same values and both stand at one
component of the workspace. Together they stand for a visit of what was there before: a loop that both sides have must
have one value where they meet, or contributions come that were not there; where it has, they must meet, or some are
lost; and each loop must be on one side at least. All this for operands and extents of any size.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ....reference.schedule.flags import fillings
from ....reference.statement.statement import Assign, Program, leaves, reads, wrap_in_loops
from ..solver import Term, z3
from ..verdict import Refuted, Verdict, together
from .schedule_loops import never
from .schedule_visits import Loops, Place, Visit, equal, places_of, visits_of_two


def computes_once(before: Program, after: Program, workspace: str) -> Verdict:
    """Whether every contribution is computed once, through a workspace."""
    return together(meeting.happens_once(before) for meeting in meetings(after, workspace))


def fills_alike(before: Program, after: Program, workspace: str) -> Verdict:
    """Whether each component of a workspace with other modes than before is filled and read by the same iterations:
    producer and consumer have the loops that they had, and meet where these loops have the same values."""
    return together(meeting.is_alike(before) for meeting in meetings(after, workspace))


def meetings(program: Program, workspace: str) -> Iterator[Meeting]:
    """What fills a workspace, with each assignment that reads it."""
    s, around = next(each for each in fillings(program.statement) if each[0].workspace == workspace)
    producer = list(leaves(s.producer, around))[-1]
    for leaf, reading in leaves(s.consumer, around):
        if reads_workspace(leaf, workspace):
            yield Meeting(program, around, (leaf, reading), producer)


def reads_workspace(leaf: Assign, workspace: str) -> bool:
    """Whether an assignment reads a workspace."""
    return any(access.tensor == workspace for access in reads(leaf))


class Meeting(Struct, frozen=True):
    """What fills a workspace and what reads it, each with the loops around it; those in `around` are around both."""

    program: Program
    around: Loops
    consumer: tuple[Assign, Loops]
    producer: tuple[Assign, Loops]

    @property
    def indices(self) -> tuple[tuple[str, str], ...]:
        """The indices of the workspace, where it is read and where it is filled."""
        target = self.producer[0].target
        read = next(access for access in reads(self.consumer[0]) if access.tensor == target.tensor)
        return tuple(zip(read.indices, target.indices, strict=True))

    @property
    def common_loops(self) -> tuple[tuple[str, str], ...]:
        """The loops that both have, by their variables where the workspace is read and where it is filled."""
        names = {new: old for old, new in self.indices}
        return tuple((names.get(v, v), v) for v in self.producer[1] if names.get(v, v) in self.consumer[1])

    def happens_once(self, before: Program) -> Verdict:
        """Whether visits that meet stand for those before the statement branched, each for one."""
        (consumer, reading), (_, filling) = self.consumer, self.producer
        names = {new: old for old, new in self.indices}
        there = {*reading, *(names.get(v, v) for v in filling)}
        possible = [set(loops) for leaf, loops in leaves(before.statement, ()) if leaf.target == consumer.target]
        if possible and there not in possible:
            had, has = (", ".join(sorted(each)) for each in (possible[0], there))
            return Refuted((("loops before", had), ("loops after", has)))
        mixed = {new: old for new, old in names.items() if new != old and new in set().union(*possible)}
        if mixed:
            return Refuted(tuple((f"{new} fills", old) for new, old in mixed.items()))
        return self.stands_for_one()

    def is_alike(self, before: Program) -> Verdict:
        """Whether the loops around both sides are those before, and the sides meet where they have the same values."""
        had = {leaf.target.tensor: set(loops) for leaf, loops in leaves(before.statement, ())}
        for leaf, loops in (self.consumer, self.producer):
            if had[leaf.target.tensor] != set(loops):
                told = (", ".join(sorted(each)) for each in (had[leaf.target.tensor], loops))
                return Refuted(tuple(zip(("loops before", "loops after"), told, strict=True)))
        return self.stands_for_one()

    def stands_for_one(self) -> Verdict:
        """Whether two visits meet exactly where the loops that both have agree."""
        (consumer, reading), (producer, filling) = self.consumer, self.producer
        c, p = place_of(self.program, consumer, reading), place_of(self.program, producer, filling)
        doubled = visits_of_two(self.program, c, p, lambda c, p: [self.meets(c, p), z3.Not(self.agrees(c, p))])
        lost = visits_of_two(self.program, c, p, lambda c, p: [self.agrees(c, p), z3.Not(self.meets(c, p))])
        return never((doubled, lost))

    def meets(self, c: Visit, p: Visit) -> Term:
        """Whether two visits stand at one component of the workspace, in one iteration of the loops around."""
        around = equal(c.terms(self.around), p.terms(self.around))
        return z3.And(around, *[c.term(old) == p.term(new) for old, new in self.indices])

    def agrees(self, c: Visit, p: Visit) -> Term:
        """Whether loops that both have stand at the same value."""
        return z3.And(*[c.term(old) == p.term(new) for old, new in self.common_loops])


def place_of(program: Program, leaf: Assign, around: Loops) -> Place:
    """An assignment inside loops, as a place that is visited."""
    return next(iter(places_of(program, wrap_in_loops(around, leaf))))
