"""Growth: how many positions are made room for, by how far the first level has come, and how many are counted."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from texts import c_text


def requests(source: str, **options: str) -> set[str]:
    """What a kernel asks for where arrays of its result are full."""
    found = " ".join(c_text(source, schedule=None, **options).split())
    return {part.partition(", &status)")[0] for part in found.split("const int64_t capacity = ")[1:]}


@pytest.mark.parametrize(
    ("source", "options", "asked"),
    [
        (
            "C(i,j) = A(i,j) * B(i,j)",
            {"A": "CSR", "B": "CSR", "out": "CSR"},
            "gn_foresee(C2_capacity, pC2, gn_min_int64(pA2_end - pA2, pB2_end - pB2), i, A1_dimension, 1, GN_INDEX_MAX",
        ),
        (
            "T(i,k) = A(i,j) * B(i,j,k)",
            {"A": "CSR", "B": "dense,compressed,dense", "out": "compressed,dense"},
            "gn_foresee(T1_capacity, pT1, 1, i, A1_dimension, B3_dimension, GN_INDEX_MAX",
        ),
        ("y(i) = a(i) * b(i)", {"a": "s", "b": "s", "out": "s"}, "gn_capacity(y1_capacity, py1, "),
    ],
)
def test_requests_tell_how_much_is_done(source: str, options: dict[str, str], asked: str) -> None:
    found = requests(source, **options)
    assert any(asked in request for request in found), found


COLLAPSED = "reorder(i,l,j,k),collapse(j,k,f),precompute(A(i,l)*B(l,j,k),{f},{g},w"
SLICES = "T(i,j,k) = A(i,l) * B(l,j,k)"


@pytest.mark.parametrize("are_given", [True, False])
def test_tables_over_the_combinations_of_many_coordinates_tell_them_apart(are_given: bool) -> None:
    n, rows = 100_000, gn.tensor([[0, 0, 1], [0, 1, 1]], [1.0, 2.0, 3.0], (2, 2), "CSR")
    places = np.array([[0, 0, 0, 1, 1], [5, 42_954, n - 1, 0, 42_954], [7, n - 1, n - 1, 0, 3]])
    slices = gn.tensor(places, np.arange(1.0, 6.0), (2, n, n), "CSF")
    specs = {"A": rows, "B": slices} if are_given else {"A": "CSR", "B": "CSF"}
    kernel = gn.compile(SLICES, out="CSF", schedule=f"{COLLAPSED},hashed)", **specs)
    wanted = gn.evaluate(SLICES, A=rows, B=slices, out="CSF", engine="reference")
    assert gn.to_dict(kernel(A=rows, B=slices)) == gn.to_dict(wanted)


def test_a_list_of_more_combinations_than_indices_count_is_refused() -> None:
    rows, slices = (
        gn.tensor([[0], [0]], [1.0], (2, 2), "CSR"),
        gn.tensor([[0], [1], [2]], [1.0], (2, 50_000, 50_000), "CSF"),
    )
    kernel = gn.compile(SLICES, A="CSR", B="CSF", out="CSF", schedule=f"{COLLAPSED})")
    with pytest.raises(gn.GnomonError, match="or a workspace for it, has more components than 32-bit"):
        kernel(A=rows, B=slices)
