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
    Mutant(
        "tuning.6",
        "generator/tuning/sample.py",
        "        lower = np.all(coords[1:] <= coords[0], axis=0)\n",
        "        lower = np.all(coords[1:] >= coords[0], axis=0)\n",
        "no sample has a format that holds nothing above the diagonal",
        ("tests/generator/tuning/test_tuner.py::test_samples_are_laid_out_as_asked",),
    ),
    Mutant(
        "tuning.7",
        "generator/tuning/sample.py",
        "len({found[v] for v in each}) > 1",
        "False",
        "a tensor that is read twice has a shape of two in a sample",
        ("tests/generator/tuning/test_tuner.py::test_samples_of_what_is_read_twice_have_one_shape",),
    ),
    Mutant(
        "tuning.8",
        TUNER,
        "    if own:\n",
        "    if False:\n",
        "operators of a user are sent to another process, which fails",
        ("tests/generator/tuning/test_tuner.py::test_operators_of_a_user_are_not_tuned_for",),
    ),
)
