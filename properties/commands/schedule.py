"""The command `gnomon schedule`: promising schedules, timed on operands if there are any."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from typing import Any

import click
from msgspec.structs import replace

from ...generator.runtime.request import Request, make_request
from ...generator.tuning.trial import Bench, GivenUp
from ...generator.tuning.tuner import Trial, measure_variant, refuse_host, refuse_untimed
from ...reference.errors import GnomonError
from ...reference.notation.text import as_text
from ...reference.schedule.application import apply_schedule
from ...reference.schedule.autoschedule.devices import device_templates
from ...reference.schedule.autoschedule.grids import grid_schedule
from ...reference.schedule.autoschedule.ranking import rank
from ...reference.schedule.autoschedule.space import GPU, size
from ...reference.schedule.autoschedule.template import Template
from ...reference.schedule.branched.choice import Choice
from ...reference.schedule.branched.finalists import finalists, operand_orders_of
from ...reference.schedule.branched.unasked import options
from ...reference.schedule.schedule import Schedule, as_schedule
from ...reference.schedule.settings import AUTO
from ...reference.statement.statement import Program
from ..command_line.operands import load_operands
from ..command_line.options import (
    constraints_option,
    convert_option,
    expression_text,
    formats_option,
    json_option,
    schedule_option,
    semiring_option,
    target_option,
    tensors_option,
)
from ..command_line.output import echo_json, lines_of_waiting, progress
from .branched import list_branched


@click.command("schedule")
@click.argument("expression", callback=expression_text)
@tensors_option
@formats_option
@semiring_option
@convert_option
@schedule_option
@target_option
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="How many to list, and to time.")
@click.option("--branched", is_flag=True, help="List schedules with temporaries, and what each costs, instead.")
@constraints_option
@click.option("--cache", type=click.IntRange(1), help="Bytes of the last-level cache, for --branched; the machine's.")
@click.option("--report", is_flag=True, help="Say what each stage of the search leaves, for --branched.")
@json_option
def schedules(
    expression: str,
    files: dict[str, str],
    formats: dict[str, str],
    semiring: str | None,
    convert: str | None,
    schedule: str | None,
    target: str,
    top: int,
    branched: bool,
    constraints: str,
    cache: int | None,
    report: bool,
    as_json: bool,
) -> None:
    """List promising schedules of EXPRESSION, the most promising first.

    Sizes of splits are open: `*`. When all operands are given with -t, each schedule is timed in C with the sizes to
    begin with, beside no schedule at all, and the fastest come first. What has no time says why. Those that a kernel
    may follow unasked come before all others, with their work if there are several, by which it chooses; then those
    that compute a part of a product first, if that can pay, with their costs. --branched says more of them.

    With -s, listed are those alone that its settings leave to choose among, as -s mask=auto,workspaces=both.

    With --branched, products are taken apart: the loops that operands share are fused around temporaries. Listed are
    those whose assignments stand in the fewest loops, with the smallest temporaries, and that no other one is better
    than at all sizes that satisfy the constraints; with data, those come first whose assignments run the least
    while temporaries fit into half of the last-level cache.

    With --target cuda, listed are schedules for a GPU, and times are those of kernels there, beside the schedule that
    they follow unasked.
    """
    if (constraints or cache or report) and not branched:
        raise click.UsageError("--constraints, --cache and --report go with --branched")
    if branched and schedule is not None:
        raise click.UsageError("-s says what to choose among, and so does --branched: give one of them")
    if target != "c" and (branched or schedule is not None):
        raise click.UsageError("--branched and -s are about kernels for a CPU: leave them or --target out")
    text = as_text(expression)
    operands = load_operands(text, files, formats)
    stored, out = text.of_operands(formats), formats.get(text.target.tensor)
    settings: dict[str, Any] = {"out": out, "semiring": semiring, "convert": convert, "target": target}
    request = make_request(text, {**stored, **operands}, **settings)
    without = [name for name in request.declarations if operands and name not in operands]
    if without:
        raise GnomonError(f"{without[0]} has no data to time with", hint="give every operand with -t, or none")
    program = request.program
    if branched:
        list_branched(
            expression,
            program,
            operands,
            constraints=constraints,
            cache=cache,
            top=top,
            report=report,
            as_json=as_json,
        )
        return
    told, every = found_templates(program, target) if schedule is None else ({}, templates_of(program, schedule))
    listed = distinct(every)[:top]
    times: dict[str, Trial] = {}
    if operands:
        beside = Template(grid_schedule(program).commands if target == "cuda" else ())
        listed = listed if beside in listed else [beside, *listed]
        times = time_templates(request, listed, operands)
        listed.sort(key=lambda template: times[str(template)].seconds)
    if as_json:
        rows = [
            {"template": str(t), "schedule": str(t.schedule()), "why": t.reason, **as_row(times.get(str(t)))}
            for t in listed
        ]
        echo_json({"expression": expression, **told, "schedules": rows})
        return
    if told:
        more = f", and {told['branched']} that take the product apart" if told.get("branched") else ""
        click.echo(f"{told['templates']} templates, of {told['space']} without heuristics{more}")
    for template in listed:
        click.echo(line(template, times.get(str(template))))


def distinct(templates: Iterable[Template]) -> list[Template]:
    """Templates of distinct schedules, the first of those of one."""
    found = dict[Schedule, Template]()
    for each in templates:
        found.setdefault(each.schedule(), each)
    return list(found.values())


def found_templates(program: Program, target: str) -> tuple[dict[str, int], list[Template]]:
    """How many templates of each kind there are, and all of them, what C follows unasked first."""
    if target == "cuda":
        on_gpu = device_templates(program)
        return {"templates": len(on_gpu), "space": size(program, GPU)}, on_gpu
    with lines_of_waiting("ranking templates"):
        found = rank(program)
    with progress(operand_orders_of(program), "arranging") as orders:
        apart = list(finalists(program, orders))
    with lines_of_waiting("choosing what is followed unasked"):
        unasked = templates_of(program, AUTO)
    known = [] if unasked == [Template(())] else unasked
    counts = {"templates": len(found), "space": size(program), "branched": len(apart)}
    return counts, [*known, *apart, *found]


def templates_of(program: Program, schedule: str) -> list[Template]:
    """What a schedule leaves to choose among, and by what, or what it has become."""
    asked = as_schedule(schedule)
    found, why = options(program, asked), "unasked" if str(asked) == AUTO else ",".join(map(str, asked.settings))
    if isinstance(found, Choice):
        own = [(each.schedule, f"{why}, {each.reason}") for each in found.finalists]
    else:
        apply_schedule(program, found)
        own = [(found, why)]
    return [Template(each.commands, reason=reason, settings=each.settings) for each, reason in own]


def time_templates(request: Request, listed: list[Template], operands: Mapping[str, Any]) -> dict[str, Trial]:
    """A trial of every template. Raises what the first was refused with if none has a time."""
    times: dict[str, Trial] = {}
    with progress(listed, "timing") as each, Bench(operands) as stand:
        for t in each:
            best = min((trial.seconds for trial in times.values()), default=inf)
            times[str(t)] = measure_variant(replace(request, schedule=t.schedule()), stand, best)
            refuse_host(times.values())
    refuse_untimed(list(times.values()))
    return times


def reason(refused: GnomonError | None) -> str | None:
    """Why a template has no time, if it has none."""
    if refused is None:
        return None
    return f"{'given up' if isinstance(refused, GivenUp) else 'refused'}: {refused.message.splitlines()[0]}"


def as_row(trial: Trial | None) -> dict[str, Any]:
    """The time of a template as JSON holds it, if it was tried."""
    if trial is None:
        return {"seconds": None}
    return {"seconds": None if trial.refused else trial.seconds, "reason": reason(trial.refused)}


def line(template: Template, trial: Trial | None) -> str:
    """A template, with its time if it was tried."""
    why = f"  [{template.reason}]" if template.reason else ""
    text = f"{str(template) if template.commands or template.settings else '(no schedule)'}{why}"
    if trial is None:
        return text
    if trial.refused is not None:
        return f"{'-':>13}  {text}  ({reason(trial.refused)})"
    return f"{1e3 * trial.seconds:10.3f} ms  {text}"
