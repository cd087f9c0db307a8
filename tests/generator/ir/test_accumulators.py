"""Long reductions: terms go to several variables in turn, each once, and other loops stay as they are."""

import subprocess
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.ir import ir
from gnomon.generator.ir.accumulators import LONG, SEVERAL, reduce_apart
from gnomon.generator.ir.ir import Assign, Code, Declare, Element, For, Function, Int, Name, Spelled
from gnomon.generator.kernel_source import generate
from gnomon.generator.runtime.compiler import INCLUDE
from gnomon.generator.runtime.request import make_request
from gnomon.generator.runtime.sources import request_source
from gnomon.properties.differential.batch import STRICT
from hypothesis import given, settings
from hypothesis import strategies as st

T, P, X = Name("t"), Name("p"), Name("x")
TERM = Assign(T, Element(X, P), "+=")


def changed(*body: ir.Stmt, type: str = "double", **loop: object) -> Code:
    """What a loop over some statements becomes after the declaration of a variable."""
    whole = For("p", ir.ZERO, Name("n"), body, **loop)
    return reduce_apart(Function("void", "f", (("int64_t", "n"),), (Declare(type, "t"), whole))).body[1:]


def is_left(code: Code) -> bool:
    return len(code) == 1 and isinstance(code[0], For)


@pytest.mark.parametrize("type", ["double", "float"])
@pytest.mark.parametrize("operator", ["+=", "*="])
def test_terms_of_floats_go_apart(type: str, operator: str) -> None:
    flag = Assign(Name("t_present"), ir.TRUE)
    assert not is_left(changed(Assign(T, Element(X, P), operator), flag, type=type))


def test_each_term_of_a_round_goes_to_a_variable_of_its_own() -> None:
    long = changed(TERM)[1]
    assert isinstance(long, ir.If)
    rounds = next(s for s in long.then if isinstance(s, For)).body
    assert [s.target for s in rounds if isinstance(s, Assign)] == [T, Name("t_2"), Name("t_3"), Name("t_4")]


@pytest.mark.parametrize(
    "code",
    [
        changed(TERM, type="int64_t"),
        changed(TERM, step=Int(2)),
        changed(TERM, pragma="omp simd"),
        changed(TERM, unroll=4),
        changed(Assign(T, Element(X, P), "-=")),
        changed(Assign(T, Element(X, P))),
        changed(Assign(Element(X, P), T, "+=")),
        changed(Assign(T, ir.Binary("*", T, Element(X, P)), "+=")),
        changed(TERM, TERM),
        changed(TERM, Assign(Name("s"), ir.ZERO)),
        changed(Assign(T, ir.Choice(Name("b"), Element(X, P), ir.ZERO), "+="), Assign(Name("b"), ir.TRUE)),
        changed(Declare("int64_t", "t", P), TERM),
        changed(Assign(T, ir.Call("rand", ()), "+=")),
        changed(Assign(T, Spelled("gn_add_int64({0}, {0}, &status)", (P,)), "+=")),
    ],
)
def test_what_does_anything_else_is_left(code: Code) -> None:
    assert is_left(code)


def test_flags_are_set_if_the_loop_runs() -> None:
    flag, runs = Name("t_present"), ir.Binary("||", Name("t_present"), ir.Binary("<", ir.ZERO, Name("n")))
    assert changed(Assign(flag, ir.TRUE)) == (Assign(flag, runs),)
    assert Assign(flag, runs) in changed(TERM, Assign(flag, ir.TRUE))


@pytest.mark.parametrize("end", [Int(LONG - 1), ir.Call("gn_min_int64", (Name("n"), Int(3)))])
def test_short_loops_are_left(end: ir.Expr) -> None:
    code = (Declare("double", "t"), For("p", ir.ZERO, end, (TERM,)))
    assert reduce_apart(Function("void", "f", (), code)).body == code


def test_no_variable_hides_another(tmp_path: Path) -> None:
    request = make_request("y_2(i) = A(i,pA2_next) * ty_2(pA2_next) + B(i,j) * pA2_end(j)", {"A": "CSR", "B": "CSR"})
    path = tmp_path / "kernel.c"
    path.write_text(generate(request_source(request, request.resolve_without_shapes())))
    command = ["gcc", *STRICT, f"-I{INCLUDE}", "-c", str(path), "-o", str(tmp_path / "kernel.o")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert path.read_text().count(" += 4) {") >= 2


@pytest.mark.parametrize(("operator", "start"), [("+=", "-0.0"), ("*=", "1.0")])
def test_variables_begin_with_what_changes_no_term(operator: str, start: str) -> None:
    long = changed(Assign(T, Element(X, P), operator))[1]
    assert isinstance(long, ir.If) and long.then[0] == Declare("double", "t_2", Spelled(start))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 3 * LONG + SEVERAL), max_size=6), st.sampled_from(["float64", "float32"]))
def test_each_term_is_taken_once(lengths: list[int], dtype: str) -> None:
    width = max([*lengths, 1])
    rows = [r for r, length in enumerate(lengths) for _ in range(length)]
    columns = [c for length in lengths for c in range(length)]
    values = np.array([2.0 ** -(c % 5) + r for r, c in zip(rows, columns, strict=True)], dtype)
    a = gn.tensor([rows, columns], values, (len(lengths) + 1, width), "CSR", dtype=dtype)
    x = np.arange(width, dtype=dtype) + 1
    for text in ("y(i) = A(i,j) * x(j)", "y(i) = prod(j, 1 + A(i,j) * x(j) / 100)"):
        assert gn.check(text, schedule=None, A=a, x=x)
