"""How long kernels run: those of one call, and not of those before it."""

import time
from pathlib import Path

import numpy as np
import pytest
from gnomon.generator.cuda.text import Texts
from gnomon.generator.runtime.emulation import build
from gnomon.generator.runtime.foreign import SECONDS
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.properties.gpu.contenders import copying
from gnomon.properties.gpu.timing import TIMED, Timed

FLAGS = ("-std=c11", "-O1", "-w", TIMED)


def emulated(texts: Texts, folder: Path) -> Path:
    return build(texts.host, texts.device, folder, chosen_compiler(), FLAGS)


def test_kernels_are_timed_alone(tmp_path: Path) -> None:
    timed, begun = copying(2000, emulated, tmp_path), time.monotonic()
    asked = timed.library.functions.find("gn_kernel_seconds", SECONDS, [])
    assert (timed.run().to_numpy() == np.ones(2000)).all()
    first, again = asked(), asked()
    assert 0 < first < time.monotonic() - begun and again == 0


def test_the_median_of_calls_but_for_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    timed, times = copying(10, emulated, tmp_path), iter([9.0, 8.0, 2.0, 1.0])
    monkeypatch.setattr(timed.library, "functions", type("Functions", (), {"find": lambda *_: lambda: next(times)})())
    monkeypatch.setattr(Timed, "run", lambda self: None)
    assert timed.seconds(3) == 2.0
