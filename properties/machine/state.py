"""What changes while C runs: steps, memory that is allocated, teams of threads, and the chance that orders them."""

from __future__ import annotations

import random
from collections.abc import Hashable
from typing import Any

from .fault import BadFree, DoubleFree, TooLong, Where, WrongMemory
from .memory import NOBODY, UNSET, Address, Block, Makers, Space
from .team import Team
from .types import cells, size

LIMIT = 20_000_000
MOST = 2**32


class State:
    """One run. `memory`: how many more allocations succeed, None for all; `limit`: the most steps."""

    __slots__ = ("allocations", "depth", "guard", "heap", "limit", "memory", "random", "steps", "teams")

    watched = False
    """Whether what runs is watched from the beginning, and not only where teams run it."""

    def __init__(self, seed: int = 0, limit: int = LIMIT, memory: int | None = None) -> None:
        self.random, self.limit, self.memory = random.Random(seed), limit, memory
        self.steps, self.depth, self.allocations, self.guard = 0, 0, 0, ""
        self.teams: list[Team] = []
        self.heap: dict[Block, None] = {}

    def tick(self, where: Where) -> None:
        """One step more of a loop."""
        self.steps += 1
        if self.steps > self.limit:
            raise TooLong(f"more than {self.limit} steps", where)

    def makers(self) -> Makers:
        """The thread of every team that memory belongs to which is made now: none, if the others wait for what is made
        for all."""
        if not self.teams:
            return NOBODY
        found: dict[Hashable, int] = {team: team.thread for team in self.teams if not team.waits}
        return found

    def note(self, p: Address | None, where: Where, *, writes: bool) -> None:
        """Tell the teams about an access."""
        if p is None:
            return
        if p[0].space != "host":
            raise WrongMemory(f"the host reaches {p[0]}, which is memory of a device", where)
        if not p[0].writable:
            return
        for team in self.teams:
            team.note(p, self.guard, where, writes=writes)

    def allocate(self, bytes: int, where: Where, *, zeroed: bool = False, space: Space = "host") -> Address | None:
        """New memory; None if there is none."""
        if self.memory is not None:
            if self.memory == 0:
                return None
            self.memory -= 1
        self.allocations += 1
        if bytes > MOST:
            return None
        data: list[Any] = []
        block = Block(
            "memory", None, data, where, is_heap=True, bytes=bytes, zeroed=zeroed, made=self.makers(), space=space
        )
        self.heap[block] = None
        return block, 0

    def release(self, p: Address | None, where: Where) -> None:
        """Give memory back."""
        if p is None:
            return
        block, k = p
        if block.ended is not None and block.is_heap:
            raise DoubleFree(f"{block.name} from line {block.where.line} was freed in line {block.ended.line}", where)
        if not block.is_heap or k != 0:
            raise BadFree(f"{block} was not allocated" if not block.is_heap else f"{block} is freed at cell {k}", where)
        self.touch(block, where)
        del self.heap[block]
        block.end(where)

    def touch(self, block: Block, where: Where) -> None:
        """Tell the teams that the whole of a block is written."""
        if self.teams:
            for k in range(len(block.data)):
                self.note((block, k), where, writes=True)

    def enlarge(self, p: Address | None, bytes: int, where: Where) -> Address | None:
        """Memory made longer or shorter; None, and the memory as it was, if there is none."""
        if p is None:
            return self.allocate(bytes, where)
        old, k = p
        if old.ended is not None or not old.is_heap or k != 0:
            self.release(p, where)
        made = self.allocate(bytes, where)
        if made is None:
            return None
        new = made[0]
        if old.type is not None:
            count = bytes // size(old.type) * len(cells(old.type))
            new.type = old.type
            new.data = old.data[:count] + [UNSET] * (count - len(old.data))
        self.release(p, where)
        return made
