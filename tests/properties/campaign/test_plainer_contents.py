"""Plainer contents: what is left of operands of which one thing matters."""

from collections.abc import Callable

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.campaign.plainer_contents import STEPS, valid_steps, with_shorter_extents
from gnomon.properties.programs.features import EVERYTHING, PLAIN, Features
from gnomon.properties.programs.problem import Problem
from msgspec.structs import replace

ROWS = gn.tensor(
    [[0, 1, 4, 4], [3, 20, 0, 20]], [2 + 1j, 3, float("nan"), 5], (6, 21), "CSR", dtype="complex128", fill=1
)
NUMBERS = gn.tensor([[0, 20]], np.array([7, -(2**40)], np.int64), (21,), "SparseVector", dtype="int64")


def left(problem: Problem, matters: Callable[[Problem], bool], features: Features = EVERYTHING) -> Problem:
    """What is left of a problem when steps are taken as long as what matters is there."""
    before = None
    while problem is not before:
        before = problem
        for step in STEPS:
            while (found := next(filter(matters, valid_steps(step, problem, features=features)), None)) is not None:
                problem = found
    return problem


def product(A: gn.Tensor = ROWS, x: gn.Tensor = NUMBERS, ring: str | None = None) -> Problem:
    return Problem("y(i) = A(i,j) * x(j)", {"A": A, "x": x}, "d", ring)


def test_what_does_not_matter_goes() -> None:
    found = left(product(), lambda p: p.operands["A"].nnz > 0)
    assert found.extents == {"i": 1, "j": 1}
    assert [(t.dtype.name, t.fill, t.nnz) for t in found.operands.values()] == [("float64", 0, 1), ("float64", 0, 0)]
    assert found.operands["A"].vals.tolist() == [1.0] and str(found.operands["A"].format) == "CSR"


@pytest.mark.parametrize(
    ("matters", "extents", "numbers"),
    [
        (lambda p: p.operands["x"].dtype == np.int64, {"i": 1, "j": 1}, 0),
        (lambda p: bool((abs(p.operands["x"].vals) > 2**32).any()), {"i": 1, "j": 1}, 1),
        (lambda p: p.operands["A"].nnz > 1 and p.operands["x"].nnz > 1, {"i": 1, "j": 2}, 2),
        (lambda p: p.extents["j"] > 16, {"i": 1, "j": 20}, 0),
    ],
)
def test_what_matters_stays(matters: Callable[[Problem], bool], extents: dict[str, int], numbers: int) -> None:
    found = left(product(), matters)
    assert found.operands["x"].nnz == numbers
    assert found.extents["i"] == extents["i"] and extents["j"] <= found.extents["j"] <= 21


def test_coordinates_far_apart_come_close() -> None:
    found = left(product(), lambda p: p.operands["x"].nnz == 2)
    assert found.extents == {"i": 1, "j": 2}


def test_one_tensor_read_twice_keeps_one_shape() -> None:
    square = gn.tensor([[0, 4], [4, 3]], [1.0, 2.0], (5, 5), "CSR")
    twice = Problem("y(i) = A(i,j) * A(j,i)", {"A": square}, "d")
    shapes = {p.operands["A"].shape for p in with_shorter_extents(twice)}
    assert all(m == n for m, n in shapes) and (2, 2) in shapes


def test_semirings_and_indices() -> None:
    wide = ROWS.convert(gn.spec("CSR", index="int64"))
    found = left(product(wide, ring="plus_times"), lambda p: p.operands["A"].levels[1]["crd"].dtype == np.int64)
    assert found.semiring is None and found.extents == {"i": 1, "j": 1}


def test_features_are_kept() -> None:
    narrow = replace(PLAIN, dtypes=("complex128", "int64"), hollow=False, fills=True)
    found = left(product(), lambda p: True, narrow)
    assert [t.dtype.name for t in found.operands.values()] == ["complex128", "int64"]
    assert all(t.nnz for t in found.operands.values())
