"""What `gnomon show` and `gnomon run` make of a procedure in a file."""

import json
from pathlib import Path

import gnomon as gn
import pytest
from click.testing import CliRunner
from gnomon.cli import commands

WALK = """
procedure walk(A, x) -> x
  repeat
    x(j) = x(i) * A(i,j)
  until x empty
"""


@pytest.fixture
def walk(tmp_path: Path) -> str:
    (tmp_path / "walk.gn").write_text(WALK)
    return str(tmp_path / "walk.gn")


def test_a_procedure_is_shown_and_drawn(walk: str, tmp_path: Path) -> None:
    picture = tmp_path / "walk.svg"
    done = CliRunner().invoke(commands, ["show", walk, "-f", "A=CSR", "-f", "x=SparseVector", "--svg", str(picture)])
    assert done.exit_code == 0, done.output
    assert "      x_before SparseVector, A CSR -> x SparseVector" in done.output.splitlines()[3]
    assert "until x empty" in done.output and "until x empty" in picture.read_text()
    assert f"wrote {picture.with_stem('walk-1')}: loops of x(j) = x(i) * A(i,j)" in done.output


def test_a_procedure_is_told_as_one_object(walk: str) -> None:
    done = CliRunner().invoke(commands, ["show", walk, "--json"])
    assert json.loads(done.output)["body"][0]["until"] == "x empty"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-f", "B=CSR"], "B is not one of the parameters of walk"),
        (["-t", "A=ones"], "a procedure takes -f, and --svg or --json, alone"),
        (["--svg", "a.svg", "--json"], "a procedure takes -f, and --svg or --json, alone"),
    ],
)
def test_what_does_not_fit_is_refused(walk: str, words: list[str], message: str) -> None:
    done = CliRunner().invoke(commands, ["show", walk, *words])
    assert done.exit_code and message in f"{done.output}{done.exception}"


def test_a_procedure_is_run_and_checked(walk: str, tmp_path: Path) -> None:
    gn.write(tmp_path / "a.mtx", gn.tensor([[0, 1, 2], [1, 2, 3]], [2.0, 3.0, 4.0], (4, 4), "COO"))
    words = ["run", walk, "-t", f"A={tmp_path / 'a.mtx'}", "-f", "A=CSR", "-t", "x=ones:4", "--check", "--json"]
    done = CliRunner().invoke(commands, words)
    told = json.loads(done.output)
    assert told["report"] == "4 steps: 16 of 16 points agree"
    assert told["results"]["x"]["shape"] == [4]


@pytest.mark.parametrize("beside", [[], ["--check"], ["--engine", "c"]])
def test_loops_are_given_up_after_rounds(walk: str, tmp_path: Path, beside: list[str]) -> None:
    gn.write(tmp_path / "a.mtx", gn.tensor([[0, 1], [1, 0]], [1.0, 1.0], (2, 2), "COO"))
    words = ["run", walk, "-t", f"A={tmp_path / 'a.mtx'}", "-f", "A=CSR", "-t", "x=ones:2", "--rounds", "3", *beside]
    done = CliRunner().invoke(commands, words)
    assert isinstance(done.exception, gn.GnomonError) and "3 rounds" in str(done.exception)


def test_expressions_have_no_rounds() -> None:
    done = CliRunner().invoke(commands, ["run", "y(i) = x(i)", "-t", "x=ones:3", "--rounds", "2"])
    assert done.exit_code == 2 and "--rounds is for a procedure" in done.output
