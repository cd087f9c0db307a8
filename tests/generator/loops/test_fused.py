"""Fused merges: chains of levels of two operands are merged by all their coordinates at once."""

from __future__ import annotations

import gnomon as gn
import numpy as np
import pytest
from depth import ALL
from gnomon.reference.storage.tensor import Tensor
from hypothesis import given, settings
from hypothesis import strategies as st
from texts import c_text

SUM, FOUR = "C(i,j,k) = A(i,j,k) + B(i,j,k)", "C(i,j,k,l) = A(i,j,k,l) - B(i,j,k,l)"
SIX = "C(i,j,k,l,m,n) = min(A(i,j,k,l,m,n), B(i,j,k,l,m,n))"
BLOCKS = "dense,compressed(nonunique),singleton"
STATEMENTS = [
    (SUM, "COO", "COO", "COO"),
    (SUM, "COO", BLOCKS, "Dense"),
    ("C(i,j,k) = A(i,j,k) * x(k) - B(i,j,k)", "COO", "COO", BLOCKS),
    ("C(i,k) = sum(j, max(A(i,j,k), B(i,j,k)))", "COO", "COO", "Dense"),
    ("y(i) = sum(j, sum(k, A(i,j,k) + B(i,j,k))) * 2", "COO", BLOCKS, "SparseVector"),
    ("y(i) = any(j, any(k, A(i,j,k) + B(i,j,k)))", "COO", "COO", "SparseVector"),
    ("C(i,j,k) = A(i,k,j) + B(i,k,j)", "COO", "COO", "dense,hashed,hashed"),
    (FOUR, "COO", "COO", "COO"),
    (SIX, "COO", "COO", "COO"),
]


def text(source: str, a: str, b: str, out: str) -> str:
    """The kernel."""
    return c_text(source, A=a, B=b, out=out, schedule="")


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        (
            SUM,
            ["const int64_t jkA = jA * 4294967296LL + A3_crd[pA2];", "if (jkA == jkB) {", "} else if (jkA <= jkB) {"],
        ),
        (FOUR, ["int64_t jA_first = jkA != jkB ? jkA : lA;", "if (jA_first == jB_first) {"]),
        (
            SIX,
            ["lmA = A4_crd[pA2] * 4294967296LL + A5_crd[pA2];", "jA_first = jkA != jkB ? jkA : lmA != lmB ? lmA : nA;"],
        ),
    ],
)
def test_two_coordinates_are_one_number(source: str, lines: list[str]) -> None:
    found = text(source, "COO", "COO", "COO")
    assert [line for line in lines if line.removeprefix("const ") not in found] == []


@pytest.mark.parametrize(("a", "b"), [("int64", "int64"), ("int32", "int64"), ("int64", "int32")])
def test_coordinates_of_64_bits_are_compared_one_by_one(a: str, b: str) -> None:
    wide = {name: gn.spec("COO", index=index) for name, index in (("A", a), ("B", b), ("out", "int64"))}
    found = c_text(SUM, schedule="", **wide)
    assert "jkA" not in found and "jA_first = jA != jB ? jA : kA;" in found


def tensor(entries: dict[tuple[int, ...], int], shape: tuple[int, ...], format: str) -> Tensor:
    """A tensor of these components."""
    places = sorted(entries)
    coordinates = np.array(places, np.int64).reshape(len(places), len(shape)).T
    return gn.tensor(coordinates, [float(entries[place]) for place in places], shape, format)


@pytest.mark.every(2)
@pytest.mark.parametrize(("source", "a", "b", "out"), STATEMENTS)
@given(data=st.data())
@settings(max_examples=settings().max_examples // (3 if ALL else 8))
def test_merges_agree_with_the_denotation(source: str, a: str, b: str, out: str, data: st.DataObject) -> None:
    """Whatever the fibers have in common, in the reference and in C."""
    order = {SUM: 3, FOUR: 4, SIX: 6}.get(source, 3)
    shape = (2, 3, 3, 2, 2, 2)[:order]
    place = st.tuples(*[st.integers(0, extent - 1) for extent in shape])
    components = st.dictionaries(place, st.integers(-3, 3), max_size=16)
    operands = {name: tensor(data.draw(components), shape, form) for name, form in (("A", a), ("B", b))}
    if "x(k)" in source:
        operands["x"] = gn.from_numpy(np.arange(1.0, 4.0), "Dense")
    report = gn.check(source, out=out, schedule="", **operands)
    assert {"reference", "c"} <= set(report.engines)
