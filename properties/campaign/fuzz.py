"""The command `gnomon fuzz`: a campaign with live progress, or what the strategies reach."""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ...generator.runtime.garbage import collect_seldom
from ...reference.errors import GnomonError
from ...reference.files.text import write_text
from ..backends import NAMES, load
from ..backends.outcome import Kind, gist
from ..backends.worker import Limits
from ..command_line.options import numeric
from ..command_line.output import check_folder, check_writable, columns, lines_of_progress, print_table, progress
from .campaign import Campaign, resume, run, save
from .coverage import coverage
from .examination import Plan, last_outcomes
from .executors import executors
from .findings import Finding, other_expressions
from .scripts import describe, script
from .units import Subject, check_expressions

SAVE = 5.0
DAY = 86400.0
PEBIBYTE = 1 << 20
FEW = 8


@click.command()
@click.option("--backend", default="reference", help=f"{', '.join(NAMES)}, or MODULE:OBJECT.")
@click.option("--examples", type=click.IntRange(1), default=1000, show_default=True, help="How many programs.")
@click.option("--minutes", type=click.FloatRange(0), callback=numeric, help="Begin no more after so many minutes.")
@click.option("--seed", type=int, default=0, show_default=True, help="Unit n of a seed is always the same program.")
@click.option("--json", "file", type=click.Path(path_type=Path, dir_okay=False), help="Keep the campaign here.")
@click.option("--reports", type=click.Path(path_type=Path, file_okay=False), help="A report and a script a finding.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, DAY),
    callback=numeric,
    default=10.0,
    show_default=True,
    help="Limit for a program.",
)
@click.option("--memory", type=click.IntRange(1, PEBIBYTE), default=8, show_default=True, help="Limit in GiB.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes, by dask.distributed.")
@click.option("--dask", metavar="ADDRESS", help="A scheduler of dask.distributed to run on.")
@click.option("--procedures", is_flag=True, help="Draw procedures, and run every step that they come to.")
@click.option(
    "--expression",
    "expressions",
    multiple=True,
    metavar="TEXT",
    help='Draw operands for this expression, as "y(i) = A(i,j) * x(j)", and for nothing else; may be repeated.',
)
@click.option("--unit", type=click.IntRange(0), help="Run this unit alone, and show it.")
@click.option("--coverage", "covered", is_flag=True, help="Count what the strategies draw, instead.")
def fuzz(
    backend: str,
    examples: int,
    minutes: float | None,
    seed: int,
    file: Path | None,
    reports: Path | None,
    seconds: float,
    memory: int,
    workers: int,
    dask: str | None,
    procedures: bool,
    expressions: tuple[str, ...],
    unit: int | None,
    covered: bool,
) -> None:
    """Run random programs on a backend and compare the results with what they mean.

    With --procedures, the programs are the steps of random procedures, each on what the steps before it have given.
    Findings are told apart by cause and minimised. With --json, a campaign that was stopped goes on, and one that is
    complete takes more examples. With --expression, programs are instances of the expressions that are given.
    Exit status 1 if anything was found.
    """
    collect_seldom()
    subject = Subject.PROCEDURE if procedures else Subject.PROGRAM
    if procedures and expressions:
        raise click.UsageError("--procedures draws its own expressions: leave --expression out")
    plan = Plan(backend, seed, Limits(seconds, memory << 30), subject, expressions)
    check_writable(file)
    check_folder(reports)
    check_expressions(plan.features, plan.expressions)
    if covered:
        if procedures or reports is not None:
            raise click.UsageError("--coverage counts what programs reach: leave --procedures and --reports out")
        show_coverage(plan, examples, file)
        return
    if unit is not None:
        if file is not None or reports is not None:
            raise click.UsageError("--unit shows what one unit comes to: leave --json and --reports out")
        sys.exit(replay(plan, unit))
    version = load(backend).version
    campaign = Campaign(plan) if file is None else resume(plan, file, version)
    with executors(workers, dask) as (start, at_once), live(examples) as show:
        run(campaign, examples, start, at_once, show_and_save(file, version, show), after(minutes))
    if file is not None:
        save(campaign, file, version)
    summarise(campaign, version)
    if reports is not None:
        write_reports(campaign, reports, version)
    if campaign.findings:
        sys.exit(1)


def after(minutes: float | None) -> Callable[[], bool]:
    """Whether so many minutes have passed."""
    end = float("inf") if minutes is None else time.monotonic() + 60 * minutes
    return lambda: time.monotonic() > end


def show_and_save(file: Path | None, version: str, show: Callable[[Campaign], None]) -> Callable[[Campaign], None]:
    """Show a campaign, and save it now and then."""
    last = time.monotonic()

    def tell(campaign: Campaign) -> None:
        nonlocal last
        show(campaign)
        if file is not None and time.monotonic() - last > SAVE:
            save(campaign, file, version)
            last = time.monotonic()

    return tell


@contextmanager
def live(examples: int) -> Iterator[Callable[[Campaign], None]]:
    """What shows the state of a campaign while it runs: done, rate, outcomes; a line now and then where no terminal
    shows a bar."""
    began, first, told, news = time.monotonic(), -1, "", News()
    shown = (BarColumn(30), MofNCompleteColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with (
        lines_of_progress(lambda: f"{told or f'0 of {examples}'}  {time.monotonic() - began:.0f} s"),
        Progress(*shown, console=Console(stderr=True), disable=not sys.stderr.isatty()) as progress,
    ):
        task = progress.add_task("", total=examples)

        def show(campaign: Campaign) -> None:
            nonlocal first, told
            units = sum(each.end - each.begin for each in campaign.done.values())
            first = units if first < 0 else first
            rate = (units - first) / max(time.monotonic() - began, 0.1)
            said = brief(campaign.outcomes())
            told = f"{units} of {examples}  {said}  findings: {len(campaign.findings)}"
            progress.update(task, completed=units, description=f"{rate:.0f}/s  {said}")
            for line in news.lines(campaign):
                progress.console.print(line, markup=False, highlight=False, soft_wrap=True)

        yield show


class News:
    """What of a campaign has been told: outcomes when they are first seen, findings when their programs are minimal."""

    def __init__(self) -> None:
        self.chunks: set[int] = set()
        self.seen: set[tuple[Kind, str]] = set()
        self.told: set[tuple[Kind, str]] = set()

    def lines(self, campaign: Campaign) -> Iterator[str]:
        """A line for everything that is new."""
        for begin in sorted(campaign.done.keys() - self.chunks):
            self.chunks.add(begin)
            for each in campaign.done[begin].sightings:
                if (each.kind, gist(each.cause)) not in self.seen:
                    self.seen.add((each.kind, gist(each.cause)))
                    yield f"unit {each.unit} is a finding: {each.kind}, {each.cause}"
        for finding in campaign.findings:
            if (key := (finding.kind, program(finding))) not in self.told:
                self.told.add(key)
                yield f"finding: {finding.kind}, {finding.cause}: {program(finding)}"


def brief(counts: Counter[str]) -> str:
    """Counts in one line."""
    return ", ".join(f"{count} {name}" for name, count in counts.most_common())


def summarise(campaign: Campaign, version: str) -> None:
    """What came of a campaign: outcomes, the main refusals, the findings."""
    plan = campaign.plan
    click.echo(f"{plan.backend} {version}, {plan.subject}s of seed {plan.seed}: {brief(campaign.outcomes())}")
    refusals = campaign.refusals()
    if refusals:
        click.echo("refused: " + "; ".join(f"{count} {reason}" for reason, count in refusals.most_common(FEW)))
    if not campaign.findings:
        click.echo("nothing was found")
        return
    table = columns("unit", "outcome", "seen", "cause", "minimal program")
    for f in campaign.findings:
        table.add_row(str(f.units[0]), f.kind.value, str(len(f.units)), escape(f.cause), escape(program(f)))
    print_table(table)
    left = campaign.unexplained_sightings()
    if left:
        click.echo(
            f"{len(left)} more programs show one of these outcomes and lack what the programs above need; "
            "the same command with --json FILE and more --examples goes on with them"
        )


def program(finding: Finding) -> str:
    """The minimal program of a finding in one line."""
    problem = finding.problem
    formats = " ".join(f"{name}={t.format or 'scalar'}" for name, t in problem.operands.items())
    extra = f" {problem.semiring}" * bool(problem.semiring) + f" {problem.schedule}" * bool(problem.schedule)
    return f"{problem.source}  [{formats} -> {problem.out or 'scalar'}]{extra}"


def replay(plan: Plan, number: int) -> int:
    """Run one unit and show everything; the exit status."""
    unit = plan.unit(number)
    found = last_outcomes(plan, unit.problems)
    click.echo(unit.text)
    for problem, outcome in zip(unit.problems, found, strict=True):
        click.echo(repr(problem))
        click.echo(f"{outcome.kind}: {outcome.detail or outcome.cause}" if outcome.cause else str(outcome.kind))
    return int(any(outcome.is_finding for outcome in found))


def write_reports(campaign: Campaign, folder: Path, version: str) -> None:
    """A report and a script for every finding."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, finding in report_names(campaign.plan.backend, campaign.findings):
        write_text(folder / f"{name}.py", script(campaign.plan, finding))
        others = other_expressions(finding, campaign.rejected)
        write_text(folder / f"{name}.md", describe(campaign.plan, finding, version, others))
        click.echo(f"wrote {folder / name}.md and .py")


def report_names(backend: str, findings: Sequence[Finding]) -> Iterator[tuple[str, Finding]]:
    """The findings, each with the name of its files: no other has it, whatever they begin with."""
    count = Counter[str]()
    for finding in findings:
        name = report_name(backend, finding)
        count[name] += 1
        yield name if count[name] == 1 else f"{name}-{count[name]}", finding


def report_name(backend: str, finding: Finding) -> str:
    """The name of a finding's files, but for a number. No module can have this name: a script never hides one."""
    parts = [backend, str(finding.units[0]), finding.kind.value, finding.cause.lower()[:48]]
    return "-".join(re.sub(r"\W+", "-", part).strip("-") for part in parts)


def show_coverage(plan: Plan, examples: int, file: Path | None) -> None:
    """How often the strategies drew every cell, as a table. Raises GnomonError if some cell was never drawn."""
    with progress(list(range(examples)), "drawing") as numbers:
        counts = coverage(plan, numbers)
    if file is not None:
        write_text(file, json.dumps(counts, indent=1))
    for section, cells in counts.items():
        click.echo(f"{section}")
        for name, count in cells.items():
            click.echo(f"  {name:44} {count}")
    empty = [f"{section}: {name}" for section, cells in counts.items() for name, count in cells.items() if not count]
    if empty:
        raise GnomonError(f"never drawn in {examples} programs: {'; '.join(empty)}", hint="draw more --examples")
