"""Units: the n-th program of a campaign, drawn from its seed and its number alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache

from hypothesis import HealthCheck, given, settings

from ...reference.errors import InternalError
from ..programs.features import Features
from ..programs.problem import Problem
from ..strategies.programs import programs

BYTES = 8192
ATTEMPTS = 20
Draw = Callable[[bytes], object]


@cache
def drawer(features: Features) -> tuple[Draw, list[Problem]]:
    """What draws a program from bytes, and where it puts it."""
    found: list[Problem] = []

    @settings(database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(programs(features))
    def draw(problem: Problem) -> None:
        found.append(problem)

    return draw.hypothesis.fuzz_one_input, found  # type: ignore[attr-defined]


def bytes_of(seed: int, number: int, attempt: int) -> bytes:
    """The bytes that a unit is drawn from."""
    return hashlib.shake_256(f"{seed}:{number}:{attempt}".encode()).digest(BYTES)


def unit(features: Features, seed: int, number: int) -> Problem:
    """The program of a number. The same in every process, whatever was drawn before.

    >>> from gnomon.properties.programs.features import EVERYTHING
    >>> unit(EVERYTHING, 1, 7).source == unit(EVERYTHING, 1, 7).source
    True
    """
    draw, found = drawer(features)
    for attempt in range(ATTEMPTS):
        found.clear()
        draw(bytes_of(seed, number, attempt))
        if found:
            return found.pop()
    raise InternalError(f"no program is drawn for unit {number} of seed {seed}")
