"""What the levels of a tensor encode: whole levels at a time and node by node give the same."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.strategies.tensors import tensors
from gnomon.reference.errors import StorageError
from gnomon.reference.levels.dense import Dense
from gnomon.reference.storage import enumeration
from gnomon.reference.storage.enumeration import by_levels, enumerate_leaves, expand_ranges
from gnomon.reference.storage.format import Format
from gnomon.reference.storage.tensor import Tensor
from hypothesis import given
from hypothesis import strategies as st

SHAPES = st.lists(st.integers(0, 5), max_size=4).map(tuple)


@given(SHAPES.flatmap(tensors))
def test_whole_levels_hold_what_is_found_node_by_node(tensor: Tensor) -> None:
    path, positions = by_levels(tensor.format, [tensor.storage(k) for k in range(len(tensor.format.levels))])
    expected = list(tensor.leaves())
    assert positions.tolist() == [p for _, p in expected]
    assert [c.tolist() for c in path] == [[c[k] for c, _ in expected] for k in range(len(tensor.format.levels))]


@given(SHAPES.flatmap(tensors))
def test_components_are_what_is_stored_within_the_shape(tensor: Tensor) -> None:
    found = [(tensor.format.map.invert(c), tensor.vals[p]) for c, p in tensor.leaves()]
    expected = [(i, v) for i, v in found if all(x < n for x, n in zip(i, tensor.shape, strict=True))]
    coords, values = tensor.components()
    assert coords.shape == (tensor.order, len(expected))
    assert [tuple(i) for i in coords.T.tolist()] == [i for i, _ in expected]
    assert np.array_equal(values, np.array([v for _, v in expected], tensor.dtype), equal_nan=True)


def inside(found: tuple[np.ndarray, np.ndarray], chosen: list[range]) -> list[str]:
    """The components in some ranges, in order."""
    each = zip(found[0].T.tolist(), found[1].tolist(), strict=True)
    return [f"{i} {v}" for i, v in each if all(x in ran for x, ran in zip(i, chosen, strict=True))]


@given(st.data(), SHAPES.flatmap(tensors))
def test_what_is_chosen_is_found_among_all_that_is_stored(data: Any, tensor: Tensor) -> None:
    slices = [data.draw(st.slices(n)) for n in tensor.shape]
    chosen = [range(n)[each] for n, each in zip(tensor.shape, slices, strict=True)]
    assert inside(tensor.components_in(chosen), chosen) == inside(tensor.components(), chosen)


@pytest.mark.parametrize("format", ["CSR", "CSC", "COO", "HashRows", "BCSR(2,3)", "DIA", "ELL", "Dense"])
def test_what_levels_tell_to_be_elsewhere_is_left_out(format: str) -> None:
    tensor = gn.from_numpy(np.arange(1.0, 37).reshape(6, 6), format)
    coords, values = tensor.components_in([range(4, 5), range(2, 3)])
    assert coords.T.tolist() == [[4, 2]] and values.tolist() == [27.0]
    assert tensor.components_in([range(0), range(6)])[1].tolist() == []


@dataclass(frozen=True)
class Told(Dense):
    """A level format beyond restricted Python."""

    name: ClassVar[str] = "told"

    def coord_bounds(self, i: tuple[int, ...]) -> tuple[int, int]:
        return (lambda: (0, self.N))()


def test_level_functions_beyond_restricted_python_are_called() -> None:
    plain = gn.tensor([[0, 2], [1, 1]], [3.0, 4.0], (3, 2), Format([Dense(), Dense()]))
    told = replace(plain, format=Format([Told(), Dense()]))
    assert list(told.entries()) == list(plain.entries())


def test_levels_that_claim_more_than_memory_holds() -> None:
    tensor = gn.tensor([[0]], [1.0], (2**33,), "SparseVector")
    broken = replace(tensor, levels=({"pos": np.array([0, 2**33]), "crd": tensor.levels[0]["crd"]},))
    with pytest.raises(StorageError, match="hold 8589934592 coordinates, which do not fit"):
        enumerate_leaves(broken.format, [broken.storage(0)])
    with pytest.raises(StorageError, match="the level has 1 positions"):
        broken.components()


def test_ranges_that_end_before_they_begin_are_empty() -> None:
    (found,) = expand_ranges(np.array([5, 2]), np.array([3, 4]))
    assert [each.tolist() for each in found] == [[1, 1], [2, 3]]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 7)), min_size=1, max_size=8), st.integers(1, 12))
def test_ranges_are_expanded_some_at_a_time(ranges: list[tuple[int, int]], size: int) -> None:
    begin = np.array([first for first, _ in ranges])
    end = begin + np.array([length for _, length in ranges])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(enumeration, "PIECE", size)
        pieces = list(expand_ranges(begin, end))
    assert all(len(numbers) == len(places) <= size for numbers, places in pieces)
    found = [(int(n), int(place)) for piece in pieces for n, place in zip(*piece, strict=True)]
    assert found == [(n, place) for n, (first, length) in enumerate(ranges) for place in range(first, first + length)]
