"""Indices in 32 and 64 bits: which extents kernels take, and what they advise on wider ones."""

from dataclasses import replace

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import FormatError, GnomonError, Unsupported


@pytest.mark.parametrize(
    ("index", "hint"), [("int32", "for the tensor itself: A=A"), ("int64", 'with gn.spec(..., index="int64")')]
)
def test_hints_about_indices_lead_to_a_result(index: str, hint: str) -> None:
    """Coordinates beyond 32 bits are stored in 64 even where positions are not."""
    far = gn.tensor([[0, 2**32], [1, 2]], [1.0, 2.0], (2**33, 4), "COO", index=index)
    wide = gn.spec("SparseVector", index="int64")
    with pytest.raises(FormatError) as found:
        gn.compile("y(i) = A(i,j)", A="COO", out=wide)(A=far)
    assert found.value.hint == f"compile {hint}"
    followed = far if "A=A" in hint else gn.spec("COO", index="int64")
    result = gn.compile("y(i) = A(i,j)", A=followed, out=wide)(A=far)
    assert [i for i, _ in result.entries()] == [(0,), (2**32,)]


def test_64_bit_indices() -> None:
    wide = gn.tensor([[0, 3], [1, 3]], [1.0, 2.0], (4, 4), "CSR", index="int64")
    kernel = gn.compile("C(i,j) = A(i,k) * A(k,j)", A=gn.spec("CSR", index="int64"), out=gn.spec("CSR", index="int64"))
    c = kernel(A=wide)
    assert c.levels[1]["crd"].dtype == np.int64
    assert list(c.entries()) == [((3, 3), 4.0)]


def test_extents_beyond_32_bits_need_64_bit_indices() -> None:
    huge = gn.tensor([[2**33]], [1.0], (2**34,), "SparseVector", index="int64")
    kernel = gn.compile("a = x(i) * y(i)", x=gn.spec("SparseVector", index="int64"), y="SparseVector")
    with pytest.raises(GnomonError, match="int64"):
        kernel(x=huge, y=huge)
    both = gn.spec("SparseVector", index="int64")
    assert gn.compile("a = x(i) * y(i)", x=both, y=both)(x=huge, y=huge).vals.tolist() == [1.0]


def test_extents_that_64_bits_do_not_hold() -> None:
    wide = gn.spec("SparseVector", index="int64")
    small = gn.tensor([[0]], [1.0], (4,), "SparseVector", index="int64")
    huge = replace(small, shape=(2**63,), extents=(2**63,))
    with pytest.raises(GnomonError, match="9223372036854775808"):
        gn.compile("a = x(i)", x=wide)(x=huge)


def test_kernels_with_32_bit_indices_refuse_extents_beyond_them() -> None:
    kernel = gn.compile("y(i) = x(i)", x="SparseVector", out="SparseVector")
    held = gn.tensor([[2**31 - 1]], [1.0], (2**31,), "SparseVector")
    assert list(kernel(x=held).entries()) == [((2**31 - 1,), 1.0)]
    with pytest.raises(Unsupported, match=r"2147483649 does not fit in 32 bits(.|\n)*out=gn.spec"):
        kernel(x=gn.tensor([[0]], [1.0], (2**31 + 1,), "SparseVector"))


def test_a_narrow_result_of_wide_operands_refuses_extents_beyond_it() -> None:
    wide = gn.spec("SparseVector", index="int64")
    huge = gn.tensor([[2**31]], [1.0], (2**31 + 1,), wide)
    with pytest.raises(Unsupported, match="32 bits"):
        gn.compile("y(i) = x(i)", x=wide, out="SparseVector")(x=huge)
    for operand, out in ((wide, wide), (huge, "SparseVector")):
        result = gn.compile("y(i) = x(i)", x=operand, out=out)(x=huge)
        assert result.levels[0]["crd"].tolist() == [2**31]
