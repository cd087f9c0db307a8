"""Garbage: when the collector looks for terms that point at each other, of which a generator makes none."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = (10_000, 10, 10)


@contextmanager
def without_collections() -> Iterator[None]:
    """A while without collections: one of them takes as long as it takes to generate a kernel.

    >>> with without_collections():
    ...     gc.isenabled()
    False
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def collect_seldom() -> None:
    """From now on look seldom, and never at what is there: for processes that belong to gnomon."""
    gc.freeze()
    gc.set_threshold(*SELDOM)
