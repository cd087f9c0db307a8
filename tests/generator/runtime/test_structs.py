"""Structs: tensors as kernels of any library read and leave them."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.structs import LARGEST, Struct
from gnomon.generator.storage.layout import Layout
from gnomon.reference.errors import StorageError


def test_what_one_kernel_has_left_another_reads() -> None:
    A = gn.tensor([[0, 2], [1, 0]], [2.0, 3.0], (3, 3), "CSR")
    double, total = gn.compile("B(i,j) = 2 * A(i,j)", A="CSR", out="CSR"), gn.compile("y(i) = B(i,j)", B="CSR")
    made, struct = double.ready([Struct.of(A)], ((3, 3),), {"A": A}).evaluate()
    result, _ = total.ready([struct], ((3, 3),), {"B": made}).evaluate()
    assert result.to_numpy().tolist() == [4.0, 0.0, 6.0]


@pytest.mark.parametrize("format", ["CSR", "COO", "DIA", "HashRows", "bitmap,bitmap", "BCSR(2,2)", "Dense"])
def test_a_struct_has_the_arrays_of_its_tensor(format: str) -> None:
    tensor = gn.tensor([[0, 2, 3], [1, 0, 3]], [2.0, 3.0, 4.0], (4, 4), format)
    struct = Struct.of(tensor)
    assert struct.pointer.size == len(tensor.vals)
    assert [struct.pointer.level[k].extent for k in range(len(tensor.extents))] == list(tensor.extents)
    lengths = [len(a) for own in tensor.levels for a in own.values() if isinstance(a, np.ndarray)]
    held = [
        struct.pointer.level[k].length[n]
        for k, own in enumerate(tensor.format.levels)
        for n in range(len(own.arrays()))
    ]
    assert held == lengths


def test_arrays_in_a_foreign_order_of_bytes_are_copied() -> None:
    vals = np.array([1.0, 2.0], ">f8")
    struct = Struct.empty((2,), (2,))
    struct.lend(vals)
    assert struct.pointer.size == 2
    assert len(struct.keeps) == 3


def test_extents_that_c_cannot_count_to_are_refused() -> None:
    with pytest.raises(StorageError, match="does not fit in 64 bits"):
        Struct.empty((LARGEST + 1,), (LARGEST + 1,))


def test_a_layout_knows_its_dtypes_and_shared_arrays() -> None:
    layout = Layout.of(gn.tensor([[0], [1]], [1.0], (3, 3), "DIA"))
    assert layout.shared_names == ("offset",)
    assert set(layout.dtypes.values()) == {np.dtype("int32")}
