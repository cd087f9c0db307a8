"""SparseAuto's search on its eight kernels, its tables beside ours: `make sparseauto`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import click

from ...generator.runtime.processor import last_level_cache
from ...reference.schedule.branched.space import operand_orders
from ..command_line.options import json_option
from ..command_line.output import check_folder, echo_json, print_table, progress
from .kernels import KERNELS
from .report import Measured, as_row, counts, measure, peak, picture, times, winners

ITEM = 8


@click.command()
@click.argument("rows", nargs=-1, type=click.IntRange(1, len(KERNELS)), metavar="[ROW…]")
@click.option("--pictures", type=click.Path(path_type=Path), help="Draw the graph for one size of each, into a folder.")
@json_option
def main(rows: Sequence[int], pictures: Path | None, as_json: bool) -> None:
    """Search the branched schedules of the eight kernels of SparseAuto's Table 2, or of those in some rows of it.

    Printed are its Tables 3 to 5 beside what is found here, and the schedule for one size of each kernel.
    """
    check_folder(pictures)
    started = time.perf_counter()
    measured = dict[int, Measured]()
    for row in rows or KERNELS:
        orders = list(operand_orders(KERNELS[row].contraction))
        with progress(orders, f"{row} {KERNELS[row].name}") as watched:
            measured[row] = measure(KERNELS[row], last_level_cache() / ITEM, watched)
    seconds = time.perf_counter() - started
    if pictures is not None:
        for row, own in measured.items():
            (pictures / f"{row}.svg").write_text(picture(own, KERNELS[row]))
    if as_json:
        kernels = [as_row(row, own, KERNELS[row]) for row, own in measured.items()]
        echo_json({"seconds": seconds, "bytes": peak(), "kernels": kernels})
        return
    for title, table in (("Schedules (costs)", counts), ("Times", times), ("Chosen", winners)):
        click.echo(f"\n{title}")
        print_table(table(measured, KERNELS))
    click.echo(f"\n{len(measured)} kernels in {seconds:.1f} s, at most {peak() >> 20} MiB")


if __name__ == "__main__":
    main()
