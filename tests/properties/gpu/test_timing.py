"""How long kernels run: those of one call, and not of those before it."""

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from gnomon.generator.cuda.text import Texts
from gnomon.generator.runtime.emulation import build
from gnomon.generator.runtime.foreign import SECONDS
from gnomon.generator.runtime.nvcc import Nvcc
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.properties.gpu import timing
from gnomon.properties.gpu.contenders import copying
from gnomon.properties.gpu.timing import MOST, TIMED, build_for_gpu, median_of

FLAGS = ("-std=c11", "-O1", "-w", TIMED)


def emulated(texts: Texts, folder: Path) -> Path:
    return build(texts.host, texts.device, folder, chosen_compiler(), FLAGS)


def test_kernels_are_timed_alone(tmp_path: Path) -> None:
    timed, begun = copying(2000, emulated, tmp_path), time.monotonic()
    asked = timed.library.functions.find("gn_kernel_seconds", SECONDS, [])
    assert (timed.run().to_numpy() == np.ones(2000)).all()
    first, again = asked(), asked()
    assert 0 < first < time.monotonic() - begun and again == 0


def test_kernels_of_several_launches_are_added_up(tmp_path: Path) -> None:
    timed = copying(2000, emulated, tmp_path)
    asked = timed.library.functions.find("gn_kernel_seconds", SECONDS, [])
    timed.run()
    one = asked()
    for _ in range(200):
        timed.run()
    assert asked() > one


def test_the_median_of_calls_but_for_the_first() -> None:
    times = iter([0.4, 8.0, 2.0, 1.0, *[2.0] * MOST])
    assert median_of(lambda: next(times)) == 2.0
    assert len(list(times)) == 3


def test_calls_that_take_long_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(1000))
    monkeypatch.setattr(timing.time, "monotonic", lambda: float(next(clock)))
    times = iter([0.5, 3.0, 2.0, 1.0, 0.0])
    assert median_of(lambda: next(times)) == 2.0
    assert median_of(iter([9.0, 8.0]).__next__) == 8.0


def test_equal_texts_are_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build_texts(self: Nvcc, host: str, device: str, library: Path, flags: Sequence[str]) -> Path:
        assert not library.exists() and TIMED in flags
        library.write_text(host + device)
        return library

    monkeypatch.setattr(Nvcc, "build_texts", build_texts)
    monkeypatch.setattr(timing, "chosen_nvcc", lambda: Nvcc(("nvcc",), "", (90,)))
    first, again, other = (build_for_gpu(Texts("host", device), tmp_path) for device in ("one", "one", "two"))
    assert first == again != other
