"""How fast kernels are: `make bench`. Each row is one kernel on one input, timed side by side with its peers.

Kernels are those that a user gets unasked; with `--tuned`, those that the tuner finds stand beside them. Peers are the
loop written by hand (`hand.c`, built with the same compiler and flags), SciPy, and, where they are installed, MKL,
SuiteSparse:GraphBLAS, numba, pydata/sparse, tensora and TACO (its command on the PATH, or in TACO_BIN). Ratios above 1
mean that the generated kernel is faster. `best` is the ratio of the fastest of the libraries, and `best/tuned` its time
over that of the tuned kernel. The last column is the share of the machine's copy bandwidth that the bytes a kernel must
move would take in the time it needs.

In rows with several threads MKL, GraphBLAS and TACO have as many. SciPy and loops by hand stand there too, but have one
thread whatever the row.
"""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Mapping
from math import ceil
from random import Random
from statistics import median

import click
import numpy as np

from ...generator.tuning.heap import keep_heap
from .case import Action, Row, duration
from .means import geometric
from .peers import Hand
from .rows import FAMILIES
from .team import Team

REPEATS, FEW = 7, 2
SAMPLE = 2e-2  # seconds of a row of calls
LONG = 1.0  # seconds of a call that others hardly disturb
PEERS = ("hand", "scipy", "mkl", "graphblas", "numba", "sparse", "tensora", "taco")
COLUMNS = (*PEERS, "best", "best/tuned")
HEADER = f"{'kernel':22}{'input':22}{'threads':>8}{'ms':>9}{'tuned':>9}"
HEADER += "".join(f"{column:>11}" for column in COLUMNS) + f"{'of copy':>9}"


def measure(row: Row, with_tuned: bool) -> dict[str, float]:
    """Time everything, with the tuned kernel if that is asked for, in turn, so that a slow phase of the machine hits
    all alike; medians by name. Each turn has an order of its own, since who reads an operand leaves it in the caches
    for who comes next.

    Each finds the caches as its own calls left them: a short one is called several times in a row, half as often
    before. (A matrix that fits into the last-level cache beside another one, but not beside two, is there only after
    some calls.) Where one takes long, each is called a few times more, and that is all.
    """
    tuned = {"tuned": row.tuned()} if with_tuned and row.tuned is not None else {}
    every = {"gnomon": row.ours, **tuned, **row.peers}
    once = {name: min(seconds(action, 1) for _ in range(FEW)) for name, action in every.items()}
    is_long = max(once.values()) > LONG
    found = {name: [first] if is_long else [] for name, first in once.items()}
    shuffled = Random(row.kernel + row.input)
    for _ in range(FEW if is_long else REPEATS):
        for name, action in shuffled.sample(list(every.items()), len(every)):
            found[name].append(duration(action, 1) if is_long else seconds(action, ceil(SAMPLE / once[name])))
    return {name: median(times) for name, times in found.items()}


def ratios(times: Mapping[str, float]) -> dict[str, float]:
    """How many times as long as the kernel each peer needs, and the fastest library; and this than the tuned kernel.

    >>> found = ratios({"gnomon": 2.0, "tuned": 1.0, "hand": 1.0, "scipy": 4.0, "mkl": 3.0})
    >>> found["hand"], found["best"], found["best/tuned"]
    (0.5, 1.5, 3.0)
    """
    found = {name: t / times["gnomon"] for name, t in times.items() if name in PEERS}
    libraries = [times[name] for name in found if name != "hand"]
    if libraries:
        found["best"] = min(libraries) / times["gnomon"]
        if "tuned" in times:
            found["best/tuned"] = min(libraries) / times["tuned"]
    return found


def seconds(action: Action, calls: int) -> float:
    """How long one call takes of so many in a row, after half as many: the first ones find the caches and the heap as
    others left them."""
    for _ in range(ceil(calls / 2)):
        action()
    return duration(action, calls)


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


def line(row: Row, times: Mapping[str, float], share: float) -> str:
    """A row of the table."""
    tuned = f"{times['tuned'] * 1e3:9.2f}" if "tuned" in times else " " * 9
    start = f"{row.kernel:22}{row.input:22}{row.threads:8}{times['gnomon'] * 1e3:9.2f}{tuned}"
    return start + cells(ratios(times)) + f"{share:9.0%}"


def cells(found: Mapping[str, float]) -> str:
    """The columns of ratios."""
    return "".join(f"{found[c]:11.2f}" if c in found else " " * 11 for c in COLUMNS)


def means(measured: list[tuple[Row, dict[str, float]]], threads: int) -> str:
    """The last row of the table for so many threads: geometric means."""
    rows = [ratios(times) for row, times in measured if row.threads == threads]
    found = {c: geometric([r[c] for r in rows if c in r]) for c in COLUMNS if any(c in r for r in rows)}
    return f"{'geometric mean':44}{threads:8}{'':18}" + cells(found)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a row.")
@click.option("--family", "chosen", multiple=True, type=click.Choice(list(FAMILIES)), help="All; may be repeated.")
@click.option("--only", multiple=True, default=("",), help="Only kernels whose name starts so; may be repeated.")
@click.option(
    "--input", "inputs", multiple=True, default=("",), help="Only inputs whose name starts so; may be repeated."
)
@click.option(
    "--threads", multiple=True, default=(1, 2), type=click.IntRange(1), help="With how many; may be repeated."
)
@click.option("--tuned", is_flag=True, help="Tune every kernel, too: half a minute each, but once.")
def main(
    as_json: bool,
    chosen: tuple[str, ...],
    only: tuple[str, ...],
    inputs: tuple[str, ...],
    threads: tuple[int, ...],
    tuned: bool,
) -> None:
    """Measure and print the table."""
    keep_heap()
    limit, team, hand = bandwidth(), Team(), Hand()
    measured: list[tuple[Row, dict[str, float]]] = []
    if not as_json:
        click.echo(f"{platform.processor() or platform.machine()}, one thread copies {limit / 1e9:.1f} GB/s")
        click.echo("In every row scipy and hand have one thread, mkl, graphblas and taco as many as gnomon")
        click.echo(f"\n{HEADER}")
    for case in (case for family in chosen or FAMILIES for case in FAMILIES[family](hand)):
        if not case.kernel.startswith(only) or not case.input.startswith(inputs):
            continue
        for row in (row for n in threads for row in case.rows(n)):
            team.resize(row.threads)
            times = measure(row, tuned)
            measured.append((row, times))
            share = row.bytes / times["gnomon"] / limit
            if as_json:
                head = {"kernel": row.kernel, "input": row.input, "threads": row.threads}
                click.echo(json.dumps({**head, "seconds": times, "of_copy": share}))
            else:
                click.echo(line(row, times, share))
    if not as_json:
        for n in threads:
            click.echo(means(measured, n))


if __name__ == "__main__":
    main()
