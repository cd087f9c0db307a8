"""The command `gnomon demo`: the main job on the bundled samples."""

from __future__ import annotations

import click
import numpy as np

from ...reference.drawing.hierarchies import explain
from ...reference.files.samples import karate, poisson_2d
from ...reference.storage.packing import pack
from ..differential.check import check


@click.command()
def demo() -> None:
    """Evaluate a few expressions on the bundled samples in several formats, checked against the denotation."""
    graph, grid = karate(), poisson_2d(6)
    click.echo(f"Zachary's karate club: {graph!r}")
    click.echo(f"A Poisson matrix:       {grid!r}\n")
    ones = np.ones(grid.shape[1])
    for format in ("CSR", "CSC", "COO", "DCSR", "DIA", "ELL", "BCSR(2,3)", "CSB(4,4)", "HashRows", "Banded"):
        report = check("y(i) = A(i,j) * x(j)", {"A": grid.convert(format), "x": ones})
        visits = sum(report.execution.trace.iterations.values())
        click.echo(f"y(i) = A(i,j) * x(j)    A in {format:10} {visits:6} loop iterations   {report}")
    lower = np.tril_indices(34, -1)
    dense = graph.to_numpy()
    kept = dense[lower] != 0
    triangle = pack(np.array(lower)[:, kept], dense[lower][kept], (34, 34), "CSR")
    count = "C(i,j)<$L(i,j)> = L(i,k) * M(k,j)"
    report = check(count, {"L": triangle, "M": triangle}, out="CSR", semiring="plus_pair")
    triangles = int(report.execution.result.to_numpy().sum())
    click.echo(f"\n{count}    (plus_pair)  {triangles} triangles   {report}")
    report = check("D(i,j) = A(i,j) + B(i,j)", {"A": grid, "B": grid.convert("COO")}, out="CSR")
    click.echo(f"D(i,j) = A(i,j) + B(i,j)    CSR + COO into CSR   {report}\n")
    click.echo(explain(report.execution.program, report.execution.schedule))
