"""Lowering, on worked statements: the loops, the workspaces, and what a workspace holds where nothing is stored."""

import re
from textwrap import dedent
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.differential.check import check
from gnomon.reference.algebra.semirings import semiring
from gnomon.reference.errors import ScheduleError
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.statement.statement import show_program
from gnomon.reference.storage.named_formats import recognise

INF = float("inf")
WORKED = [
    (
        "C(i,j) = A(i,k) * B(k,j)", "CSR",
        {"A": ((3, 4), "CSR"), "B": ((4, 5), "CSR")}, {},
        """
        ∀i
          ∀j
            C(i,j) = w(j)
          where w:
            ∀k
              ∀j
                w(j) += A(i,k) * B(k,j)
        w (5,) accumulator float64 0.0
        """,
    ),
    (
        "C(i,j) = A(i,k) * B(k,j)", "CSR",
        {"A": ((3, 4), "CSC"), "B": ((4, 5), "CSR")}, {},
        """
        ∀i
          ∀j
            C(i,j) = w(i,j)
        where w:
          ∀k
            ∀i
              ∀j
                w(i,j) += A(i,k) * B(k,j)
        w (3, 5) hashed,hashed float64 0.0
        """,
    ),
    (
        "C(i,j) = A(j,i)", "CSR",
        {"A": ((4, 3), "CSR")}, {"convert": "auto"},
        """
        A, in CSR, is converted to CSC
        ;
        ∀i
          ∀j
            C(i,j) = A(j,i)
        """,
    ),
    (
        "C(i,j) = A(i,j) + B(i,j)", "CSR",
        {"A": ((4, 3), "CSR"), "B": ((4, 3), "CSC")}, {"convert": "auto"},
        """
        B, in CSC, is converted to CSR
        ;
        ∀i
          ∀j
            C(i,j) = A(i,j) + B(i,j)
        """,
    ),
    (
        "C(i,j)<M(i,j)> += A(i,j)", "CSR",
        {"C": ((4, 5), "CSR"), "A": ((4, 5), "CSR"), "M": ((4, 5), "CSR")}, {},
        """
        ∀i
          ∀j
            C(i,j) = w
            where w:
              w<M(i,j)> = C_old(i,j) + A(i,j)
              ;
              w<!M(i,j)> = C_old(i,j)
        w ()  float64 0.0
        """,
    ),
    (
        "C(i,j)<!$M(i,j)> += A(i,j)", "CSR",
        {"C": ((4, 5), "CSR"), "A": ((4, 5), "CSR"), "M": ((4, 5), "CSR")}, {},
        """
        ∀i
          ∀j
            C(i,j) = w
            where w:
              w<!$M(i,j)> = C_old(i,j) + A(i,j)
              ;
              w<$M(i,j)> = C_old(i,j)
        w ()  float64 0.0
        """,
    ),
    (
        "C(i,j)<M(i,j)> = A(i,k) * B(k,j)", "RowMajor",
        {"A": ((3, 4), "CSR"), "B": ((4, 5), "CSR"), "M": ((3, 5), "CSR")}, {},
        """
        ∀i
          ∀k
            ∀j
              C(i,j)<w(j)> += A(i,k) * B(k,j)
          where w:
            ∀j
              w(j) = M(i,j)
        w (5,) accumulator float64 0.0
        """,
    ),
    (
        "C(i,j)<M(i,j)> = A(i,k) * B(j,k)", "CSR",
        {"A": ((3, 4), "CSR"), "B": ((5, 4), "CSR"), "M": ((3, 5), "CSR")}, {},
        """
        ∀i
          ∀j
            ∀k
              C(i,j)<M(i,j)> += A(i,k) * B(j,k)
        """,
    ),
    (
        "C(i,j)<$M(i,j)> = A(i,k) * B(k,j)", "CSR",
        {"A": ((3, 4), "CSC"), "B": ((4, 5), "CSR"), "M": ((3, 5), "CSR")}, {},
        """
        ∀i
          ∀j
            C(i,j) = w(i,j)
        where w:
          ∀k
            ∀i
              ∀j
                w(i,j)<$w1(i,j)> += A(i,k) * B(k,j)
          where w1:
            ∀i
              ∀j
                w1(i,j) = M(i,j)
        w (3, 5) hashed,hashed float64 0.0
        w1 (3, 5) hashed,hashed float64 0.0
        """,
    ),
    (
        "y(i) = exp(sum(j, A(i,j) * x(j)))", "Dense",
        {"A": ((4, 5), "CSR"), "x": ((5,), "Dense")}, {},
        """
        ∀i
          y(i) = exp(w)
          where w:
            ∀j
              w += A(i,j) * x(j)
        w ()  float64 0.0
        """,
    ),
    (
        "y(i) = sum(j, A(i,j) + 1)", "Dense",
        {"A": ((4, 5), "CSR")}, {},
        """
        ∀i
          y(i) = w + copies_add(1.0, float64(5 - w1))
          where w1:
            ∀j
              w1<$A(i,j)> += 1
          where w:
            ∀j
              w<$A(i,j)> += A(i,j) + 1.0
        w ()  float64 0.0
        w1 ()  int64 0
        """,
    ),
    (
        "y(i) = sum(j, A(i,j))", "Dense",
        {"A": ((4, 5), "CSR", "float64", 2.0)}, {},
        """
        ∀i
          y(i) = w + copies_add(2.0, float64(5 - w1))
          where w1:
            ∀j
              w1<$A(i,j)> += 1
          where w:
            ∀j
              w<$A(i,j)> += A(i,j)
        w ()  float64 0.0
        w1 ()  int64 0
        """,
    ),
    (
        "y(i) min= A(i,j)", "Dense",
        {"A": ((4, 5), "CSR")}, {},
        """
        ∀i
          y(i) = min(w, copies_min(0.0, float64(lt(w1, 5))))
          where w1:
            ∀j
              w1<$A(i,j)> += 1
          where w:
            ∀j
              w<$A(i,j)> min= A(i,j)
        w ()  float64 inf
        w1 ()  int64 0
        """,
    ),
    (
        "y(i) = sum(j, A(i,j) * x(j))", "Dense",
        {"A": ((4, 5), "CSR", "int8"), "x": ((5,), "Dense", "int8")}, {},
        """
        ∀i
          ∀j
            y(i) += int64(A(i,j) * x(j))
        """,
    ),
    (
        "y(i) = sum(j, A(i,j)) * b(i)", "Dense",
        {"A": ((4, 5), "CSR", "float32"), "b": ((4,), "Dense", "float64")}, {},
        """
        ∀i
          y(i) = float64(w) * b(i)
          where w:
            ∀j
              w += A(i,j)
        w ()  float32 0.0
        """,
    ),
    (
        "y(i) = sum(j, A(i,j)) * b(i)", "SparseVector",
        {"A": ((4, 5), "CSR", "int32"), "b": ((4,), "SparseVector", "float64")}, {},
        """
        ∀i
          y(i) = float64(w) * b(i)
          where w:
            ∀j
              w += int64(A(i,j))
        w ()  int64 0
        """,
    ),
    (
        "y(i) = sum(k, A(i,k)) * sum(k, B(i,k))", "Dense",
        {"A": ((4, 5), "CSR"), "B": ((4, 6), "CSR")}, {},
        """
        ∀i
          ∀k
            ∀k1
              y(i) += A(i,k) * B(i,k1)
        """,
    ),
    (
        "D(i,j) = A(i,k) * B(k,j)", "CSR",
        {"A": ((3, 4), "CSR", "float64", INF), "B": ((4, 5), "CSR", "float64", INF)}, {"semiring": "min_plus"},
        """
        ∀i
          ∀j
            D(i,j) = w(j)
          where w:
            ∀k
              ∀j
                w(j) min= A(i,k) + B(k,j)
        w (5,) accumulator float64 inf
        """,
    ),
    (
        "R(i,j) = sum(l, sum(k, B(i,k,l) * C(k,j)) * D(l,j))", "RowMajor",
        {"B": ((2, 3, 4), "CSF", "float32"), "C": ((3, 5), "RowMajor"), "D": ((4, 5), "RowMajor")}, {},
        """
        ∀i
          ∀k
            ∀l
              ∀j
                R(i,j) += float64(B(i,k,l)) * C(k,j) * D(l,j)
        """,
    ),
    (
        "y(i) = b(i) - sum(j, A(i,j) * (x(j) + c(i)))", "Dense",
        {"A": ((4, 5), "CSR"), "x": ((5,), "Dense"), "b": ((4,), "Dense"), "c": ((4,), "Dense")}, {},
        """
        ∀i
          y(i) = b(i) - w
          where w:
            ∀j
              w += A(i,j) * (x(j) + c(i))
        w ()  float64 0.0
        """,
    ),
    (
        "y(j) = A(i,j)", "SparseVector",
        {"A": ((4, 5), "CSR")}, {},
        """
        ∀j
          y(j) = w(j)
        where w:
          ∀i
            ∀j
              w(j) += A(i,j)
        w (5,) accumulator float64 0.0
        """,
    ),
    (
        "y(i) = or(j, A(i,j)) * b(i)", "Dense",
        {"A": ((4, 5), "CSR"), "b": ((4,), "Dense")}, {},
        """
        ∀i
          y(i) = w * b(i)
          where w:
            ∀j
              w or= A(i,j)
        w ()  float64 0.0
        """,
    ),
    (
        "C(C_old) += A(C_old)", "SparseVector",
        {"A": ((4,), "SparseVector"), "C": ((4,), "SparseVector")}, {},
        """
        ∀C_old
          C(C_old) = C_old1(C_old) + A(C_old)
        """,
    ),
    (
        "y(w) = exp(sum(j, A(w,j)))", "Dense",
        {"A": ((4, 5), "CSR")}, {},
        """
        ∀w
          y(w) = exp(w1)
          where w1:
            ∀j
              w1 += A(w,j)
        w1 ()  float64 0.0
        """,
    ),
    (
        "y(i) = sum(j, A(i,j)) / b(i)", "Dense",
        {"A": ((4, 5), "CSR"), "b": ((4,), "Dense")}, {},
        """
        ∀i
          y(i) = w / b(i)
          where w:
            ∀j
              w += A(i,j)
        w ()  float64 0.0
        """,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("source", "out", "operands", "settings", "expected"), WORKED)
def test_worked_statements(
    lowered: Any, agreed: Any, source: str, out: str, operands: dict[str, Any], settings: dict[str, Any], expected: str
) -> None:
    assert lowered(source, out, operands, **settings) == dedent(expected).strip()
    agreed(source, out, operands, **settings)


def test_contradicting_orders_are_refused_unless_conversions_are_asked_for(lowered: Any) -> None:
    with pytest.raises(ScheduleError, match="no loop order satisfies every storage order"):
        lowered("C(i,j) = A(j,i)", "CSR", {"A": ((4, 3), "CSR")})


@pytest.mark.parametrize(
    ("source", "out", "operands", "hint"),
    [
        (
            "B(i,j) = A(i,j)",
            "COO",
            {"A": ((4, 3), "CSC")},
            'convert A to mode order [0, 1], or ask for B in mode order [1, 0], or pass convert="auto"',
        ),
        (
            "C(i,j,k) = T(j,k,i)",
            "CSF",
            {"T": ((4, 3, 2), "CSF")},
            'convert T to mode order [2, 0, 1], or ask for C in mode order [1, 2, 0], or pass convert="auto"',
        ),
        (
            "C(i,j) = A(i,j) + B(i,j)",
            "Dense",
            {"A": ((4, 3), "CSR"), "B": ((4, 3), "CSC")},
            'convert B to mode order [0, 1], or pass convert="auto"',
        ),
        (
            "y(i) = A(i,j) * B(j,k) * D(k,i)",
            "Dense",
            {"A": ((4, 3), "CSR"), "B": ((3, 2), "CSR"), "D": ((2, 4), "CSR")},
            'convert D to mode order [1, 0], or pass convert="auto"',
        ),
        ("C(i,j) = A(i,j) + A(j,i)", "Dense", {"A": ((4, 4), "CSR")}, 'pass convert="auto"'),
        (
            "C(i,j) = A(i,j) + B(i,j) + D(i,j)",
            "Dense",
            {"A": ((4, 3), "CSC"), "B": ((4, 3), "CSR"), "D": ((4, 3), "CSC")},
            'convert B to mode order [1, 0], or pass convert="auto"',
        ),
        (
            "R(i,j) += A(j,i) + B(i,j)",
            "HashRows",
            {"A": ((4, 4), "DCSR"), "B": ((4, 4), "Dense"), "R": ((4, 4), "HashRows")},
            'convert A to mode order [1, 0], or pass convert="auto"',
        ),
    ],
)
def test_what_a_contradiction_advises_helps(
    lowered: Any, source: str, out: str, operands: dict[str, Any], hint: str
) -> None:
    with pytest.raises(ScheduleError) as error:
        lowered(source, out, operands)
    assert error.value.hint == hint
    for name, modes in re.findall(r"([A-Z]) (?:to|in) mode order \[([0-9, ]+)\]", hint):
        short = f"{'s' * (modes.count(',') + 1)}:{modes.replace(' ', '')}"
        turned = {**operands, **({name: (operands[name][0], short)} if name in operands else {})}
        assert lowered(source, out if name in operands else short, turned)


def test_previous_contents_are_advised_on_by_the_name_of_the_result(lowered: Any) -> None:
    operands = {"A": ((4, 4), "CSC"), "B": ((4, 4), "CSC"), "R": ((4, 4), "HashRows")}
    with pytest.raises(ScheduleError) as error:
        lowered("R(i,j) += A(i,j) + B(i,j)", "HashRows", operands)
    assert error.value.hint is not None and "R_old" not in error.value.hint


@pytest.mark.parametrize("source", ["R(i,j)<M(i,j),merge> = A(i,j)", "R(i,j)<!M(i,j)> += A(i,j)"])
def test_what_a_merging_mask_keeps_is_advised_on_by_the_name_of_the_result(lowered: Any, source: str) -> None:
    operands = {"A": ((4, 4), "CSR"), "M": ((4, 4), "CSR"), "R": ((4, 4), "CSC")}
    with pytest.raises(ScheduleError) as error:
        lowered(source, "CSR", operands)
    assert error.value.hint == 'convert R to mode order [0, 1], or pass convert="auto"'


def test_the_conflict_shown_is_that_of_the_cycle_alone(lowered: Any) -> None:
    operands = {"B": ((4, 5), "CSR"), "A": ((4, 3), "CSR"), "D": ((3, 4), "CSR")}
    with pytest.raises(ScheduleError) as error:
        lowered("y(i) = B(j,i) * A(j,k) * D(k,j)", "Dense", operands)
    assert "A(j,k) stored as CSR needs j before k" in error.value.message
    assert "D(k,j) stored as CSR needs k before j" in error.value.message
    assert "B(j,i)" not in error.value.message


def test_what_fills_depend_on_is_recorded() -> None:
    a = gn.tensor([[0], [0]], [1.0], (4, 5), "CSR")
    plain, counted = (prepare(f"y(i) = sum(j, {body})", {"A": a}).program for body in ("A(i,j)", "A(i,j) + 1"))
    assert (plain.depends, counted.depends) == (frozenset(), {"j"})
    assert plain.extents == counted.extents


def test_results_of_another_dtype_are_converted_when_they_are_stored(lowered: Any) -> None:
    matrix, vector = ((4, 5), "CSR", "float64", INF), ((5,), "SparseVector", "float64", INF)
    expected = dedent(
        """
        ∀i
          y(i) = {}
          where w:
            ∀j
              w {}
        w ()  float64 {}
        """
    ).strip()
    single = gn.spec("Dense", dtype="float32")
    plain = lowered("y(i) = A(i,j) * x(j)", single, {"A": ((4, 5), "CSR"), "x": ((5,), "Dense")})
    assert plain == expected.format("w", "+= A(i,j) * x(j)", "0.0")
    out = gn.spec("SparseVector", dtype="float32", fill=INF)
    ring = lowered("y(i) = A(i,j) * x(j)", out, {"A": matrix, "x": vector}, semiring="min_plus")
    assert ring == expected.format("float32(w)", "min= A(i,j) + x(j)", "inf")
    turned = gn.spec("CSR", dtype="float32", fill=1)
    staged = lowered("C(i,j) = A(k,i) * A(k,j)", turned, {"A": ((4, 3), "CSR")})
    assert staged.splitlines()[-1] == "w (3, 3) hashed,hashed float64 0.0"


@pytest.mark.parametrize(("fill", "missing"), [(3, 0), (10, 2)])
def test_results_that_differ_without_contributions_are_reduced_apart(
    lowered: Any, agreed: Any, fill: float, missing: float
) -> None:
    """Where nothing contributes, the sum is not the result's fill; or missing contributions count themselves."""
    question = "y(i) = sum(j, A(i,j))", gn.spec("SparseVector", fill=fill), {"A": ((4, 5), "CSR", "float64", missing)}
    assert ("w += A(i,j)" if missing == 0 else "w<$A(i,j)> += A(i,j)") in lowered(*question)
    agreed(*question)


def test_reductions_of_other_kinds_are_folded_apart(lowered: Any, agreed: Any) -> None:
    question = "a = sum(i, max(j, A(i,j)))", "Dense", {"A": ((4, 5), "RowMajor")}
    assert {"w max= A(i,j)", "a += w"} <= {line.strip() for line in lowered(*question).splitlines()}
    agreed(*question)


@pytest.mark.parametrize(("ring", "dtype"), [("min_plus", "bool"), ("max_times", "int16"), ("max_min", "uint8")])
@pytest.mark.parametrize("mask", ["", "<m(i)>", "<!$m(i)>"])
@pytest.mark.parametrize("asked", [None, "float64"])
def test_an_update_in_a_semiring_keeps_absent_what_is_absent(
    ring: str, dtype: str, mask: str, asked: str | None
) -> None:
    add, _, _ = ring.partition("_")
    held = gn.tensor([[1, 3]], np.ones(2, dtype=dtype), (4,), "SparseVector", fill=absent(ring, dtype))
    new = gn.tensor([[2]], np.ones(1, dtype=dtype if asked else "float32"), (4,), "SparseVector")
    seen = {"m": gn.tensor([[0, 1]], [1.0, 2.0], (4,), "SparseVector")} if mask else {}
    out = gn.spec("Dense", dtype=asked) if asked else "Dense"
    check(f"y(i){mask} {add}= a(i)", {"a": new, "y": held, **seen}, engines=("reference",), out=out, semiring=ring)


def absent(ring: str, dtype: str) -> Any:
    """What stands for absent in a dtype."""
    identity = semiring(ring).add.left_identity
    assert identity is not None
    return identity(np.dtype(dtype))


@pytest.mark.parametrize(("fold", "fill"), [("xor", 3.0), ("prod", -1.0)])
def test_of_nested_reductions_the_innermost_contribution_says_whether_they_are_folded_in_place(
    fold: str, fill: float
) -> None:
    """An even number of equal contributions may come to the identity, which none of them is."""
    a = gn.tensor([[], [], []], [], (3, 4, 5), "CSF", fill=fill)
    identity = 0.0 if fold == "xor" else 1.0
    out = gn.spec("SparseVector", fill=identity)
    check(f"y(i) = {fold}(k, {fold}(l, A(i,l,k)))", {"A": a}, engines=("reference",), out=out, convert="auto")


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
