"""What results are beside what a problem means."""

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.backends.outcome import Kind, Outcome, judge, outcome_of_exception
from gnomon.properties.backends.result import Result, result_of
from gnomon.properties.programs.problem import Problem
from gnomon.reference.storage.named_formats import format_of

THIRD = gn.tensor([[0, 2]], [7 / 3, 1.0], (3,), "SparseVector")
GIVEN = Problem("y(i) = z(i)", {"z": THIRD}, format_of("SparseVector"))


def result(rows: dict[int, float], **settings: object) -> Result:
    coords = np.array(list(rows), np.int64).reshape(len(rows), 1)
    values = np.array(list(rows.values()), float)
    return Result(**{"shape": (3,), "dtype": values.dtype, "coords": coords, "values": values, **settings})


@pytest.mark.parametrize(
    ("given", "promises", "expected"),
    [
        (result({0: 7 / 3, 2: 1.0}), ("structure", "dtype"), Outcome(Kind.AGREES)),
        (result({0: 2.33333, 2: 1.0}), (), "values"),
        (result({0: 2.33333, 2: 1.0}, digits=6), (), Outcome(Kind.AGREES)),
        (result({0: 2.3334, 2: 1.0}, digits=6), (), "values"),
        (result({0: 7 / 3}), (), "values"),
        (result({0: 7 / 3, 1: 0.0, 2: 1.0}), (), Outcome(Kind.AGREES)),
        (result({0: 7 / 3, 1: 0.0, 2: 1.0}), ("structure",), "structure"),
        (result({0: 7 / 3, 2: 1.0, 5: 0.0}), (), "structure"),
        (result({0: 7 / 3, 2: 1.0}, fill=1), (), "values"),
        (result({0: 7 / 3, 2: 1.0}, shape=(4,)), (), "shape"),
        (result({0: 7 / 3, 2: 1.0}, dtype=np.dtype("float32")), ("structure",), Outcome(Kind.AGREES)),
        (result({0: 7 / 3, 2: 1.0}, dtype=np.dtype("float32")), ("dtype",), "dtype"),
        (result_of(np.array([7 / 3, 0.0, 1.0])), ("structure", "dtype"), Outcome(Kind.AGREES)),
    ],
)
def test_a_result_is_compared_by_what_is_promised(given: Result, promises: tuple[str, ...], expected: object) -> None:
    found = judge(GIVEN, given, promises)
    assert found == expected or (found.kind is Kind.WRONG and found.cause == expected)


def test_a_component_that_is_lacking_belongs_to_the_structure() -> None:
    zero = Problem("y(i) = 0 * z(i)", {"z": THIRD}, format_of("SparseVector"))
    assert judge(zero, result({0: 0.0}), ()).kind is Kind.AGREES
    assert judge(zero, result({0: 0.0}), ("structure",)).detail == "(2,) belongs to the structure but is not stored"


def test_duplicates_stand_for_their_sum() -> None:
    twice = Result((3,), np.dtype("float64"), np.array([[0], [0], [2]]), np.array([2.0, 1 / 3, 1.0]))
    assert judge(GIVEN, twice).kind is Kind.AGREES
    assert judge(GIVEN, twice, ("structure",)).detail == "(0,) is stored 2 times"
    some = Problem("y(i) = z(i)", {"z": gn.tensor([[0]], [True], (1,), "Dense", dtype="bool")}, format_of("Dense", 1))
    both = Result((1,), np.dtype("bool"), np.array([[0], [0]]), np.array([True, True]))
    assert judge(some, both).kind is Kind.AGREES


def test_causes_leave_out_numbers_and_names() -> None:
    one, two = (outcome_of_exception(ValueError(f"row {n} of 'A{n}' is {n / 7}")) for n in (1, 2))
    assert one.cause == two.cause == "ValueError: row # of 'A#' is #"
    assert one.detail != two.detail


@pytest.mark.parametrize("error", [SystemExit(0), KeyError(7), ValueError(-1.5, (2, 3)), OverflowError("")])
def test_a_message_of_numbers_is_no_part_of_a_cause(error: BaseException) -> None:
    assert outcome_of_exception(error).cause == type(error).__name__


def test_what_is_no_tensor_is_no_result() -> None:
    with pytest.raises(TypeError, match="gave a str"):
        result_of("7")
    floats = Result((2,), np.dtype("float64"), np.array([[0.0]]), np.array([1.0]))
    with pytest.raises(
        TypeError, match=r"integer coordinates of shape \(1, 1\), .* found coordinates of dtype float64"
    ):
        result_of(floats)


@pytest.mark.parametrize(
    "changes",
    [
        {"values": np.ones(2)},
        {"coords": np.zeros((1, 2), int)},
        {"coords": np.zeros((1, 1))},
        {"values": np.array([None])},
        {"dtype": np.dtype(object)},
        {"fill": "nothing"},
    ],
    ids=str,
)
def test_what_does_not_hold_together_is_no_result(changes: dict[str, object]) -> None:
    assert result_of(result({0: 1.0})).components() == {(0,): [1.0]}
    with pytest.raises(TypeError, match="values"):
        result_of(result({0: 1.0}, **changes))


def test_a_fill_that_the_dtype_cannot_hold_is_wrong() -> None:
    zero = Problem("y(i) = z(i)", {"z": gn.tensor([[]], [], (3,), "SparseVector", dtype="int64")}, GIVEN.out)
    assert judge(zero, result({}, fill=0.0)).kind is Kind.AGREES
    assert judge(zero, result({}, fill=0.5)).cause == "values"


def test_what_stands_between_quotations_is_kept() -> None:
    assert outcome_of_exception(TypeError("'int' object is not subscriptable by 'str'")).cause == (
        "TypeError: 'int' object is not subscriptable by 'str'"
    )
    long = "x" * 40
    assert outcome_of_exception(KeyError(f"'{long}' and 'it' of \"{long}\"")).cause.count("'…'") == 2


@pytest.mark.parametrize(
    ("dtype", "values", "said"),
    [("int64", [2**53 + 1, 0], "9007199254740993"), ("bool", [True, False], "True"), ("float64", [2.5, 0], "2.5")],
)
def test_what_was_expected_is_a_number_of_the_dtype(dtype: str, values: list, said: str) -> None:
    operand = gn.tensor([[0, 1]], np.array(values, dtype), (2,), "d", dtype=dtype)
    problem = Problem("y(i) = x(i)", {"x": operand}, "d")
    outcome = judge(problem, result_of(np.zeros(2, dtype)))
    assert f"expected {said}" in outcome.detail and "within" not in outcome.detail


def test_what_no_text_holds_is_escaped() -> None:
    """As bytes of the names of files are that are not UTF-8."""
    error = OSError("cannot open " + b"caf\xe9".decode(errors="surrogateescape"))
    assert outcome_of_exception(error).detail == "OSError: cannot open caf\\udce9"


def test_elements_that_are_masked_are_no_result() -> None:
    with pytest.raises(TypeError, match="the backend gave a MaskedArray, not a tensor"):
        result_of(np.ma.masked_array(np.ones(2), [True, True]))
