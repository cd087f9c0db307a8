"""Options that several commands have."""

from __future__ import annotations

import math
from collections.abc import Sequence

import click

from ...reference.schedule.settings import AUTO

PROCEDURE, TREE = ".gn", ".tree"
FILES = (PROCEDURE, TREE)
"""How the names of files end that hold a procedure, or an index tree."""


def assignment(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> dict[str, str]:
    """`NAME=VALUE` options as a dictionary."""
    found: dict[str, str] = {}
    for value in values:
        name, equals, rest = value.partition("=")
        if not equals or not name.isidentifier():
            raise click.BadParameter(f"expected NAME=VALUE, but found {value!r}")
        if name in found:
            raise click.BadParameter(f"{name} is given twice, as {found[name]!r} and as {rest!r}")
        found[name] = rest
    return found


def numeric(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """A number, or nothing: ranges let NaN pass."""
    if value is not None and math.isnan(value):
        raise click.BadParameter(f"expected a number, but found {value}", context, parameter)
    return value


def assignment_of_ids(values: Sequence[str]) -> dict[str, str]:
    """`ID=REASON` options as a dictionary. Raises BadParameter for an id without a reason."""
    found: dict[str, str] = {}
    for value in values:
        name, _, reason = value.partition("=")
        if not reason.strip():
            raise click.BadParameter(f"expected ID=REASON, but found {value!r}")
        if name in found:
            raise click.BadParameter(f"{name} is given twice, for {found[name]!r} and for {reason!r}")
        found[name] = reason
    return found


def expression_text(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """The text of an expression, or nothing. Raises BadParameter for the name of a file that other commands read."""
    if value is not None and value.endswith(FILES):
        raise click.BadParameter(
            f"expected an expression, but found the file {value}, which gnomon show reads, and gnomon run if it holds "
            "a procedure",
            context,
            parameter,
        )
    return value


tensors_option = click.option(
    "-t",
    "--tensor",
    "files",
    multiple=True,
    callback=assignment,
    metavar="A=FILE",
    help="An operand: a file, a number, ones or random:1000x800:0.01.",
)
formats_option = click.option(
    "-f", "--format", "formats", multiple=True, callback=assignment, metavar="A=CSR", help="The format of a tensor."
)
semiring_option = click.option("--semiring", metavar="S", help="For example min_plus.")
convert_option = click.option("--convert", type=click.Choice(["auto"]), help="Convert operands that contradict others.")
schedule_option = click.option(
    "-s", "--schedule", metavar="S", help="For example 'split(i,i0,i1,32)', 'mask=push', or auto."
)
tune_option = click.option("--tune", is_flag=True, help="Measure schedules, sizes and flags; take the fastest kernel.")
dtypes_option = click.option(
    "-d", "--dtype", "dtypes", multiple=True, callback=assignment, metavar="A=int32", help="The dtype of a tensor."
)
overflow_option = click.option(
    "--overflow",
    type=click.Choice(["check", "ignore"]),
    default="check",
    help="Report integers that do not fit in their dtype (the default), or take plain operators.",
)
target_option = click.option(
    "--target",
    type=click.Choice(["c", "cuda"]),
    default="c",
    help="What runs the kernel: a CPU (the default), or a GPU. Then there is a text for each.",
)
constraints_option = click.option(
    "--constraints", default="", help='What is known of sizes, for --branched: "8 <= K <= 256, nnz(B) <= I*J".'
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def followed_schedule(schedule: str | None) -> str:
    """The schedule that C follows: its own, unless something else, or by an empty text nothing, is asked for."""
    return AUTO if schedule is None else schedule
