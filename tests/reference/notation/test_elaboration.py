"""Elaboration: which reductions leave the operators around them, and which conversions are made explicit."""

from collections.abc import Iterator

import numpy as np
import pytest
from gnomon.properties.programs.problem import Problem
from gnomon.properties.strategies import programs
from gnomon.reference.algebra.operator import Constant, Operator
from gnomon.reference.algebra.operators import ADD, DIV, MAX, MUL, OPERATORS
from gnomon.reference.algebra.promotion import ONE, ZERO
from gnomon.reference.notation.elaboration import distinct, elaborate, fresh_name
from gnomon.reference.notation.printer import pretty
from gnomon.reference.notation.syntax import Access, Apply, Expr, Literal, Reduce
from gnomon.reference.notation.types import dtype_of, infer_types
from gnomon.reference.statement.statement import assignments
from hypothesis import given
from msgspec.structs import replace

DTYPES = {name: np.dtype("float64") for name in "ABbx"} | {"s": np.dtype("float32"), "n": np.dtype("int32")}
A, B, X = Access("A", ("i", "j")), Access("b", ("i",)), Access("x", ("j",))
C, E, SQRT = Access("B", ("i", "k")), Access("B", ("k", "l")), OPERATORS["sqrt"]


def total(body: Expr, operator: Operator = ADD, index: str = "j") -> Reduce:
    return Reduce(operator, index, body)


@pytest.mark.parametrize(
    ("left", "right", "first", "second"),
    [(ZERO, ZERO, True, True), (ZERO, None, True, False), (None, ZERO, False, True), (ONE, ONE, False, False)],
)
def test_a_sum_leaves_where_what_is_missing_in_it_annihilates(
    left: Constant | None, right: Constant | None, first: bool, second: bool
) -> None:
    """Of an operator that distributes over sums, with these annihilators on its left and right."""
    star = replace(MUL, name="star", left_annihilator=left, right_annihilator=right)
    assert isinstance(elaborate(infer_types(Apply(star, (total(A), B)), DTYPES)), Reduce) is first
    assert isinstance(elaborate(infer_types(Apply(star, (B, total(A))), DTYPES)), Reduce) is second


@pytest.mark.parametrize(
    ("e", "expected"),
    [
        (Apply(MUL, (total(A), B)), "sum(j, A(i,j) * b(i))"),
        (Apply(MUL, (B, total(A))), "sum(j, b(i) * A(i,j))"),
        (Apply(MUL, (total(A), total(Access("x", ("k",)), index="k"))), "sum(j, A(i,j) * sum(k, x(k)))"),
        (Apply(MUL, (total(Access("x", ("k",)), index="k"), total(A))), "sum(j, sum(k, x(k)) * A(i,j))"),
        (Apply(MUL, (total(A), total(A, index="i"))), "sum(j, A(i,j)) * sum(i, A(i,j))"),
        (Apply(MUL, (Apply(MUL, (total(A), total(A, index="i"))), X)), "sum(j, A(i,j)) * sum(i, A(i,j)) * x(j)"),
        (Apply(MUL, (total(total(A, index="k")), total(B, index="i"))), "sum(j, sum(k, A(i,j) * sum(i, b(i))))"),
        (Apply(MUL, (Apply(SQRT, (total(A),)), total(E, index="k"))), "sqrt(sum(j, A(i,j))) * sum(k, B(k,l))"),
        (total(Apply(MUL, (total(A), total(C, index="k"))), index="i"), "sum(i, sum(j, sum(k, A(i,j) * B(i,k))))"),
        (Apply(MUL, (Apply(MUL, (total(A), B)), B)), "sum(j, A(i,j) * b(i) * b(i))"),
        (Apply(MUL, (total(total(A, index="k")), B)), "sum(j, sum(k, A(i,j) * b(i)))"),
        (Apply(ADD, (total(A), B)), "sum(j, A(i,j)) + b(i)"),
        (Apply(DIV, (total(A), B)), "sum(j, A(i,j)) / b(i)"),
        (Apply(MUL, (total(A, MAX), B)), "max(j, A(i,j)) * b(i)"),
        (Apply(MUL, (total(A, OPERATORS["or"]), B)), "or(j, A(i,j)) * b(i)"),
        (Apply(MUL, (total(A), Literal(2.0))), "sum(j, A(i,j) * 2.0)"),
    ],
)
def test_sums_leave_products(e: Expr, expected: str) -> None:
    assert pretty(elaborate(infer_types(e, DTYPES))) == expected


def test_conversions_stand_where_dtypes_differ_and_nowhere_else() -> None:
    mixed = Apply(MUL, (Access("s", ("i",)), Apply(ADD, (B, Literal(1)))))
    assert pretty(elaborate(infer_types(mixed, DTYPES))) == "float64(s(i)) * (b(i) + 1.0)"
    whole = Reduce(ADD, "i", Access("n", ("i",)))
    assert pretty(elaborate(infer_types(whole, DTYPES))) == "sum(i, int64(n(i)))"
    assert pretty(elaborate(infer_types(Reduce(ADD, "i", B), DTYPES))) == "sum(i, b(i))"


def test_sibling_reductions_get_variables_of_their_own() -> None:
    taken = {"i", "j1"}
    found = distinct(Apply(MUL, (total(A), Apply(MUL, (total(A), total(X))))), taken)
    assert pretty(found) == "sum(j, A(i,j)) * (sum(j2, A(i,j2)) * sum(j3, x(j3)))"
    assert taken == {"i", "j", "j1", "j2", "j3"}
    assert fresh_name("w", {"w", "w1"}) == "w2" and fresh_name("w", {"w1"}) == "w"


@given(programs())
def test_every_node_of_a_statement_has_the_dtype_that_typing_gives_it(drawn: Problem) -> None:
    program = drawn.ready.program
    dtypes = program.dtypes
    for leaf in assignments(program.statement):
        for e in nodes(leaf.value):
            assert dtype_of(e) == (e.dtype if isinstance(e, Literal) else dtype_of(infer_types(e, dtypes)))
            assert not isinstance(e, Apply) or len({dtype_of(a) for a in e.args}) == 1


def nodes(e: Expr) -> Iterator[Expr]:
    yield e
    match e:
        case Apply(args=args):
            for argument in args:
                yield from nodes(argument)
        case Reduce(body=body):
            yield from nodes(body)
        case _:
            pass
