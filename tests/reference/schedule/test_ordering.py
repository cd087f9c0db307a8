"""Ordering: ordered copies of operands whose coordinates loops would have to put in order."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.execution.interpreter import interpret
from gnomon.reference.loops.plan import Planner
from gnomon.reference.schedule.ordering import may_be_copied, sorted_tensors, with_ordered_copies
from gnomon.reference.schedule.preparation import Prepared, prepare
from gnomon.reference.statement.statement import Program, show
from gnomon.reference.statement.verifier import violations

SPMV, SUM, SAMPLED = "y(i) = A(i,j) * x(j)", "C(i,j) = A(i,j) + B(i,j)", "C(i,j)<M(i,j)> = A(i,j)"
UNORDERED, PAIRS = "dense,compressed(unordered)", "compressed(unordered,nonunique),singleton(unordered)"
BLOCKS = "hashed,hashed,dense,dense; (i,j)->(i//2,j//2,i%2,j%2)"
DENSE = np.array([[0, 4, 0, 1, 2], [0, 0, 0, 0, 0], [7, 0, 5, 0, 3]], float)
SCALED = "C(i,j) = A(i,j) * x(j)"
SQUARE = gn.tensor([[1, 1, 0], [2, 1, 0]], [1.0, 2.0, 3.0], (3, 3), UNORDERED)
X, SPARSE = np.arange(1.0, 6.0), gn.tensor([[1, 2, 4]], [1.0, 2.0, 3.0], (5,), "SparseVector")
DIAGONAL = gn.tensor([[2, 0], [4, 3]], [1.0, 2.0], (3, 5), "bitmap,singleton(padded)")
TWICE = gn.tensor([[3, 1, 3]], [1.0, 2.0, 3.0], (5,), "compressed(unordered,nonunique)")
POSITIONS = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2)"


def stored(format: str, shift: int = 0, fill: float = 0.0) -> gn.Tensor:
    """A matrix in a format, stored backwards where that is possible."""
    matrix = np.roll(DENSE, shift, axis=1)
    i, j = (each[::-1] for each in np.nonzero(matrix))
    return gn.tensor((i, j), matrix[i, j], matrix.shape, format, fill=fill)


def compare(ready: Prepared) -> Program:
    """The program with ordered copies, which gives what the program does and puts nothing in order elsewhere."""
    copied = with_ordered_copies(ready.program)
    wanted, _ = interpret(ready.program, ready.operands)
    found, _ = interpret(copied, ready.operands)
    assert not violations(copied) and not list(sorted_tensors(Planner(copied).root(), copied.ordered))
    assert found.format == wanted.format and (found.to_numpy() == wanted.to_numpy()).all()
    assert len(found.vals) == len(wanted.vals)
    return copied


def test_a_copy_stands_before_the_loops_that_read_it() -> None:
    copied = compare(prepare(SCALED, {"A": stored(UNORDERED), "x": X}, out="CSR"))
    assert show(copied.statement).splitlines() == [
        "∀i",
        "  ∀j",
        "    C(i,j) = A_ordered(i,j) * x(j)",
        "where A_ordered:",
        "  ∀i1",
        "    ∀j1",
        "      A_ordered(i1,j1) = A(i1,j1)",
    ]
    assert str(copied.formats["A_ordered"]) == "dense,compressed"


@pytest.mark.parametrize(
    ("source", "operands", "out", "schedule", "names"),
    [
        (SUM, {"A": stored(UNORDERED), "B": stored("HashMap", 1)}, "CSR", "", ("A", "B")),
        (SUM, {"A": stored(PAIRS), "B": stored("CSR", 1)}, "CSR", "", ("A",)),
        (SCALED, {"A": stored(BLOCKS), "x": X}, BLOCKS.replace("hashed", "compressed"), "", ("A",)),
        (SUM, {"A": stored(UNORDERED, fill=3.0), "B": stored("bitmap,bitmap", 2)}, None, "", ("A",)),
        (SAMPLED, {"A": stored("CSR"), "M": stored(UNORDERED, 1)}, "CSR", "", ("M",)),
        (SCALED, {"A": stored(UNORDERED), "x": SPARSE}, None, "pos(j,p,A(i,j)),split(p,p0,p1,2)", ("A",)),
        ("s = sum(i, square(x(i)))", {"x": TWICE}, None, "", ("x",)),
        ("y(i) = A(i,i) + x(i)", {"A": SQUARE, "x": X[:3]}, None, "", ("A",)),
        ("R(i,j,k) = x(j) + A(i,k)", {"A": stored("HashMap"), "x": SPARSE}, "COO", "", ("A",)),
    ],
)
def test_copies_give_what_operands_give(
    source: str, operands: dict[str, Any], out: str | None, schedule: str, names: tuple[str, ...]
) -> None:
    copied = compare(prepare(source, operands, out=out, schedule=schedule))
    assert copied.ordered == tuple(f"{name}_ordered" for name in names)


@pytest.mark.parametrize(
    ("format", "schedule"),
    [("dense,compressed(nonunique)", "pos(j,p,A(i,j)),split(p,p0,p1,2)"), ("SparseDIA", "")],
)
def test_other_positions_are_not_counted_and_ranks_stay_as_they_are(format: str, schedule: str) -> None:
    program = prepare(SPMV, {"A": stored(format), "x": X}, schedule=schedule).program
    assert not may_be_copied(program, "A")


@pytest.mark.parametrize(
    ("source", "operands", "out", "schedule"),
    [
        (SPMV, {"A": stored(UNORDERED), "x": X}, None, ""),
        ("s = A(i,j)", {"A": stored(PAIRS)}, None, ""),
        (SCALED, {"A": stored("COO"), "x": X}, "CSR", ""),
        (SPMV, {"A": stored("CSR"), "x": X}, None, POSITIONS),
        (SPMV, {"A": stored("ELL"), "x": X}, None, ""),
        (SUM, {"A": DIAGONAL, "B": stored("CSR", 1)}, None, ""),
    ],
)
def test_what_comes_in_order_is_read_as_it_is(
    source: str, operands: dict[str, Any], out: str | None, schedule: str
) -> None:
    program = prepare(source, operands, out=out, schedule=schedule).program
    assert with_ordered_copies(program) == program
