"""Long reductions: terms go to several variables in turn, each once, and other loops stay as they are."""

import re
import subprocess
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from depth import ALL
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
from msgspec.structs import replace
from texts import c_text

T, P, X = Name("t"), Name("p"), Name("x")
ZERO, ONE = Spelled("-0.0"), Spelled("1.0")
TERM = Assign(T, Element(X, P), "+=", ZERO)
LARGEST = Assign(T, Spelled("fmax({0}, {1})", (T, Element(X, P))), start=Spelled("-INFINITY"))


def changed(*body: ir.Stmt, type: str = "double", **loop: object) -> Code:
    """What a loop over some statements becomes after the declaration of a variable."""
    whole = For("p", ir.ZERO, Name("n"), body, **loop)
    return reduce_apart(Function("void", "f", (("int64_t", "n"),), (Declare(type, "t"), whole))).body[1:]


def is_left(code: Code) -> bool:
    return len(code) == 1 and isinstance(code[0], For)


@pytest.mark.parametrize("taking", [TERM, Assign(T, Element(X, P), "*=", ONE), LARGEST])
def test_terms_go_apart_where_their_order_is_free(taking: Assign) -> None:
    assert not is_left(changed(taking, Assign(Name("t_present"), ir.TRUE)))
    assert is_left(changed(replace(taking, start=None)))


def test_each_term_of_a_round_goes_to_a_variable_of_its_own() -> None:
    long = changed(TERM)[1]
    assert isinstance(long, ir.If)
    assert long.then[0] == Declare("double", "t_2", ZERO)
    rounds = next(s for s in long.then if isinstance(s, For))
    assert (rounds.end, rounds.step) == (ir.sub(Name("n"), Int(SEVERAL - 1)), Int(SEVERAL))
    assert [s.target for s in rounds.body if isinstance(s, Assign)] == [T, Name("t_2"), Name("t_3"), Name("t_4")]


@pytest.mark.parametrize(
    "code",
    [
        changed(TERM, step=Int(2)),
        changed(TERM, pragma="omp simd"),
        changed(TERM, unroll=4),
        changed(Assign(T, Element(X, P))),
        changed(Assign(Element(X, P), T, "+=", ZERO)),
        changed(Assign(Name("s"), Element(X, P), "+=", ZERO)),
        changed(Assign(T, ir.Binary("*", T, Element(X, P)), "+=", ZERO)),
        changed(Assign(T, Spelled("fmax({0}, {1})", (T, ir.sub(Element(X, P), T))), start=ZERO)),
        changed(Assign(T, Spelled("fmax({0}, {1})", (Element(X, P), T)), start=ZERO)),
        changed(TERM, TERM),
        changed(TERM, Assign(Name("s"), ir.ZERO)),
        changed(Assign(T, ir.Choice(Name("b"), Element(X, P), ir.ZERO), "+=", ZERO), Assign(Name("b"), ir.TRUE)),
        changed(Declare("int64_t", "t", P), TERM),
        changed(Assign(T, ir.Call("rand", ()), "+=", ZERO)),
        changed(Assign(T, Spelled("gn_add_int64({0}, {0}, {1})", (P, ir.STATUS_ADDRESS)), "+=", ZERO)),
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


def test_parts_are_put_together_as_terms_are_taken() -> None:
    long = changed(LARGEST)[1]
    assert isinstance(long, ir.If)
    t, *others = (Name(name) for name in ("t", "t_2", "t_3", "t_4"))
    pairs = [Spelled("fmax({0}, {1})", pair) for pair in ((t, others[0]), (others[1], others[2]))]
    assert long.then[-2] == Assign(T, Spelled("fmax({0}, {1})", tuple(pairs)))


@settings(max_examples=settings().max_examples // (3 if ALL else 6))
@given(st.lists(st.integers(0, 3 * LONG + SEVERAL), max_size=4), st.sampled_from(["float64", "float32"]))
def test_each_term_is_taken_once(lengths: list[int], dtype: str) -> None:
    width = max([*lengths, 1])
    rows = [r for r, length in enumerate(lengths) for _ in range(length)]
    columns = [c for length in lengths for c in range(length)]
    values = np.array([2.0 ** -(c % 5) + r for r, c in zip(rows, columns, strict=True)], dtype)
    a = gn.tensor([rows, columns], values, (len(lengths) + 1, width), "CSR", dtype=dtype)
    x = np.arange(width, dtype=dtype) + 1
    for text in ("y(i) = A(i,j) * x(j)", "y(i) = prod(j, 1 + A(i,j) * x(j) / 100)"):
        assert gn.check(text, schedule=None, A=a, x=x)


@settings(max_examples=settings().max_examples // (2 if ALL else 6))
@given(
    st.lists(st.integers(0, 3 * LONG + SEVERAL), max_size=4),
    st.sampled_from([("min_plus", np.inf), ("max_plus", -np.inf), ("lor_land", 0.0), ("lxor_land", 0.0)]),
    st.sampled_from(["float64", "float32"]),
    st.lists(st.sampled_from([0.0, -0.0, 1.5, -2.0, np.inf, -np.inf, np.nan]), min_size=1),
)
def test_whatever_a_semiring_adds_is_taken_once(
    lengths: list[int], ring: tuple[str, float], dtype: str, drawn: list[float]
) -> None:
    rows, columns = ([r for r, n in enumerate(lengths) for _ in range(n)], [c for n in lengths for c in range(n)])
    width = max([*lengths, 1])
    values = np.resize(np.array(drawn, dtype), len(rows))
    a = gn.tensor([rows, columns], values, (len(lengths) + 1, width), "CSR", dtype=dtype, fill=ring[1])
    x = gn.tensor([range(width)], np.resize(np.array(drawn[::-1], dtype), width), (width,), "Dense", fill=ring[1])
    assert gn.check("y(i) = A(i,j) * x(j)", semiring=ring[0], schedule=None, A=a, x=x)


@pytest.mark.parametrize(
    ("text", "dtype", "second"),
    [
        ("y(i) = A(i,j)", "float32", "float ty_2 = -0.0f;"),
        ("y(i) = prod(j, 1 + A(i,j))", "float64", "double tw_2 = 1.0;"),
        ("y(i) = A(i,j)", "int64", None),
    ],
)
def test_parts_of_floats_begin_with_what_changes_no_term(text: str, dtype: str, second: str | None) -> None:
    declared = re.findall(r"\w+ t\w+_2 = \S+;", c_text(text, schedule=None, A=gn.spec("CSR", dtype=dtype)))
    assert declared == ([] if second is None else [second])
