"""The suite as plain files, one a case, for compilers that are not in Python (docs/conformance.md)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...reference.files.text import write_text
from ..programs.case_file import meaning_as_json, problem_as_json, tensor_as_json
from ..programs.problem import print_format
from .rule import Case
from .suite import RULES, identity, suite


def export(folder: Path) -> int:
    """Write every case into `folder/<rule>/<case>.json`, and `suite.json` with the rules; how many cases there are.

    Raises FileError where one cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    every = suite()
    for case in every:
        path = folder / f"{case.id}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, json.dumps(case_as_json(case), indent=1))
    listed = [
        {"rule": r.id, "what": r.what, "needs": r.needs, "cases": [c.id for c in every if c.rule == r.id]}
        for r in RULES
    ]
    write_text(folder / "suite.json", json.dumps({"suite": identity(), "rules": listed}, indent=1))
    return len(every)


def case_as_json(case: Case) -> dict[str, Any]:
    """A case: the problem, and what it means or that it must be refused."""
    head = {"case": case.id, "rule": case.rule, "refused": case.refused}
    if not case.refused:
        return {**head, **problem_as_json(case.problem), "expected": meaning_as_json(case.problem)}
    operands = {name: tensor_as_json(t) for name, t in case.problem.operands.items()}
    problem = {"expression": case.problem.source, "semiring": case.problem.semiring, "operands": operands}
    return {
        **head,
        **problem,
        "schedule": str(case.problem.schedule),
        "result": {"format": print_format(case.problem.out)},
    }
