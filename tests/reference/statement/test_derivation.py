"""Every relation maps one to one, and its bounds hold exactly what it derives."""

from __future__ import annotations

from dataclasses import dataclass

from gnomon.reference.notation.syntax import Access
from gnomon.reference.statement.derivation import (
    Bound,
    Collapse,
    Coord,
    Derivation,
    Divide,
    Pos,
    bounds,
    derived_variables,
    holds,
    is_exact,
    parents,
    recover_derived,
    recover_original,
    recover_track,
)
from gnomon.reference.statement.provenance import Split
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
    return [{**v, **{d: recover_derived(relation, d, v, space) for d in derived_variables(relation)}} for v in found]


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
    reached = {tuple(values[d] for d in derived_variables(relation)) for values in values_of(relation, space)}
    limits = [bounds(relation, d, ranges, space) for d in derived_variables(relation)]
    assert all(begin <= n < end for point in reached for n, (begin, end) in zip(point, limits, strict=True))
    volume = 1
    for begin, end in limits:
        volume *= max(0, end - begin)
    assert len(reached) <= volume
    assert reached or volume == 0
    if is_exact(relation, ranges, space) and reached:
        assert len(reached) == volume


RANGES = st.tuples(st.integers(0, 6), st.integers(0, 6)).map(lambda ends: (min(ends), max(ends)))


@given(RANGES, RANGES, st.integers(6, 9))
def test_a_part_of_what_is_collapsed_has_the_tightest_bounds(
    outer: tuple[int, int], inner: tuple[int, int], extent: int
) -> None:
    found = [i * extent + j for i in range(*outer) for j in range(*inner)]
    begin, end = bounds(Collapse("i", "j", "f"), "f", {"i": outer, "j": inner}, Sizes({"j": extent}))
    assert (begin, end) == (min(found), max(found) + 1) if found else begin >= end


@given(RANGES, SIZES)
def test_a_part_of_what_is_split_lies_in_the_fewest_tiles(values: tuple[int, int], size: int) -> None:
    tiles = {i // size for i in range(*values)}
    begin, end = bounds(Split("i", "a", "b", size), "a", {"i": values}, Sizes({}))
    assert (begin, end) == (min(tiles), max(tiles) + 1) if tiles else end - begin <= 1
    if is_exact(Split("i", "a", "b", size), {"i": values}, Sizes({})):
        assert {a * size + b for a in tiles for b in range(size)} == set(range(*values))


@given(relations())
def test_tracking_is_recovering_at_the_next_value(drawn: tuple[Derivation, Sizes]) -> None:
    relation, space = drawn
    found = values_of(relation, space)
    last = derived_variables(relation)[-1]
    for values in found:
        following = {d: values[d] for d in derived_variables(relation)} | {last: values[last] + 1}
        if any(all(other[d] == following[d] for d in derived_variables(relation)) for other in found):
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


def test_a_collapse_of_a_part_of_a_row_needs_a_guard() -> None:
    relation, space = Collapse("i", "j", "f"), Sizes({"i": 3, "j": 4})
    ranges = {"i": (0, 3), "j": (1, 3)}
    begin, end = bounds(relation, "f", ranges, space)
    inside = [1 <= recover_original(relation, "j", {"f": f}, space) < 3 for f in range(begin, end)]
    assert not all(inside) and not is_exact(relation, ranges, space)
    assert is_exact(relation, {"i": (1, 2), "j": (1, 3)}, space)
    assert is_exact(relation, {"i": (0, 3), "j": (0, 4)}, space)


def test_a_range_is_as_a_bound_says() -> None:
    kinds = {"max_exact": 8, "max_constraint": 9, "min_exact": 2, "min_constraint": 1, "divisible": 3}
    assert all(holds(Bound("i", "b", size, kind), (2, 8)) for kind, size in kinds.items())
    assert holds(Bound("i", "b", 8, "max_constraint"), (2, 8)) and holds(Bound("i", "b", 2, "min_constraint"), (2, 8))
    wrong = {"max_exact": 9, "max_constraint": 7, "min_exact": 1, "min_constraint": 3, "divisible": 4}
    assert not any(holds(Bound("i", "b", size, kind), (2, 8)) for kind, size in wrong.items())


def test_positions_are_counted_for_every_access_that_stands_there() -> None:
    levels = ("i", "j", "k")
    own = Access("A", levels, levels)
    counted = Pos("j", "p", own, 1, 2)
    later, renamed = (Access("A", ("i", "j", v), ("i", "j", v)) for v in ("l", "m"))
    other, elsewhere = Access("A", ("i", "l", "k"), ("i", "l", "k")), Access("B", levels, levels)
    assert counted.counts(own) and counted.counts(later) and not counted.counts(other)
    assert not counted.counts(elsewhere)
    assert counted.reading((later, own)) == counted.reading((other,)) == counted.reading(()) == counted
    assert counted.reading((other, later, renamed)).access == later
