"""Every relation maps one to one, and ranks stand at their level."""

from __future__ import annotations

import gnomon as gn
import pytest
from gnomon.reference.notation.syntax import Access
from gnomon.reference.statement.relation import (
    Bound,
    Collapse,
    Coord,
    Derivation,
    Divide,
    Pos,
    Rank,
    Split,
    derived_variables,
    holds,
    parents,
    recover_derived,
    recover_original,
)
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

STORED = [0, 3, 4, 9]


class Sizes(Struct, frozen=True):
    """A space with known extents and one stored list of coordinates."""

    extents: dict[str, int]

    def extent(self, variable: str) -> int:
        return self.extents[variable]

    def coordinate(self, relation: Pos, position: int) -> int:
        return STORED[position]

    def position(self, relation: Pos, coordinate: int) -> int:
        return STORED.index(coordinate)


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


def test_positions_and_coordinates() -> None:
    space = Sizes({"i": 12, "p": 4})
    coord = Coord("p", "c", POS)
    for position, coordinate in enumerate(STORED):
        assert recover_derived(POS, "p", {"i": coordinate}, space) == position
        assert recover_original(POS, "i", {"p": position}, space) == coordinate
        assert recover_derived(coord, "c", {"p": position}, space) == coordinate
        assert recover_original(coord, "p", {"c": coordinate}, space) == position


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
    assert counted.follow((later, own)) == counted.follow((other,)) == counted.follow(()) == counted
    assert counted.follow((other, later, renamed)).access == later


@pytest.mark.parametrize(
    ("format", "level"),
    [("ELL", 0), ("dense,dense,singleton(padded); (i,j)->(i,#,j)", 1), ("DIA", 0)],
)
def test_ranks_stand_at_their_level(format: str, level: int) -> None:
    a = gn.tensor([[0, 0, 1], [0, 2, 1]], [1.0, 2.0, 4.0], (3, 4), format)
    report = gn.check("y(j) = A(i,j)", A=a)
    ranks = [r for r in report.execution.program.provenance.of_formats if isinstance(r, Rank)]
    assert [(r.tensor, r.level) for r in ranks] == [("A", level)]
