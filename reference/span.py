"""Spans: places in a source text, which terms carry and errors point at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open range of character offsets into a source text."""

    start: int
    stop: int
