"""Sizes of operands: measured once where they cannot change."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime import sizes
from gnomon.generator.runtime.sizes import Sizes
from gnomon.reference.schedule.branched.choice import Place, Size, measure
from gnomon.reference.storage.tensor import Tensor

PLACES = {"n": Place("A", 1, 1, Size.POSITIONS), "m": Place("A", 1, 1, Size.LONGEST), "k": Place("B", 0, 1, Size.MODE)}
A = gn.tensor([[0, 0, 2], [1, 2, 0]], [1.0, 2.0, 3.0], (3, 4), "CSR")


def test_sizes_of_tensors_are_measured_once_and_of_arrays_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(sizes, "measure", lambda place, operand: asked.append(operand) or measure(place, operand))
    known, B = Sizes(), np.ones((2, 5))
    for _ in range(3):
        assert known.of(PLACES, {"A": A, "B": B}) == {"n": 3, "m": 2, "k": 5}
    assert [each is A for each in asked] == [True, True, False, False, False]


def test_sizes_of_what_somebody_may_change_are_measured_each_time() -> None:
    pos = A.levels[1]["pos"].copy()
    given = Tensor(A.format, A.shape, A.dtype, A.fill, ({}, {**A.levels[1], "pos": pos}), {}, A.extents, A.vals.copy())
    known, places = Sizes(), {"m": PLACES["m"]}
    assert known.of(places, {"A": given}) == {"m": 2}
    pos[:] = [0, 3, 3, 3]
    assert known.of(places, {"A": given}) == {"m": 3}


def test_of_two_tensors_each_has_its_own() -> None:
    known = Sizes()
    assert [known.of({"n": PLACES["n"]}, {"A": each})["n"] for each in (A, A.convert("COO"), A + A, A)] == [3, 3, 3, 3]
    longer = gn.tensor([[0, 0, 0], [1, 2, 0]], [1.0, 2.0, 3.0], (3, 4), "CSR")
    assert [known.of({"m": PLACES["m"]}, {"A": each})["m"] for each in (A, longer, A)] == [2, 3, 2]
