"""What programs are drawn: all accepted, the rare cases among them, and what they shrink to."""

import re
from random import Random

import gnomon as gn
import pytest
from gnomon.properties.features import EVERYTHING, PLAIN, Features, Storage
from gnomon.properties.problem import Problem
from gnomon.properties.strategies import programs
from gnomon.reference.interpreter import interpret
from gnomon.reference.parser import parse
from gnomon.reference.printer import pretty
from hypothesis import HealthCheck, find, given, settings

NARROW = {
    "matrices by rows": Features(
        orders=(0, 1, 2), dtypes=("float64", "int32"), mixed=False, operands=Storage(("Dense", "CSR")),
        results=Storage(("Dense", "CSR")), operators=("add", "mul"), reductions=("add",), updates=(), masks=(),
        semirings=(), literals=False, diagonals=False, shared=False, broadcasts=False, inner=False, fills=False,
        specials=False, zeros=False, duplicates=False, empties=False, schedules=False,
    ),
    "products": Features(
        orders=(0, 1, 2, 3), dtypes=("float32",), operands=Storage(("Dense",)), results=Storage(("Dense",)),
        operators=("mul",), reductions=("add",), updates=(), masks=(), semirings=(), literals=False, schedules=False,
    ),
    "semirings": Features(orders=(1, 2), plain=False, masks=("$", "!$"), schedules=False),
    "nests": Features(
        orders=(1, 2, 3), operands=Storage(levels=("dense", "compressed")),
        results=Storage(levels=("dense", "compressed"), permuted=False),
    ),
}  # fmt: skip
MANY = settings(max_examples=3000, database=None, derandomize=True, suppress_health_check=list(HealthCheck))


@given(programs())
@settings(max_examples=2 * settings().max_examples)
def test_every_program_is_accepted_and_has_a_meaning(drawn: Problem) -> None:
    result, _ = interpret(drawn.ready.program, drawn.ready.operands, index=drawn.ready.index)
    assert result.shape == drawn.shape
    assert EVERYTHING.lacks(drawn) is None


@pytest.mark.parametrize("name", NARROW)
def test_programs_keep_to_their_features(name: str) -> None:
    @settings(max_examples=max(50, settings().max_examples // 2))
    @given(programs(NARROW[name]))
    def keeps(drawn: Problem) -> None:
        assert NARROW[name].lacks(drawn) is None
        interpret(drawn.ready.program, drawn.ready.operands, index=drawn.ready.index)

    keeps()


@given(programs())
def test_texts_are_those_of_their_terms(drawn: Problem) -> None:
    assert pretty(parse(drawn.source)) == drawn.source
    for tensor in drawn.operands.values():
        tensor.validate()


def shrunk(features: Features, text: str, start: int) -> str:
    """A simple program whose expression holds what a regular expression says, unless an operand has two components."""
    found = find(
        programs(features), lambda problem: bool(re.search(text, problem.source)), settings=MANY, random=Random(start)
    )
    if any(tensor.nnz > 1 for tensor in found.operands.values()):
        return repr(found)
    return "; ".join([found.source, *(str(t.format) for t in found.operands.values()), str(found.out)])


def shrinks(features: Features, text: str, *expected: str) -> bool:
    """Whether a search ends there: some get stuck; which, depends on the constants of all modules."""
    return any(shrunk(features, text, start) in expected for start in range(6))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("=", "R = A; ; "),
        (r"\+ B", "R = A + B; ; ; "),
        (r"min\(k", "R = min(k, A(k)); dense; "),
        (r"<!\$M\(i\)", "R(i)<!$M(i)> = A(i); dense; dense; dense"),
        ("sqrt", "R = sqrt(A); ; "),
    ],
)
def test_draws_shrink_to_simple_programs(text: str, expected: str) -> None:
    assert shrinks(PLAIN, text, expected)


def test_matrix_products_are_drawn_and_shrink() -> None:
    expected = "R(i) = sum(k, A(i,k) * B(k)); dense,dense; dense; dense", "R = sum(k, A(k) * B(k)); dense; dense; "
    assert shrinks(NARROW["matrices by rows"], r"sum\(k, A\([^)]*k[^)]*\) \* B\([^)]*k[^)]*\)\)", *expected)


def test_what_is_printed_runs_as_it_is() -> None:
    found = find(programs(), lambda problem: bool(problem.schedule.commands), settings=MANY)
    assert "schedule=" in repr(found)
    exec(repr(found), {"gn": gn})
