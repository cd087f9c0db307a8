"""The command `gnomon code`: the C of an expression, or the header that it includes."""

from __future__ import annotations

from typing import Any

import click

from ...generator.device_source import generate_for_device
from ...generator.kernel_source import generate
from ...generator.runtime.compiler import INCLUDE
from ...generator.runtime.request import make_request
from ...generator.runtime.sources import excess_of, request_source
from ...reference.notation.text import Text, as_text
from ...reference.storage.named_formats import dense
from ...reference.storage.spec import Spec, spec
from ..command_line.operands import check_names, tensors
from ..command_line.options import (
    convert_option,
    dtypes_option,
    expression_text,
    followed_schedule,
    formats_option,
    json_option,
    overflow_option,
    schedule_option,
    semiring_option,
    target_option,
    tune_option,
)
from ..command_line.output import advise, echo_json, lines_of_waiting
from .run import tune_kernel


@click.command()
@click.argument("expression", required=False, callback=expression_text)
@formats_option
@semiring_option
@convert_option
@schedule_option
@tune_option
@dtypes_option
@overflow_option
@target_option
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
    dtypes: dict[str, str],
    overflow: str,
    target: str,
    kernel_only: bool,
    header: bool,
    as_json: bool,
) -> None:
    """Print the C of EXPRESSION for operands in the formats given with -f NAME=FORMAT; others are dense, of float64.

    The code stands alone; no compiler is needed to print it. It follows `-s auto` unless told otherwise; its first
    comment says by which schedule. `-s ""` is none. With --header, print what kernels printed with --kernel-only
    include. With --target cuda, print the text of the host, then that of the device, which include theirs by name.
    """
    support = (INCLUDE / "gnomon.h").read_text()
    if (expression is None) != header:
        raise click.UsageError("give an expression, or --header alone")
    text, device, followed = support, "", ""
    if expression is not None:
        settings = {"semiring": semiring, "convert": convert, "overflow": overflow, "target": target}
        written = as_text(expression)
        with lines_of_waiting("choosing a schedule and writing the kernel"):
            text, device, followed = kernel(written, specs_of(written, formats, dtypes), settings, schedule, tune)
    if not kernel_only:
        text = text.replace('#include "gnomon.h"\n', support)
    if as_json:
        own = {"device_source": device} if device else {}
        echo_json({"expression": expression, "schedule": followed, "source": text, **own})
    else:
        click.echo("\n".join(filter(None, (text, device))), nl=False)


def specs_of(text: Text, formats: dict[str, str], dtypes: dict[str, str]) -> dict[str, Spec]:
    """How tensors are stored that a format or a dtype is given for; those without a format are dense."""
    check_names(text, formats, dtypes)
    orders = {a.tensor: len(a.indices) for a in tensors(text)}
    return {
        name: spec(formats.get(name, dense(orders[name])), dtype=dtypes.get(name)) for name in {**formats, **dtypes}
    }


def kernel(
    text: Text, specs: dict[str, Spec], settings: dict[str, Any], schedule: str | None, tune: bool
) -> tuple[str, str, str]:
    """The text of a kernel, which includes the support header by name, that of the device if it runs on one, and the
    schedule that it follows."""
    given = {**settings, "out": specs.get(text.target.tensor), "schedule": followed_schedule(schedule)}
    operands = text.of_operands(specs)
    request = tune_kernel(text, operands, given).request if tune else make_request(text, operands, **given)
    if schedule is not None:
        advise(excess_of(request))
    source, followed = request_source(request, request.resolve_without_shapes()), str(request.schedule)
    if request.target == "c":
        return generate(source), "", followed
    texts = generate_for_device(source)
    return texts.host, texts.device, followed
