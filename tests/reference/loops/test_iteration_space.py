"""Iteration spaces: loops over what derives from a variable give every value of it once, tile by tile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest
from gnomon.properties.proofs.relations.term_values import extent_of, term_value
from gnomon.properties.proofs.relations.walked import Nest
from gnomon.reference.errors import InternalError, ScheduleError
from gnomon.reference.loops.iteration_space import IterationSpace
from gnomon.reference.loops.terms import Coordinate, Equal, Extent, Range, SegmentBegin, SegmentEnd, Standing, Stored
from gnomon.reference.notation.syntax import Access
from gnomon.reference.schedule.command import Command, make_command
from gnomon.reference.schedule.commands import run
from gnomon.reference.schedule.legality import check
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.provenance import Provenance
from gnomon.reference.statement.relation import (
    Bound,
    Collapse,
    Coord,
    Derivation,
    Divide,
    FormatRelation,
    Pos,
    Same,
    Split,
    derived_variables,
    parents,
    recover_derived,
)
from gnomon.reference.statement.statement import Program, indices
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, field
from msgspec.structs import replace

MATRIX = Access("A", ("i", "j"), ("i", "j"))
ROW = Pos("j", "p", MATRIX, 1, 2)
WHOLE = Pos("f", "p", MATRIX, 0, 2)


class Here(Struct):
    """Where loops stand, in plain numbers."""

    extents: dict[str, int]
    coordinates: dict[str, int] = field(default_factory=dict)

    def coordinate(self, variable: str) -> int:
        return self.coordinates[variable]

    def dimension(self, variable: str) -> int:
        return self.extents[variable]

    def segment(self, relation: Pos) -> tuple[int, int]:
        return 10, 17

    def position(self, relation: Pos) -> int:
        raise NotImplementedError

    def values(self, r: Range) -> range:
        """The values of a range."""
        return range(term_value(r.begin, self), term_value(r.end, self), term_value(r.step, self))


def space(
    *relations: Derivation, around: tuple[str, ...] = (), formats: tuple[FormatRelation, ...] = ()
) -> IterationSpace:
    """The space inside some loops, by the relations of a schedule and of formats."""
    return IterationSpace(Provenance(formats, relations), around)


@cache
def start() -> Program:
    """Two loops over a matrix."""
    return prepare("B(i,j) = A(i,j)", {"A": np.ones((2, 2))}).program


@st.composite
def nests(draw: st.DrawFn) -> tuple[Nest, dict[str, int]]:
    """The loops that some commands make of two, in any order, and the extents of those."""
    program = start()
    for number in range(draw(st.integers(1, 4))):
        program = draw(st.sampled_from(commands(program, number, draw(st.integers(1, 4)))))
    wanted = tuple(draw(st.permutations(list(indices(program.statement)))))
    program = applied(make_command("reorder", wanted), program) or program
    return Nest.of(program), {v: draw(st.integers(0, 7)) for v in ("i", "j")}


def commands(program: Program, number: int, size: int) -> list[Program]:
    """The programs after one more command."""
    loops = list(indices(program.statement))
    wanted = [make_command(kind, (v, f"a{number}", f"b{number}", size)) for kind in ("split", "divide") for v in loops]
    wanted += [make_command("bound", (v, f"c{number}", 1, "divisible")) for v in loops]
    wanted += [make_command("collapse", (*pair, f"f{number}")) for pair in pairwise(loops)]
    wanted += [make_command("reorder", pair[::-1]) for pair in pairwise(loops)]
    return [found for command in wanted if (found := applied(command, program))]


def applied(command: Command, program: Program) -> Program | None:
    """The program after a command, if that is legal."""
    try:
        found = run(command, program)
        check(found)
    except ScheduleError:
        return None
    return found


def points(nest: Nest, here: Here) -> Iterator[tuple[int, ...]]:
    """The points that the loops of a nest come to."""
    completed, steps = nest.completions(), list(nest.steps())

    def inside(number: int) -> Iterator[tuple[int, ...]]:
        if number == len(steps):
            yield tuple(here.coordinates[v] for v in nest.originals())
            return
        variable, around = steps[number]
        there = nest.space(around)
        guards = there.guards(completed.get(variable, ())) if there.completes(variable) else ()
        if any(term_value(g.left, here) != term_value(g.right, here) for g in guards):
            return
        for value in here.values(there.range(variable)):
            here.coordinates[variable] = value
            yield from inside(number + 1)

    return inside(0)


@given(nests())
def test_loops_come_to_every_point_once(drawn: tuple[Nest, dict[str, int]]) -> None:
    nest, extents = drawn
    found = Counter(points(nest, Here(extents)))
    assert found == Counter(product(*(range(extents[v]) for v in nest.originals())))


SIZES = st.integers(1, 7)
RELATIONS = st.one_of(
    SIZES.map(lambda n: Split("i", "a", "b", n)),
    SIZES.map(lambda n: Divide("i", "a", "b", n)),
    st.just(Collapse("i", "j", "f")),
    st.just(Bound("i", "b", 9, "max_exact")),
)


@given(RELATIONS, st.integers(0, 20), st.integers(0, 9))
def test_extents_are_those_of_what_is_derived(relation: Derivation, rows: int, columns: int) -> None:
    extents = {"i": rows, "j": columns}
    sized = Here(extents)
    there = space()
    every = product(*(range(extents[v]) for v in parents(relation)))
    named = [dict(zip(parents(relation), values, strict=True)) for values in every]
    for v in derived_variables(relation):
        size = extent_of(relation, v, extents.__getitem__)
        found = {recover_derived(relation, v, values, SpaceOf(extents)) for values in named}
        assert found <= set(range(size))
        assert isinstance(relation, Divide) or len(found) == size or not named
    assert term_value(there.extent("i"), sized) == rows


class SpaceOf(Struct):
    """A space of plain extents."""

    extents: dict[str, int]

    def extent(self, variable: str) -> int:
        return self.extents[variable]

    def coordinate(self, relation: Pos, position: int) -> int:
        raise NotImplementedError

    def position(self, relation: Pos, coordinate: int) -> int:
        raise NotImplementedError


@given(RELATIONS, st.integers(0, 12), st.integers(0, 6))
def test_windows_of_the_outermost_loop_cover_a_variable_and_tiles_partition_it(
    relation: Derivation, rows: int, columns: int
) -> None:
    here = Here({"i": rows, "j": columns})
    outer = derived_variables(relation)[0]
    outside, inside = space(relation), space(relation, around=(outer,))
    tiles = []
    for value in here.values(outside.range(outer)):
        here.coordinates[outer] = value
        tiles.append(list(here.values(inside.range("i"))))
    found = [i for tile in tiles for i in tile]
    assert set(found) == (set(range(rows)) if columns or not isinstance(relation, Collapse) else set())
    if not isinstance(relation, Collapse):
        assert len(found) == rows


@given(st.sampled_from([Split, Divide]), st.integers(1, 5), st.integers(2, 4), st.integers(1, 20), st.booleans())
def test_a_window_without_the_outer_part_has_a_step(
    kind: type[Split | Divide], first: int, second: int, extent: int, deeper: bool
) -> None:
    relations = (kind("i", "a", "b", first), kind("a" if deeper else "b", "c", "d", second))
    known = ("d", "b") if deeper else ("a", "d")
    there, inside = space(*relations), space(*relations, around=known)
    here, every = Here({"i": extent}), []
    stepped = inside.range("i").step != 1
    assert stepped or 1 in (first, second) or kind is Divide
    for values in product(*(range(term_value(there.extent(v), here)) for v in known)):
        here.coordinates.update(zip(known, values, strict=True))
        found = list(here.values(inside.range("i")))
        of = SpaceOf({"i": extent, "a": term_value(there.extent("a"), here), "b": term_value(there.extent("b"), here)})
        belongs = [i for i in range(extent) if values == tuple(parts(relations, i, of)[v] for v in known)]
        assert found == belongs if stepped else set(found) >= set(belongs)
        every += found
    assert sorted(every) == list(range(extent)) if stepped else set(every) == set(range(extent))


def parts(relations: tuple[Derivation, ...], i: int, of: SpaceOf) -> dict[str, int]:
    """The values of all that derives from a variable."""
    found = {"i": i}
    for relation in relations:
        found |= {v: recover_derived(relation, v, found, of) for v in derived_variables(relation)}
    return found


def test_windows_of_collapsed_or_twice_narrowed_variables_have_no_step() -> None:
    fused, tiled = Collapse("i", "j", "f"), Split("f", "a", "b", 3)
    assert space(fused, tiled, around=("b",)).range("i").step == 1
    twice = (Split("i", "a", "b", 3), Split("i", "c", "d", 2))
    assert space(*twice, around=("b", "d")).range("i").step == 1


def test_extents_depend_on_what_a_variable_derives_from() -> None:
    coord, split = Coord("p", "c", ROW), Split("p", "a", "b", 2)
    there = space(ROW, coord, split)
    length = SegmentEnd(ROW) - SegmentBegin(ROW)
    assert there.extent("p") == length and there.extent("c") == there.extent("j") == Extent("j")
    assert there.extent("a") == (length + 1) // 2


def test_a_loop_that_others_complete_has_the_one_value_that_follows() -> None:
    split = Split("i", "a", "b", 4)
    inside = space(split, around=("a", "i"))
    assert inside.completes("b") and not space(split).completes("b") and not inside.completes("i")
    value = Coordinate("i") % 4
    assert inside.range("b") == Range(value, value + 1, single=True)
    turned = space(split, around=("b", "i"))
    assert turned.guards(("i",)) == (Equal(Coordinate("i") % 4, Coordinate("b")),)
    assert inside.guards(("i",)) == ()


def test_values_follow_downward_and_upward() -> None:
    split, fused = Split("i", "a", "b", 4), Collapse("i", "j", "f")
    assert space(split, around=("i",)).value("a") == Coordinate("i") // 4
    assert space(split, around=("a", "b")).recover("i") == Coordinate("a") * 4 + Coordinate("b")
    assert space(fused, around=("f",)).recover("j") == Coordinate("f") % Extent("j")
    assert space(ROW, around=("i", "j")).value("p") == Standing(ROW) - SegmentBegin(ROW)
    assert space(ROW, Coord("p", "c", ROW), around=("i", "j")).value("c") == Coordinate("j")
    with pytest.raises(InternalError, match="no loop around gives i a value"):
        space(split).value("a")


def test_what_was_found_in_storage_is_one_value() -> None:
    there = replace(space(WHOLE), stored=frozenset({"i"}))
    assert there.range("i") == Range(Stored("i"), Stored("i") + 1, single=True)
    assert there.range("j") == Range(0, Extent("j"), whole=True)


def test_blocks_of_formats_have_a_last_one_that_may_be_smaller() -> None:
    formats = (Split("i", "io", "ii", 4), Same("d", "i"))
    inside = space(around=("io",), formats=formats)
    here = Here({"i": 10, "io": 3, "ii": 4}, {"io": 2})
    assert list(here.values(inside.range("ii"))) == [0, 1]
    assert inside.shift("i", "ii") == Coordinate("io") * 4 and inside.shift("ii", "ii") == 0
    both = space(around=("io", "ii"), formats=formats)
    assert both.recover("i") == Coordinate("io") * 4 + Coordinate("ii")
    assert both.range("d").single
    with pytest.raises(InternalError, match="the value of i is not known"):
        inside.recover("i")


def test_parts_of_positions_narrow_walks_over_the_levels_that_are_counted() -> None:
    split = Split("p", "a", "b", 3)
    inside = space(Collapse("i", "j", "f"), WHOLE, split, around=("a",))
    (kept,) = inside.kept_positions(MATRIX, 0)
    assert kept.relation == WHOLE and inside.kept_positions(MATRIX, 1) == (kept,)
    assert list(Here({}, {"a": 2}).values(kept.window)) == [6]
    assert inside.range("i") == Range(0, Extent("i"), whole=True)
    assert space(WHOLE, split).kept_positions(MATRIX, 0) == ()
    row = space(ROW, split, around=("i", "a"))
    assert row.kept_positions(MATRIX, 0) == () and len(row.kept_positions(MATRIX, 1)) == 1
    assert row.kept_positions(Access("B", ("i", "j"), ("i", "j")), 1) == ()


def test_of_a_collapsed_range_the_inner_variable_gets_the_rest_once_the_outer_one_is_known() -> None:
    fused, tiled = Collapse("i", "j", "f"), Split("f", "a", "b", 3)
    here = Here({"i": 4, "j": 5}, {"a": 3, "i": 2})
    assert list(here.values(space(fused, tiled, around=("a",)).range("i"))) == [1, 2]
    assert space(fused, tiled, around=("a",)).range("j") == Range(0, Extent("j"), whole=True)
    assert list(here.values(space(fused, tiled, around=("a", "i")).range("j"))) == [0, 1]


def test_rows_without_columns_have_no_window() -> None:
    fused, parts = Collapse("i", "j", "f"), Divide("f", "a", "b", 2)
    assert not Here({"i": 4, "j": 0}, {"a": 0}).values(space(fused, parts, around=("a",)).range("i"))


def test_a_tile_of_the_last_block_ends_with_it() -> None:
    formats = (Split("i", "io", "ii", 4),)
    inside = space(Split("ii", "a", "b", 3), around=("io", "a"), formats=formats)
    tiles = [Here({"i": 10, "ii": 4}, {"io": 2, "a": a}).values(inside.range("ii")) for a in (0, 1)]
    assert [list(tile) for tile in tiles] == [[0, 1], []]
