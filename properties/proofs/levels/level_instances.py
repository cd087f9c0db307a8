"""Small concrete levels: every storage of few parents, positions and coordinates that passes validation.

Where a statement about a level format cannot be proved, a counterexample is looked for among them, by running the
level functions themselves. Arrays refuse indices that Python would count from their ends.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from msgspec import Struct

from ....reference.levels.iterators import children
from ....reference.levels.level import Coordinates, Level
from ..verdict import Values
from .level_model import is_below_dense
from .storage_axioms import is_sized

PARENTS = 2
EXTENT = 3
POSITIONS = 6
PARAMETER = 3
MOST = 600
"""Contents that are tried of each shape: parents, positions, extent, parameters."""
BOUND = f"levels of up to {PARENTS} parents, {POSITIONS} positions and extent {EXTENT}, {MOST} tries of each shape"
READS = 100_000
"""After so many reads of an array a function is taken to read it for ever."""


class Endless(Exception):
    """A level function that seems not to end."""


BROKEN = (IndexError, ZeroDivisionError, RecursionError, Endless)
"""What a level function raises where in C it would read elsewhere, or never end."""


class Elements(list[int]):
    """An array whose elements are those from 0 on, and which notes in order which of them are read."""

    def __init__(self, name: str, values: Iterable[int], read: dict[tuple[str, int], None]) -> None:
        super().__init__(values)
        self.name, self.read, self.reads = name, read, 0

    def __getitem__(self, n: Any) -> Any:
        self.reads += 1
        if self.reads > READS:
            raise Endless(f"{self.name} is read more than {READS} times")
        for m in range(*n.indices(len(self))) if isinstance(n, slice) else (n,):
            if not 0 <= m < len(self):
                raise IndexError(m)
            self.read[self.name, m] = None
        return super().__getitem__(n)

    def __setitem__(self, n: Any, value: Any) -> None:
        if isinstance(n, int) and not 0 <= n < len(self):
            raise IndexError(n)
        super().__setitem__(n, value)


class Small(Struct, frozen=True):
    """A bound level with its number of parents and positions, and the extents of the two levels above."""

    level: Level
    parents: int
    size: int
    N: int
    above: tuple[int, int]

    def print_values(self, **more: Any) -> Values:
        """The storage and other values, as they are printed."""
        held = {name: getattr(self.level, name) for name in self.level.roles()}
        named = {**held, "parents": self.parents, **more}
        return tuple((name, str(v)) for name, v in named.items())

    def contents(self) -> str:
        """The arrays, in one line."""
        held = {name: getattr(self.level, name) for name in self.level.roles()}
        return ", ".join(f"{name} = {value}" for name, value in held.items() if isinstance(value, list))

    def paths(self, p: int) -> Iterator[Coordinates]:
        """Coordinates that a parent and its ancestor may have."""
        if is_below_dense(self.level):
            yield (0, p)
        else:
            yield from product(*map(range, self.above))

    def children(self, p: int, path: Coordinates) -> list[tuple[int, int]]:
        """What iteration gives below a parent."""
        return list(children(self.level, p, path))

    def components(self) -> list[tuple[int, Coordinates, int, int]]:
        """What iteration gives below all parents: parent, path, coordinate, position."""
        return [
            (p, path, c, q) for p in range(self.parents) for path in self.paths(p) for c, q in self.children(p, path)
        ]

    def holds_something(self) -> bool:
        """Whether iteration gives anything, and stays inside the arrays."""
        try:
            return bool(self.components())
        except BROKEN:
            return False

    def storage(self) -> dict[str, Any]:
        """A copy of what the level is bound to."""
        held = {name: getattr(self.level, name) for name in self.level.roles()}
        return {name: Elements(name, v, {}) if isinstance(v, list) else v for name, v in held.items()}

    def copy(self) -> Small:
        """The same with arrays of its own."""
        return Small(self.level.bind(self.storage()), self.parents, self.size, self.N, self.above)

    def is_valid(self) -> bool:
        """Whether the level's storage passes validation."""
        try:
            if declared_size(self.level, self.parents) not in (None, self.size):
                return False
            if any(len(getattr(self.level, n)) != length for n, length in self.wanted_lengths().items()):
                return False
            return next(self.level.violations(self.parents, self.size), None) is None
        except BROKEN:
            return False

    def wanted_lengths(self) -> dict[str, int]:
        """The lengths that the arrays should have."""
        own = self.level.lengths(self.parents, self.size)
        return own | self.level.shared_lengths((1, *self.above))


def shapes(level: Level) -> Iterator[tuple[int, int, int, dict[str, int]]]:
    """Numbers of parents and positions, extents and parameters, smaller ones first."""
    names = [name for name, role in level.roles().items() if role == "parameter" or name == "M"]
    values = product(range(PARAMETER + 1), repeat=len(names))
    found = product(range(PARENTS + 1), range(POSITIONS + 1), range(EXTENT + 1), values)
    for parents, size, N, chosen in sorted(found, key=lambda f: (f[0] + f[1] + f[2] + sum(f[3]), f)):
        yield parents, size, N, dict(zip(names, chosen, strict=True))


def valid(level: Level) -> Iterator[Small]:
    """Small levels whose storage passes validation."""
    for parents, size, N, parameters in shapes(level):
        above = (2, parents) if is_below_dense(level) else (2, 2)
        shape = Shape(level, parents, size, N, above, {**parameters, "N": N})
        lengths = shape.lengths()
        if lengths is not None:
            yield from contents(shape, lengths, max(N, size))


class Shape(Struct, frozen=True):
    """Everything about a small level but what its arrays hold."""

    level: Level
    parents: int
    size: int
    N: int
    above: tuple[int, int]
    known: Mapping[str, int]

    def with_storage(self, arrays: Mapping[str, Elements]) -> Small:
        """A level with these arrays."""
        return Small(self.level.bind({**self.known, **arrays}), self.parents, self.size, self.N, self.above)

    def lengths(self) -> dict[str, int] | None:
        """The lengths of its arrays, if it can have that many positions."""
        bound = copy.copy(self.level)
        for name, value in self.known.items():
            object.__setattr__(bound, name, value)
        found = bound.lengths(self.parents, self.size) | bound.shared_lengths((1, *self.above))
        fits = declared_size(bound, self.parents) in (None, self.size)
        return found if fits and all(n >= 0 for n in found.values()) else None


def declared_size(level: Level, parents: int) -> int | None:
    """How many positions a level says that it has, if it does and can without its arrays."""
    try:
        return level.size(parents) if is_sized(level) else None
    except (AttributeError, *BROKEN):
        return None


def contents(shape: Shape, lengths: Mapping[str, int], greatest: int) -> Iterator[Small]:
    """Levels of a shape that pass validation, with all contents of their arrays up to what validation looks at.

    Whether a level is valid depends on the elements that validation read, so after each answer the last of them is
    changed (Boyapati, Khurshid and Marinov 2002). Elements that it never read all have the same value, any.
    """
    places = [(name, n) for name, length in lengths.items() for n in range(length)]
    values = dict.fromkeys(places, -1)
    for _ in range(MOST):
        read: dict[tuple[str, int], None] = {}
        small = shape.with_storage(log_reads(values, lengths, read))
        if small.is_valid():
            left = [place for place in places if place not in read]
            for value in range(-1, greatest + 1) if left else (0,):
                chosen = {**values, **dict.fromkeys(left, value)}
                yield shape.with_storage(log_reads(chosen, lengths, {}))
        order = list(read)
        while order and values[order[-1]] == greatest:
            values[order.pop()] = -1
        if not order:
            return
        values[order[-1]] += 1


def log_reads(
    values: Mapping[tuple[str, int], int], lengths: Mapping[str, int], read: dict[tuple[str, int], None]
) -> dict[str, Elements]:
    """Arrays that note which of their elements are read."""
    return {name: Elements(name, [values[name, n] for n in range(length)], read) for name, length in lengths.items()}
