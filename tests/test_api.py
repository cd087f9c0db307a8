"""The public functions: what may be given to them in whatever way, and names that they need themselves."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import (
    DtypeError,
    ExpressionError,
    GnomonError,
    MeaningError,
    ParseError,
    ScheduleError,
    SemiringError,
)

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


def test_other_names_are_free() -> None:
    names = ("expression", "fill", "seed", "engines", "source", "operands", "self")
    text, operands = f"y(i) = {' + '.join(f'{name}(i)' for name in names)}", dict.fromkeys(names, X)
    assert gn.evaluate(text, **operands).to_numpy().tolist() == (len(names) * X).tolist()
    gn.check(text, **operands)


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


ODD = (np.zeros(2), [], 3, None, gn.Schedule(), np.zeros(2, [("a", "f8")]))


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_values_of_any_type_are_refused_where_texts_are_expected(odd: Any) -> None:
    eye = gn.tensor([[0], [0]], [1.0], (1, 1))
    calls: list[Callable[[], Any]] = [
        lambda: gn.compile("y(i) = x(i)", target=odd),
        lambda: gn.compile("y(i) = x(i)", overflow=odd),
        lambda: gn.compile("y(i) = x(i)", tune=odd),
        lambda: gn.prove(odd),
        lambda: gn.prove_level(odd),
        lambda: gn.Schedule().mask(odd),
        lambda: gn.Schedule().workspaces(odd),
        lambda: gn.Schedule().with_(odd, "i"),
        lambda: gn.Schedule().with_setting(odd),
        lambda: gn.graph.bfs(eye, 0, engine=odd),
        lambda: gn.graph.bfs(eye, 0, parents=odd),
        lambda: gn.graph.triangles(eye, odd),
        lambda: gn.graph.betweenness(eye, np.array(0)),
    ]
    if odd is not None and not isinstance(odd, gn.Schedule):
        calls += [
            lambda: gn.evaluate("y(i) = x(i)", x=[1.0], schedule=odd, engine="c"),
            lambda: gn.evaluate("y(i) = x(i)", x=[1.0], schedule=odd),
        ]
    if not isinstance(odd, list):
        calls.append(lambda: gn.conform("reference", cases=odd))
    for call in calls:
        with pytest.raises(GnomonError):
            call()


def test_a_format_that_is_none_is_refused() -> None:
    with pytest.raises(ExpressionError, match="x is None"):
        gn.compile("y(i) = x(i)", x=None)


def test_long_names_and_schedules_are_refused() -> None:
    with pytest.raises(ParseError, match="a name has at most 200 characters"):
        gn.evaluate(f"{'y' * 16000}(i) = x(i)", x=[1.0], engine="c")
    inner = ["i", *(f"b{n}" for n in range(80))]
    splits = ",".join(f"split({v},a{n},b{n},2)" for n, v in enumerate(inner[:80]))
    for engine in ("c", "reference"):
        with pytest.raises(ScheduleError, match="a schedule has at most 64 commands, not 80"):
            gn.evaluate("y(i) = x(i)", x=[1.0], engine=engine, schedule=splits)


def test_operators_that_are_nested_too_deeply_for_a_kernel_are_refused() -> None:
    many = gn.operator("f(a) = " + " + ".join(["a"] * 110))
    text = gn.text("y(i) = f(x(i))", operators=[many])
    assert gn.evaluate(text, x=[1.0]).to_numpy().tolist() == [110.0]
    with pytest.raises(GnomonError, match="nested too deeply"):
        gn.evaluate(text, x=[1.0], engine="c")


def test_kernels_are_pickled_as_what_they_compute() -> None:
    kernel = gn.compile("y(i) = A(i,j) * x(j)", A="CSR", schedule="split(i,i0,i1,4)")
    again = pickle.loads(pickle.dumps(kernel))
    assert str(again.request.schedule) == "split(i,i0,i1,4)"
    eye = gn.from_numpy(np.eye(3), "CSR")
    assert (
        again(A=eye, x=np.arange(3.0)).to_numpy().tolist()
        == copy.deepcopy(kernel)(A=eye, x=[0, 1, 2.0]).to_numpy().tolist()
    )


@pytest.mark.parametrize("given", [gn.spec("CSR", dtype="int32"), gn.from_numpy(np.eye(3), "CSR"), 5])
def test_what_is_no_format_is_none_to_a_proof(given: Any) -> None:
    with pytest.raises(GnomonError, match=r"^A is a .*, not a format"):
        gn.prove_statement("y(i) = A(i,j) * x(j)", A=given)


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
    with pytest.raises(GnomonError, match="cannot hold the character 0"):
        gn.write("a\0b.mtx", gn.tensor([[0], [0]], [1.0], (1, 1)))
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


class Unprintable:
    """Something that says nothing of itself."""

    def __repr__(self) -> str:
        raise RuntimeError


DOORS: dict[str, Callable[[Any], object]] = {
    "expression": lambda given: gn.evaluate(given),
    "schedule": lambda given: gn.evaluate(SPMV, A=A, x=X, schedule=given),
    "semiring": lambda given: gn.evaluate(SPMV, A=A, x=X, semiring=given),
    "out": lambda given: gn.evaluate(SPMV, A=A, x=X, out=given),
    "engine": lambda given: gn.evaluate(SPMV, A=A, x=X, engine=given),
    "target": lambda given: gn.compile(SPMV, A="CSR", target=given),
    "split": lambda given: gn.Schedule().split(given, "i0", "i1", 4),
    "pos": lambda given: gn.Schedule().pos("i", "p", given),
    "setting": lambda given: gn.Schedule().mask(given),
    "commands": lambda given: gn.Schedule(given),
    "format": lambda given: gn.tensor([[0], [0]], [1.0], (2, 2), given),
    "shape": lambda given: gn.tensor([[0], [0]], [1.0], given, "CSR"),
    "levels": lambda given: gn.Format(given),
    "level": lambda given: gn.Format([given]),
    "map": lambda given: gn.Format("ds", map=given),
    "mode order": lambda given: gn.Format("ds", mode_order=given),
    "name": lambda given: gn.Format("ds", name=given),
    "coordinate": lambda given: A[given],
    "procedure": lambda given: gn.run(given),
    "rounds": lambda given: gn.run("y = x", rounds=given, x=1.0),
    "operators": lambda given: gn.text(SPMV, operators=given),
    "operator": lambda given: gn.operator(given),
    "identity": lambda given: gn.operator("f(a,b) = a + b", identity=given),
    "obligation": lambda given: gn.prove(given),
    "level format": lambda given: gn.prove_level(given),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("given", [-(10**9999), ["x" * 50] * 9999, Unprintable()], ids=["big", "long", "unprintable"])
def test_values_that_print_badly_are_refused_in_a_few_words(door: str, given: object) -> None:
    with pytest.raises(GnomonError) as caught:
        DOORS[door](given)
    assert len(caught.value.message) < 300


class Asked(Exception):
    """A kernel was asked for."""


def refuse_kernels(*_: object, **__: object) -> None:
    """What stands where kernels are made."""
    raise Asked


def test_operators_on_large_tensors_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the values and formats that reference execution gives."""
    rng = np.random.default_rng(0)
    a = gn.from_numpy(rng.integers(0, 3, (9, 9)).astype(float), "CSR")
    by_reference = [a @ X[:1].repeat(9), a @ a.T, a + a.T, 2 * a, -a]
    monkeypatch.setattr(gn.api, "LARGE", 0)
    compiled = [a @ X[:1].repeat(9), a @ a.T, a + a.T, 2 * a, -a]
    for one, other in zip(by_reference, compiled, strict=True):
        assert one.format == other.format and np.array_equal(one.to_numpy(), other.to_numpy())
    monkeypatch.setattr("gnomon.generator.runtime.evaluation.kernel_on", refuse_kernels)
    with pytest.raises(Asked):
        a @ a
    monkeypatch.setattr(gn.api, "LARGE", 2 * len(a.vals))
    assert np.array_equal((a @ a).to_numpy(), a.to_numpy() @ a.to_numpy())


def test_operators_do_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gn.api, "LARGE", 0)
    monkeypatch.setenv("CC", "no-such-compiler")
    a = gn.tensor([[0, 1], [1, 0]], [2.0, 3.0], (2, 2), "CSR")
    assert (a @ a).to_numpy().tolist() == [[6.0, 0.0], [0.0, 6.0]]


@pytest.mark.parametrize("engine", ["reference", "c"])
def test_an_overflow_names_its_statement(engine: str) -> None:
    with pytest.raises(MeaningError, match=r"integer overflow.*\n  y\(i\) = x\(i\) \* x\(i\)\n  \^{18}\n"):
        gn.evaluate("y(i) = x(i) * x(i)", x=np.full(3, 2**62), engine=engine)


def test_bytes_in_another_order_are_to_be_swapped() -> None:
    with pytest.raises(DtypeError, match=r'>f8 is not supported\n  hint: .*x\.astype\(x\.dtype\.newbyteorder\("="\)\)'):
        gn.from_numpy(X.astype(">f8"), "Dense")
