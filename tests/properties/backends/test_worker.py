"""Backends in processes of their own: what ends them is an outcome, and the next problem meets a fresh one."""

import os
import subprocess
import sys
import time
from pathlib import Path

import gnomon as gn
import pytest
from gnomon.properties.backends import BackendError, worker
from gnomon.properties.backends.outcome import Kind, Outcome
from gnomon.properties.backends.own import GeneratedC
from gnomon.properties.backends.result import Result
from gnomon.properties.backends.worker import Limits, Sandbox, answer, prepare_backend
from gnomon.properties.programs.problem import Problem
from gnomon.reference.errors import HostError
from gnomon.reference.storage.named_formats import format_of

UNSTEADY = """
import os, time
import numpy as np
from gnomon.properties.backends import Crashed

class Unsayable(Exception):
    def __str__(self):
        raise ValueError

class Unsteady:
    name, version = "unsteady", "1"

    def supports(self, problem):
        return "-" not in problem.source

    def run(self, problem):
        match problem.source.split()[-1]:
            case "abort":
                os.abort()
            case "exit":
                os._exit(3)
            case "hang":
                time.sleep(60)
            case "much":
                return np.ones(1 << 40)
            case "large":
                return np.empty(5 << 30, np.int8)[:1].astype(float).sum() * 0 + problem.operands["a"].vals[0]
            case "mute":
                os.closerange(3, 64)
                time.sleep(60)
            case "leave":
                raise SystemExit(0)
            case "crash":
                raise Crashed("SIGSEGV", "the tool has crashed")
            case "strange":
                return np.array(["text"])
            case "unsayable":
                raise Unsayable
            case "told":
                os.write(2, b"free(): invalid pointer")
                os.abort()
            case "full":
                raise OSError(28, "No space left on device")
            case "fail":
                raise ValueError(f"no {problem.source}")
        print("noise")
        return np.asarray(problem.operands["a"])

class Reserves(Unsteady):
    reserves_addresses = True

class Unready(Unsteady):
    def prepare(self, problems):
        if any("much" in problem.source for problem in problems):
            raise MemoryError
        if any("unready" in problem.source for problem in problems):
            raise ValueError("not ready")
"""
SCALAR = gn.tensor([], [3.0], (), "")


def named(name: str) -> Problem:
    return Problem(f"y = {name}", {name: SCALAR, "a": SCALAR}, format_of("", 0))


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    (tmp_path / "unsteady.py").write_text(UNSTEADY)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Sandbox("unsteady:Unsteady", Limits(seconds=1.0)) as made:
        yield made


def test_every_problem_has_its_answer(sandbox: Sandbox) -> None:
    names = [
        "a", "abort", "a", "hang", "a", "much", "fail", "exit", "a - b", "a", "leave", "crash", "strange", "unsayable",
        "mute", "a",
    ]  # fmt: skip
    found = list(sandbox.answers([named(name) for name in names]))
    kinds = [each.kind if isinstance(each, Outcome) else Kind.AGREES for each in found]
    assert kinds == [
        Kind.AGREES, Kind.CRASHED, Kind.AGREES, Kind.HUNG, Kind.AGREES, Kind.EXHAUSTED, Kind.RAISED, Kind.CRASHED,
        Kind.REFUSED, Kind.AGREES, Kind.RAISED, Kind.CRASHED, Kind.RAISED, Kind.RAISED, Kind.HUNG, Kind.AGREES,
    ]  # fmt: skip
    assert [each.cause for each in found if isinstance(each, Outcome)] == [
        "SIGABRT", "hang", "memory", "ValueError: no y = fail", "exit status 3", "not supported", "SystemExit",
        "SIGSEGV", "TypeError: values of dtype <U# and fill # are not numbers",
        "Unsayable: its text cannot be had, by ValueError", "hang",
    ]  # fmt: skip
    assert isinstance(found[0], Result)
    assert found[0].values.tolist() == [3.0]


def test_a_machine_that_lets_nothing_run_ends_the_run(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(HostError, match="No space left"):
        list(sandbox.answers([named("full")]))
    assert isinstance(next(sandbox.answers([named("b")])), Result)
    with pytest.raises(HostError, match="No space left"):
        answer(Full(), named("b"))
    monkeypatch.setenv("CC", "false")
    with pytest.raises(HostError, match="no error in the source"):
        prepare_backend(GeneratedC(), [Problem("y = 2 * a", {"a": SCALAR}, format_of("", 0))])


@pytest.mark.parametrize(("name", "kind"), [("Unsteady", Kind.EXHAUSTED), ("Reserves", Kind.AGREES)])
def test_backends_that_reserve_addresses_have_no_limit(sandbox: Sandbox, name: str, kind: Kind) -> None:
    with Sandbox(f"unsteady:{name}", Limits(memory=4 << 30)) as made:
        (found,) = made.answers([named("large")])
    assert (found.kind if isinstance(found, Outcome) else Kind.AGREES) is kind


def test_a_process_that_may_have_less_memory_has_less() -> None:
    lines = [
        "import resource",
        "from gnomon.properties.backends.worker import limit_memory",
        "resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))",
        "for gib in (16, 4):",
        "    limit_memory(gib << 30)",
        "    print(resource.getrlimit(resource.RLIMIT_AS)[0] >> 30)",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("8\n4\n", "")


class Full:
    """A backend whose disk is full."""

    def supports(self, problem: Problem) -> bool:
        raise OSError(28, "No space left on device")


def test_the_end_of_what_a_process_wrote_is_told(sandbox: Sandbox) -> None:
    (crashed,) = sandbox.answers([named("told")])
    assert isinstance(crashed, Outcome)
    assert crashed.detail == "the process ended with SIGABRT: free(): invalid pointer"


def test_what_does_not_load_is_said_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "leaving.py").write_text("raise SystemExit(4)")
    (tmp_path / "boasting.py").write_text(f"{UNSTEADY}\nUnsteady.promises = ('speed',)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    for spec, why in [
        ("nonsense", "unknown backend"), ("nowhere:Backend", "No module named"), ("json:dumps", "not a backend"),
        ("leaving:Backend", "SystemExit: 4"), ("boasting:Unsteady", "promises speed"),
    ]:  # fmt: skip
        with pytest.raises(BackendError, match=f"backend {spec} does not start: .*{why}"), Sandbox(spec) as made:
            made.start()
        assert made.process is None


def test_a_process_ends_with_the_one_that_started_it(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(60)")
    text = """
import os, signal, sys, threading, time
from gnomon.properties.backends.worker import Sandbox
made = Sandbox("slow:Backend")
threading.Thread(target=made.start, daemon=True).start()
while made.process is None:
    time.sleep(0.05)
time.sleep(2.0)
print(made.process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-c", text], env=environment, capture_output=True, text=True, check=False)
    deadline = time.monotonic() + 20
    while is_running(int(ran.stdout)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not is_running(int(ran.stdout))


def is_running(process: int) -> bool:
    status = Path(f"/proc/{process}/status")
    return status.exists() and "State:\tZ" not in status.read_text()


def test_no_folder_is_left_behind(sandbox: Sandbox) -> None:
    assert list(sandbox.answers([named("a"), named("abort"), named("a")]))
    folder = sandbox.folder
    assert folder.exists()
    sandbox.stop()
    assert not folder.exists()


def test_what_cannot_be_made_ready_together_is_run_one_by_one(sandbox: Sandbox) -> None:
    sandbox.spec = "unsteady:Unready"
    found = list(sandbox.answers([named(name) for name in ("a", "unready", "a", "a - b")]))
    kinds = [each.kind if isinstance(each, Outcome) else Kind.AGREES for each in found]
    assert kinds == [Kind.AGREES, Kind.RAISED, Kind.AGREES, Kind.REFUSED]


def test_a_process_that_has_had_many_problems_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "MANY", 3)
    problem = Problem("y(i) = x(i)", {"x": [1.0]}, "Dense")
    with Sandbox("reference") as made:
        processes = []
        for _ in range(4):
            assert [type(each) for each in made.answers([problem, problem])] == [Result, Result]
            processes.append(made.process)
    assert processes[0] is processes[1] is not processes[2] is processes[3]


def test_kernels_of_many_problems_are_compiled_together() -> None:
    x = gn.tensor([[0, 2]], [1.0, 2.0], (3,), "SparseVector")
    problems = [Problem(f"y(i) = x(i) * {n}", {"x": x}, format_of("Dense", 1)) for n in range(5)]
    with Sandbox("c") as made:
        found = list(made.answers(problems))
    assert [each.values.tolist() for each in found if isinstance(each, Result)] == [[n, 0, 2 * n] for n in range(5)]
