"""The command `gnomon convert`: from one file to another."""

from __future__ import annotations

from pathlib import Path

import click

from ...reference.files.suffix import read, write
from ..command_line.options import json_option
from ..command_line.output import echo_json


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("destination", type=click.Path(path_type=Path))
@click.option("--format", "format", help="Pack into this format on the way, and report its storage.")
@json_option
def convert(source: Path, destination: Path, format: str | None, as_json: bool) -> None:
    """Read SOURCE and write DESTINATION, .mtx or .tns."""
    tensor = read(source, format)
    write(destination, tensor)
    if as_json:
        echo_json({"shape": tensor.shape, "format": str(tensor.format), "stored": tensor.nnz})
    else:
        click.echo(f"{tensor!r} written to {destination}")
