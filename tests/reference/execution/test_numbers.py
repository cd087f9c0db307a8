"""Numbers: terms have their values where loops stand, and tiles of positions partition what is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.execution.numbers import (
    below,
    coordinates_at,
    descend,
    is_kept,
    levels_of,
    limits,
    number,
    segment,
    table,
)
from gnomon.reference.execution.state import State
from gnomon.reference.levels.iterators import children
from gnomon.reference.loops.iteration_space import IterationSpace
from gnomon.reference.loops.terms import Coordinate, Extent, Range, SegmentBegin, SegmentEnd, Standing, Stored
from gnomon.reference.notation.syntax import Access
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.relation import Pos
from gnomon.reference.statement.statement import Program, reads
from hypothesis import given
from hypothesis import strategies as st

FORMATS = ["CSR", "DCSR", "COO", "compressed,dense", "HashRows", "ds"]
CELLS = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=8)


@cache
def scheduled(format: str, schedule: str) -> Program:
    """The sum of the rows of a matrix, by a schedule."""
    return prepare("y(i) = A(i,j)", {"A": gn.tensor([[0], [0]], [1.0], (5, 4), format)}, schedule=schedule).program


def loaded(cells: set[tuple[int, int]], format: str, schedule: str) -> tuple[State, Access, Pos]:
    """A state with a matrix whose access stands at the root, and the positions that a schedule counts."""
    coords = np.array(sorted(cells), int).reshape(-1, 2).T
    program = scheduled(format, schedule)
    state = State(program)
    state.load("A", gn.tensor(coords, np.arange(1.0, len(cells) + 1), (5, 4), format))
    (access,) = reads(program.statement)
    (relation,) = program.provenance.positions()
    return state, access, relation


def stands(state: State, access: Access) -> Iterator[tuple[int, ...]]:
    """The coordinates of a matrix, with its access put there, position by position."""
    standing = state.standing(access)
    first, second = state.sources[access.tensor].levels
    for i, p in children(first, 0, ()):
        standing.positions[1], standing.paths[1] = p, (i,)
        for j, q in children(second, p, (i,)):
            standing.positions[2] = q
            yield i, j


@given(st.sampled_from(FORMATS), CELLS, st.integers(1, 4))
def test_tiles_of_positions_partition_what_is_stored(format: str, cells: set[tuple[int, int]], size: int) -> None:
    """Of rows, walks keep to those below which positions of the tile lie, which all hold something in most formats."""
    state, access, _ = loaded(cells, format, f"collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,{size})")
    graph = state.program.provenance
    outside, inside = (IterationSpace(graph, around) for around in ((), ("p0",)))
    found: Counter[tuple[int, ...]] = Counter()
    for tile in range(*limits(outside.range("p0"), state)):
        state.coordinates["p0"] = tile
        kept = [inside.kept_positions(access, level) for level in range(2)]
        holding, rows = set(), set()
        for cell in stands(state, access):
            p, q = state.standing(access).positions[1:]
            if all(is_kept(each, 0, p, state) for each in kept[0]):
                rows.add(cell[0])
            if all(is_kept(each, 1, q, state) for each in kept[1]):
                found[cell] += 1
                holding.add(cell[0])
        assert rows == holding or (format == "HashRows" and rows > holding)
    assert found == Counter(stands(state, access))


@given(st.sampled_from(FORMATS), CELLS)
def test_what_is_stored_at_a_position_is_what_stands_there(format: str, cells: set[tuple[int, int]]) -> None:
    state, access, relation = loaded(cells, format, "collapse(i,j,f),pos(f,p,A(i,j))")
    begin, end = segment(relation, state)
    there = {}
    for i, j in stands(state, access):
        p = number(Standing(relation) - SegmentBegin(relation), state)
        assert coordinates_at(relation, p, state) == {"i": i, "j": j}
        there[p] = i, j
    assert all(coordinates_at(relation, p, state) is None for p in range(-1, end - begin + 1) if p not in there)


def test_terms_have_the_values_of_loops_and_storage() -> None:
    state, access, relation = loaded({(0, 1), (1, 0), (1, 2), (1, 3)}, "CSR", "pos(j,p,A(i,j))")
    state.coordinates.update(i=1, j=2)
    standing = state.standing(access)
    standing.positions[1:], standing.paths[1] = [1, 3], (1,)
    terms = {
        7: 7, Coordinate("i"): 1, Stored("j"): 2, Extent("j"): 4, SegmentBegin(relation): 1, SegmentEnd(relation): 4,
        Standing(relation): 3, (Standing(relation) - SegmentBegin(relation)) * 2: 4,
    }  # fmt: skip
    assert {term: number(term, state) for term in terms} == terms
    assert limits(Range(Coordinate("i"), Extent("j")), state) == (1, 4)
    assert [level.name for level in levels_of(relation, state)] == ["compressed"]
    standing.positions[2] = (2, 3)
    assert number(Standing(relation), state) == 2


def test_positions_below_duplicates_are_those_of_all() -> None:
    a = gn.tensor([[0, 1, 1, 2], [0, 0, 1, 2]], np.arange(1.0, 5.0), (4, 3), "compressed(nonunique),dense")
    program = prepare("y(i) = A(i,j)", {"A": a}, schedule="pos(j,p,A(i,j))").program
    state = State(program)
    state.load("A", a)
    (access,), (relation,) = reads(program.statement), program.provenance.positions()
    state.standing(access).positions[1] = (1, 2)
    assert segment(relation, state) == (3, 9)
    levels = state.sources["A"].levels
    assert below(levels, 0, 1) == (0, 9) and below(levels, 1, 1) == (0, 0)
    assert below(levels[1:], 1, 3) == (3, 9) and below((), 1, 3) == (1, 3)
    assert descend(levels[1:], (1, 2), (1,), ()) == [(q, (c,)) for q, c in zip(range(3, 9), (0, 1, 2) * 2, strict=True)]


@pytest.mark.parametrize("workspace", ["", ",HashVector", ",bitmap"])
def test_a_workspace_holds_something_else_every_time_that_it_is_filled(workspace: str) -> None:
    a = gn.tensor([[0, 0, 1, 1, 2, 2], [1, 2, 0, 3, 2, 3]], np.arange(1.0, 7.0), (3, 4), "CSR")
    schedule = f"precompute(A(i,j)*x(j),{{j}},{{jw}},t{workspace}),pos(j,p,t(j)),split(p,p0,p1,2)"
    found = gn.evaluate(
        "y(i) = A(i,j) * x(j)", A=a, x=[1.0, 2.0, 3.0, 4.0], schedule=f"{schedule},precompute(t(j),{{p1}},{{q1}},u)"
    )
    assert found.to_numpy().tolist() == [8, 19, 39]


def test_tables_are_kept_for_operands() -> None:
    state, access, relation = loaded({(0, 1), (1, 2)}, "CSR", "pos(j,p,A(i,j))")
    first: Any = table(relation, state)
    assert first == ([0], [(1,)]) and table(relation, state) is first
    state.standing(access).positions[1] = 1
    assert table(relation, state) == ([0], [(2,)])
    assert not state.program.workspace
