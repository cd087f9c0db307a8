"""Procedures run: what names stand for, when loops end, how results are stored."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import ExpressionError, MeaningError, StorageError
from gnomon.reference.procedure.run import count, is_same

A = gn.tensor([[0, 1, 2], [1, 2, 3]], [2.0, 3.0, 4.0], (4, 4), "CSR")
HEAD = "procedure p(x, n) -> x\n  repeat\n"


@pytest.mark.parametrize("engine", ["reference", "c"])
def test_steps_run_in_order_on_what_names_stand_for_then(engine: str) -> None:
    text = """
    procedure p(A, x) -> x, y
      y(i) = x(i)
      x(j) = x(i) * A(i,j)
      x(j) = x(i) * A(i,j)
      y(i) += x(i)
      y(i)<x(i)> += x(i)
    """
    found = gn.run(text, A=A, x=[1.0, 1.0, 0.0, 0.0], engine=engine)
    assert isinstance(found, dict)
    assert found["x"].to_numpy().tolist() == [0.0, 0.0, 6.0, 12.0]
    assert found["y"].to_numpy().tolist() == [1.0, 1.0, 12.0, 24.0]


@pytest.mark.parametrize("engine", ["reference", "c"])
@pytest.mark.parametrize(
    ("until", "expected"),
    [("3 steps", 8.0), ("n steps", 4.0), ("x unchanged or n steps", 4.0), ("n unchanged or 9 steps", 2.0)],
)
def test_loops_run_at_least_once_and_until_a_condition_holds(until: str, expected: float, engine: str) -> None:
    text = f"{HEAD}    x(i) = 2 * x(i)\n  until {until}\n"
    if "n" not in until.replace("unchanged", "").split():
        text = text.replace("p(x, n)", "p(x)")
        assert gn.run(text, x=[1.0], engine=engine).to_numpy().tolist() == [expected]
    else:
        assert gn.run(text, x=[1.0], n=2, engine=engine).to_numpy().tolist() == [expected]


def test_a_loop_ends_when_nothing_is_left_or_nothing_changes() -> None:
    walk = "procedure p(A, x) -> x\n  repeat\n    x(j) = x(i) * A(i,j)\n  until x empty\n"
    start = gn.tensor([[0]], [1.0], (4,), "SparseVector")
    assert gn.run(walk, A=A, x=start).nnz == 0
    assert gn.run(walk, A=A, x=[1.0, 0.0, 0.0, 0.0]).to_numpy().tolist() == [0.0] * 4
    reach = "procedure p(A, x) -> x\n  repeat\n    x(j) += x(i) * A(i,j) in max_min\n  until x unchanged\n"
    found = gn.run(reach, A=A, x=gn.tensor([[0]], [9.0], (4,), "SparseVector"))
    assert found.to_numpy().tolist() == [9.0, 2.0, 2.0, 2.0]


def test_a_loop_ends_by_how_much_there_is() -> None:
    spread = "procedure p(A, x) -> x\n  repeat\n    x(j) += x(i) * A(i,j) in max_min\n  until x above 1\n"
    start = gn.tensor([[0]], [9.0], (4,), "SparseVector")
    assert gn.to_dict(gn.run(spread, A=A, x=start)) == {(0,): 9.0, (1,): 2.0}
    assert gn.run(spread.replace("above 1", "below 4"), A=A, x=start).nnz == 2
    assert gn.run(spread.replace("above 1", "above 3"), A=A, x=start).nnz == 4
    assert gn.run(spread.replace("above 1", "below 2 or 2 steps"), A=A, x=start).nnz == 3
    thin = "procedure p(A, x) -> x\n  repeat\n    x(j) = x(i) * A(i,j)\n  until x below 2\n"
    assert gn.to_dict(gn.run(thin, A=A, x=start)) == {(1,): 18.0}


def test_a_stop_leaves_the_loop_around_it_alone() -> None:
    text = """
    procedure p(x, y) -> x, y
      repeat
        repeat
          x(i) = x(i) + 1
          stop if x above 0
          x(i) = x(i) + 100
        until 5 steps
        y(i) = y(i) + 1
      until 3 steps
    """
    found = gn.run(text, x=[0], y=[0])
    assert (found["x"].to_numpy().tolist(), found["y"].to_numpy().tolist()) == ([3], [3])


def test_loops_inside_loops() -> None:
    inner = "    repeat\n      x = x + 1\n    until 3 steps\n"
    text = f"procedure p(x) -> x\n  repeat\n{inner}    x = 2 * x\n  until 2 steps\n"
    assert gn.run(text, x=0).to_numpy() == (0 + 3) * 2 * 2 + 3 * 2


def test_a_result_is_stored_as_asked_else_as_its_target_was_else_dense() -> None:
    text = """
    procedure p(x) -> a, b, c, x
      a(i) = x(i)
      b(i) = x(i)  as SparseVector of float32
      c(i) = b(i)  as of int64
      x(i) = 2 * x(i)
      b(i) = x(i)
    """
    with pytest.raises(gn.GnomonError, match="p: the result has dtype float32, which int64 cannot hold"):
        gn.run(text, x=gn.tensor([[1]], [3.0], (2,), "SparseVector"))
    found = gn.run(text.replace("int64", "float64"), x=gn.tensor([[1]], [3.0], (2,), "SparseVector"))
    assert [str(found[name].format) for name in "abcx"] == ["dense", "SparseVector", "dense", "SparseVector"]
    assert [found[name].dtype.name for name in "abcx"] == ["float64", "float64", "float64", "float64"]


def test_what_stores_every_component_serves_in_any_semiring() -> None:
    text = "procedure p(x) -> y\n  y(i) = x(i)\n  y(i) = y(i) * y(i) in min_plus\n"
    assert gn.run(text, x=[1.0, 2.0]).to_numpy().tolist() == [2.0, 4.0]


def test_a_loop_that_does_not_end_is_given_up() -> None:
    text = "procedure p(x) -> x\n  repeat\n    x(i) = -x(i)\n  until x unchanged\n"
    with pytest.raises(MeaningError, match="a loop has not ended after 50 rounds: until x unchanged") as refused:
        gn.run(text, x=[1.0], rounds=50)
    assert refused.value.span is not None


def test_a_loop_that_goes_in_circles_is_refused() -> None:
    text = "procedure p(x) -> x\n  repeat\n    x = -x\n  until x unchanged\n"
    message = "a loop never ends, all is after 1026 rounds as it was after 1024: until x unchanged"
    with pytest.raises(MeaningError, match=message) as refused:
        gn.run(text, x=1.0)
    assert refused.value.span is not None
    assert gn.run(text.replace("x unchanged", "x unchanged or 1031 steps"), x=1.0).to_numpy() == -1.0


@pytest.mark.parametrize(
    ("operands", "message"),
    [
        ({}, "x is not given"),
        ({"x": [1.0], "n": 1, "y": 2}, "y is not one of its parameters"),
        ({"x": [1.0], "n": 0}, "n is no number of steps"),
        ({"x": [1.0], "n": 1.5}, "n is no number of steps"),
        ({"x": [1.0], "n": [1, 2]}, "n is no number of steps"),
        ({"x": "many", "n": 1}, "x is a str, not a tensor"),
    ],
)
def test_operands_that_do_not_fit_are_refused(operands: dict[str, Any], message: str) -> None:
    with pytest.raises(ExpressionError, match=message):
        gn.run(f"{HEAD}    x(i) = 2 * x(i)\n  until n steps\n", **operands)


def test_a_number_of_components_is_a_whole_one() -> None:
    text = f"{HEAD}    x(i) = 2 * x(i)\n  until x above n\n"
    assert gn.run(text, x=[1.0], n=0).to_numpy().tolist() == [2.0]
    with pytest.raises(ExpressionError, match="n is no number of components"):
        gn.run(text, x=[1.0], n=-1)


@pytest.mark.parametrize("engine", ["reference", "c"])
def test_an_error_of_a_step_stands_under_the_step(engine: str) -> None:
    text = "procedure p(x, y) -> z\n  z(i) = x(i)\n  z(i) = x(i) * y(i)\n"
    with pytest.raises(ExpressionError, match="p: i has extent") as refused:
        gn.run(text, x=[1.0, 2.0], y=[1.0], engine=engine)
    span = refused.value.span
    assert span is not None and text[span.start : span.stop] == "z(i) = x(i) * y(i)"
    with pytest.raises(ExpressionError, match="engine 'gpu' is not known"):
        gn.run(text, x=[1.0], y=[1.0], engine="gpu")


def test_how_much_there_is_and_what_is_the_same() -> None:
    zeros, none = gn.tensor([[0, 1]], [0.0, 0.0], (2,), "SparseVector"), gn.tensor([[]], [], (2,), "SparseVector")
    assert (count(none), count(zeros), count(zeros.convert("dense"))) == (0, 2, 0)
    odd = gn.tensor([[0]], [np.nan], (2,), "SparseVector")
    assert is_same(odd, gn.tensor([[0]], [np.nan], (2,), "hashed(width=4)"))
    assert not is_same(zeros, none) and not is_same(zeros, None)


LOOP = "procedure p(x{0}) -> {1}\n  repeat\n    {2}\n  until {3}\n"


def rounds_until(condition: str, step: str = "x(i) = x(i)", **operands: Any) -> int:
    """After how many rounds a loop ends in which a step runs."""
    given = "".join(f", {name}" for name in operands if name != "x")
    text = LOOP.format(given + ", c", "c", f"{step}\n    c = c + 1", condition)
    return int(gn.run(text, c=0, **operands)[()])


@pytest.mark.parametrize("fill", [np.nan, 0.0])
def test_what_is_stored_anyhow_does_not_count_where_it_is_the_fill(fill: float) -> None:
    assert count(gn.from_numpy(np.array([fill, 1.0, fill]), "Dense", fill=fill)) == 1


def test_duplicates_are_one_component() -> None:
    twice = gn.tensor([[1, 1]], [1.0, 2.0], (3,), "compressed(nonunique)")
    assert is_same(twice.convert("SparseVector"), twice) and is_same(twice, twice.convert("SparseVector"))
    assert is_same(twice, gn.tensor([[1, 1]], [2.0, 1.0], (3,), "compressed(nonunique)"))
    assert rounds_until("x unchanged", "x(i) = x(i) as COO", x=twice) == 1


def test_values_of_different_dtypes_are_compared_as_they_are() -> None:
    large = gn.from_numpy(np.array([2**53 + 1]), "Dense")
    as_float = gn.from_numpy(np.array([float(2**53 + 1)]), "Dense")
    assert not is_same(large, as_float) and not is_same(as_float, large)
    below = gn.from_numpy(np.array([-1]), "Dense")
    wrapped = gn.from_numpy(np.array([2**64 - 1], np.uint64), "Dense")
    assert not is_same(below, wrapped) and not is_same(wrapped, below)
    assert is_same(gn.from_numpy(np.array([2.0]), "Dense"), gn.from_numpy(np.array([2]), "Dense"))
    assert not is_same(gn.from_numpy(np.array([np.nan]), "Dense"), gn.from_numpy(np.array([2]), "Dense"))
    assert not is_same(gn.from_numpy(np.array([2.5]), "Dense"), gn.from_numpy(np.array([2]), "Dense"))


@pytest.mark.parametrize("condition", ["x empty or x above n", "x above n or x empty", "x below n or x above 0"])
def test_every_number_of_a_condition_is_looked_at_whenever_it_is_asked(condition: str) -> None:
    with pytest.raises(ExpressionError, match=r"^p: n is no number of components: it is 2\.5") as caught:
        gn.run(LOOP.format(", n", "x", "x(i) = x(i)", condition), x=[0.0], n=2.5)
    assert caught.value.source is not None and caught.value.span is not None
    assert caught.value.source[caught.value.span.start : caught.value.span.stop] == f"until {condition}"


def test_a_loop_with_many_steps_is_given_up_with_the_way_out_that_there_is() -> None:
    with pytest.raises(MeaningError, match="has not ended after 3 rounds") as caught:
        gn.run(LOOP.format("", "x", "x(i) = x(i) + 1", "5 steps"), x=[1], rounds=3)
    assert caught.value.hint == "allow more rounds: rounds= in Python, --rounds on the command line"


@pytest.mark.parametrize("text", ["z(i) = x(i) * x(j) * w(j)", "x(i) = x(i) * w(i)"])
def test_errors_call_what_a_step_reads_by_the_names_in_its_text(text: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        gn.run(f"procedure p(x, w) -> x\n  {text}", x=[1.0, 2.0], w=[1.0, 2.0, 3.0])
    assert "before" not in str(caught.value), caught.value


@pytest.mark.parametrize("engine", ["reference", "c"])
@pytest.mark.parametrize("damage", [{"pos": np.array([0, 5, 6, 7, 8])}, {"crd": None}, {"crd": np.array([1, 2, 9])}])
def test_operands_are_valid(engine: str, damage: dict[str, Any]) -> None:
    broken = replace(A, levels=(A.levels[0], {**A.levels[1], **damage}))
    with pytest.raises(StorageError, match=r"A: (level 2|crd)"):
        gn.run("procedure p(A) -> s\n  s = A(i,j)", A=broken, engine=engine)
