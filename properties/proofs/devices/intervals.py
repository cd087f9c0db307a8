"""Intervals between barriers: which accesses two threads of one block may make while neither has to wait for the other.

Between an access and another one of the same iteration of the loops around both, a barrier stands where one does in the
code that follows the first, in the blocks that it stands in, or that comes before the second. To another iteration of a
loop, threads go on through the rest of its body and its begin. Barriers are met by all threads of the block in the same
iterations (`uniformity`).
"""

from __future__ import annotations

from msgspec import Struct

from ....generator.ir import ir
from ..solver import Term

Step = tuple[ir.Code, int]
"""Some code, and the number of a statement of it."""


class Loop(Struct, frozen=True):
    """A loop around an access: the number of steps that lead to the body, and the value of the counter, if any."""

    depth: int
    counter: Term | None


class Site(Struct, frozen=True):
    """The place of an access in a kernel: the steps that lead to the statement, and the loops around.

    `is_asked`: the access is part of the condition of a loop, which is evaluated before every iteration.
    """

    steps: tuple[Step, ...]
    loops: tuple[Loop, ...] = ()
    is_asked: bool = False

    def ends(self, depth: int) -> bool:
        """Whether a barrier follows in the blocks that are so many steps deep, or more."""
        return any(waits(code[n + 1 :]) for code, n in self.steps[depth:])

    def begins(self, depth: int) -> bool:
        """Whether a barrier stands before it in these blocks."""
        return any(waits(code[:n]) for code, n in self.steps[depth:])


def waits(code: ir.Code) -> bool:
    """Whether all threads of a block wait for one another in some code, whatever they do else."""
    return any(isinstance(s, ir.Barrier) and s.scope == "block" for s in code)


def meeting(a: Site, b: Site) -> tuple[tuple[Term, Term], ...] | None:
    """The counters that are the same for two threads of a block that are at two places with no barrier in between; None
    if one always stands there."""
    if a.is_asked or b.is_asked:
        return ()
    depth = next((n for n, (x, y) in enumerate(zip(a.steps, b.steps, strict=False)) if not is_same(x, y)), None)
    depth = min(len(a.steps), len(b.steps)) if depth is None else depth
    shared = [(x, y) for x, y in zip(a.loops, b.loops, strict=False) if x.depth == y.depth <= depth]
    kept = [(x, y) for x, y in shared if keeps_apart(a, b, x.depth) and keeps_apart(b, a, x.depth)]
    if len(kept) == len(shared) and is_ordered(a, b, depth):
        return None
    return tuple((x.counter, y.counter) for x, y in kept if x.counter is not None)


def keeps_apart(a: Site, b: Site, depth: int) -> bool:
    """Whether a barrier stands between one access and another one in a later iteration of a loop around both."""
    return a.ends(depth) or b.begins(depth)


def is_ordered(a: Site, b: Site, depth: int) -> bool:
    """Whether a barrier stands between two accesses in one iteration of the loops around both."""
    if depth >= len(a.steps) or depth >= len(b.steps):
        return False
    (code, n), (other, m) = a.steps[depth], b.steps[depth]
    if code is not other:
        return False
    first, second, begin, end = (a, b, n, m) if n < m else (b, a, m, n)
    return first.ends(depth + 1) or waits(code[begin + 1 : end]) or second.begins(depth + 1)


def is_same(a: Step, b: Step) -> bool:
    """Whether two steps are the same statement of the same code."""
    return a[0] is b[0] and a[1] == b[1]
