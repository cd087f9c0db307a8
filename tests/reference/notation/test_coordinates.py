"""Index variables as values, and masks that select by them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.generator.tuning.sample import sample
from gnomon.properties.programs.problem import Problem
from gnomon.reference.errors import ExpressionError, ParseError, StorageError
from gnomon.reference.notation.parser import parse
from gnomon.reference.notation.printer import pretty
from gnomon.reference.notation.syntax import Access, accesses, is_coordinate
from gnomon.reference.notation.text import Text
from gnomon.reference.statement.statement import assignments, reads
from gnomon.reference.statement.substitution import background_of, substitute_statement
from hypothesis import given
from hypothesis import strategies as st

DENSE = np.array([[0.0, 5.0, 0.0, -7.0], [-1.0, 0.0, 2.0, 0.0], [0.0, 3.0, 0.0, 4.0]])
A = gn.tensor(np.array(np.nonzero(DENSE)), DENSE[np.nonzero(DENSE)], DENSE.shape, "CSR")
ROW, COLUMN = np.indices(DENSE.shape)
STORED = DENSE != 0
ENGINES = ("reference", "c")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C(i,j) = A(i,j) * (j - i)", DENSE * (COLUMN - ROW)),
        ("C(i,j) = A(i,j) + i", DENSE + ROW),
        ("C(i,j) = A(i,j) * ge(i, j)", np.tril(DENSE)),
        ("y(i) = A(i,j) * j", DENSE @ np.arange(4)),
        ("y(j) max= A(i,j) * i", (DENSE * ROW).max(axis=0)),
        ("s = sum(i, i * sum(j, A(i,j)))", (DENSE * ROW).sum()),
        ("y(i) = sum(j, A(i,j)) + min((i), 1)", DENSE.sum(axis=1) + np.minimum(np.arange(3), 1)),
    ],
)
def test_an_index_variable_is_its_coordinate(text: str, expected: np.ndarray, engine: str) -> None:
    assert np.array_equal(gn.evaluate(text, A=A, engine=engine).to_numpy(), expected)


@pytest.mark.parametrize("format", ["CSR", "CSC", "COO", "DCSR", "DIA", "ELL", "BCSR(2,2)", "HashRows", "dense,dense"])
def test_a_coordinate_is_that_of_the_component_whatever_the_storage(format: str) -> None:
    gn.check("C(i,j) = A(i,j) * (10 * i + j)", A=A.convert(format), out="CSR", convert="auto")


def test_by_a_schedule_it_is_that_of_the_variable_that_is_split_or_counted() -> None:
    for schedule in ("split(i,i0,i1,2)", "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2)", "reorder(j,i)"):
        format = "CSC" if schedule.startswith("reorder") else "CSR"
        gn.check("y(i) = A(i,j) * j * (i + 1)", A=A.convert(format), schedule=schedule)


@pytest.mark.parametrize(
    ("text", "given", "expected"),
    [
        ("y(i) += i", {}, [5, 1, 9]),
        ("y(i)<lt(i, 1),merge> = 7 - i", {}, [7, 0, 7]),
        ("y(i)<$y(i)> = i", {}, [0, 0, 2]),
        ("y(i)<$m(i)> = i", {"m": gn.tensor([[1]], [1.0], (3,), "SparseVector")}, [0, 1, 0]),
        ("y(i) max= 6", {}, [6, 6, 7]),
        ("y(i)<!$m(i)> = 3", {"m": gn.tensor([[1]], [1.0], (3,), "SparseVector")}, [3, 0, 3]),
        ("y(i)<m(i),merge> = s", {"m": np.array([0, 1, 1]), "s": np.array(4)}, [5, 4, 4]),
    ],
)
def test_a_mask_or_previous_contents_tell_how_far_a_variable_goes(text: str, given: dict, expected: list[int]) -> None:
    before = {"y": gn.tensor([[0, 2]], [5, 7], (3,), "SparseVector")} if "m(i)> =" not in text else {}
    for out in ("dense", "SparseVector"):
        report = gn.check(text, **before, **given, out=out)
        assert report.execution.result.to_numpy().tolist() == expected


def test_a_coordinate_is_an_int64() -> None:
    assert gn.evaluate("y(i) = x(i) * i", x=np.ones(3, "int8")).dtype == np.dtype("int64")


def test_in_a_semiring_it_is_present_everywhere() -> None:
    least = gn.evaluate("y(i) = A(i,j) * j", A=A, semiring="min_second", out="SparseVector")
    assert least.to_numpy().tolist() == [1.0, 0.0, 1.0]
    empty = gn.tensor([[], []], [], (2, 3), "CSR")
    assert not gn.evaluate("y(i) = A(i,j) * j", A=empty, semiring="min_second", out="SparseVector").vals.size


@pytest.mark.parametrize("place", ["i", "k", "j"])
@pytest.mark.parametrize(("add", "reduce"), [("min", min), ("max", max), ("plus", sum)])
def test_a_product_of_places_is_summed_explicitly(add: str, reduce: Callable[[list[int]], int], place: str) -> None:
    places: dict[tuple[int, int], list[int]] = {}
    for i, k in np.argwhere(STORED).tolist():
        for j in np.flatnonzero(STORED[:, k]).tolist():
            places.setdefault((i, j), []).append({"i": i, "k": k, "j": j}[place])
    C = gn.evaluate(
        f"C(i,j) = sum(k, A(i,k) * B(k,j) * {place})",
        A=A,
        B=gn.from_numpy(DENSE.T, "CSR"),
        out="CSR",
        semiring=f"{add}_second",
    )
    assert gn.to_dict(C) == {at: reduce(found) for at, found in places.items()}
    after = gn.evaluate("D(i,j)<$C(i,j)> = C(i,j) + 1", C=C, out="CSR")
    assert gn.to_dict(after) == {at: reduce(found) + 1 for at, found in places.items()}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("mask", "expected"),
    [
        ("tril(i,j)", STORED & (ROW >= COLUMN)),
        ("triu(i, j + 1)", STORED & (ROW <= COLUMN + 1)),
        ("diag(i, j - 1)", STORED & (ROW == COLUMN - 1)),
        ("offdiag(i,j)", STORED & (ROW != COLUMN)),
        ("le(i, 1)", STORED & (ROW <= 1)),
        ("j", STORED & (COLUMN != 0)),
        ("gt(A(i,j), 2)", DENSE > 2),
        ("lt(A(i,j), 3)", STORED & (DENSE < 3)),
        ("!lt(A(i,j), 3)", STORED & ~(DENSE < 3)),
        ("A(i,j) * (j - i)", STORED & (ROW != COLUMN)),
        ("lt(j, A(i,j) + 0.5)", STORED & (COLUMN < DENSE + 0.5)),
        ("!tril(i,j)", STORED & ~(ROW >= COLUMN)),
    ],
)
def test_a_mask_selects_by_value_and_by_place(mask: str, expected: np.ndarray, engine: str) -> None:
    selected = gn.evaluate(f"C(i,j)<{mask}> = A(i,j)", A=A, out="CSR", engine=engine)
    assert np.array_equal(selected.to_numpy(), np.where(expected, DENSE, 0))
    assert len(selected.vals) == expected.sum()


def test_what_a_mask_lacks_is_outside_whatever_it_would_compute() -> None:
    """`lt` of what is missing, and so 0, is true: the mask holds nothing there all the same."""
    B = np.ones(DENSE.shape)
    gn.check("C(i,j)<lt(A(i,j), 3)> = B(i,j)", A=A, B=B)
    assert np.array_equal(gn.evaluate("C(i,j)<lt(A(i,j), 3)> = B(i,j)", A=A, B=B).to_numpy() != 0, STORED & (DENSE < 3))


MASKS = ("gt(M(i,j), 0)", "!gt(M(i,j), 0)", "!M(i,j)", "M(i,j) * A(i,j)", "!(M(i,j) + A(i,j))")


@pytest.mark.parametrize("mask", MASKS)
def test_a_mask_beside_many_operands_is_asked_where_it_holds_something(mask: str) -> None:
    others = {name: gn.tensor([[n % 3], [n]], [1.0 + n], DENSE.shape, "CSR") for n, name in enumerate("BDE")}
    M = gn.tensor([[0, 1, 2, 2], [1, 1, 0, 3]], [1.0, -1.0, 2.0, 0.0], DENSE.shape, "CSR")
    text = f"C(i,j)<{mask}> = A(i,j) + B(i,j) + D(i,j) + E(i,j)"
    gn.check(text, A=A, M=M, out="CSR", **others)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("y(i) = x(j) * i", "i is used as a value but indexes no operand"),
        ("y(i) = x(i) * i + i(j)", "i is both a tensor and an index variable"),
        ("y(i) = sum(k, x(k) * k) * x(i) * sum(k, z(k) * k)", "k is used as a value with extents 2 and 3"),
        ("y(i) = sum(k, z(k) * k) * x(i) * sum(k, x(k) * k)", "k is used as a value with extents 3 and 2"),
        ("y(i)<1> = x(i)", "the mask reads no operand"),
        ("y(i)<sum(k, z(k))> = x(i)", "the mask reduces over k"),
        ("y(i)<gt(z(k), i)> = x(i)", "k indexes the mask but not the result"),
    ],
)
def test_what_has_no_meaning_is_refused(text: str, message: str) -> None:
    given = {name: array for name, array in (("x", np.ones(2)), ("z", np.ones(3))) if f"{name}(" in text}
    with pytest.raises(ExpressionError, match=message):
        gn.evaluate(text, **given)


def test_an_assignment_whose_mask_is_missing_has_nothing_to_do() -> None:
    program = Problem("C(i,j)<lt(A(i,j), 3)> = B(i,j)", {"A": A, "B": np.ones(DENSE.shape)}, "CSR").ready.program
    (leaf,) = assignments(program.statement)
    missing = frozenset(access for access in reads(leaf) if access.tensor == "A")
    assert substitute_statement(leaf, missing, background_of(program)) is None


def test_where_any_decides_on_a_mask_both_readings_are_right() -> None:
    zero, one = (gn.tensor([[0]], [value], (1,), "SparseVector") for value in (0.0, 1.0))
    given = {"x": one, "y": zero, "z": np.ones(1)}
    point = Problem("R(i)<any(x(i), y(i))> = z(i)", given, "SparseVector").denotation.point((0,))
    assert point.presence() == {True, False}


def test_a_structural_mask_is_a_tensor() -> None:
    with pytest.raises(ParseError, match="expected '>'"):
        parse("y(i)<$x(i) + 1> = x(i)")


def test_nobody_passes_a_coordinate_unless_it_is_one() -> None:
    text, x = "y(i) = x(i) * i", np.ones(3)
    kernel = gn.compile(text)
    for run in (gn.evaluate, lambda _, **given: kernel(**given)):
        assert run(text, x=x, i=np.arange(3)).to_numpy().tolist() == [0, 1, 2]
        with pytest.raises(ExpressionError, match="its value is its coordinate"):
            run(text, x=x, i=np.array([0, 1, 1]))
        with pytest.raises(ExpressionError, match="its value is its coordinate"):
            run(text, x=x, i=2.0)
    with pytest.raises(ExpressionError, match="i is given a format"):
        gn.compile(text, i="CSR")


def test_a_kernel_reads_coordinates_from_its_loops() -> None:
    source = gn.compile("C(i,j) = A(i,j) * (j - i)", A="CSR", out="CSR").source
    assert "A_vals[pA2] * ((double) gn_sub_int64(j, i, &status))" in source
    assert "i: dense, int64, the coordinates 0, 1, 2, ..." in source


def test_kernels_need_no_vector_of_coordinates() -> None:
    """A vector of 2^40 coordinates does not fit in memory; the reference refuses to make one."""
    extent, wide = 2**40, gn.spec("SparseVector", index="int64")
    x = gn.tensor([[5, extent - 1]], [1.0, 2.0], (extent,), wide)
    text = "y(i) = i * x(i)"
    kernel = gn.compile(text, x=wide, out=wide)
    for run in (partial(gn.evaluate, text, out=wide, engine="c"), kernel, gn.compile(text, x=x, out=wide)):
        assert list(run(x=x).entries()) == [((5,), 5.0), ((extent - 1,), 2.0 * (extent - 1))]
    with pytest.raises(StorageError, match=r"i has 1099511627776 coordinates(.|\n)*engine=.c."):
        gn.evaluate(text, x=x, out=wide)


def test_kernels_are_measured_on_operands_with_coordinates() -> None:
    drawn = sample(make_request("y(i) = A(i,j) * j", {"A": "CSR"}))
    assert np.array_equal(drawn["j"].to_numpy(), np.arange(drawn["A"].shape[1]))


@pytest.mark.parametrize(
    "text", ["R(i) = min((i), B(i))", "R(i) = B(i) + i", "R(i)<gt(B(i), i)> = B(i)", "R = sum(k, k * B(k))"]
)
def test_they_are_printed_as_they_are_written(text: str) -> None:
    term = parse(text)
    assert pretty(term) == text
    assert any(map(is_coordinate, (*accesses(term.value), *(term.mask.reads if term.mask else ()))))


def test_a_reduction_over_a_variable_is_none_of_its_value() -> None:
    assert pretty(parse("R = min(k, B(k))").value) == "min(k, B(k))"
    assert not any(map(is_coordinate, accesses(parse("R = min(k, B(k))").value)))


@given(st.sampled_from("ijk"), st.sampled_from("ijk"))
def test_only_names_of_index_variables_are_coordinates(scalar: str, index: str) -> None:
    term = parse(f"y({index}) = x({index}) * {scalar}")
    read = [access for access in accesses(term.value) if access.tensor == scalar]
    assert read == [Access(scalar, (scalar,) if scalar == index else ())]


def test_the_reference_makes_no_long_vector_of_coordinates() -> None:
    far = gn.tensor([[7]], [1.0], (10**8 + 1,), "SparseVector")
    with pytest.raises(StorageError, match="more than 100000000") as refused:
        gn.evaluate("s = x(i) * i", x=far)
    assert refused.value.rule == "notation.coordinates.extent"


def test_the_extent_is_taken_from_an_operand_in_the_same_scope() -> None:
    text = Text("y(i) = sum(k, A(i,k) * k) + B(i) * sum(k, C(k) * k)")
    assert text.coordinate_places == {"k": (("A", 1), ("C", 0))}
