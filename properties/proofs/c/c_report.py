"""The report on memory safety over random programs: the share of accesses and of kernels proved, and what is missing.

    python -m gnomon.properties.proofs.c.c_report --examples 100 --seed 7

The programs are those of `properties.strategies`, in all formats, without and with schedules.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import click
from hypothesis import HealthCheck, Phase, given, seed, settings
from msgspec import Struct

from ....generator.kernel_source import generate
from ....reference.errors import Unsupported
from ...differential.batch import source_of
from ...programs.problem import Problem
from ...strategies import programs
from .c_safety import Safety, safety

SECONDS = 20.0


class Judged(Struct, frozen=True):
    """A program and what was found out about its kernel."""

    title: str
    scheduled: bool
    safety: Safety

    @property
    def whole(self) -> bool:
        """Whether every access is proved."""
        return self.safety.proved == self.safety.total


def draw_problems(examples: int, number: int) -> list[Problem]:
    """Random programs, the same for the same number."""
    found: list[Problem] = []

    def keep(problem: Problem) -> None:
        found.append(problem)

    chosen = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    seed(number)(chosen(given(programs())(keep)))()
    return found[:examples]


def judge(problem: Problem, seconds: float) -> Judged | None:
    """What is found out about a program's kernel; None where there is none."""
    source = source_of(problem.ready)
    try:
        text = generate(source)
    except Unsupported:
        return None
    return Judged(problem.source, bool(str(problem.schedule)), safety(text, source, seconds))


def share(part: int, whole: int) -> str:
    """A part of a whole, and how much that is."""
    return f"{part} of {whole} ({100 * part / max(whole, 1):.1f}%)"


def summary(found: list[Judged]) -> dict[str, Any]:
    """The numbers: accesses and kernels, and the reasons of what is open, most frequent first."""
    reasons: Counter[str] = Counter()
    for each in found:
        reasons.update({access.reason for access in each.safety.open})
    return {
        "kernels": len(found),
        "kernels_proved": sum(each.whole for each in found),
        "scheduled": sum(each.scheduled for each in found),
        "scheduled_proved": sum(each.whole and each.scheduled for each in found),
        "accesses": sum(each.safety.total for each in found),
        "accesses_proved": sum(each.safety.proved for each in found),
        "needs": dict(reasons.most_common()),
        "open": [
            {"program": each.title, "proved": each.safety.proved, "of": each.safety.total}
            for each in found
            if not each.whole
        ],
    }


@click.command()
@click.option("--examples", default=100, help="How many programs.")
@click.option("--seed", "number", default=0, help="Which programs.")
@click.option("--seconds", default=SECONDS, help="How long to look at one kernel.")
@click.option("--json", "as_json", is_flag=True, help="For machines.")
def main(examples: int, number: int, seconds: float, as_json: bool) -> None:
    """Print what can be proved of the kernels of random programs."""
    found = [each for p in draw_problems(examples, number) if (each := judge(p, seconds)) is not None]
    numbers = summary(found)
    if as_json:
        click.echo(json.dumps(numbers, indent=2))
        return
    click.echo(f"accesses proved: {share(numbers['accesses_proved'], numbers['accesses'])}")
    click.echo(f"kernels proved: {share(numbers['kernels_proved'], numbers['kernels'])}")
    click.echo(f"with schedules: {share(numbers['scheduled_proved'], numbers['scheduled'])}")
    for reason, many in numbers["needs"].items():
        click.echo(f"{many:5} kernels: {reason}")


if __name__ == "__main__":
    main()
