"""The command line, as a user types it."""

import json
import subprocess
import sys
from pathlib import Path

import gnomon as gn
import pytest
from gnomon.reference.samples import karate


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "gnomon.cli", *words], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("data") / "karate.mtx"
    gn.write(path, karate())
    return str(path)


@pytest.mark.parametrize("format", ["CSR", "COO", "ELL", "DIA", "BCSR(2,2)", "HashRows"])
def test_run(graph: str, format: str) -> None:
    done = run(
        "run", "y(i) = A(i,j) * x(j)", "-t", f"A={graph}", "-f", f"A={format}", "-t", "x=ones", "--json", "--check"
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["checked"] == 34
    assert sum(v for _, v in found["entries"]) == 156


def test_bad_use_exits_with_2_and_a_caret() -> None:
    done = run("run", "y(i) = A(i,", "-t", "A=3")
    assert done.returncode == 2
    assert "^" in done.stderr
    assert "Traceback" not in done.stderr
    assert run("run", "y = A", "-t", "A").returncode == 2
    assert run("run", "y(i) = A(i)", "-t", "A=absent.mtx").returncode == 2
    assert run("nothing").returncode == 2


def test_show_draws_strategies_and_svg(tmp_path: Path, graph: str) -> None:
    done = run("show", "C(i,j) = A(i,j) + B(i,j)", "-f", "A=CSR", "-f", "B=COO", "--svg", str(tmp_path / "a.svg"))
    assert done.returncode == 0, done.stderr
    assert "co-iterate A, B" in done.stdout
    assert (tmp_path / "a.svg").read_text().startswith("<svg")
    assert "0\n" in run("show", graph, "-f", "A=DCSR").stdout


NONZEROS = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,8),parallelize(p0,CPUThread,Atomics)"


def test_run_by_a_schedule(graph: str) -> None:
    words = ("run", "y(i) = A(i,j) * x(j)", "-t", f"A={graph}", "-f", "A=CSR", "-t", "x=ones")
    done = run(*words, "-s", NONZEROS, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["iterations"] == {"p0": 20, "p1": 156}
    refused = run(*words, "-s", "reorder(j,i)")
    assert refused.returncode == 2
    assert "^" in refused.stderr and "keep the loops over j inside those over i" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_show_draws_a_schedule(tmp_path: Path) -> None:
    matrix = tmp_path / "a.mtx"
    gn.write(matrix, gn.tensor([[0, 0, 2], [0, 3, 1]], [1.0, 2.0, 3.0], (3, 4), "COO"))
    words = ("show", "y(i) = A(i,j) * x(j)", "-t", f"A={matrix}", "-f", "A=CSR", "-t", "x=ones")
    done = run(*words, "-s", "fuse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2)", "--svg", str(tmp_path / "s.svg"))
    assert done.returncode == 0, done.stderr
    assert "loop p1 over j: iterate A; locate x" in done.stdout
    pictures = [path.read_text() for path in tmp_path.glob("s*.svg")]
    assert any("p pos A(i,j)" in picture for picture in pictures)
    assert any("tiles of p0" in picture for picture in pictures)


def test_convert_and_listings(tmp_path: Path, graph: str) -> None:
    assert run("convert", graph, str(tmp_path / "k.tns")).returncode == 0
    assert gn.read(tmp_path / "k.tns").nnz == 156
    for listing in ("formats", "levels", "semirings"):
        assert len(json.loads(run(listing, "--json").stdout)) > 5


def test_demo_agrees() -> None:
    done = run("demo")
    assert done.returncode == 0, done.stderr
    assert "45 triangles" in done.stdout


def test_code_follows_a_schedule() -> None:
    schedule = "split(i,i0,i1,64),parallelize(i0,CPUThread,NoRaces)"
    done = run("code", "y(i) = A(i,j) * x(j)", "-f", "A=CSR", "-s", schedule, "--kernel-only")
    assert done.returncode == 0, done.stderr
    assert "#pragma omp for" in done.stdout
    refused = run("code", "y(i) = x(i)", "-s", "parallelize(i,GPUBlock,NoRaces)")
    assert refused.returncode == 2
    assert "GPUBlock" in refused.stderr and "Traceback" not in refused.stderr


def test_schedules_are_listed_and_timed(graph: str) -> None:
    spmv = "y(i) = A(i,j) * x(j)"
    done = run("schedule", spmv, "-f", "A=CSR", "--json", "--top", "3")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["templates"], found["space"], len(found["schedules"])) == (9, 1287, 3)
    timed = run("schedule", spmv, "-f", "A=CSR", "-t", f"A={graph}", "-t", "x=ones", "--top", "2", "--json")
    assert timed.returncode == 0, timed.stderr
    seconds = [row["seconds"] for row in json.loads(timed.stdout)["schedules"]]
    assert len(seconds) == 3 and seconds == sorted(seconds) and min(seconds) > 0
    listed = run("schedule", spmv, "-f", "A=CSR", "--top", "1")
    assert listed.stdout == "9 templates, of 1287 without heuristics\nparallelize(i,CPUThread,NoRaces)\n"
    lacking = run("schedule", spmv, "-f", "A=CSR", "-t", f"A={graph}")
    assert lacking.returncode == 2 and "x has no data" in lacking.stderr
    caret = run("schedule", "y(i) = A(i,j) * x(j")
    assert caret.returncode == 2 and "^" in caret.stderr and "Traceback" not in caret.stderr


def test_tuning_says_what_it_chose(graph: str) -> None:
    words = ["run", "y(i) = A(i,j) * x(j)", "-t", f"A={graph}", "-f", "A=CSR", "-t", "x=ones", "--engine", "both"]
    done = run(*words, "--tune")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("tuned: ")
    assert "agree on 34" in done.stdout
    assert run(*words[:-2], "--tune").returncode == 2
