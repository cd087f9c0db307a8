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
SPGEMM, BLOCK = "C(i,j) = A(i,k) * B(k,j)", "parallelize(i,GPUBlock,NoRaces),"
ACROSS = BLOCK + "pos(k,k_at,A(i,k)),split(k_at,part,warp,{}),reorder(warp,part),"
ALONG = "pos(j,j_at,B(k,j)),split(j_at,piece,lane,8),reorder(lane,piece),"
UNITS = "parallelize(warp,GPUWarp,IgnoreRaces),parallelize(lane,GPUThread,Atomics)"
MEETING = "parallelize(j,GPUThread,Atomics)"
TILES = "split(i,block,thread,256),parallelize(block,GPUBlock,NoRaces)"
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
        (SPGEMM, {"A": "CSR", "B": "CSR", "C": "CSR"}, ACROSS.format(32) + ALONG, UNITS),
        (SPGEMM, {"A": "CSR", "C": "DCSR"}, f"{ACROSS.format(8)}split(j,piece,lane,32),reorder(lane,piece),", UNITS),
        (SPGEMM, {"B": "CSR", "C": "COO"}, f"{BLOCK}split(k,part,warp,32),reorder(warp,part),{ALONG}", UNITS),
        (SPGEMM.replace("=", "<$M(i,j)> ="), {"A": "CSR", "B": "CSR", "M": "CSR", "C": "CSR"}, BLOCK, MEETING),
        (
            "C(i,j,l) = A(i,j,k) * B(k,l)",
            {"A": "CSF", "B": "CSR", "C": "CSF"},
            f"{BLOCK}pos(k,k_at,A(i,j,k)),split(k_at,part,warp,32),",
            UNITS,
        ),
        ("y(i) = A(i,i)", {}, BLOCKS.format("i", "NoRaces"), "NoRaces)"),
        ("y(i) = A(i,i)", {"y": "SparseVector"}, BLOCK[:-1], ""),
        ("C(i,j) = A(i,j)", {"A": "BCSR(2,2)", "C": "CSR"}, "parallelize(io,GPUBlock,NoRaces)", ""),
        ("C(i,j) = A(i,j) + B(i,j)", {"A": "CSR", "B": "HashMap", "C": "CSR"}, TILES, ""),
        ("C(i,j) = T(i,j,i)", {"T": "COO", "C": "COO"}, TILES, ""),
        ("C(i,m,j) = A(i,k) * T(k,m,j)", {"A": "CSR", "T": "CSF", "C": "CSF"}, BLOCK[:-1], ""),
        (SPGEMM, {"A": "CSR", "B": "CSR", "C": "dense,hashed"}, BLOCKS.format("i", "NoRaces"), "NoRaces)"),
        ("C(i,j) = A(i,k) * B(k,j) * D(k,j)", {**dict.fromkeys("ABCD", "CSR")}, f"{BLOCK[:-1]}", ""),
        ("S(i,j) = F(i,j,k) * x(k)", {"F": "CSF", "S": "DCSR"}, "parallelize(i,GPUBlock,NoRaces)", ""),
        ("S(i,j) = A(i,j) * D(i,k) * E(k,j)", {"A": "COO", "S": "COO"}, BLOCKS.format("i", "NoRaces"), "NoRaces)"),
        ("S(i,j) = A(i,j) * D(i,k) * E(j,k)", {"A": "COO", "S": "COO"}, "split(k,part,lane,32),", "unroll(j,4)"),
    ],
)
def test_what_is_followed_unasked(text: str, formats: dict[str, str], begin: str, end: str) -> None:
    operands = {name: format for name, format in formats.items() if name != text[0]}
    request = make_request(text, operands, out=formats.get(text[0]), target="cuda")
    found = str(grid_schedule(request.program))
    assert found.startswith(begin) and found.endswith(end) and (end or found == begin)
