"""Nonzeros that threads share out: each visits what a position holds, and neighbours with one component fold it."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import gnomon as gn
import numpy as np
import pytest
from depth import ALL, DEEP
from devices.emulated import Emulated
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.properties.differential.devices import (
    build_emulated,
    generate_device_case,
    run_emulated,
    run_on_machine,
)
from gnomon.properties.programs.problem import Problem
from gnomon.reference.storage.tensor import Tensor

SHARED, FOLDED = "share out what A stores", "bool further ="
EXTENTS, FILLS = {"i": 13, "j": 31, "k": 5, "l": 2}, {None: 0.0, "plus_times": 0.0, "min_plus": np.inf}
SPMV, MATRIX, CSR = "y(i) = A(i,j) * x(j)", "collapse(i,j,f),pos(f,p,A(i,j)),", {"A": "CSR"}
FIBERS, CUBE, CSF = "y(i,j) = A(i,j,k) * x(k)", "collapse(j,k,g),collapse(i,g,f),pos(f,p,A(i,j,k)),", {"A": "CSF"}
UNITS = "parallelize(block,GPUBlock,IgnoreRaces),parallelize(thread,GPUThread,Atomics)"
THREADS = "split(p,block,thread,{0})," + UNITS
ON_WARPS = UNITS.replace("),", "),parallelize(warp,GPUWarp,IgnoreRaces),")
WARPS = "split(p,block,p1,{0}),split(p1,warp,thread,{1})," + ON_WARPS
TWICE = "compressed(nonunique),singleton(nonunique)"


class Case(NamedTuple):
    """A kernel, and which words its device's text has of the two."""

    text: str
    schedule: str
    formats: Mapping[str, str] = CSR
    out: str = "dense"
    words: tuple[str, ...] = (SHARED, FOLDED)


CASES = {
    "rounds of a warp": Case(SPMV, MATRIX + WARPS.format(256, 64)),
    "one round": Case(SPMV, MATRIX + WARPS.format(128, 32)),
    "warps of fewer lanes": Case(SPMV, MATRIX + WARPS.format(64, 5)),
    "threads of a block": Case(SPMV, MATRIX + THREADS.format(96)),
    "rows that are stored": Case(SPMV, MATRIX + WARPS.format(256, 64), {"A": "DCSR"}),
    "coordinates": Case(SPMV, MATRIX + WARPS.format(256, 64), {"A": "COO"}),
    "blocks": Case(
        SPMV,
        "collapse(ii,ji,b),collapse(jo,b,f),collapse(io,f,g),pos(g,p,A(i,j))," + WARPS.format(256, 64),
        {"A": "BCSR(2,3)"},
    ),
    "diagonals": Case(SPMV, "collapse(i,j,f),collapse(r,f,g),pos(g,p,A(i,j))," + WARPS.format(64, 32), {"A": "DIA"}),
    "columns with flags": Case(SPMV, MATRIX + WARPS.format(128, 64), {"A": "dense,bitmap"}, "bitmap"),
    "every fourth position": Case(SPMV, MATRIX + f"split(p,thread,block,4),reorder(block,thread),{UNITS}"),
    "every fourth position of many": Case(
        FIBERS,
        CUBE + f"split(p,thread,block,4),reorder(block,thread),{UNITS}",
        {"A": "compressed,dense,dense"},
        "dense,dense",
    ),
    "every fourth position, a part at a time": Case(
        SPMV, MATRIX + f"split(p,a,block,4),split(a,b,thread,9),reorder(block,b,thread),{UNITS}"
    ),
    "a result with flags": Case(SPMV, MATRIX + WARPS.format(256, 64), out="bitmap"),
    "columns": Case("y(j) = A(i,j) * x(i)", MATRIX + WARPS.format(256, 64)),
    "fibers": Case(FIBERS, CUBE + WARPS.format(256, 64), CSF, "dense,dense"),
    "levels below a row": Case(
        FIBERS,
        "collapse(j,k,g),pos(g,p,A(i,j,k)),split(p,part,thread,64),parallelize(i,GPUBlock,IgnoreRaces),"
        "parallelize(thread,GPUThread,Atomics)",
        CSF,
        "dense,dense",
    ),
    "beside flags": Case("y(i) = A(i,j) * B(i,j)", MATRIX + WARPS.format(64, 32), {"A": "CSR", "B": "dense,bitmap"}),
    "a workspace": Case(
        SPMV,
        "precompute(A(i,j),{i,j},{iw,jw},w),collapse(i,j,f),pos(f,p,w(i,j))," + THREADS.format(512),
        out="bitmap",
        words=(FOLDED,),
    ),
    "a workspace that holds what is missing": Case(
        "y(i,k) = prod(l, any(A(l,i,k), 1))",
        "collapse(i,k,f),pos(f,p,w(i,k)),split(p,block,thread,33),parallelize(block,GPUBlock,ParallelReduction),"
        "parallelize(thread,GPUThread,ParallelReduction)",
        {"A": "COO"},
        "hashed,hashed",
        words=(),
    ),
    "nothing to fold": Case(
        "y(i,j) = A(i,j) * x(j)",
        MATRIX + "split(p,block,thread,64),parallelize(block,GPUBlock,NoRaces),parallelize(thread,GPUThread,NoRaces)",
        CSR,
        "dense,dense",
        (SHARED,),
    ),
    "a row each": Case("y(i,k) = A(i,j) * B(j,k)", MATRIX + WARPS.format(64, 32), CSR, "dense,dense", (SHARED,)),
    "a table": Case(SPMV, MATRIX + WARPS.format(64, 32), CSR, "hashed"),
    "warps": Case(
        SPMV,
        MATRIX + "split(p,block,warp,8),parallelize(block,GPUBlock,IgnoreRaces),parallelize(warp,GPUWarp,Atomics)",
        words=(),
    ),
    "positions of one level": Case(
        "y(j) = A(i,j) * x(i)",
        "pos(j,p,A(i,j)),split(p,part,thread,8),parallelize(i,GPUBlock,IgnoreRaces),"
        "parallelize(thread,GPUThread,Atomics)",
        words=(),
    ),
    "located where another operand is iterated": Case(
        SPMV, MATRIX + WARPS.format(64, 32), {"A": "compressed,dense", "x": "hashed"}, words=()
    ),
    "duplicates that are added up first": Case(
        "y(i) = sum(j, square(A(i,j)))", MATRIX + WARPS.format(64, 32), {"A": TWICE}, words=()
    ),
    "in a tile of positions": Case(
        SPMV,
        MATRIX + "split(p,block,within,50),coord(within,c),pos(c,q,A(i,j)),split(q,part,thread,32)," + UNITS,
        words=(),
    ),
    "in a tile of coordinates": Case(
        SPMV,
        "collapse(i,j,f),split(f,block,within,200),pos(within,p,A(i,j)),split(p,part,thread,512)," + UNITS,
        words=(),
    ),
}


def stored(name: str, indices: str, format: str, fill: float) -> Tensor:
    """A tensor with a full row, empty rows, and some with a few components; of duplicates, the same ones twice."""
    shape = tuple(EXTENTS[v] for v in indices.split(","))
    random = np.random.default_rng(len(name + format))
    full = np.where(random.random(shape) < 0.35, random.integers(1, 9, shape) * 1.0, fill)
    full[3:4] = random.integers(1, 9, full[3:4].shape)
    full[4:6] = fill
    if format == "DIA":
        full = np.where(np.abs(np.subtract.outer(*map(np.arange, shape))) < 3, full, fill)
    if format == TWICE:
        there = np.repeat(np.nonzero(full), 2, axis=1)
        return gn.tensor(there, full[tuple(there)], shape, TWICE)
    return gn.from_numpy(full, format, fill=fill)


def problem_of(case: Case, ring: str | None) -> Problem:
    reads = dict(re.findall(r"(\w)\(([^()]*)\)", case.text.partition("=")[2]))
    dense = {1: "Dense", 2: "RowMajor"}
    operands = {
        name: stored(name, indices, case.formats.get(name, dense.get(len(indices.split(",")), "")), FILLS[ring])
        for name, indices in reads.items()
    }
    return Problem(case.text, operands, case.out, ring, schedule=case.schedule)


def rings(case: Case) -> list[str | None]:
    """The rings in which a case is looked at: those of numbers and of lengths by turns, in deep runs both."""
    if re.search("square|any", case.text):
        return [None]
    both = [None, "min_plus"]
    return both if DEEP else [both[[*CASES.values()].index(case) % 2]]


CHOSEN = [(name, ring) for name, case in CASES.items() for ring in rings(case)][:: 1 if ALL else 4]
ON_MACHINE = CHOSEN[:: 1 if ALL else 2]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Emulated[tuple[str, str | None]]:
    """All chosen kernels in one library."""
    return Emulated({(name, ring): problem_of(CASES[name], ring) for name, ring in CHOSEN}, tmp_path_factory)


@pytest.mark.parametrize(("name", "ring"), CHOSEN)
def test_what_threads_share_out_is_whole(name: str, ring: str | None, built: Emulated[tuple[str, str | None]]) -> None:
    case = built.cases[name, ring]
    assert tuple(word for word in (SHARED, FOLDED) if word in case.device) == CASES[name].words, case.device
    wanted = sorted((tuple(c), v) for c, v in case.problem.execution.result.entries())
    for found in (built.run((name, ring)), *([run_on_machine(case)] if (name, ring) in ON_MACHINE else [])):
        assert sorted((tuple(c), v) for c, v in found.entries()) == wanted


def test_positions_between_those_that_hold_something(tmp_path: Path) -> None:
    """Lists have room for all coordinates of a row, and positions that hold none."""
    held = gn.tensor([[0, 2, 3], [0, 0, 0]], [5.0, -3.0, 2.0], (4, 2), "dense,accumulator", fill=np.inf)
    operands = {"A": held, "x": gn.from_numpy(np.array([1.0, 2.0]), "dense", fill=np.inf)}
    copied = Problem("R(j,i) = A(i,j)", {"A": held}, "hashed,hashed", "min_plus", MATRIX + WARPS.format(320, 40))
    least = Problem(SPMV, operands, "dense", "min_plus", MATRIX + WARPS.format(64, 40))
    cases = [generate_device_case(problem, f"k{n}_") for n, problem in enumerate((copied, least))]
    library = build_emulated(cases, tmp_path, chosen_compiler())
    for case in cases:
        assert SHARED in case.device
        wanted = case.problem.execution.result
        for found in (run_emulated(case, library), run_on_machine(case)):
            assert sorted(found.entries()) == sorted(wanted.entries())
