"""Sorts: a group of threads exchanges numbers of a list by pairs, those of a step at the same time.

The steps are those of `gn_sort_…` in `gnomon_device.h`. As the k-th pair of a step, a thread takes the places p and q:
so far apart, or opposite to one another in runs of twice as many where the step is the first one of its run. Distances
are powers of two. That the steps together sort is the 0-1 principle's matter, which a test looks at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..solver import Term, decide, z3
from ..verdict import Verdict, together

Step = Callable[[Term, int], tuple[Term, Term]]
"""The k-th pair of a step of some distance."""
MOST = 62
"""The number of powers of two that a distance may be."""


def pairs_are_apart() -> Verdict:
    """Whether that is so of all steps."""
    return together(v for power in range(MOST) for places in STEPS for v in of_step(places, 1 << power))


def of_step(places: Step, away: int) -> Iterator[Verdict]:
    """Whether two pairs of a step have no place in common, and the step comes to every pair that begins in the list."""
    k, m = z3.Ints("k m")
    (p, q), (r, s) = places(k, away), places(m, away)
    yield decide(z3.Distinct(p, q, r, s), given=[k >= 0, m >= 0, k != m])
    yield decide(z3.And(p >= 0, p < q, 2 * k < p + away + 1), given=[k >= 0])


def at_a_distance(k: Term, away: int) -> tuple[Term, Term]:
    """The k-th pair of places so far apart."""
    first = 2 * k - k % away
    return first, first + away


def opposite(k: Term, run: int) -> tuple[Term, Term]:
    """The k-th pair of places that lie opposite to one another in runs of twice as many."""
    first = 2 * k - k % run
    return first, first + 2 * (run - k % run) - 1


STEPS = (at_a_distance, opposite)
