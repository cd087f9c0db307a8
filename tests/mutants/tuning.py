"""Mutants of the tuner: what is measured, how often, and which kernel is kept."""

from __future__ import annotations

from mutant import Mutant
from suites import TIMED, TUNED

TUNER, TRIAL = "generator/tuning/tuner.py", "generator/tuning/trial.py"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "tuning.1",
        TUNER,
        "last = [*best, *(trial for trial in untuned if trial not in best)]",
        "last = best",
        "what a slow phase hit that one gets unasked does not come back",
        TUNED,
    ),
    Mutant(
        "tuning.2",
        TUNER,
        "if any(each == trial.request for trial in found):",
        "if False:",
        "templates that are followed unasked are measured twice",
        TUNED,
    ),
    Mutant(
        "tuning.3",
        TUNER,
        "return [Trial(request, min(times)) for",
        "return [Trial(request, max(times)) for",
        "the slowest of a few rounds counts",
        TUNED,
    ),
    Mutant(
        "tuning.4",
        TRIAL,
        "(len(times) < REPEATS or passed < LEAST)",
        "len(times) < REPEATS",
        "short calls are timed for less than a processor needs to get going",
        TIMED,
    ),
    Mutant(
        "tuning.5",
        TRIAL,
        "and times[-1] <= most",
        "",
        "what takes too long is called again and again",
        TIMED,
    ),
)
