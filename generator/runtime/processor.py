"""The processor that kernels run on, as far as the system tells."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from pathlib import Path

CPU = Path("/sys/devices/system/cpu/cpu0/cache")
UNTOLD = 8 << 20


def processor() -> str:
    """What changes with the machine, for which code is made."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor()
    flags = next((line for line in text.splitlines() if line.startswith(("flags", "Features"))), "")
    return hashlib.sha256(flags.encode()).hexdigest()[:16]


@cache
def last_level_cache() -> int:
    """The bytes of the last-level cache; 8 MiB where the system does not tell."""
    found = [size_of(index) for index in CPU.glob("index*")]
    return max((bytes for _, bytes in sorted(found)[-1:]), default=0) or UNTOLD


def size_of(index: Path) -> tuple[int, int]:
    """The level of a cache and its bytes; 0 of what the system does not tell."""
    try:
        size = (index / "size").read_text().strip()
        return int((index / "level").read_text()), int(size.removesuffix("K")) << 10
    except (OSError, ValueError):
        return 0, 0
