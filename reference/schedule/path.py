"""Paths: the branch taken at each step from the root of a statement, which lead to its sections (`section.py`)."""

from __future__ import annotations

Path = tuple[int, ...]


def print_path(path: Path) -> str:
    """A path as schedules write it: `{0,1}`."""
    return "{" + ",".join(map(str, path)) + "}"
