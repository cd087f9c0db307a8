"""The kernel cache: libraries by content, and the requests that led to them, in the user's cache directory.

A library is keyed by its source, the flags and the compiler; a request by everything that its source depends on. Files
are moved into place whole, so that processes may share the directory.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import platformdirs

from .compiler import FLAGS, Compiler, header_digest

PACKAGE = Path(__file__).parent.parent


def directory() -> Path:
    """Where kernels are kept: $GNOMON_CACHE, or a folder of the user's cache directory."""
    chosen = os.environ.get("GNOMON_CACHE")
    path = Path(chosen) if chosen else platformdirs.user_cache_path("gnomon") / "kernels"
    path.mkdir(parents=True, exist_ok=True)
    return path


def digest(*parts: str) -> str:
    """A key made of texts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


@cache
def fingerprint() -> str:
    """What changes when this package does."""
    files = sorted(p for folder in ("reference", "generator") for p in (PACKAGE / folder).rglob("*.py"))
    return digest(*(f"{p.name} {p.stat().st_size} {p.stat().st_mtime_ns}" for p in files))


def library(source: str, compiler: Compiler, flags: Sequence[str] = FLAGS) -> Path:
    """The library of a source, compiled unless it is there already."""
    folder = directory()
    key = digest(source, compiler.identity, header_digest(), *flags, *compiler.schedule_flags(source))
    path = folder / f"{key}.so"
    if not path.exists():
        stored(folder / f"{key}.c", lambda made: made.write_text(source))
        stored(path, lambda made: compiler.build(folder / f"{key}.c", made, flags))
    return path


def stored(path: Path, make: Callable[[Path], object]) -> None:
    """Make a file beside its place, and move it there."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, suffix=path.suffix)
    os.close(descriptor)
    made = Path(name)
    try:
        make(made)
        made.chmod(0o644)
        os.replace(made, path)
    finally:
        made.unlink(missing_ok=True)


def recalled(request: str) -> dict[str, Any] | None:
    """What is known of a request; None if nothing is, or the file is damaged."""
    try:
        found = json.loads((directory() / f"{request}.json").read_text())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def remember(request: str, facts: dict[str, Any]) -> None:
    """Keep what is known of a request."""
    stored(directory() / f"{request}.json", lambda made: made.write_text(json.dumps(facts)))
