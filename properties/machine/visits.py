"""Visits: which threads of a grid have been at which place, and what orders them (CUDA's memory model).

Two accesses race if different threads make them, one writes, not both are atomic, and nothing stands between: no
barrier of their block, no meeting of their warp that both take part in and that orders memory. Nothing orders blocks.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from .fault import Race, Where
from .memory import Address, element


class Visitor(Protocol):
    """A thread, as far as what orders its accesses goes: its block and warp, how many barriers that block has passed,
    its lane, and what it knows of each lane of its warp: how many meetings that had seen when they last met."""

    @property
    def group(self) -> object:
        """The block of threads."""

    @property
    def warp(self) -> object:
        """The warp."""

    lane: int
    epoch: int
    clock: list[int]


class Visit(Struct, frozen=True):
    """An access and its time: the barriers that the thread's block had passed, and the meetings that the thread had."""

    thread: Visitor
    epoch: int
    time: int
    writes: bool
    where: Where

    def races(self, thread: Visitor) -> bool:
        """Whether nothing stands between it and what another thread does now."""
        before = self.thread
        if before is thread:
            return False
        if before.group is not thread.group:
            return True
        if self.epoch < thread.epoch:
            return False
        return before.warp is not thread.warp or thread.clock[before.lane] < self.time


class Seen:
    """Enough visits of one kind to one place that whoever races with any of them races with one that is kept.

    Those of two blocks meet every thread. Of one block, those since its last barrier count: of two warps they meet
    every thread again; of one warp, the latest of every lane is kept.
    """

    __slots__ = ("is_full", "kept")

    def __init__(self) -> None:
        self.kept: dict[Visitor, Visit] = {}
        self.is_full = False

    def add(self, thread: Visitor, visit: Visit) -> None:
        """One more."""
        for first, before in self.kept.items():
            if first.group is not thread.group:
                self.kept, self.is_full = {first: before, thread: visit}, True
            elif before.epoch < visit.epoch:
                self.kept, self.is_full = {thread: visit}, False
            elif first.warp is not thread.warp and not self.is_full:
                self.kept, self.is_full = {first: before, thread: visit}, True
            break
        if not self.is_full:
            self.kept[thread] = visit

    def adds(self, thread: Visitor) -> bool:
        """Whether one more visit of a thread would change anything."""
        if not self.is_full:
            return True
        one, other = self.kept.items()
        return one[0].group is other[0].group and (one[0].group is not thread.group or one[1].epoch < thread.epoch)


class Visits:
    """What the threads of a grid have reached since it was launched: places by who reads and who writes there."""

    def __init__(self) -> None:
        self.seen: dict[tuple[bool, bool], dict[Address, Seen]] = {kind: {} for kind in KINDS}

    def note(self, thread: Visitor, p: Address, where: Where, *, writes: bool, atomic: bool) -> None:
        """An access. Raises Race."""
        for kind in CONFLICTS[writes, atomic]:
            met = self.seen[kind].get(p)
            if met is not None:
                for before in met.kept.values():
                    if before.races(thread):
                        raise Race(describe(thread, p, before, writes=writes), where)
        places = self.seen[writes, atomic]
        held = places.get(p)
        if held is None:
            held = places[p] = Seen()
        if held.adds(thread):
            held.add(thread, Visit(thread, thread.epoch, thread.clock[thread.lane], writes, where))


KINDS = [(writes, atomic) for writes in (True, False) for atomic in (True, False)]
CONFLICTS = {
    (writes, atomic): [(wrote, alone) for wrote, alone in KINDS if (writes or wrote) and not (atomic and alone)]
    for writes, atomic in KINDS
}
"""The kinds of visits that each kind races with: of two visits one writes, and one is not atomic."""


def describe(thread: Visitor, p: Address, before: Visit, *, writes: bool) -> str:
    """A race in words."""
    doing = {True: "writes", False: "reads"}
    return (
        f"{thread} {doing[writes]} element {element(p)} of {p[0]}, which {before.thread} "
        f"{doing[before.writes]} in line {before.where.line}"
    )
