"""Slices: what decides how far counters grow, in code that does more."""

from typing import Any

import pytest
from gnomon.properties.proofs.c.c_facts import Knowledge
from gnomon.properties.proofs.c.c_memory import Array, Constant, Contents, Stored, Unset
from gnomon.properties.proofs.c.c_slices import append_counters, counter_variables, goes_on, growth, slice_loop
from gnomon.properties.proofs.c.c_tree import parse
from gnomon.properties.proofs.solver import z3

MERGE = "while (pA < endA && pB < endB) {{ {a} if (A[pA] == B[pB]) {{ {b} p++; pA++; pB++; }} else {{ pA++; {c} }} }}"


def body(text: str) -> Any:
    return parse(f"int f(void) {{ {text} }}").functions["f"].body


def test_what_is_stored_and_what_may_fail_is_left_out() -> None:
    plain = slice_loop(body(MERGE.format(a="", b="", c="")), "p")
    more = slice_loop(body(MERGE.format(a="if (status != GN_OK) { goto done; }", b="C[p] = 1;", c="x += 1.0;")), "p")
    assert plain == more


@pytest.mark.parametrize("part", ["abc"])
@pytest.mark.parametrize("change", ["p++;", "pA++;", "endA = 3;", "A[pA] = 1;"])
def test_what_decides_is_not(part: str, change: str) -> None:
    plain = slice_loop(body(MERGE.format(a="", b="", c="")), "p")
    for each in part:
        assert slice_loop(body(MERGE.format(**dict.fromkeys("abc", "") | {each: change})), "p") != plain


def test_a_counter_is_an_input_only_where_its_beginning_matters() -> None:
    loop = "for (int64_t i = 0; i < n; i++) {{ {} p++; }}"
    marked = slice_loop(body(loop.format("const int64_t begin = p; if (begin < p) { p++; }")), "p")
    used = slice_loop(body(loop.format("if (x[p] > 0) { p++; }")), "p")
    assert marked is not None and "p" not in marked.inputs
    assert used is not None and "p" in used.inputs


def test_two_variables_of_one_loop_have_slices_of_their_own() -> None:
    code = body("while (a < b) { if (x[a] < y) { a++; } else { b = z; } }")
    assert slice_loop(code, "a") != slice_loop(code, "b")


def test_nothing_is_left_of_code_that_does_not_count() -> None:
    assert slice_loop(body("x[3] = y;"), "p") is None


def test_counters_only_go_up() -> None:
    code = body("{ p++; q++; q = 3; r += 1; x[p] = 1; x[q] = 2; }")
    assert counter_variables(code) == {"p"} and append_counters(code) == {"p"}


@pytest.mark.parametrize(
    ("text", "only"),
    [
        ("gn_push(&list, 1, 2, &status);", True),
        ("capacity = gn_capacity(c, p, 1, limit, &status);", False),
        ("status = GN_OVERFLOW;", False),
        ("x = gn_quotient_int64(a, b, &status);", True),
    ],
)
def test_failures_that_change_no_count(text: str, only: bool) -> None:
    assert goes_on(body(text)) is only


def test_only_what_is_not_set_is_counted_alike_in_two_arrays() -> None:
    loop = slice_loop(body("for (int64_t i = 0; i < n; i++) { if (x[i] > 0) { p++; } }"), "p")
    assert loop is not None
    know = Knowledge()
    unset, other = (Unset(know.unknown("x").at) for _ in range(2))
    known, new = know.unknown("x"), know.unknown("x")

    def grown(contents: Contents) -> Any:
        return growth(loop, {"n": z3.Int("n"), "x": Array(z3.Int("length"), contents, "int64_t")})

    assert grown(unset).eq(grown(other)) and not grown(known).eq(grown(new))
    assert not any(grown(each).eq(grown(unset)) for each in (known, Constant(0)))
    assert grown(Stored(unset, z3.IntVal(0), z3.IntVal(1))) is None
