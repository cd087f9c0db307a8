"""Hash tables: what is told to be valid at once is valid node by node."""

from dataclasses import replace
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.execution import arithmetic
from gnomon.reference.storage.tables import holds_tables, occupied_before
from gnomon.reference.storage.tensor import Tensor
from gnomon.reference.storage.validation import complaints
from hypothesis import given
from hypothesis import strategies as st

HASHED = ("HashMap", "HashRows", "HashVector", "compressed,hashed", "hashed,dense")


def with_table(crd: list[int], width: int, extent: int = 5) -> Tensor:
    """A hash table per row, of buckets."""
    rows = len(crd) // width
    made = gn.tensor(np.zeros((2, 0), int), [], (rows, extent), "HashRows", dtype="float64")
    return replace(made, levels=({}, {"crd": np.array(crd, int), "W": width}), vals=np.zeros(len(crd)))


@given(crd=st.lists(st.integers(-2, 5), min_size=0, max_size=8), width=st.sampled_from((1, 2, 3, 4)))
def test_tables_are_valid_where_they_are_bucket_by_bucket(crd: list[int], width: int) -> None:
    made = with_table(crd[: len(crd) // width * width], width)
    assert holds_tables(made) == (not list(complaints(made)))


@given(
    rows=st.lists(st.lists(st.integers(0, 8), max_size=5, unique=True), max_size=4),
    width=st.sampled_from((5, 6, 8)),
)
def test_tables_of_any_order_and_width_are_valid(rows: list[list[int]], width: int) -> None:
    crd = [-1] * (len(rows) * width)
    for row, coordinates in enumerate(rows):
        for c in coordinates:
            q = c % width
            while crd[row * width + q] != -1:
                q = (q + 1) % width
            crd[row * width + q] = c
    made = with_table(crd, width, 9)
    assert holds_tables(made) and not list(complaints(made))


@pytest.mark.parametrize("format", HASHED)
@given(data=st.data())
def test_a_changed_entry_of_a_table_is_seen(format: str, data: st.DataObject) -> None:
    order = 1 if format == "HashVector" else 2
    coords = data.draw(st.sets(st.tuples(*[st.integers(0, 6)] * order), min_size=1, max_size=7))
    made = gn.tensor(np.array(sorted(coords)).T, np.ones(len(coords)), (7,) * order, format)
    assert holds_tables(made)
    levels: list[dict[str, Any]] = [dict(level) for level in made.levels]
    k, name = data.draw(st.sampled_from([(k, n) for k, each in enumerate(levels) for n in each if n != "W"]))
    array = levels[k][name].copy()
    if len(array):
        array[data.draw(st.integers(0, len(array) - 1))] = data.draw(st.integers(-2, 8))
    levels[k][name] = array
    changed = replace(made, levels=tuple(levels))
    assert not holds_tables(changed) or not list(complaints(changed))


def test_tables_are_validated_without_packing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arithmetic, "is_as_packed", lambda _: pytest.fail("components are packed"))
    replace(gn.tensor([[0, 1], [2, 0]], [5.0, 7.0], (2, 3), "HashMap")).validate()
    with_table([-1, 1, 2, -1, -1, -1, -1, 7], 8, 9).validate()


@pytest.mark.parametrize("format", ["CSR", "dense,hashed(full)", "COO", "compressed(unordered),hashed"])
def test_other_levels_are_left_to_validation(format: str) -> None:
    coords = [[0, 0, 1, 1], [0, 1, 0, 1]]
    made = gn.tensor(coords, np.ones(4), (2, 2), format)
    assert not holds_tables(made)


def test_buckets_are_passed_in_their_own_segment() -> None:
    assert occupied_before(np.array([0, 1, 3, 4]), np.array([0, 0, 0, 1]), 4).tolist() == [1, 2, 0, 0]
