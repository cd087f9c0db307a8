"""The command `gnomon check`: the engines, or somebody's result in a file, against what an expression means."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ...reference.algebra.exact import approximate
from ...reference.errors import DisagreementError
from ...reference.files.suffix import read_components
from ...reference.notation.text import Text, as_text
from ...reference.schedule.preparation import instantiate
from ...reference.storage.named_formats import dense
from ...reference.storage.packing import pack
from ..command_line.operands import is_number, load_operands, number
from ..command_line.options import (
    convert_option,
    expression_text,
    formats_option,
    json_option,
    schedule_option,
    semiring_option,
    tensors_option,
)
from ..command_line.output import echo_json, plain
from ..differential.check import Report
from ..differential.check import check as check_engines
from ..differential.claim import check_result
from ..differential.difference import Difference


@click.command()
@click.argument("expression", callback=expression_text)
@tensors_option
@formats_option
@semiring_option
@convert_option
@schedule_option
@click.option("--result", metavar="FILE", help="Somebody's result, a file or a number, to look at instead.")
@json_option
def check(
    expression: str,
    files: dict[str, str],
    formats: dict[str, str],
    semiring: str | None,
    convert: str | None,
    schedule: str | None,
    result: str | None,
    as_json: bool,
) -> None:
    """Compare the results of EXPRESSION by both engines with what it means, in exact arithmetic.

    With --result, that alone is compared: its values, and its structure too if -f gives the result a format. Says where
    it is wrong. Exit status 1 for a disagreement.
    """
    if result is not None and (convert or schedule):
        raise click.UsageError("--convert and --schedule say how to run: leave them or --result out")
    text = as_text(expression)
    operands = load_operands(text, files, formats)
    out = formats.get(text.target.tensor)
    try:
        report = (
            check_engines(text, operands, out=out, semiring=semiring, convert=convert, schedule=schedule)
            if result is None
            else check_file(text, operands, result, out, semiring)
        )
    except DisagreementError as error:
        if not as_json:
            raise
        found = [d for d in error.differences if isinstance(d, Difference)]
        echo_json(
            {
                "expression": expression,
                "agrees": False,
                "message": error.message,
                "differences": [difference_json(d) for d in found],
            }
        )
        sys.exit(1)
    if as_json:
        facts = {"checked": report.checked, "points": report.points, "seed": report.seed}
        echo_json(
            {"expression": expression, "agrees": True, **facts, "engines": report.engines, "refused": report.refused}
        )
        return
    click.echo(str(report))


def check_file(text: Text, operands: dict[str, Any], result: str, out: str | None, semiring: str | None) -> Report:
    """Compare a file with the meaning of an expression: a file has no dtype or fill of its own.

    Matrix Market files hold vectors as matrices of one column.
    """
    if is_number(result):
        return check_result(text, operands, number(result), out=out, semiring=semiring)
    resolved = instantiate(text, operands, out=out, semiring=semiring).resolved
    held = read_components(result, resolved.shape if ".tns" in Path(result).suffixes else None)
    column = held.shape == (*resolved.shape, 1)
    coords, shape = (held.coords[:-1], held.shape[:-1]) if column else (held.coords, held.shape)
    format = dense(len(shape)) if out is None else out
    given = pack(coords, held.astype(resolved.dtype).values, shape, format, fill=resolved.fill)
    return check_result(text, operands, given, out=out, semiring=semiring)


def difference_json(difference: Difference) -> dict[str, Any]:
    """A difference as JSON holds it."""
    found, meant, bound = (plain(v) for v in (difference.found, approximate(difference.meant), difference.bound))
    return {"at": list(difference.at), "what": difference.what, "found": found, "meant": meant, "bound": bound}
