"""Accumulation: tiles of dense results, whole ones and what is left at the end of an extent."""

import gnomon as gn
import numpy as np
import pytest

TILES = "split(j,j0,j1,{0}),reorder(i,j0,k,j1),parallelize(j1,CPUVector,NoRaces)"


@pytest.mark.parametrize("size", [8, 6])
def test_tiles_at_the_end_of_an_extent_are_cut_into_stretches_of_constant_size(size: int) -> None:
    kernel = gn.compile("C(i,j) = A(i,k) * B(k,j)", A="CSR", schedule=TILES.format(size))
    text = kernel.source
    for count in ("8 >= 4", "4 == 3", "4 == 2", "4 == 1"):
        assert f"if (j1_count % {count})" in text and f"double tC[{count[-1]}];" in text
    assert "double tC[8];" in text or size != 8
    matrix = np.arange(12).reshape(3, 4) % 5 - 1.0
    a = gn.tensor(np.nonzero(matrix), matrix[np.nonzero(matrix)], matrix.shape, "CSR")
    for columns in range(1, 2 * size + 1):
        b = np.arange(4.0 * columns).reshape(4, columns)
        assert (kernel(A=a, B=b).to_numpy() == matrix @ b).all()


def test_stretches_of_two_tiles_at_once() -> None:
    schedule = "split(i,i0,i1,2),split(j,j0,j1,4),reorder(i0,j0,k,i1,j1)"
    kernel = gn.compile("C(i,j) = A(i,k) * B(k,j)", schedule=schedule)
    for rows, columns in ((1, 1), (2, 3), (3, 4), (5, 7)):
        a, b = np.arange(3.0 * rows).reshape(rows, 3), np.arange(3.0 * columns).reshape(3, columns)
        assert (kernel(A=a, B=b).to_numpy() == a @ b).all()
