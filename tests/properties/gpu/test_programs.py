"""Random programs in a process of their own, counted."""

from pathlib import Path

from gnomon.properties.gpu.programs import run_programs


def test_random_programs_are_counted(tmp_path: Path) -> None:
    found = run_programs("reference", 0.05, 1, tmp_path / "kept.json")
    assert sum(found.outcomes.values()) > 0 and found.findings == 0 and "0 findings" in str(found)
    lost = run_programs("no-such-backend", 0.001, 1, tmp_path / "none.json")
    assert not lost.outcomes and str(lost) == f"None: {lost.said}." and "no-such-backend" in lost.said
