"""Results of which tiles of positions append parts: several append to one row."""

import gnomon as gn
import numpy as np
import pytest
from depth import ALL
from devices.emulated import Emulated
from gnomon.generator.kernel_source import generate
from gnomon.generator.runtime.sources import request_source
from gnomon.generator.storage.layout import Layout
from gnomon.properties.differential.devices import (
    generate_device_case,
    run_on_machine,
)
from gnomon.properties.machine.run import Conditions, machine
from gnomon.properties.programs.problem import Problem
from gnomon.reference.storage.tensor import Tensor
from hypothesis import given, settings
from hypothesis import strategies as st
from texts import c_text

CUT = "collapse(i,k,f),pos(f,fpos,B(i,k)),split(fpos,tile,nnz,{size})"
LANES = "split(j,part,lane,4),reorder(tile,nnz,lane,part)"
SCALED, SAMPLED = "A(i,k) = 2 * B(i,k)", "A(i,k) = B(i,k) * C(i,j) * D(k,j)"
SLICES = "A(i,k) = B(i,k,l) * c(l)"
COPIED, STORED = "A(i,k,l) = 2 * B(i,k,l)", "pos(i,ipos,B(i,k,l))"
BLOCKS, THREADS = "parallelize(tile,GPUBlock,NoRaces)", "parallelize(tile,CPUThread,NoRaces)"


def skewed(shape: tuple[int, ...], format: str) -> Tensor:
    """A tensor with a long row, empty ones, and short ones."""
    rng = np.random.default_rng(3)
    full = rng.integers(1, 9, shape) * (rng.random(shape) < 0.2)
    full[2], full[4:7] = 3, 0
    return gn.tensor(np.nonzero(full), full[np.nonzero(full)].astype(float), shape, format)


def problem(expression: str, format: str, out: str, schedule: str) -> Problem:
    rng = np.random.default_rng(4)
    operands = {"B": skewed((8, 6, 4) if "l" in expression else (8, 6), format)}
    if "j" in expression:
        operands |= {name: gn.from_numpy(rng.random((rows, 6)), "RowMajor") for name, rows in (("C", 8), ("D", 6))}
    if "c(l)" in expression:
        operands["c"] = gn.from_numpy(rng.random(4), "Dense")
    return Problem(expression, operands, out, schedule=schedule)


def alike(found: Tensor, wanted: Tensor) -> None:
    found.validate()
    assert [a.tolist() for level in found.levels for a in level.values()] == [
        a.tolist() for level in wanted.levels for a in level.values()
    ]
    np.testing.assert_allclose(found.vals, wanted.vals)


APPENDED = [
    (SCALED, "CSR", "CSR", CUT.format(size=4)),
    (SCALED, "DCSR", "CSR", CUT.format(size=3)),
    (SCALED, "CSR", "COO", CUT.format(size=5)),
    (SAMPLED, "CSR", "CSR", f"{CUT.format(size=4)},{LANES}"),
    (SLICES, "CSF", "CSR", CUT.format(size=2).replace("B(i,k)", "B(i,k,l)")),
    (SLICES, "CSF", "DCSR", f"{STORED},split(ipos,tile,row,2)"),
    (COPIED, "CSF", "CSF", f"{STORED},split(ipos,tile,row,3)"),
][:: 1 if ALL else 3]


def scheduled_on_blocks(expression: str, format: str, out: str, schedule: str) -> Problem:
    """A problem in which blocks run the tiles, and threads the lanes, if there are any."""
    lanes = ",parallelize(lane,GPUThread,ParallelReduction)" if "lane" in schedule else ""
    return problem(expression, format, out, f"{schedule},{BLOCKS}{lanes}")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Emulated[int]:
    """All kernels for devices in one library."""
    return Emulated({n: scheduled_on_blocks(*each) for n, each in enumerate(APPENDED)}, tmp_path_factory)


@pytest.mark.parametrize("number", range(len(APPENDED)))
def test_tiles_of_positions_append_to_one_row(number: int, built: Emulated[int]) -> None:
    expression, format, out, schedule = APPENDED[number]
    case = built.cases[number]
    wanted = case.problem.execution.result
    alike(run_on_machine(case), wanted)
    alike(built.run(number), wanted)
    asked = problem(expression, format, out, f"{schedule},{THREADS}")
    kernel = gn.compile(
        expression, out=out, schedule=asked.schedule, **{name: str(t.format) for name, t in asked.operands.items()}
    )
    assert kernel.source.count("#pragma omp for") == 3
    alike(kernel(**asked.operands), wanted)
    alike(kernel.compute(kernel.assemble(**asked.operands), **asked.operands), wanted)
    request = kernel.request
    text = generate(request_source(request, request.resolve_without_shapes()), modes=("evaluate",))
    watched = machine(text, Layout.of(wanted))
    for seed in range(2 if ALL else 1):
        alike(watched.ran("evaluate", asked.operands, wanted.shape, Conditions(seed))[0], wanted)


@pytest.mark.parametrize(
    ("out", "tiles"), [("CSR", ""), ("DCSR", "split(io,tile,row,2),"), ("COO", "")][:: 1 if ALL else 2]
)
def test_rows_of_blocks_are_appended_together(out: str, tiles: str) -> None:
    """Each iteration has the rows of a block, which no other appends to."""
    outer = "tile" if tiles else "io"
    asked = problem(SCALED, "BCSR(3,2)", out, f"{tiles}parallelize({outer},GPUBlock,NoRaces)")
    wanted = asked.execution.result
    alike(run_on_machine(generate_device_case(asked, "k_")), wanted)
    text = c_text(SCALED, B="BCSR(3,2)", out=out, schedule=f"{tiles}parallelize({outer},CPUThread,NoRaces)")
    assert "#pragma omp for" in text
    watched = machine(text, Layout.of(wanted))
    for seed in range(4 if ALL else 2):
        alike(watched.ran("evaluate", asked.operands, wanted.shape, Conditions(seed))[0], wanted)


def test_rows_within_a_block_are_appended_by_one_thread() -> None:
    """A loop within blocks has a few rows at a time: threads share out blocks of rows alone."""
    text = c_text(SCALED, B="BCSR(3,2)", out="CSR", schedule="parallelize(ii,CPUThread,NoRaces)")
    assert "#pragma omp for" not in text


def test_a_row_of_two_tiles_is_appended_once() -> None:
    """By one thread: each of two would append it."""
    asked = problem(SCALED, "CSR", "DCSR", f"{CUT.format(size=4)},{THREADS}")
    kernel = gn.compile(SCALED, B="CSR", out="DCSR", schedule=asked.schedule)
    assert "#pragma omp for" not in kernel.source
    alike(kernel(**asked.operands), asked.execution.result)


def test_positions_that_iterations_take_in_turn_are_appended_by_one_thread() -> None:
    """Those of the first iteration do not come before those of the second."""
    turns = f"{CUT.format(size=4)},reorder(nnz,tile),parallelize(nnz,CPUThread,NoRaces)"
    asked = problem(SCALED, "CSR", "COO", turns)
    kernel = gn.compile(SCALED, B="CSR", out="COO", schedule=asked.schedule)
    assert "#pragma omp for" not in kernel.source
    alike(kernel(**asked.operands), asked.execution.result)


def test_duplicates_are_looked_back_at() -> None:
    """Two tiles may have duplicates of one component, which are added up where the first of them is."""
    duplicated = gn.tensor([[0, 1, 1, 1], [2, 3, 3, 5]], [1.0, 2.0, 4.0, 8.0], (3, 6), "dense,compressed(nonunique)")
    schedule = "collapse(i,k,f),pos(f,fpos,B(i,k)),split(fpos,tile,nnz,2)"
    kernel = gn.compile("A(i,k) = B(i,k)", B=str(duplicated.format), out="CSR", schedule=schedule)
    assert kernel(B=duplicated).to_numpy().tolist() == duplicated.to_numpy().tolist()


def test_a_thread_looks_back_in_fibers_of_its_own() -> None:
    """Duplicates in two tiles of one row are added up by the thread that has the row."""
    duplicated = gn.tensor([[0, 1, 1, 1], [2, 3, 3, 3]], [1.0, 2.0, 4.0, 8.0], (3, 6), "dense,compressed(nonunique)")
    schedule = "pos(k,p,B(i,k)),split(p,tile,nnz,2),parallelize(i,CPUThread,NoRaces)"
    kernel = gn.compile("A(i,k) = B(i,k)", B=str(duplicated.format), out="CSR", schedule=schedule)
    assert kernel(B=duplicated).to_numpy().tolist() == duplicated.to_numpy().tolist()


def test_tiles_that_visit_rows_of_others_connect_nothing_to_them_unseen() -> None:
    """Each tile goes over all rows of M, and leaves those that are another's as they are."""
    b, m = skewed((12, 9), "CSR"), skewed((12, 9), "DCSR")
    tiles = "pos(i,p,B(i,k)),split(p,tile,q,3)"
    asked = Problem("A(i,k) = B(i,k) * M(i,k)", {"B": b, "M": m}, "CSR", schedule=f"{tiles},{BLOCKS}")
    alike(run_on_machine(generate_device_case(asked, "k_")), asked.execution.result)
    text = c_text(asked.source, B="CSR", M="DCSR", out="CSR", schedule=f"{tiles},{THREADS}")
    watched = machine(text, Layout.of(asked.execution.result))
    for seed in range(4 if ALL else 2):
        alike(watched.ran("evaluate", asked.operands, b.shape, Conditions(seed))[0], asked.execution.result)


@given(st.data())
@settings(max_examples=settings().max_examples // (4 if ALL else 6))
def test_whatever_the_tiles_the_result_is_the_same(data: st.DataObject) -> None:
    """Tiles of any size over positions of any levels, of tensors with and without empty rows, on threads."""
    shape = tuple(data.draw(st.lists(st.integers(1, 6), min_size=2, max_size=3)))
    seed, share = data.draw(st.integers(0, 1000)), data.draw(st.sampled_from((0.1, 0.4, 1.0)))
    rng = np.random.default_rng(seed)
    full = rng.integers(1, 9, shape) * (rng.random(shape) < share) * 1.0
    variables = "ikl"[: len(shape)]
    access, levels = f"B({','.join(variables)})", ["compressed"] * len(shape)
    levels[0] = data.draw(st.sampled_from(("dense", "compressed", "bitmap")))
    b = gn.tensor(np.nonzero(full), full[np.nonzero(full)], shape, gn.Format(levels))
    rows = gn.Format(["dense", *["compressed"] * (len(shape) - 1)])
    out = data.draw(st.sampled_from((gn.Format(levels), rows, "COO")))
    fused = ["", "collapse(i,k,f),", "collapse(i,k,f),collapse(f,l,g),"][: len(shape)]
    counted = data.draw(st.integers(0, len(fused) - 1))
    size = data.draw(st.integers(1, 5))
    tiles = f"{fused[counted]}pos({'ifg'[counted]},p,{access}),split(p,tile,nnz,{size})"
    target = f"A({','.join(variables)})"
    asked = Problem(f"{target} = 2 * {access}", {"B": b}, out, schedule=f"{tiles},{THREADS}")
    text = c_text(asked.source, B=b.format, out=out, schedule=asked.schedule)
    found, _ = machine(text, Layout.of(asked.execution.result)).ran("evaluate", {"B": b}, shape, Conditions(seed))
    alike(found, asked.execution.result)
