"""Scripts of findings run alone, whether their backend writes programs or not."""

from __future__ import annotations

from pathlib import Path

import pytest
from gnomon.properties.backends.outcome import Kind
from gnomon.properties.campaign.examination import Plan
from gnomon.properties.campaign.findings import Finding
from gnomon.properties.campaign.scripts import body
from gnomon.properties.programs.problem import Problem

BACKEND = """
class Ones:
    name, version = "ones", "1"

    def supports(self, problem):
        return True

    def run(self, problem):
        return [1.0] * problem.shape[0]
"""


def test_a_backend_that_writes_no_programs_is_loaded_and_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ones_backend.py").write_text(BACKEND)
    monkeypatch.syspath_prepend(str(tmp_path))
    problem = Problem("y(i) = A(i)", {"A": [1.0, 2.0]}, "d")
    text = body(Plan("ones_backend:Ones", 0), Finding(Kind.WRONG, "values", problem, "", True, (7,), 0))
    exec(compile(text, "script", "exec"), {})
    assert capsys.readouterr().out == "[1.0, 1.0]\n"
