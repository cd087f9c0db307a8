"""Choices: what a kernel follows unasked, by the sizes of what it is called with.

A call takes the finalist that is the least work for its operands (`products.py`, `inputs.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

from ...levels.compressed import Compressed
from ...levels.hashed import Hashed
from ...levels.level import Indices
from ...levels.singleton import Singleton
from ...storage.tensor import Tensor
from ..schedule import Schedule
from .work import Work


class Size(StrEnum):
    """What a size is: the extent of a mode, or of a level of an operand its extent, its positions, how many of these
    hold a coordinate, or how many are below one parent at most."""

    MODE = "mode"
    EXTENT = "extent"
    POSITIONS = "positions"
    COORDINATES = "coordinates"
    LONGEST = "longest"


class Place(NamedTuple):
    """Where a size is found: at a level of an operand, or at a mode."""

    tensor: str
    level: int
    mode: int
    size: Size


class Finalist(Struct, frozen=True):
    """A schedule, the graph that it makes, and its work."""

    schedule: Schedule
    structure: str
    work: Work

    @property
    def reason(self) -> str:
        """Why it may be taken: its graph and its work."""
        return f"{self.structure}: work {self.work}"

    def __str__(self) -> str:
        return f"{self.reason}, {self.schedule}"


class Choice(Struct, frozen=True):
    """The finalists, of which each is the least work for some sizes, and where sizes are found. Finalists that are the
    least for more sizes come first; schedules that copy operands come last."""

    finalists: tuple[Finalist, ...]
    places: Mapping[str, Place]

    def __str__(self) -> str:
        return "\n".join(map(str, self.finalists))

    def at(self, operands: Mapping[str, Any]) -> Finalist:
        """The finalist of least work for some operands: tensors, or arrays of what is stored dense."""
        return self.in_order(self.sizes(operands))[0] if self.is_for(operands) else self.finalists[0]

    def is_for(self, operands: Mapping[str, Any]) -> bool:
        """Whether sizes are found in these operands: a statement for some extents may read others, as one in which
        nothing is missing that would have to be counted."""
        return operands.keys() >= {place.tensor for place in self.places.values()}

    def sizes(self, operands: Mapping[str, Any]) -> dict[str, int]:
        """The sizes of some operands on which work depends."""
        return {name: measure(place, operands[place.tensor]) for name, place in self.places.items()}

    def in_order(self, sizes: Mapping[str, int]) -> list[Finalist]:
        """The finalists in the order of their work for some sizes."""
        return sorted(self.finalists, key=lambda each: each.work.evaluate(sizes))


def measure(place: Place, operand: Any) -> int:
    """The size at a place, 1 at least. Of positions with duplicates those count that differ, as many as are expected
    if they lie anywhere."""
    if not isinstance(operand, Tensor) or place.size is Size.MODE:
        return max(int(operand.shape[place.mode]), 1)
    if place.size is Size.EXTENT:
        return max(operand.extents[place.level], 1)
    if place.size is Size.LONGEST:
        return max(longest_fiber(operand, place.level), 1)
    level, size = operand.format.levels[place.level], operand.size(place.level)
    if place.size is Size.COORDINATES and isinstance(level, Hashed):
        size = int(np.count_nonzero(operand.storage(place.level)["crd"] != -1))
    if not level.unique:
        size = distinct(size, math.prod(operand.extents[: place.level + 1]))
    return max(size, 1)


def longest_fiber(operand: Tensor, k: int) -> int:
    """How many positions of a level are below one coordinate of the level above at most: of chains of singletons, how
    many have the same coordinates above in a row; all that there may be, where a level keeps them otherwise."""
    storage = operand.storage(k)
    match operand.format.levels[k]:
        case Compressed():
            return int(np.diff(storage["pos"]).max(initial=0))
        case Hashed():
            return int(storage["W"])
        case Singleton() if operand.size(k) > 0:
            return longest_run([operand.storage(n).get("crd", ()) for n in range(k)], operand.size(k))
        case _:
            return operand.extents[k]


def longest_run(arrays: Sequence[Indices], size: int) -> int:
    """How many places in a row, of so many, have the same in each of some arrays; all of them where these are not as
    long.

    >>> longest_run([np.array([3, 3, 3, 4]), np.array([0, 0, 1, 1])], 4)
    2
    """
    if not all(len(each) == size for each in arrays):
        return size
    begins = np.flatnonzero(np.any([each[1:] != each[:-1] for each in arrays], axis=0)) + 1
    return int(np.diff(begins, prepend=0, append=size).max())


def distinct(count: int, among: int) -> int:
    """How many of some numbers differ, as is expected of any numbers among so many.

    >>> distinct(1000, 10), distinct(1000, 10**9), distinct(3, 0)
    (10, 1000, 0)
    """
    return round(-among * math.expm1(-count / among)) if among else 0
