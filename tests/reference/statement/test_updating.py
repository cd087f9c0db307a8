"""Updates: results that go on from their previous contents, and those that are built anew."""

from __future__ import annotations

from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.differential.check import check
from gnomon.reference.algebra.semirings import semiring
from gnomon.reference.execution.evaluate import Execution, execute
from gnomon.reference.statement.statement import show

E = gn.tensor([[1, 3]], [2.0, 5.0], (6,), "SparseVector")
M = gn.tensor([[1, 2]], [1.0, 0.0], (6,), "SparseVector")
A = gn.tensor([[0, 0, 2, 5], [1, 3, 3, 0]], [1.0, 2.0, 3.0, 4.0], (6, 6), "CSR")


def run(source: str, format: str, ring: str | None = None) -> Execution:
    """An update of a vector in some format, which agrees with what it means by every engine."""
    absent = np.inf if ring is not None and format == "d" else 0.0
    x = gn.tensor([[0, 1, 4]], [1.0, -3.0, 7.0], (6,), format, fill=absent)
    given = {name: each for name, each in {"e": E, "m": M, "A": A}.items() if f"{name}(" in source} | {"x": x}
    gn.check(source, **given, out=format, semiring=ring)
    return execute(source, given, out=format, semiring=ring)


@pytest.mark.parametrize(
    ("source", "format", "ring", "loops"),
    [
        ("x(i) += e(i)", "d", None, "x(i) += e(i)"),
        ("x(i) += e(i)", "bitmap", None, "x(i) += e(i)"),
        ("x(i) += e(i)", "bitmap", "min_plus", "x(i) min= e(i)"),
        ("x(i) += e(i)", "d", "min_plus", "x(i) min= e(i)"),
        ("x(i)<m(i)> += e(i)", "d", None, "x(i)<m(i)> += e(i)"),
        ("x(i)<$e(i),merge> = e(i)", "bitmap", None, "x(i)<$e(i)> = e(i)"),
        ("x(i)<e(i),merge> = 2 * e(i)", "bitmap", None, "x(i)<e(i)> = 2.0 * e(i)"),
        ("x(i)<!$m(i),merge> = e(i)", "d", None, "x(i)<!$m(i)> = e(i)"),
        ("x(i) += A(i,j) * e(j)", "d", None, "x(i) += w"),
        ("x(i) += A(i,i)", "d", None, "x(i) += A(i,i)"),
        ("x(i) max= e(i) + 10", "d", None, "x(i) max= e(i) + 10.0"),
    ],
)
def test_what_the_loops_leave_alone_stays(source: str, format: str, ring: str | None, loops: str) -> None:
    made = run(source, format, ring)
    assert made.program.continues
    assert loops in show(made.program.statement)
    assert "x_old" not in show(made.program.statement)


def test_loops_visit_what_is_new_alone() -> None:
    assert run("x(i) += e(i)", "bitmap").trace.iterations == {"i": 2}


@pytest.mark.parametrize(
    ("source", "format"),
    [
        ("x(i)<$m(i),merge> = e(i)", "bitmap"),  # where m holds 2, and e does not, a component is removed
        ("x(i)<!$e(i),merge> = e(i)", "bitmap"),
        ("x(i)<m(i),replace> += e(i)", "d"),
        ("x(i) *= e(i)", "d"),  # absent times infinity is absent
        ("x(i) max= e(i)", "bitmap"),  # where x is absent the result is the greater of 0 and e
        ("x(i) += e(i) + 1", "bitmap"),
        ("x(i) += e(i)", "SparseVector"),
        ("x(i) += e(i)", "HashVector"),
    ],
)
def test_what_has_to_be_removed_or_changed_elsewhere_is_built_anew(source: str, format: str) -> None:
    assert not run(source, format).program.continues


def test_what_a_map_stores_in_few_places_takes_the_place_of_all() -> None:
    D, x = gn.tensor([[0, 0], [0, 1]], [3.0, 5.0], (2, 2), "DIA"), np.ones((2, 2))
    made = execute("x(i,j)<m(i),merge> = D(i,j)", {"D": D, "x": x, "m": np.array([1.0, 0.0])})
    assert made.program.continues
    assert made.result.to_numpy().tolist() == [[3.0, 5.0], [1.0, 1.0]]


def test_contributions_where_nothing_is_stored_are_combined_with_the_fill() -> None:
    x = gn.tensor([[0]], [7.0], (4,), "bitmap", fill=1.0)
    e = gn.tensor([[0, 3]], [2.0, 5.0], (4,), "SparseVector")
    made = execute("x(i) += e(i)", {"x": x, "e": e}, out=gn.spec("bitmap", fill=1.0))
    assert not made.program.continues
    assert made.result.to_numpy().tolist() == [9.0, 1.0, 1.0, 6.0]


def test_a_product_by_what_may_be_absent_keeps_no_infinity() -> None:
    x, e = np.array([np.inf, 2.0]), gn.tensor([[1]], [3.0], (2,), "SparseVector")
    assert gn.evaluate("x(i) *= e(i)", x=x, e=e).to_numpy().tolist() == [0.0, 6.0]


def test_an_operator_that_changes_a_lone_operand_is_applied_everywhere() -> None:
    operands = {"x": np.array([0, 5, 0, 7, 0, 0]), "e": gn.tensor([[1]], [2], (6,), "SparseVector")}
    made = execute("x(i) or= e(i)", operands)
    assert not made.program.continues
    assert made.result.to_numpy().tolist() == [0, 1, 0, 1, 0, 0]


def test_previous_contents_of_another_dtype_or_format_are_converted() -> None:
    whole = execute("x(i) += e(i)", {"x": np.arange(6), "e": E})
    assert not whole.program.continues
    assert whole.result.to_numpy().tolist() == [0, 3, 2, 8, 4, 5]
    moved = execute("x(i) += e(i)", {"x": gn.tensor([[0]], [1.0], (6,), "bitmap"), "e": E}, out="d")
    assert not moved.program.continues
    assert moved.result.to_numpy().tolist() == [1, 2, 0, 5, 0, 0]


def test_a_mask_that_reads_previous_contents_reads_them_as_they_were() -> None:
    x, moved = np.array([[0.0, 1.0], [0.0, 1.0]]), np.zeros((2, 2))
    made = execute("x(i,j)<x(j,i),merge> = A(i,j)", {"x": x, "A": moved})
    assert not made.program.continues
    assert made.result.to_numpy().tolist() == [[0.0, 1.0], [0.0, 0.0]]


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
