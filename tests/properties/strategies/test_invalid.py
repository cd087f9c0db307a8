"""Programs that must be refused: each by its class and for its reason, with a place where there is a text."""

import pickle
import re

import gnomon as gn
import pytest
from depth import ALL
from gnomon.properties.campaign.units import bytes_of
from gnomon.properties.programs.features import Features, Storage
from gnomon.properties.strategies import Invalid, invalid_programs
from gnomon.properties.strategies.invalid import MISTAKES, TABLES
from gnomon.reference.errors import ExpressionError, GnomonError, ParseError, ScheduleError
from hypothesis import HealthCheck, Phase, find, given, settings

SMALL = Features(
    orders=(1,), dtypes=("float64",), operands=Storage(("Dense", "CSR")), results=Storage(("Dense",)),
    operators=("add",), reductions=(), semirings=("min_plus", "plus_pair"), literals=False,
    diagonals=False, shared=False, broadcasts=False, inner=False, fills=False, specials=False,
)  # fmt: skip
NOT_IN_THE_TEXT = (
    "an unknown way to convert",
    "storage orders that contradict each other",
    "a bound that does not hold on positions",
    "a race that was said not to happen",
)
OF_TEXTS = (ParseError, ExpressionError, ScheduleError)
ALIKE = (
    {
        "a parenthesis without its partner",
        "an operator without an operand",
        "a text that ends before its value",
        "a comparison in place of an assignment",
        "an unknown reduction assignment",
        "a mask that is no access in angle brackets",
        "an index that is no variable",
        "a part that is no expression",
    },
    {"an order of complex numbers", "an extreme of complex numbers"},
    {"a result fill that its dtype cannot hold", "a fill that its dtype cannot hold"},
    {
        "an operator that the semiring lacks",
        "a reduction that the semiring lacks",
        "a reduction assignment that the semiring lacks",
    },
    {
        "an integer that overflows",
        "a negative integer that overflows",
        "a sum of integers that overflows",
        "previous contents that overflow",
    },
    {"an unknown format", "an unknown level"},
)
"""Mistakes that one rule refuses in the same words."""

quiet = settings(database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))


def refused(drawn: Invalid) -> GnomonError:
    """The error of a program."""
    with pytest.raises(GnomonError) as caught:
        drawn.evaluate()
    assert type(caught.value) is drawn.error, (drawn, caught.value)
    assert re.search(drawn.says, caught.value.message), (drawn.mistake, drawn, caught.value)
    assert not suggested(caught.value) & typed(caught.value), caught.value
    return caught.value


def suggested(error: GnomonError) -> set[str]:
    """What a hint asks whether it was meant, or says to write."""
    return {
        word
        for meant in re.findall(r"(?:did you mean|write)(?: the function)? ([^?]+)", error.hint or "")
        for word in meant.split(", ")
    }


def typed(error: GnomonError) -> set[str]:
    """What stands above the caret, and what the message quotes."""
    above = set() if error.source is None or error.span is None else {error.source[error.span.start : error.span.stop]}
    return above | set(re.findall(r"'([^']+)'", error.message))


def saying(error: GnomonError) -> set[str]:
    """The mistakes whose reason an error gives."""
    return {
        name for name, each in MISTAKES.items() if each.error is type(error) and re.search(each.says, error.message)
    }


@pytest.mark.every(3)
@pytest.mark.parametrize("mistake", MISTAKES)
def test_every_mistake_is_refused_by_its_class_and_in_its_place(mistake: str) -> None:
    @settings(quiet, max_examples=4 if ALL else 2)
    @given(invalid_programs(SMALL, mistake))
    def is_refused(drawn: Invalid) -> None:
        assert (drawn.mistake, drawn.error, drawn.says) == (mistake, MISTAKES[mistake].error, MISTAKES[mistake].says)
        error = refused(drawn)
        assert saying(error) <= {mistake}.union(*(each for each in ALIKE if mistake in each)), error.message
        if issubclass(drawn.error, OF_TEXTS) and mistake not in NOT_IN_THE_TEXT:
            assert error.source is not None and error.span is not None
            assert error.source in (drawn.source, drawn.schedule)
            assert 0 <= error.span.start < error.span.stop <= len(error.source) + 1

    is_refused()


def test_mistakes_are_equally_likely() -> None:
    """Of mistakes that are equally likely, 1.5 draws for each (from bytes of their own) make all but e^-1.5 of them."""
    assert all(each.possible(SMALL) for each in MISTAKES.values())
    made = set()

    @settings(quiet)
    @given(invalid_programs(SMALL))
    def draws(drawn: Invalid) -> None:
        made.add(drawn.mistake)

    for number in range(3 * len(MISTAKES) // 2):
        draws.hypothesis.fuzz_one_input(bytes_of(0, number, 0))  # type: ignore[attr-defined]
    assert len(made) > 0.75 * len(MISTAKES)


@settings(quiet, max_examples=60)
@given(invalid_programs())
def test_programs_with_any_features_are_refused(drawn: Invalid) -> None:
    refused(drawn)


def test_a_mistake_has_one_name_and_needs_features() -> None:
    assert sum(map(len, TABLES)) == len(MISTAKES)
    few = Features(semirings=(), schedules=False, masks=(), updates=())
    left_out = {name for name, each in MISTAKES.items() if not each.possible(few)}
    assert {"an unknown semiring", "an unknown command", "a mask of another shape"} <= left_out


def shrunk(mistake: str) -> str:
    """The schedule or the source of the simplest program with a mistake."""
    shrinking = settings(quiet, phases=[Phase.generate, Phase.shrink])
    found = find(invalid_programs(SMALL, mistake), lambda _: True, settings=shrinking)
    return found.schedule or found.source


@pytest.mark.parametrize(
    ("mistake", "expected"),
    [
        ("an operator without an operand", "R(i) = A(i) +"),
        ("a variable of the result that does not occur on the right", "R(i,z) = A(i)"),
        ("an implicit sum in a divisor", "R(i) = A(i) / Z(z)"),
        ("an unknown command", "tile(i,u,v,4)"),
        ("a race without a race strategy", "parallelize(j,CPUThread,NoRaces)"),
    ],
)
def test_draws_shrink_to_simple_programs(mistake: str, expected: str) -> None:
    assert shrunk(mistake) == expected


def test_what_is_printed_is_refused_as_it_is() -> None:
    for mistake in ("an operand that does not occur", "a negative coordinate", "a fill that its dtype cannot hold"):
        found = find(invalid_programs(mistake=mistake), lambda _: True, settings=quiet)
        with pytest.raises(found.error):
            exec(repr(found), {"gn": gn})
        assert mistake in repr(found) and found.error.__name__ in repr(found)


def test_data_are_plain() -> None:
    found = find(invalid_programs(mistake="a coordinate outside the shape"), lambda _: True, settings=quiet)
    assert repr(pickle.loads(pickle.dumps(found))) == repr(found)
