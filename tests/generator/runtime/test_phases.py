"""Two phases: values are computed in the structure of the result on their operands, and in no other."""

import pickle

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import FormatError

A = gn.tensor([[0, 0, 1, 3], [0, 2, 1, 3]], [5.0, 1.0, 7.0, 9.0], (4, 4), "CSR")


def test_assemble_then_compute() -> None:
    add = gn.compile("C(i,j) = A(i,j) + B(i,j)", A="CSR", B="CSR", out="CSR")
    structure = add.assemble(A=A, B=A)
    assert {i for i, _ in structure.entries()} == {(0, 0), (0, 2), (1, 1), (3, 3)}
    twice = gn.tensor([[0, 0, 1, 3], [0, 2, 1, 3]], [1.0, 2.0, 3.0, 4.0], (4, 4), "CSR")
    assert [v for _, v in add.compute(structure, A=A, B=twice).entries()] == [6.0, 3.0, 10.0, 13.0]
    for wrong in (A.convert("CSC"), None, 5, "x", np.eye(4), A.to_scipy()):
        with pytest.raises(FormatError, match="not the structure"):
            add.compute(wrong, A=A, B=A)  # type: ignore[arg-type]


def test_values_are_computed_in_no_structure_but_that_of_the_operands() -> None:
    """A kernel would write beyond it."""
    full = gn.from_numpy(np.ones((4, 4)), "CSR")
    add = gn.compile("C(i,j) = A(i,j) + B(i,j)", A="CSR", B="CSR", out="CSR")
    structure = add.assemble(A=A, B=A)
    again = gn.tensor(*A.components(), A.shape, "CSR")
    other = gn.tensor([[0, 1, 2, 3], [3, 2, 1, 0]], [1.0, 2.0, 3.0, 4.0], (4, 4), "CSR")
    with pytest.raises(FormatError, match="on these operands"):
        add.compute(add.assemble(A=full, B=full), A=A, B=A)
    for b in (full, other):
        with pytest.raises(FormatError, match="on these operands"):
            add.compute(structure, A=A, B=b)
    for same in (structure, pickle.loads(pickle.dumps(structure)), A):
        assert [v for _, v in add.compute(same, A=A, B=again).entries()] == [10.0, 2.0, 14.0, 18.0]


def test_a_structure_that_follows_from_the_values_of_a_mask_is_that_of_others() -> None:
    kernel = gn.compile("C(i,j)<M(i,j)> = A(i,j)", A="CSR", M="CSR", out="CSR")
    places, stored = [[0, 0, 1, 3], [0, 2, 1, 3]], ([1.0, 0.0, 1.0, 0.0], [1.0] * 4)
    masks = [gn.tensor(places, values, (4, 4), "CSR") for values in stored]
    structures = [kernel.assemble(A=A, M=mask) for mask in masks]
    assert [len(each.vals) for each in structures] == [2, 4]
    for n, structure in reversed([*enumerate(structures)]):
        assert kernel.compute(structure, A=A, M=masks[n]).vals.tolist() == [[5.0, 7.0], [5.0, 1.0, 7.0, 9.0]][n]
        with pytest.raises(FormatError, match="on these operands"):
            kernel.compute(structure, A=A, M=masks[1 - n])


def test_operands_that_are_converted_or_may_be_changed_are_looked_at_again() -> None:
    product = gn.compile("C(i,j) = A(i,k) * A(k,j)", A="CSR", out="CSR")
    sparse, denser = A.to_scipy(), gn.from_numpy(np.ones((4, 4)), "CSR").to_scipy()
    structure = product.assemble(A=sparse)
    assert product.compute(structure, A=sparse).vals.tolist() == product(A=sparse).vals.tolist()
    with pytest.raises(FormatError, match="on these operands"):
        product.compute(structure, A=denser)


def test_elements_that_are_not_set_are_not_compared() -> None:
    """An accumulator has room for coordinates that nothing has."""
    x = gn.tensor([[7, 90, 300]], [1.0, 0.0, 3.0], (1000,), "SparseVector")
    kernel = gn.compile("y(i)<M(i)> = x(i)", x="SparseVector", M="SparseVector", out="accumulator")
    structures = [kernel.assemble(x=x, M=x) for _ in range(20)]
    assert all(kernel.compute(each, x=x, M=x) == [*[0] * 7, 1, *[0] * 292, 3, *[0] * 699] for each in structures)
    other = gn.tensor([[7, 90, 300]], [1.0, 2.0, 0.0], (1000,), "SparseVector")
    with pytest.raises(FormatError, match="on these operands"):
        kernel.compute(structures[0], x=x, M=other)


def test_a_structure_for_operands_of_other_shapes_is_that_of_others() -> None:
    """Extents of what is reduced decide whether the result is the fill where nothing is stored."""
    total = gn.compile("y(i) = A(i,j)", A="Dense", out="SparseVector")
    nothing = total.assemble(A=np.zeros((3, 0)))
    with pytest.raises(FormatError, match="on these operands"):
        total.compute(nothing, A=np.ones((3, 1)))
    filled = [gn.tensor([[], []], [], (3, n), gn.spec("CSR", fill=2)) for n in (2, 3)]
    total = gn.compile("y(i) = A(i,j)", A=filled[0], out=gn.spec("SparseVector", fill=4))
    fours = total.assemble(A=filled[0])
    with pytest.raises(FormatError, match="on these operands"):
        total.compute(fours, A=filled[1])
    assert total.compute(fours, A=filled[0]).to_numpy().tolist() == [4.0] * 3
