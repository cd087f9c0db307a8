"""The commands `gnomon formats`, `gnomon levels` and `gnomon semirings`."""

from __future__ import annotations

from collections.abc import Sequence

import click
import numpy as np

from ...reference.algebra.semirings import KNOWN, semiring
from ...reference.levels import LEVELS
from ...reference.levels.level import Append, CoordinatePositionIteration, CoordinateValueIteration, Insert, Locate
from ...reference.storage.named_formats import DESCRIPTIONS, format_of
from ..command_line.options import json_option
from ..command_line.output import echo_json, plain


def print_listing(rows: Sequence[tuple[str, ...]], as_json: bool, keys: tuple[str, ...]) -> None:
    """Rows of text as a table or as JSON."""
    if as_json:
        echo_json([dict(zip(keys, row, strict=True)) for row in rows])
        return
    widths = [max(len(row[n]) for row in [keys, *rows]) for n in range(len(keys))]
    for row in [keys, *rows]:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


@click.command()
@json_option
def formats(as_json: bool) -> None:
    """The named formats and their levels."""
    rows = []
    for name, what in DESCRIPTIONS.items():
        format = format_of(name)
        levels = ",".join(level.name for level in format.levels)
        rows.append((name, levels, str(format.map), what))
    print_listing(rows, as_json, ("name", "levels", "map", "what"))


@click.command()
@json_option
def levels(as_json: bool) -> None:
    """The level formats, their capabilities and properties (Chou 2018, Table 1)."""
    rows = []
    for kind in LEVELS:
        level = kind()
        offered = (CoordinateValueIteration, CoordinatePositionIteration, Locate, Insert, Append)
        capabilities = " ".join(mark for mark, c in zip("VPLIA", offered, strict=True) if isinstance(level, c))
        names = ("full", "ordered", "unique", "branchless", "compact")
        properties = " ".join(n for n in names if getattr(level, n))
        rows.append((level.name, level.letter, capabilities, properties, ", ".join(level.configurable)))
    print_listing(rows, as_json, ("name", "letter", "capabilities", "properties", "configurable"))


@click.command()
@json_option
def semirings(as_json: bool) -> None:
    """The well-known semirings; any <add>_<multiply> is one."""
    rows = []
    for name, what in KNOWN:
        found = semiring(name)
        assert found.add.left_identity is not None
        absent = found.add.left_identity(np.dtype("float64"))
        rows.append((name, found.add.name, found.multiply.name, str(plain(absent)), what))
    print_listing(rows, as_json, ("name", "add", "multiply", "absent", "what"))
