"""Misspellings: what other languages write is refused with what is written here, and nothing else goes wrong."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.algebra.operators import OPERATORS
from gnomon.reference.errors import ParseError
from gnomon.reference.notation.misspellings import instead, lexemes
from gnomon.reference.notation.parser import parse
from gnomon.reference.notation.printer import pretty
from hypothesis import given
from hypothesis import strategies as st

WORDS = ["y(i)", "x(i)", "A[i,:]", "(", ")", ",", "=", "==", ":=", "+", "-", "*", "**", "^", "/", "//", "%", "<", "<=",
         ">", ">=", "!=", "!", "~", "&", "|", "not ", " and ", " or ", "min(", "k", "2", "é", "·",
         " ", "$"]  # fmt: skip


def hint_of(text: str) -> str | None:
    """The hint with which a text is refused, whose carets lie in it."""
    with pytest.raises(ParseError) as refused:
        parse(text)
    assert refused.value.source == text and refused.value.span is not None
    return refused.value.hint


@pytest.mark.parametrize(
    ("theirs", "own"),
    [
        ("x(i) > 0", "gt(x(i), 0)"),
        ("x(i) < 0", "lt(x(i), 0)"),
        ("x(i) * 2 >= z(i) + 1", "ge(x(i) * 2, z(i) + 1)"),
        ("x(i)<=0", "le(x(i), 0)"),
        ("x(i) == z(i)", "eq(x(i), z(i))"),
        ("x(i) != 0", "ne(x(i), 0)"),
        ("0 < x(i) <= 2", "and(lt(0, x(i)), le(x(i), 2))"),
        ("A(i,j) ** 2", "pow(A(i,j), 2)"),
        ("A(i,j)^2", "pow(A(i,j), 2)"),
        ("-x(i)**2", "pow(x(i), 2)"),
        ("x(i)**-2", "pow(x(i), -2)"),
        ("2^x(i)^z(i)", "pow(2, pow(x(i), z(i)))"),
        ("x(i) % 3 + 1", "mod(x(i), 3)"),
        ("x(i) // 3 * 2", "floordiv(x(i), 3)"),
        ("z(i) * +x(i)", "x(i)"),
        ("x(i) and z(i)", "and(x(i), z(i))"),
        ("x(i) or z(i) and 1", "or(x(i), and(z(i), 1))"),
        ("x(i) > 0 and z(i) > 0", "and(gt(x(i), 0), gt(z(i), 0))"),
        ("not x(i) > 0", "not(gt(x(i), 0))"),
        ("!x(i) && z(i)", "and(not(x(i)), z(i))"),
        ("~x(i) | z(i)", "or(not(x(i)), z(i))"),
        ("A[i,j] + 1", "A(i,j)"),
        ("A[i][j]", "A(i,j)"),
        ("A(i,:) * x(j)", "a variable for each mode, A(i,k)"),
        ("A[:,:]", "a variable for each mode, A(j,k)"),
        ("min(x(i), z(i), 1)", "min(x(i), min(z(i), 1))"),
        ("add(x(i), z(i), 1, c)", "add(x(i), add(z(i), add(1, c)))"),
        ("2 * (x(i) > 0)", "gt(x(i), 0)"),
        ("min(x(i) > 0, z(i))", "gt(x(i), 0)"),
        ("sum(j, A(i,j) > 0)", "gt(A(i,j), 0)"),
    ],
)
def test_signs_of_other_languages_are_functions_here(theirs: str, own: str) -> None:
    assert hint_of(f"y(i) = {theirs}") == f"write {own}"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("y(i) := x(i)", "write ="),
        ("y(i) == x(i)", "write y(i) ="),
        ("y[i] = x(i)", "write y(i)"),
        ("y(i)<x(i) > 0> = z(i)", "write gt(x(i), 0)"),
        ("y(i)<x(i) >= 0> = z(i)", "write ge(x(i), 0)"),
        ("y(i)<x(i) == 0, merge> min= z(i)", "write eq(x(i), 0)"),
        ("y(i)<!x(i) < 0> += z(i)", "write lt(x(i), 0)"),
        ("y(i)<$M(i)>= x(i)^2", "write pow(x(i), 2)"),
        ("y(i) max= x(i)^2", "write pow(x(i), 2)"),
    ],
)
def test_masks_and_assignments_have_hints_too(text: str, hint: str) -> None:
    assert hint_of(text) == hint


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("y(é) = x(é)", "names begin with a letter from a to z, large or small, or with _"),
        ("y(i) = α(i)", "names begin with a letter from a to z, large or small, or with _"),
        ("y(i) = x(i) × z(i)", "write *"),
        ("y(i) = −x(i)", "write -"),
        ("y(i) = A(i,j)^T", "write pow(a, b) for a power, A(j,i) for a transposed matrix"),
        ("y(i) = x(i) > foo(x(i))", "write gt(a, b)"),
        ("y(i) = x(i) > ", "write gt(a, b)"),
        ("y(i) = A[i+1]", "indices stand in parentheses: A(i,j)"),
        ("y(i) = A(0:2)", "write a variable for each mode, such as A(i,j)"),
        ("y(i) = A(i,k) @ B(k,j)", "write a product of operands, such as A(i,k) * B(k,j), which is summed over k"),
        ("y = a = b", "one = assigns; write eq(a, b) to compare"),
        ("y(i) = sub(x(i), 1, 2)", "write sub(a, b)"),
        ("y(i) = abs(x(i), 1)", "write abs(a)"),
        (
            "y(i) = x(i > 0)",
            "write a variable, such as i: indices are not computed; to shift or pick, write P(i,k) * x(k)",
        ),
        ("y(i) = x(i) # 1", None),
    ],
)
def test_what_cannot_be_made_out_of_the_text_is_said_in_general(text: str, hint: str | None) -> None:
    assert hint_of(text) == hint


def test_a_variable_that_a_reduction_would_bind_stands_in_parentheses() -> None:
    assert hint_of("y(k) = k and x(k)") == "write and((k), x(k))"
    assert hint_of("y(k) = min(k, x(k), 1)") == "write min((k), min(x(k), 1))"


def test_hints_mean_what_was_meant() -> None:
    x, z = np.array([-2.0, 0.5, 3.0]), np.array([1.0, 0.0, 2.0])
    for theirs, meant in (
        ("-1 < x(i) < z(i) + 2", (x > -1) & (x < z + 2)),
        ("x(i) ** 2 ** z(i)", x ** (2**z)),
        ("x(i) > 0 or z(i) and not x(i) == 3", (x > 0) | ((z != 0) & (x != 3))),
    ):
        hint = hint_of(f"y(i) = {theirs}")
        assert hint is not None
        found = gn.evaluate(f"y(i) = {hint.removeprefix('write ')}", x=x, z=z)
        assert np.array_equal(found.to_numpy(), meant)


def test_operators_of_ones_own_are_known() -> None:
    hop = gn.operator("hop(a,b) = a + b", identity=0, commutative=True, associative=True)
    with pytest.raises(ParseError) as refused:
        gn.evaluate(gn.text("y(i) = hop(x(i), 1, 2)", operators=[hop]), x=[1.0])
    assert refused.value.hint == "write hop(x(i), hop(1, 2))"
    with pytest.raises(ParseError) as refused:
        gn.operator("f(a,b) = a > b")
    assert refused.value.hint == "write gt(a, b)"


def test_long_and_deep_texts_have_no_hint_out_of_their_operands() -> None:
    assert hint_of("y = " + "a + " * 600 + "a^2") is None
    assert hint_of("y = " + "not " * 300 + "a^2") is not None
    assert (
        hint_of("y = " + "(" * 100 + "a^2" + ")" * 100) == "write pow(a, b) for a power, A(j,i) for a transposed matrix"
    )
    assert hint_of("y = " + "a<(" * 30 + "a" + ")<a" * 30) == "write lt(a, b)"
    assert hint_of("y = min(" + "a," * 500 + "a)") == "write min(a, b)"


def test_what_is_accepted_is_never_rewritten() -> None:
    for text in ("y(i)<M(i)>=x(i)", "y(i) < !$M(i) > = x(i)", "y(i)<M(i)> min= x(i)"):
        assert pretty(parse(text))


@given(st.lists(st.sampled_from(WORDS), max_size=14).map("".join))
def test_any_text_has_a_hint_or_none(text: str) -> None:
    for whole in (text, f"y(i) = {text}"):
        for at in range(len(whole) + 1):
            own, general = instead(whole, at, OPERATORS, lambda _: True)
            assert own is None or (general is None and own.startswith("write "))
            assert instead(whole, at, OPERATORS, lambda _: False)[0] is None


def test_lexemes_stand_where_they_stand_in_the_text() -> None:
    text = "y = a·b ** −2"
    assert [text[t.span.start : t.span.stop] for t in lexemes(text)] == ["y", "=", "a", "·", "b", "**", "−", "2", ""]
