"""Symbolic runs of procedures: on tensors that are known they give what the reference gives."""

from __future__ import annotations

from itertools import product

import gnomon as gn
import numpy as np
import pytest
from depth import DEEP
from gnomon.properties.proofs.procedures.symbolic_run import ABSENT, Cell, Cells, SymbolicRun, number
from gnomon.properties.proofs.solver import z3
from gnomon.reference.errors import InternalError
from gnomon.reference.procedure.parser import parse_procedure
from gnomon.reference.procedure.run import by_reference, run_procedure
from gnomon.reference.storage.tensor import Tensor
from hypothesis import given, settings
from hypothesis import strategies as st

Found = dict[tuple[int, ...], float]
N = 3
STEPS = (
    "y(j) = x(i) * A(i,j)  in min_plus as SparseVector",
    "y(j)<!$x(j)> = x(i) * A(i,j)  in min_first as SparseVector",
    "y(j)<x(j)> = x(i) * A(i,j) * i  in max_second as SparseVector",
    "y(j) += x(i) * A(i,j)  in max_plus",
    "y(j)<$x(j),merge> = x(j) + y(j)  in plus_times as SparseVector",
    "y(i) = x(i)  as SparseVector",
    "y(j)<lt(x(j), j)> = x(i) * A(i,j)  in min_first as SparseVector",
    "y(i)<ge(x(i), i)> = x(i)  as SparseVector",
)


def cells(found: Found, order: int) -> Cells:
    """A tensor whose components are known."""
    return {i: number(found[i]) if i in found else ABSENT for i in product(range(N), repeat=order)}


def stored(found: Found, order: int) -> Tensor:
    """The same tensor, stored."""
    coords = np.array(list(found), dtype=int).reshape(-1, order).T
    return gn.tensor(coords, list(found.values()), (N,) * order, "SparseVector" if order == 1 else "CSR", dtype=float)


def tables(order: int) -> st.SearchStrategy[Found]:
    """Components by coordinates, small whole numbers."""
    places = st.tuples(*[st.integers(0, N - 1)] * order)
    return st.dictionaries(places, st.integers(-3, 3).map(float), max_size=5)


@pytest.mark.parametrize("step", STEPS)
@settings(max_examples=settings.default.max_examples if DEEP else 10)
@given(tables(2), tables(1), tables(1))
def test_a_step_gives_what_the_reference_gives(step: str, A: Found, x: Found, y: Found) -> None:
    procedure = parse_procedure(f"procedure p(A, x, y) -> y\n  {step}\n")
    if "A(" not in step:
        procedure = parse_procedure(f"procedure p(x, y) -> y\n  {step}\n")
    names = procedure.parameters
    given_ = {"A": stored(A, 2), "x": stored(x, 1), "y": stored(y, 1)}
    expected = gn.to_dict(run_procedure(procedure, {name: given_[name] for name in names}, by_reference)["y"])
    run = SymbolicRun(N, {"A": cells(A, 2), "x": cells(x, 1), "y": cells(y, 1)})
    run.run(procedure, 1)
    found = {i: (z3.simplify(c.present), z3.simplify(c.value)) for i, c in run.values["y"].items()}
    assert {i: float(value.as_fraction()) for i, (present, value) in found.items() if z3.is_true(present)} == expected


@pytest.mark.parametrize(
    ("step", "said"), [("y(i) = sqrt(x(i))", "no expression of a semiring"), ("y(i)<x(i) + i> = x(i)", "no comparison")]
)
def test_what_is_no_step_of_a_semiring_is_not_run(step: str, said: str) -> None:
    procedure = parse_procedure(f"procedure p(x) -> y\n  {step}\n")
    with pytest.raises(InternalError, match=said):
        SymbolicRun(N, {"x": cells({}, 1)}).run(procedure, 1)


CHOICE = """
procedure p(x, y) -> y
  repeat
    repeat
      y(i) += x(i)  in max_plus
    until 2 steps
    {between}
    repeat
      y(i) {operator} x(i)  in max_plus
    until 2 steps
  until 3 steps
"""


@pytest.mark.parametrize(
    ("between", "operator", "agrees"),
    [
        ("stop if y empty", "+=", True),
        ("x(i) = x(i)", "+=", True),
        ("y(i) = x(i)", "+=", False),
        ("stop if y empty", "=", False),
    ],
)
def test_loops_that_a_loop_chooses_among_must_agree(between: str, operator: str, agrees: bool) -> None:
    run = SymbolicRun(2, {name: cells_of_unknowns(name) for name in "xy"})
    (*_, held) = run.run(parse_procedure(CHOICE.format(between=between, operator=operator)), 2)
    goal = z3.And(run.agree)
    solver = z3.Solver()
    solver.add(z3.Not(goal))
    assert run.agree and (solver.check() == z3.unsat) == agrees
    assert set(held) == {"x", "y"}


def cells_of_unknowns(name: str) -> Cells:
    """A vector of which nothing is known."""
    return {(i,): Cell(z3.Bool(f"{name} {i}"), z3.Real(f"{name} {i} value")) for i in range(2)}


def test_loops_in_a_loop_inside_are_not_run() -> None:
    text = "procedure p(x) -> x\n  repeat\n    repeat\n      repeat\n        x(i) = x(i)\n      until 2 steps\n"
    with pytest.raises(InternalError, match="is not unrolled"):
        SymbolicRun(1, {"x": cells({}, 1)}).run(parse_procedure(f"{text}    until 2 steps\n  until 2 steps\n"), 1)


@given(tables(1), tables(1))
@settings(max_examples=settings.default.max_examples if DEEP else 10)
def test_in_comparisons_what_is_absent_is_beyond_all_numbers(x: Found, y: Found) -> None:
    procedure = parse_procedure("procedure p(x, y) -> x\n  x(i)<lt(x(i), y(i))> = x(i)  in min_plus as SparseVector\n")
    given_ = {
        name: gn.evaluate("z(i) = v(i) * 0", v=stored(held, 1), semiring="min_plus", out="SparseVector")
        for name, held in (("x", x), ("y", y))
    }
    expected = gn.to_dict(run_procedure(procedure, given_, by_reference)["x"])
    run = SymbolicRun(N, {"x": cells(x, 1), "y": cells(y, 1)})
    run.run(procedure, 1)
    found = {i: z3.simplify(c.present) for i, c in run.values["x"].items()}
    assert {i for i, present in found.items() if z3.is_true(present)} == set(expected)
