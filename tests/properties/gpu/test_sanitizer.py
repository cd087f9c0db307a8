"""What compute-sanitizer says, as findings."""

from pathlib import Path

import pytest
from gnomon.properties.gpu.sanitizer import Finding, read_summary, sanitize


def test_what_compute_sanitizer_says(monkeypatch: pytest.MonkeyPatch) -> None:
    raced = read_summary("racecheck", 17, 9, "…\n========= RACECHECK SUMMARY: 2 hazards displayed\n")
    assert raced == Finding("racecheck", 17, "2 hazards displayed", True)
    assert read_summary("memcheck", 17, 1, "no device\n").wrong
    differs = read_summary("memcheck", 17, 1, "========= ERROR SUMMARY: 0 errors")
    assert differs == Finding("memcheck", 17, "0 errors, and kernels end with status 1", True)
    monkeypatch.setenv("PATH", "")
    assert sanitize(17, "memcheck", 1.0, Path()).said == "compute-sanitizer is not installed"
