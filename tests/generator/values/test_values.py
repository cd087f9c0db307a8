"""Every operator in every dtype that it accepts: C computes what the reference computes."""

from collections.abc import Sequence
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from depth import ALL
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.generator.values.values import constant
from gnomon.properties.differential.batch import STRICT, build_library, cases, check_case, generate_case, run
from gnomon.properties.programs.problem import Problem
from gnomon.reference.algebra.dtypes import DTYPES
from gnomon.reference.algebra.operators import DECLARED, OPERATORS
from gnomon.reference.errors import GnomonError, MeaningError
from gnomon.reference.storage.format import Format
from texts import c_text

SAMPLES = {
    "b": [False, True, True, False, True],
    "i": [0, 1, -3, 2, 7],
    "u": [0, 1, 3, 2, 7],
    "f": [0.0, 1.5, -2.5, 0.25, 3.0, 1.0],
    "c": [0j, 1 + 2j, -2.5 + 0.5j, 0.25j, 3 + 0j, 1 + 0j],
}
STEP = 1 if ALL else 3
SPECIAL = [np.inf, -np.inf, np.nan, -0.0, 1e30]


def vector(values: list[object], dtype: np.dtype) -> gn.Tensor:
    return gn.tensor([np.arange(len(values))], np.array(values, dtype), (len(values),), "Dense")


def column(values: list[object], dtype: np.dtype) -> gn.Tensor:
    rows = np.arange(len(values))
    return gn.tensor([rows, 0 * rows], np.array(values, dtype), (len(values), 1), "dense,dense")


def drawn(name: str, dtype: np.dtype) -> Problem:
    first = SAMPLES[dtype.kind]
    second = first[1:] + first[1:2]
    if dtype.kind == "f":
        first = [*first, *SPECIAL]
        second = [*second, 1.0, 2.0, 1.0, 3.0, -1.0]
        first = [*first, 1.0, -1.0, 0.0, 2.0, np.inf, 1.0]
        second = [*second, np.inf, np.inf, -np.inf, -np.inf, 0.0, np.nan]
    operator = OPERATORS[name]
    a, b = vector(first, dtype), vector(second, dtype)
    symbol = {"add": "a(i) + b(i)", "sub": "a(i) - b(i)", "mul": "a(i) * b(i)", "div": "a(i) / b(i)", "neg": "-a(i)"}
    call = f"{name}(a(i), b(i))" if operator.arity == 2 else f"{name}(a(i))"
    expression = f"y(i) = {symbol.get(name, call)}"
    operands = {"a": a, "b": b} if operator.arity == 2 else {"a": a}
    return Problem(expression, operands, Format(["dense"]))


def by_turns(n: int, count: int = 4) -> Sequence[np.dtype]:
    """All dtypes where tests are thorough; by default every `count`-th of them, beginning with the `n`-th."""
    return DTYPES if ALL else DTYPES[n % count :: count]


@pytest.mark.parametrize("part", range(2))
def test_operators(part: int, tmp_path: Path) -> None:
    names = sorted(OPERATORS)[part::2]
    every = list(cases([drawn(name, dtype) for n, name in enumerate(names) for dtype in by_turns(n)], []))
    assert len(every) > (5 if ALL else 1) * len(names)
    library = build_library(every, tmp_path, chosen_compiler())
    for case in every:
        check_case(case, library)


def spellings(name: str) -> list[str]:
    """Calls of an operator with arguments of which a compiler may know something."""
    if OPERATORS[name].arity == 1:
        return [f"{name}({e})" for e in ("a(i) * b(i)", "a(i) + 1", "not(a(i))", "lt(a(i), b(i))")]
    pairs = ("a(i), a(i)", "a(i), 0", "0, a(i)", "2, not(a(i))", "a(i) * b(i), xor(a(i), a(i))", "eq(a(i), 1), 0")
    return [{"add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "div": "{} / {}"}.get(name, f"{name}({{}}, {{}})")
            .format(*pair.split(", ", 1)) for pair in pairs]  # fmt: skip


@pytest.mark.every(3)
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "uint64", "float32", "complex64"])
def test_operators_compile_without_warnings(dtype: str, tmp_path: Path) -> None:
    a, b = (vector(SAMPLES[np.dtype(dtype).kind], np.dtype(dtype)) for _ in range(2))
    every, named = [], enumerate(sorted(OPERATORS))
    called = [value for n, name in named for value in spellings(name)[n % STEP :: STEP]]
    for number, value in enumerate(called):
        operands = {"a": a, "b": b} if "b(" in value else {"a": a}
        try:
            every.append(generate_case(Problem(f"y(i) = {value}", operands, Format(["dense"])), f"k{number}_"))
        except GnomonError:
            continue
    assert len(every) > 60 / STEP
    build_library(every, tmp_path, chosen_compiler(), STRICT)


def test_reductions(tmp_path: Path) -> None:
    names = [OPERATORS[sign].reduction for sign in ("add", "mul", "min", "max", "or", "and", "xor")]
    asked = [(name, dtype) for n, name in enumerate(names) for dtype in by_turns(n, 2)]
    vectors = {dtype: vector(SAMPLES[dtype.kind][1:], dtype) for dtype in DTYPES}
    every = list(
        cases([Problem(f"y = {name}(i, a(i))", {"a": vectors[dtype]}, Format([])) for name, dtype in asked], [])
    )
    assert {case.problem.source for case in every} == {f"y = {name}(i, a(i))" for name in names}
    library = build_library(every, tmp_path, chosen_compiler())
    for case in every:
        check_case(case, library)


UNBOUNDED = [np.inf, -np.inf, np.nan, 2.0, 0.0]
EXTREMES = {
    "b": [False, True], "i": [-3, 0, 7], "u": [0, 7], "f": UNBOUNDED,
    "c": [complex(re, im) for re in UNBOUNDED for im in UNBOUNDED],
}  # fmt: skip


def test_a_reduction_of_one_value_is_that_value(tmp_path: Path) -> None:
    """The identity with which C begins leaves every value as it is, each part of an infinite complex number too."""
    folds = {f"y(i) = {operator.reduction}(j, a(i,j))": operator for operator in DECLARED if operator.reduction}
    columns = {dtype: column(EXTREMES[dtype.kind], dtype) for dtype in DTYPES}
    asked = [(text, columns[dtype]) for n, text in enumerate(folds) for dtype in by_turns(n, 2)]
    every = list(cases([Problem(text, {"a": a}, Format(["dense"])) for text, a in asked], []))
    assert len(every) > (7 if ALL else 3) * len(folds)
    library = build_library(every, tmp_path, chosen_compiler())
    for case in every:
        dtype, values = case.ready.resolved.dtype, case.ready.operands["a"].vals.tolist()
        expected = np.array([folds[case.problem.source].first(v, dtype) for v in values], dtype)
        for got in (case.problem.execution.result.vals, run(case, library).vals):
            np.testing.assert_array_equal(got.real, expected.real, case.problem.source)
            np.testing.assert_array_equal(got.imag, expected.imag, case.problem.source)


@pytest.mark.parametrize(
    "schedule",
    ["parallelize(i,CPUThread,ParallelReduction)", "split(i,i0,i1,8),parallelize(i1,CPUVector,ParallelReduction)"],
)
def test_no_part_of_a_product_is_lost_to_the_identity(schedule: str) -> None:
    """What threads and lanes begin with is no factor."""
    got = gn.evaluate("y = prod(i, a(i))", a=np.array([complex(2, -np.inf)]), engine="c", schedule=schedule).vals[0]
    assert (got.real, got.imag) == (2, -np.inf)


@pytest.mark.parametrize("function", ["floordiv", "mod"])
def test_integer_division_by_zero_is_an_error(function: str, tmp_path: Path) -> None:
    kernel = gn.compile(
        f"y(i) = {function}(a(i), b(i))", a=gn.spec("Dense", dtype="int64"), b=gn.spec("Dense", dtype="int64")
    )
    assert kernel(a=np.array([7, -7]), b=np.array([2, 2])).to_numpy().tolist() == (
        [3, -4] if function == "floordiv" else [1, 1]
    )
    with pytest.raises(MeaningError, match="division by zero"):
        kernel(a=np.array([1, 2]), b=np.array([1, 0]))


@pytest.mark.parametrize(
    ("value", "dtype", "text"),
    [
        (1, "float64", "1.0"), (-np.inf, "float32", "-INFINITY"), (np.nan, "float64", "NAN"), (3, "int8", "3"),
        (-(2**63), "int64", "INT64_MIN"), (2**63, "uint64", "UINT64_C(9223372036854775808)"), (1, "bool", "true"),
        (1 + 2j, "complex128", "CMPLX(1.0, 2.0)"), (2**40, "int64", "INT64_C(1099511627776)"),
        (3, "int64", "INT64_C(3)"), (3, "uint32", "UINT32_C(3)"), (-(2**31), "int32", "INT32_MIN"),
    ],
)  # fmt: skip
def test_constants(value: complex, dtype: str, text: str) -> None:
    assert constant(value, np.dtype(dtype)).template == text


def test_results_are_converted_to_the_dtype_asked_for() -> None:
    kernel = gn.compile("y(i) = a(i) * 2", out=gn.spec("Dense", dtype="float32"))
    assert kernel(a=[1.5]).dtype == np.float32


TYPED = (
    "100000 * 100000 * A(i)", "(2147483647 + 1) * A(i)", "square(100000) * A(i)", "-(-2147483648) * A(i)",
    "pair(A(i), A(i)) / (pair(A(i), A(i)) + pair(A(i), A(i)))", "A(i) * floordiv(-7, 2) + mod(-7, 2)",
    "pair(A(i), A(i)) * 2147483647 + pair(A(i), A(i)) * 2147483647", "A(i) * (1 / 3) + lt(2, 1 / 3) * A(i)",
    "A(i) + (abs(-2147483648) + 2147483647 * 2)", "A(i) * sign(2147483647 + 2147483647)",
)  # fmt: skip


@pytest.mark.parametrize("overflow", ["check", "ignore"])
def test_constants_have_the_dtype_of_the_statement(overflow: str, tmp_path: Path) -> None:
    problems = [
        Problem(f"y(i) = {value}", {"A": vector(SAMPLES[np.dtype(dtype).kind][1:], np.dtype(dtype))}, Format(["dense"]))
        for value in (TYPED if ALL else TYPED[overflow == "check" :: 2])
        for dtype in ("int64", "float32", "float64", "complex64", "complex128")
        if not (dtype.startswith("complex") and "mod" in value)
    ]
    every = list(cases(problems, [], overflow=overflow))
    assert len(every) > (40 if ALL else 20)
    library = build_library(every, tmp_path, chosen_compiler(), STRICT)
    for case in every:
        check_case(case, library)


OVERFLOWS = (
    "a(i) + b(i)", "a(i) - c(i)", "a(i) * b(i)", "-a(i) - b(i)", "square(a(i))", "abs(c(i))", "-c(i)",
    "b(i) * a(i) - a(i)", "floordiv(c(i), -1)", "sum(i, a(i))", "prod(i, b(i))", "sum(i, a(i) * b(i))", "a(i) * 2",
    "lt(a(i) + a(i), b(i))",
)  # fmt: skip


def test_integers_that_overflow_are_reported_as_the_reference_does(tmp_path: Path) -> None:
    """Each of them overflows in some dtype, and in some it does not."""
    problems: list[Problem] = []
    for n, dtype in enumerate(d for d in DTYPES if d.kind in "iu"):
        info = np.iinfo(dtype)
        held = {"a": [info.max, 1], "b": [2, 2], "c": [info.min, 3]}
        operands = {name: vector(values, dtype) for name, values in held.items()}
        for value in OVERFLOWS if ALL else OVERFLOWS[n % 2 :: 2]:
            used = {name: t for name, t in operands.items() if f"{name}(i)" in value}
            target, format = ("y", "") if "(i," in value else ("y(i)", "dense")
            problems.append(Problem(f"{target} = {value}", used, Format([format] if format else [])))
    meant = [p for p in problems if not (p.source.endswith("-1)") and p.operands["c"].dtype.kind == "u")]
    every = [generate_case(problem, f"k{n}_") for n, problem in enumerate(meant)]
    library = build_library(every, tmp_path, chosen_compiler(), STRICT)
    reported = {True: 0, False: 0}
    for case in every:
        try:
            expected = gn.evaluate(case.problem.source, out=case.problem.out, **case.problem.operands).to_numpy()
        except MeaningError:
            with pytest.raises(MeaningError, match="integer overflow"):
                run(case, library)
            reported[True] += 1
        else:
            assert run(case, library).to_numpy().tolist() == expected.tolist(), case.problem.source
            reported[False] += 1
    assert min(reported.values()) > (15 if ALL else 7), reported


@pytest.mark.parametrize(("of", "to"), [("int64", "int8"), ("uint64", "uint16"), ("uint64", "int32")])
def test_integers_that_a_result_cannot_hold_are_reported(of: str, to: str) -> None:
    kernel = gn.compile("y(i) = a(i)", a=gn.spec("Dense", dtype=of), out=gn.spec("Dense", dtype=to))
    limits = np.iinfo(to)
    least = max(limits.min, np.iinfo(of).min)
    assert kernel(a=np.array([least, limits.max], of)).to_numpy().tolist() == [least, limits.max]
    for beyond in {least - (least < 0), limits.max + 1} - {least}:
        with pytest.raises(MeaningError, match="integer overflow"):
            kernel(a=np.array([beyond], of))


def test_what_overflows_is_not_looked_for_where_nobody_asks() -> None:
    operands = {"a": gn.spec("Dense", dtype="int64")}
    assert "status" in c_text("y(i) = a(i) * a(i)", **operands)
    assert "status" not in c_text("y(i) = a(i) * a(i)", overflow="ignore", **operands)
    assert "status" not in c_text("y(i) = a(i) * a(i)")
    with pytest.raises(GnomonError, match="overflow='wrap' is not known"):
        gn.compile("y(i) = a(i) * a(i)", overflow="wrap")


FILLS = [
    ("lt(A(i) * A(i), B(i))", "int8", 127, "int8"), ("lt(-A(i), B(i))", "uint8", 3, "uint8"),
    ("max(A(i) * A(i), B(i))", "int8", 12, "int8"), ("eq(A(i) + A(i) - A(i), B(i))", "int8", 100, "int8"),
    ("lt(B(i), -A(i))", "uint32", 3, "uint32"), ("lt(-A(i), B(i))", "uint8", 3, "uint16"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "dtype", "fill", "other"), FILLS)
def test_fills_are_exact_where_their_dtype_does_not_hold_them(value: str, dtype: str, fill: int, other: str) -> None:
    A = gn.tensor([np.zeros(0, np.int64)], np.zeros(0, dtype), (2,), "s", fill=fill)
    try:
        report = gn.check(f"y(i) = {value}", A=A, B=np.array([100, 101], other))
    except MeaningError:
        assert value.startswith("max")
    else:
        assert report.engines == ("reference", "c")


def test_fills_that_no_dtype_holds_overflow_where_they_are_computed_with() -> None:
    held, none = np.array([3, 3], np.uint64), np.zeros(0, np.int64)
    missing = gn.tensor([none], np.zeros(0, np.uint64), (2,), "s", fill=3)
    present = gn.tensor([np.arange(2)], np.zeros(2, np.uint64), (2,), "s", fill=3)
    for engine in ("reference", "c"):
        with pytest.raises(MeaningError, match="integer overflow"):
            gn.evaluate("y(i) = lt(-A(i), B(i))", A=missing, B=held, engine=engine)
        got = gn.evaluate("y(i) = lt(-A(i), B(i))", A=present, B=held, engine=engine)
        assert got.to_numpy().tolist() == [True, True]


@pytest.mark.parametrize("schedule", [None, "precompute(A(i)*A(i),{i},{i},w)"])
@pytest.mark.parametrize("engine", ["reference", "c"])
def test_a_fill_that_does_not_fit_is_reported_where_a_component_takes_it(engine: str, schedule: str | None) -> None:
    """Here 2^80, which no workspace can hold."""

    def squares(stored: list[int], extent: int) -> object:
        held = gn.tensor([stored], np.ones(len(stored), np.int64), (extent,), "SparseVector", fill=2**40)
        return gn.evaluate("y(i) = A(i) * A(i)", A=held, engine=engine, schedule=schedule).to_numpy().tolist()

    assert (squares([0, 1, 2], 3), squares([], 0)) == ([1, 1, 1], [])
    with pytest.raises(MeaningError, match="integer overflow"):
        squares([0, 2], 3)


@pytest.mark.parametrize("engine", ["reference", "c"])
def test_a_fold_of_fills_that_does_not_fit_is_reported_where_it_is_taken(engine: str) -> None:
    """The loops go over rows, so that products over columns are in a workspace, which absent they would overflow."""

    def products(rows: list[int], columns: list[int], extent: int) -> object:
        held = gn.tensor([rows, columns], np.ones(len(rows), np.int64), (2, extent), "DCSR", fill=2**62)
        return gn.evaluate("y(j) = prod(i, A(i,j))", A=held, engine=engine).to_numpy().tolist()

    assert (products([], [], 0), products([0, 1], [0, 0], 1)) == ([], [1])
    with pytest.raises(MeaningError, match="integer overflow"):
        products([0, 1], [0, 0], 2)


@pytest.mark.usefixtures("kernels_as_they_ship")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_power_of_minus_infinity_by_a_half_is_infinite(dtype: str) -> None:
    """GCC takes square roots for powers of 0.5 in loops on lanes, and has none of -inf."""
    kernel = gn.compile("y(i) = pow(x(i), 0.5)", x=gn.spec("Dense", dtype=dtype), schedule=None)
    found = kernel(x=np.array([-np.inf, 4, np.inf, 9, -np.inf, 0, -4, 1], dtype)).to_numpy()
    np.testing.assert_array_equal(found, [np.inf, 2, np.inf, 3, np.inf, 0, np.nan, 1])


@pytest.mark.usefixtures("kernels_as_they_ship")
@pytest.mark.parametrize("schedule", [None, "parallelize(i,CPUVector,NoRaces)"])
@pytest.mark.parametrize(
    "value",
    [
        "or(a(i), floordiv(b(i), b(i)))", "and(b(i), b(i) * 100)", "or(1, b(i) * 100)", "and(0, floordiv(b(i), b(i)))",
        "first(a(i), floordiv(b(i), b(i)))", "second(b(i) * 100, a(i))", "pair(b(i) * 100, floordiv(b(i), b(i)))",
        "any(b(i), b(i) * 100)", "or(or(a(i), a(i)), or(floordiv(b(i), b(i)), a(i)))",
        "first(a(i), or(a(i), floordiv(b(i), b(i))))", "min(a(i), first(2.0, b(i) * 100))",
    ],
)  # fmt: skip
def test_operands_that_decide_nothing_are_reported_too(value: str, schedule: str | None) -> None:
    """C leaves out the right operand where the left one decides, and an operand that is not chosen."""
    operands = {"a": np.array([1.0, 0.0, 2.0]), "b": np.array([0, 3, 2], "int8")}
    for text in (f"y(i) = {value}", f"y(i)<{value}> = a(i)", f"s = sum(i, {value})"):
        given = {name: operand for name, operand in operands.items() if f"{name}(" in text}
        with pytest.raises(MeaningError, match=r"overflow|division"):
            gn.evaluate(text, **given)
        kernel = gn.compile(text, schedule=None if text.startswith("s") else schedule, **given)
        with pytest.raises(MeaningError, match=r"overflow|division"):
            kernel(**given)


def test_what_a_reduction_leaves_out_is_reported_too() -> None:
    b = np.array([3, 0], "int8")
    for fold in ("or", "and", "min", "max"):
        for engine in ("reference", "c"):
            with pytest.raises(MeaningError, match="division"):
                gn.evaluate(f"s = {fold}(i, floordiv(b(i), b(i)))", b=b, engine=engine)
