"""Trials in a process of their own: times, and what takes too long, given up without anything left behind."""

import time
from math import inf

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.generator.tuning import trial
from gnomon.generator.tuning.trial import Bench, GivenUp, time_kernel
from gnomon.reference.errors import MeaningError

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
        with pytest.raises(GivenUp, match="more than 10 times as long as the best"):
            stand.seconds(make_request(SPMV, operands, out="Dense", schedule=FUSED), best)
        assert time.perf_counter() - start < 30
        assert first is not None and first.poll() is not None and stand.process is None
        assert 0 < stand.seconds(usual, 1.0) < 1
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


def test_kernels_run_a_few_times_unless_the_first_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[float] = []

    def kernel(**_: object) -> None:
        calls.append(1)
        time.sleep(0.002)

    assert time_kernel(kernel, {}, inf) >= 0.002 and len(calls) == 1 + trial.REPEATS  # type: ignore[arg-type]
    calls.clear()
    assert time_kernel(kernel, {}, 0.001) >= 0.002 and len(calls) == 1  # type: ignore[arg-type]
    assert np.isfinite(time_kernel(kernel, {}, inf))  # type: ignore[arg-type]
