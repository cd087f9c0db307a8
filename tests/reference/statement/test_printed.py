"""Tensors with the names of dtypes, beside conversions, in the texts of schedules and of index trees."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.loops.domains import domains
from gnomon.reference.notation.printer import pretty
from gnomon.reference.notation.syntax import Access, Apply
from gnomon.reference.schedule.schedule import Schedule, as_schedule
from gnomon.reference.statement.index_tree import index_tree, statement_of
from gnomon.reference.statement.printed import parse_printed
from gnomon.reference.statement.tree_parser import parse_tree
from gnomon.reference.statement.tree_printer import print_tree

X = np.array([1.0, 2.0])
SPARSE = gn.tensor([[0, 0, 1], [0, 1, 1]], [1.0, 2.0, 3.0], (2, 2), "CSR")
SMALL = np.array([2, 3], "int8")


@pytest.mark.parametrize(
    ("text", "schedule", "operands"),
    [
        ("y(i) = float64(i,j) * x(j)", "pos(j,p,float64(i,j))", {"float64": SPARSE, "x": X}),
        ("y(i) = float64(i) + x(i)", "precompute(float64(i),{i},{iw},w)", {"float64": X, "x": X}),
        (
            "y(i) = A(i,j) * int8(i,j) * x(j)",
            "precompute(A(i,j)*int8(i,j),{},{},w)",
            {"A": SPARSE, "int8": SPARSE, "x": X},
        ),
        ("y(i) = float64(i) * x(i) * z(i)", "loopfuse({},float64(i),left,t)", {"float64": X, "x": X, "z": X}),
        ("y(i) = x(i) * c", "precompute(float64(c),{},{},w)", {"x": X, "c": np.int8(3)}),
        ("y(i) = x(i) * i", "precompute(float64(i),{i},{iw},w)", {"x": X}),
        ("y(i) = x(i) * z(i)", "precompute(float64(z(i)),{i},{iw},w)", {"x": X, "z": SMALL}),
    ],
)
def test_schedules_tell_tensors_with_the_names_of_dtypes_from_conversions(
    text: str, schedule: str, operands: dict[str, object]
) -> None:
    found = gn.trace(text, schedule=schedule, **operands)
    assert found.result.to_numpy().tolist() == gn.evaluate(text, **operands).to_numpy().tolist()
    assert str(as_schedule(schedule)).replace(" ", "") == schedule
    assert as_schedule(str(as_schedule(schedule))) == as_schedule(schedule)


def test_a_schedule_that_is_built_reads_them_alike() -> None:
    fluent = Schedule().pos("j", "p", "float64(i,j)").precompute("float64(j)", "j", "jw", "w")
    assert as_schedule(str(fluent)) == fluent


@pytest.mark.parametrize(
    ("text", "operands"),
    [
        ("y(i) = float64(i) + x(i)", {"float64": X, "x": X}),
        ("y(i) = float64(i,j) * x(j)", {"float64": SPARSE, "x": X}),
        ("y(i) = complex(i) * complex64(i) + 2", {"complex": X, "complex64": X}),
        ("y(i) = complex(i,j) * (1 + 2j) * x(j)", {"complex": SPARSE, "x": X}),
        ("y(i) = x(i) * c", {"x": X, "c": np.int8(3)}),
        ("y(i) = x(i) * float64 + z(i)", {"x": X, "float64": np.int8(3), "z": SMALL}),
        ("y(i) = x(i) * i", {"x": X}),
    ],
)
def test_trees_of_tensors_with_the_names_of_dtypes_come_back(text: str, operands: dict[str, object]) -> None:
    program = gn.trace(text, **operands).program
    tree = index_tree(program, tuple(domains(program)))
    assert print_tree(parse_tree(print_tree(tree))) == print_tree(tree)
    assert statement_of(parse_tree(print_tree(tree))) == program.statement


def test_numbers_are_converted_whatever_their_names() -> None:
    for text in ("float64(true)", "float64(inf)", "float64(2)", "float64(x(i))", "float64(c())"):
        assert isinstance(parse_printed(text), Apply)
    for text in ("float64()", "float64", "float64(i,j)"):
        found = parse_printed(text)
        assert isinstance(found, Access) and pretty(found) == text.replace("()", "")
