"""Random programs on a GPU: a campaign of `gnomon fuzz` in a process of its own, for as long as there is time."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

LIMIT = 120
"""The limit for a program in seconds; nvcc builds it together with others in that time."""
MANY, GRACE = 1_000_000, 60.0
"""More programs than there is time for, and the seconds in which a campaign comes to its end."""


@dataclass(frozen=True)
class Campaign:
    """What came of random programs: how many had each outcome, how many findings there are, what was said last."""

    outcomes: dict[str, int] = field(default_factory=dict)
    findings: int = 0
    said: str = ""

    def __str__(self) -> str:
        counted = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(self.outcomes.items()))
        return f"{counted}; {self.findings} findings." if counted else f"None: {self.said}."


def run_programs(backend: str, minutes: float, seed: int, file: Path) -> Campaign:
    """Programs of a seed on a backend, as many as so many minutes suffice for, which are kept in a file."""
    asked = ["fuzz", "--backend", backend, "--examples", str(MANY), "--minutes", str(minutes), "--seed", str(seed)]
    asked += ["--seconds", str(LIMIT), "--json", str(file)]
    command, limit = [sys.executable, "-m", "gnomon", *asked], 60 * minutes + GRACE
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit)
        lines = f"{done.stdout}\n{done.stderr}".strip().splitlines() or ["nothing was said"]
    except subprocess.TimeoutExpired:
        lines = [f"it was stopped after {limit:.0f} s"]
    last = next((line for line in lines if line.startswith("error: ")), lines[-1])
    if not file.exists():
        return Campaign(said=last)
    kept = json.loads(file.read_text())
    return Campaign(kept["outcomes"], len(kept["findings"]) + len(kept["unexplained"]), last)
