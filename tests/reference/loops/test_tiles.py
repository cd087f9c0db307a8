"""Tiles are as long as the windows of their loops, and fit where they have their full size."""

from itertools import product

from gnomon.reference.loops.iteration_space import IterationSpace
from gnomon.reference.loops.terms import Binary, Coordinate, Extent, Term, combine
from gnomon.reference.loops.tiles import find_tile, room, tile_end, tile_length
from gnomon.reference.notation.syntax import Access
from gnomon.reference.statement.provenance import Provenance
from gnomon.reference.statement.relation import Bound, Derivation, Pos, Split

ROW = Pos("j", "p", Access("A", ("i", "j"), ("i", "j")), 1, 2)


def space(*relations: Derivation, around: tuple[str, ...] = ()) -> IterationSpace:
    """The space inside some loops, by the relations of a schedule."""
    return IterationSpace(Provenance((), relations), around)


def number(term: Term, here: dict[Term, int]) -> int:
    """The value of a term, where those of extents and coordinates are known."""
    if isinstance(term, Binary):
        found: int = combine(term.operator, number(term.left, here), number(term.right, here))
        return found
    return term if isinstance(term, int) else here[term]


def test_a_tile_is_as_long_as_its_window_and_fits_where_that_has_its_full_size() -> None:
    split = Split("i", "a", "b", 4)
    inside, outside = space(split, around=("a",)), space(split)
    assert find_tile(inside, "i", "b") == split
    assert find_tile(inside, "i", "a") is None and find_tile(outside, "i", "b") is None
    assert find_tile(space(split, Split("b", "c", "d", 2), around=("a",)), "i", "b") is None
    for rows, a in product(range(1, 10), range(3)):
        here = {Extent("i"): rows, Coordinate("a"): a}
        if a * split.factor < rows:
            window = inside.window("i")
            tile = range(number(window.begin, here), number(window.end, here))
            assert number(tile_length(inside, split), here) == len(range(tile.start, min(tile.stop, rows)))
            full = number(tile_length(inside, split), here) == split.factor
            assert (number(tile_end(split), here) <= rows) == full


def test_there_is_room_for_what_a_variable_indexes() -> None:
    parts = space(Bound("i", "b", 4, "divisible"), Split("b", "b0", "b1", 4), ROW, Split("p", "p0", "p1", 3))
    assert room(parts, "b") == Extent("i") and room(parts, "b1") == parts.extent("b1")
    assert room(parts, "p1") == 3
