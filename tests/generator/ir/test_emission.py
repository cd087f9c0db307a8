"""Emission: C text whose parentheses compilers have nothing to say about."""

import pytest
from gnomon.generator.ir import ir, logic
from gnomon.generator.ir.emission import text
from gnomon.generator.ir.ir import Binary, Function, Name, Return, Unary
from gnomon.generator.ir.printing import WIDTH

P, Q, R, S = (Name(name) for name in "pqrs")
BOTH = ir.Spelled("((void) ({0}), {1})", (P, Q))


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (logic.either(P, logic.both(Q, R)), "p || (q && r)"),
        (logic.either(logic.both(P, Q), Unary("!", R), logic.compare("<", P, S)), "(p && q) || !r || p < s"),
        (logic.both(logic.either(P, Q), R), "(p || q) && r"),
        (Binary("==", Binary("<", P, Q), Binary("+", R, S)), "(p < q) == (r + s)"),
        (logic.compare("<", Binary("+", P, Q), R), "p + q < r"),
        (ir.Choice(R, BOTH, S), "r ? ((void) p, q) : s"),
        (ir.Choice(R, S, BOTH), "r ? s : ((void) p, q)"),
        (ir.Choice(BOTH, R, S), "((void) p, q) ? r : s"),
        (Binary("==", Binary("<", R, S), BOTH), "(r < s) == ((void) p, q)"),
        (Unary("!", BOTH), "!(((void) p, q))"),
        (ir.Cast("double", BOTH), "(double) (((void) p, q))"),
        (Binary("+", BOTH, R), "(((void) p, q)) + r"),
        (ir.Call("f", (BOTH, R)), "f(((void) p, q), r)"),
        (ir.Element(R, BOTH), "r[(void) p, q]"),
    ],
)
def test_operands_that_are_unclear_stand_in_parentheses(term: ir.Expr, expected: str) -> None:
    assert f"return {expected};" in text([Function("int", "f", (), (Return(term),))])


def test_a_value_of_which_something_is_computed_before_is_assigned_in_parentheses() -> None:
    code = (ir.Declare("int", "x", BOTH), ir.Assign(Name("y"), BOTH), ir.Assign(Name("z"), BOTH, "+="))
    lines = text([Function("void", "f", (), code)]).splitlines()
    assert [each.strip() for each in lines[2:5]] == [
        "int x = ((void) p, q);",
        "y = ((void) p, q);",
        "z += ((void) p, q);",
    ]


def test_a_directive_is_one_line_however_deep_it_stands() -> None:
    body: ir.Code = (ir.Region("omp parallel reduction(max : status)", (), Name("u_pays")),)
    for _ in range(WIDTH // 4):
        body = (ir.If(P, body),)
    found = text([Function("void", "f", (), body)])
    assert "#pragma omp parallel reduction(max : status) if (u_pays)\n" in found
