"""How well templates are ranked without data: `python -m gnomon.properties.benchmark.templates`, in `make bench` too.

Of each kernel some templates are timed on the tuner's sample, with all threads, and their times compared with what
`cost.py` says. *rank* is Spearman's correlation between the two; *first* and *of 12* are how many times as long as the
best of them the template takes that comes first, and the best of the first twelve, which the tuner measures; *unasked*
is the schedule that a kernel follows if none is asked for, *none* the loops as they are. `--fit` finds the costs anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from math import isnan
from random import Random

import click
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from scipy import stats

from ...generator.runtime.request import Request, make_request
from ...generator.tuning.sample import sample
from ...generator.tuning.trial import Bench, GivenUp, time_in_a_row
from ...reference.errors import GnomonError
from ...reference.schedule.autoschedule.cost import cost
from ...reference.schedule.autoschedule.ranking import templates
from ...reference.schedule.autoschedule.template import Template
from ...reference.schedule.autoschedule.unasked import default_schedule
from ...reference.schedule.schedule import Schedule
from ...reference.statement.statement import Program
from .fitting import fit
from .means import geometric

MATRIX, TENSOR = "y(i) = A(i,j) * x(j)", "C(i,r) = A(i,j,k) * D(j,r) * E(k,r)"
COLUMNS, TWELVE = "C(i,j) = A(i,k) * B(k,j)", 12
LONG, LIMIT = 0.1, 2.0  # seconds of a call that is not repeated, and of all calls of one template
KERNELS: Mapping[str, tuple[str, Mapping[str, str], str | None]] = {
    **{f"SpMV {f}": (MATRIX, {"A": f}, None) for f in ("CSR", "CSC", "COO", "DCSR", "ELL", "DIA", "BCSR")},
    "SpMV and a vector": ("y(i) = A(i,j) * x(j) + z(i)", {"A": "CSR"}, None),
    "SpMSpV": (MATRIX, {"A": "CSC", "x": "SparseVector"}, None),
    **{f"SpMM {f}": (COLUMNS, {"A": f}, None) for f in ("CSR", "CSC", "COO", "ELL", "BCSR")},
    "dense times dense": (COLUMNS, {}, None),
    "SpMM by columns": (COLUMNS, {"A": "CSR", "B": "Dense(1,0)"}, "Dense(1,0)"),
    "SDDMM": ("C(i,j) = B(i,j) * (D(i,k) * E(k,j))", {"B": "CSR", "E": "Dense(1,0)"}, "CSR"),
    "SDDMM by rows": ("C(i,j) = B(i,j) * D(i,k) * E(k,j)", {"B": "CSR"}, "CSR"),
    "TTV CSF": ("C(i,j) = A(i,j,k) * x(k)", {"A": "CSF"}, "DCSR"),
    "TTV, dense result": ("C(i,j) = A(i,j,k) * x(k)", {"A": "CSF"}, None),
    "TTV, first mode": ("C(j,k) = A(i,j,k) * x(i)", {"A": "CSF"}, None),
    "TTM CSF": ("C(i,j,r) = A(i,j,k) * D(k,r)", {"A": "CSF"}, "compressed,compressed,dense"),
    "TTM, dense result": ("C(i,j,r) = A(i,j,k) * D(k,r)", {"A": "CSF"}, None),
    **{f"MTTKRP {f}": (TENSOR, {"A": f}, None) for f in ("CSF", "COO")},
    "MTTKRP, order 4": ("C(i,r) = A(i,j,k,l) * D(j,r) * E(k,r) * F(l,r)", {"A": "CSF"}, None),
    "sums of rows": ("y(i) = A(i,j)", {"A": "CSR"}, None),
    "sums of columns": ("y(j) = A(i,j)", {"A": "CSR"}, None),
    "bilinear form": ("a = x(i) * A(i,j) * y(j)", {"A": "CSR"}, None),
    "inner product": ("a = A(i,j) * B(i,j)", {"A": "CSR", "B": "CSR"}, None),
    "inner product CSF": ("a = A(i,j,k) * B(i,j,k)", {"A": "CSF", "B": "CSF"}, None),
    "scaling": ("C(i,j) = A(i,j) * x(j)", {"A": "CSR"}, "CSR"),
    "sum": ("C(i,j) = A(i,j) + B(i,j)", {"A": "CSR", "B": "CSR"}, "CSR"),
    "product": ("C(i,j) = A(i,j) * B(i,j)", {"A": "CSR", "B": "CSR"}, "CSR"),
}  # fmt: skip


class Measured(Struct, frozen=True):
    """Some templates of a program and the seconds that each takes, at most `LIMIT`; those of the loops as they are, and
    of the schedule that is followed unasked."""

    name: str
    program: Program
    seconds: tuple[tuple[Template, float], ...]
    none: float
    unasked: float

    def costs(self) -> list[float]:
        """What the templates are said to cost."""
        return [cost(self.program, template) for template, _ in self.seconds]

    def columns(self) -> dict[str, float]:
        """What the table says: the rank correlation, and times over that of the best template or schedule."""
        costs, times = np.array(self.costs()), np.array([t for _, t in self.seconds])
        in_order, best = times[np.argsort(costs, kind="stable")], min(times.min(), self.none, self.unasked)
        agreement = stats.spearmanr(costs, times).statistic if len(times) > 2 else float("nan")
        parts = {"first": in_order[0], "of 12": in_order[:TWELVE].min(), "unasked": self.unasked, "none": self.none}
        return {"templates": len(times), "rank": float(agreement)} | {n: float(t / best) for n, t in parts.items()}


def measure(name: str, most: int) -> Measured:
    """Time so many templates of a kernel at most, drawn at random if there are more, and the two schedules."""
    expression, formats, out = KERNELS[name]
    request = make_request(expression, formats, out=out)
    program = request.program
    every = list(templates(program))
    chosen = Random(name).sample(every, min(most, len(every)))
    with Bench(sample(request)) as stand:

        def seconds(schedule: Schedule) -> float:
            return time_schedule(replace(request, schedule=schedule), stand)

        none, unasked = seconds(Schedule(())), seconds(default_schedule(program))
        times = tuple((template, seconds(template.schedule())) for template in chosen)
    return Measured(name, program, times, none, unasked)


def time_schedule(request: Request, stand: Bench) -> float:
    """How long a call takes by a schedule, or `LIMIT` if that is too long."""
    try:
        return stand.time(request, partial(time_in_a_row, most=LONG), LIMIT)
    except GivenUp:
        return LIMIT


def measure_all(most: int, only: tuple[str, ...]) -> Iterator[Measured]:
    """Measure every kernel whose name starts so."""
    return (measure(name, most) for name in KERNELS if name.startswith(only))


HEADINGS = ("templates", "rank", "first", "of 12", "unasked", "none")


def line(name: str, columns: Mapping[str, float]) -> str:
    """A row of the table."""
    cells = (f"{columns[c]:>11.0f}" if c == "templates" else f"{columns[c]:>9.2f}" for c in HEADINGS if c in columns)
    return f"{name:22}" + "".join(cells)


def means(found: list[Mapping[str, float]]) -> dict[str, float]:
    """The mean of the rank correlations, and the geometric means of the times."""
    ranks = [each["rank"] for each in found if not isnan(each["rank"])]
    times = {c: geometric([each[c] for each in found]) for c in HEADINGS[2:]}
    return {"templates": sum(each["templates"] for each in found), "rank": sum(ranks) / max(len(ranks), 1), **times}


@click.command()
@click.option("--most", type=click.IntRange(3), default=24, show_default=True, help="Templates of a kernel.")
@click.option("--only", multiple=True, default=("",), help="Only kernels whose name starts so; may be repeated.")
@click.option("--fit", "with_fit", is_flag=True, help="Print costs and factors that fit these times.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a kernel.")
def main(most: int, only: tuple[str, ...], with_fit: bool, as_json: bool) -> None:
    """Measure templates, and print how well they are ranked."""
    every: list[Measured] = []
    found: list[Mapping[str, float]] = []
    if not as_json:
        click.echo(f"{'kernel':22}{'templates':>11}" + "".join(f"{heading:>9}" for heading in HEADINGS[1:]))
    for each in measure_all(most, only):
        every.append(each)
        found.append(each.columns())
        times = {str(template): t for template, t in each.seconds}
        click.echo(
            json.dumps({"kernel": each.name, **found[-1], "seconds": times}) if as_json else line(each.name, found[-1])
        )
    if not found:
        raise GnomonError(
            f"no kernel's name starts with {' or '.join(only)}", hint=f"choose one of {', '.join(KERNELS)}"
        )
    if not as_json:
        click.echo(line("mean", means(found)))
    if with_fit:
        for name, value in fit([(each.program, each.seconds) for each in every]).items():
            click.echo(f"{name:22}{value:11.2f}")


if __name__ == "__main__":
    main()
