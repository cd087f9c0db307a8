"""Converted operands: in which formats, by which names, and that they store what the operands do."""

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.properties.strategies.tensors import tensors
from gnomon.reference.notation.syntax import Access
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.converting import convert_operands, format_in_order, has_room
from gnomon.reference.statement.statement import Conversion, Program, show_program
from gnomon.reference.storage.components import distinct, same_components
from gnomon.reference.storage.named_formats import format_of, recognise
from gnomon.reference.storage.tensor import Tensor
from hypothesis import given
from hypothesis import strategies as st

SHAPE = (3, 2, 4)


def matrix(format: str, shape: tuple[int, ...] = (4, 4), index: str = "int32", fill: float = 0) -> Tensor:
    chance = np.random.default_rng(len(format))
    coords = np.argwhere(chance.random(shape) < 0.4).T
    return gn.tensor(coords, chance.integers(1, 9, coords.shape[1]) * 1.0, shape, format, index=index, fill=fill)


def program(text: str, out: Any = None, **formats: str) -> Program:
    operands = {name: matrix(format) for name, format in formats.items()}
    return prepare(text, operands, out=out, convert="auto").lowered


@given(st.data(), st.integers(1, 3), st.booleans())
def test_what_is_converted_stores_what_the_operand_does(data: Any, order: int, whole: bool) -> None:
    tensor = data.draw(tensors(SHAPE[:order], fill=data.draw(st.sampled_from((0, 2)))))
    modes = data.draw(st.permutations(range(order)))
    made = tensor.convert(format_in_order(tensor.format, modes, whole=whole))
    assert same_components(distinct(tensor), distinct(made))
    assert made.fill == tensor.fill and made.dtype == tensor.dtype and made.format.stored_modes == list(modes)
    assert all(level.ordered and level.unique for level in made.format.levels)


@pytest.mark.parametrize(
    ("stored", "modes", "whole", "wanted"),
    [
        ("CSC", (0, 1), True, "CSR"),
        ("CSC", (0, 1), False, "DCSR"),
        ("compressed", (0,), True, "SparseVector"),
        ("dense,compressed,dense", (1, 0, 2), False, "compressed,compressed,dense; (i,j,k)->(j,i,k)"),
        ("compressed,dense,dense", (0, 2, 1), True, "compressed,dense,dense; (i,j,k)->(i,k,j)"),
        ("compressed,compressed,dense", (0, 2, 1), True, "dense,compressed,compressed; (i,j,k)->(i,k,j)"),
        ("compressed,dense", (1, 0), False, "DCSC"),
        ("BCSR(2,2)", (0, 1), True, "CSR"),
        ("compressed,bitmap", (1, 0), True, "CSC"),
    ],
)
def test_formats_in_the_order_of_the_loops(stored: str, modes: tuple[int, ...], whole: bool, wanted: str) -> None:
    assert str(format_in_order(format_of(stored), modes, whole=whole)) == wanted


@pytest.mark.parametrize(
    ("format", "indices", "room"),
    [
        ("CSR", ("i", "j"), True),
        ("CSC", ("j", "i"), True),
        ("CSC", ("i", "j"), False),
        ("DCSR", ("i", "j"), False),
        ("Dense(1,0)", ("j", "i"), True),
        ("BCSR(2,2)", ("i", "j"), False),
        ("ELL", ("i", "j"), False),
    ],
)
def test_what_stands_beside_tells_that_there_is_room(format: str, indices: tuple[str, ...], room: bool) -> None:
    others = [Access("A", indices), Access("w", ("i",))]
    assert has_room("i", format_of("COO", 2), others, {"A": format_of(format)}, {"i": 4}) is room


def test_coordinates_that_are_values_take_no_room() -> None:
    assert not has_room("i", format_of("COO", 2), [Access("i", ("i",))], {"i": format_of("Dense", 1)}, {"i": 4})
    far = gn.tensor([[5, 7], [1, 0]], [1.0, 2.0], (2**40, 2**40), gn.spec("DCSR", index="int64"))
    found = gn.evaluate("C(i,j) = A(i,j) * j", A=far, out=gn.spec("DCSC", index="int64"), convert="auto", engine="c")
    assert dict(found.entries()) == {(5, 1): 1.0, (7, 0): 0.0}


@pytest.mark.parametrize(
    ("stored", "extent", "room"),
    [("CSC", 10**8, True), ("CSC", 10**8 + 1, False), ("DIA", 5, True), ("DCSC", 5, False), ("HashMap", 5, False)],
)
def test_what_has_room_for_a_mode_has_room_for_another_that_fits_in_memory(
    stored: str, extent: int, room: bool
) -> None:
    assert has_room("i", format_of(stored), (), {}, {"i": extent}) is room


def test_an_operand_keeps_its_name_where_nothing_reads_it_as_it_is() -> None:
    (only,) = program("C(i,j) = A(i,j) + B(i,j)", "CSR", A="CSR", B="CSC").converted
    assert only == Conversion("B", "B", format_of("CSC"))
    (other,) = program("C(i,j) = A(i,j) + A(j,i)", "CSR", A="CSR").converted
    assert other.name != other.source == "A"


def test_what_is_read_in_one_format_again_is_converted_once() -> None:
    twice = program("C(i,j) = A(j,i) * max(k, A(k,i)) + A(i,j)", "CSR", A="CSR")
    assert [str(twice.formats[each.name]) for each in twice.converted] == ["CSC"]
    several = program("C(i,j) = A(i,j) + B(i,j) + A(j,i)", "DCSR", A="DIA", B="DCSR")
    assert {each.name: str(several.formats[each.name]) for each in several.converted} == {"A": "CSR", "A2": "CSC"}
    assert [str(each.stored) for each in several.converted] == ["DIA", "DIA"]
    assert "A, in DIA, is converted to CSC, named A2" in show_program(several)


def test_several_nests_read_what_is_converted_once() -> None:
    text = "y(i) = sqrt(sum(j, A(j,i) * B(i,j))) + sqrt(sum(k, A(k,i) * B(i,k)))"
    found = program(text, A="CSR", B="CSR")
    assert [(each.name, str(found.formats[each.name])) for each in found.converted] == [("A", "CSC")]
    assert {name for name, _ in found.tensors if name not in found.workspace} >= {"A", "B", "y"}
    assert not {name for name, _ in found.tensors} & {"A1", "A2"}


def test_results_and_other_operands_tell_of_room() -> None:
    for out, wanted in ((None, "CSR"), ("DCSR", "DCSR")):
        found = program("C(i,j) = A(i,j) + B(i,j)", out, A="DCSC", B="DCSR")
        assert {each.name: str(found.formats[each.name]) for each in found.converted} == {"A": wanted}


def test_nothing_is_converted_for_a_result_in_blocks_that_no_loops_assemble() -> None:
    assert program("C(i,j) = A(i,j) * 2", "BCSR(2,2)", A="CSR").converted == ()
    assert program("C(i,j) = A(i,j) * K(j,i)", "BCSR(2,2)", A="Dense", K="BCSR(2,2)").converted == ()


def test_rows_are_converted_for_a_result_in_blocks() -> None:
    found = program("C(i,j) = A(i,j) * K(j,i)", "CSB(2,2)", A="DCSC", K="BCSR(2,2)")
    assert {each.source: str(found.formats[each.name]) for each in found.converted} == {
        "A": "compressed,compressed,compressed; (i,j)->(i//2,i%2,j)",
        "K": "CSC",
    }


CELLS = "dense,compressed,compressed,compressed; (i,j)->(i//2,j//2,i%2,j%2)"
WHOLE = "dense,dense,dense,dense; (i,j)->(i//2,j//2,i%2,j%2)"


@pytest.mark.parametrize("other", ["BCSR(2,2)", WHOLE])
def test_blocks_that_contradict_a_result_are_converted(other: str) -> None:
    found = program("C(i,j) = A(i,j) * K(j,i)", "BCSR(2,2)", A=other, K="BCSR(2,2)")
    assert [each.name for each in found.converted] == ["K"] and not found.workspaces


@pytest.mark.parametrize(("convert", "converted"), [(None, []), ("auto", ["A", "K"])])
def test_rows_that_contradict_a_result_in_blocks_stay_unless_they_may_be_converted(
    convert: str | None, converted: list[str]
) -> None:
    request = make_request("C(i,j) = A(i,j) * K(i,j)", {"A": "CSC", "K": WHOLE}, out=CELLS, convert=convert)
    assert [each.name for each in request.program.converted] == converted and request.program.workspaces


def test_sizes_are_those_of_what_is_read() -> None:
    operands = {"A": matrix("CSR"), "B": matrix("CSR"), "E": np.ones((4, 4))}
    text = "D(i,l) = A(i,j) * A(j,i) * B(j,k) * E(k,l)"
    assert prepare(text, operands, convert="auto", schedule="auto").lowered.converted[0].name == "A1"
    gn.check(text, **operands, convert="auto", schedule="auto")


@pytest.mark.parametrize("other", ["+ B(i,j)", ""])
def test_what_is_converted_is_filled_as_it_was(agreed: Any, other: str) -> None:
    operands = {"A": ((3, 4), "CSC", "float64", 2)} | ({"B": ((3, 4), "CSR", "float64", 2)} if other else {})
    agreed(f"C(i,j) = A(i,j) {other}", gn.spec("CSR", fill=4 if other else 2), operands, convert="auto")


def test_previous_contents_are_converted_too() -> None:
    previous = matrix("DIA")
    ready = prepare("C(i,j)<M(i,j)> += A(i,j) * 2", {"C": previous, "A": matrix("CSR"), "M": matrix("CSC")},
                    out="CSR", convert="auto")  # fmt: skip
    sources = {ready.lowered.given(each.name): ready.lowered.given(each.source) for each in ready.lowered.converted}
    assert sources == {"C": "C", "C_old2": "C", "M1": "M"} and str(ready.arguments["C"].format) == "CSR"
    gn.check("C(i,j)<M(i,j)> += A(i,j) * 2", C=previous, A=matrix("CSR"), M=matrix("CSC"), out="CSR", convert="auto")


@pytest.mark.parametrize("index", ["int32", "int64"])
def test_indices_stay_as_wide_as_they_are(index: str) -> None:
    asked = program("C(i,j) = A(i,j) + B(i,j)", "CSR", A="CSR", B="CSC")
    made = convert_operands(asked, {"A": matrix("CSR"), "B": matrix("CSC", index=index)})["B"]
    assert {a.dtype.name for a in made.levels[1].values()} == {index}


def test_operands_stay_as_they_are_where_nothing_is_converted() -> None:
    operands = {"A": matrix("CSR"), "B": matrix("DCSR")}
    assert convert_operands(program("C(i,j) = A(i,j) + B(i,j)", A="CSR", B="DCSR"), operands) is operands


@pytest.mark.parametrize(
    ("text", "out", "formats", "converted"),
    [
        ("C(i,j) = A(i,j) + B(i,j)", "CSR", {"A": "CSC", "B": "CSR"}, {"A"}),
        ("C(i,j) = A(i,j) + B(i,j)", "CSR", {"A": "CSC", "B": "CSC"}, {"A", "B"}),
        ("C(i,j) = A(i,j) + B(i,j) + D(i,j)", "Dense", {"A": "CSR", "B": "CSC", "D": "CSR"}, {"B"}),
        ("C(i,j) = A(i,j) + B(i,j) + D(i,j)", "Dense", {"A": "CSC", "B": "CSR", "D": "CSR"}, {"A"}),
        (
            "C(i,j) = B(i,j) * A(i,j) + D(i,j) + E(i,j)",
            "CSR",
            {"A": "CSC", "B": "CSR", "D": "CSC", "E": "CSR"},
            {"A", "D"},
        ),
        ("C(i,j) = A(j,i)", "CSR", {"A": "CSR"}, {"A"}),
        ("C(i,j) = A(k,i) * B(k,j)", "CSR", {"A": "CSR", "B": "CSR"}, set()),
    ],
)
def test_what_contradicts_the_others_is_converted(
    text: str, out: str, formats: dict[str, str], converted: set[str]
) -> None:
    assert {each.source for each in program(text, out, **formats).converted} == converted
    gn.check(text, out=out, convert="auto", **{name: matrix(format) for name, format in formats.items()})


@pytest.mark.parametrize(("batch", "shape"), [("", (3, 3)), ("b,", (2, 3, 3))])
def test_a_mask_by_value_that_is_converted_leaves_out_zeros(batch: str, shape: tuple[int, ...]) -> None:
    """In a batch of products the copy is made inside of the loop over them, without their mode."""
    rows_first = gn.Format(["compressed"] * len(shape))
    *outer, row, column = range(len(shape))
    columns_first = gn.Format(["compressed"] * len(shape), mode_order=(*outer, column, row))
    places = np.indices(shape).reshape(len(shape), -1)
    count = places.shape[1]
    mask = gn.tensor(places, np.arange(count) % 2 * 1.0, shape, columns_first)
    a = gn.tensor(places, np.arange(1.0, count + 1), shape, rows_first)
    text = f"R({batch}i,j)<M({batch}i,j)> = A({batch}i,k) * B({batch}k,j)"
    found = gn.trace(text, A=a, B=a, M=mask, out=rows_first, convert="auto")
    said = show_program(found.program)
    assert said.startswith(f"M, in {columns_first}, is converted to {recognise(rows_first)}\n") and "<w1(j)>" in said
    wanted = (a.to_numpy() @ a.to_numpy()) * mask.to_numpy()
    assert found.result.to_numpy().tolist() == wanted.tolist()


def test_a_mask_that_reads_a_converted_operand_reads_what_it_has_become() -> None:
    shape, rows_first = (2, 3, 3), gn.Format(["compressed"] * 3)
    columns_first = gn.Format(["compressed"] * 3, mode_order=(0, 2, 1))
    places = np.indices(shape).reshape(3, -1)
    a = gn.tensor(places, np.arange(18) % 3 * 1.0, shape, rows_first)
    b = gn.tensor(places, np.arange(1.0, 19.0), shape, columns_first)
    text = "R(b,i,j)<A(b,i,j)> = A(b,i,j) + B(b,i,j)"
    found = gn.trace(text, A=a, B=b, out=columns_first, convert="auto")
    said = show_program(found.program)
    assert said.startswith(f"A, in {rows_first}, is converted to {columns_first}\n")
    assert said.endswith("R(b,i,j)<A(b,i,j)> = A(b,i,j) + B(b,i,j)")
    wanted = np.where(a.to_numpy() != 0, a.to_numpy() + b.to_numpy(), 0)
    assert found.result.to_numpy().tolist() == wanted.tolist()
