"""Problems: the script that a problem prints means the same problem."""

from functools import cached_property
from pathlib import Path

import gnomon as gn
import pytest
import scipy.sparse
from gnomon.properties.backends import Result
from gnomon.properties.programs.problem import Problem, index_of, print_format
from gnomon.reference.errors import FormatError
from gnomon.reference.notation.syntax import Access, Apply, Assignment, Literal, Reduce
from gnomon.reference.storage.format import Format
from gnomon.reference.storage.named_formats import format_of


def run(text: str) -> dict[str, object]:
    """The names that a script leaves."""
    space: dict[str, object] = {}
    exec(compile(text, "<script>", "exec"), space)
    return space


def test_scripts_write_formats_of_ones_own_by_their_levels(capsys: pytest.CaptureFixture[str]) -> None:
    mine = Format(["dense", "compressed"], [1, 0], name="mine")
    held = gn.tensor([[0, 2], [1, 0]], [1.0, 2.0], (3, 2), mine)
    problem = Problem("C(i,j) = A(i,j)", {"A": held}, mine)
    assert "mine" not in repr(problem)
    again = run(repr(problem))["A"]
    assert again.format == mine  # type: ignore[attr-defined]
    assert "agree" in capsys.readouterr().out


def test_scripts_write_complex_numbers_that_are_not_finite(capsys: pytest.CaptureFixture[str]) -> None:
    held = gn.tensor([[0, 1]], [complex("inf+nanj"), complex("-infj")], (3,), "SparseVector")
    again = run(repr(Problem("y(i) = x(i)", {"x": held}, "SparseVector")))["x"]
    assert again.vals.tobytes() == held.vals.tobytes()  # type: ignore[attr-defined]
    assert "agree" in capsys.readouterr().out


def test_scripts_keep_index_dtypes(capsys: pytest.CaptureFixture[str]) -> None:
    held = gn.tensor([[0, 2], [1, 0]], [1.0, 2.0], (3, 2), "CSR", index="int64")
    again = run(repr(Problem("C(i,j) = A(i,j)", {"A": held}, held.format)))["A"]
    assert index_of(again) == "int64"  # type: ignore[arg-type]
    assert "index" not in repr(Problem("C(i,j) = A(i,j)", {"A": held.convert("CSR")}, held.format))
    assert "agree" in capsys.readouterr().out


def test_formats_schedules_and_arrays_may_be_given_as_one_writes_them() -> None:
    schedule = "split(i,i0,i1,2)"
    operands = {"A": scipy.sparse.eye_array(3).tocsr(), "x": [1.0, 2.0, 3.0]}
    problem = Problem("y(i) = A(i,j) * x(j)", operands, "s", schedule=schedule)
    assert (str(problem.operands["A"].format), str(problem.out)) == ("CSR", "compressed")
    assert str(problem.schedule) == schedule
    assert problem.operands["x"] == [1.0, 2.0, 3.0]
    assert Problem("y = x(i)", {"x": [1.0]}, "").out == Format(())
    with pytest.raises(FormatError, match="CSR"):
        Problem("y(i) = x(i)", {"x": [1.0]}, "CSR")


@pytest.mark.parametrize("name", ["CSR", "COO", "BCSR(2,3)", "DIA", "ds:1,0", "hashed(width=8),dense", "CSF(1,0)"])
def test_written_formats_are_read_again(name: str) -> None:
    format = format_of(name, 2)
    assert format_of(print_format(format), 2) == format
    other = Format(format.levels, map=format.map, name="mine")
    assert format_of(print_format(other), 2) == format


@pytest.mark.parametrize("kind", [Problem, Result, Assignment, Access, Literal, Apply, Reduce])
def test_what_backends_are_given_and_give_is_documented(kind: type) -> None:
    page = (Path(__file__).parents[3] / "docs" / "backends.md").read_text()
    names = {name for name, value in vars(kind).items() if isinstance(value, property | cached_property)}
    names |= set(kind.__match_args__)
    assert {name for name in names if f"`{name}`" not in page} <= {"instance", "ready", "levels"}
