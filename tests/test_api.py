"""The public functions: what may be given to them in whatever way, and names that they need themselves."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import ExpressionError, GnomonError, ParseError, ScheduleError, SemiringError

X = np.array([1.0, 10.0, 100.0])
CALLS: dict[str, Callable[..., Any]] = {
    "evaluate": gn.evaluate,
    "compile": gn.compile,
    "check": gn.check,
    "trace": gn.trace,
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("expression", [None, 5, b"y = x", ["y = x"]])
def test_expressions_are_texts(call: Callable[..., Any], expression: object) -> None:
    with pytest.raises(ParseError, match="expected an expression as text"):
        call(expression)


@pytest.mark.parametrize(
    ("call", "name"),
    [(call, name) for call in CALLS for name in ("out", "semiring", "convert", "schedule")]
    + [("evaluate", "engine"), ("evaluate", "unchecked"), ("compile", "tune")],
)
def test_tensors_named_like_settings_are_refused(call: str, name: str) -> None:
    for given in ({name: X}, {}, {name: "CSR"}):
        with pytest.raises(ExpressionError, match=f"{name} is a setting of gn.{call}") as caught:
            CALLS[call](f"y(i) = {name}(i)", **given)
        assert caught.value.span is not None
        assert "rename" in str(caught.value.hint)
    with pytest.raises(ExpressionError, match=f"{name} is a setting of gn.{call}"):
        CALLS[call](f"{name}(i) += x(i)", x=X, **{name: X})


def test_results_may_be_named_like_settings() -> None:
    assert gn.evaluate("out(i) = x(i)", x=X, out="SparseVector").to_numpy().tolist() == X.tolist()
    assert gn.evaluate("schedule(i) += x(i)", x=X).to_numpy().tolist() == X.tolist()


@pytest.mark.parametrize("name", ["expression", "fill", "seed", "engines", "source", "operands", "self"])
def test_other_names_are_free(name: str) -> None:
    assert gn.evaluate(f"y(i) = {name}(i)", **{name: X}).to_numpy().tolist() == X.tolist()
    gn.check(f"y(i) = {name}(i)", **{name: X})


def test_semirings_are_accepted_where_their_names_are() -> None:
    ring = gn.semiring("min_plus")
    for settings in ({}, {"engine": "c"}):
        found = gn.evaluate("a = x(i) * x(i)", x=X, semiring=ring, **settings)
        assert found.to_numpy() == 2.0
    assert gn.compile("a = x(i) * x(i)", x="Dense", semiring=ring)(x=gn.from_numpy(X, "Dense", fill=np.inf)).vals == 2.0
    assert gn.trace("a = x(i) * x(i)", x=X, semiring=ring).resolved.semiring == gn.semiring("min_plus")
    gn.check("a = x(i) * x(i)", x=X, semiring=ring)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({"semiring": 5}, SemiringError), ({"semiring": X}, SemiringError), ({"out": 5}, GnomonError),
        ({"out": b"CSR"}, GnomonError), ({"convert": X}, ExpressionError), ({"convert": 5}, ExpressionError),
    ],
)  # fmt: skip
def test_wrong_settings_are_refused(
    call: Callable[..., Any], settings: dict[str, object], kind: type[Exception]
) -> None:
    with pytest.raises(kind):
        call("y(i) = x(i)", **settings, **({} if call is gn.compile else {"x": X}))


def test_wrong_engines_are_refused() -> None:
    for engine in (5, X, None, ["c"]):
        with pytest.raises(ExpressionError, match="engine"):
            gn.evaluate("y(i) = x(i)", x=X, engine=engine)  # type: ignore[arg-type]


@pytest.mark.parametrize("path", [None, 5, b"a.mtx", ["a.mtx"]])
def test_paths_are_texts(path: Any) -> None:
    with pytest.raises(GnomonError, match="expected a path"):
        gn.read(path)
    with pytest.raises(GnomonError, match="expected a path"):
        gn.write(path, gn.tensor([[0]], [1.0], (2,)))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"dtype": "foo"}, "dtype 'foo' is not supported"),
        ({"dtype": "float16"}, "dtype float16 is not supported"),
        ({"shape": 3}, "not a tuple of integers"),
        ({"shape": "ab"}, "not a tuple of integers"),
        ({"shape": (None, 2)}, "not a tuple of integers"),
        ({"shape": (2**63, 2)}, "extent"),
        ({"format": 5}, "expected a format"),
        ({"format": ["dense"]}, "expected a format"),
        ({"index": "foo"}, "int32 or int64"),
    ],
)
def test_wrong_settings_of_files_are_refused(tmp_path: Path, settings: dict[str, Any], message: str) -> None:
    path = tmp_path / "a.tns"
    path.write_text("1 1 2.0\n")
    with pytest.raises(GnomonError, match=message):
        gn.read(path, **settings)


def test_only_tensors_are_written(tmp_path: Path) -> None:
    with pytest.raises(GnomonError, match="expected a tensor to write, but found ndarray") as caught:
        gn.write(tmp_path / "a.tns", X)  # type: ignore[arg-type]
    assert "from_numpy" in str(caught.value.hint)
    with pytest.raises(GnomonError, match="expected a path") as caught:
        gn.write(gn.tensor([[0]], [1.0], (2,)), tmp_path / "a.tns")  # type: ignore[arg-type]
    assert "gn.write(path, tensor)" in str(caught.value.hint)


def test_what_scipy_does_not_make_is_refused() -> None:
    for given in (None, 5, X):
        with pytest.raises(ExpressionError, match="is not a SciPy sparse matrix"):
            gn.from_scipy(given)


SPMV = "y(i) = A(i,j) * x(j)"
A = gn.tensor([[0, 0, 1, 2], [0, 2, 1, 2]], [1.0, 2.0, 3.0, 4.0], (3, 3), "CSR")


def test_unchecked_schedules_show_what_their_preconditions_prevent() -> None:
    """What is refused otherwise: wrong results, and errors that say how execution fails."""
    operands = {"A": gn.tensor([[0], [0]], [1.0], (2, 2), "CSR"), "B": gn.tensor([[1], [1]], [5.0], (2, 2), "CSR")}
    schedule = "pos(j,p,A(i,j)),split(p,p0,p1,1)"
    with pytest.raises(ScheduleError, match="pos on a union"):
        gn.evaluate("C(i,j) = A(i,j) + B(i,j)", schedule=schedule, **operands)
    found = gn.evaluate("C(i,j) = A(i,j) + B(i,j)", schedule=schedule, unchecked=True, **operands)
    assert found.to_numpy().tolist() == [[1.0, 0.0], [0.0, 0.0]]
    assert gn.evaluate(SPMV, A=A, x=X, schedule="split(i,a,b,-1)", unchecked=True).to_numpy().tolist() == [
        0.0,
        0.0,
        0.0,
    ]


@pytest.mark.parametrize(
    ("schedule", "out", "says"),
    [
        (
            "reorder(j,i)",
            None,
            r"cannot run: A\(i,j\) is stored as CSR, whose level 2",
        ),
        ("split(i,a,b,0)", None, "cannot run: integer division or modulo by zero"),
        ("parallelize(j,CPUThread,NoRaces)", None, "iterations j = 0 and j = 2 both write y"),
        ("bound(i,b,4,max_exact)", None, "i ranges from 0 to 3, for which max_exact 4 is wrong"),
        (
            "divide(i,a,b,0),precompute(A(i,j)*x(j),{b,j},{c,k},w)",
            None,
            "cannot be applied: integer division or modulo",
        ),
        (
            "pos(j,p,A(i,j)),reorder(p,i)",
            None,
            "cannot run: p counts positions of A below i, which the loops around do not give",
        ),
    ],
)
def test_unchecked_schedules_that_cannot_run_say_why(schedule: str, out: str | None, says: str) -> None:
    with pytest.raises(ScheduleError, match=says):
        gn.evaluate(SPMV, A=A, x=X, schedule=schedule, out=out, unchecked=True)


@pytest.mark.parametrize(
    ("schedule", "says"),
    [
        ("split(q,a,b,2)", "no loop runs over q"),
        ("split(i,j,b,2)", "already in use"),
        ("collapse(j,i,f)", "directly nested"),
        ("coord(i,c)", "needs positions"),
        ("unroll(i,2),split(i,a,b,2)", "is unrolled"),
        ("split(i,a,b,4611686018427387905)", "may be at most"),
        ("precompute(x(j),{z},{zw},w)", "needs loops over z around"),
    ],
)
def test_unchecked_schedules_are_still_schedules(schedule: str, says: str) -> None:
    with pytest.raises(ScheduleError, match=says) as caught:
        gn.evaluate(SPMV, A=A, x=X, schedule=schedule, unchecked=True)
    assert "^" in str(caught.value)


def test_unchecked_is_for_the_reference() -> None:
    with pytest.raises(ExpressionError, match="engine 'c' takes checked schedules only"):
        gn.evaluate(SPMV, A=A, x=X, engine="c", unchecked=True)
    with pytest.raises(ExpressionError, match="unchecked='yes' is not known"):
        gn.evaluate(SPMV, A=A, x=X, unchecked="yes")  # type: ignore[arg-type]
    assert (
        gn.evaluate(SPMV, A=A, x=X, unchecked=True).to_numpy().tolist()
        == gn.evaluate(SPMV, A=A, x=X).to_numpy().tolist()
    )


@pytest.mark.parametrize("steps", [3, b"procedure p(x) -> x", None])
@pytest.mark.parametrize("call", [gn.run, gn.check_run, gn.procedure])
def test_procedures_are_texts(call: Callable[..., Any], steps: object) -> None:
    with pytest.raises(ParseError, match="expected a procedure as text"):
        call(steps)


@pytest.mark.parametrize("rounds", ["3", 1.5, -1, True])
def test_rounds_are_whole_numbers(rounds: object) -> None:
    with pytest.raises(ExpressionError, match="is no number of rounds"):
        gn.run("procedure p(x) -> x\n  x(i) = x(i)", x=[1.0], rounds=rounds)


@pytest.mark.parametrize("name", ["rounds", "engine"])
def test_no_parameter_has_the_name_of_a_setting(name: str) -> None:
    with pytest.raises(ExpressionError, match=f"{name} is a setting of gn.run"):
        gn.run(f"procedure p({name}) -> y\n  y(i) = {name}(i)")


def test_a_coordinate_of_a_step_is_not_its_target() -> None:
    with pytest.raises(ExpressionError, match="i is both the result and an operand"):
        gn.run("procedure p(x, i) -> i\n  i(i) = x(i) * i", x=[1.0], i=[1.0])
