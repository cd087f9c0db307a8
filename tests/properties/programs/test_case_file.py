"""Case files: what is written is read again, array by array, and what is malformed is refused with its place."""

import contextlib
import copy
import json
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.programs.case_file import (
    CaseError,
    number_as_json,
    number_of_json,
    problem_as_json,
    problem_of_json,
    tensor_as_json,
    tensor_of_json,
)
from gnomon.properties.programs.problem import Problem
from gnomon.properties.strategies import programs
from gnomon.reference.storage.format import Format
from gnomon.reference.storage.named_formats import format_of
from gnomon.reference.storage.tensor import Tensor
from hypothesis import given, settings
from hypothesis import strategies as st

A = gn.tensor([[0, 2], [1, 0]], [1.5, float("inf")], (3, 2), "CSR")
X = gn.tensor([[1]], [2 + 1j], (2,), "SparseVector", fill=0, dtype="complex64")
GOOD = problem_as_json(Problem("y(i) = A(i,j) * x(j)", {"A": A, "x": X}, format_of("Dense", 1)))


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def same(a: Any, b: Any) -> bool:
    """Whether two arrays or numbers have the same type and the same bytes."""
    return np.asarray(a).dtype == np.asarray(b).dtype and np.asarray(a).tobytes() == np.asarray(b).tobytes()


def check_arrays(held: Tensor, again: Tensor) -> None:
    assert (again.format, again.shape, again.dtype, again.extents) == (
        held.format, held.shape, held.dtype, held.extents,
    )  # fmt: skip
    assert same(again.vals, held.vals) and same(again.fill, held.fill)
    for ours, theirs in zip((*held.levels, held.shared), (*again.levels, again.shared), strict=True):
        assert ours.keys() == theirs.keys()
        assert all(same(ours[name], theirs[name]) for name in ours)


@given(programs())
@settings(max_examples=settings().max_examples // 2)
def test_what_is_written_is_read_array_by_array(problem: Problem) -> None:
    again = problem_of_json(through_json(problem_as_json(problem)))
    assert (again.source, again.out, again.semiring) == (problem.source, problem.out, problem.semiring)
    assert str(again.schedule) == str(problem.schedule)
    assert again.operands.keys() == problem.operands.keys()
    for name, tensor in problem.operands.items():
        check_arrays(tensor, again.operands[name])


@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("format", ["CSR", "COO", "ds:1,0", "HashMap", "DIA"])
def test_index_dtypes_are_kept(format: str, index: str) -> None:
    held = gn.tensor([[0, 1, 2], [1, 0, 1]], [1.0, 2.0, 3.0], (3, 3), format, index=index)
    again = tensor_of_json(through_json(tensor_as_json(held)))
    check_arrays(held, again)


def test_formats_of_ones_own_are_written_by_their_levels() -> None:
    mine = Format(["dense", "compressed"], [1, 0], name="mine")
    wrong = Format(["compressed", "compressed"], name="CSR")
    for format in (mine, wrong):
        held = gn.tensor([[0, 2], [1, 0]], [1.0, 2.0], (3, 2), format)
        again = problem_of_json(through_json(problem_as_json(Problem("C(i,j) = A(i,j)", {"A": held}, format))))
        assert again.out == format
        check_arrays(held, again.operands["A"])
    assert tensor_as_json(A)["format"] == "CSR"


def changed(place: str, value: Any) -> Any:
    """The good case with another value at a place; `...` deletes the key."""
    case = through_json(GOOD)
    *path, last = place.split(".")
    part = case
    for key in path:
        part = part[int(key) if key.isdigit() else key]
    if value is ...:
        del part[last]
    else:
        part[int(last) if last.isdigit() else last] = value
    return case


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        ("expression", 5, "expected a text, but found 5 in expression"),
        ("expression", "y(i) = ", "in expression"),
        ("expression", ..., "expected a key 'expression', but found none in the whole"),
        ("semiring", "min_min_min", "in semiring"),
        ("semiring", "nonsense", "unknown semiring 'nonsense' in semiring"),
        ("semiring", False, "expected a text, but found False in semiring"),
        ("schedule", "split(i", "in schedule"),
        ("schedule", None, "expected a text, but found None in schedule"),
        ("operands", [], r"expected an object, but found \[\] in operands"),
        ("operands.A", None, "expected an object, but found None in operands.A"),
        ("operands.A.shape", 3, "expected a list, but found 3 in operands.A.shape"),
        ("operands.A.shape.1", True, r"expected an extent, but found True in operands.A.shape\[1\]"),
        ("operands.A.shape.0", -3, r"expected an extent, but found -3 in operands.A.shape\[0\]"),
        ("operands.A.shape.0", 10**30, "expected an extent"),
        ("operands.A.shape.0", 2, r"a coordinate below 2, but found 2 in operands.A.coordinates\[1\]\[0\]"),
        ("operands.A.format", "mine", "'mine' in operands.A.format"),
        ("operands.A.format", "SparseVector", "in operands.A.format"),
        ("operands.A.format", "BCSR(0,0)", "in operands.A.format"),
        ("operands.A.dtype", "float16", "expected one of .*, but found 'float16' in operands.A.dtype"),
        ("operands.A.dtype", {}, "in operands.A.dtype"),
        ("operands.A.index", "int8", "expected one of int32, int64, but found 'int8' in operands.A.index"),
        ("operands.A.dtype", "int8", r"a number of dtype int8, but found 1.5 in operands.A.values\[0\]"),
        ("operands.A.fill", "0", "it is not a number in operands.A.fill"),
        ("operands.A.fill", [1, 2], "expected a number of dtype float64"),
        ("operands.A.coordinates.0", [1], r"expected 2 coordinates, but found \[1\] in operands.A.coordinates\[0\]"),
        ("operands.A.coordinates", [], "expected as many values as coordinates, 0"),
        ("operands.x.values.0", [1, 10**400], r"in operands.x.values\[0\]"),
        ("result", ..., "expected a key 'result'"),
        ("result.format", "CSR", "in result.format"),
    ],
)  # fmt: skip
def test_what_is_malformed_is_refused_with_its_place(place: str, value: Any, said: str) -> None:
    with pytest.raises(CaseError, match=said):
        problem_of_json(changed(place, value))


def test_index_dtypes_may_be_left_out() -> None:
    check_arrays(A, problem_of_json(changed("operands.A.index", ...)).operands["A"])


@pytest.mark.parametrize("value", [None, [], 5, "text", {}])
def test_what_is_no_case_at_all_is_refused(value: Any) -> None:
    with pytest.raises(CaseError, match="in the whole"):
        problem_of_json(value)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to everything in JSON."""
    match value:
        case dict():
            return [p for key, each in value.items() for p in [(*path, key), *places(each, (*path, key))]]
        case list():
            return [p for n, each in enumerate(value) for p in [(*path, n), *places(each, (*path, n))]]
        case _:
            return []


ODD: tuple[Any, ...] = (
    None, True, 0, -1, 3, 10**30, 0.5, float("nan"), 1e300, "", "x", "i", "CSR", "inf", [], [1], [[1]], [1, 2],
    {}, {"a": 1},
)  # fmt: skip


@given(programs(), st.data())
@settings(max_examples=settings().max_examples // 2)
def test_any_change_gives_a_problem_or_says_what_is_wrong(problem: Problem, data: st.DataObject) -> None:
    case = through_json(problem_as_json(problem))
    found = places(case)
    path = data.draw(st.sampled_from(found))
    part = case
    for key in path[:-1]:
        part = part[key]
    if data.draw(st.booleans()):
        del part[path[-1]]
    else:
        part[path[-1]] = copy.deepcopy(data.draw(st.sampled_from(ODD)))
    with contextlib.suppress(CaseError):
        assert isinstance(problem_of_json(case), Problem)


@pytest.mark.parametrize("number", [0, -0.0, True, 2**63, 1e-320, complex(-0.0, float("inf")), float("-inf")])
def test_numbers_come_back(number: Any) -> None:
    again = number_of_json(through_json(number_as_json(number)))
    assert type(again) is type(number)
    assert repr(again) == repr(number)
