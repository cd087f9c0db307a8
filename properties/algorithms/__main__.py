"""Every graph algorithm against others: `make graphs`. Exit status 1 if any of them finds something else."""

from __future__ import annotations

import sys

import click

from ..command_line.options import json_option
from ..command_line.output import echo_json
from .comparisons import comparisons
from .graphs import graphs


@click.command()
@click.option("--scale", type=click.IntRange(4, 24), default=18, show_default=True, help="Up to 2^SCALE vertices.")
@click.option("--only", multiple=True, default=("",), help="Only graphs whose name starts so; may be repeated.")
@json_option
def main(scale: int, only: tuple[str, ...], as_json: bool) -> None:
    """Run every algorithm on graphs of every kind and compare it with SciPy, NumPy, GraphBLAS and NetworkX."""
    wrong = 0
    for name, matrix in graphs(scale):
        if not name.startswith(only):
            continue
        shown = f"{name}: {matrix.shape[0]:,} vertices, {matrix.nnz:,} edges"
        if not as_json:
            click.echo(shown)
        for comparison in comparisons(matrix):
            found = comparison.run()
            wrong += bool(found.differing)
            if as_json:
                own = {"graph": name, "algorithm": found.algorithm, "seconds": found.seconds}
                echo_json({**own, "beside": found.beside, "differing": found.differing})
            else:
                told = f"NOT as {', '.join(found.differing)}" if found.differing else f"as {', '.join(found.beside)}"
                click.echo(f"  {found.algorithm:32}{found.seconds * 1e3:12.1f} ms  {told}")
    if not as_json:
        click.echo(f"{wrong} differ" if wrong else "all agree")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
