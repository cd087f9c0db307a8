"""Implicit reductions: where sums go, what is refused, and that every monomial is summed over its own variables."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product as combinations

import numpy as np
import pytest
from gnomon.reference.algebra.operators import ADD, MUL, NEG, SUB
from gnomon.reference.errors import ExpressionError
from gnomon.reference.notation.parser import parse
from gnomon.reference.notation.printer import pretty
from gnomon.reference.notation.reductions import explicit
from gnomon.reference.notation.syntax import Access, Apply, Assignment, Expr, Reduce, free_variables
from hypothesis import event, given
from hypothesis import strategies as st

EXTENTS = {"i": 2, "j": 3, "k": 2}
TENSORS = {
    name: np.random.default_rng(seed).integers(-4, 5, tuple(EXTENTS[v] for v in name[1:]))
    for seed, name in enumerate(["s", "ai", "bj", "ck", "Dij", "Eik", "Fjk", "Gijk"])
}
SIZE = 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y(i) = A(i,j) * x(j)", "y(i) = sum(j, A(i,j) * x(j))"),
        ("y(i) = b(i) + A(i,j) * x(j) + c(i)", "y(i) = b(i) + sum(j, A(i,j) * x(j)) + c(i)"),
        ("y(i) = A(i,j) * x(j) + b(i) + B(i,j)", "y(i) = sum(j, A(i,j) * x(j) + B(i,j)) + b(i)"),
        ("y(i) = A(i,j) * x(j) - B(i,j) * z(j)", "y(i) = sum(j, A(i,j) * x(j) - B(i,j) * z(j))"),
        ("y(i) = A(i,j) * x(j) + B(i,k) * z(k)", "y(i) = sum(j, A(i,j) * x(j)) + sum(k, B(i,k) * z(k))"),
        ("N(i,j) += K(i,k) * L(k,j) - M(i,j)", "N(i,j) += sum(k, K(i,k) * L(k,j)) - M(i,j)"),
        ("y(i) = b(i) - A(i,j)", "y(i) = b(i) - sum(j, A(i,j))"),
        ("y(i) = b(i) - A(i,j) + B(i,j)", "y(i) = b(i) + sum(j, B(i,j) - A(i,j))"),
        ("y(i) = b(i) - (A(i,j) - c(i))", "y(i) = b(i) - sum(j, A(i,j)) + c(i)"),
        ("y(i) = b(i) * (A(i,j) + c(i))", "y(i) = b(i) * (sum(j, A(i,j)) + c(i))"),
        ("y(i) = e(i) + b(i) * (A(i,j) + c(i))", "y(i) = e(i) + b(i) * (sum(j, A(i,j)) + c(i))"),
        ("y(i) = (A(i,j) + c(i)) * x(j)", "y(i) = sum(j, (A(i,j) + c(i)) * x(j))"),
        ("y(i) = x(i) / d(i) + A(i,j) / d(i)", "y(i) = x(i) / d(i) + sum(j, A(i,j) / d(i))"),
        ("y(i) = (A(i,j) + c(i)) / d(i)", "y(i) = (sum(j, A(i,j)) + c(i)) / d(i)"),
        ("y(i) = -A(i,j)", "y(i) = -sum(j, A(i,j))"),
        ("y(i) = conj(A(i,j) + c(i))", "y(i) = conj(sum(j, A(i,j)) + c(i))"),
        ("a = A(i,j)", "a = sum(i, sum(j, A(i,j)))"),
        ("a = A(i,j) * x(j) - b(i)", "a = sum(i, sum(j, A(i,j) * x(j)) - b(i))"),
        ("C(i,j) = A(i,k) * B(k,l) * D(l,j)", "C(i,j) = sum(k, A(i,k) * sum(l, B(k,l) * D(l,j)))"),
        ("y(i) min= A(i,j) + x(j) + c(i)", "y(i) min= min(j, A(i,j) + x(j) + c(i))"),
        ("y *= A(i,j)", "y *= prod(i, prod(j, A(i,j)))"),
        ("y(i) max= exp(A(i,j))", "y(i) max= max(j, exp(A(i,j)))"),
        ("y(i) = sum(k, A(i,k)) * sum(k, B(i,k))", "y(i) = sum(k, A(i,k)) * sum(k, B(i,k))"),
        ("y(i) = A(i,j) + sum(j, B(i,j))", "y(i) = sum(j, A(i,j)) + sum(j, B(i,j))"),
        ("y(i) = exp(sum(j, A(i,j)))", "y(i) = exp(sum(j, A(i,j)))"),
        ("y(i) = sum(j, exp(A(i,j)))", "y(i) = sum(j, exp(A(i,j)))"),
        ("y(i) = exp(a) + x(i)", "y(i) = exp(a) + x(i)"),
    ],
)
def test_sums_are_shown(text: str, expected: str) -> None:
    assert pretty(explicit(parse(text))) == expected


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        (
            "y(i) = (c(j) + e(i)) * (d(j) + f(i))",
            "sum(j, (c(j) + e(i)) * (d(j) + f(i)))",
            "sum(j, c(j) + e(i)) * sum(j, d(j) + f(i))",
        ),
        ("y(i) = exp(A(i,j))", "sum(j, exp(A(i,j)))", "exp(sum(j, A(i,j)))"),
        ("y(i) = x(i) / A(i,j)", "sum(j, x(i) / A(i,j))", "x(i) / sum(j, A(i,j))"),
        ("y(i) = min(A(i,j), x(i))", "sum(j, min(A(i,j), x(i)))", "min(sum(j, A(i,j)), x(i))"),
        ("y = max(k, A(j,k))", "sum(j, max(k, A(j,k)))", "max(k, sum(j, A(j,k)))"),
    ],
)
def test_ambiguous_sums_are_refused_with_both_readings(text: str, first: str, second: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        explicit(parse(text), text)
    assert caught.value.hint == f"write {first} or {second}"
    assert caught.value.source == text
    left = text.split("=")[0]
    for form in (first, second):
        assert pretty(explicit(parse(f"{left}= {form}"))) == f"{left}= {form}"


@pytest.mark.parametrize(
    ("text", "variable"),
    [
        ("y(i) = sum(i, A(i,i))", "i"),
        ("y(i) = sum(k, sum(k, A(i,k)))", "k"),
        ("y(i) = sum(k, A(i,k) * sum(k, B(k,k)))", "k"),
        ("y(i) = (A(i,k) + sum(k, B(i,k))) * x(k)", "k"),
        ("y(i) = x(i) * sum(q, 3)", "q"),
    ],
)
def test_scopes_are_checked(text: str, variable: str) -> None:
    with pytest.raises(ExpressionError, match=f"reduces over {variable}"):
        explicit(parse(text))


def test_products_that_do_not_distribute_keep_their_sum_apart() -> None:
    with pytest.raises(ExpressionError, match="does not distribute"):
        explicit(parse("y(i) = b(i) * A(i,j)"), distributive=False)
    assert pretty(explicit(parse("y(i) = A(i,j) * x(j)"), distributive=False)) == "y(i) = sum(j, A(i,j) * x(j))"


leaves = st.sampled_from([Access(name, tuple(name[1:])) for name in TENSORS])
polynomials: st.SearchStrategy[Expr] = st.recursive(
    leaves,
    lambda e: (
        st.builds(lambda o, a, b: Apply(o, (a, b)), st.sampled_from([ADD, SUB, MUL]), e, e)
        | st.builds(lambda a: Apply(NEG, (a,)), e)
    ),
    max_leaves=6,
)


def evaluate(e: Expr, at: Mapping[str, int]) -> int:
    """The value of a polynomial with explicit sums, at a coordinate."""
    match e:
        case Access(tensor=tensor, indices=indices):
            return int(TENSORS[tensor][tuple(at[v] for v in indices)])
        case Apply(operator=operator, args=args):
            return int(operator.compute(*(evaluate(a, at) for a in args)))
        case Reduce(index=index, body=body):
            return sum(evaluate(body, {**at, index: i}) for i in range(EXTENTS[index]))
        case _:
            raise AssertionError(e)


def monomials(e: Expr) -> list[tuple[int, tuple[Access, ...]]]:
    """A polynomial multiplied out: signs and factors."""
    match e:
        case Access():
            return [(1, (e,))]
        case Apply(operator=operator, args=(left, right)) if operator is MUL:
            return [(s * t, a + b) for (s, a), (t, b) in combinations(monomials(left), monomials(right))]
        case Apply(operator=operator, args=(left, right)):
            sign = 1 if operator is ADD else -1
            return monomials(left) + [(sign * s, a) for s, a in monomials(right)]
        case Apply(args=(operand,)):
            return [(-s, a) for s, a in monomials(operand)]
        case _:
            raise AssertionError(e)


def multiplied_out(e: Expr, at: Mapping[str, int]) -> int:
    """Every monomial summed over the variables that it uses and the result lacks."""
    total = 0
    for sign, factors in monomials(e):
        loose = [v for v in dict.fromkeys(v for f in factors for v in f.indices) if v not in at]
        for coordinates in combinations(*(range(EXTENTS[v]) for v in loose)):
            place = {**at, **dict(zip(loose, coordinates, strict=True))}
            total += sign * int(np.prod([evaluate(f, place) for f in factors]))
    return total


@given(polynomials, st.sampled_from([(), ("i",), ("i", "j")]))
def test_every_monomial_is_summed_over_its_own_variables(e: Expr, kept: tuple[str, ...]) -> None:
    try:
        result = explicit(Assignment(Access("y", kept), e)).value
    except ExpressionError:
        event("refused")
        return
    assert set(free_variables(result)) <= set(kept)
    for coordinates in combinations(*(range(EXTENTS[v]) for v in kept)):
        at = dict(zip(kept, coordinates, strict=True))
        assert evaluate(result, at) == multiplied_out(e, at)


@given(polynomials)
def test_making_sums_explicit_twice_changes_nothing(e: Expr) -> None:
    try:
        once = explicit(Assignment(Access("y", ("i",)), e))
    except ExpressionError:
        event("refused")
        return
    assert explicit(once) == once
