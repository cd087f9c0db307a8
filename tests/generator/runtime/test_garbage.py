"""Garbage: the collector waits while kernels are generated, and is as it was afterwards."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator

import gnomon as gn
import pytest
from gnomon.generator.runtime import built
from gnomon.generator.runtime.garbage import SELDOM, without_collections


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    yield
    gc.enable()


def test_the_collector_waits_and_goes_on() -> None:
    with without_collections(), without_collections():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    with without_collections():
        pass
    assert not gc.isenabled()


def test_the_collector_goes_on_after_an_error() -> None:
    with pytest.raises(ValueError), without_collections():
        raise ValueError
    assert gc.isenabled()


def test_kernels_are_generated_without_collections(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    remember = built.cache.remember
    monkeypatch.setattr(built.cache, "remember", lambda *args: (seen.append(gc.isenabled()), remember(*args)))
    gn.evaluate("seldom(i) = x(i) * 3", x=[1.0, 2.0], engine="c")
    assert seen and not any(seen)
    assert gc.isenabled()


def test_a_process_of_gnomons_looks_seldom() -> None:
    program = (
        "import gc; from gnomon.generator.runtime.garbage import collect_seldom; "
        "collect_seldom(); print(gc.get_threshold(), gc.get_freeze_count() > 1000)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == f"{SELDOM} True"
