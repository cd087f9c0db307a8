"""How fast kernels are: `make bench`. Each row is one kernel on one input, timed side by side with its peers.

Peers are the loop written by hand (`hand.c`, built with the same compiler and flags), SciPy, and, where they are
installed, MKL, numba, pydata/sparse and tensora. Ratios above 1 mean that the generated kernel is faster. The last
column is the share of the machine's copy bandwidth that the bytes a kernel must move would take in the time it needs.
"""

from __future__ import annotations

import json
import platform
import time
from math import ceil, exp, log
from statistics import median

import click
import numpy as np

from .bench_peers import Action, Hand
from .bench_rows import Row, rows

REPEATS = 7
SAMPLE = 5e-3  # seconds of a row of calls
PEERS = ("hand", "scipy", "mkl", "numba", "sparse", "tensora")


def measure(row: Row) -> None:
    """Time everything in turn, so that a slow phase of the machine hits all alike; keep medians.

    Each finds the caches as its own calls left them: a short one is called several times in a row.
    """
    every = {"gnomon": row.ours, **row.peers}
    calls = {name: ceil(SAMPLE / seconds(action, 2)) for name, action in every.items()}
    found: dict[str, list[float]] = {name: [] for name in every}
    for _ in range(REPEATS):
        for name, action in every.items():
            found[name].append(seconds(action, calls[name]))
    row.times = {name: median(times) for name, times in found.items()}


def seconds(action: Action, calls: int) -> float:
    """How long one call takes, the first in a row left out if there are several."""
    if calls > 1:
        action()
    start = time.perf_counter()
    for _ in range(calls):
        action()
    return (time.perf_counter() - start) / calls


def bandwidth() -> float:
    """Bytes a second that copying a large array moves, reads and writes together."""
    a = np.ones(2**24)
    b = np.empty_like(a)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        np.copyto(b, a)
        times.append(time.perf_counter() - start)
    return 2 * a.nbytes / min(times)


def geometric(values: list[float]) -> float:
    """The geometric mean."""
    return exp(sum(map(log, values)) / len(values)) if values else float("nan")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a row.")
@click.option("--only", default="", help="Only kernels whose name starts so.")
def main(as_json: bool, only: str) -> None:
    """Measure and print the table."""
    limit = bandwidth()
    measured: list[Row] = []
    if not as_json:
        click.echo(f"{platform.processor() or platform.machine()}, one thread, copies {limit / 1e9:.1f} GB/s\n")
        head = "".join(f"{p:>9}" for p in PEERS)
        click.echo(f"{'kernel':15}{'input':23}{'ms':>9}{head}{'of copy':>9}")
    for row in rows(Hand()):
        if not row.kernel.startswith(only):
            continue
        measure(row)
        measured.append(row)
        share = row.bytes / row.times["gnomon"] / limit
        if as_json:
            click.echo(json.dumps({"kernel": row.kernel, "input": row.input, "seconds": row.times, "of_copy": share}))
            continue
        ratios = [row.ratio(p) for p in PEERS]
        cells = "".join(f"{'' if r is None else f'{r:.2f}':>9}" for r in ratios)
        click.echo(f"{row.kernel:15}{row.input:23}{row.times['gnomon'] * 1e3:9.2f}{cells}{share:9.0%}")
    if not as_json:
        means = [geometric([r for row in measured if (r := row.ratio(p)) is not None]) for p in PEERS]
        click.echo(f"{'geometric mean':47}" + "".join(f"{m:9.2f}" for m in means))


if __name__ == "__main__":
    main()
