"""Search: the stages that need no data, one after another, with what each leaves (SparseAuto, section 5.2)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from msgspec import Struct

from ...errors import ScheduleError
from .constraints import Constraint
from .contraction import Contraction
from .cost import Cost, cost_of
from .dominance import Prover, Pruned, Removal, Rule, is_nonnegative, known_sizes, remove_dominated, symbolic
from .polynomial import constant
from .poset import shallowest
from .space import Found, Order, branched_schedules


class Group(Struct, frozen=True):
    """The schedules of one cost: the same temporaries and loops, in other orders."""

    cost: Cost
    schedules: tuple[Found, ...]


class Stage(Struct, frozen=True):
    """What a stage leaves, and in how many seconds."""

    name: str
    groups: tuple[Group, ...]
    seconds: float

    @property
    def structures(self) -> int:
        """How many schedules are left."""
        return sum(len(group.schedules) for group in self.groups)

    def __str__(self) -> str:
        return f"{self.structures} ({len(self.groups)})"


class Search(Struct, frozen=True):
    """The branched schedules of a contraction: those with small temporaries (stage 1), and those of them at minimal
    depths (stage 2)."""

    contraction: Contraction
    small: Stage
    shallow: Stage


class Dominance(Struct, frozen=True):
    """Those that no other one dominates (stage 3), with the dominances, by the numbers of the groups before."""

    left: Stage
    pruned: Pruned


def search(contraction: Contraction, memory_depth: int = 2, orders: Iterable[Order] | None = None) -> Search:
    """The stages that compare depths."""
    started = time.perf_counter()
    every = list(branched_schedules(contraction, memory_depth, orders))
    small = stage("memory depth", group(every), started)
    started = time.perf_counter()
    shallow = stage("depths", group(shallowest(every)), started)
    return Search(contraction, small, shallow)


def compare(
    found: Search,
    constraints: Sequence[Constraint] = (),
    rule: Rule = Rule.STORED,
    removal: Removal = Removal.EVERYWHERE,
    prove: Prover = is_nonnegative,
) -> Dominance:
    """The stage that compares costs, under what is known of sizes. Raises ScheduleError if that is proved to hold of
    none."""
    started = time.perf_counter()
    groups = found.shallow.groups
    costs = [symbolic(found.contraction, each.cost, rule) for each in groups]
    known = known_sizes(found.contraction, constraints, prove)
    if constraints and known.is_proved(constant(-1)):
        stated = ", ".join(map(str, constraints))
        raise ScheduleError(f"no sizes satisfy {stated}", rule="schedule.branched.stages")
    pruned = remove_dominated(costs, known, removal)
    return Dominance(stage("dominance", [groups[n] for n in pruned.left], started), pruned)


def stage(name: str, groups: Sequence[Group], started: float) -> Stage:
    """A stage that has just ended."""
    return Stage(name, tuple(groups), time.perf_counter() - started)


def group(schedules: Iterable[Found]) -> list[Group]:
    """Schedules by what they cost, in the order in which they were found."""
    found = dict[Cost, list[Found]]()
    for each in schedules:
        found.setdefault(cost_of(each), []).append(each)
    return [Group(cost, tuple(own)) for cost, own in found.items()]
