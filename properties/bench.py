"""How fast the reference is: `make bench`. Ratios to SciPy say how far an interpreter is from compiled code.

Runs on generated inputs, and on the real graph `pushpull` where the folder that GNOMON_DATA names holds it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import click
import numpy as np

from ..reference.evaluate import execute
from ..reference.files.suffix import read
from ..reference.packing import pack
from ..reference.samples import poisson_2d
from ..reference.tensor import Tensor

REPEATS = 3


def seconds(action: Callable[[], Any]) -> float:
    """The median time of an action."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return median(times)


def inputs() -> list[tuple[str, Tensor]]:
    """Matrices to measure on."""
    found = [("poisson 100x100", poisson_2d(100))]
    path = Path(os.environ.get("GNOMON_DATA", "../shared/data")) / "pushpull.mtx.gz"
    if path.exists():
        found.append(("pushpull", read(path, "CSR")))
    return found


def rows(name: str, a: Tensor) -> list[tuple[str, str, float, float]]:
    """Matrix, expression, our seconds and SciPy's."""
    s = a.to_scipy().tocsr()
    x = np.ones(a.shape[1])
    small = a if a.nnz < 60_000 else submatrix(a, 400)
    t = small.to_scipy().tocsr()
    return [
        (name, "y = A x", seconds(lambda: execute("y(i) = A(i,j) * x(j)", {"A": a, "x": x})), seconds(lambda: s @ x)),
        (name, "A + B", seconds(lambda: execute("C(i,j) = A(i,j) + B(i,j)", {"A": a, "B": a}, out="CSR")),
         seconds(lambda: s + s)),
        (f"{name}, {small.shape[0]} rows", "A B", seconds(
            lambda: execute("C(i,j) = A(i,k) * B(k,j)", {"A": small, "B": small}, out="CSR")), seconds(lambda: t @ t)),
    ]  # fmt: skip


def submatrix(a: Tensor, n: int) -> Tensor:
    """The leading n by n block."""
    coords, values = a.components()
    kept = (coords < n).all(axis=0)
    return pack(coords[:, kept], values[kept], (n, n), a.format)


def import_seconds() -> float:
    """How long `import gnomon` takes in a new process, beyond starting Python."""
    start = seconds(lambda: subprocess.run([sys.executable, "-c", ""], check=True))
    return seconds(lambda: subprocess.run([sys.executable, "-c", "import gnomon"], check=True)) - start


def main() -> None:
    """Print the table."""
    click.echo(f"import gnomon  {import_seconds():.2f} s")
    click.echo(f"{'matrix':28}{'expression':12}{'seconds':>10}{'x SciPy':>12}")
    for name, a in inputs():
        for where, what, ours, theirs in rows(name, a):
            click.echo(f"{where:28}{what:12}{ours:10.2f}{ours / theirs:12.0f}")


if __name__ == "__main__":
    main()
