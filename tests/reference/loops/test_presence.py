"""Presence: formulas agree with substitution for every set of operands, and are as long as the statement."""

import itertools

import gnomon as gn
import pytest
from gnomon.properties.programs.problem import Problem
from gnomon.properties.strategies import PLAIN, programs
from gnomon.reference.loops.presence import Every, Presence, Some, assume, dependencies, every, holds, remains, some
from gnomon.reference.notation.syntax import Access
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.statement import Program, reads, show
from gnomon.reference.statement.substitution import background_of, substitute_statement
from hypothesis import given, settings

B, C, D = (Access(name, ("i",), ("i",)) for name in "BCD")


def formula(expression: str, formats: dict[str, str], out: str = "s", **settings: str) -> Presence:
    operands = {
        n: gn.tensor([[0]], [1.0], (3,), s.rstrip("1"), fill=float(s.endswith("1"))) for n, s in formats.items()
    }
    program = prepare(expression, operands, out=out, **settings).program
    return remains(program.statement, frozenset(reads(program.statement)), background_of(program))


THREE = dict.fromkeys("BCD", "s")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("a(i) = B(i) + C(i) + D(i)", some(B, C, D)),
        ("a(i) = B(i) * C(i) * D(i)", every(B, C, D)),
        ("a(i) = B(i) * C(i) + D(i)", some(every(B, C), D)),
        ("a(i) = (B(i) - C(i)) * D(i)", every(some(B, C), D)),
        ("a(i) = B(i) / C(i) + abs(D(i)) * 2", some(every(B, C), D)),
        ("a(i) = max(B(i), 0) + C(i) * D(i)", some(B, every(C, D))),
        ("a(i) = B(i) + C(i) + cos(D(i))", True),
        ("a(i)<B(i)> = C(i) + D(i)", every(B, some(C, D))),
        ("a(i)<!B(i)> = C(i) + D(i)", some(C, D)),
    ],
)
def test_the_formula_of_an_expression(expression: str, expected: Presence) -> None:
    assert formula(expression, THREE) == expected


def test_a_fill_decides_what_is_missing() -> None:
    assert formula("a(i) = B(i) * C(i) + D(i)", {"B": "s1", "C": "s", "D": "s"}) == some(C, D)


def test_formulas_are_kept_short() -> None:
    assert every(B, every(C, B), True) == Every((B, C)) and some(B, some(C, B), False) == Some((B, C))
    assert every(B, False) is False and some(B, True) is True and every() is True and some() is False
    assert assume(some(every(B, C), D), {B: True, D: every(C, B)}) == some(C, every(C, B))
    assert not holds(every(B, some(C, D)), frozenset({B})) and holds(every(B, some(C, D)), frozenset({B, D}))
    assert list(dependencies(every(B, some(C, D)))) == [B, C, D]


def own(program: Program) -> tuple[Access, ...]:
    workspaces = {w.name for w in program.workspaces}
    return tuple(a for a in reads(program.statement) if a.tensor not in workspaces)[:6]


@given(programs(PLAIN))
@settings(max_examples=settings().max_examples // 2)
def test_something_remains_exactly_where_substitution_leaves_something(drawn: Problem) -> None:
    program = drawn.ready.program
    background, accesses = background_of(program), own(program)
    found = remains(program.statement, frozenset(accesses), background)
    assert len(list(dependencies(found))) <= sum(show(program.statement).count(a.tensor) for a in accesses)
    for size in range(len(accesses) + 1):
        for present in map(frozenset, itertools.combinations(accesses, size)):
            left = substitute_statement(program.statement, frozenset(accesses) - present, background)
            assert holds(found, present) == (left is not None)
