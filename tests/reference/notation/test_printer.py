"""The printer: what it prints, the parser reads back, and no pair of parentheses can be left out."""

from __future__ import annotations

import math
import re

import pytest
from gnomon.reference.algebra.operators import OPERATORS
from gnomon.reference.errors import ParseError
from gnomon.reference.notation.parser import parse
from gnomon.reference.notation.printer import pretty
from gnomon.reference.notation.syntax import Access, Apply, Assignment, Expr, Literal, Mask, Reduce
from hypothesis import given
from hypothesis import strategies as st

REDUCING = [o for o in OPERATORS.values() if o.reduction is not None]
tensors = st.sampled_from(["A", "B", "x", "alpha_1", "inf"])
indices = st.lists(st.sampled_from("ijkl"), max_size=3).map(tuple)
accesses = st.builds(Access, tensors, indices)
numbers = (
    st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.just(math.nan)
    | st.floats(allow_nan=False, allow_infinity=False).map(lambda x: complex(0, x))
)


def reductions(bodies: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    """Reductions over a variable that an access of their body has."""
    indexed = st.builds(Access, tensors, st.permutations("ijk").map(lambda v: tuple(v[:2])))
    made = st.tuples(st.sampled_from(REDUCING), indexed, bodies)
    return made.map(lambda t: Reduce(t[0], t[1].indices[0], Apply(OPERATORS["mul"], (t[1], t[2]))))


def applications(args: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    """Operators over as many arguments as they take; a bare scalar is not the first of two."""
    firsts = args.filter(lambda e: not isinstance(e, Access) or bool(e.indices))
    one = st.sampled_from([o for o in OPERATORS.values() if o.arity == 1])
    two = st.sampled_from([o for o in OPERATORS.values() if o.arity == 2])
    unary = st.builds(lambda o, a: Apply(o, (a,)), one, args)
    return unary | st.builds(lambda o, a, b: Apply(o, (a, b)), two, firsts, args)


leaves: st.SearchStrategy[Expr] = accesses | st.builds(Literal, numbers)
expressions = st.recursive(leaves, lambda e: applications(e) | reductions(e), max_leaves=12)
masks = st.none() | st.builds(Mask, accesses, st.booleans(), st.booleans())
assignments = st.builds(Assignment, accesses, expressions, st.none() | st.sampled_from(REDUCING), masks)


def test_a_negative_literal_is_not_a_negation() -> None:
    assert parse("y = -1") != parse("y = -(1)")


@pytest.mark.parametrize("literal", ["1", "inf", "2.0j"])
def test_as_many_signs_as_are_read_are_printed_without_parentheses(literal: str) -> None:
    signs = "-" * 120
    text = f"y<{signs}{literal}> = {signs}{literal}"
    assert pretty(parse(text)) == text


@pytest.mark.parametrize("text", ["-inf(i)", "-inf()", "2 * true()", "inf(i) - inf"])
def test_a_tensor_may_have_the_name_of_a_number(text: str) -> None:
    assert pretty(parse(f"y(i) = {text}").value) == text


@given(assignments)
def test_parse_undoes_print(term: Assignment) -> None:
    assert parse(pretty(term)) == term


@given(assignments)
def test_printing_is_stable(term: Assignment) -> None:
    text = pretty(term)
    assert pretty(parse(text)) == text


@given(expressions)
def test_no_parentheses_are_superfluous(e: Expr) -> None:
    text = f"y = {pretty(e)}"
    for match in re.finditer(r"(?<![A-Za-z0-9_])\((?!-\d)", text):
        closing = partner(text, match.start())
        shorter = text[: match.start()] + text[match.start() + 1 : closing] + text[closing + 1 :]
        try:
            assert parse(shorter) != parse(text)
        except ParseError:
            continue


def partner(text: str, opening: int) -> int:
    """The position of the parenthesis that closes the one at `opening`."""
    depth = 0
    for position in range(opening, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position
    raise AssertionError(text)


@pytest.mark.parametrize(
    "text",
    [
        "y(i) = A(i,j) * x(j)",
        "C(i,j)<!$M(i,j)> min= A(i,j) + 1.5",
        "y += a - (b - c) * -d",
        "y = -(a + b) / 2.0j",
        "y = sum(k, A(i,k) * max(x(k), 0))",
        "y *= min(a, b)",
        "y or= true",
    ],
)
def test_canonical_text_is_kept(text: str) -> None:
    assert pretty(parse(text)) == text
