"""Preconditions: what has to hold for a command to keep the meaning of a statement, by name.

They are apart from the transformations. A command without its preconditions gives a statement that computes something
else or cannot run, as `gn.evaluate(..., unchecked=True)` shows.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct


class Precondition(Struct, frozen=True):
    """A condition on a program and the arguments of a command: `check` raises ScheduleError where it fails."""

    name: str
    check: Callable[..., None]
