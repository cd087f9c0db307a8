"""The standard streams: there before a command runs, and empty after it."""

from __future__ import annotations

import os
import sys

MODES = (os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)


def occupy() -> None:
    """Open what the caller has closed of the standard input, output and error, so that no file takes their places.

    Output that is written then is an error, as with other tools; errors that nobody wants go nowhere.
    """
    for descriptor, mode in enumerate(MODES):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, mode), True)  # at the lowest place that is free: this one
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(n, "w" if n else "r", closefd=False) if stream is None else stream
        for n, stream in enumerate((sys.stdin, sys.stdout, sys.stderr))
    )


def drain() -> None:
    """Drop what is left of output that cannot be written, before the interpreter tries again."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
