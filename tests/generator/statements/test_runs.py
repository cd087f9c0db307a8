"""Runs of equal coordinates: where a list holds many components a row, each row is summed up at once."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from depth import ALL
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from texts import c_text

WAYS = "if (A1_pos[1] - A1_pos[0] > 6 * "
PRODUCT = "y(i) = A(i,j) * x(j)"


@pytest.mark.parametrize("semiring", [None, "min_plus"])
@pytest.mark.parametrize("source", [PRODUCT, "y(i) = A(i,j)", "y(i) = A(i,j,k) * x(j)", "y(i) += A(i,j)"])
def test_rows_of_a_list_are_visited_either_way(source: str, semiring: str | None) -> None:
    text = c_text(source, A="COO", semiring=semiring)
    assert WAYS in text and "while (pA1 < pA1_end && A1_crd[pA1] == i)" in text and "fused" in text
    assert "segend" not in text


def test_a_component_begins_with_nothing() -> None:
    assert "double ty = 0.0;" in c_text(PRODUCT, A="COO")
    assert "double ty = INFINITY;" in c_text(PRODUCT, A="COO", semiring="min_plus")


def test_a_run_that_a_mask_leaves_out_is_passed_over() -> None:
    assert "pA1_segend" in c_text("y(i)<$m(i)> = A(i,j) * x(j)", A="COO", m="SparseVector")


@pytest.mark.parametrize(
    ("source", "options"),
    [
        (PRODUCT, {"A": "compressed(nonunique,unordered),singleton"}),
        (PRODUCT, {"A": "COO", "schedule": "unroll(i,2)"}),
        (PRODUCT, {"A": "COO", "schedule": "unroll(j,2)"}),
        ("y(i) = A(i,j,k) * x(k)", {"A": "COO", "schedule": "unroll(k,2)"}),
        ("y(j) = A(i,j)", {"A": "COO"}),
        ("s = A(i,j)", {"A": "COO"}),
        ("C(i,k) = A(i,j) * B(j,k)", {"A": "COO"}),
    ],
)
def test_other_loops_are_as_they_are(source: str, options: dict[str, str]) -> None:
    """Rows that are out of order, loops with tags, and what is not summed up row by row."""
    text = c_text(source, **options)
    assert "6 * " not in text


@given(
    hnp.arrays(np.int8, (3, 40), elements=st.integers(-2, 2), fill=st.just(0)),
    st.sampled_from([PRODUCT, "y(i)<$m(i)> = A(i,j) * x(j)"]),
    st.sampled_from(["COO", "compressed(nonunique),singleton(nonunique)"]),
    st.sampled_from(["Dense", "HashVector"]),
    st.sampled_from(["plus_times", "min_plus"]),
)
@settings(max_examples=settings().max_examples // (2 if ALL else 4))
def test_either_way_gives_the_same(rows: np.ndarray, source: str, stored: str, out: str, semiring: str) -> None:
    """Three rows, the first of which are long: sixteen components a row on average, or fewer."""
    long = np.where(rows == 0, np.int8(3), rows)
    for each in (rows, np.vstack([long[:2], rows[2:]])):
        at = np.nonzero(each)
        operands = {
            "A": gn.tensor(at, each[at].astype(float), each.shape, stored),
            "x": np.arange(40.0),
            "m": gn.tensor([[0, 2]], [1.0, 1.0], (3,), "SparseVector"),
        }
        read = {name: tensor for name, tensor in operands.items() if f"{name}(" in source}
        found = [gn.evaluate(source, out=out, semiring=semiring, engine=e, **read) for e in ("reference", "c")]
        assert np.array_equal(*(each.to_numpy() for each in found))
