"""The page that rows of the benchmark on a GPU make: docs/performance-gpu.md."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from .benchmark import Row
from .presence import Gpu
from .sanitizer import Finding

AIMS = {("SpMV", "cuSPARSE"): 1.0, ("SpMM", "cuSPARSE"): 0.9, ("SDDMM", "torch"): 1.0, ("MTTKRP", "by hand"): 1.0}
"""How many times as fast as a peer gnomon's best kernel is meant to be, as a geometric mean over inputs."""
HEADING = """# Performance on a GPU

Measured by `make gpu` on {name}, which copies {bandwidth:.0f} GB/s, with {compiler}. Times are those of kernels,
between events around launches: operands lie on the device, and results are copied after. The last column is the share
of that bandwidth that the bytes any kernel must move would take in the time.
"""


def page(gpu: Gpu, rows: Sequence[Row], findings: Sequence[Finding], programs: str) -> str:
    """The page, in Markdown."""
    heading = HEADING.format(name=gpu.name, bandwidth=gpu.bandwidth / 1e9, compiler=gpu.compiler)
    parts = [heading, "## Aims\n", aims(rows), "## Kernels\n", table(rows, gpu.bandwidth)]
    parts += ["## Random programs\n", programs, "\n## compute-sanitizer\n", findings_of_tools(findings)]
    return "\n".join(parts)


def table(rows: Sequence[Row], bandwidth: float) -> str:
    """All rows."""
    lines = ["| kernel | input | by | ms | of copy |", "|---|---|---|---:|---:|"]
    for row in rows:
        cells = (row.note, "")
        if row.seconds:
            cells = (f"{row.seconds * 1e3:.3f}", f"{row.size / row.seconds / bandwidth:.0%}")
        lines.append(f"| {row.kernel} | {row.input} | {row.contender} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def aims(rows: Sequence[Row]) -> str:
    """What was aimed at, and what came of it."""
    lines = ["| kernel | beside | aim | geometric mean | inputs |", "|---|---|---:|---:|---:|"]
    for (kernel, peer), aim in AIMS.items():
        ratios = list(against(rows, kernel, peer))
        found = f"{exp(sum(map(log, ratios)) / len(ratios)):.2f}" if ratios else "not measured"
        lines.append(f"| {kernel} | {peer} | {aim} | {found} | {len(ratios)} |")
    return "\n".join([*lines, ""])


def against(rows: Sequence[Row], kernel: str, peer: str) -> list[float]:
    """How many times as fast as a peer gnomon's best kernel is, on each input that both have a time for."""
    ratios = []
    for name in dict.fromkeys(row.input for row in rows if row.kernel == kernel):
        here = [row for row in rows if (row.kernel, row.input) == (kernel, name) and row.seconds]
        own = [row.seconds for row in here if row.contender.startswith("gnomon") and row.seconds]
        theirs = [row.seconds for row in here if row.contender == peer and row.seconds]
        if own and theirs:
            ratios.append(theirs[0] / min(own))
    return ratios


def findings_of_tools(findings: Sequence[Finding]) -> str:
    """What the tools of compute-sanitizer have said."""
    lines = ["| tool | kernels | said |", "|---|---:|---|"]
    lines += [f"| {finding.tool} | {finding.kernels} | {finding.said} |" for finding in findings]
    return "\n".join([*lines, ""])
