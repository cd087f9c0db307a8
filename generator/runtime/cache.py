"""The kernel cache: libraries by content, and the requests that led to them, in the user's cache directory.

A library is keyed by its source, the flags and the compiler; a request by everything that its source depends on. Files
are moved into place whole, so that processes may share the directory. A seal beside each library holds its size and
hash: what is damaged is not loaded, but built again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...reference.errors import HostError
from .compiler import FLAGS, Compiler, header_digest
from .nvcc import FLAGS as DEVICE_FLAGS
from .nvcc import Nvcc

if TYPE_CHECKING:
    from ..cuda.text import Texts

PACKAGE = Path(__file__).parents[2]


def directory() -> Path:
    """Where kernels are kept: $GNOMON_CACHE, or a folder of the user's cache directory.

    Raises HostError if there can be no such folder.
    """
    chosen = os.environ.get("GNOMON_CACHE")
    path = Path(chosen) if chosen else usual_directory()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unusable(path, error) from None
    return path


def usual_directory() -> Path:
    """The folder of the user's cache directory."""
    import platformdirs

    return platformdirs.user_cache_path("gnomon") / "kernels"


def unusable(folder: Path, error: OSError) -> HostError:
    """The error for a folder that kernels cannot be kept in."""
    return HostError(
        f"kernels cannot be kept in the folder {folder}: {error.strerror}",
        hint="set GNOMON_CACHE to a folder that can be written",
    )


def digest(*parts: str) -> str:
    """A key made of texts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


@cache
def fingerprint() -> str:
    """What changes when this package does."""
    found = sorted(line for folder in ("reference", "generator") for line in programs(str(PACKAGE / folder)))
    return digest(header_digest(), *found)


def programs(folder: str) -> Iterator[str]:
    """The files of Python in a folder, with their sizes and when they were changed."""
    for entry in os.scandir(folder):
        if entry.is_dir():
            yield from programs(entry.path)
        elif entry.name.endswith(".py"):
            facts = entry.stat()
            yield f"{entry.name} {facts.st_size} {facts.st_mtime_ns}"


def library(source: str, compiler: Compiler, flags: Sequence[str] = FLAGS) -> Path:
    """The library of a source, compiled unless it is there already. Raises CompileError or HostError if not."""
    folder = directory()
    key = digest(source, compiler.identity, header_digest(), *flags)
    path = folder / f"{key}.so"
    if not is_intact(path):
        store(folder / f"{key}.c", lambda made: made.write_text(source))
        store(path, lambda made: compiler.build(folder / f"{key}.c", made, flags))
        seal(path)
    return path


def device_library(texts: Texts, compiler: Nvcc) -> Path:
    """The library of a host's text and a device's, compiled unless it is there already. Raises CompileError or
    HostError if not."""
    folder = directory()
    key = digest(texts.host, texts.device, compiler.identity, header_digest(), *DEVICE_FLAGS, *compiler.targets)
    path = folder / f"{key}.so"
    if not is_intact(path):
        store(folder / f"{key}.c", lambda made: made.write_text(texts.host))
        store(folder / f"{key}.cu", lambda made: made.write_text(texts.device))
        store(path, lambda made: compiler.build(folder / f"{key}.c", made))
        seal(path)
    return path


def is_intact(library: Path) -> bool:
    """Whether a library is as it was sealed, with its source beside it."""
    try:
        return library.with_suffix(".seal").read_bytes() == mark(library) and library.with_suffix(".c").is_file()
    except OSError:
        return False


def mark(library: Path) -> bytes:
    """The size and the hash of a library."""
    content = library.read_bytes()
    return f"{len(content)} {hashlib.sha256(content).hexdigest()}\n".encode()


def seal(library: Path) -> None:
    """Write a library's seal, its size and hash."""
    try:
        found = mark(library)
    except OSError as error:
        raise unusable(library.parent, error) from None
    store(library.with_suffix(".seal"), lambda made: made.write_bytes(found))


def unseal(library: Path) -> None:
    """Remove a library's seal, so that the next request builds it again. Raises HostError if it cannot be removed."""
    try:
        library.with_suffix(".seal").unlink(missing_ok=True)
    except OSError as error:
        raise unusable(library.parent, error) from None


def store(path: Path, make: Callable[[Path], object]) -> None:
    """Make a file beside its place, and move it there. Raises HostError if the folder cannot be written."""
    import tempfile

    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, suffix=path.suffix)
        os.close(descriptor)
        made = Path(name)
        try:
            make(made)
            made.chmod(0o644)
            os.replace(made, path)
        finally:
            made.unlink(missing_ok=True)
    except OSError as error:
        raise unusable(path.parent, error) from None


def recall(request: str) -> dict[str, Any] | None:
    """The facts kept of a request; None if there are none, or the file is damaged, or nothing can be kept."""
    try:
        found = json.loads((directory() / f"{request}.json").read_text())
    except (OSError, ValueError, HostError):
        return None
    return found if isinstance(found, dict) else None


def remember(request: str, facts: dict[str, Any]) -> None:
    """Keep facts of a request, where anything can be kept: they only save time."""
    with suppress(HostError):
        store(directory() / f"{request}.json", lambda made: made.write_text(json.dumps(facts)))
