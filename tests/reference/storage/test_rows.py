"""Rows: the same values, whatever the order in memory."""

import numpy as np
import pytest
from gnomon.reference.storage.rows import BLOCK, in_rows


@pytest.mark.parametrize(
    "shape",
    [
        (),
        (0,),
        (5,),
        (3, 4),
        (BLOCK, BLOCK),
        (2 * BLOCK + 1, BLOCK + 7),
        (BLOCK, 3 * BLOCK + 1),
        (0, 300),
        (130, 130, 2),
    ],
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_values_stay_where_they_are(shape: tuple[int, ...], order: str) -> None:
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape).copy(order)  # type: ignore[call-overload]
    found = in_rows(array)
    assert found.flags.c_contiguous and found.dtype == array.dtype and np.array_equal(found, array)
    assert found.shape == shape


def test_what_lies_in_rows_is_not_copied() -> None:
    array = np.ones((200, 300))
    assert np.shares_memory(in_rows(array), array)
    assert np.array_equal(
        in_rows(np.arange(90_000).reshape(300, 300)[::-1, ::2]), np.arange(90_000).reshape(300, 300)[::-1, ::2]
    )
