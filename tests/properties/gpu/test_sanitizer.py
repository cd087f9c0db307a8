"""What compute-sanitizer says, as findings."""

import pytest
from gnomon.properties.gpu.sanitizer import Finding, read_summary, sanitize


def test_what_compute_sanitizer_says(monkeypatch: pytest.MonkeyPatch) -> None:
    raced = read_summary("racecheck", 17, 9, "…\n========= RACECHECK SUMMARY: 2 hazards displayed\n")
    assert raced == Finding("racecheck", 17, "2 hazards displayed", True)
    assert read_summary("memcheck", 17, 1, "no device\n").wrong
    monkeypatch.setenv("PATH", "")
    assert sanitize(17, "memcheck").said == "compute-sanitizer is not installed"
