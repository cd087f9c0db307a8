"""Schedules for GPUs in which lanes share out rows and sums: when they are followed unasked, and when not."""

import pytest
from gnomon.generator.runtime.request import make_request
from gnomon.reference.schedule.autoschedule.grids import grid_schedule

WARPS = "split(i,block,warp,{}),{},reorder(block,warp,{}),parallelize(block,GPUBlock,NoRaces)"
SPMV, SPMM = "y(i) = A(i,j) * x(j)", "C(i,k) = A(i,j) * B(j,k)"
SDDMM = "S(i,k) = A(i,k) * C(i,j) * D(k,j)"
STORED = WARPS.format(32, "pos(j,p,A(i,j)),split(p,part,lane,8)", "lane,part")
ROWS = WARPS.format(8, "split(k,part,lane,32)", "part,lane,j")
DENSE = WARPS.format(8, "split(j,part,lane,32)", "lane,part")
BLOCKS = "split({0},block,thread,256),parallelize(block,GPUBlock,{1})"


@pytest.mark.parametrize(
    ("text", "formats", "begin", "end"),
    [
        (SPMV, {"A": "CSR"}, STORED, "parallelize(lane,GPUThread,ParallelReduction)"),
        (SPMV, {}, DENSE, "parallelize(lane,GPUThread,ParallelReduction)"),
        (SPMM, {"A": "CSR"}, ROWS, "parallelize(lane,GPUThread,NoRaces),unroll(j,4)"),
        ("C(i,k) = B(i,k) + D(i,k)", {}, WARPS.format(8, "split(k,part,lane,32)", "part,lane"), "NoRaces)"),
        ("y(i) = x(i) + z(i)", {}, BLOCKS.format("i", "NoRaces"), "parallelize(thread,GPUThread,NoRaces)"),
        ("s = x(i) * z(i)", {}, BLOCKS.format("i", "Atomics"), "parallelize(thread,GPUThread,Atomics)"),
        (SPMV, {"A": "CSC"}, BLOCKS.format("j", "Atomics"), "Atomics)"),
        (SPMM, {"A": "CSR", "B": "ColumnMajor"}, STORED.replace("lane,part)", "k,lane,part)"), "ParallelReduction)"),
        (SPMM, {"A": "CSR", "C": "ColumnMajor"}, BLOCKS.format("i", "NoRaces"), "NoRaces)"),
        ("y(i) = A(i,j) * z(j)", {"A": "CSR", "z": "SparseVector"}, BLOCKS.format("i", "NoRaces"), "NoRaces)"),
        (SDDMM, {"A": "CSR", "S": "CSR"}, "split(j,part,lane,32),reorder(i,k,lane,part),", "unroll(k,4)"),
        ("S(i,j) = F(i,j,k) * x(k)", {"F": "CSF", "S": "DCSR"}, "parallelize(i,GPUBlock,NoRaces)", ""),
    ],
)
def test_what_is_followed_unasked(text: str, formats: dict[str, str], begin: str, end: str) -> None:
    operands = {name: format for name, format in formats.items() if name != text[0]}
    request = make_request(text, operands, out=formats.get(text[0]), target="cuda")
    found = str(grid_schedule(request.lower(request.resolve_without_shapes())))
    assert found.startswith(begin) and found.endswith(end) and (end or found == begin)
