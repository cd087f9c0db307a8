"""Notes of the cache: the library of a request, what its source depends on, and the conversions of its operands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..storage.layout import Layout
from . import cache
from .conversions import Conversion, read_conversions

Depends = tuple[tuple[str, int], ...]
"""Extents, by operand and mode."""


class Noted(NamedTuple):
    """A library, what its source depends on, and how operands are converted for it."""

    path: Path
    depends: Depends
    conversions: tuple[Conversion, ...]


def read_note(facts: Mapping[str, Any] | None, layouts: Mapping[str, Layout]) -> Noted | None:
    """What a note of the cache says; None if the note is malformed or the library damaged."""
    match facts:
        case {"library": str(name), "depends": list(pairs), "converted": list(each)} if all(
            is_mode(pair, layouts) for pair in pairs
        ):
            path, conversions = cache.directory() / Path(name).name, read_conversions(each, layouts)
            if conversions is None or not cache.is_intact(path):
                return None
            return Noted(path, tuple((n, m) for n, m in pairs), conversions)
        case _:
            return None


def is_mode(pair: Any, layouts: Mapping[str, Layout]) -> bool:
    """Whether something is an operand and one of its modes."""
    match pair:
        case [str(name), int(mode)] if name in layouts:
            return 0 <= mode < layouts[name].format.order
        case _:
            return False
