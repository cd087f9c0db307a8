"""Fitting: costs and factors of templates that agree with measured times.

For each program the logarithms of times and of costs may differ by a constant, which says how large the data is. Found
are the costs for which the squares of what else differs are least, each program counting the same; a few far off count
less (Huber), as those whose times are cut off.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import least_squares

from ...reference.schedule.application import apply_schedule
from ...reference.schedule.autoschedule.cost import Share, Work, count, shares
from ...reference.schedule.autoschedule.template import Template
from ...reference.statement.statement import Program

Seconds = Sequence[tuple[Template, float]]
WORKS, SHARES = list(Work), list(Share)
FAR, NEAR, LOOSE = 5.0, 0.5, 0.05
"""The largest ratio of times that counts, and from where on a difference counts less, as powers of two; how strongly
costs are held to what they start with."""


def fit(measured: Sequence[tuple[Program, Seconds]]) -> dict[str, float]:
    """Costs by the names of works, that of a tile on lanes being one, then factors by those of shares."""
    tables = [table(program, seconds) for program, seconds in measured if len(seconds) > 1]
    start = np.zeros(len(WORKS) + len(SHARES))

    def differences(logs: np.ndarray) -> np.ndarray:
        parts = [(d - d.mean()) / np.sqrt(d.size) for d in (predict(logs, *t[:2]) - t[2] for t in tables)]
        return np.concatenate([*parts, LOOSE * logs])

    found = 2.0 ** least_squares(differences, start, loss="huber", f_scale=NEAR).x
    costs, factors = found[: len(WORKS)], found[len(WORKS) :]
    unit = costs[WORKS.index(Work.TILE_ON_LANES)]
    return {w.name: float(c / unit) for w, c in zip(WORKS, costs, strict=True)} | {
        s.name: float(f) for s, f in zip(SHARES, factors, strict=True)
    }


def table(program: Program, seconds: Seconds) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each template how much of each work it does, which shares hold, and the logarithm of its time."""
    programs = [apply_schedule(program, template.schedule()) for template, _ in seconds]
    counted, held = [count(each) for each in programs], [set(shares(each)) for each in programs]
    work = np.array([[found.get(w, 0.0) for w in WORKS] for found in counted])
    logs = np.log2(np.array([t for _, t in seconds]))
    return work, np.array([[float(s in found) for s in SHARES] for found in held]), np.minimum(logs - logs.min(), FAR)


def predict(logs: np.ndarray, work: np.ndarray, held: np.ndarray) -> np.ndarray:
    """The logarithms of what templates cost."""
    total: np.ndarray = np.log2(work @ 2.0 ** logs[: len(WORKS)]) + held @ logs[len(WORKS) :]
    return total
