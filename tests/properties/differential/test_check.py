"""Denotation = reference execution, in values and structure, on random problems."""

import dataclasses

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.differential.check import agree, check
from gnomon.properties.programs.problem import Problem
from gnomon.properties.strategies import PLAIN, Features, programs
from gnomon.reference.algebra.operator import Operator
from gnomon.reference.algebra.operators import DECLARED
from gnomon.reference.algebra.scalars import fill_fits
from gnomon.reference.errors import (
    CompileError,
    DisagreementError,
    DtypeError,
    GnomonError,
    InternalError,
    MeaningError,
    ScheduleError,
    StorageError,
    Unsupported,
)
from gnomon.reference.execution.evaluate import Execution, execute, execute_prepared
from gnomon.reference.schedule.preparation import Prepared
from gnomon.reference.storage.tensor import Tensor
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace


def agrees(drawn: Problem) -> None:
    report = check(drawn.source, drawn.operands, out=drawn.out, semiring=drawn.semiring, convert="auto", engines=())
    report.execution.result.validate()
    assert report.checked == report.points or report.seed is not None


@given(programs(PLAIN))
def test_float64(drawn: Problem) -> None:
    agrees(drawn)


@given(programs(Features(plain=False, schedules=False)))
def test_semirings(drawn: Problem) -> None:
    agrees(drawn)


@given(programs(Features(semirings=(), schedules=False)))
def test_dtypes(drawn: Problem) -> None:
    agrees(drawn)


SINGLES = (
    *(0.0, 1e-45, 1e-40, 1.2e-38, 1e-30, 1e-8, 0.1, 0.49999997, 0.5, 0.50000006, 0.99999994, 1.0, 1.0000001, 1.5, 2.0),
    *(2.5, 2.9999998, 3.0, 3.1415927, 10.0, 88.7, 100.0, 104.0, 16777217.0, 1e10, 1.8e19, 1e30, 3.4028235e38),
    np.inf,
)
DOUBLES = (
    *(0.0, 5e-324, 3e-310, 2.2250738585072014e-308, 1e-300, 1e-200, 1e-160, 1e-20, 1e-8, 0.1, 0.49999999999999994, 0.5),
    *(0.5000000000000001, 0.9999999999999999, 1.0, 1.0000000000000002, 1.5, 2.0, 2.5, 2.9999999999999996, 3.0),
    *(3.141592653589793, 10.0, 709.78, 745.2, 9007199254740993.0, 1e17 + 20, 1e19, 1.4e154, 1e200, 1e300),
    *(1.7976931348623157e308, np.inf),
)
MANY = 16
NAMES = {"add": "({0} + {1})", "sub": "({0} - {1})", "mul": "({0} * {1})", "div": "({0} / {1})", "neg": "(-{0})"}


def extremes(dtype: str) -> st.SearchStrategy[complex]:
    """Values from the ends of a dtype, of either sign, and from where functions jump or have poles."""
    ends = SINGLES if dtype in ("float32", "complex64") else DOUBLES
    parts = st.sampled_from([*ends, *(-v for v in ends)])
    return parts if dtype.startswith("float") else st.builds(complex, parts, parts)


def admits(op: Operator, own: np.dtype) -> bool:
    """Whether an operator takes arguments of a dtype, and integers never come to be divided."""
    try:
        op.result_dtype(*[op.operand_dtype(*[own] * op.arity)] * op.arity)
    except DtypeError:
        return False
    return own.kind in "fc" or op.name not in ("floordiv", "mod")


@st.composite
def nests(draw: st.DrawFn, dtype: str, depth: int) -> tuple[str, np.dtype]:
    """An expression of some operators inside one another, and its dtype."""
    if depth == 0:
        return draw(st.sampled_from(["x(i)", "y(i)"])), np.dtype(dtype)
    first, own = draw(nests(dtype, depth - 1))
    op = draw(st.sampled_from([o for o in DECLARED if admits(o, own)]))
    args = [first, *(["z(i)" if own == np.dtype(dtype) else first] * (op.arity - 1))]
    if draw(st.booleans()):
        args.reverse()
    text = NAMES.get(op.name, f"{op.name}({', '.join(f'{{{n}}}' for n in range(op.arity))})").format(*args)
    return text, op.result_dtype(*[op.operand_dtype(*[own] * op.arity)] * op.arity)


def at_the_ends(data: st.DataObject, text: str, dtype: str) -> None:
    """The reference is within the bound of the denotation for values from the ends of a dtype."""
    operands = {
        name: np.array(data.draw(st.lists(extremes(dtype), min_size=MANY, max_size=MANY), label=name), dtype)
        for name in "xyz"
        if f"{name}(i)" in text
    }
    check(f"r(i) = {text}", operands, engines=())


@pytest.mark.every(3)
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("op", DECLARED, ids=[o.name for o in DECLARED])
@given(data=st.data())
@settings(max_examples=settings().max_examples // 20)
def test_operators_at_the_ends_of_their_dtypes(op: Operator, dtype: str, data: st.DataObject) -> None:
    if admits(op, np.dtype(dtype)):
        form = NAMES.get(op.name, f"{op.name}({', '.join(['{0}', '{1}'][: op.arity])})")
        at_the_ends(data, form.format("x(i)", "y(i)"), dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@given(data=st.data())
@settings(max_examples=settings().max_examples // 3)
def test_nests_of_operators_at_the_ends_of_their_dtypes(dtype: str, data: st.DataObject) -> None:
    text, _ = data.draw(nests(dtype, data.draw(st.integers(2, 3))))
    at_the_ends(data, text, dtype)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("cos(x(i)) / x(i)", [1e-200]),
        ("1 / (1 / x(i))", [1e200, 1e300]),
        ("x(i) / x(i) / x(i)", [1e-200]),
        ("sqrt(x(i) * x(i))", [1e200, 1e-200]),
        ("x(i) * x(i) / x(i)", [1e200, 1e-200]),
        ("square(x(i)) / square(x(i))", [1e200, 1e-200]),
        ("log(x(i) * x(i))", [1e200, 1e-200]),
        ("floordiv(x(i), 3)", [1e17 + 20]),
        ("floordiv(x(i), 3)", [1e17 + 20, 1e300, 5e-324, -5e-324]),
        ("mod(x(i), 3)", [-1e-20]),
        ("floordiv(3, x(i))", [-0.0, 0.0]),
        ("floordiv(1e-300, x(i))", [-0.0, 0.0]),
        ("floordiv(x(i), 0 * x(i))", [-5e-324, -1e-30, 5e-324]),
        ("0 * (x(i) * x(i))", [1e200]),
        ("eq(x(i) * x(i), 0)", [1e-200]),
        ("sin(x(i) * x(i))", [1e10 / 3]),
    ],
)
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_extremes_that_were_once_accused(text: str, values: list[float], dtype: str) -> None:
    if dtype == "complex128" and ("mod" in text or "floordiv" in text):
        return
    check(f"y(i) = {text}", {"x": np.array(values, dtype)}, engines=())


def test_the_absolute_value_of_what_is_infinite_in_one_part_is_infinite() -> None:
    x = np.array([0j, complex("inf"), complex("infj"), complex("nan+infj")])
    check("r(i) = abs(log(x(i)) * 2)", {"x": x}, engines=())
    check("r(i) = abs(x(i) * (1 + 1j))", {"x": np.array([complex("inf+nanj")])})


@pytest.mark.parametrize("text", ["sqrt(x(i) * x(i))", "x(i) * x(i) / x(i)", "square(x(i)) / square(x(i))"])
@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_single_precision_ends_sooner(text: str, dtype: str) -> None:
    check(f"y(i) = {text}", {"x": np.array([1e30, 1e-30, 3e-23], dtype)}, engines=())


def test_a_wrong_result_is_reported_with_a_script(monkeypatch: pytest.MonkeyPatch) -> None:
    from gnomon.properties.differential import check as module

    def wrong(ready: Prepared) -> Execution:
        right = execute_prepared(ready)
        result = gn.tensor([[0]], [np.nextafter(3.0, 4.0) + 1e-9], (1,), "Dense")
        return Execution(right.text, right.resolved, right.operands, right.program, result, right.trace)

    monkeypatch.setattr(module, "execute_prepared", wrong)
    with pytest.raises(DisagreementError, match=r"means 3\.0") as caught:
        check("y(i) = x(i) + x(i) + x(i)", {"x": np.array([1.0])}, engines=())
    assert "gn.tensor([[0]], [1.0], (1,), 'dense'" in str(caught.value)


def given_by(result: Tensor, monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    """Let an engine give a result, whatever it is asked."""
    from gnomon.properties.differential import check as module

    def given_execution(ready: Prepared) -> Execution:
        return replace(execute_prepared(ready), result=result)

    class Given:
        def run(self, operands: object) -> Tensor:
            return result

    if engine == "reference":
        monkeypatch.setattr(module, "execute_prepared", given_execution)
    else:
        monkeypatch.setattr(module, "kernel_for", lambda *_, **__: Given())


def twice() -> Tensor:
    """Three, stored twice at one coordinate: it stands for six."""
    coo = gn.tensor([[0, 0]], [3.0, 3.0], (1,), "compressed(nonunique)")
    assert [i for i, _ in coo.entries()] == [(0,), (0,)]
    return coo


@pytest.mark.parametrize("engine", ["reference", "c"])
def test_a_component_that_is_stored_twice_is_a_disagreement(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given_by(twice(), monkeypatch, engine)
    by = {"reference": "reference", "c": "C"}[engine]
    with pytest.raises(DisagreementError, match=rf"{by}: \(0,\) is stored more than once"):
        check("y(i) = x(i) + x(i)", {"x": np.array([1.5])}, out="compressed(nonunique)", engines=("c",))


def test_engines_that_store_twice_do_not_agree() -> None:
    execution = execute("y(i) = x(i) + x(i)", {"x": np.array([1.5])}, out="compressed(nonunique)")
    with pytest.raises(DisagreementError, match=r"C: \(0,\) is stored more than once"):
        agree(execution, twice())


@pytest.mark.parametrize("engine", ["reference", "c"])
def test_arrays_that_break_an_invariant_are_a_disagreement(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = gn.tensor([[0]], [3.0], (1,), "SparseVector")
    given_by(dataclasses.replace(right, shape=(0,)), monkeypatch, engine)
    with pytest.raises(DisagreementError, match=r"reference: |C: "):
        check("y(i) = x(i) + x(i)", {"x": np.array([1.5])}, out="SparseVector", engines=("c",))


@pytest.mark.parametrize("error", [ScheduleError, MeaningError, CompileError, StorageError])
def test_c_may_not_refuse_what_the_reference_ran(error: type[GnomonError], monkeypatch: pytest.MonkeyPatch) -> None:
    from gnomon.properties.differential import check as module

    def refuses(*_: object, **__: object) -> None:
        raise error("a bound does not hold")

    monkeypatch.setattr(module, "kernel_for", refuses)
    with pytest.raises(DisagreementError, match="C refuses what the reference runs: a bound does not hold"):
        check("y(i) = x(i)", {"x": np.array([1.5])})


@pytest.mark.parametrize("error", [InternalError("no loop gives i"), IndexError("out of range"), KeyError("i")])
@pytest.mark.parametrize(("engine", "function"), [("reference", "execute_prepared"), ("C", "kernel_for")])
def test_an_engine_that_breaks_down_disagrees(
    engine: str, function: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gnomon.properties.differential import check as module

    def breaks(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(module, function, breaks)
    with pytest.raises(DisagreementError, match=f"{engine} breaks down: {type(error).__name__}") as found:
        check("y(i) = x(i)", {"x": np.array([1.5])}, schedule="split(i,u,v,2)")
    assert "schedule='split(i,u,v,2)'" in str(found.value)


def test_what_c_does_not_support_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    from gnomon.properties.differential import check as module

    def refuses(*_: object, **__: object) -> None:
        raise Unsupported("too many operands")

    monkeypatch.setattr(module, "kernel_for", refuses)
    assert check("y(i) = x(i)", {"x": np.array([1.5])}).refused == "too many operands"


def test_sums_count_for_the_size_of_a_check() -> None:
    report = check("a = x(i) * y(i)", {"x": np.ones(1000), "y": np.ones(1000)}, engines=())
    assert report.seed is None
    wide = gn.tensor([[7, 999], [0, 1000]], [1.0, 2.0], (1000, 1001), "CSR")
    assert check("y(i) = A(i,j)", {"A": wide}, engines=()).seed == 0


def test_few_points_are_all_compared_and_none_is_counted_twice() -> None:
    tall = gn.tensor([[0, 10**9 - 1], [0, 1]], [1.0, 2.0], (10**9, 5), "DCSR")
    few = gn.check("y(j) = A(i,j)", A=tall)
    assert (few.checked, few.points, few.seed) == (5, 5, None)
    rows = gn.tensor([[0, 1], [0, 10**9 - 1]], [1.0, 2.0], (60, 10**9), "DCSR")
    some = gn.check("y(i) = A(i,j)", A=rows)
    assert 25 < some.checked <= some.points == 60 and some.seed == 0


def test_large_results_are_sampled_and_say_so() -> None:
    x = gn.tensor([[1, 3, 1000]], [1.0, 2.0, 3.0], (1001,), "SparseVector")
    report = gn.check("C(i,j) = x(i) * y(j)", x=x, y=x, out="DCSR")
    assert report.seed is not None
    assert report.points == 1001 * 1001
    assert 0 < report.checked < report.points


@given(
    programs(replace(PLAIN, literals=False)),
    st.sampled_from([0, 1, -1, float("inf")]),
    st.sampled_from([None, "float32", "complex128"]),
)
@settings(max_examples=settings().max_examples // 2)
def test_fills_and_dtypes_of_results(drawn: Problem, fill: float, dtype: str | None) -> None:
    out = gn.spec(drawn.out, fill=fill, dtype=dtype)
    if not fill_fits(fill, np.dtype(dtype or drawn.dtype)):
        with pytest.raises(DtypeError):
            check(drawn.source, drawn.operands, out=out, convert="auto", engines=())
        return
    check(drawn.source, drawn.operands, out=out, convert="auto", engines=()).execution.result.validate()


def test_cells_that_complete_nothing_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    a = gn.tensor([[0, 1], [0, 1]], [1.0, 2.0], (3, 3), "CSR")
    wide = gn.tensor([[0, 1, 0], [0, 1, 2]], [2.0, 4.0, 0.0], (3, 3), "Banded")

    given_by(wide, monkeypatch, "c")
    with pytest.raises(DisagreementError, match=r"C: \(0, 1\) is stored but completes no fiber of Banded"):
        gn.check("C(i,j) = A(i,j) * 2", A=a, out="Banded")
