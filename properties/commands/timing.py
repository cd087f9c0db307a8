"""How long something takes, as a sample: run again and again after it has become steady."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from msgspec import Struct

STEADY = 1.1  # a run that takes longer than the fastest before by no more than this factor brings nothing new
WARMUPS = 10


class Times(Struct, frozen=True):
    """Seconds that runs took, one after another.

    >>> str(Times((0.003, 0.001, 0.002)))
    'median 2 ms, from 1 to 3 ms, half of them within 1 ms, 3 runs'
    """

    runs: tuple[float, ...]

    @property
    def median(self) -> float:
        """As many runs are faster as are slower."""
        return float(np.median(self.runs))

    @property
    def spread(self) -> float:
        """The width of the interval that the middle half of the runs lies in."""
        low, high = np.quantile(self.runs, [0.25, 0.75])
        return float(high - low)

    def as_json(self) -> dict[str, float]:
        """Everything as JSON holds it, in seconds."""
        least, most = min(self.runs), max(self.runs)
        return {"runs": len(self.runs), "median": self.median, "min": least, "max": most, "spread": self.spread}

    def __str__(self) -> str:
        least, middle, most, spread = (
            f"{1e3 * t:.4g}" for t in (min(self.runs), self.median, max(self.runs), self.spread)
        )
        return f"median {middle} ms, from {least} to {most} ms, half of them within {spread} ms, {len(self.runs)} runs"


def time_runs(action: Callable[[], object], runs: int) -> Times:
    """The times of some runs of an action, after runs that warm up the caches.

    Warming up ends when a run is about as fast as the fastest before it, or after as many runs as are timed, ten at
    most.
    """
    fastest = once(action)
    for _ in range(min(runs, WARMUPS) - 1):
        seconds = once(action)
        if seconds <= STEADY * fastest:
            break
        fastest = min(fastest, seconds)
    return Times(tuple(once(action) for _ in range(runs)))


def once(action: Callable[[], object]) -> float:
    """The seconds that one run takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start
