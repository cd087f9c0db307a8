"""Cursors: duplicates are passed over once, however long others are stepped, and what holds nothing is skipped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import gnomon as gn
import numpy as np
import pytest
from depth import ALL
from effort import executed
from gnomon.reference.levels.bitmap import Bitmap
from gnomon.reference.levels.dense import Dense
from gnomon.reference.levels.level import Ints, Level, array, extent
from gnomon.reference.storage.tensor import Tensor
from texts import c_text

EXTENT, SMALL = 60, 7
UNORDERED = "compressed(nonunique,unordered),singleton(unordered,nonunique)"


def drawn(seed: int, shape: tuple[int, ...], format: str) -> Tensor:
    """A tensor with some components."""
    random = np.random.default_rng(seed)
    return gn.from_numpy(random.integers(1, 9, shape) * (random.random(shape) < 0.4) * 1.0, format)


def one_row(index: int, format: str) -> Tensor:
    """A matrix with a full row."""
    return gn.tensor([[index] * EXTENT, range(EXTENT)], np.arange(1.0, EXTENT + 1), (EXTENT, EXTENT), format)


def diagonal(format: str) -> Tensor:
    """A matrix with one component a row."""
    return gn.tensor([range(EXTENT)] * 2, np.ones(EXTENT), (EXTENT, EXTENT), format)


@pytest.mark.every(2)
@pytest.mark.parametrize("text", ["y(i) = A(i,j) + B(i,j)", "y(i) = A(i,j) * B(i,j)", "y(i) = A(i,j) + B(i,j) * 2 + 1"])
@pytest.mark.parametrize("format", ["COO", UNORDERED, "compressed(nonunique),singleton(nonunique)"])
def test_duplicates_are_passed_over_once(text: str, format: str) -> None:
    """A full row costs a visit of its components, not one for each row that comes before it."""
    first, last = (executed(text, {"A": diagonal(format), "B": one_row(i, format)}) for i in (0, EXTENT - 1))
    assert last - first < EXTENT**2 // 2


GAPS = "C(i,j) = x(i) + y(i) + z(i) + A(i,j)"


@pytest.mark.parametrize("seed", range(4 if ALL else 2))
@pytest.mark.parametrize(
    ("text", "formats", "schedule"),
    [
        ("C(i,j) = A(i,k) * B(k,j)", {"A": "ELL", "B": "DIA"}, None),
        ("C(i,j) = A(i,k) * B(k,j)", {"A": "ELL", "B": "DIA"}, "split(k,k0,k1,3)"),
        ("C(i,j) = A(i,k) * B(k,j)", {"A": "ELL", "B": "SparseDIA"}, "split(i,i0,i1,2)"),
        (GAPS, {"A": "dense,bitmap"}, None),
        (GAPS, {"A": "bitmap,bitmap"}, "split(j,j0,j1,3)"),
    ],
)
def test_places_that_hold_nothing_are_skipped(
    seed: int, text: str, formats: dict[str, str], schedule: str | None
) -> None:
    """Nothing is listed for that, neither slots of short rows nor what lies between the flags of a bitmap."""
    operands = {name: drawn(seed + ord(name), (SMALL,) * 2, format) for name, format in formats.items()}
    operands |= {name: drawn(seed + ord(name), (SMALL,), "SparseVector") for name in "xyz" if f"{name}(" in text}
    out = "CSR" if text == GAPS else "Dense"
    gn.check(text, out=out, schedule=schedule, **operands)
    found = c_text(text, out=out, schedule=schedule, **{name: t.format for name, t in operands.items()})
    assert "gn_push" not in found and "_list" not in found


@dataclass(frozen=True)
class Sieve(Level):
    """Flags that are walked, and never looked up."""

    name: ClassVar[str] = "sieve"
    compact: bool = False

    flag: Ints = array()
    N: int = extent()

    coord_bounds, coord_access, size = Bitmap.coord_bounds, Bitmap.coord_access, Bitmap.size
    lengths, place, violations = Bitmap.lengths, Bitmap.place, Bitmap.violations


@pytest.mark.parametrize("seed", range(5 if ALL else 2))
def test_what_jumps_ahead_goes_on_to_what_holds_something(seed: int) -> None:
    """To the coordinate of the other operand, and from there to the next flag."""
    flags = drawn(seed, (SMALL,) * 2, "CSR").convert(gn.Format([Dense(), Sieve()]))
    gn.check("C(i,j) = A(i,j) * B(i,j)", A=flags, B=drawn(seed + 1, (SMALL,) * 2, "CSR"), out="CSR")
