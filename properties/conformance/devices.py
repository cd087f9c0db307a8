"""Rules about kernels for GPUs."""

from __future__ import annotations

from math import inf

from ...reference.storage.packing import tensor
from .operands import DENSE, A, B, X
from .rule import Rule, problem_of, vector
from .scheduled import ADDITION, MASKED, PRODUCT, SAMPLED, SPMV, SUM, TILES, by

ROWS = "parallelize(i,GPUBlock,NoRaces)"
LEAST = problem_of(
    "y(j) = D(i,j) * x(i)",
    semiring="min_plus",
    D=tensor([[0, 0, 2, 2], [0, 2, 1, 2]], [4.0, 2.0, 3.0, 1.0], (3, 4), "CSR", fill=inf),
    x=vector({0: 1.0, 1: 2.0, 2: 3.0}, 3, "Dense", fill=inf),
)
FOLDED = problem_of("s = x(i)", x=vector({0: 1, 1: -2, 2: 3}, dtype="int8", format="Dense"))
LARGEST = problem_of("y(i) = x(i) - max(k, z(k))", x=DENSE, z=X)
MOST = problem_of("y(i) = max(sum(k, A(k,i)), x(i))", A=A, x=DENSE)
FILLED = problem_of(PRODUCT.source, A=A, B=B)
FIBERS = tensor([[0, 0, 2], [1, 1, 0], [0, 2, 1]], [1.0, 2.0, 3.0], (3, 2, 4), "CSF")
SUMS = problem_of("C(i,j) = F(i,j,k) * x(k)", "DCSR", F=FIBERS, x=DENSE)
ROW_SUMS = problem_of("C(i,j) = F(i,j,k) * x(k)", "RowMajor", F=FIBERS, x=DENSE)
TURN = tensor([[0, 1, 2]], [1 + 1j, 2 - 1j, -1j], (3,), "Dense")
TURNS = tensor([[0, 0, 1, 2], [0, 2, 1, 0]], [1j, 2.0 + 0j, 1 - 1j, -3.0 + 0j], (3, 3), "CSR")
TURNED = problem_of(SPMV.source, A=TURNS, x=TURN)
SCALED, UNORDERED = "C(i,j) = A(i,j) * x(j)", "dense,compressed(unordered)"
PAIRS = "compressed(unordered,nonunique),singleton(unordered,nonunique)"
BACKWARDS, TWICE, VALUES = [[0, 0, 2, 2], [2, 0, 3, 1]], [[2, 0, 2, 0], [3, 0, 3, 1]], [1.0, 2.0, 3.0, 4.0]
WARPS = "split(i,i0,i1,4),split(i1,warp,row,2),parallelize(i0,GPUBlock,NoRaces),parallelize(warp,GPUWarp,NoRaces)"
NONZEROS = "parallelize(p0,GPUBlock,IgnoreRaces),parallelize(p1,GPUThread,Atomics)"
PIECES = "parallelize(p0,GPUBlock,NoRaces)"
TERMS = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,q,8),split(q,p1,n,2),precompute(A(i,j)*x(j),n,m,w)"
STORED = "collapse(i,j,f),pos(f,p,A(i,j))"
EIGHTS = "split(k,part,warp,8),reorder(warp,part),parallelize(warp,GPUWarp,IgnoreRaces)"
ON_LANES = "parallelize(lane,GPUThread,Atomics)"
ALONE = f"parallelize(block,GPUBlock,IgnoreRaces),{ON_LANES}"
LANES = f"parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,IgnoreRaces),{ON_LANES}"
RULES = (
    Rule(
        "code.cuda.units",
        "blocks, warps and threads of a GPU, or one thread",
        typed=(
            by(SPMV, f"split(i,i0,t,32),{ROWS.replace('(i,', '(i0,')},parallelize(t,GPUThread,NoRaces)"),
            by(SPMV, f"{WARPS},parallelize(j,GPUThread,ParallelReduction)"),
            by(SPMV, f"{WARPS},split(j,part,lane,4),reorder(lane,part),parallelize(lane,GPUThread,ParallelReduction)"),
            by(LARGEST, "parallelize({1,1},i,GPUBlock,NoRaces)"),
        ),
    ),
    Rule(
        "code.cuda.races",
        "iterations on a GPU that meet",
        typed=(
            by(SPMV, f"{TILES},{NONZEROS}"),
            by(SPMV, f"{WARPS},parallelize(j,GPUThread,Temporary)"),
            by(SUM, "parallelize(i,GPUBlock,ParallelReduction)"),
            by(LEAST, "parallelize(i,GPUBlock,Atomics)"),
            by(FOLDED, "parallelize(i,GPUBlock,Atomics)"),
            by(LEAST, "parallelize(i,GPUBlock,Temporary)"),
        ),
    ),
    Rule(
        "code.cuda.segments",
        "nonzeros that threads of a GPU share out",
        typed=(
            by(SPMV, f"{STORED},split(p,block,p1,8),split(p1,warp,lane,4),{LANES}"),
            by(SPMV, f"{STORED},split(p,block,lane,64),parallelize(block,GPUBlock,Atomics),{ON_LANES}"),
            by(LEAST, f"{STORED.replace('A', 'D')},split(p,block,p1,8),split(p1,warp,lane,8),{LANES}"),
            by(ROW_SUMS, f"collapse(j,k,g),collapse(i,g,f),pos(f,p,F(i,j,k)),split(p,block,lane,32),{ALONE}"),
        ),
    ),
    Rule(
        "code.cuda.complex",
        "complex numbers on a GPU",
        typed=(
            by(TURNED, f"{WARPS},parallelize(j,GPUThread,ParallelReduction)"),
            by(TURNED, f"{STORED},split(p,block,p1,8),split(p1,warp,lane,4),{LANES}"),
            by(problem_of("y(j) = prod(i, W(i,j) - x(i))", W=TURNS, x=TURN), "parallelize(i,GPUBlock,Atomics)"),
            by(problem_of("y(i) = sum(j, exp(A(i,j)) / conj(x(j)))", A=TURNS, x=TURN), ROWS),
        ),
    ),
    Rule(
        "code.cuda.memory",
        "workspaces on a GPU",
        typed=(
            by(SPMV, f"{TERMS},{NONZEROS}"),
            by(MOST, "parallelize({0},k,GPUBlock,Atomics)"),
            by(FILLED, f"precompute(A(i,k)*B(k,j),{{j}},{{j}},w),{ROWS},parallelize(j,GPUThread,NoRaces)"),
        ),
    ),
    Rule(
        "code.cuda.lists",
        "workspaces on a GPU that note which coordinates they hold",
        typed=(
            by(PRODUCT, f"{ROWS},parallelize(k,GPUThread,Atomics)"),
            by(PRODUCT, f"{ROWS},parallelize(j,GPUThread,NoRaces)"),
            by(PRODUCT, f"{ROWS},{EIGHTS},parallelize(j,GPUThread,Atomics)"),
            by(PRODUCT, f"{ROWS},split(k,part,lane,4),reorder(lane,part),parallelize(lane,GPUThread,Atomics)"),
            by(MASKED, f"{ROWS},parallelize(j,GPUThread,Atomics)"),
        ),
        needs=("structure",),
    ),
    Rule(
        "code.cuda.sparse",
        "sparse results on a GPU",
        typed=(
            by(ADDITION, "split(i,i0,i1,2),parallelize(i0,GPUBlock,NoRaces)"),
            by(PRODUCT, ROWS),
            by(MASKED, ROWS),
            by(problem_of("C(i,j,k) = F(i,j,k) * x(k)", "CSF", F=FIBERS, x=DENSE), ROWS),
            by(SUMS, f"{ROWS},parallelize(k,GPUThread,ParallelReduction)"),
            by(SUMS, f"split(k,n,t,2),reorder(t,n),{ROWS},parallelize(t,GPUThread,ParallelReduction)"),
            by(SAMPLED, f"reorder(i,j,k),{TILES},reorder(p0,p1,k),{PIECES}"),
            by(SAMPLED, f"reorder(i,j,k),{TILES},reorder(p0,p1,k),{PIECES},parallelize(k,GPUThread,ParallelReduction)"),
        ),
        needs=("structure",),
    ),
    Rule(
        "code.cuda.tables",
        "hash tables that a GPU inserts into",
        typed=(
            by(problem_of(PRODUCT.source, "dense,hashed", A=A, B=B), f"{ROWS},parallelize(k,GPUThread,Atomics)"),
            by(problem_of(ADDITION.source, "hashed,hashed(width=1)", A=A, D=A), ROWS),
        ),
        needs=("structure",),
    ),
    Rule(
        "code.cuda.order",
        "operands that a GPU reads in order",
        typed=(
            by(problem_of(SCALED, "CSR", A=tensor(BACKWARDS, VALUES, (3, 4), UNORDERED), x=DENSE), ROWS),
            by(problem_of(SCALED, "CSR", A=tensor(TWICE, VALUES, (3, 4), PAIRS), x=DENSE), ROWS),
            by(problem_of(ADDITION.source, A=A.convert("dense,hashed"), D=A), ROWS),
        ),
        needs=("structure",),
    ),
)
