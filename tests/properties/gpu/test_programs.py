"""Random programs in a process of their own, counted."""

import json
import os
from pathlib import Path

import pytest
from gnomon.properties.gpu import programs
from gnomon.properties.gpu.programs import run_programs

SMALL = """
from msgspec.structs import replace
from gnomon.properties.backends.own import Reference
from gnomon.properties.programs.features import PLAIN

class Small(Reference):
    features = replace(PLAIN, orders=(0, 1), reductions=(), updates=(), masks=(), inner=False)
"""


def test_random_programs_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that are drawn before long."""
    (tmp_path / "small.py").write_text(SMALL)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(programs.os, "cpu_count", lambda: 4)
    found = run_programs("small:Small", 0.005, 1, tmp_path)
    assert sum(found.outcomes.values()) > 0 and not found.findings and "0 findings" in str(found)
    kept = [json.loads((tmp_path / f"campaign{seed}.json").read_text()) for seed in (1, 2)]
    assert all(each["outcomes"] for each in kept)
    assert sum(found.outcomes.values()) == sum(sum(each["outcomes"].values()) for each in kept)


def test_campaigns_that_do_not_begin_say_so(tmp_path: Path) -> None:
    lost = run_programs("no-such-backend", 0.001, 1, tmp_path)
    assert not lost.outcomes and str(lost) == f"None: {lost.said}." and "no-such-backend" in lost.said


def test_campaigns_that_do_not_end_are_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "GRACE", -1.0)
    stopped = run_programs("reference", 0.0, 1, tmp_path)
    assert "did not end" in stopped.said


def test_findings_are_told_by_seed_and_unit() -> None:
    finding = {"units": [7, 9], "kind": "wrong", "cause": "values"}
    kept = {"seed": 4, "findings": [finding], "unexplained": [[3, 0, "raised", "ValueError: #", ["order 0"]]]}
    assert list(programs.in_words(kept)) == ["seed 4, unit 7: wrong, values", "seed 4, unit 3: raised, ValueError: #"]
    assert str(programs.Campaign({"wrong": 1}, ("seed 4, unit 7: wrong, values",))).endswith(
        "\n- seed 4, unit 7: wrong, values"
    )
