"""The command `gnomon code`: the C of an expression, or the header that it includes."""

from __future__ import annotations

from typing import Any

import click

from ...generator.compiler import INCLUDE
from ...generator.kernel_source import generate
from ...generator.request import requested
from ..command_line import (
    advise,
    check_names,
    convert_option,
    echo_json,
    formats_option,
    json_option,
    schedule_option,
    semiring_option,
    target,
    tune_option,
    unless_told,
)
from .run import tuned


@click.command()
@click.argument("expression", required=False)
@formats_option
@semiring_option
@convert_option
@schedule_option
@tune_option
@click.option("--kernel-only", is_flag=True, help="Include the support header by name instead of in full.")
@click.option("--header", is_flag=True, help="Print the support header, gnomon.h, and nothing else.")
@json_option
def code(
    expression: str | None,
    formats: dict[str, str],
    semiring: str | None,
    convert: str | None,
    schedule: str | None,
    tune: bool,
    kernel_only: bool,
    header: bool,
    as_json: bool,
) -> None:
    """Print the C of EXPRESSION for operands in the formats given with -f NAME=FORMAT; others are dense.

    The code stands alone; no compiler is needed to print it. It follows `-s auto` unless told otherwise; its first
    comment says by which schedule. `-s ""` is none. With --header, print what kernels printed with --kernel-only
    include.
    """
    support = (INCLUDE / "gnomon.h").read_text()
    if (expression is None) != header:
        raise click.UsageError("give an expression, or --header alone")
    text, followed = support, ""
    if expression is not None:
        text, followed = kernel(expression, formats, semiring, convert, schedule, tune)
    if not kernel_only:
        text = text.replace('#include "gnomon.h"\n', support)
    if as_json:
        echo_json({"expression": expression, "schedule": followed, "source": text})
    else:
        click.echo(text, nl=False)


def kernel(
    expression: str,
    formats: dict[str, str],
    semiring: str | None,
    convert: str | None,
    schedule: str | None,
    tune: bool,
) -> tuple[str, str]:
    """The C text of a kernel, which includes the support header by name, and the schedule that it follows."""
    check_names(expression, formats)
    out = formats.pop(target(expression), None)
    followed = unless_told(schedule)
    settings: dict[str, Any] = {"out": out, "semiring_name": semiring, "convert": convert, "schedule": followed}
    if tune:
        made = tuned(expression, formats, settings)
        return made.source, str(made.request.schedule)
    request = requested(expression, formats, **settings)
    if schedule is not None:
        advise(request.excess())
    return generate(request.source(request.unsized())), str(request.schedule)
