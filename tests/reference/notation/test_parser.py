"""The parser: every construct of the notation, the place of every node, and refusals that point at the text."""

from __future__ import annotations

import math

import pytest
from gnomon.reference.algebra.operators import OPERATORS
from gnomon.reference.errors import ParseError
from gnomon.reference.notation.parser import parse
from gnomon.reference.notation.printer import pretty
from gnomon.reference.notation.syntax import Access, Apply, Assignment, Literal, Mask, Reduce
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

ADD, SUB, MUL, NEG, MIN = (OPERATORS[name] for name in ("add", "sub", "mul", "neg", "min"))
A, X = Access("A", ("i", "k")), Access("x", ("k",))
WORDS = ["y", "A", "(", ")", "i", ",", "=", "+", "-", "*", "/", "<", ">", "!", "$", "sum", "min", "k", "2", "1.5j",
         "nan", "true", "abs", " ", "\n", "é", "#", "9" * 5000, "1e999", "\x00"]  # fmt: skip


def value(text: str) -> object:
    """The right side of an assignment to a scalar."""
    return parse(f"y = {text}").value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A(i,k) * x(k)", Apply(MUL, (A, X))),
        ("a - b - c", Apply(SUB, (Apply(SUB, (Access("a"), Access("b"))), Access("c")))),
        ("a - (b - c)", Apply(SUB, (Access("a"), Apply(SUB, (Access("b"), Access("c")))))),
        ("a + b * c", Apply(ADD, (Access("a"), Apply(MUL, (Access("b"), Access("c")))))),
        ("-a * b", Apply(MUL, (Apply(NEG, (Access("a"),)), Access("b")))),
        ("-(1)", Apply(NEG, (Literal(1),))),
        ("-1", Literal(-1)),
        ("sum(k, A(i,k))", Reduce(ADD, "k", A)),
        ("prod(k, A(i,k))", Reduce(MUL, "k", A)),
        ("min(k, A(i,k) + 1)", Reduce(MIN, "k", Apply(ADD, (A, Literal(1))))),
        ("min(a, x(k))", Apply(MIN, (Access("a"), X))),
        ("min(k, a)", Apply(MIN, (Access("k"), Access("a")))),
        ("min(x(k), A(i,k))", Apply(MIN, (X, A))),
    ],
)
def test_expressions(text: str, expected: object) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("3", 3), ("2.5", 2.5), (".5", 0.5), ("1e-3", 1e-3), ("2j", 2j), ("inf", math.inf), ("-inf", -math.inf),
     ("true", True), ("false", False), ("12345678901234567890", 12345678901234567890)],
)  # fmt: skip
def test_numbers(text: str, expected: object) -> None:
    literal = value(text)
    assert isinstance(literal, Literal)
    assert literal.value == expected
    assert type(literal.value) is type(expected)


def test_integers_as_large_as_floats_are_numbers() -> None:
    for text in ("1" * 309, "0" * 5000 + "7", "9" * 308):
        literal = value(text)
        assert isinstance(literal, Literal)
        assert literal.value == int(text.lstrip("0"))


@pytest.mark.parametrize("text", ["9" * 309, "9" * 400, "9" * 4300, "9" * 20_000, "1e999"])
def test_numbers_beyond_floats_are_refused(text: str) -> None:
    with pytest.raises(ParseError, match="the number is too large"):
        value(text)


@pytest.mark.parametrize("text", [None, 5, b"y = x", ["y = x"]])
def test_expressions_are_texts(text: object) -> None:
    with pytest.raises(ParseError, match="expected an expression as text, but found"):
        parse(text)  # type: ignore[arg-type]


def test_nan_is_a_number() -> None:
    literal = value("nan")
    assert isinstance(literal, Literal)
    assert isinstance(literal.value, float)
    assert math.isnan(literal.value)


@pytest.mark.parametrize(("text", "name"), [("=", None), ("+=", "add"), ("*=", "mul"), ("min=", "min"), ("max=", "max"),
                                            ("or=", "or"), ("and=", "and")])  # fmt: skip
def test_assignment_operators(text: str, name: str | None) -> None:
    assert parse(f"y(i) {text} x(i)").operator is (None if name is None else OPERATORS[name])


@pytest.mark.parametrize(
    ("text", "complement", "structural"),
    [("", False, False), ("!", True, False), ("$", False, True), ("!$", True, True)],
)
def test_masks(text: str, complement: bool, structural: bool) -> None:
    assert parse(f"C(i,j)<{text}M(i,j)> = A(i,j)").mask == Mask(Access("M", ("i", "j")), complement, structural)


@pytest.mark.parametrize(
    ("text", "merge", "printed"),
    [
        ("C(i)<M(i)> = A(i)", False, None),
        ("C(i)<M(i)> += A(i)", True, None),
        ("C(i)<M(i),replace> = A(i)", False, "C(i)<M(i)> = A(i)"),
        ("C(i)<M(i),merge> += A(i)", True, "C(i)<M(i)> += A(i)"),
        ("C(i)<!$M(i),merge> = A(i)", True, None),
        ("C(i)<M(i),replace> min= A(i)", False, None),
        ("C(i) += A(i)", False, None),
    ],
)
def test_a_mask_merges_in_updates_and_replaces_in_assignments_unless_it_says_otherwise(
    text: str, merge: bool, printed: str | None
) -> None:
    assert parse(text).merge is merge
    assert pretty(parse(text)) == (printed or text)


@pytest.mark.parametrize(("text", "marked"), [("C(i)<M(i),keep> = A(i)", "keep"), ("C(i)<M(i),> = A(i)", ">")])
def test_what_a_mask_cannot_say_is_refused(text: str, marked: str) -> None:
    with pytest.raises(ParseError, match="expected merge or replace") as refused:
        parse(text)
    span = refused.value.span
    assert span is not None and text[span.start : span.stop] == marked


def test_a_mask_may_touch_the_equals_sign() -> None:
    assert parse("y(i)<M(i)>=x(i)") == parse("y(i) < M(i) > = x(i)")


def test_a_user_function_is_a_declaration_passed_in() -> None:
    relu = replace(OPERATORS["abs"], name="relu")
    assert parse("y = relu(a)", OPERATORS | {"relu": relu}).value == Apply(relu, (Access("a"),))


@pytest.mark.parametrize(
    ("text", "part"),
    [("y(i) = A(i,j) * x(j)", "x(j)"), ("y = sum(k, A(i,k)) + 2.5", "2.5"), ("y = a + min(b, c(i))", "c(i)")],
)
def test_spans_are_the_text_of_the_node(text: str, part: str) -> None:
    assert part in {text[s.start : s.stop] for s in spans(parse(text))}


def spans(term: object) -> list[object]:
    """The spans of a term and all below it."""
    match term:
        case Assignment(target=target, value=inner):
            below = [*spans(target), *spans(inner)]
        case Apply(args=args):
            below = [s for a in args for s in spans(a)]
        case Reduce(body=body):
            below = spans(body)
        case _:
            below = []
    return [getattr(term, "span", None), *below]


def test_every_node_has_a_span() -> None:
    found = spans(parse("C(i,j) += -(A(i,j) + 2) * sum(k, abs(B(k,k)))"))
    assert len(found) == 10
    assert None not in found


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 0),
        ("y(i)", 4),
        ("y(i) = ", 7),
        ("y(i) = A(i", 10),
        ("y(i) = A(i,)", 11),
        ("y(i) = A(2)", 9),
        ("y(i) = A(i+1)", 9),
        ("y(i) = x(i) )", 12),
        ("y(i) = 2x(i)", 8),
        ("y(i) = A[i]", 8),
        ("y(i) -= x(i)", 5),
        ("y(i) == x(i)", 6),
        ("y(i) = max(a,b,c)", 7),
        ("y(i) = abs(a,b)", 7),
        ("y(i) = sum(x(i))", 7),
        ("y(i)<M(i) = x(i)", 10),
        ("y = a +* b", 7),
        ("y = 1e999", 4),
        ("y = 1e999j", 4),
        ("y = " + "9" * 5000, 4),
        ("y = " + "9" * 400, 4),
        ("y = -" + "9" * 309, 5),
        ("y = a + " + "9" * 4200, 8),
        ("y = a = b", 6),
    ],
)
def test_refusals_point_at_the_text(text: str, column: int) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert caught.value.source == text
    assert caught.value.span is not None
    assert caught.value.span.start == column


@pytest.mark.parametrize(
    "text",
    [
        "(" * 20_000,
        "-" * 20_000 + "a",
        "abs(" * 20_000,
        "a" + "+a" * 20_000,
        "(" * 60 + "a" + ("+a" * 55 + ")") * 60,
        "a" + "*a" * 20_000,
        "(" * 20_000 + "a" + ")" * 20_000,
    ],
)
def test_deep_nesting_is_refused(text: str) -> None:
    with pytest.raises(ParseError, match="nest"):
        parse(f"y = {text}")


@given(st.integers(0, 110))
def test_what_is_accepted_can_be_walked(depth: int) -> None:
    closing = ")" * depth
    for text in ("(" * depth + "a" + closing, "a" + "-(a" * depth + closing, "abs(" * depth + "a" + closing):
        try:
            term = parse(f"y = {text}")
        except ParseError:
            assert depth > 50
        else:
            assert parse(pretty(term)) == term
            assert hash(term) == hash(parse(pretty(term)))


@given(st.lists(st.sampled_from(WORDS), max_size=25).map("".join))
def test_any_text_is_a_term_or_a_refusal(text: str) -> None:
    for whole in (text, f"y(i) = {text}"):
        try:
            term = parse(whole)
        except ParseError:
            continue
        assert parse(pretty(term)) == term


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("y(i) = realu(x(i))", "realu is not a function", "did you mean real?"),
        ("y(i) = Sum(j, A(i,j))", "Sum is not a function", "did you mean sum?"),
        ("y(i) = qqq(x(i), 2)", "qqq is not a function", "functions are abs, "),
        ("y(i) = A(i+1)", "an index is a variable, but found 'i+1'", "write a variable"),
        ("y(i) = A(j, 2 * i , k)", "an index is a variable, but found '2 * i'", "write a variable"),
        ("y(i-1) = A(i)", "an index is a variable, but found 'i-1'", "write a variable"),
        ("y(i) = Sqrt(2)", "an index is a variable, but found '2'", "did you mean the function sqrt?"),
        ("y(i) = A(i j)", "expected ',' or ')', but found 'j'", ""),
        ("y(i) = A(i+j", "expected ',' or ')', but found '+'", ""),
    ],
)
def test_unknown_functions_and_indices_are_called_so(text: str, message: str, hint: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert caught.value.message == message
    assert hint in (caught.value.hint or "")


def test_names_before_a_closing_parenthesis_call_nothing() -> None:
    assert pretty(parse("y(i) = abs(abs(a)) + max(2, abs(x(i)))").value) == "abs(abs(a)) + max(2, abs(x(i)))"


@pytest.mark.parametrize(
    ("theirs", "own"),
    [("gte", "ge"), ("lte", "le"), ("neq", "ne"), ("lor", "or"), ("land", "and"), ("lxor", "xor"), ("lnot", "not")],
)
def test_names_of_other_systems_are_understood(theirs: str, own: str) -> None:
    args = "x(i)" if own == "not" else "x(i), 2"
    assert parse(f"y(i) = {theirs}({args})") == parse(f"y(i) = {own}({args})")
    with pytest.raises(ParseError, match=f"{theirs} takes"):
        parse(f"y(i) = {theirs}(x(i), 1, 2)")


def test_a_function_of_a_users_own_comes_before_a_name_of_another_system() -> None:
    own = replace(OPERATORS["abs"], name="gte")
    assert parse("y = gte(a)", OPERATORS | {"gte": own}).value == Apply(own, (Access("a"),))
