"""Contradictions among storage orders: which are shown, and what is advised on them."""

import re
from typing import Any

import pytest
from gnomon.reference.errors import ScheduleError


def test_contradicting_orders_are_refused_unless_conversions_are_asked_for(lowered: Any) -> None:
    with pytest.raises(ScheduleError, match="no loop order satisfies every storage order"):
        lowered("C(i,j) = A(j,i)", "CSR", {"A": ((4, 3), "CSR")})


@pytest.mark.parametrize(
    ("source", "out", "operands", "hint"),
    [
        (
            "B(i,j) = A(i,j)",
            "COO",
            {"A": ((4, 3), "CSC")},
            'convert A to mode order [0, 1], or ask for B in mode order [1, 0], or pass convert="auto"',
        ),
        (
            "C(i,j,k) = T(j,k,i)",
            "CSF",
            {"T": ((4, 3, 2), "CSF")},
            'convert T to mode order [2, 0, 1], or ask for C in mode order [1, 2, 0], or pass convert="auto"',
        ),
        (
            "C(i,j) = A(i,j) + B(i,j)",
            "Dense",
            {"A": ((4, 3), "CSR"), "B": ((4, 3), "CSC")},
            'convert B to mode order [0, 1], or pass convert="auto"',
        ),
        (
            "y(i) = A(i,j) * B(j,k) * D(k,i)",
            "Dense",
            {"A": ((4, 3), "CSR"), "B": ((3, 2), "CSR"), "D": ((2, 4), "CSR")},
            'convert D to mode order [1, 0], or pass convert="auto"',
        ),
        ("C(i,j) = A(i,j) + A(j,i)", "Dense", {"A": ((4, 4), "CSR")}, 'pass convert="auto"'),
        (
            "C(i,j) = A(i,j) + B(i,j) + D(i,j)",
            "Dense",
            {"A": ((4, 3), "CSC"), "B": ((4, 3), "CSR"), "D": ((4, 3), "CSC")},
            'convert B to mode order [1, 0], or pass convert="auto"',
        ),
        (
            "R(i,j) += A(j,i) + B(i,j)",
            "HashRows",
            {"A": ((4, 4), "DCSR"), "B": ((4, 4), "Dense"), "R": ((4, 4), "HashRows")},
            'convert A to mode order [1, 0], or pass convert="auto"',
        ),
    ],
)
def test_what_a_contradiction_advises_helps(
    lowered: Any, source: str, out: str, operands: dict[str, Any], hint: str
) -> None:
    with pytest.raises(ScheduleError) as error:
        lowered(source, out, operands)
    assert error.value.hint == hint
    for name, modes in re.findall(r"([A-Z]) (?:to|in) mode order \[([0-9, ]+)\]", hint):
        short = f"{'s' * (modes.count(',') + 1)}:{modes.replace(' ', '')}"
        turned = {**operands, **({name: (operands[name][0], short)} if name in operands else {})}
        assert lowered(source, out if name in operands else short, turned)


def test_previous_contents_are_advised_on_by_the_name_of_the_result(lowered: Any) -> None:
    operands = {"A": ((4, 4), "CSC"), "B": ((4, 4), "CSC"), "R": ((4, 4), "HashRows")}
    with pytest.raises(ScheduleError) as error:
        lowered("R(i,j) += A(i,j) + B(i,j)", "HashRows", operands)
    assert error.value.hint is not None and "R_old" not in str(error.value)
    assert "R(i,j) as it was before, stored as" in error.value.message


@pytest.mark.parametrize("source", ["R(i,j)<M(i,j),merge> = A(i,j)", "R(i,j)<!M(i,j)> += A(i,j)"])
def test_what_a_merging_mask_keeps_is_advised_on_by_the_name_of_the_result(lowered: Any, source: str) -> None:
    operands = {"A": ((4, 4), "CSR"), "M": ((4, 4), "CSR"), "R": ((4, 4), "CSC")}
    with pytest.raises(ScheduleError) as error:
        lowered(source, "CSR", operands)
    assert error.value.hint == 'convert R to mode order [0, 1], or pass convert="auto"'


def test_the_conflict_shown_is_that_of_the_cycle_alone(lowered: Any) -> None:
    operands = {"B": ((4, 5), "CSR"), "A": ((4, 3), "CSR"), "D": ((3, 4), "CSR")}
    with pytest.raises(ScheduleError) as error:
        lowered("y(i) = B(j,i) * A(j,k) * D(k,j)", "Dense", operands)
    assert "A(j,k) stored as CSR needs j before k" in error.value.message
    assert "D(k,j) stored as CSR needs k before j" in error.value.message
    assert "B(j,i)" not in error.value.message
