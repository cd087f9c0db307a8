"""The hashed level finds what is inserted, grows, and reports that it is full."""

import numpy as np
from gnomon.reference.levels.hashed import Hashed
from gnomon.reference.storage.assembly import Assembler
from gnomon.reference.storage.named_formats import format_of
from hypothesis import given
from hypothesis import strategies as st
from numpy import dtype


def test_a_full_segment_answers_not_found_at_an_occupied_position() -> None:
    level = Hashed().bind({"crd": [4, 1, 6, 3], "W": 4, "N": 100})
    q, found = level.locate(0, (9,))
    assert not found
    assert level.crd[q] != -1


@given(st.lists(st.integers(0, 500), unique=True, max_size=60))
def test_growing_keeps_every_coordinate(coordinates: list[int]) -> None:
    assembler = Assembler(format_of("HashVector"), (501,), dtype("float64"), 0.0)
    for c in coordinates:
        assembler.store((c,), float(c))
    tensor = assembler.finish((501,))
    tensor.validate()
    assert sorted(tensor.entries()) == [((c,), float(c)) for c in sorted(coordinates)]


@given(st.integers(1, 4), st.lists(st.integers(0, 30), unique=True, max_size=12))
def test_a_width_that_was_asked_for_gives_way_where_it_must(width: int, coordinates: list[int]) -> None:
    assembler = Assembler(format_of(f"hashed(width={width})", 1), (31,), dtype("float64"), 0.0)
    for c in coordinates:
        assembler.store((c,), float(c))
    tensor = assembler.finish((31,))
    tensor.validate()
    assert sorted(tensor.entries()) == [((c,), float(c)) for c in sorted(coordinates)]
    assert len(coordinates) > width or tensor.levels[0]["W"] == width


@given(st.integers(1, 3), st.lists(st.integers(0, 20), unique=True, max_size=16), st.integers(0, 8))
def test_coordinates_that_look_for_buckets_together_find_those_of_one_after_another(
    parents: int, coordinates: list[int], room: int
) -> None:
    width = max(1, len(coordinates) + room)
    level = Hashed().bind({"crd": [-1] * (width * parents), "W": width, "N": 21})
    expected = []
    for n, c in enumerate(coordinates):
        q, _ = level.locate(n % parents, (c,))
        level.insert_coord(q, c)
        expected.append(q)
    begin = np.arange(len(coordinates)) % parents * width
    assert level.probe(begin, np.array(coordinates, np.int64), width * parents).tolist() == expected
