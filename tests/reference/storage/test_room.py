"""Room: workspaces and results that would not fit in memory are laid out otherwise, or refused."""

import gnomon as gn
import pytest
from gnomon.reference.errors import StorageError
from gnomon.reference.storage.named_formats import format_of
from gnomon.reference.storage.room import LARGEST, positions, refuse_large, workspace_levels


@pytest.mark.parametrize(
    ("format", "shape", "count"),
    [("CSR", (10, 20), 10), ("dense,bitmap", (10, 20), 200), ("HashRows", (10, 20), 40), ("BCSR(2,5)", (10, 20), 10)],
)
def test_positions_that_are_there_before_anything_is_stored(format: str, shape: tuple[int, ...], count: int) -> None:
    assert positions(format_of(format), shape) == count


def test_a_result_may_have_as_many_positions_as_fit() -> None:
    refuse_large(format_of("Dense", 1), (LARGEST,))
    with pytest.raises(StorageError, match=r"needs 100000001 positions, more than 100000000(.|\n)*sparse"):
        refuse_large(format_of("Dense", 1), (LARGEST + 1,))
    with pytest.raises(StorageError, match="more than 7"):
        refuse_large(format_of("Dense", 2), (2, 4), 7)


def test_workspaces_that_would_not_fit_are_hashed() -> None:
    assert [level.name for level in workspace_levels((LARGEST,))] == ["accumulator"]
    assert [level.name for level in workspace_levels((LARGEST + 1,))] == ["hashed"]
    assert [level.name for level in workspace_levels((2, 2))] == ["hashed", "hashed"]


@pytest.mark.parametrize("schedule", [None, "precompute(A(i,j) * x(i),{j},{jv},v)"])
def test_sums_over_a_huge_mode_take_no_more_memory_than_they_hold(schedule: str | None) -> None:
    n = 2 * 10**9
    a = gn.tensor([[1, 1, 2], [7, n - 1, 7]], [1.0, 2.0, 3.0], (4, n), "CSR")
    settings = {"A": a, "x": gn.tensor([[1, 2]], [1.0, 1.0], (4,), "d"), "out": "SparseVector", "schedule": schedule}
    for engine in ("reference", "c"):
        found = gn.evaluate("y(j) = A(i,j) * x(i)", engine=engine, **settings)
        assert list(found.entries()) == [((7,), 4.0), ((n - 1,), 2.0)]
