"""The command line of gnomon."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from contextlib import suppress

import click

from .properties.command_line.mounting import ClosedPipe, Mount, Mounted
from .properties.command_line.streams import drain, occupy
from .reference.errors import DisagreementError, GnomonError

COMMANDS = "gnomon.properties.commands"
MOUNTED = {
    "run": Mount(f"{COMMANDS}.run:run", "Evaluate an expression, or run a procedure."),
    "check": Mount(f"{COMMANDS}.check:check", "Compare what both engines compute with what an expression means."),
    "schedule": Mount(f"{COMMANDS}.schedule:schedules", "List promising schedules of an expression."),
    "code": Mount(f"{COMMANDS}.code:code", "Print the C or CUDA of an expression."),
    "show": Mount(f"{COMMANDS}.show:show", "Show how a tensor is stored, or an expression computed."),
    "convert": Mount(f"{COMMANDS}.convert:convert", "Write the tensor in a file into another."),
    "formats": Mount(f"{COMMANDS}.listings:formats", "The named formats and their levels."),
    "levels": Mount(f"{COMMANDS}.listings:levels", "The level formats, their capabilities and properties."),
    "semirings": Mount(f"{COMMANDS}.listings:semirings", "The well-known semirings."),
    "demo": Mount(f"{COMMANDS}.demo:demo", "Evaluate a few expressions on the bundled samples."),
    "fuzz": Mount("gnomon.properties.campaign.fuzz:fuzz", "Run random programs on a backend."),
    "conform": Mount("gnomon.properties.conformance.command:conform", "Run a backend through the conformance suite."),
    "prove": Mount("gnomon.properties.proofs.command:prove", "Prove rules of the specification."),
}


@click.group(cls=Mounted, mounted=MOUNTED, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="gnomon")
def commands() -> None:
    """An executable reference for sparse tensor algebra."""


def guard(command: Callable[[], None]) -> int:
    """Run a command; errors of the user's become a message and an exit status.

    Where nobody reads the output, the status is that of tools which a signal ends then, and nothing is said.
    """
    try:
        command()
    except DisagreementError as error:
        complain(f"disagreement: {error}")
        return 1
    except GnomonError as error:
        complain(f"error: {error}")
        return 2
    except MemoryError as error:
        complain(f"error: there is not enough memory: {error}")
        return 2
    except ClosedPipe:
        return 128 + signal.SIGPIPE
    return 0


def complain(text: str) -> None:
    """Say what is wrong, unless the standard error cannot be written."""
    with suppress(OSError):
        click.echo(text, err=True)


def main() -> None:
    """The entry point: exit status 0, 1 for a disagreement, 2 for bad use or output that cannot be written."""
    occupy()
    try:
        status = guard(lambda: commands(standalone_mode=False))
    except click.ClickException as error:
        with suppress(OSError):
            error.show()
        status = 2
    except (click.Abort, KeyboardInterrupt):
        complain("stopped")
        status = 130
    finally:
        drain()
    sys.exit(status)


if __name__ == "__main__":
    main()
