"""Every relation maps one to one, and its bounds hold exactly what it derives."""

from __future__ import annotations

from dataclasses import dataclass

from gnomon.reference.derivation import (
    Bound,
    Collapse,
    Coord,
    Derivation,
    Divide,
    Pos,
    bounds,
    derived,
    holds,
    is_exact,
    parents,
    recover_derived,
    recover_original,
    recover_track,
)
from gnomon.reference.provenance import Split
from gnomon.reference.syntax import Access
from hypothesis import given
from hypothesis import strategies as st

STORED = [0, 3, 4, 9]


@dataclass(frozen=True)
class Sizes:
    """A space with known extents and one stored list of coordinates."""

    extents: dict[str, int]

    def extent(self, variable: str) -> int:
        return self.extents[variable]

    def coordinate(self, relation: Pos, position: int) -> int:
        return STORED[position]

    def position(self, relation: Pos, coordinate: int) -> int:
        return STORED.index(coordinate)

    def following(self, relation: Pos, position: int) -> int:
        return STORED[position + 1]


POS = Pos("i", "p", Access("A", ("i",), ("i",)), 0, 1)
SIZES = st.integers(1, 7)


@st.composite
def relations(draw: st.DrawFn) -> tuple[Derivation, Sizes]:
    size = draw(SIZES)
    relation: Derivation = draw(
        st.sampled_from(
            [
                Split("i", "a", "b", size),
                Divide("i", "a", "b", size),
                Collapse("i", "j", "f"),
                Bound("i", "b", 9, "max_exact"),
            ]
        )
    )
    return relation, Sizes({"i": draw(st.integers(0, 20)), "j": draw(st.integers(0, 9))})


def values_of(relation: Derivation, space: Sizes) -> list[dict[str, int]]:
    """Every combination of the parents' values, with what is derived from it."""
    found: list[dict[str, int]] = [{}]
    for parent in parents(relation):
        found = [{**values, parent: n} for values in found for n in range(space.extent(parent))]
    return [{**v, **{d: recover_derived(relation, d, v, space) for d in derived(relation)}} for v in found]


@given(relations())
def test_derived_values_give_their_parents_back(drawn: tuple[Derivation, Sizes]) -> None:
    relation, space = drawn
    for values in values_of(relation, space):
        for parent in parents(relation):
            assert recover_original(relation, parent, values, space) == values[parent]


@given(relations())
def test_bounds_hold_what_is_derived_and_are_exact_where_they_say_so(drawn: tuple[Derivation, Sizes]) -> None:
    relation, space = drawn
    ranges = {v: (0, space.extent(v)) for v in parents(relation)}
    reached = {tuple(values[d] for d in derived(relation)) for values in values_of(relation, space)}
    limits = [bounds(relation, d, ranges, space) for d in derived(relation)]
    assert all(begin <= n < end for point in reached for n, (begin, end) in zip(point, limits, strict=True))
    volume = 1
    for begin, end in limits:
        volume *= max(0, end - begin)
    assert len(reached) <= volume or not reached
    if is_exact(relation, ranges, space) and reached:
        assert len(reached) == volume


@given(relations())
def test_tracking_is_recovering_at_the_next_value(drawn: tuple[Derivation, Sizes]) -> None:
    relation, space = drawn
    found = values_of(relation, space)
    last = derived(relation)[-1]
    for values in found:
        following = {d: values[d] for d in derived(relation)} | {last: values[last] + 1}
        if any(all(other[d] == following[d] for d in derived(relation)) for other in found):
            for parent in parents(relation):
                expected = recover_original(relation, parent, following, space)
                assert recover_track(relation, parent, values, space) == expected


def test_positions_and_coordinates() -> None:
    space = Sizes({"i": 12, "p": 4})
    coord = Coord("p", "c", POS)
    for position, coordinate in enumerate(STORED):
        assert recover_derived(POS, "p", {"i": coordinate}, space) == position
        assert recover_original(POS, "i", {"p": position}, space) == coordinate
        assert recover_derived(coord, "c", {"p": position}, space) == coordinate
        assert recover_original(coord, "p", {"c": coordinate}, space) == position
    assert recover_track(POS, "i", {"p": 1}, space) == 4
    assert bounds(POS, "p", {"i": (0, 12)}, space) == (0, 4)


def test_a_range_is_as_a_bound_says() -> None:
    kinds = {"max_exact": 8, "max_constraint": 9, "min_exact": 2, "min_constraint": 1, "divisible": 3}
    assert all(holds(Bound("i", "b", size, kind), (2, 8)) for kind, size in kinds.items())
    wrong = {"max_exact": 9, "max_constraint": 7, "min_exact": 1, "min_constraint": 3, "divisible": 4}
    assert not any(holds(Bound("i", "b", size, kind), (2, 8)) for kind, size in wrong.items())
