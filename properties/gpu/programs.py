"""Random programs on a GPU: campaigns of `gnomon fuzz`, each in a process of its own, for as long as there is time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

LIMIT = 120
"""The limit for a program in seconds; nvcc builds it together with others in that time."""
MANY, GRACE = 1_000_000, 60.0
"""More programs than there is time for, and the seconds in which a campaign comes to its end."""


class Campaign(Struct, frozen=True):
    """What came of random programs: how many had each outcome, what was found, with the seed and unit by which
    `gnomon fuzz` shows it again, and what was said last."""

    outcomes: dict[str, int] = field(default_factory=dict)
    findings: tuple[str, ...] = ()
    said: str = ""

    @classmethod
    def together(cls, campaigns: Sequence[Campaign]) -> Campaign:
        """Several campaigns as one.

        >>> first = Campaign({"agree": 3, "wrong": 1}, ("seed 4, unit 7: wrong, values",))
        >>> print(Campaign.together([first, Campaign({"agree": 2})]))
        5 agree, 1 wrong; 1 findings:
        <BLANKLINE>
        - seed 4, unit 7: wrong, values
        """
        outcomes: Counter[str] = Counter()
        for each in campaigns:
            outcomes.update(each.outcomes)
        findings = tuple(finding for each in campaigns for finding in each.findings)
        return cls(dict(outcomes), findings, next((each.said for each in campaigns if not each.outcomes), ""))

    def __str__(self) -> str:
        counted = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(self.outcomes.items()))
        if not counted:
            return f"None: {self.said}."
        whole = f"{counted}; {len(self.findings)} findings"
        return "\n- ".join([f"{whole}:\n", *self.findings]) if self.findings else f"{whole}."


def run_programs(backend: str, minutes: float, seed: int, folder: Path) -> Campaign:
    """Programs of a seed, and of those after it, on a backend, as many as so many minutes suffice for: a campaign for
    every two processors, which are kept in a folder."""
    seeds, until = range(seed, seed + max(1, (os.cpu_count() or 1) // 2)), time.monotonic() + 60 * minutes + GRACE
    begun = [begin(backend, minutes, each, folder / f"campaign{each}.json") for each in seeds]
    return Campaign.together([end(process, file, until) for process, file in begun])


def begin(backend: str, minutes: float, seed: int, file: Path) -> tuple[subprocess.Popen[str], Path]:
    """The process of a campaign, and the file that keeps it."""
    asked = ["fuzz", "--backend", backend, "--examples", str(MANY), "--minutes", str(minutes), "--seed", str(seed)]
    asked += ["--seconds", str(LIMIT), "--json", str(file)]
    command = [sys.executable, "-m", "gnomon", *asked]
    return subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT), file


def end(process: subprocess.Popen[str], file: Path, until: float) -> Campaign:
    """What came of a campaign, which is stopped at a time of the monotonic clock."""
    try:
        lines = process.communicate(timeout=max(0.0, until - time.monotonic()))[0].strip().splitlines()
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        lines = ["it was stopped, since it did not end"]
    last = next((line for line in lines if line.startswith("error: ")), (lines or ["nothing was said"])[-1])
    if not file.exists():
        return Campaign(said=last)
    kept = json.loads(file.read_text())
    return Campaign(kept["outcomes"], tuple(in_words(kept)), last)


def in_words(kept: Mapping[str, Any]) -> Iterator[str]:
    """The findings of a campaign, in words."""
    for finding in kept["findings"]:
        yield f"seed {kept['seed']}, unit {finding['units'][0]}: {finding['kind']}, {finding['cause']}"
    for unit, _, kind, cause, _ in kept["unexplained"]:
        yield f"seed {kept['seed']}, unit {unit}: {kind}, {cause}"
