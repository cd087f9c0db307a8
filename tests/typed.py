"""Commands as a user types them."""

import json
import sys

import click
from click.testing import CliRunner
from gnomon import cli
from msgspec import Struct

COMMAND = [sys.executable, "-m", "gnomon"]


class Done(Struct):
    """What a command came to."""

    returncode: int
    stdout: str
    stderr: str


def run(*words: str) -> Done:
    """A command in this process, with its errors as the entry point tells them."""
    said = CliRunner()
    status = 0

    def command() -> None:
        nonlocal status
        status = cli.guard(lambda: cli.commands(words, standalone_mode=False))

    done = said.invoke(click.Command("gnomon", callback=command))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return Done(done.exit_code or status, done.stdout, done.stderr)


def inside(*words: str) -> tuple[int, str, str]:
    """The exit status, output and errors of a command."""
    done = run(*words)
    return done.returncode, done.stdout, done.stderr


def dense(*words: str) -> list[float]:
    """The values of a vector that a command computes."""
    status, out, err = inside("run", *words, "--json")
    assert status == 0, err
    return [value for _, value in json.loads(out)["entries"]]
