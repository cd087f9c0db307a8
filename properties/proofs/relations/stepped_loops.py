"""Stepped loops: those that go by the step of their range, and compare nothing, reach every point once.

A thread that goes over every 32nd position of a row does. Here every loop goes so, and every walk over the positions of
one level, where its range has a step; the generator lets those that it can (`generator/loops/course.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from ....reference.loops.iteration_space import IterationSpace, Kept
from ....reference.loops.terms import Equal, Range
from ..obligation import Obligation
from ..solver import Term, z3
from ..verdict import Unknown, Verdict, together
from .relation_chains import Chain, chains, for_any, name_chain
from .symbolic import Integer, term_of
from .walked import Nest, Walk, is_reached


class SteppedWalk(Walk):
    """A way through loops that go by steps."""

    def find_guards(self, space: IterationSpace, completed: tuple[str, ...]) -> tuple[Equal, ...]:
        relations = frozenset(kept.relation for kept in stepped_positions(self.nest))
        return space.guards(completed, relations, stepped_variables(self.nest))

    def lies_in(self, range_: Range, value: Integer) -> Term:
        return z3.And(super().lies_in(range_, value), self.is_stepped(range_, value))

    def keeps(self, kept: Kept, level: int) -> Term:
        base, _ = self.stand.segment(kept.relation)
        place = self.stand.places[kept.relation.access][kept.relation.last] - base
        stepped = kept in stepped_positions(self.nest)
        return z3.And(super().keeps(kept, level), self.is_stepped(kept.window, place) if stepped else True)

    def is_stepped(self, range_: Range, value: Integer) -> Term:
        """Whether a value is so many steps from the begin of a range."""
        between = value - self.stand.value(range_.begin)
        return z3.BoolVal(True) if range_.step == 1 else term_of(between % self.stand.value(range_.step)) == 0


@cache
def stepped_positions(nest: Nest) -> frozenset[Kept]:
    """The positions of one level to which walks go by steps."""
    return frozenset(
        kept
        for variable, around in nest.steps()
        for access in nest.accesses
        for level in (k for k, v in enumerate(access.levels) if v == variable)
        for kept in nest.space(around).kept_positions(access, level)
        if kept.window.step != 1 and kept.relation.last == kept.relation.first + 1
    )


@cache
def stepped_variables(nest: Nest) -> frozenset[str]:
    """The variables whose loops go by steps, and the positions to which walks do."""
    loops = (v for v, around in nest.steps() if nest.space(around).range(v).step != 1)
    return frozenset((*loops, *(kept.relation.position for kept in stepped_positions(nest))))


def is_reached_by_steps(walk: Walk) -> Term:
    """Whether loops that go by steps reach the point."""
    return is_reached(SteppedWalk(walk.nest, walk.run))


def is_reached_once_by_steps(walk: Walk) -> Term:
    """Whether loops that go by steps reach the point at no other values."""
    stepped = SteppedWalk(walk.nest, walk.run)
    values = stepped.choose_loops()
    for condition in (*stepped.admit_loops(values), *stepped.keeps_to_windows()):
        stepped.run.assume(condition)
    return z3.And(*[values[v].term == term_of(value) for v, value in stepped.derive_loops().items()])


def stepping_chains(length: int) -> Iterator[Chain]:
    """The chains of so many commands in which a loop goes by steps."""
    return (chain for chain in chains(length) if stepped_variables(chain.nest))


def prove_stepped(length: int) -> Verdict:
    """The verdict on all chains of so many commands."""
    found = list(stepping_chains(length))
    if not found:
        return Unknown(f"no loop of a schedule of {length} commands goes by steps")
    questions = (is_reached_by_steps, is_reached_once_by_steps)
    return together(name_chain(chain, for_any(chain.nest, asked)) for chain in found for asked in questions)


def obligations() -> tuple[Obligation, ...]:
    """That loops need compare nothing where they go by steps."""
    rules = ("schedule.extent", "schedule.window.step", "code.schedule")
    return tuple(
        Obligation(
            f"relations.stepped.{length}",
            f"Loops of schedules of {length} commands that go by the steps of their ranges reach every point once.",
            partial(prove_stepped, length),
            rules,
            slow=True,
        )
        for length in (2, 3)
    )
