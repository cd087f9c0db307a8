"""Turns: work that goes on side by side, of which one part runs at a time, until it waits or chance takes its turn.

Each part is a coroutine with a stack of its own, so that what it runs need not know how to stop.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from greenlet import greenlet


class Part:
    """What has turns."""

    __slots__ = ("course",)

    def __init__(self, work: Callable[[], None]) -> None:
        self.course = greenlet(work)


class Turns:
    """Parts that take turns, in an order that chance draws."""

    def __init__(self, chance: random.Random, stuck: Callable[[], Exception]) -> None:
        self.chance, self.stuck = chance, stuck
        self.ready: list[Part] = []

    def run(self, parts: Sequence[Part]) -> None:
        """Run parts to their ends. Raises what one of them raises, and what `stuck` gives if all wait."""
        self.ready = list(parts)
        left = len(parts)
        try:
            while left:
                part = self.draw()
                part.course.switch()
                left -= part.course.dead
        finally:
            for part in parts:
                part.course.throw()

    def draw(self) -> Part:
        """Whose turn is next."""
        ready = self.ready
        if not ready:
            raise self.stuck()
        n = int(self.chance.random() * len(ready))
        part, ready[n] = ready[n], ready[-1]
        ready.pop()
        return part

    def wait(self, part: Part) -> None:
        """A part has no turn until it is woken."""
        part.course.parent.switch()

    def wake(self, part: Part) -> None:
        """A part may go on."""
        self.ready.append(part)

    def pause(self, part: Part) -> None:
        """Others may have their turns first."""
        self.wake(part)
        self.wait(part)
