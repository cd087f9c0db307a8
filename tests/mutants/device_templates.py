"""Mutants of templates for GPUs, and of tuning there."""

from __future__ import annotations

from mutant import Mutant
from suites import TIMED, TUNED

DEVICES, TESTS = (
    "reference/schedule/autoschedule/devices.py",
    ("tests/reference/schedule/autoschedule/test_devices.py",),
)
TRIAL = "generator/tuning/trial.py"
TUNER = "generator/tuning/tuner.py"
SPACE = "reference/schedule/autoschedule/space.py"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "device_templates.1",
        DEVICES,
        "balanced and nested and",
        "nested and",
        "loops in blocks go over what is stored",
        TESTS,
    ),
    Mutant("device_templates.2", DEVICES, "balanced and nested and", "balanced and", "warps lie inside threads", TESTS),
    Mutant(
        "device_templates.3",
        DEVICES,
        " and parts.issuperset(order[thread + 1 :])",
        "",
        "threads walk pieces of any size",
        TESTS,
    ),
    Mutant(
        "device_templates.4",
        DEVICES,
        " and not idle(partition, order, (*tagged,))",
        "",
        "splits that change nothing",
        TESTS,
    ),
    Mutant(
        "device_templates.5",
        DEVICES,
        "first if b == part else b",
        "b",
        "a part may stand outside of the loop that it is a part of",
        TESTS,
    ),
    Mutant("device_templates.6", DEVICES, "if other != part:", "if other == part:", "no other part on warps", TESTS),
    Mutant(
        "device_templates.7",
        DEVICES,
        "return racing, Purpose",
        "return -racing, Purpose",
        "what races comes first",
        TESTS,
    ),
    Mutant(
        "device_templates.8",
        DEVICES,
        '"NoRaces", "ParallelReduction", ',
        '"NoRaces", ',
        "threads do not fold what they have",
        TESTS,
    ),
    Mutant("device_templates.9", SPACE, "comb(units, k) * ", "", "units are all alike", TESTS),
    Mutant(
        "device_templates.10",
        TUNER,
        "            refuse_host(found)\n",
        "",
        "all is tried though there is no GPU",
        TUNED,
    ),
    Mutant(
        "device_templates.11",
        TUNER,
        '"cuda": (device_starting_points, device_schedules, sizes),',
        '"cuda": (device_starting_points, device_schedules),',
        "sizes are not tried on a GPU",
        TUNED,
    ),
    Mutant(
        "device_templates.12",
        DEVICES,
        "if apart & set(inside) else",
        "if not apart else",
        "threads fold what belongs to several components",
        TESTS,
    ),
    Mutant("trial.1", TRIAL, "        others += 1\n", "", "a call alone finds what the one before has left", TIMED),
    Mutant(
        "trial.2",
        TRIAL,
        "    call(kernel, operands)\n    times",
        "    times",
        "the first call of several counts",
        TIMED,
    ),
    Mutant("trial.3", TRIAL, "and times[-1] <= most:", "and True:", "what takes too long is timed again", TIMED),
    Mutant("trial.4", TRIAL, "int(size[:-1]) << 10", "int(size[:-1])", "caches are a thousandth as large", TIMED),
)
