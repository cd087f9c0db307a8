"""Trials in a process of their own: times, and what takes too long, given up without anything left behind."""

import time
from math import inf
from pathlib import Path
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.generator.tuning import trial
from gnomon.generator.tuning.trial import Bench, GivenUp, time_alone, time_in_a_row
from gnomon.reference.errors import MeaningError
from msgspec import Struct

pytestmark = pytest.mark.usefixtures("kernels_as_they_ship")
SPMV = "y(i) = A(i,j) * x(j)"
FUSED = "collapse(i,j,f),split(f,f0,f1,2)"


def test_what_takes_far_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "SLACK", 0.2)
    side = 10**6
    operands = {"A": gn.tensor([[5], [7]], [1.0], (side, side), "DCSR"), "x": gn.tensor([[7]], [1.0], (side,), "s")}
    usual = make_request(SPMV, operands, out="s")
    with Bench(operands) as stand:
        best = stand.seconds(usual)
        assert 0 < best < 1
        first = stand.process
        start = time.perf_counter()
        with pytest.raises(GivenUp, match="more than 2 times as long as the best"):
            stand.seconds(make_request(SPMV, operands, out="Dense", schedule=FUSED), best)
        assert time.perf_counter() - start < 30
        assert first is not None and first.poll() is not None and stand.process is None
        assert 0 < stand.seconds(usual, 1.0) < 1
        assert 0 < stand.seconds_alone(usual) < 1
        second = stand.process
    assert second is not None and second.poll() is not None


def test_what_a_kernel_raises_is_the_reason_that_it_has_no_time() -> None:
    operands = {"x": gn.tensor([[0]], np.array([2**62]), (1,), "Dense")}
    doubled = make_request("y(i) = x(i) + x(i)", operands)
    with Bench(operands) as stand:
        for _ in range(2):
            with pytest.raises(MeaningError, match="integer overflow"):
                stand.seconds(doubled)
        process = stand.start()
        assert process.poll() is None
        process.kill()
        process.wait()
        with pytest.raises(GivenUp, match="ended with status -9"):
            stand.seconds(doubled)


def test_a_process_that_nobody_writes_to_ends() -> None:
    stand = Bench({"x": gn.tensor([[0]], [1.0], (3,), "Dense")})
    process = stand.start()
    assert process.stdin is not None and process.stdout is not None
    process.stdin.close()
    assert process.wait(timeout=60) == 0
    process.stdout.close()


class Spelled(Struct, frozen=True):
    """A timing that is sent as the text of a function, since the process does not know this file."""

    function: str

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return eval, (self.function,)


def test_a_trial_finds_the_pages_that_the_one_before_it_has_touched() -> None:
    new = """lambda kernel, operands: (
        np := __import__("numpy"), count := lambda: __import__("resource").getrusage(0).ru_minflt,
        np.ones(2**18).size, before := count(), np.ones(2**18).size, count() - before)[-1]"""
    operands = {"x": gn.tensor([[0]], [1.0], (3,), "Dense")}
    with Bench(operands) as stand:
        pages = stand.time(make_request("y(i) = x(i)", operands), Spelled(new), inf)  # type: ignore[arg-type]
    assert pages < 2**18 * 8 / 4096 / 4


def test_kernels_run_a_few_times_unless_they_take_too_long() -> None:
    calls: list[float] = []

    def kernel(seconds: float) -> None:
        calls.append(seconds)
        time.sleep(seconds)

    long, short = {"seconds": 0.005}, {"seconds": 0.001}
    assert time_in_a_row(kernel, long, inf) >= 0.005 and len(calls) == 1 + trial.REPEATS  # type: ignore[arg-type]
    calls.clear()
    assert time_in_a_row(kernel, long, 0.004) >= 0.005 and len(calls) == 2  # type: ignore[arg-type]
    calls.clear()
    assert time_in_a_row(kernel, short, inf) >= 0.001 and len(calls) > 1 + trial.REPEATS  # type: ignore[arg-type]


def test_the_first_call_of_several_does_not_count() -> None:
    times = iter([0.05, *[0.005] * 5])
    assert time_in_a_row(lambda: time.sleep(next(times)), {}, 0.01) < 0.05  # type: ignore[arg-type]


def test_other_data_passes_through_the_caches_before_a_call_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, size in (("index0", "32K"), ("index3", "2048K"), ("index4", "odd")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "size").write_text(size + "\n")
    monkeypatch.setattr(trial, "CACHES", tmp_path)
    assert trial.cache_size() == 2 << 20
    passed: list[int] = []
    others = np.zeros(4 << 20, np.uint8)
    monkeypatch.setattr(trial.np, "zeros", lambda count, dtype: others[:count])
    assert time_alone(lambda: passed.append(int(others[-1])), {}) >= 0  # type: ignore[arg-type]
    assert passed == [1, 2]
    monkeypatch.setattr(trial, "CACHES", tmp_path / "none")
    assert trial.cache_size() == trial.USUAL
