"""Procedures as straight lines of problems."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import pytest
from gnomon.properties.programs import unrolling
from gnomon.properties.programs.unrolling import unroll
from gnomon.reference.errors import Unsupported
from gnomon.reference.procedure.parser import parse_procedure

A = gn.tensor([[0, 1, 2], [1, 2, 3]], [2, 3, 4], (4, 4), "CSR")


def line(text: str, **operands: Any) -> list[tuple[str, str | None, str, dict[str, Any]]]:
    found = unroll(parse_procedure(text), operands)
    return [
        (p.source, p.semiring, str(p.out), {name: t.vals.tolist() for name, t in p.operands.items() if name != "A"})
        for p in found
    ]  # fmt: skip


def test_every_step_that_runs_is_a_problem_on_what_its_names_stand_for_then() -> None:
    text = """
    procedure p(A, x) -> x, y
      y = x(i)
      repeat
        x(j) += x(i) * A(i,j)  in max_min
      until x unchanged
    """
    x = gn.tensor([[0]], [9], (4,), "SparseVector")
    assert line(text, A=A, x=x) == [
        ("y = x(i)", None, "", {"x": [9]}),
        *(
            ("x(j) += x_before(i) * A(i,j)", "max_min", "SparseVector", {"x_before": held, "x": held})
            for held in ([9], [9, 2], [9, 2, 2], [9, 2, 2, 2])
        ),
    ]


def test_a_line_ends_before_what_has_no_meaning() -> None:
    text = "procedure p(x) -> x\n  repeat\n    x(i) = x(i) * x(i)\n  until 9 steps\n  x(i) = 2 * x(i)"
    found = line(text, x=[2**10])
    assert [held["x_before"] for *_, held in found] == [[2**10], [2**20]]


def test_a_line_ends_after_what_the_reference_breaks_down_on(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(unrolling.Problem):
        @property
        def execution(self) -> Any:  # type: ignore[override]
            raise ZeroDivisionError

    monkeypatch.setattr(unrolling, "Problem", Broken)
    assert [source for source, *_ in line("procedure p(x) -> x\n  x(i) = x(i)\n  x(i) = 2 * x(i)", x=[1])] == [
        "x(i) = x_before(i)"
    ]


def test_a_step_that_says_its_dtype_is_no_problem() -> None:
    with pytest.raises(Unsupported, match="p: a problem does not say the dtype of its result"):
        line("procedure p(x) -> x\n  x(i) = x(i)  as of float64", x=[1])


def test_a_step_in_the_semiring_of_a_user_is_no_problem() -> None:
    toll = gn.operator("toll(a,b) = a + b + 1")
    walk = gn.procedure("procedure p(x) -> x\n  x(i) = x(i) * x(i)  in min_toll", operators=[toll])
    with pytest.raises(Unsupported, match="gnomon's own semirings, not min_toll"):
        unroll(walk, {"x": gn.tensor([[0]], [1], (2,), "SparseVector")})


def test_a_step_that_booleans_do_not_take_ends_the_line() -> None:
    text = "procedure p(x) -> x\n  x(i) = x(i) * x(i)  in or_and\n  x(i) = x(i) - x(i)"
    (only,) = line(text, x=gn.tensor([[0]], [True], (2,), "SparseVector"))
    assert only[0] == "x(i) = x_before(i) * x_before(i)"
