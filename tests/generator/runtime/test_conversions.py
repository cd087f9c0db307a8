"""Operands that kernels read in another format: kept with the operand, noted in the cache, as wide as they are."""

import gc
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime import conversions
from gnomon.generator.runtime.conversions import Conversion, as_note, parameters, read_conversions
from gnomon.generator.runtime.kernel import Kernel
from gnomon.generator.runtime.request import make_request
from gnomon.generator.storage.layout import Layout
from gnomon.reference.errors import FormatError, StorageError
from gnomon.reference.storage.format import Format
from gnomon.reference.storage.named_formats import format_of
from gnomon.reference.storage.tensor import Tensor

SUM = "C(i,j) = A(i,j) + B(i,j)"
BY_COLUMNS = Layout.uniform(format_of("CSC"), np.dtype("float64"), 0)


def matrix(format: str, seed: int = 0, index: str = "int32") -> Tensor:
    chance = np.random.default_rng(seed)
    coords = np.argwhere(chance.random((5, 6)) < 0.4).T
    return gn.tensor(coords, chance.integers(1, 9, coords.shape[1]) * 1.0, (5, 6), format, index=index)


def test_a_kernel_depends_on_the_extents_of_what_is_converted() -> None:
    """What is missing contributes as often as there are columns, which A has, read as it is and by columns."""
    kernel = gn.compile("y(i) = sum(j, exp(A(j,i) + A(i,j)))", A="CSR", convert="auto")
    for size in (2, 3):
        A = gn.tensor([[0], [1]], [1.0], (size, size), "CSR")
        expected = np.exp(A.to_numpy() + A.to_numpy().T).sum(axis=1)
        assert np.allclose(kernel(A=A).to_numpy(), expected)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of what has been converted."""
    found: list[str] = []
    plain = Tensor.convert

    def convert(tensor: Tensor, format: Any) -> Tensor:
        found.append(str(tensor.format))
        return plain(tensor, format)

    monkeypatch.setattr(conversions.Tensor, "convert", convert)
    return found


def test_what_an_operand_has_become_is_kept_as_long_as_the_operand_lives(made: list[str]) -> None:
    kernel = gn.compile(SUM, A="CSR", B="CSC", out="CSR", convert="auto")
    a, b = matrix("CSR"), matrix("CSC", 1)
    wanted = a.to_numpy() + b.to_numpy()
    for _ in range(3):
        assert (kernel(A=a, B=b).to_numpy() == wanted).all()
    assert made == ["CSC"]
    assert (kernel(A=a, B=matrix("CSC", 2)).to_numpy() == a.to_numpy() + matrix("CSC", 2).to_numpy()).all()
    gc.collect()
    assert made == ["CSC", "CSC"]
    assert isinstance(kernel, Kernel) and [len(each.found) for each in kernel.converter.known.values()] == [1]


def test_arrays_that_somebody_else_may_change_are_converted_in_each_call(made: list[str]) -> None:
    kernel = gn.compile(SUM, A="CSR", B="CSC", out="CSR", convert="auto")
    a, b = matrix("CSR"), matrix("CSC", 1)
    vals = b.vals.copy()
    loose = Tensor(b.format, b.shape, b.dtype, b.fill, b.levels, b.shared, b.extents, vals)
    for _ in range(2):
        vals += 1
        assert (kernel(A=a, B=loose).to_numpy() == a.to_numpy() + loose.to_numpy()).all()
    assert made == ["CSC", "CSC"]


def test_an_operand_may_be_read_in_two_formats() -> None:
    square = gn.tensor([[0, 1, 2], [1, 2, 2]], [1.0, 2.0, 3.0], (3, 3), "CSR")
    kernel = gn.compile("C(i,j) = A(i,j) - A(j,i)", A="CSR", out="CSR", convert="auto")
    assert (kernel(A=square).to_numpy() == square.to_numpy() - square.to_numpy().T).all()
    assert "A, in CSR, is converted to CSC, named A1" in kernel.source and "A1: CSC, float64, fill 0" in kernel.source


def test_previous_contents_are_converted_and_stay_as_they_are() -> None:
    kernel = gn.compile("C(i,j)<$M(i,j)> += A(i,j)", C="DIA", A="CSR", M="CSC", out="CSR", convert="auto")
    c, a, m = matrix("DIA", 1), matrix("CSR", 2), matrix("CSC", 3)
    before, inside = c.to_numpy().copy(), m.to_numpy() != 0
    assert (kernel(C=c, A=a, M=m).to_numpy() == before + np.where(inside, a.to_numpy(), 0)).all()
    assert (c.to_numpy() == before).all()


def test_phases_read_converted_operands() -> None:
    kernel = gn.compile(SUM, A="CSR", B="CSC", out="CSR", convert="auto")
    a, b = matrix("CSR"), matrix("CSC", 1)
    structure = kernel.assemble(A=a, B=b)
    assert (kernel.compute(structure, A=a, B=b).to_numpy() == a.to_numpy() + b.to_numpy()).all()


@pytest.mark.parametrize("index", ["int32", "int64"])
def test_what_is_read_has_indices_as_wide_as_what_is_given(index: str) -> None:
    a, b = matrix("CSR", index=index), matrix("CSC", 1, index)
    kernel = gn.compile(SUM, A=a, B=b, out="CSR", convert="auto")
    assert [each.index for each in kernel.built.conversions] == [index]
    assert f"const {index}_t * restrict B2_crd" in kernel.source
    assert (kernel(A=a, B=b).to_numpy() == a.to_numpy() + b.to_numpy()).all()


def test_what_does_not_fit_in_narrow_indices_is_refused() -> None:
    far = gn.Format(["compressed", "compressed", "dense", "dense"], map="(i,j)->(i//4,j//4,i%4,j%4)")
    kernel = gn.compile("a = A(i,i)", A=far)
    near = gn.tensor([[5, 6], [5, 7]], [2.0, 3.0], (8, 8), far)
    assert float(kernel(A=near)) == 2.0
    wide = gn.tensor([[2**32], [2**32]], [2.0], (2**33, 2**33), far)
    assert float(gn.compile("a = A(i,i)", A=wide)(A=wide)) == 2.0
    x = gn.tensor([[2**32]], [3.0], (2**33,), gn.spec("compressed", index="int64"))
    narrow = gn.compile("a = A(i,i) * x(i)", A=far, x=gn.spec("compressed", index="int64"))
    with pytest.raises(FormatError, match="A has int32 and int64 index arrays"):
        narrow(A=gn.tensor([[2**32], [2**32]], [2.0], (2**33, 2**33), far), x=x)


def test_a_mapped_operand_needs_no_leave_to_be_converted() -> None:
    a, b = matrix("CSR"), matrix("DIA", 1)
    assert (gn.compile(SUM, A="CSR", B="DIA", out="CSR")(A=a, B=b).to_numpy() == a.to_numpy() + b.to_numpy()).all()


def test_the_cache_knows_what_is_converted() -> None:
    (found,) = gn.compile(SUM, A="CSR", B="CSC", out="CSR", convert="auto").built.conversions
    again = read_conversions(as_note([found]), {"B": BY_COLUMNS})
    assert again == (found,) == gn.compile(SUM, A="CSR", B="CSC", out="CSR", convert="auto").built.conversions


@pytest.mark.parametrize(
    "fact", [["B", "B", "CSR"], ["B", "D", "CSR", "int32"], ["B", "B", "CSF", "int"], ["B", "B", "xyz", "int32"], 3]
)
def test_a_note_that_says_nothing_of_conversions_is_none(fact: Any) -> None:
    found = read_conversions([fact], {"B": BY_COLUMNS})
    assert found is None or fact[3] == "int"


def test_parameters_are_operands_and_what_is_read_besides() -> None:
    made = Conversion("A1", "A", format_of("CSC"), "int32"), Conversion("B", "B", format_of("CSR"), "int32")
    assert parameters(("A", "B"), made) == ("A", "B", "A1")


def test_a_choice_is_made_by_the_sizes_of_what_is_read() -> None:
    text = "y(i) = A(i,j) * B(j,k) * D(i,k)"
    formats = {"A": "CSR", "B": "CSR", "D": "CSC"}
    request = make_request(text, formats, convert="auto", schedule="auto")
    operands = {
        "A": matrix("CSR"),
        "B": matrix("CSR").T.convert("CSR"),
        "D": gn.tensor([[0], [1]], [1.0], (5, 5), "CSC"),
    }
    assert {name: str(each.format) for name, each in request.arguments(operands).items()} != formats
    kernel = Kernel(request)
    wanted = np.einsum("ij,jk,ik->i", *(operands[n].to_numpy() for n in "ABD"))
    assert (kernel.choose(**operands)(**operands).to_numpy() == wanted).all()


def test_a_result_that_is_filled_is_refused_by_the_sizes_of_what_is_read() -> None:
    shape = (50_000, 50_000)
    a = gn.tensor([[0, 5], [7, 5]], [2.0, 3.0], shape, gn.spec("CSR", fill=1))
    kernel = gn.compile(
        "C(i,j) = A(i,j) * A(j,i)", A=gn.spec("CSR", fill=1), out=gn.spec("CSR", fill=0), convert="auto"
    )
    with pytest.raises(StorageError, match="the result has at least"):
        kernel(A=a)


@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_are_converted_in_each_call(order: Any) -> None:
    kernel = gn.compile("y(i) = A(i,j) * x(j)", schedule="convert(A(i,j),{j,i})")
    a, x = np.array(np.arange(12.0).reshape(3, 4), order=order), np.arange(4.0)
    for _ in range(2):
        a += 1
        assert (kernel(A=a, x=x).to_numpy() == a @ x).all()
    both = gn.compile("C(i,j) = D(k,i) * B(k,j)", B="CSR", D="RowMajor", schedule="convert(D(k,i),{i,k})")
    b, d = matrix("CSR"), np.array(np.arange(15.0).reshape(5, 3), order=order)
    assert (both(D=d, B=b).to_numpy() == d.T @ b.to_numpy()).all()


@pytest.mark.parametrize("columns", [10**9, 2 * 10**8])
def test_far_extents_are_converted_to_what_fits_in_memory(columns: int) -> None:
    shape = (5 if columns > 10**8 * 5 else 50, columns)
    a = gn.tensor([[0, 3], [7, columns - 1]], [1.0, 2.0], shape, "DCSC")
    b = gn.tensor([[0, 2], [7, columns - 1]], [4.0, 8.0], shape, "CSR")
    kernel = gn.compile("C(i,j) = A(i,j) + B(i,j)", A="DCSC", B="CSR", out="DCSC", convert="auto")
    assert sorted(kernel(A=a, B=b).vals.tolist()) == [2.0, 5.0, 8.0]
    kept = [each.format for each, found in kernel.converter.known.items() if found.found]
    assert [str(each) for each in kept] == ["DCSC"]


def test_another_kernel_is_chosen_by_the_sizes_of_what_is_read() -> None:
    kernel = gn.compile("D(i,l) = A(i,j) * A(j,i) * B(j,k) * E(k,l)", A="CSR", B="CSR", convert="auto")
    assert kernel.request.choice is not None
    a, e = gn.tensor([[0, 1, 2], [1, 2, 2]], [1.0, 2.0, 3.0], (3, 3), "CSR"), np.ones((6, 4))
    b = gn.tensor([[0, 2], [1, 5]], [4.0, 5.0], (3, 6), "CSR")
    wanted = (a.to_numpy() * a.to_numpy().T) @ b.to_numpy() @ e
    assert (kernel(A=a, B=b, E=e).to_numpy() == wanted).all()


def test_a_converted_format_is_read_back_from_its_text() -> None:
    order = Format(["compressed", "compressed", "dense"], mode_order=[2, 0, 1])
    given = Layout.uniform(format_of("CSF", 3), np.dtype("float64"), 0)
    made = Conversion("A", "A", order, "int64")
    assert read_conversions(as_note([made]), {"A": given}) == (made,)
