"""The shorter of two fibers: loops whose row is far longer than a list that they locate go over the list."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from depth import ALL
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from texts import c_text

MASKED = "C(i,j)<$M(i,j)> = A(i,k) * B(k,j)"
PRODUCT = "t(i) = A(i,k) * B(k,j) * M(i,j)"
WAYS = "if (pB2_end - pB2_begin > 32 * ((int64_t) "
CHAIN = "C(i,l) = A(i,k) * B(k,j) * D(j,l)"
COPIED = "precompute(M(i,j),{j},{j},m)"


def text(source: str, **options: str) -> str:
    """The kernel, for matrices by rows unless told otherwise."""
    operands = {name: "CSR" for name in "ABM" if f"{name}(" in source}
    return c_text(source, **{**operands, **options})


def matrix(rows: np.ndarray) -> gn.Tensor:
    """A matrix by rows, without its zeros."""
    stored = np.nonzero(rows)
    return gn.tensor(stored, rows[stored].astype(float), rows.shape, "CSR")


@pytest.mark.parametrize(("source", "out"), [(MASKED, "CSR"), (MASKED, "DCSR"), (PRODUCT, "Dense")])
def test_products_by_rows_go_over_what_is_shorter(source: str, out: str) -> None:
    assert WAYS in text(source, out=out)


@pytest.mark.parametrize(
    ("source", "options"),
    [
        (PRODUCT, {"B": "dense,compressed(unordered)", "schedule": COPIED}),
        (PRODUCT, {"schedule": f"{COPIED},unroll(j,2)"}),
        ("C(i,j) = B(i,j) * M(i,j)", {"schedule": COPIED, "out": "CSR"}),
    ],
)
def test_other_loops_go_over_what_they_iterate(source: str, options: dict[str, str]) -> None:
    """What is out of order cannot be searched, a loop that is unrolled stays one, and results append in order."""
    found = text(source, **{"out": "Dense", **options})
    assert "j: iterate b; locate m" in found.lower() and WAYS not in found


def test_a_list_that_may_lack_coordinates_is_no_way() -> None:
    found = text("C(i,j)<!$M(i,j)> = A(i,k) * B(k,j)", out="CSR")
    assert "locate w1" in found and WAYS not in found


@pytest.mark.parametrize("rows", ["DCSR", "COO", "compressed,dense"])
def test_loops_inside_are_there_both_ways(rows: str) -> None:
    """A row of `A * B` holds two coordinates, and `D` 100 rows, of two components in COO."""
    apart = "loopfuse({},A(i,k) * B(k,j),left,T)"
    a, b = gn.from_numpy(np.array([[1.0, 2.0], [0.0, 3.0]]), "CSR"), np.zeros((2, 100))
    b[0, 7], b[1, 99], stored = 5.0, 6.0, (np.repeat(np.arange(100), 2), np.tile([0, 2], 100))
    d = gn.tensor(stored, np.arange(200.0), (100, 4), rows)
    operands = {"A": a, "B": gn.from_numpy(b, "CSR"), "D": d}
    assert "> 32 * " in gn.compile(CHAIN, schedule=apart, **operands).source
    assert gn.check(CHAIN, schedule=apart, **operands).checked


@pytest.mark.parametrize(("unit", "both"), [("CPUVector,NoRaces", True), ("CPUThread,NoRaces", False)])
def test_loops_inside_are_run_by_one_thread(unit: str, both: bool) -> None:
    schedule = f"loopfuse({{}},A(i,k) * B(k,j),left,T),parallelize({{1}},l,{unit})"
    assert ("> 32 * " in c_text(CHAIN, A="CSR", B="CSR", D="compressed,dense", schedule=schedule)) is both


@pytest.mark.parametrize("ways", ["dense,compressed(nonunique)", "compressed,compressed(nonunique)"])
def test_each_duplicate_of_what_is_searched_for_is_visited(ways: str) -> None:
    """Rows of A have each of 100 coordinates twice, or three times, and x one: those in A come before others."""
    columns = np.concatenate([np.repeat(np.arange(100), 2), np.repeat(np.arange(100), 3)])
    rows = np.repeat([0, 1], [200, 300])
    a = gn.tensor([rows, columns], np.arange(500.0), (2, 100), ways)
    for at in (0, 41, 99):
        x = gn.tensor([[at]], [2.0], (100,), "SparseVector")
        kernel = gn.compile("y(i) = A(i,k) * x(k)", A=a, x=x, schedule="precompute(x(k),{k},{k},X),hoist(X)")
        assert "> 32 * " in kernel.source and "fused" in kernel.source
        wanted = gn.evaluate("y(i) = A(i,k) * x(k)", A=a, x=x, engine="reference")
        assert kernel(A=a, x=x).to_numpy().tolist() == wanted.to_numpy().tolist()


@given(
    wide=hnp.arrays(np.int8, (4, 100), elements=st.integers(0, 2), fill=st.just(1)),
    few=hnp.arrays(np.int8, (5, 4), elements=st.integers(0, 2)),
    source=st.sampled_from([MASKED, PRODUCT, "t(i)<gt(i, 1)> = A(i,k) * B(k,j) * M(i,j)"]),
    semiring=st.sampled_from(["plus_times", "min_plus"]),
)
@settings(max_examples=settings().max_examples // (2 if ALL else 4))
def test_either_way_gives_the_same(wide: np.ndarray, few: np.ndarray, source: str, semiring: str) -> None:
    """Rows of `B` have some hundred components; where a row of `M` has three or fewer, they are searched for."""
    admitted = np.zeros((5, 100), np.int8)
    admitted[:, :100:25] = few
    operands = {"A": matrix(few), "B": matrix(wide), "M": matrix(admitted)}
    found = [gn.evaluate(source, semiring=semiring, engine=e, **operands).to_numpy() for e in ("reference", "c")]
    assert np.array_equal(*found)
