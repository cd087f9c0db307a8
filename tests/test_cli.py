"""The command line, as a user types it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import gnomon as gn
import pytest
from click.testing import CliRunner
from gnomon import cli
from gnomon.generator.runtime.compiler import compiler
from gnomon.generator.tuning import tuner
from gnomon.reference.files.samples import karate
from typed import COMMAND, dense, inside, run


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


def test_an_empty_subject_is_none() -> None:
    done = run("show", "")
    assert done.returncode == 2 and "the subject is empty" in done.stderr


def test_show_draws_a_schedule(tmp_path: Path) -> None:
    matrix = tmp_path / "a.mtx"
    gn.write(matrix, gn.tensor([[0, 0, 2], [0, 3, 1]], [1.0, 2.0, 3.0], (3, 4), "COO"))
    words = ("show", "y(i) = A(i,j) * x(j)", "-t", f"A={matrix}", "-f", "A=CSR", "-t", "x=ones")
    done = run(*words, "-s", "fuse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2)", "--svg", str(tmp_path / "s.svg"))
    assert done.returncode == 0, done.stderr
    assert "loop p1 over j: iterate A; locate x" in done.stdout
    pictures = [path.read_text() for path in tmp_path.glob("s*.svg")]
    assert any("p pos A(i,j)" in picture for picture in pictures)
    assert any("a colour for each p0" in picture for picture in pictures)


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


def test_code_of_integers_reports_overflow_unless_told_not_to() -> None:
    words = ["code", "y(i) = A(i,j) * x(j)", "-f", "A=CSR", "-d", "A=int32", "-d", "x=int32", "--kernel-only"]
    checked, plain = (CliRunner().invoke(cli.commands, [*words, *more]).output for more in ([], ["--overflow=ignore"]))
    assert "gn_mul_int32(A_vals[pA2], x_vals[j], &status)" in checked
    assert "A_vals[pA2] * x_vals[j]" in plain and "status" not in plain


def test_schedules_are_listed_and_timed(graph: str) -> None:
    spmv = "y(i) = A(i,j) * x(j)"
    done = run("schedule", spmv, "-f", "A=CSR", "--json", "--top", "3")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["templates"], found["space"], len(found["schedules"])) == (12, 1287, 3)
    timed = run("schedule", spmv, "-f", "A=CSR", "-t", f"A={graph}", "-t", "x=ones", "--top", "2", "--json")
    assert timed.returncode == 0, timed.stderr
    seconds = [row["seconds"] for row in json.loads(timed.stdout)["schedules"]]
    assert len(seconds) == 3 and seconds == sorted(seconds) and min(seconds) > 0
    listed = run("schedule", spmv, "-f", "A=CSR", "--top", "1")
    assert listed.stdout == "12 templates, of 1287 without heuristics\nparallelize(i,CPUThread,NoRaces)  [unasked]\n"
    lacking = run("schedule", spmv, "-f", "A=CSR", "-t", f"A={graph}")
    assert lacking.returncode == 2 and "x has no data" in lacking.stderr
    caret = run("schedule", "y(i) = A(i,j) * x(j")
    assert caret.returncode == 2 and "^" in caret.stderr and "Traceback" not in caret.stderr


def test_tuning_says_what_it_chose(graph: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuner, "TEMPLATES", 2)
    monkeypatch.setattr(tuner, "FLAGS", tuner.FLAGS[:1])
    words = ["run", "y(i) = A(i,j) * x(j)", "-t", f"A={graph}", "-f", "A=CSR", "-t", "x=ones", "--engine", "both"]
    done = run(*words, "--tune")
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"tuned: .+, chosen by calls in a row: \S+ ms, and \S+ ms alone\n", done.stderr)
    assert "agree on 34" in done.stdout
    assert run(*words[:-2], "--tune").returncode == 2


@pytest.fixture(scope="module")
def ok(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A matrix whose rows sum up to 0, 1 and 3."""
    path = tmp_path_factory.mktemp("data") / "ok.mtx"
    gn.write(path, gn.tensor([[1, 2, 2], [1, 0, 1]], [1.0, 1.0, 2.0], (3, 2), "COO"))
    return str(path)


@pytest.mark.parametrize("engine", ["reference", "c"])
def test_previous_contents_are_operands(ok: str, engine: str) -> None:
    words = ("-t", f"A={ok}", "--engine", engine)
    assert dense("y(i) += A(i,j)", *words) == [0, 1, 3]
    assert dense("y(i) += A(i,j)", *words, "-t", "y=ones") == [1, 2, 4]
    status, _, said = inside("run", "y(i) = A(i,j)", *words, "-t", "y=ones")
    assert (status, "y" in said) == (2, True)


def test_masks_and_scalars_can_be_made(ok: str) -> None:
    assert dense("y(i)<M(i)> = A(i,j)", "-t", f"A={ok}", "-t", "M=ones") == [0, 1, 3]
    assert dense("y = x", "-t", "x=ones") == [1]
    assert 0 < dense("y = x", "-t", "x=random")[0] < 1


@pytest.mark.parametrize("place", ["/nope/x.svg", "", "."])
def test_pictures_that_cannot_be_written_are_refused_first(place: str) -> None:
    status, out, said = inside("show", "y(i) = A(i,j)", "-f", "A=CSR", "--svg", place)
    assert (status, out) == (2, "")
    assert "cannot be written" in said


def test_results_that_cannot_be_written_are_refused_first() -> None:
    status, out, said = inside("run", "y = x", "-t", "x=1", "-o", "/nope/y.tns")
    assert (status, out) == (2, "")
    assert "cannot be written" in said


def test_large_sparse_results_are_printed_by_entries(tmp_path: Path) -> None:
    n = 20000
    gn.write(tmp_path / "a.mtx", gn.tensor([[k * 7 % n for k in range(25)], range(25)], [1.0] * 25, (n, n), "COO"))
    words = ("run", "B(i,j) = 2 * A(i,j)", "-t", f"A={tmp_path / 'a.mtx'}", "-f", "B=DCSR", "--engine", "both")
    done = run(*words)
    assert done.returncode == 0, done.stderr
    assert "(0, 0) 2.0\n" in done.stdout and "… and 5 more\n" in done.stdout
    assert "agree on 25 stored components" in done.stdout
    checked = run("run", "B(i,j) = A(i,j)", "-t", "A=random:20x20:0.1", "-f", "B=CSR", "--check").stdout
    assert "… and 20 more\n400 of 400 points agree" in checked


def test_python_runs_the_package() -> None:
    done = subprocess.run([*COMMAND, "--version"], capture_output=True, text=True, check=True)
    assert "gnomon" in done.stdout


LIST = """
import sys
from gnomon.cli import main
sys.argv[1:] = ["--help"]
try:
    main()
finally:
    print(*sys.modules)
"""


def test_commands_are_listed_in_a_line_each_and_not_imported() -> None:
    done = subprocess.run([sys.executable, "-c", LIST], capture_output=True, text=True, check=True)
    *said, modules = done.stdout.splitlines()
    listed = said[said.index("Commands:") + 1 :]
    assert [line.split()[0] for line in listed] == sorted(cli.MOUNTED)
    assert all(line.endswith(".") for line in listed)
    assert "gnomon.properties.commands" not in modules and "hypothesis" not in modules


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/nonexistent")


@pytest.mark.usefixtures("no_compiler")
def test_without_a_compiler_the_meaning_is_still_checked(ok: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("run", "y(i) = A(i,j)", "-t", f"A={ok}")
    done = run(*words, "--check")
    assert done.returncode == 0, done.stderr
    assert "3 of 3 points agree (every point; reference; without C: CC is '/nonexistent'" in done.stdout
    assert run(*words, "--engine", "c").returncode == 2
    assert "int evaluate(gn_tensor *y" in run("code", "y(i) = A(i,j)", "-f", "A=CSR").stdout
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", "")
    compiler.cache_clear()
    assert "without C: no C compiler found" in run(*words, "--check").stdout


def test_code_prints_the_header() -> None:
    header = run("code", "--header").stdout
    assert header.startswith("/*\n * Support") and "typedef struct" in header
    assert header in run("code", "y(i) = x(i)").stdout
    assert run("code").returncode == run("code", "y = x", "--header").returncode == 2


def test_runs_are_timed(ok: str) -> None:
    words = ("run", "y(i) = A(i,j)", "-t", f"A={ok}", "-f", "A=CSR", "--engine", "both", "--time", "5")
    times = json.loads(run(*words, "--json").stdout)["times"]
    for found in times.values():
        assert found["runs"] == 5
        assert 0 < found["min"] <= found["median"] <= found["max"] and found["spread"] >= 0
    assert set(times) == {"reference", "c"}
    assert re.search(r"^c +median [\d.e-]+ ms, from .* 5 runs$", run(*words).stdout, re.MULTILINE)
    assert "reference  median" in run("run", "y = x", "-t", "x=1", "--check", "-time=1").stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a.mtx", "-s", "reorder(j,i)"], "a file takes one -f"), (["a.mtx", "-f", "A=CSR", "-f", "B=COO"], "one -f"),
        (["a.mtx", "-t", "B=b.mtx"], "a file takes one -f"), (["a.mtx", "--semiring", "min_plus"], "one -f"),
        (["a.tree", "-f", "A=CSR"], "an index tree takes"), (["a.tree", "--arrays"], "an index tree takes"),
    ],
)  # fmt: skip
def test_what_a_picture_does_not_need_is_refused(words: list[str], said: str) -> None:
    status, _, error = inside("show", *words)
    assert status == 2 and said in error


def test_arrays_are_printed(ok: str) -> None:
    shown = run("show", ok, "-f", "A=CSR", "--arrays").stdout
    assert "  pos = [0, 0, 1, 3]\n  crd = [1, 0, 1]\nvalues\n  vals = [1.0, 1.0, 2.0]\n" in shown
    found = json.loads(run("show", ok, "-f", "A=CSR", "--arrays", "--json").stdout)
    assert found["level 2, compressed"] == {"extent": 2, "pos": [0, 0, 1, 3], "crd": [1, 0, 1]}
    words = ("run", "B(i,j) = A(i,j)", "-t", f"A={ok}", "-f", "A=CSR", "-f", "B=DCSR", "--arrays")
    assert "  pos = [0, 1, 3]\n" in run(*words).stdout
    assert json.loads(run(*words, "--json").stdout)["arrays"]["level 1, compressed"]["crd"] == [1, 2]
