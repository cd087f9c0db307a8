"""Growth: how many positions are made room for, by how far the first level has come."""

from __future__ import annotations

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
