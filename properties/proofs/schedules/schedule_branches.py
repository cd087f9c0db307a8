"""What a branch has to keep: each contribution is computed once, through the workspace (SparseAuto, section 4.2).

A visit of the producer and one of the consumer meet where the loops around have the same values and both stand at one
component of the workspace. Together they stand for a visit of what was there before: where they meet, both must be
parts of one, in which loops that both sides have, or complete, have one value, and what neither tells alone follows
from both, or contributions come that were not there; where they are, they must meet, or some are lost; and each loop
must be on one side at least. All this for operands and extents of any size.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ....reference.schedule.flags import fillings
from ....reference.statement.statement import Assign, Program, leaves, reads
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
    def places(self) -> tuple[Place, Place]:
        """Where the workspace is read and where it is filled."""
        return place_of(self.program, *self.consumer), place_of(self.program, *self.producer)

    @property
    def names(self) -> dict[str, str]:
        """For each variable by which the workspace is filled, the variable by which the workspace is read."""
        return {new: old for old, new in self.indices}

    def happens_once(self, before: Program) -> Verdict:
        """Whether visits that meet stand for those before the statement branched, each for one."""
        (consumer, reading), (_, filling), names = self.consumer, self.producer, self.names
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
        """Whether two visits meet exactly where both are parts of one."""
        c, p = self.places
        return never(visits_of_two(self.program, c, p, such) for such in (self.meet_apart, self.miss))

    def meet_apart(self, c: Visit, p: Visit) -> list[Term]:
        """That two visits meet, but are not parts of one."""
        whole = self.whole_visit(c, p)
        return [*whole.given, self.meets(c, p), z3.Not(self.agrees(whole, c, p))]

    def miss(self, c: Visit, p: Visit) -> list[Term]:
        """That two visits are parts of one, but do not meet."""
        whole = self.whole_visit(c, p)
        return [*whole.given, self.agrees(whole, c, p), z3.Not(self.meets(c, p))]

    def meets(self, c: Visit, p: Visit) -> Term:
        """Whether two visits stand at one component of the workspace, in one iteration of the loops around."""
        around = equal(c.terms(self.around), p.terms(self.around))
        return z3.And(around, *[c.term(old) == p.term(new) for old, new in self.indices])

    def whole_visit(self, c: Visit, p: Visit) -> Visit:
        """The visit by all loops of two, where each says what it tells, and the rest follows from both."""
        said = {self.names.get(v, v): p.value(v) for v in p.told} | {v: c.value(v) for v in c.told}
        loops = dict.fromkeys((*c.place.loops, *(self.names.get(v, v) for v in p.place.loops)))
        return Visit(self.program, Place(c.place.leaf, tuple(loops)), '"', c.run, said)

    def agrees(self, whole: Visit, c: Visit, p: Visit) -> Term:
        """Whether the loops of two visits have the values that they have in one."""
        reading = [whole.term(v) == c.term(v) for v in c.place.loops]
        return z3.And(*reading, *[whole.term(self.names.get(v, v)) == p.term(v) for v in p.place.loops])


def place_of(program: Program, leaf: Assign, around: Loops) -> Place:
    """An assignment inside loops, as a place that the program visits."""
    every = places_of(program, program.statement)
    return next(place for place in every if place.leaf == leaf and set(around) <= set(place.loops))
