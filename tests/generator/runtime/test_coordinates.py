"""Coordinates as operands: what kernels know of a vector that is not there."""

import math

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.coordinates import Coordinates, coordinates_of
from gnomon.generator.runtime.structs import Struct
from gnomon.reference.algebra.dtypes import Number
from gnomon.reference.errors import ExpressionError
from gnomon.reference.notation.text import Text

TEXT = Text("y(i) = A(i,j) * (j - i)")


@pytest.mark.parametrize(
    "number", [0, 2, 3, -1, 1.0, 1.5, 2 + 0j, 2 + 1j, True, math.inf, -math.inf, math.nan, 2**63 - 1]
)
def test_they_hold_what_the_vector_holds(number: Number) -> None:
    assert Coordinates(3).holds(number) == any(coordinate == number for coordinate in range(3))


def test_they_are_a_vector_without_values() -> None:
    made = Coordinates(2**62)
    assert made.shape == (2**62,) and isinstance(made.struct, Struct)
    assert (made.struct.pointer.level[0].extent, made.struct.pointer.size) == (2**62, 0)


def test_extents_are_those_of_operands() -> None:
    operands = {"A": np.ones((2, 3))}
    found = {"i": Coordinates(2), "j": Coordinates(3)}
    assert coordinates_of(TEXT, operands) == found == coordinates_of(TEXT, {**operands, "j": [0, 1, 2]})
    for wrong in ([0, 1], [0, 2, 1], 3, [[0, 1, 2]]):
        with pytest.raises(ExpressionError, match="j is given, but it is an index variable"):
            coordinates_of(TEXT, {**operands, "j": wrong})


@pytest.mark.parametrize("schedule", ["", "auto", "pos(j,p,A(i,j)),split(p,u,v,2)", "precompute(A(i,j)*j,{j},{j},t)"])
def test_no_kernel_reads_them(schedule: str) -> None:
    """Whatever it does with the loops: there are no values to be read."""
    kernel = gn.compile("y(i) = A(i,j) * j", A="CSR", schedule=schedule)
    assert "j_coordinates->vals" not in kernel.source
    a = gn.tensor([[0, 0, 1], [1, 2, 0]], [5.0, 7.0, 9.0], (2, 3), "CSR")
    assert kernel(A=a).to_numpy().tolist() == [19.0, 0.0]
