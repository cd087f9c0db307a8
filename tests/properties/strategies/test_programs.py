"""What programs are drawn: all accepted, the rare cases among them, and what they shrink to."""

import itertools
import re
from collections.abc import Iterator
from functools import cache

import gnomon as gn
import pytest
from gnomon.properties.campaign.minimisation import shrink
from gnomon.properties.campaign.units import Subject, nth_program, units
from gnomon.properties.programs.features import EVERYTHING, PLAIN, Features, Storage
from gnomon.properties.programs.problem import Problem
from gnomon.properties.strategies import programs
from gnomon.properties.strategies.programs import places
from gnomon.reference.execution.interpreter import interpret
from gnomon.reference.notation.parser import parse
from gnomon.reference.notation.printer import pretty
from hypothesis import given, settings
from hypothesis import strategies as st

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
SQUARE = gn.tensor([[0], [1]], [1.0], (2, 2), "CSR")
STARTS = max(1, settings().max_examples // 400)
SEED = 2
PRODUCT = r"sum\(k, A\([^)]*k[^)]*\) \* B\([^)]*k[^)]*\)\)"


@given(programs())
def test_every_program_is_accepted_has_a_meaning_and_is_the_text_of_its_terms(drawn: Problem) -> None:
    result, _ = interpret(drawn.ready.program, drawn.ready.operands, index=drawn.ready.index)
    assert result.shape == drawn.shape
    assert EVERYTHING.lacks(drawn) is None
    assert pretty(parse(drawn.source)) == drawn.source
    for tensor in drawn.operands.values():
        tensor.validate()


@given(st.data())
def test_places_are_not_added_to_large_numbers(data: st.DataObject) -> None:
    problem = Problem("R(i) = sum(k, A(i,k) * A(i,k) + 4611686018427387904)", {"A": SQUARE}, "dense", "plus_times")
    assert data.draw(places(problem, EVERYTHING)) == problem


@pytest.mark.parametrize("name", NARROW)
def test_programs_keep_to_their_features(name: str) -> None:
    @settings(max_examples=settings().max_examples // 4)
    @given(programs(NARROW[name]))
    def keeps(drawn: Problem) -> None:
        assert NARROW[name].lacks(drawn) is None
        interpret(drawn.ready.program, drawn.ready.operands, index=drawn.ready.index)

    keeps()


@cache
def first(features: Features, number: int) -> Problem:
    """The units that are looked through."""
    return nth_program(features, SEED, number)


def shrunk(features: Features, text: str) -> Iterator[str]:
    """What the first units whose expression holds a regular expression shrink to."""
    numbers = (n for n in itertools.count() if re.search(text, first(features, n).source))
    for number in itertools.islice(numbers, STARTS):
        shown: list[Problem] = []

        def shows(problem: Problem, shown: list[Problem] = shown) -> bool:
            if re.search(text, problem.source):
                shown.append(problem)
            return bool(re.search(text, problem.source))

        shrink(units(Subject.PROGRAM, features), SEED, number, shows)
        simplest = shown[-1]
        assert all(tensor.nnz <= 1 for tensor in simplest.operands.values())
        yield "; ".join([simplest.source, *(str(t.format) for t in simplest.operands.values()), str(simplest.out)])


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("features", "text", "expected"),
    [
        (PLAIN, "=", "R = A; ; "),
        (PLAIN, r"\+ B", "R = A + B; ; ; "),
        (PLAIN, r"min\(k", "R = min(k, A(k)); dense; "),
        (PLAIN, r"<!\$M\(i\)", "R(i)<!$M(i)> = A(i); dense; dense; dense"),
        (PLAIN, "sqrt", "R = sqrt(A); ; "),
        (NARROW["matrices by rows"], PRODUCT, "R = sum(k, A(k) * B(k)); dense; dense; "),
    ],
)
def test_draws_shrink_to_simple_programs(features: Features, text: str, expected: str) -> None:
    assert list(shrunk(features, text)) == [expected] * STARTS


def test_what_is_printed_runs_as_it_is() -> None:
    scheduled = (p for n in itertools.count() if (p := first(EVERYTHING, n)).schedule.commands)
    for found in itertools.islice(scheduled, 3):
        assert "schedule=" in repr(found)
        exec(repr(found), {"gn": gn})
