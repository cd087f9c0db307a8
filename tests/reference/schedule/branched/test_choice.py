"""Sizes that choices are made by: components, positions and the longest fibers of operands."""

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.schedule.branched.choice import Place, Size, longest_fiber, measure


@pytest.mark.parametrize(
    "format", ["CSF", "COO", "dense,compressed,compressed", "COO_AoS", "compressed,compressed,dense"]
)
def test_the_longest_fiber_of_a_level(format: str) -> None:
    held = gn.tensor([[0, 1, 1, 1, 2, 2], [3, 0, 0, 0, 1, 2], [1, 0, 2, 3, 2, 2]], np.ones(6), (3, 4, 5), format)
    wanted = {"COO_AoS": 6, "compressed,compressed,dense": 5}.get(format, 3)
    assert longest_fiber(held, 2) == wanted
    empty = gn.tensor([[], [], []], [], (3, 4, 5), format)
    assert measure(Place("A", 2, 0, Size.LONGEST), empty) == (
        1 if format.endswith("compressed") or format == "CSF" else 5
    )


def test_the_longest_fiber_of_hash_tables_is_their_width() -> None:
    held = gn.tensor([[0, 1, 1, 2, 2, 2], [5, 0, 7, 1, 2, 3]], np.ones(6), (8, 30), "HashRows")
    assert longest_fiber(held, 1) == held.levels[1]["W"]


@pytest.mark.parametrize("format", ["HashRows", "HashMap", "CSR"])
def test_coordinates_of_hash_tables_are_the_slots_that_are_taken(format: str) -> None:
    held = gn.tensor([[0, 1, 1, 2, 2, 2], [5, 0, 7, 1, 2, 3]], np.ones(6), (8, 30), format)
    sizes = [measure(Place("A", 1, 0, size), held) for size in (Size.COORDINATES, Size.POSITIONS, Size.EXTENT)]
    assert sizes == [6, len(held.vals), 30]
