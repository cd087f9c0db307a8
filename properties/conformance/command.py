"""The command `gnomon conform`: a backend against the suite, or the suite as files."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from ...reference.files.text import write_text
from ..backends import load
from ..command_line.options import assignment_of_ids, json_option
from ..command_line.output import check_folder, check_writable, columns, echo_json, lines_of_progress, print_table
from .conform import STATUSES, Report, examine
from .files import export
from .suite import check_ids, identity, suite


@click.command()
@click.argument("backend", required=False)
@click.option("--exclude", multiple=True, metavar="CASE=REASON", help="A case that is known to fail, and why.")
@click.option("--case", "cases", multiple=True, metavar="ID", help="Run this case alone; may be given again.")
@click.option("--markdown", type=click.Path(path_type=Path, dir_okay=False), help="Write the report to a file.")
@click.option("--export", "folder", type=click.Path(path_type=Path, file_okay=False), help="Write the cases as files.")
@json_option
def conform(
    backend: str | None,
    exclude: Sequence[str],
    cases: Sequence[str],
    markdown: Path | None,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Run BACKEND, a known name or MODULE:OBJECT, through the conformance suite.

    Prints a table of rules and outcomes. Exit status 1 if a case fails that is not excluded, an exclusion is not
    needed, or no case passes.
    """
    if backend is not None:
        load(backend)
    excluded = assignment_of_ids(exclude)
    check_ids((*excluded, *cases))
    check_writable(markdown)
    check_folder(folder)
    if folder is not None:
        click.echo(f"wrote {export(folder)} cases of {identity()} to {folder}")
    if backend is None:
        if folder is None:
            raise click.UsageError("give a backend, or --export FOLDER")
        return
    report = examine_watched(backend, excluded, cases)
    if markdown is not None:
        write_text(markdown, report.markdown())
    if as_json:
        echo_json(report.as_json())
    else:
        show(report)
    if report.fault is not None:
        click.echo(f"does not conform: {report.fault}", err=True)
        sys.exit(1)


def examine_watched(backend: str, excluded: Mapping[str, str], cases: Sequence[str]) -> Report:
    """The report, with a bar on a terminal, and elsewhere a line now and then."""
    total = len({id(c.problem) for c in suite() if not cases or c.id in cases})
    done = 0

    def tell(count: int) -> None:
        nonlocal done
        done = count
        progress.update(task, completed=count)

    with (
        lines_of_progress(lambda: f"{backend}: {done} of {total} programs"),
        Progress(console=Console(stderr=True), disable=not sys.stderr.isatty()) as progress,
    ):
        task = progress.add_task(backend, total=total)
        return examine(backend, excluded, tell, cases)


def show(report: Report) -> None:
    """Print the table of the rules that were looked at, and what failed."""
    table = columns("rule", "", "outcome", *STATUSES)
    for rule, what, outcome, counts in report.rows():
        if not any(counts.values()):
            continue
        table.add_row(rule, escape(what), outcome, *(str(counts[status] or "") for status in STATUSES))
    print_table(table)
    for v in report.failures:
        program = repr(v.case.problem).replace("\n", "\n    ")
        click.echo(f"{v.case.id}  {v.reason}\n    {program}\n    alone: {report.alone(v.case)}")
    total = {status: sum(v.status == status for v in report.verdicts) for status in STATUSES}
    click.echo(f"{report.system}, {report.suite}: {', '.join(f'{n} {status}' for status, n in total.items())}")
