"""Storage invariants that several level formats share, and conditions on a range of an array."""

from __future__ import annotations

from collections.abc import Iterator

from .level import Ints, Violation


def segments(pos: Ints, parents: int, size: int) -> Iterator[Violation]:
    """`pos` starts at 0, never decreases and ends at the number of positions."""
    if pos[0] != 0:
        yield Violation("pos", 0, f"is {pos[0]}, but segments start at 0")
    for p in range(parents):
        if pos[p + 1] < pos[p]:
            yield Violation("pos", p + 1, f"is {pos[p + 1]}, less than the {pos[p]} before it")
    if pos[parents] != size:
        yield Violation("pos", parents, f"is {pos[parents]}, but the level has {size} positions")


def in_range(crd: Ints, size: int, N: int) -> Iterator[Violation]:
    """Coordinates lie in `[0, N)`."""
    for p in range(size):
        if not 0 <= crd[p] < N:
            yield Violation("crd", p, f"is {crd[p]}, outside [0, {N})")


def order_violations(crd: Ints, pos: Ints, parents: int) -> Iterator[Violation]:
    """The coordinates of each segment never decrease."""
    for p in range(parents):
        for q in range(pos[p] + 1, pos[p + 1]):
            if crd[q] < crd[q - 1]:
                yield Violation("crd", q, f"is too small: coordinate {crd[q]} comes after {crd[q - 1]} below {p}")


def duplicate_violations(crd: Ints, pos: Ints, parents: int) -> Iterator[Violation]:
    """Neighbours in each segment differ: with `order_violations`, all coordinates of a segment do."""
    for p in range(parents):
        for q in range(pos[p] + 1, pos[p + 1]):
            if crd[q] == crd[q - 1]:
                yield Violation("crd", q, f"repeats the one before: coordinate {crd[q]} occurs twice below {p}")


def distinct(crd: Ints, begin: int, end: int) -> bool:
    """Whether all elements in `[begin, end)` differ from one another.

    >>> distinct([3, 1, 3], 0, 2), distinct([3, 1, 3], 0, 3)
    (True, False)
    """
    return len(set(crd[begin:end])) == end - begin


def covers(crd: Ints, begin: int, end: int, N: int) -> bool:
    """Whether every coordinate of `[0, N)` is among the elements in `[begin, end)`.

    >>> covers([1, 0, 5], 0, 3, 2), covers([1, 0, 5], 0, 3, 3)
    (True, False)
    """
    return sum(0 <= c < N for c in set(crd[begin:end])) == N
