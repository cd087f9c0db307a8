"""Iteration: what loops visit over tiles, collapsed variables, positions and coordinates, and in which order."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import gnomon as gn
import numpy as np
import pytest
from gnomon.properties.differential.check import check
from gnomon.reference.execution.interpreter import interpret
from gnomon.reference.execution.trace import Trace
from gnomon.reference.schedule.preparation import prepare
from gnomon.reference.storage.tensor import Tensor


def random(shape: tuple[int, ...], format: str, share: float = 0.4) -> Tensor:
    chance = np.random.default_rng(7)
    coords = np.argwhere(chance.random(shape) < share)
    held = np.arange(1.0, len(coords) + 1)
    order = chance.permutation(len(coords)) if "unordered" in format else np.arange(len(coords))
    return gn.tensor(coords[order].T, held[order], shape, format)


def agrees(source: str, operands: Mapping[str, Any], schedule: str, out: str | None = None) -> None:
    report = check(source, operands, engines=(), out=out, schedule=schedule)
    assert report.checked == report.points


COORDINATES = [
    "split(i,a,b,2)",
    "divide(i,a,b,3)",
    "split(i,a,b,3),split(b,c,d,2)",
    "divide(i,a,b,4),divide(b,c,d,3)",
    "split(j,a,b,2)",
    "split(i,a,b,2),split(j,c,d,3)",
    "collapse(i,j,f)",
    "collapse(i,j,f),split(f,a,b,4)",
    "collapse(i,j,f),divide(f,a,b,3),split(b,c,d,2)",
    "split(i,a,b,3),collapse(b,j,f)",
    "split(j,a,b,2),split(i,c,d,2),collapse(d,a,f)",
    "split(i,a,b,2),reorder(b,a),collapse(b,a,f)",
    "bound(i,n,7,max_exact),split(n,a,b,2)",
    "split(i,a,b,9)",
]
POSITIONS = [
    "pos(j,p,A(i,j)),split(p,a,b,2)",
    "pos(j,p,A(i,j)),divide(p,a,b,2),split(b,c,d,1)",
    "collapse(i,j,f),pos(f,p,A(i,j)),split(p,a,b,3)",
    "collapse(i,j,f),pos(f,p,A(i,j)),divide(p,a,b,2),split(b,c,d,2)",
    "pos(i,p,A(i,j)),split(p,a,b,2)",
    "pos(j,p,A(i,j)),split(p,a,b,2),coord(b,c)",
    "collapse(i,j,f),pos(f,p,A(i,j)),split(p,a,b,3),coord(b,c)",
]
FORMATS = ["CSR", "DCSR", "COO", "HashRows", "compressed(unordered),compressed(unordered)", "compressed,dense", "ds"]


@pytest.mark.every(3)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("schedule", COORDINATES + POSITIONS)
def test_tiles_hold_every_component_once(schedule: str, format: str) -> None:
    operands = {"A": random((7, 5), format), "x": np.arange(1.0, 6.0)}
    agrees("y(i) = A(i,j) * x(j)", operands, schedule)


@pytest.mark.parametrize("format", ["COO", "compressed(nonunique,unordered),singleton(unordered)"])
@pytest.mark.parametrize("schedule", COORDINATES + POSITIONS)
def test_duplicates_stay_together(schedule: str, format: str) -> None:
    """What is not linear in an operand sees the sum of its duplicates, whatever tiles they come in."""
    a = gn.tensor([[0, 0, 0, 2, 2, 5, 5, 6], [1, 1, 3, 0, 0, 4, 4, 2]], np.arange(1.0, 9.0), (7, 5), format)
    agrees("y(i) = A(i,j) * A(i,j)", {"A": a}, schedule)


@pytest.mark.parametrize(
    "schedule",
    [
        "split(i,a,b,2)", "split(j,a,b,2)", "pos(j,p,A(i,j)),split(p,a,b,2)", "pos(i,p,A(i,j)),split(p,a,b,2)",
        "collapse(i,j,f),split(f,a,b,4)", "collapse(i,j,f),pos(f,p,A(i,j)),split(p,a,b,3)",
    ],
)  # fmt: skip
@pytest.mark.parametrize("format", ["CSR", "DCSR", "COO"])
def test_tiles_append_in_order(schedule: str, format: str) -> None:
    agrees("C(i,j) = A(i,j) * 2", {"A": random((7, 5), format)}, schedule, out=format)


@pytest.mark.parametrize(
    "schedule",
    [
        "collapse(j,k,f),pos(f,p,A(i,j,k)),split(p,a,b,2)",
        "collapse(i,j,f),collapse(f,k,g),pos(g,p,A(i,j,k)),split(p,a,b,3)",
        "collapse(i,j,f),pos(f,p,A(i,j,k)),split(p,a,b,2)",
        "collapse(j,k,f),split(f,a,b,4),split(i,c,d,2)",
    ],
)
@pytest.mark.parametrize("format", ["CSF", "COO", "dense,compressed,dense"])
def test_positions_of_several_levels_count_below_their_parent(schedule: str, format: str) -> None:
    agrees("y(i) = A(i,j,k)", {"A": random((3, 4, 3), format)}, schedule)


@pytest.mark.parametrize(("size", "tile"), [(1, 1), (2, 0), (3, 0), (4, 0)])
def test_duplicates_belong_to_the_tile_of_the_first(size: int, tile: int) -> None:
    entries = gn.tensor([[0, 1, 1, 1, 2], [0, 0, 1, 2, 0]], np.arange(1.0, 6.0), (4, 3), "COO")
    ready = prepare("r(i,j) = A(i,j)", {"A": entries}, out="CSR", schedule=f"pos(i,p,A(i,j)),split(p,p0,p1,{size})")
    trace = Trace(visits=Counter(), path=[])
    interpret(ready.program, ready.operands, trace=trace)
    assert [point["p0"] for point in trace.path or () if point["i"] == 1] == [tile] * 3
