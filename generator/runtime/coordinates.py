"""Coordinates as operands: kernels know them from their loops, and read no vector of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from ...reference.algebra.dtypes import COORDINATE, Number
from ...reference.files.operands import coordinate_extents
from ...reference.notation.text import Text
from ...reference.storage.named_formats import dense
from ...reference.storage.spec import Spec
from .structs import Struct

COORDINATES = Spec(dense(1), COORDINATE)
"""How kernels take them to be stored."""


class Coordinates(msgspec.Struct, frozen=True):
    """The vector 0, 1, 2, ... of an index variable, of which nothing is stored.

    >>> Coordinates(3).holds(2.0), Coordinates(3).holds(2.5), Coordinates(3).holds(float("inf"))
    (True, False, False)
    """

    extent: int

    @property
    def shape(self) -> tuple[int]:
        """The shape of the vector."""
        return (self.extent,)

    @property
    def struct(self) -> Struct:
        """The vector as a struct, without values."""
        return Struct.empty(self.shape, self.shape)

    def holds(self, number: Number) -> bool:
        """Whether some coordinate is a number."""
        return number == number.real and 0 <= number.real < self.extent and number.real == int(number.real)


def coordinates_of(text: Text, operands: Mapping[str, Any]) -> dict[str, Coordinates]:
    """The coordinates that a text reads, by the names of their variables, as far as operands say.

    Raises ExpressionError where a vector of another content is among the operands.
    """
    return {name: Coordinates(extent) for name, extent in coordinate_extents(text, operands).items()}
