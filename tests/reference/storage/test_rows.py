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
    plain = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    found = in_rows(plain.copy(order))  # type: ignore[call-overload]
    assert found.flags.c_contiguous and found.dtype == plain.dtype and np.array_equal(found, plain)
    assert found.shape == shape


def test_what_lies_in_rows_is_not_copied() -> None:
    array = np.ones((200, 300))
    assert np.shares_memory(in_rows(array), array)
    assert np.array_equal(
        in_rows(np.arange(90_000).reshape(300, 300)[::-1, ::2]), np.arange(90_000).reshape(300, 300)[::-1, ::2]
    )
