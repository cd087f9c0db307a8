"""Emission: C text whose parentheses compilers have nothing to say about."""

import pytest
from gnomon.generator.ir import ir
from gnomon.generator.ir.emission import WIDTH, text
from gnomon.generator.ir.ir import Binary, Function, Name, Return, Unary

P, Q, R, S = (Name(name) for name in "pqrs")


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (ir.either(P, ir.both(Q, R)), "p || (q && r)"),
        (ir.either(ir.both(P, Q), Unary("!", R), ir.compare("<", P, S)), "(p && q) || !r || p < s"),
        (ir.both(ir.either(P, Q), R), "(p || q) && r"),
        (Binary("==", Binary("<", P, Q), Binary("+", R, S)), "(p < q) == (r + s)"),
        (ir.compare("<", Binary("+", P, Q), R), "p + q < r"),
    ],
)
def test_operands_that_are_unclear_stand_in_parentheses(term: ir.Expr, expected: str) -> None:
    assert f"return {expected};" in text([Function("int", "f", (), (Return(term),))])


def test_a_directive_is_one_line_however_deep_it_stands() -> None:
    body: ir.Code = (ir.Region("omp parallel reduction(max : status)", (), Name("u_pays")),)
    for _ in range(WIDTH // 4):
        body = (ir.If(P, body),)
    found = text([Function("void", "f", (), body)])
    assert "#pragma omp parallel reduction(max : status) if (u_pays)\n" in found
