"""The heap: it keeps what is freed while kernels are timed, for all alike.

Otherwise glibc gives freed memory back, or not, by what whoever has freed before, and a result whose pages are all new
takes up to four times as long. A process that has freed a large array keeps what is freed, as callers' do sooner or
later.
"""

from __future__ import annotations

import ctypes

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # malloc.h
KEPT = 2**30  # bytes
LARGEST = 2**25  # bytes: the largest threshold that glibc takes; larger blocks are always new


def keep_heap() -> None:
    """Keep freed memory for later calls, where the C library is glibc."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(TRIM_THRESHOLD, KEPT)
        mallopt(MMAP_THRESHOLD, LARGEST)
