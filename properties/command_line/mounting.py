"""The group of commands, some of which are imported when they are first used."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

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


class Mounted(click.Group):
    """A group some of whose commands are imported when they are first used: `{"name": "module:attribute"}`.

    Raises ClosedPipe or GnomonError where the output of a command cannot be written.
    """

    def __init__(self, *args: Any, mounted: dict[str, str], **settings: Any) -> None:
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
        return sorted({*super().list_commands(ctx), *self.mounted})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.mounted:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = self.mounted[cmd_name].partition(":")
        found: click.Command = getattr(importlib.import_module(module), attribute)
        return found
