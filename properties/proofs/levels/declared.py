"""What is declared of loops in level functions, and of levels while they are appended to, so that they can be proved.

Beside a function of a level there may be, for its first loop, a claim (`claims.py`) that is true whenever a turn
begins and when the loop ends: `insert_init_invariant`; for its second loop `insert_init_invariant_2`. It names
variables of the function as parameters, for a `for` loop the loop's variable among them. A `while` loop also has a
number that is never negative and decreases with every turn: `locate_variant`. For a level that is appended to,
`append_invariant(parents, counts)` says what its arrays hold once `counts[p]` positions have been appended below each
parent `p`.

A level format of a user's own declares them in its class. Those of gnomon's formats stand here, since nothing but
proofs reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ....reference.levels.accumulator import Accumulator
from ....reference.levels.bitmap import Bitmap
from ....reference.levels.compressed import Compressed
from ....reference.levels.hashed import Hashed
from ....reference.levels.level import Coordinates, Ints, Level


class OfCompressed(Compressed):
    """What is declared of the loops of `Compressed`."""

    def append_invariant(self, parents: int, counts: Ints) -> bool:
        for p in range(parents):
            if self.pos[p + 1] != counts[p]:
                return False
        return self.pos[0] == 0

    def append_init_invariant(self, p: int, begin: int, before: Compressed) -> bool:
        return all(self.pos[n] == (0 if begin < n <= p else before.pos[n]) for n in range(len(self.pos)))

    def append_finalize_invariant(self, p: int, total: int, before: Compressed) -> bool:
        for n in range(1, p):
            if self.pos[n] != self.pos[n - 1] + before.pos[n]:
                return False
        for n in range(p, len(self.pos)):
            if self.pos[n] != before.pos[n]:
                return False
        return self.pos[0] == before.pos[0] and total == self.pos[p - 1]


class OfHashed(Hashed):
    """What is declared of the loops of `Hashed`."""

    def locate_invariant(self, i: Coordinates, begin: int, end: int, q: int) -> bool:
        for r in range(begin, begin + self.W):
            was_probed = end <= r < q or r < q <= end or q <= end <= r
            if was_probed and (self.crd[r] == i[-1] or self.crd[r] == -1):
                return False
        return begin <= q < begin + self.W

    def locate_variant(self, end: int, q: int) -> int:
        return end - q if q <= end else end - q + self.W

    def insert_init_invariant(self, p: int, begin: int, before: Hashed) -> bool:
        return all(self.crd[q] == (-1 if begin <= q < p else before.crd[q]) for q in range(len(self.crd)))


class OfBitmap(Bitmap):
    """What is declared of the loops of `Bitmap`."""

    def insert_init_invariant(self, p: int, begin: int, before: Bitmap) -> bool:
        return all(self.flag[q] == (0 if begin <= q < p else before.flag[q]) for q in range(len(self.flag)))


class OfAccumulator(Accumulator):
    """What is declared of the loops of `Accumulator`."""

    def insert_init_invariant(self, p: int, begin: int, before: Accumulator) -> bool:
        for q in range(len(self.slot)):
            if self.slot[q] != (0 if begin <= q < p else before.slot[q]):
                return False
        for r in range(len(self.count)):
            if begin <= r * self.N < p and self.count[r] != 0:
                return False
            if (r * self.N + self.N <= begin or p <= r * self.N) and self.count[r] != before.count[r]:
                return False
        return True

    def insert_reset_invariant(self, p: int, begin: int, before: Accumulator) -> bool:
        for r in range(len(self.count)):
            if self.count[r] != (0 if begin <= r < p else before.count[r]):
                return False
            for c in range(self.N):
                n = r * self.N + c
                if self.slot[n] != (0 if begin <= r < p else before.slot[n]):
                    return False
        return True

    def insert_reset_invariant_2(self, p: int, q: int, begin: int, before: Accumulator) -> bool:
        for r in range(len(self.count)):
            for c in range(self.N):
                n = r * self.N + c
                if r != p and self.slot[n] != (0 if begin <= r < p else before.slot[n]):
                    return False
                if r == p and self.slot[n] != before.slot[n] and self.slot[n] != 0:
                    return False
        return all(self.slot[p * self.N + self.crd[n]] == 0 for n in range(p * self.N, q))


DECLARED: Mapping[type[Level], type[Level]] = {
    Compressed: OfCompressed,
    Hashed: OfHashed,
    Bitmap: OfBitmap,
    Accumulator: OfAccumulator,
}


def declared_invariant(kind: type[Level], name: str) -> Callable[..., Any] | None:
    """What is declared under a name of a level format, or of the format that it is made from; None if nothing is.

    >>> declared_invariant(Hashed, "locate_variant").__name__
    'locate_variant'
    """
    for each in kind.__mro__:
        said: Mapping[str, Any] = vars(DECLARED.get(each, each))
        if name in said:
            found: Callable[..., Any] = said[name]
            return found
    return None
