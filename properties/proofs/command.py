"""The command `gnomon prove`: obligations, their statuses and times."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from ..command_line.options import (
    constraints_option,
    convert_option,
    formats_option,
    json_option,
    schedule_option,
    semiring_option,
)
from ..command_line.output import Output, echo_json, lines_of_progress
from .obligation import Obligation
from .prover import Outcome, Report, choose_obligations, in_order, outcomes
from .topic import BranchedStatement, LevelFormat, Rules, ScheduledStatement, Topic
from .verdict import STATUSES, print_verdict, status

WIDE = 200
COLOURS = {"proved": "green", "refuted": "bold red", "bounded": "yellow", "unknown": "yellow"}


@click.command()
@click.argument("what", nargs=-1, metavar="[ID…|EXPRESSION]")
@formats_option
@schedule_option
@semiring_option
@convert_option
@click.option("--branched", is_flag=True, help="Prove what the search for branched schedules removes.")
@constraints_option
@click.option("--level", "place", metavar="MODULE:CLASS", help="A level format of your own.")
@click.option("--quick", is_flag=True, help="Leave out what takes longer than two seconds or so.")
@click.option("--list", "listed", is_flag=True, help="Say what there is to prove, without proving it.")
@click.option("--strict", is_flag=True, help="Exit with 3 unless all is proved.")
@click.option("--workers", type=click.IntRange(1, 256), help="How many processes prove; as many as there are cores.")
@json_option
def prove(
    what: Sequence[str],
    formats: dict[str, str],
    schedule: str | None,
    semiring: str | None,
    convert: str | None,
    branched: bool,
    constraints: str,
    place: str | None,
    quick: bool,
    listed: bool,
    strict: bool,
    workers: int | None,
    as_json: bool,
) -> None:
    """Prove rules of the specification by SMT: those that ID names, or all.

    An ID may be that of a family (`levels`, `levels.compressed`). An EXPRESSION with formats and a schedule is proved
    instead: its lattices, the preconditions of every command, and its kernel; with --branched, that each branched
    schedule which no longer counts costs nowhere less than one that does. Exit status 1 if something is refuted;
    what is bounded or unknown does not count as proved, and with --strict the exit status is 3 then.
    """
    topic, names = subject(what, formats, schedule, semiring, convert, place)
    if constraints and not branched:
        raise click.UsageError("--constraints goes with --branched")
    if branched:
        topic = without_schedule(topic, constraints)
    wanted = choose_obligations(topic.obligations(), names, quick=quick)
    if listed:
        enumerate_(wanted, as_json)
        return
    report = in_order(wanted, attempt_watched(topic, wanted, workers))
    if as_json:
        echo_json({"counts": report.counts(), "obligations": [o.as_json() for o in report.outcomes]})
    else:
        show(report)
    if report.refutations:
        sys.exit(1)
    if strict and not report.is_proved:
        sys.exit(3)


def subject(
    what: Sequence[str],
    formats: dict[str, str],
    schedule: str | None,
    semiring: str | None,
    convert: str | None,
    place: str | None,
) -> tuple[Topic, Sequence[str]]:
    """What the arguments are about, and the ids that they name. Raises UsageError for what does not go together."""
    expressions = [text for text in what if "=" in text]
    if len(expressions) > 1:
        raise click.UsageError("one expression at a time")
    if expressions and place is not None:
        raise click.UsageError("--level goes without an expression")
    names = [text for text in what if "=" not in text]
    if expressions:
        return ScheduledStatement(expressions[0], tuple(formats.items()), schedule, semiring, convert), names
    if formats or schedule or semiring or convert:
        raise click.UsageError('formats, schedules and semirings need an expression: gnomon prove "y(i) = A(i,j)" …')
    return (Rules() if place is None else LevelFormat(place)), names


def without_schedule(topic: Topic, constraints: str) -> BranchedStatement:
    """The search for branched schedules of a statement. Raises UsageError for what is none, or has a schedule."""
    match topic:
        case ScheduledStatement(expression, formats, None, semiring, convert):
            return BranchedStatement(expression, formats, constraints, semiring, convert)
        case _:
            raise click.UsageError("--branched needs an expression, and no schedule")


def attempt_watched(topic: Topic, wanted: Sequence[Obligation], workers: int | None) -> list[Outcome]:
    """The outcomes, with a bar on a terminal, elsewhere a line now and then."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    found: list[Outcome] = []
    with (
        lines_of_progress(lambda: f"proved or not: {len(found)} of {len(wanted)} obligations"),
        Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as progress,
    ):
        task = progress.add_task("proving", total=len(wanted))
        for outcome in outcomes(topic, wanted, workers):
            found.append(outcome)
            progress.update(task, advance=1, description=outcome.id)
    return found


def enumerate_(wanted: Sequence[Obligation], as_json: bool) -> None:
    """Print ids and statements."""
    if as_json:
        echo_json({"obligations": [{"id": o.id, "statement": o.statement, "rules": o.rules} for o in wanted]})
        return
    print_table([(o.id, o.statement) for o in wanted], "id", "statement")


def show(report: Report) -> None:
    """Print the table of outcomes and how many there are of each."""
    rows = []
    for o in report.outcomes:
        word, more = status(o.verdict), print_verdict(o.verdict)
        said = "\n  ".join([o.statement, *more.splitlines()])
        rows.append((o.id, said, f"[{COLOURS[word]}]{word}[/]", f"{o.seconds:.2f}"))
    print_table(rows, "id", "statement", "status", "s")
    counts = report.counts()
    total = sum(o.seconds for o in report.outcomes)
    words = ", ".join(f"{counts[word]} {word}" for word in STATUSES if word in counts)
    click.echo(f"{len(report.outcomes)} obligations: {words or 'none'}; {total:.1f} s of solving")


def print_table(rows: Sequence[tuple[str, ...]], *columns: str) -> None:
    """Print a table in which only statements, the second column, are broken into lines; wide where nobody looks."""
    table = Table(box=None, header_style="bold")
    for n, name in enumerate(columns):
        table.add_column(name, no_wrap=n != 1, overflow="fold")
    for id, statement, *rest in rows:
        table.add_row(id, escape(statement), *rest)
    Output(width=None if sys.stdout.isatty() else WIDE).print(table)
