"""Results in formats that must see every component first: assembled in coordinates, packed in the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.kernel import Kernel
from gnomon.properties.differential.check import check
from gnomon.reference.errors import FormatError, GnomonError, StorageError
from gnomon.reference.levels.bitmap import Bitmap
from gnomon.reference.levels.dense import Dense
from gnomon.reference.levels.level import Indices
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.statement import show_program
from gnomon.reference.storage.assemblable import is_assemblable, is_assemblable_in_parts
from gnomon.reference.storage.format import Format
from gnomon.reference.storage.named_formats import format_of
from gnomon.reference.storage.tensor import Tensor

A = gn.tensor([[0, 1, 2, 2], [0, 2, 1, 2]], [1.0, 2.0, 3.0, 4.0], (3, 3), "CSR")
B = gn.tensor([[0, 1, 2], [1, 2, 0]], [1.0, 2.0, 3.0], (3, 3), "DIA")
LOWER = gn.tensor([[0, 1, 2, 2], [0, 0, 1, 2]], [1.0, 2.0, 3.0, 4.0], (3, 3), "CSR")
DIAGONALS = "dense,dense,compressed; (i,j)->(#(j-i),i,j)"
PACKED = ("DIA", "SparseDIA", "ELL", "Banded", "dense,banded; (i,j)->(j,i)", DIAGONALS)


@dataclass(frozen=True)
class Counted(Bitmap):
    """A bitmap that is settled by a look at all coordinates."""

    name: ClassVar[str] = "counted"

    def analyse(self, parents: Indices, i: Sequence[Indices], count: int) -> dict[str, int | Indices]:
        return {}


def same(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors have the same arrays, of the same dtypes."""
    stores = [*zip(a.levels, b.levels, strict=True), (a.shared, b.shared), ({"vals": a.vals}, {"vals": b.vals})]
    return a.format == b.format and all(
        np.array_equal(one[name], other[name]) and getattr(one[name], "dtype", 0) == getattr(other[name], "dtype", 0)
        for one, other in stores
        for name in one
    )


@pytest.mark.parametrize("format", [*PACKED, "Skyline", "dense,singleton(padded)"])
def test_formats_that_must_see_every_component_first(format: str) -> None:
    assert not is_assemblable(format_of(format, 2))
    assert is_assemblable(format_of("COO", 2)) and is_assemblable(format_of("HashMap", 2))


@pytest.mark.parametrize(
    ("format", "wanted"),
    [
        ("CSR", True),
        ("COO", True),
        ("HashMap", True),
        ("dense,bitmap", True),
        ("compressed,dense", True),
        ("dense,compressed,dense", True),
        ("BCSR(2,2)", False),
        ("CSB(2,2)", False),
        ("dense,dense,dense,dense; (i,j)->(i//2,j//2,i%2,j%2)", True),
        ("compressed,hashed", False),
        ("compressed,dense,hashed", False),
        ("compressed,bitmap", False),
        ("DIA", False),
        ("dense,accumulator", False),
    ],
)
def test_formats_that_iterations_append_to_in_parts(format: str, wanted: bool) -> None:
    order = 3 if format in ("dense,compressed,dense", "compressed,dense,hashed") else 2
    assert is_assemblable_in_parts(format_of(format, order)) == wanted


@pytest.mark.parametrize("format", PACKED)
def test_results_are_what_converting_gives_in_both_engines(format: str) -> None:
    ours, theirs = (gn.evaluate("C(i,j) = A(i,j) * 2", A=A, out=format, engine=e) for e in ("reference", "c"))
    assert same(ours, theirs)
    assert same(ours, gn.evaluate("C(i,j) = A(i,j) * 2", A=A, out="COO").convert(format))


@pytest.mark.parametrize("format", PACKED)
@pytest.mark.parametrize(
    ("expression", "operands"),
    [
        ("C(i,j) = A(i,j) + B(j,i)", {"A": A, "B": B}),
        ("C(i,j) += A(i,j)", {"A": A, "C": True}),
        ("C(i,j)<M(i,j)> += A(i,j)", {"A": A, "C": True, "M": LOWER}),
    ],
)
def test_sums_updates_and_masks(format: str, expression: str, operands: dict[str, Tensor]) -> None:
    held = {name: B.convert(format) if name == "C" else tensor for name, tensor in operands.items()}
    engines = ("reference", "c") if format == "DIA" else ("reference",)
    assert check(expression, held, out=format, convert="auto", engines=engines).engines == engines


def test_the_statement_says_what_becomes_of_the_result() -> None:
    by_columns = {"A": A.convert("CSC")}
    program = prepare("C(i,j) = A(i,j)", by_columns, out="DIA").program
    assert program.packed == format_of("DIA")
    said = "C, in compressed(nonunique),singleton; (i,j)->(j,i), is packed into DIA"
    assert show_program(program).splitlines()[-1] == said
    kernel = gn.compile("C(i,j) = A(i,j)", A="CSC", out="DIA")
    assert said in kernel.source
    assert isinstance(kernel, Kernel) and same(kernel(**by_columns), A.convert("DIA"))
    structure = kernel.assemble(**by_columns)
    assert same(kernel.compute(structure, **by_columns), A.convert("DIA"))
    assert "packed" not in show_program(prepare("C(i,j) = A(i,j)", by_columns, out="CSC").program)


def test_what_a_skyline_does_not_reach_is_refused() -> None:
    assert gn.check("C(i,j) = A(i,j) * 2", A=LOWER, out="Skyline").engines == ("reference", "c")
    for engine in ("reference", "c"):
        with pytest.raises(StorageError, match=r"\(1, 2\) lies above the diagonal"):
            gn.evaluate("C(i,j) = A(i,j)", A=A, out="Skyline", engine=engine)
        with pytest.raises(StorageError, match=r"\(2, 1\) and \(2, 2\) cannot both be stored"):
            gn.evaluate("C(i,j) = A(i,j)", A=A, out="dense,singleton(padded)", engine=engine)


def test_a_format_that_nothing_can_be_packed_into_is_refused_before_anything_is_computed() -> None:
    for make in (gn.evaluate, gn.compile):
        with pytest.raises(FormatError, match="nothing gives it its offsets"):
            make("C(i,j) = A(i,j)", A=A, out="compressed,range")


def test_a_level_of_a_users_own_that_looks_at_all_coordinates_first() -> None:
    format = Format([Dense(), Counted()])
    assert not is_assemblable(format)
    report = gn.check("C(i,j) = A(i,k) * B(k,j)", A=A, B=LOWER, out=format)
    assert report.engines == ("reference", "c", "auto") and report.execution.program.packed == format


def test_a_result_has_room_for_its_diagonals_or_is_refused() -> None:
    n = 2**40
    far = gn.tensor([[0, n - 1], [n - 1, 0]], [1.0, 2.0], (n, n), "DCSR")
    for engine in ("reference", "c"):
        with pytest.raises(GnomonError, match=f"needs? .*{n}|{2 * n} positions"):
            gn.evaluate("C(i,j) = A(i,j)", A=far, out="DIA", engine=engine)
        assert gn.evaluate("C(i,j) = A(i,j)", A=far, out="SparseDIA", engine=engine).shared["offset"].dtype == np.int64
