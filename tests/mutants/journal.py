"""What is known of mutants so far, kept in a file as it becomes known."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins
from mutant import Mutant

SETTLED = ("killed", "timeout", "equivalent")
OUTCOMES = (*SETTLED, "survived", "broken", "refuted")
FOLDERS = ("reference", "generator", "properties", "tests")


class Finding(Struct, frozen=True):
    """What became of a mutant. `refuted`: said to be equivalent, but killed."""

    id: str
    outcome: str
    seconds: float
    digest: str


class Journal:
    """Findings by mutant, and the seconds that tests take where nothing is mutated.

    Of an earlier run, findings count for mutants that are still the same, unless they survived; the times of tests for
    the same tree.
    """

    def __init__(self, path: Path | None, mutants: Iterable[Mutant], root: Path) -> None:
        self.path, self.tree = path, tree(root)
        self.findings: dict[str, Finding] = {}
        self.unmutated: dict[str, float] = {}
        if path is None or not path.exists():
            return
        earlier, current = json.loads(path.read_text()), {digest(m) for m in mutants}
        found = [Finding(**each) for each in earlier["mutants"]]
        self.findings = {f.id: f for f in found if f.digest in current and f.outcome in SETTLED}
        self.unmutated = earlier["unmutated"] if earlier["tree"] == self.tree else {}

    def passed(self, test: str, seconds: float) -> None:
        """A test passes where nothing is mutated."""
        self.unmutated[test] = round(seconds, 1)
        self.save()

    def add(self, finding: Finding) -> None:
        """One mutant more."""
        self.findings[finding.id] = finding
        self.save()

    def save(self) -> None:
        """Write what is known so far."""
        if self.path is None:
            return
        findings = self.findings.values()
        report: dict[str, Any] = {
            "share": share(findings),
            "tree": self.tree,
            "unmutated": self.unmutated,
            "mutants": to_builtins(list(findings)),
        }
        part = self.path.with_suffix(".part")
        part.write_text(json.dumps(report, indent=1) + "\n")
        part.replace(self.path)


def share(findings: Iterable[Finding]) -> float:
    """The share of killed mutants among those not shown equivalent."""
    counts = Counter(f.outcome for f in findings)
    killed = counts["killed"] + counts["timeout"]
    return killed / max(1, killed + counts["survived"] + counts["broken"] + counts["refuted"])


def digest(mutant: Mutant) -> str:
    """What tells a mutant from an earlier one of the same name."""
    return hashlib.sha256(json.dumps(to_builtins(mutant), sort_keys=True).encode()).hexdigest()[:16]


def tree(root: Path) -> str:
    """What tells a working tree from another."""
    whole = hashlib.sha256()
    for path in sorted(p for folder in FOLDERS for p in (root / folder).rglob("*.py")):
        whole.update(f"{path.relative_to(root)}\n{path.read_text()}\n".encode())
    return whole.hexdigest()[:16]
