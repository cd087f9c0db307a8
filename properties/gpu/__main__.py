"""Kernels on the GPU that is there: random programs, compute-sanitizer, and the benchmark beside its peers.

The command takes at most ten minutes, and writes docs/performance-gpu.md. Where there is no GPU the command says why,
and measures and writes nothing.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

import click
from msgspec import to_builtins
from rich.console import Console

from ..programs.kernels import ON_DEVICES
from .benchmark import measure
from .cases import cases
from .examples import build_examples
from .page import page
from .presence import find_gpu, for_this_gpu_alone
from .programs import run_programs
from .sanitizer import TOOLS, sanitize
from .timing import build_for_gpu

PAGE = Path("docs/performance-gpu.md")
MINUTES = 9.5
SHARES = {"programs": 0.25, "sanitizer": 0.2}
"""What share of the time is for what comes before the benchmark."""


@click.command(help=__doc__)
@click.option("--minutes", type=click.FloatRange(0.5), default=MINUTES, show_default=True, help="How long it may take.")
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of the random programs.")
@click.option("--page", "file", type=click.Path(path_type=Path, dir_okay=False), default=PAGE, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def main(minutes: float, seed: int, file: Path, as_json: bool) -> None:
    begun, console = time.monotonic(), Console(stderr=True)
    with for_this_gpu_alone(), tempfile.TemporaryDirectory() as folder, console.status("looking for a GPU") as status:
        gpu = find_gpu(Path(folder))
        if isinstance(gpu, str):
            click.echo(json.dumps({"gpu": None, "why": gpu}) if as_json else f"no GPU: {gpu}; nothing was measured")
            return
        status.update("random programs")
        campaign = run_programs("cuda", minutes * SHARES["programs"], seed, Path(folder))
        status.update("the kernels kept as examples")
        build_examples(build_for_gpu, Path(folder))
        findings = []
        for tool in TOOLS:
            status.update(f"compute-sanitizer: {tool}")
            seconds = 60 * minutes * SHARES["sanitizer"] / len(TOOLS)
            findings.append(sanitize(len(ON_DEVICES), tool, seconds, Path(folder)))
        rows = []
        for row in measure(cases(), build_for_gpu, Path(folder), begun + 60 * minutes):
            status.update(f"{row.kernel} on {row.input} by {row.contender}")
            rows.append(row)
    file.write_text(page(gpu, rows, findings, str(campaign)))
    whole = to_builtins({"gpu": gpu, "programs": campaign, "sanitizer": findings, "rows": rows})
    said = f"{gpu.name}: {len(rows)} rows, random programs: {campaign}, written to {file}"
    click.echo(json.dumps(whole) if as_json else said)
    sys.exit(1 if campaign.findings or any(finding.wrong for finding in findings) else 0)


if __name__ == "__main__":
    main()
