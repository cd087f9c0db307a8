"""A new level format is one class: this one is defined here and works everywhere."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.strategies import tensors
from gnomon.reference.errors import FormatError
from gnomon.reference.levels import LEVELS
from gnomon.reference.levels.dense import Dense
from gnomon.reference.levels.iterators import children
from gnomon.reference.levels.level import (
    Append,
    CoordinatePositionIteration,
    Coordinates,
    CoordinateValueIteration,
    Indices,
    Insert,
    Ints,
    Level,
    Locate,
    Placed,
    Violation,
    array,
    extent,
)
from gnomon.reference.storage.format import Format
from hypothesis import given, settings
from hypothesis import strategies as st


@dataclass(frozen=True)
class Reversed(Level):
    """A compressed level that stores the distance of each coordinate from the end of its dimension."""

    name: ClassVar[str] = "reversed"

    pos: Ints = array()
    back: Ints = array()
    N: int = extent()

    def pos_bounds(self, p: int) -> tuple[int, int]:
        return self.pos[p], self.pos[p + 1]

    def pos_access(self, p: int, i: Coordinates) -> tuple[int, bool]:
        return self.N - 1 - self.back[p], True

    def append_coord(self, p: int, i: int) -> None:
        self.back[p] = self.N - 1 - i

    def append_edges(self, p: int, begin: int, end: int) -> None:
        self.pos[p + 1] = end - begin

    def append_init(self, begin: int, end: int) -> None:
        for p in range(begin, end):
            self.pos[p + 1] = 0

    def append_finalize(self, parents: int, size: int) -> None:
        for p in range(parents):
            self.pos[p + 1] = self.pos[p + 1] + self.pos[p]

    def lengths(self, parents: int, size: int) -> dict[str, int]:
        return {"pos": parents + 1, "back": size}

    def stored_size(self, parents: int) -> int:
        return len(self.back)

    def place(self, parents: Indices, i: Sequence[Indices], fresh: Indices, count: int) -> Placed:
        first = np.flatnonzero(fresh)
        pos = np.concatenate(([0], np.cumsum(np.bincount(parents[first], minlength=count))))
        return Placed(np.cumsum(fresh) - 1, len(first), {"pos": pos, "back": self.N - 1 - i[-1][first]})

    def violations(self, parents: int, size: int) -> Iterator[Violation]:
        for p in range(size):
            if not 0 <= self.back[p] < self.N:
                yield Violation("back", p, f"is {self.back[p]}")


def test_a_users_level_reads_and_assembles() -> None:
    format = Format([Dense(), Reversed()])
    rng = np.random.default_rng(5)
    dense = rng.integers(0, 3, (6, 5)).astype(float)
    a = gn.from_numpy(dense, format)
    a.validate()
    assert np.array_equal(a.to_numpy(), dense)
    for expression, expected in (("C(i,j) = A(i,j) + B(i,j)", 2 * dense), ("C(i,j) = A(i,j) * B(i,j)", dense**2)):
        report = gn.check(expression, A=a, B=a.convert("COO"), out=format)
        assert np.array_equal(report.execution.result.to_numpy(), expected)


TABLE_1 = {
    "dense": ("V L I", {"full", "ordered", "unique", "compact"}),
    "range": ("V", {"ordered", "unique"}),
    "compressed": ("P A", {"ordered", "unique", "compact"}),
    "singleton": ("P A", {"ordered", "unique", "branchless", "compact"}),
    "offset": ("P", {"ordered", "unique", "branchless"}),
    "hashed": ("P L I", {"unique"}),
}


@pytest.mark.parametrize("kind", [k for k in LEVELS if k.name in TABLE_1], ids=lambda k: k.name)
def test_table_1(kind: type[Level]) -> None:
    level = kind()
    offered = (CoordinateValueIteration, CoordinatePositionIteration, Locate, Insert, Append)
    capabilities = " ".join(mark for mark, c in zip("VPLIA", offered, strict=True) if isinstance(level, c))
    names = ("full", "ordered", "unique", "branchless", "compact")
    assert (capabilities, {n for n in names if getattr(level, n)}) == TABLE_1[kind.name]


@pytest.mark.parametrize("kind", LEVELS, ids=lambda k: k.name)
def test_level_functions_open_with_the_papers_signature(kind: type[Level]) -> None:
    for name in ("coord_bounds", "coord_access", "pos_bounds", "pos_access", "locate", "append_coord", "insert_coord"):
        if name in vars(kind):
            assert (getattr(kind, name).__doc__ or "").startswith(f"{name}(")


Node = tuple[tuple[Level, ...], int, Coordinates]


def nodes(levels: tuple[Level, ...], p: int = 0, path: Coordinates = ()) -> Iterator[Node]:
    """Every place in a coordinate hierarchy: the levels below it, its position and its coordinates."""
    if levels:
        yield levels, p, path
        for c, q in children(levels[0], p, path):
            yield from nodes(levels[1:], q, (*path, c))


VECTORS = [
    *("dense", "compressed", "compressed(nonunique,unordered)", "hashed", "hashed(width=2)", "bitmap", "accumulator"),
]
MATRICES = [
    *("dense,banded", "dense,skyline", "dense,bitmap", "dense,accumulator", "dense,hashed", "dense,compressed"),
    *("hashed,hashed(width=3)", "compressed,bitmap", "COO", "COO_AoS", "ELL", "DIA", "SparseDIA", "BCSR(2,3)"),
]


@pytest.mark.parametrize("format", [*(gn.format_of(f, 1) for f in VECTORS), *(gn.format_of(f, 2) for f in MATRICES)])
@given(data=st.data())
@settings(max_examples=settings().max_examples // 5)
def test_a_level_finds_what_it_yields_and_nothing_else(format: Format, data: st.DataObject) -> None:
    tensor = data.draw(tensors((5, 5)[: format.order], format=format))
    for (level, *_), p, path in nodes(tensor.bound_levels()):
        pairs, extent = list(children(level, p, path)), level.N  # type: ignore[attr-defined]
        coordinates = [c for c, _ in pairs]
        assert all(0 <= c < extent for c in coordinates)
        assert not level.ordered or coordinates == sorted(coordinates)
        assert not level.unique or len(set(coordinates)) == len(coordinates)
        if isinstance(level, Locate):
            held = dict(pairs)
            answers = {c: level.locate(p, (*path, c)) for c in range(extent)}
            assert {c: q for c, (q, found) in answers.items() if found} == held


def kind(name: str, **configured: bool | int) -> Level:
    return next(level for level in LEVELS if level.name == name)(**configured)


@pytest.mark.parametrize(
    ("level", "storage", "parents", "size", "broken"),
    [
        (kind("accumulator"), {"slot": [1, 2], "crd": [0, 1], "count": [2], "N": 2}, 1, 2, None),
        (kind("accumulator"), {"slot": [1, 1, 0], "crd": [0, 0, 0], "count": [2], "N": 3}, 1, 3, "slot"),
        (kind("accumulator"), {"slot": [0, 1], "crd": [0, 0], "count": [1], "N": 2}, 1, 2, "slot"),
        (kind("accumulator"), {"slot": [1, 2], "crd": [0, 2], "count": [2], "N": 2}, 1, 2, "crd"),
        (kind("banded"), {"lo": [3, 0], "pos": [0, 2, 2], "N": 5}, 2, 2, None),
        (kind("banded"), {"lo": [4, 0], "pos": [0, 2, 2], "N": 5}, 2, 2, "lo"),
        (kind("bitmap"), {"flag": [0, 1], "N": 2}, 1, 2, None),
        (kind("bitmap"), {"flag": [0, 2], "N": 2}, 1, 2, "flag"),
        (kind("hashed"), {"crd": [-1, 5, 2, -1], "W": 4, "N": 6}, 1, 4, None),
        (kind("hashed"), {"crd": [-1, -1, 6, -1], "W": 4, "N": 6}, 1, 4, "crd"),
        (kind("hashed"), {"crd": [-1, -1, 5, -1], "W": 4, "N": 6}, 1, 4, "crd"),
        (kind("hashed"), {"crd": [], "W": 0, "N": 6}, 1, 0, "W"),
        (kind("singleton"), {"crd": [0, 3], "N": 4}, 2, 2, None),
        (kind("singleton"), {"crd": [0, -1], "N": 4}, 2, 2, "crd"),
        (kind("singleton", padded=True), {"crd": [0, -1], "N": 4}, 2, 2, None),
        (kind("singleton", padded=True), {"crd": [0, -2], "N": 4}, 2, 2, "crd"),
        (kind("skyline"), {"pos": [0, 1, 3], "N": 2}, 2, 3, None),
        (kind("skyline"), {"pos": [0, 2, 3], "N": 2}, 2, 3, "pos"),
        (kind("skyline"), {"pos": [0, 1, 1, 2], "N": 2}, 3, 2, "pos"),
    ],
)
def test_broken_arrays_are_named(
    level: Level, storage: dict[str, Any], parents: int, size: int, broken: str | None
) -> None:
    found = next(level.bind(storage).violations(parents, size), None)
    assert (None if found is None else found.array) == broken


@pytest.mark.parametrize("name", ["accumulator", "bitmap", "hashed"])
def test_what_is_new_holds_nothing_whatever_its_arrays_held(name: str) -> None:
    """Two parents of three coordinates each, of which the second is made again."""
    level = kind(name)
    arrays = {n: [7] * 6 for n in level.arrays()} | {"W": 3, "N": 3}
    bound = level.bind(arrays)
    assert isinstance(bound, Insert)
    bound.insert_init(0, 6)
    before = [list(children(bound, p, (p,))) for p in (0, 1)]
    for p, c in ((0, 2), (1, 2), (1, 0)):
        q, found = bound.locate(p, (p, c))  # type: ignore[attr-defined]
        assert not found
        bound.insert_coord(q, c)
    held = [sorted(c for c, _ in children(bound, p, (p,))) for p in (0, 1)]
    bound.insert_init(3, 6)
    again = [sorted(c for c, _ in children(bound, p, (p,))) for p in (0, 1)]
    assert (before, held, again) == ([[], []], [[2], [0, 2]], [[2], []])


def test_structs_are_of_any_length_and_begin_once() -> None:
    head, link = "compressed_aos(nonunique)", "singleton_aos(nonunique)"
    a = gn.tensor([[0, 1, 1], [2, 0, 1], [1, 1, 0]], [1.0, 2.0, 4.0], (2, 3, 2), Format([head, link, "singleton_aos"]))
    assert a.shared["coords"].tolist() == [0, 2, 1, 1, 0, 1, 1, 1, 0]
    with pytest.raises(FormatError, match="shares the coordinate array of the compressed_aos level above"):
        Format(["compressed_aos", "compressed_aos"])


def test_a_fiber_may_come_in_several_pieces() -> None:
    bound = kind("compressed").bind({"pos": [0, 7, 7], "crd": [0] * 4, "N": 5})
    assert isinstance(bound, Append)
    bound.append_init(0, 2)
    for p, begin, end in ((0, 0, 1), (0, 1, 3), (1, 3, 4)):
        bound.append_edges(p, begin, end)
    bound.append_finalize(2, 4)
    assert [bound.pos_bounds(p) for p in (0, 1)] == [(0, 3), (3, 4)]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        (["compressed", "singleton"], r"write compressed\(nonunique\)"),
        (["dense", "singleton"], r"write singleton\(padded\)"),
        (["dense", "singleton(padded)", "singleton"], r"below a padded singleton level .* write singleton\(padded\)"),
    ],
)
def test_a_singleton_has_room_for_all_that_its_parents_hold(levels: list[str], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Format(levels)
