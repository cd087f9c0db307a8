"""Operands stored in another order unasked: which, where that pays, and that it means the same."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.properties.differential.check import check
from gnomon.reference.notation.syntax import Access
from gnomon.reference.schedule.application import legal
from gnomon.reference.schedule.branched.choice import Place, Size, measure
from gnomon.reference.schedule.branched.merging import Sizes
from gnomon.reference.schedule.branched.multiplications import multiplications
from gnomon.reference.schedule.branched.orders import find_orders
from gnomon.reference.schedule.command import Command
from gnomon.reference.schedule.settings import Modes
from gnomon.reference.statement.staging import dissolve
from gnomon.reference.statement.statement import assignments, reads
from gnomon.reference.storage.tensor import Tensor
from scattered import spread

PRODUCT = "C(i,j) = A(i,k) * B(k,j)"
GRAM = "C(i,j) = A(i,k) * A(j,k)"
TURNED = "convert(B(j,k),{k,j})"
SUM, TOGETHER = "A(i,k) * (B(j,k) + E(j,k))", "convert(B(j,k),{k,j},E(j,k),{k,j})"
THREE, MIXED = "convert(B(j,k),{k,j},E(j,k),{k,j},D(j,k),{k,j})", "convert(B(k,j),{k,j},E(j,k),{k,j})"


def orders(expression: str, formats: dict[str, Any], **settings: Any) -> list[str]:
    program = make_request(expression, formats, **settings).program
    return [str(each.schedule) for each in find_orders(program, Sizes(dissolve(program)), Modes.NESTED)]


@pytest.mark.parametrize(
    ("expression", "formats", "wanted"),
    [
        (PRODUCT, {"A": "CSR", "B": "CSC"}, ["convert(B(k,j),{k,j})"]),
        (GRAM, {"A": "CSR"}, ["convert(A(j,k),{k,j})"]),
        ("C(i,j) = T(i,l,k) * B(j,k)", {"T": "CSF", "B": "CSR"}, ["convert(B(j,k),{k,j})"]),
        ("C(i,j) = A(i,k) * T(j,l,k)", {"A": "CSR", "T": "dense,compressed,compressed"}, ["convert(T(j,l,k),{k,j,l})"]),
        (PRODUCT, {"A": "CSR", "B": "DCSC"}, ["convert(B(k,j),{k,j})"]),
        ("C(i,l) = T(i,j,k) * U(l,j,k)", {"T": "CSF", "U": "CSF"}, ["convert(U(l,j,k),{j,k,l})"]),
        (PRODUCT, {"A": "COO", "B": "CSC"}, ["convert(B(k,j),{k,j})"]),
        ("C(i,j) = D(i,j) - A(i,k) * B(j,k)", dict.fromkeys("ABD", "CSR"), ["convert(B(j,k),{k,j})"]),
        ("C(i,j) = max(k, A(i,k) * B(j,k))", dict.fromkeys("AB", "CSR"), [f"{TURNED},{TURNED}"]),
        (
            "C(i,j) = sum(k, A(i,k) * B(j,k)) + sum(k, D(i,k) * E(j,k))",
            dict.fromkeys("ABDE", "CSR"),
            [TURNED, f"{TURNED},convert(E(j,k1),{{k1,j}})"],
        ),
        (f"C(i,j) = {SUM}", dict.fromkeys("ABE", "CSR"), [TOGETHER]),
        (f"C(i,j) = {SUM}", dict.fromkeys("ABE", "DCSR"), [TOGETHER]),
        (f"C(i,j) = {SUM}", dict.fromkeys("ABE", "COO"), [TOGETHER]),
        (f"C(i,j) = {SUM}", dict.fromkeys("ABE", "HashMap"), [TOGETHER]),
        (f"C(i,j) = D(i,j) - {SUM}", dict.fromkeys("ABDE", "CSR"), [TOGETHER]),
        ("C(i,j) = A(i,k) * (B(j,k) + E(j,k) - D(j,k))", dict.fromkeys("ABDE", "CSR"), [THREE]),
        ("C(i,j) = A(i,k) * (B(k,j) + E(j,k))", {"A": "CSR", "B": "CSC", "E": "CSR"}, [MIXED]),
        ("C(i,j) = A(i,k) * B(j,k)", {"A": "HashRows", "B": "HashRows"}, [TURNED]),
        ("C(i,j) = A(i,k) * B(j,k)", {"A": "CSR", "B": "HashMap"}, [TURNED]),
        ("C(i,j) = A(i,k) * B(j,k)", {"A": "Banded", "B": "Banded"}, [TURNED]),
        ("C(i,j) = A(i,k) * B(j,k)", {"A": "HashRows", "B": "Dense"}, []),
        ("C(i,j) = A(i,k) * B(k,j)", {"A": "HashRows", "B": "HashRows"}, []),
        ("C(i,j) = A(i,k) * B(j,k) * D(i,j)", dict.fromkeys("ABD", "CSR"), []),
        ("C(i,j) = A(i,k) * (B(j,k) + E(j))", {"A": "CSR", "B": "CSR", "E": "Dense"}, [TURNED]),
        (PRODUCT, {"A": "CSR", "B": "CSR"}, []),
        (PRODUCT, {"A": "CSC", "B": "CSR"}, []),
        (PRODUCT, {"A": "Dense", "B": "CSC"}, []),
        ("C(i,j) = A(i,j) * B(i,j)", {"A": "CSR", "B": "CSR"}, []),
        ("y(i) = A(i,j) * x(j)", {"A": "CSR", "x": "SparseVector"}, []),
    ],
)
def test_what_is_merged_again_may_be_looked_up_in_another_order(
    expression: str, formats: dict[str, Any], wanted: list[str]
) -> None:
    assert orders(expression, formats) == wanted


def test_operands_that_are_merged_together_are_converted_together_where_that_pays() -> None:
    kernel = gn.compile(f"C(i,j) = {SUM}", **dict.fromkeys("ABE", "CSR"), out="CSR")
    for n, wanted in ((600, True), (30, False)):
        operands = {name: spread((n, n), 4 * n + k, "CSR") for k, name in enumerate("ABE")}
        assert str(kernel.choose(**operands).request.schedule).startswith(TOGETHER) == wanted
        check(f"C(i,j) = {SUM}", operands, out="CSR", schedule=TOGETHER) if n == 30 else None
        found = kernel(**operands).to_scipy()
        a, b, e = (operands[name].to_scipy() for name in "ABE")
        assert abs(found - a @ (b + e).T).max() < 1e-9


@pytest.mark.parametrize("format", ["HashRows", "HashMap", "Banded"])
def test_what_is_looked_up_for_each_row_and_column_is_converted_where_that_pays(format: str) -> None:
    kernel = gn.compile(GRAM, A=format, out="CSR")
    for n, wanted in ((600, True), (30, False)):
        a = spread((n, n), 4 * n, "CSR").convert(format)
        assert str(kernel.choose(A=a).request.schedule).startswith("convert(A(j,k),{k,j})") == wanted
        found, given = kernel(A=a).to_scipy(), a.convert("CSR").to_scipy()
        assert abs(found - given @ given.T).max() < 1e-9


def test_the_work_of_lookups_is_that_of_what_is_walked() -> None:
    program = make_request(GRAM, {"A": "HashRows"}).program
    assert str(Sizes(dissolve(program)).as_written()) == "I·J + I·J·nnz(A(i,k))/nnz(A(i))"


def test_nothing_is_sought_for_one_of_several_operands_that_need_not_be_there() -> None:
    formats, expression = {"A": "CSR", "B": "CSR", "D": "DCSR"}, "C(i,j) = (A(i,k) + B(i,k)) * D(k,j)"
    program = make_request(expression, formats, out="CSR").program
    assert "min(" not in str(Sizes(dissolve(program)).as_written())


@pytest.mark.parametrize("format", ["HashRows", "HashMap", "CSR"])
def test_components_of_hash_tables_are_the_slots_that_are_taken(format: str) -> None:
    held = spread((30, 20), 90, "CSR").convert(format)
    program = make_request(PRODUCT, {"A": format, "B": "HashRows"}, out="CSR").program
    (leaf,) = assignments(dissolve(program).statement)
    counted = Sizes(dissolve(program))
    (met,) = multiplications(leaf.value, counted)
    known = {name: measure(place, held) for name, place in counted.places.items()}
    assert met.evaluate(known | {"I": 30, "K": 30, "J": 20}) == 90 * 90 / 30


@pytest.mark.parametrize("levels", ["compressed,compressed,compressed", "dense,compressed,compressed"])
def test_what_is_stored_in_another_order_is_counted_as_if_it_lay_anywhere(levels: str) -> None:
    operands = {"A": spread((40, 5), 9, "CSR"), "B": spread((40, 60, 50), 120, levels)}
    program = make_request("T(i,j,k) = A(l,i) * B(l,j,k)", {"A": "CSR", "B": levels}, out="Dense").program
    command = Command("convert", (Access("B", ("l", "j", "k")), ("k", "l", "j")))
    sizes = Sizes(dissolve(legal(command, program)), before=program)
    (access,) = (a for a in reads(sizes.program.statement) if a.levels == ("k", "l", "j"))
    terms = [sizes.stored_positions(access, depth) for depth in range(4)]
    known = {name: measure(place, operands[place.tensor]) for name, place in sizes.places.items()}
    stored = operands["B"].convert(sizes.program.formats[access.tensor])
    expected = [1, *(stored.size(k) for k in range(3))]
    assert [float(term.evaluate(known)) for term in terms] == pytest.approx(expected, rel=0.05)


def test_sizes_are_those_of_what_is_converted_unasked() -> None:
    kernel = gn.compile("C(i,j)<M(i,j)> = A(i,k) * B(k,j)", A="CSC", B="CSC", M="DCSC", out="BCSR(2,2)", convert="auto")
    shapes, operands = {"A": (20, 12), "B": (12, 30), "M": (20, 30)}, dict[str, Tensor]()
    for name, shape in shapes.items():
        operands[name] = spread(shape, 60 + shape[0], "DCSC" if name == "M" else "CSC")
    a, b, m = (operands[name].to_numpy() for name in "ABM")
    np.testing.assert_array_equal(kernel(**operands).to_numpy(), (a @ b) * (m != 0))
    slots = gn.compile("C(i,j) = max(k, A(i,k) * B(k,j))", A="ELL", B="DCSC", out="CSR", convert="auto").request.choice
    assert slots is not None and slots.places["I"] == Place("A", 0, 0, Size.MODE)


def test_what_is_sought_counts_no_more_than_its_bisections() -> None:
    program = make_request("C(i,j) = A(i,k) * B(k,j)", {"A": "DCSR", "B": "DCSR"}, out="DCSR").program
    rows, own = "nnz(A(i))·nnz(B(k))", "nnz(A(i,k))"
    assert f"min({rows}, 6·{own}·log(1+" in str(Sizes(dissolve(program)).as_written())


def test_operands_that_fill_all_of_a_result_are_stored_otherwise_together() -> None:
    kernel = gn.compile("C(i,j) = (A(k,i) + E(k,i)) * B(k,j)", **dict.fromkeys("ABE", "CSR"), out="CSR")
    operands = {name: spread((600, 600), 2400 + k, "CSR") for k, name in enumerate("ABE")}
    assert str(kernel.choose(**operands).request.schedule).startswith("convert(A(k,i),{i,k},E(k,i),{i,k})")


def test_what_is_added_is_multiplied_apart() -> None:
    program = make_request(f"C(i,j) = {SUM} * s", {**dict.fromkeys("ABE", "CSR"), "s": "Dense"}).program
    sizes = Sizes(dissolve(program))
    (leaf,) = assignments(sizes.program.statement)
    assert [str(each) for each in multiplications(leaf.value, sizes)] == [
        "nnz(A(i,k))·nnz(B(j,k))/K",
        "nnz(A(i,k))·nnz(E(j,k))/K",
    ]


def test_every_operand_that_is_merged_again_is_converted() -> None:
    kernel = gn.compile("C(i,j) = max(k, A(i,k) * B(j,k))", A="CSR", B="CSR", out="CSR")
    chosen = kernel.choose(A=spread((600, 600), 2400, "CSR"), B=spread((600, 600), 2401, "CSR"))
    assert str(chosen.request.schedule).startswith(f"{TURNED},{TURNED}")


def test_what_several_assignments_read_is_converted_for_each_at_once() -> None:
    """Neither of two workspaces for all of the result would be narrower before."""
    kernel = gn.compile("C(i,j) = max(k, A(k,i) * B(k,j))", A="CSR", B="CSR", out="CSR")
    chosen = kernel.choose(A=spread((600, 600), 2400, "CSR"), B=spread((600, 600), 2401, "CSR"))
    assert str(chosen.request.schedule).startswith("convert(A(k,i),{i,k}),convert(A(k,i),{i,k}),split")
    (first, *_) = orders("C(i,j) = max(k, A(k,i) * B(k,j))", {"A": "CSR", "B": "CSR"}, out="CSR")
    assert first == "convert(A(k,i),{i,k}),convert(A(k,i),{i,k})"


def test_no_operand_is_converted_again_and_again() -> None:
    formats = {"A": "dense,compressed,compressed", "B": "DCSC", "C": "CSR", "E": "CSR", "F": "COO"}
    text = "Y(i,j,l) = sum(k, A(i,j,k) * B(k,l) - C(l,i)) + sum(k, E(k,l) + F(k,i))"
    assert all(len(each.split("convert")) <= 7 for each in orders(text, formats, out="CSF(2,1,0)", convert="auto"))


@pytest.mark.parametrize(
    ("expression", "formats", "out", "wanted"),
    [
        (PRODUCT, {"A": "CSC", "B": "CSR"}, "CSR", ["convert(A(i,k),{i,k})"]),
        (PRODUCT, {"A": "CSC", "B": "CSR"}, "CSC", ["convert(B(k,j),{j,k})"]),
        ("C(i,j) = A(k,i) * A(k,j)", {"A": "CSR"}, "CSR", ["convert(A(k,i),{i,k})"]),
        (PRODUCT, {"A": "CSC", "B": "CSR"}, "Dense", []),
        ("C(i,j) = B(i,j) - sum(k, A(k,i) * B(k,j))", {"A": "CSR", "B": "CSR"}, "CSR", ["convert(A(k,i),{i,k})"]),
        (PRODUCT, {"A": "CSC", "B": "Dense"}, "CSR", ["convert(A(i,k),{i,k})"]),
        (PRODUCT, {"A": "CSC", "B": "Dense"}, "CSC", ["reorder(j,k,i)"]),
    ],
)
def test_what_puts_all_of_the_result_in_a_workspace_may_be_stored_otherwise(
    expression: str, formats: dict[str, Any], out: str, wanted: list[str]
) -> None:
    assert orders(expression, formats, out=None if out == "Dense" else out) == wanted
    kernel = gn.compile(expression, out=None if out == "Dense" else out, **formats)
    shape, choice = (600, 600), kernel.request.choice
    assert (choice is None) == (not wanted)
    assert choice is None or choice.finalists[-1].structure == ("merge" if " - " in expression else "as it is")
    operands = {
        n: spread(shape, 2400 + k, f) if f != "Dense" else np.ones(shape) for k, (n, f) in enumerate(formats.items())
    }
    chosen = str(kernel.choose(**operands).request.schedule)
    assert chosen.startswith(wanted[0]) if wanted else chosen == ""


BLOCKED = {"A": "BCSR(2,2)", "B": "CSC"}


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("expression", "formats", "out"),
    [
        (f"{PRODUCT} + A(i,j)", BLOCKED, "BCSR(2,2)"),
        (f"{PRODUCT} + A(i,j)", {"A": "CSR", "B": "CSC"}, "BCSR(2,2)"),
        (f"{PRODUCT} - D(i,j)", {"A": "CSR", "B": "CSC", "D": "DIA"}, "CSR"),
    ],
)
def test_operands_are_stored_otherwise_beside_blocks(expression: str, formats: dict[str, str], out: str) -> None:
    turned = "convert(B(k,j),{k,j})"
    assert turned in orders(expression, formats, out=out, convert="auto")
    kernel = gn.compile(expression, out=out, convert="auto", **formats)
    large, small = (
        {name: spread((n, n), 6 * n, "CSR").convert(format) for name, format in formats.items()} for n in (300, 12)
    )
    assert "B, in CSC, is converted to CSR" in kernel.choose(**large).source
    gn.check(expression, out=out, convert="auto", schedule=turned, **small)


@pytest.mark.parametrize(
    ("expression", "formats", "out", "sizes"),
    [
        ("C(i,j) = A(i,j)", {"A": "BCSR(2,3)"}, "BCSR(2,3)", {"io": 5, "jo": 2, "ii": 2, "ji": 3, "i": 10, "j": 6}),
        ("C(i,j) = A(i,j)", {"A": "CSR"}, "BCSR(2,3)", {"io": 10, "jo": 6, "ii": 1, "ji": 1, "i": 10, "j": 6}),
    ],
)
def test_blocks_have_extents(expression: str, formats: dict[str, str], out: str, sizes: dict[str, int]) -> None:
    program = make_request(expression, formats, out=out, convert="auto").program
    counted, held = Sizes(program), spread((10, 6), 9, "CSR").convert(formats["A"])
    terms = {v: counted.extent(v) for v in sizes}
    known = {name: measure(place, held) for name, place in counted.places.items()}
    assert {v: term.evaluate(known) for v, term in terms.items()} == sizes


def test_an_operand_of_many_modes_is_stored_in_the_order_of_the_result() -> None:
    formats = {"T": "CSF(2,1,0)", "B": "Dense"}
    found = orders("C(i,j,l) = T(i,j,k) * B(k,l)", formats, out="CSF", convert="auto")
    assert found == ["convert(T(i,j,k),{i,j,k})"]


def test_workspaces_of_fewer_modes_are_looked_for() -> None:
    expression, formats, shapes = "T(i,j,k) = A(l,i) * B(l,j,k)", {"A": "CSR", "B": "CSF"}, [(600,) * 2, (600,) * 3]
    found = orders(expression, formats, out="CSF")
    assert found == ["convert(A(l,i),{i,l})", "convert(A(l,i),{i,l}),convert(B(l,j,k),{j,l,k})"]
    kernel = gn.compile(expression, **formats, out="CSF")
    several = {name: spread(shape, 5000, formats[name]) for name, shape in zip("AB", shapes, strict=True)}
    few = {name: spread(shape, 50, formats[name]) for name, shape in zip("AB", shapes, strict=True)}
    assert "w(jk) += A(l,i) * B(l,j,k)" in kernel.choose(**several).source
    assert "w(i,j,k) += A(l,i) * B(l,j,k)" in kernel.choose(**few).source
    small = {name: spread((4,) * order, 9, formats[name]) for name, order in (("A", 2), ("B", 3))}
    for schedule in found:
        gn.check(expression, out="CSF", schedule=schedule, **small)


@pytest.mark.parametrize(
    ("expression", "formats", "out", "wanted"),
    [
        ("T(i,j,k) = A(i,k) * B(j,k)", {"A": "CSR", "B": "CSR"}, "CSF", "convert(B(j,k),{k,j})"),
        ("T(i,j,k) = A(i,l) * B(j,k,l)", {"A": "CSR", "B": "CSF"}, "CSF", "convert(B(j,k,l),{l,j,k})"),
        ("T(k,j,i) = U(k,i,l) * A(j,l)", {"U": "CSF", "A": "CSR"}, "CSF", "convert(A(j,l),{l,j})"),
    ],
)
def test_parts_of_a_result_go_to_workspaces_where_that_is_less_work_than_merges(
    expression: str, formats: dict[str, str], out: str, wanted: str
) -> None:
    assert wanted in orders(expression, formats, out=out)
    kernel, shapes = gn.compile(expression, out=out, **formats), {"CSR": (3000,) * 2, "CSF": (3000,) * 3}
    even = {name: spread(shapes[format], 20_000 + n, format) for n, (name, format) in enumerate(formats.items())}
    assert str(kernel.choose(**even).request.schedule).removeprefix("modes=flat,").startswith(wanted)
    small = {name: spread((4,) * len(shapes[format]), 9, format) for name, format in formats.items()}
    gn.check(expression, out=out, schedule=wanted, **small)


def test_no_part_of_a_result_goes_to_tables_that_one_long_fiber_makes_wide() -> None:
    expression, large = "T(i,j,k) = A(i,l) * B(l,j,k)", spread((300, 300, 300), 2000, "CSF")
    kernel = gn.compile(expression, A="CSR", B="CSF", out="CSF", schedule="auto,modes=nested")
    a = spread((300, 300), 2000, "CSR")
    assert "convert" not in str(kernel.choose(A=a, B=large).request.schedule)
    places = np.array([*{**gn.to_dict(large), **{(0, 0, k): 1.0 for k in range(300)}}]).T
    long = gn.tensor(places, np.ones(places.shape[1]), (300, 300, 300), "CSF")
    assert str(kernel.choose(A=a, B=long).request.schedule).startswith("convert(B(l,j,k),{j,l,k})")


def test_loops_of_the_result_go_outside_where_that_is_less_work() -> None:
    A, B = spread((30, 20), 60, "CSC"), np.arange(80.0).reshape(20, 4)
    kernel = gn.compile(PRODUCT, A="CSC", B="Dense", out="CSC")
    assert "w(i) += A(i,k) * B(k,j)" in kernel.choose(A=A, B=B).source
    gn.check(PRODUCT, A=A, B=B, out="CSC", schedule="auto")


@pytest.mark.parametrize(
    ("expression", "out"),
    [
        ("C(i,j)<M> = A(i,k) * B(k,j)", "Dense"),
        ("C(k,j) = T(i,k,j) * s", "CSR"),
        ("C(k,j)<M> = T(i,k,j) * x(k)", "CSR"),
    ],
)
def test_numbers_and_masks_without_a_variable_have_no_sizes(expression: str, out: str) -> None:
    a, t = spread((6, 6), 12, "CSR"), spread((3, 6, 6), 20, "CSF")
    given = {"A": a, "B": a.convert("CSC"), "T": t, "M": True, "s": 2.0, "x": np.arange(6.0)}
    check(expression, {name: each for name, each in given.items() if name in expression}, out=out, schedule="auto")
    gn.evaluate(expression, engine="c", out=out, **{n: each for n, each in given.items() if n in expression})


def test_a_full_row_takes_no_room_for_all_rows() -> None:
    n = 400
    coords = np.array([[0] * n + list(range(1, n)), [*range(n), *range(1, n)]])
    a = gn.tensor(coords, np.arange(1.0, coords.shape[1] + 1), (n, n), "CSC")
    kernel = gn.compile("C(i,j) = A(i,k) * A(j,k)", A="CSC", out="CSR")
    wanted = a.to_numpy() @ a.to_numpy().T
    assert str(kernel.choose(A=a).request.schedule).startswith("convert(")
    assert (kernel(A=a).to_numpy() == wanted).all()


def test_sizes_decide() -> None:
    kernel = gn.compile(PRODUCT, A="CSR", B="CSC", out="CSR")
    small = {"A": spread((6, 2000), 300, "CSR"), "B": spread((2000, 5), 300, "CSC")}
    large = {"A": spread((900, 900), 2700, "CSR"), "B": spread((900, 900), 2700, "CSC")}
    assert [str(kernel.choose(**each).request.schedule).split("(")[0] for each in (small, large)] == [
        "precompute",
        "convert",
    ]
    for each in (small, large):
        wanted = each["A"].to_scipy() @ each["B"].to_scipy()
        assert abs(kernel(**each).to_scipy() - wanted).max() == 0


@pytest.mark.parametrize(("mask", "is_converted"), [("!M(i,j)", True), ("!$M(i,j)", True), ("$M(i,j)", False)])
def test_what_a_mask_admits_decides_how_often_rows_would_be_merged(mask: str, is_converted: bool) -> None:
    operands = {name: spread((600, 600), 3000 + n, "CSR") for n, name in enumerate("ABM")}
    operands["M"] = spread((600, 600), 100, "CSR")
    kernel = gn.compile(f"C(i,j)<{mask}> = A(i,k) * B(j,k)", A="CSR", B="CSR", M="CSR", out="CSR")
    assert kernel.request.choice is not None
    *others, plain = kernel.request.choice.finalists
    assert [each.structure for each in others] == ["convert B", "copy A"]
    assert ("I·J" in str(plain.work)) == is_converted
    assert "M(" not in str(others[0].work)
    assert str(kernel.choose(**operands).request.schedule).startswith("convert") == is_converted
    a, b, m = (operands[name].to_numpy() for name in "ABM")
    admitted = (m == 0) if mask.startswith("!") else (m != 0)
    np.testing.assert_array_equal(kernel(**operands).to_numpy(), (a @ b.T) * admitted)


def test_merges_of_several_levels_are_counted() -> None:
    t, u = spread((60, 40, 50), 3000, "CSF"), spread((50, 40, 50), 2500, "CSF")
    kernel = gn.compile("C(i,l) = T(i,j,k) * U(l,j,k)", T="CSF", U="CSF", out="CSR")
    assert str(kernel.choose(T=t, U=u).request.schedule).startswith("convert(U(l,j,k),{j,k,l})")
    np.testing.assert_array_equal(kernel(T=t, U=u).to_numpy(), np.einsum("ijk,ljk->il", t.to_numpy(), u.to_numpy()))
    tiny = {"T": spread((2, 3, 4), 5, "CSF"), "U": spread((2, 3, 4), 6, "CSF")}
    assert "convert" not in str(kernel.choose(**tiny).request.schedule)


@pytest.mark.parametrize("ring", [None, "min_plus", "any_first", "plus_pair", "max_second"])
def test_other_orders_mean_the_same(ring: str | None) -> None:
    operands = {"A": spread((6, 5), 12, "CSR"), "B": spread((5, 4), 9, "CSC")}
    if ring in ("min_plus", "max_second"):
        fill = np.inf if ring == "min_plus" else -np.inf
        operands = {name: each.with_fill(fill) for name, each in operands.items()}
    for out in ("CSR", "DCSR"):
        check(PRODUCT, operands, out=out, semiring=ring, schedule="convert(B(k,j),{k,j})")
    check(GRAM, {"A": operands["A"]}, out="CSR", semiring=ring, schedule="convert(A(j,k),{k,j})")


@pytest.mark.parametrize("setting", ["workspaces=output", "workspaces=none"])
def test_settings_that_keep_inputs_as_they_are_convert_nothing(setting: str) -> None:
    kernel = gn.compile(PRODUCT, A="CSR", B="CSC", out="CSR", schedule=f"auto,{setting}")
    assert "convert" not in str(kernel.request.schedule) and kernel.request.choice is None


def test_threads_share_the_rows_of_the_result() -> None:
    kernel = gn.compile(PRODUCT, A="CSR", B="CSC", out="CSR")
    assert "convert(B(k,j),{k,j}),split(" in str(kernel.request.schedule)
    assert "parallelize" in str(kernel.request.schedule) and "B, in CSC, is converted to CSR" in kernel.source
