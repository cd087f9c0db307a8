"""The command `gnomon schedule`: times, and why there is none."""

import json
from functools import cache

import pytest
from click.testing import CliRunner, Result
from gnomon.cli import commands
from gnomon.generator.runtime.request import Request
from gnomon.generator.tuning.trial import Bench, GivenUp
from gnomon.properties.commands import schedule
from gnomon.reference.errors import GnomonError, HostError, Unsupported

SPMV = "y(i) = A(i,j) * x(j)"
WORDS = ["schedule", SPMV, "-f", "A=CSR", "-t", "A=random:9x9:0.5", "-t", "x=ones", "--top", "2"]


def run(*more: str) -> Result:
    return CliRunner().invoke(commands, [*WORDS, *more])


@pytest.mark.parametrize(("variable", "value"), [("GNOMON_CACHE", "/proc/x"), ("CC", "/nonexistent")])
def test_where_nothing_can_be_timed_the_reason_is_an_error(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    done = run()
    assert isinstance(done.exception, HostError) and value in done.exception.message
    assert done.stdout == ""


def test_schedules_that_take_a_product_apart_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "rank", cache(schedule.rank))
    words = ["schedule", "A(i,l) = B(i,j) * C(j,k) * D(k,l)", "-f", "B=CSR", "--top", "2"]
    lines = CliRunner().invoke(commands, words).stdout.splitlines()
    assert lines[0].endswith("and 3 that take the product apart") and "loopfuse" in lines[1]
    assert lines[1].endswith("[unasked, i,(j,k | k,l): work 8·I·K·L·[1-(1-nnz(B)/(I·J))^J] + 8·K·nnz(B)]")
    told = json.loads(CliRunner().invoke(commands, [*words[:-1], "7", "--json"]).stdout)
    reasons = [row["why"] for row in told["schedules"]]
    assert reasons[1] == "unasked, i,j,k,l: work 3·K·L·nnz(B)"
    assert reasons[4:] == ["i,k,(j | l): time nnz(B)·K + I·K·L, memory 1"] * 3
    assert told["branched"] == 3 and "branched" in json.loads(run("--json").stdout)


def test_schedules_for_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["schedule", SPMV, "-f", "A=CSR", "--target", "cuda"]
    first, *lines = CliRunner().invoke(commands, words).stdout.splitlines()
    assert first == "6 templates, of 4198 without heuristics" and all("GPUThread" in line for line in lines)
    assert CliRunner().invoke(commands, [*words, "-s", "auto"]).exit_code == 2
    monkeypatch.setattr(Bench, "seconds", lambda _, request, best=0.0: len(request.schedule.commands) / 1e3)
    timed = run("--target", "cuda").stdout.splitlines()[1:]
    unasked = "split(i,block,warp,*),pos(j,p,A(i,j)),split(p,part,lane,*),reorder(block,warp,lane,part),"
    units = "parallelize(block,GPUBlock,NoRaces),parallelize(warp,GPUWarp,NoRaces),parallelize(lane,GPUThread,"
    assert timed[-1] == f"     7.000 ms  {unasked}{units}ParallelReduction)" and len(timed) == 3

    def refused(_: Bench, request: Request, best: float = 0.0) -> float:
        raise HostError("there is no GPU to compute y on")

    monkeypatch.setattr(Bench, "seconds", refused)
    assert isinstance(run("--target", "cuda").exception, HostError)


def test_what_has_no_time_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    reasons: list[GnomonError | None] = [None, GivenUp("far too slow"), Unsupported("so many loops\nand more")]

    def seconds(_: Bench, request: Request, best: float = 0.0) -> float:
        reason = reasons.pop(0)
        if reason is not None:
            raise reason
        return 0.002

    monkeypatch.setattr(Bench, "seconds", seconds)
    kept = list(reasons)
    first, *lines = run().stdout.splitlines()
    assert first.endswith("without heuristics") and lines == [
        "     2.000 ms  (no schedule)",
        "            -  parallelize(i,CPUThread,NoRaces)  [unasked]  (given up: far too slow)",
        "            -  split(i,i0,i1,*),parallelize(i0,CPUThread,NoRaces)  (refused: so many loops)",
    ]
    reasons += kept
    done = run("--json")
    assert "Infinity" not in done.stdout
    rows = json.loads(done.stdout)["schedules"]
    assert [row["seconds"] for row in rows] == [0.002, None, None]
    assert [row["reason"] for row in rows] == [None, "given up: far too slow", "refused: so many loops"]
