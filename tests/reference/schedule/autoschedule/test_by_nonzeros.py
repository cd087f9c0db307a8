"""Schedules for GPUs by tiles of what an operand stores: when they are followed unasked, and when not."""

import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.reference.schedule.autoschedule.grids import grid_schedule

SCALED, SAMPLED = "C(i,j) = A(i,j) * 2", "C(i,j) = A(i,j) * D(i,k) * E(j,k)"
TILES = "collapse(i,j,ij),pos(ij,position,A(i,j)),split(position,block,nonzero,32),"
CUBES = "collapse(i,j,ij),collapse(ij,k,ijk),pos(ijk,position,A(i,j,k)),split(position,block,nonzero,32),"
LANES = "split(k,part,lane,32),reorder(block,nonzero,lane,part),"
ON_BLOCKS, ON_LANES = "parallelize(block,GPUBlock,NoRaces)", "parallelize(lane,GPUThread,ParallelReduction)"
ROWS = f"split(i,block,thread,256),{ON_BLOCKS}"
UNORDERED = "compressed(nonunique,unordered),singleton"
TWICE = "compressed(nonunique),singleton(nonunique)"


@pytest.mark.parametrize(
    ("text", "formats", "schedule"),
    [
        (SCALED, {"A": "COO", "C": "CSR"}, TILES + ON_BLOCKS),
        (SAMPLED, {"A": "COO", "C": "CSR"}, f"{TILES}{LANES}{ON_BLOCKS},{ON_LANES}"),
        ("C(i,j) = A(i,j) * D(i,k) * B(j,k)", {"A": "COO", "B": "CSR", "C": "CSR"}, TILES + ON_BLOCKS),
        ("C(i,j) = A(i,j) * B(i,j)", {"A": "COO", "B": "CSR", "C": "COO"}, TILES + ON_BLOCKS),
        (
            "C(i,j) = A(i,j) * x(i)",
            {"A": "DCSR", "x": "compressed(nonunique,unordered)", "C": "CSR"},
            TILES + ON_BLOCKS,
        ),
        ("C(i,j) = A(i,j) * x(i)", {"A": "DCSR", "x": "compressed(nonunique)", "C": "CSR"}, ROWS),
        ("C(i,j,k) = A(i,j,k) * 2", {"A": "COO", "C": "dense,dense,compressed"}, CUBES + ON_BLOCKS),
        (SCALED, {"A": "COO", "C": "COO"}, "parallelize(i,GPUBlock,NoRaces)"),
        (SCALED, {"A": "COO", "C": "DCSR"}, ROWS),
        (SCALED, {"A": "COO", "C": "compressed,dense"}, ROWS),
        (SCALED, {"A": UNORDERED, "C": "CSR"}, ROWS),
        (SCALED, {"A": TWICE, "C": "CSR"}, ROWS),
        ("C(i,j)<M(i,j)> = A(i,j) * 2", {"A": "COO", "M": "CSR", "C": "CSR"}, ROWS),
        ("C(i,j) = A(i,j,k)", {"A": "COO", "C": "CSR"}, ROWS),
        ("C(i,j) = A(i,k) * B(k,j)", {"A": "COO", "B": "CSR", "C": "CSR"}, ROWS),
    ],
)
def test_what_is_followed_unasked(text: str, formats: dict[str, str], schedule: str) -> None:
    operands = {name: format for name, format in formats.items() if name != "C"}
    request = make_request(text, operands, out=formats["C"], target="cuda")
    assert str(grid_schedule(request.program)) == schedule
