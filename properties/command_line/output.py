"""What commands write: tables, JSON, files, and progress while they work."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TypeVar

import click
import numpy as np
from rich.console import Console
from rich.table import Table

from ...reference.errors import GnomonError
from ...reference.schedule.visits import Excess

SOON, OFTEN = 2.0, 10.0  # seconds until a line tells of progress, and until the next
BOUNDLESS = 1 << 20  # columns
T = TypeVar("T")


def not_writable(path: Path | str, error: OSError) -> GnomonError:
    """That nothing can be written at a place."""
    return GnomonError(f"{path} cannot be written: {error.strerror}", hint="give another place")


class Output(Console):
    """The console that tables are printed to. A pipe that nobody reads is an error, as for any other output."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def columns(*names: str) -> Table:
    """A table without rows, in which what is too wide is broken and not cut."""
    table = Table(box=None, header_style="bold")
    for name in names:
        table.add_column(name, overflow="fold")
    return table


def print_table(table: Table) -> None:
    """Print a table: to a terminal in its width, elsewhere with every row in one line, however long that is."""
    if sys.stdout.isatty():
        Output().print(table)
        return
    console = Output(width=BOUNDLESS)
    with console.capture() as captured:
        console.print(table)
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))


def check_writable(path: Path | None) -> None:
    """Raise GnomonError if a file cannot be written, before there is anything to write.

    Leaves no file behind; pipes and devices are not opened twice.
    """
    if path is None:
        return
    try:
        existed = path.exists()
        if existed and not (path.is_file() or path.is_dir()):
            return
        with path.open("ab"):
            pass
        if not existed:
            path.unlink()
    except OSError as error:
        raise not_writable(path, error) from None


def check_folder(path: Path | None) -> None:
    """Make a folder for files. Raises GnomonError if it cannot be, or takes no files."""
    if path is None:
        return
    try:
        path.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise not_writable(path, error) from None


def plain(value: Any) -> Any:
    """A scalar as JSON can hold it."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, complex):
        return [plain(value.real), plain(value.imag)]
    return value if not isinstance(value, float) or np.isfinite(value) else repr(value)


def echo_json(value: Any) -> None:
    """Print one JSON object."""
    click.echo(json.dumps(value, default=plain))


def advise(found: Excess | None) -> None:
    """Say on the standard error what a schedule goes over too much of, if anything."""
    if found is not None:
        click.echo(f"warning: {found}", err=True)


@contextmanager
def progress(items: list[T], label: str) -> Iterator[Iterable[T]]:
    """The items, with what shows how many are done: a bar on a terminal, elsewhere a line now and then."""
    done = 0

    def count() -> Iterator[T]:
        nonlocal done
        for item in items:
            yield item
            done += 1

    if sys.stderr.isatty():
        with click.progressbar(items, label=label, file=sys.stderr) as bar:
            yield bar
        return
    with lines_of_progress(lambda: f"{label}: {done} of {len(items)}"):
        yield count()


@contextmanager
def lines_of_waiting(label: str) -> Iterator[None]:
    """Tell now and then, where that is no terminal, for how long something of which no parts are counted has run."""
    began = time.monotonic()
    with lines_of_progress(lambda: f"{label}: {time.monotonic() - began:.0f} s"):
        yield


@contextmanager
def lines_of_progress(tell: Callable[[], str]) -> Iterator[None]:
    """Write what is told to the standard error now and then while the work goes on, where that is no terminal."""
    ended = threading.Event()

    def repeat() -> None:
        wait = SOON
        with suppress(OSError):
            while not ended.wait(wait):
                click.echo(tell(), err=True)
                wait = OFTEN

    if sys.stderr.isatty():
        yield
        return
    teller = threading.Thread(target=repeat, daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()
