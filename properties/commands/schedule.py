"""The command `gnomon schedule`: promising schedules, timed on operands if there are any."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import click

from ...generator.runtime.request import make_request
from ...generator.tuning.trial import Bench
from ...generator.tuning.tuner import measure_variant
from ...reference.errors import GnomonError
from ...reference.notation.text import as_text
from ...reference.schedule.autoschedule.ranking import rank
from ...reference.schedule.autoschedule.space import size
from ...reference.schedule.autoschedule.template import Template
from ..command_line.operands import load_operands
from ..command_line.options import convert_option, formats_option, json_option, semiring_option, tensors_option
from ..command_line.output import echo_json, progress


@click.command("schedule")
@click.argument("expression")
@tensors_option
@formats_option
@semiring_option
@convert_option
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="How many to list, and to time.")
@json_option
def schedules(
    expression: str,
    files: dict[str, str],
    formats: dict[str, str],
    semiring: str | None,
    convert: str | None,
    top: int,
    as_json: bool,
) -> None:
    """List promising schedules of EXPRESSION, the most promising first.

    Sizes of splits are open: `*`. When all operands are given with -t, each schedule is timed in C with the sizes to
    begin with, beside no schedule at all, and the fastest come first.
    """
    text = as_text(expression)
    operands = load_operands(text, files, formats)
    out = formats.pop(text.target.tensor, None)
    request = make_request(text, {**formats, **operands}, out=out, semiring_name=semiring, convert=convert)
    without = [name for name in request.declarations if operands and name not in operands]
    if without:
        raise GnomonError(f"{without[0]} has no data to time with", hint="give every operand with -t, or none")
    program = request.lower(request.resolve_without_shapes())
    found = rank(program)
    listed = found[:top]
    times: dict[str, float] = {}
    if operands:
        listed = listed if Template(()) in listed else [Template(()), *listed]
        with progress(listed, "timing") as each, Bench(operands) as stand:
            for t in each:
                best = min(times.values(), default=inf)
                times[str(t)] = measure_variant(replace(request, schedule=t.schedule()), stand, best).seconds
        listed.sort(key=lambda template: times[str(template)])
    if as_json:
        rows = [{"template": str(t), "schedule": str(t.schedule()), "seconds": times.get(str(t))} for t in listed]
        echo_json({"expression": expression, "templates": len(found), "space": size(program), "schedules": rows})
        return
    click.echo(f"{len(found)} templates, of {size(program)} without heuristics")
    for template in listed:
        time_ = f"{1e3 * times[str(template)]:10.3f} ms  " if times else ""
        click.echo(f"{time_}{template if template.commands else '(no schedule)'}")
