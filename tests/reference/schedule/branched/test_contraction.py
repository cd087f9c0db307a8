"""Contractions: what the search sees of a program, and what it refuses."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import ScheduleError
from gnomon.reference.schedule.branched.contraction import Contraction, contraction_of
from gnomon.reference.schedule.preparation import prepare

MATRIX = np.ones((4, 6))


def contraction(source: str, out: str = "dense,dense", **formats: str) -> Contraction:
    """The contraction of a product of matrices and vectors."""
    operands = {name: gn.from_numpy(MATRIX[:, 0] if name in "xz" else MATRIX, f) for name, f in formats.items()}
    ready = prepare(source, operands, out=out, convert="auto")
    return contraction_of(ready.lowered)


def test_operands_have_loops_and_levels() -> None:
    found = contraction("y(j) = A(i,j) * x(i) * z(i)", "dense", A="CSR", x="dense", z="SparseVector")
    assert [each.tensor for each in found.operands] == ["A", "x", "z"]
    assert [each.levels for each in found.operands] == [("i", "j"), ("i",), ("i",)]
    assert [set(each.stored) for each in found.operands] == [{"j"}, set(), {"i"}]
    assert found.operands[0].edges == {("i", "j")} and found.result.levels == ("j",) and found.path == ()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("y(i) = sum(j, D(i,j) - x(i))", "does not distribute over its sum"),
        ("y(i) = A(i,j)", "nothing to part"),
        ("y(j) = max(i, A(i,j) + x(i))", "nothing to part"),
        ("y(i)<z(i)> = A(i,j) * x(i)", "those of one product under loops"),
        ("y(j) = 2 * A(i,j) * x(i)", "2.0 in .* reads none"),
    ],
)
def test_what_cannot_be_taken_apart_is_refused(source: str, message: str) -> None:
    known = {"A": "CSR", "D": "dense,dense", "x": "dense", "z": "SparseVector"}
    names = {n: f for n, f in known.items() if f"{n}(" in source}
    with pytest.raises(ScheduleError, match=message) as refused:
        contraction(source, "dense", **names)
    assert refused.value.hint is not None


def test_without_a_reduction_anything_may_be_taken_apart() -> None:
    assert contraction("C(i,j) = A(i,j) + x(i)", A="CSR", x="dense").loops == ("i", "j")


def test_a_product_behind_what_it_reads_is_found() -> None:
    found = contraction("C(i,j) = A(i,j) * x(i) * max(k, B(k,j))", "dense,dense", A="CSR", B="dense,dense", x="dense")
    assert found.path == (1,) and {each.tensor for each in found.operands} == {"A", "w", "x"}


def test_a_converted_operand_is_read_as_it_has_become() -> None:
    found = contraction("C(i,j) = A(i,j) * B(i,j) * x(i)", "dense,dense", A="CSR", B="CSC", x="dense")
    assert [each.edges for each in found.operands[:2]] == [{("i", "j")}] * 2 and found.path == ()


def test_loops_of_blocks_are_derived_and_stand_in_order() -> None:
    found = contraction("y(j) = A(i,j) * x(i) * z(i)", "dense", A="BCSR(2,3)", x="dense", z="dense")
    assert found.derived == {"io", "ii", "jo", "ji"} and {("io", "ii"), ("jo", "ji")} <= found.operands[0].edges
    assert found.operands[1].loops == {"io", "ii"} and found.operands[1].edges == {("io", "ii")}


def test_a_result_that_goes_through_a_workspace_puts_no_loops_in_order() -> None:
    formats = {"A": "CSC", "x": "dense", "z": "dense"}
    appended = contraction("C(i,j) = A(i,j) * x(i) * z(i)", "CSC", **formats)
    assert appended.result.edges == {("j", "i")}
    assert (
        contraction("C(i,j) = A(k,i) * B(k,j) * x(k)", "COO", A="CSR", B="CSR", x="dense").result.edges == frozenset()
    )
