"""Notes of the cache: which library a request has got, and what its source depends on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..storage.layout import Layout
from . import cache

Depends = tuple[tuple[str, int], ...]
"""Extents, by operand and mode."""


def read_note(facts: Mapping[str, Any] | None, layouts: Mapping[str, Layout]) -> tuple[Path, Depends] | None:
    """The library and extents in a note of the cache; None if the note is malformed or the library damaged."""
    match facts:
        case {"library": str(name), "depends": list(pairs)} if all(is_mode(pair, layouts) for pair in pairs):
            path = cache.directory() / Path(name).name
            return (path, tuple((n, m) for n, m in pairs)) if cache.is_intact(path) else None
        case _:
            return None


def is_mode(pair: Any, layouts: Mapping[str, Layout]) -> bool:
    """Whether something is an operand and one of its modes."""
    match pair:
        case [str(name), int(mode)] if name in layouts:
            return 0 <= mode < layouts[name].format.order
        case _:
            return False
