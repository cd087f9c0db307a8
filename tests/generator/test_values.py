"""Every operator in every dtype that it accepts: C computes what the reference computes."""

from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.request import chosen
from gnomon.generator.values import constant
from gnomon.properties.batch import STRICT, built, cases, check_case, generated
from gnomon.properties.problem import Problem
from gnomon.reference.errors import GnomonError, MeaningError
from gnomon.reference.format import Format
from gnomon.reference.operators import OPERATORS
from gnomon.reference.types import DTYPES

SAMPLES = {
    "b": [False, True, True, False, True],
    "i": [0, 1, -3, 2, 7],
    "u": [0, 1, 3, 2, 7],
    "f": [0.0, 1.5, -2.5, 0.25, 3.0],
    "c": [0j, 1 + 2j, -2.5 + 0.5j, 0.25j, 3 + 0j],
}
SPECIAL = [np.inf, -np.inf, np.nan, -0.0, 1e30]


def vector(values: list[object], dtype: np.dtype) -> gn.Tensor:
    return gn.tensor([np.arange(len(values))], np.array(values, dtype), (len(values),), "Dense")


def drawn(name: str, dtype: np.dtype) -> Problem:
    first = SAMPLES[dtype.kind]
    second = first[1:] + first[1:2]
    if dtype.kind == "f":
        first = [*first, *SPECIAL]
        second = [*second, 1.0, 2.0, 1.0, 3.0, -1.0]
        first, second = [*first, 1.0, -1.0, 0.0, 2.0, np.inf], [*second, np.inf, np.inf, -np.inf, -np.inf, 0.0]
    operator = OPERATORS[name]
    a, b = vector(first, dtype), vector(second, dtype)
    symbol = {"add": "a(i) + b(i)", "sub": "a(i) - b(i)", "mul": "a(i) * b(i)", "div": "a(i) / b(i)", "neg": "-a(i)"}
    call = f"{name}(a(i), b(i))" if operator.arity == 2 else f"{name}(a(i))"
    expression = f"y(i) = {symbol.get(name, call)}"
    operands = {"a": a, "b": b} if operator.arity == 2 else {"a": a}
    return Problem(expression, operands, Format(["dense"]))


@pytest.mark.parametrize("part", range(4))
def test_operators(part: int, tmp_path: Path) -> None:
    names = sorted(OPERATORS)[part::4]
    every = list(cases([drawn(name, dtype) for name in names for dtype in DTYPES], []))
    assert len(every) > 5 * len(names)
    library = built(every, tmp_path, chosen())
    for case in every:
        check_case(case, library)


def spellings(name: str) -> list[str]:
    """Calls of an operator with arguments of which a compiler may know something."""
    if OPERATORS[name].arity == 1:
        return [f"{name}({e})" for e in ("a(i) * b(i)", "a(i) + 1", "not(a(i))", "lt(a(i), b(i))")]
    pairs = ("a(i), a(i)", "a(i), 0", "0, a(i)", "2, not(a(i))", "a(i) * b(i), xor(a(i), a(i))", "eq(a(i), 1), 0")
    return [{"add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "div": "{} / {}"}.get(name, f"{name}({{}}, {{}})")
            .format(*pair.split(", ", 1)) for pair in pairs]  # fmt: skip


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "uint64", "float32", "complex64"])
def test_operators_compile_without_warnings(dtype: str, tmp_path: Path) -> None:
    a, b = (vector(SAMPLES[np.dtype(dtype).kind], np.dtype(dtype)) for _ in range(2))
    every = []
    for number, value in enumerate(e for name in sorted(OPERATORS) for e in spellings(name)):
        operands = {"a": a, "b": b} if "b(" in value else {"a": a}
        try:
            every.append(generated(Problem(f"y(i) = {value}", operands, Format(["dense"])), f"k{number}_"))
        except GnomonError:
            continue
    assert len(every) > 60
    built(every, tmp_path, chosen(), STRICT)


@pytest.mark.parametrize("sign", ["add", "mul", "min", "max", "or", "and", "xor"])
def test_reductions(sign: str, tmp_path: Path) -> None:
    name = OPERATORS[sign].reduction
    made = [
        Problem(f"y = {name}(i, a(i))", {"a": vector(SAMPLES[dtype.kind][1:], dtype)}, Format([])) for dtype in DTYPES
    ]
    every = list(cases(made, []))
    assert every
    library = built(every, tmp_path, chosen())
    for case in every:
        check_case(case, library)


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
    ],
)  # fmt: skip
def test_constants(value: complex, dtype: str, text: str) -> None:
    assert constant(value, np.dtype(dtype)).template == text


def test_results_are_converted_to_the_dtype_asked_for() -> None:
    kernel = gn.compile("y(i) = a(i) * 2", out=gn.spec("Dense", dtype="float32"))
    assert kernel(a=[1.5]).dtype == np.float32
