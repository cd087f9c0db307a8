"""Grids: a kernel on blocks of threads, a few blocks at a time, whose threads take turns as chance draws.

Between two points where threads meet, a thread may lose its turn at every access to memory that others reach. Barriers
must be reached by all threads of a block, at one line; shuffles by all lanes of a mask. None of them may have left.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable
from typing import Any, Literal

from msgspec import Struct

from ...reference.errors import Unsupported
from .fault import BadTeam, Race, Where, WrongMemory
from .memory import UNSET, Address, Block, Makers, Space
from .state import State
from .turns import Part, Turns
from .types import Type, cells, innermost
from .visits import Visits

LANES = 32
PAUSES = (0.002, 0.02, 0.2)
RESIDENT = 3
Kind = Literal["sync", "from", "down", "up", "xor", "ballot"]


class Meeting(Struct, frozen=True):
    """What a lane brings to a meeting of its warp, and where."""

    kind: Kind
    mask: int
    value: Any
    distance: int
    where: Where

    def source(self, lane: int) -> int:
        """The lane whose value a lane is given: its own, where it asks beyond the warp."""
        match self.kind:
            case "from":
                return self.distance % LANES
            case "down":
                return lane + self.distance if 0 <= self.distance < LANES - lane else lane
            case "up":
                return lane - self.distance if 0 <= self.distance <= lane else lane
            case "xor":
                return (lane ^ self.distance) % LANES
            case "sync" | "ballot":
                return lane

    def expect(self, other: Meeting, thread: Thread) -> None:
        """Two lanes must be at one meeting."""
        if (self.kind, self.mask, self.where.line) != (other.kind, other.mask, other.where.line):
            raise BadTeam(f"{thread} meets a lane that waits in line {other.where.line}, or for others", self.where)


class Warp:
    """Lanes of a block: those that are there, those that wait for others, and what they have brought."""

    def __init__(self) -> None:
        self.lanes: list[Thread] = []
        self.waiting: dict[int, Meeting] = {}
        self.present = self.arrived = 0

    def order(self, lanes: list[int]) -> None:
        """What some lanes have done is before what they do from now on."""
        clocks = [self.lanes[n].clock for n in lanes]
        latest = [max(times) for times in zip(*clocks, strict=True)]
        for n in lanes:
            self.lanes[n].clock = list(latest)
            self.lanes[n].clock[n] += 1


class Group:
    """A block of threads: who waits at a barrier, who has left, and the shared memory."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.threads: list[Thread] = []
        self.waiting: dict[Thread, Where] = {}
        self.gone: Thread | None = None
        self.shared: dict[Hashable, Block] = {}


class Thread(State):
    """A thread of a grid, as the code that it runs sees the run's state."""

    __slots__ = ("clock", "epoch", "grid", "group", "index", "lane", "number", "part", "taken", "warp")

    def __init__(self, grid: Grid, group: Group, warp: Warp, number: int) -> None:
        super().__init__(0, grid.limit, None)
        self.grid, self.group, self.warp = grid, group, warp
        self.number, self.lane, self.epoch = number, number % LANES, 0
        self.random = grid.chance
        self.clock = [-1] * LANES
        self.clock[self.lane] = 0
        self.taken: Any = None
        self.part = Part(self.run)
        own = {"threadIdx": number, "blockIdx": group.number, "blockDim": grid.threads, "gridDim": grid.blocks}
        self.index = {(word, "x"): n for word, n in own.items()}

    def __str__(self) -> str:
        return f"thread {self.number} of block {self.group.number}"

    def run(self) -> None:
        """All that it does."""
        self.grid.body(self)
        self.group.gone = self
        self.warp.present &= ~(1 << self.lane)
        for other, where in self.group.waiting.items():
            raise BadTeam(f"{self} has left the kernel, and {other} waits for it at a barrier", where)
        for lane, meeting in self.warp.waiting.items():
            if meeting.mask >> self.lane & 1:
                raise BadTeam(f"{self} has left the kernel, and lane {lane} of its warp waits for it", meeting.where)

    def makers(self) -> Makers:
        """The thread itself."""
        return {self.grid: self.identity}

    @property
    def identity(self) -> int:
        """What tells it from all others of the grid."""
        return self.group.number * self.grid.threads + self.number

    def allocate(self, bytes: int, where: Where, *, zeroed: bool = False, space: Space = "host") -> Address | None:
        """Memory is not allocated by kernels."""
        raise Unsupported(f"memory allocated by a kernel, in {where}")

    def note(self, p: Address | None, where: Where, *, writes: bool) -> None:
        """Tell the grid about an access, before which others may have their turns."""
        if p is None:
            return
        block = p[0]
        if block.space == "host":
            owner = block.made.get(self.grid)
            if owner is None:
                raise WrongMemory(f"{self} reaches {block}, which is memory of the host", where)
            if owner != self.identity:
                raise Race(f"{self} reaches {block}, which belongs to another thread", where)
            return
        if self.random.random() < self.grid.pause:
            self.grid.turns.pause(self.part)
        self.grid.visits.note(self, p, where, writes=writes, atomic=self.guard == "atomic")

    def share(self, key: Hashable, name: str, type: Type, where: Where) -> Block:
        """An array in shared memory, which is there from when a thread of the block first comes to it."""
        held = self.group.shared.get(key)
        if held is None:
            data = [UNSET] * len(cells(type))
            held = self.group.shared[key] = Block(name, innermost(type), data, where, space="shared")
        return held

    def barrier(self, where: Where) -> None:
        """Wait for all threads of the block."""
        group = self.group
        if group.gone is not None:
            raise BadTeam(f"{self} comes to a barrier, and {group.gone} has left the kernel", where)
        other, there = next(iter(group.waiting.items()), (self, where))
        if there.line != where.line:
            raise BadTeam(f"{self} comes to a barrier, and {other} waits at that of line {there.line}", where)
        group.waiting[self] = where
        if len(group.waiting) < len(group.threads):
            self.grid.turns.wait(self.part)
            return
        group.waiting.clear()
        for thread in group.threads:
            thread.epoch += 1
            if thread is not self:
                self.grid.turns.wake(thread.part)

    def meet(self, kind: Kind, mask: int, value: Any, distance: int, where: Where) -> Any:
        """Wait for the lanes of a mask, and exchange values with them."""
        warp, own = self.warp, Meeting(kind, mask, value, distance, where)
        if not mask >> self.lane & 1:
            raise BadTeam(f"{self} is not in its own mask {mask:#x}", where)
        if missing := mask & ~warp.present:
            raise BadTeam(f"{self} waits for lane {lowest(missing)}, which has left the kernel or never was", where)
        if met := mask & warp.arrived:
            own.expect(warp.waiting[lowest(met)], self)
        warp.waiting[self.lane] = own
        warp.arrived |= 1 << self.lane
        if mask & warp.arrived == mask:
            self.exchange(own)
        else:
            self.grid.turns.wait(self.part)
        return self.taken

    def exchange(self, last: Meeting) -> None:
        """All lanes of a mask have met."""
        warp = self.warp
        held = {n: warp.waiting.pop(n) for n in range(LANES) if last.mask >> n & 1}
        warp.arrived &= ~last.mask
        if last.kind == "sync":
            warp.order(list(held))
        votes = sum(1 << n for n, each in held.items() if each.value) if last.kind == "ballot" else 0
        for lane, each in held.items():
            each.expect(last, self)
            thread, source = warp.lanes[lane], each.source(lane)
            if source not in held:
                raise BadTeam(f"lane {lane} asks for the value of lane {source}, which is not in the mask", each.where)
            thread.taken = votes if last.kind == "ballot" else held[source].value
            if thread is not self:
                self.grid.turns.wake(thread.part)


def lowest(mask: int) -> int:
    """The first lane of a mask."""
    return (mask & -mask).bit_length() - 1


class Grid:
    """A launch: so many blocks of so many threads, all of which run one body."""

    def __init__(self, chance: random.Random, blocks: int, threads: int, body: Callable[[Thread], None], limit: int):
        self.chance, self.blocks, self.threads, self.body, self.limit = chance, blocks, threads, body, limit
        self.pause = chance.choice(PAUSES)
        self.visits = Visits()
        self.groups: list[Group] = []
        self.turns = Turns(chance, self.stuck)

    def run(self) -> None:
        """Run all blocks, a few at a time. Raises MachineError."""
        order = self.chance.sample(range(self.blocks), self.blocks)
        while order:
            count = self.chance.randint(1, RESIDENT)
            self.groups = [self.group(n) for n in order[:count]]
            order = order[count:]
            self.turns.run([thread.part for group in self.groups for thread in group.threads])
            for group in self.groups:
                for block in group.shared.values():
                    block.end(block.where)

    def group(self, number: int) -> Group:
        """A block with its warps and threads."""
        made, warp = Group(number), Warp()
        for n in range(self.threads):
            if n % LANES == 0:
                warp = Warp()
            thread = Thread(self, made, warp, n)
            made.threads.append(thread)
            warp.lanes.append(thread)
            warp.present |= 1 << thread.lane
        return made

    def stuck(self) -> BadTeam:
        """The fault of threads that all wait, and never meet."""
        waits = [(str(t), where) for group in self.groups for t, where in group.waiting.items()]
        for group in self.groups:
            for thread in group.threads:
                meeting = thread.warp.waiting.get(thread.lane)
                if meeting is not None:
                    waits.append((str(thread), meeting.where))
        who, where = waits[0]
        others = sorted({each.line for _, each in waits} - {where.line})
        return BadTeam(f"{who} waits, others do in lines {others}, and they never meet", where)
