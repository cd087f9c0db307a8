"""The processor: what the system tells of its caches, and what stands in where it tells nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from gnomon.generator.runtime import processor


def cache(folder: Path, number: int, level: str, size: str) -> None:
    """A cache as the system describes it."""
    index = folder / f"index{number}"
    index.mkdir()
    (index / "level").write_text(f"{level}\n")
    (index / "size").write_text(f"{size}\n")


def test_the_cache_of_the_last_level_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, each in enumerate([("1", "32K"), ("3", "2048K"), ("2", "4096K")]):
        cache(tmp_path, number, *each)
    monkeypatch.setattr(processor, "CPU", tmp_path)
    assert processor.last_level_cache.__wrapped__() == 2 << 20


@pytest.mark.parametrize("size", ["", "many"])
def test_what_is_not_told_is_assumed(size: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor, "CPU", tmp_path)
    assert processor.last_level_cache.__wrapped__() == processor.UNTOLD
    cache(tmp_path, 0, "3", size)
    assert processor.last_level_cache.__wrapped__() == processor.UNTOLD
