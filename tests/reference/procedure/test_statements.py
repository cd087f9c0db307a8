"""What steps run, before anything runs: formats follow from step to step, and through loops."""

from __future__ import annotations

from pathlib import Path

import pytest
from gnomon.generator import graphs
from gnomon.reference.errors import ExpressionError, FormatError, SemiringError
from gnomon.reference.procedure.parser import parse_procedure
from gnomon.reference.procedure.statements import statements
from gnomon.reference.statement.statement import Program, show_program


def formats_of(program: Program) -> dict[str, str]:
    return {name: str(format) for name, format in program.formats.items()}


def test_a_result_is_stored_as_asked_else_as_its_target_was_else_dense() -> None:
    text = """
    procedure p(A, x) -> x, y, z
      y(i) = A(i,j) * x(j)
      y(i) = 2 * y(i)  as hashed(width=8)
      y(i) = y(i) + x(i)
      z(j) = A(i,j)
    """
    found = statements(parse_procedure(text), {"A": "CSR", "x": "SparseVector"})
    assert [formats_of(program) for (program,) in found.values()] == [
        {"A": "CSR", "x": "SparseVector", "y": "dense"},
        {"y_before": "dense", "y": "hashed(width=8)"},
        {"y_before": "hashed(width=8)", "x": "SparseVector", "y": "hashed(width=8)"},
        {"A": "CSR", "z": "dense"},
    ]


def test_a_step_in_a_loop_runs_a_statement_for_every_way_in_which_names_are_stored() -> None:
    text = """
    procedure p(x) -> y
      repeat
        y(i) = x(i)
        repeat
          z(i) = y(i)  as SparseVector
          x(i) = z(i)  as bitmap
        until 2 steps
        y(i) = z(i)  as hashed(width=8)
      until 3 steps
      w(i) = y(i)
    """
    found = statements(parse_procedure(text), {})
    read = {path: [formats_of(p) for p in programs] for path, programs in found.items()}
    assert read == {
        (0, 0): [
            {"x": "dense", "y": "dense"},
            {"x": "bitmap", "y": "hashed(width=8)"},
        ],
        (0, 1, 0): [{"y": "dense", "z": "SparseVector"}, {"y": "hashed(width=8)", "z": "SparseVector"}],
        (0, 1, 1): [{"z": "SparseVector", "x": "bitmap"}],
        (0, 2): [{"z": "SparseVector", "y": "hashed(width=8)"}],
        (1,): [{"y": "hashed(width=8)", "w": "dense"}],
    }


def test_what_names_are_stored_as_where_a_loop_stops_comes_after_it_too() -> None:
    text = """
    procedure p(x) -> y
      repeat
        x(i) = x(i)  as SparseVector
        stop if x below 2
        x(i) = x(i)  as bitmap
      until 2 steps
      y(i) = x(i)
    """
    found = statements(parse_procedure(text), {})
    assert [formats_of(program)["x"] for program in found[1,]] == ["bitmap", "SparseVector"]
    assert [formats_of(program)["x_before"] for program in found[0, 0]] == ["dense", "bitmap"]


@pytest.mark.parametrize("path", sorted(Path(graphs.__file__).parent.glob("*.gn")), ids=lambda path: path.stem)
def test_the_algorithms_of_graphs_can_be_stated_on_dense_parameters(path: Path) -> None:
    found = statements(parse_procedure(path.read_text()), {})
    assert all(show_program(program) for programs in found.values() for program in programs)


def test_coordinates_have_what_absent_is_in_a_semiring() -> None:
    text = "procedure p(x) -> y\n  y(i) = x(i) * i  in min_second"
    ((program,),) = statements(parse_procedure(text), {"x": "SparseVector"}).values()
    assert show_program(program).splitlines()[-1].strip() == "y(i) = second(x(i), float64(i))"


@pytest.mark.parametrize(
    ("text", "formats", "kind", "message"),
    [
        ("procedure p(A) -> y\n  y(i) = A(i,k) * A(k,k,k)", {}, ExpressionError, "p: A.i,k. has 2 indices"),
        ("procedure p(A) -> y\n  y(i) = A(i,j)", {"A": "SparseVector"}, FormatError, "SparseVector"),
        ("procedure p(A) -> y\n  y(i) = A(i,j) in min_plus", {"A": "BCSR(2,2)"}, SemiringError, "p: A is stored with"),
        ("procedure p(A) -> y\n  y(i) = B(i)", {}, ExpressionError, "B has no value"),
    ],
)
def test_what_cannot_run_is_refused_with_the_step(
    text: str, formats: dict[str, str], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        statements(parse_procedure(text), formats)
