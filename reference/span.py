"""Spans: places in a source text, which terms carry and errors point at."""

from __future__ import annotations

from msgspec import Struct


class Span(Struct, frozen=True):
    """Half-open range of character offsets into a source text."""

    start: int
    stop: int
