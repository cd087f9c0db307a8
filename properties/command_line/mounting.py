"""The group of commands, some of which are imported when they are first used."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import click

from ...reference.errors import GnomonError
from .output import not_writable


class ClosedPipe(Exception):
    """Nobody reads the output any more."""


@contextmanager
def outlet() -> Iterator[None]:
    """Where output is written. Raises ClosedPipe if nobody reads it, GnomonError if it cannot be written."""
    try:
        yield
    except BrokenPipeError:
        raise ClosedPipe from None
    except OSError as error:
        if error.filename is None:
            raise not_writable("the output", error) from None
        raise GnomonError(f"{error.filename}: {error.strerror}", hint="give another place") from None


class Mount(NamedTuple):
    """Where a command is, `module:attribute`, and what it does, in a line."""

    place: str
    what: str


class Mounted(click.Group):
    """A group of commands by their names, each of which is imported when it is used.

    Raises ClosedPipe or GnomonError where the output of a command cannot be written.
    """

    def __init__(self, *args: Any, mounted: dict[str, Mount], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.mounted = mounted

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        with outlet():
            return super().make_context(*args, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        with outlet():
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self.mounted)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.mounted[name].what) for name in self.list_commands(ctx)])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.mounted:
            return None
        module, _, attribute = self.mounted[cmd_name].place.partition(":")
        found: click.Command = getattr(importlib.import_module(module), attribute)
        return found
