"""Sparse results of kernels for GPUs: each iteration counts, a scan gives it room, and it fills its part."""

from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from depth import ALL
from devices.emulated import Emulated
from gnomon.generator.device_source import generate_for_device
from gnomon.generator.runtime.emulation import Emulation, build
from gnomon.generator.runtime.library import Library
from gnomon.generator.runtime.request import chosen_compiler, make_request
from gnomon.generator.runtime.runner import Runner, arity
from gnomon.generator.runtime.sources import request_source
from gnomon.generator.runtime.structs import Struct
from gnomon.properties.differential.batch import runner_of
from gnomon.properties.differential.devices import (
    build_emulated,
    generate_device_case,
    run_emulated,
    run_on_machine,
)
from gnomon.properties.machine.run import Conditions, device_machine
from gnomon.properties.programs.problem import Problem
from gnomon.reference.errors import Unsupported
from gnomon.reference.statement.statement import show_program
from gnomon.reference.storage.tensor import Tensor

ROWS, TILES = "parallelize(i,GPUBlock,NoRaces)", "split(i,i0,i1,3),parallelize(i0,GPUBlock,NoRaces)"
STRICT = ("-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas")
SUM, PRODUCT = "C(i,j) = A(i,j) + B(i,j)", "C(i,j) = A(i,j) * B(i,j)"


def drawn(shape: tuple[int, ...], format: str, seed: int) -> Tensor:
    random = np.random.default_rng(seed)
    full = random.integers(1, 9, shape) * (random.random(shape) < 0.4) * 1.0
    return gn.tensor(np.nonzero(full), full[np.nonzero(full)], shape, format)


def same(found: Tensor, wanted: Tensor) -> bool:
    """Whether two tensors store the same components in the same format, each in its place."""
    found.validate()
    whole = found.format == wanted.format and len(found.vals) == len(wanted.vals)
    return whole and bool((found.to_numpy() == wanted.to_numpy()).all())


@pytest.mark.parametrize(
    ("expression", "schedule", "formats", "out", "rows"),
    [
        (PRODUCT, ROWS, ("CSR", "CSR"), "CSR", 5),
        (SUM, TILES, ("DCSR", "CSR"), "DCSR", 5),
        (SUM, ROWS, ("CSR", "CSR"), "COO", 0),
        (PRODUCT, ROWS, ("COO", "dense,dense"), "COO", 5),
        ("C(i,j,k) = A(i,j,k) + B(i,j,k)", TILES, ("CSF", "CSF"), "CSF", 5),
    ],
)
def test_results_on_the_machine(expression: str, schedule: str, formats: tuple[str, str], out: str, rows: int) -> None:
    shape = (rows, 4, 3)[: 3 if out == "CSF" else 2]
    operands = {name: drawn(shape, format, n) for n, (name, format) in enumerate(zip("AB", formats, strict=True))}
    request = make_request(expression, operands, out=out, schedule=schedule, target="cuda")
    source = request_source(request, request.resolve(dict.fromkeys(operands, shape)))
    made = generate_for_device(source, modes=("evaluate",))
    machine = device_machine(made.host, made.device, source.layouts["C"])
    wanted = gn.evaluate(expression, out=out, **operands)
    for seed in range(2 if ALL else 1):
        assert same(machine.evaluate(operands, shape, Conditions(seed)), wanted)


@pytest.mark.parametrize(
    ("expression", "stored", "out"),
    [
        ("y(i) = A(i,i)", {"A": ("RowMajor", 2)}, "SparseVector"),
        (SUM, {"A": ("CSR", 2), "B": ("HashMap", 2)}, "CSR"),
        (SUM, {"A": ("BCSR(3,2)", 2), "B": ("CSR", 2)}, "CSR"),
        ("C(i,j) = A(i,k) * B(k,j)", {"A": ("HashMap", 2), "B": ("RowMajor", 2)}, "CSR"),
        ("C(i,j) = A(i,j,i)", {"A": ("COO", 3)}, "COO"),
        ("C(i,j) = A(i,j) * x(i)", {"A": ("DCSR", 2), "x": ("compressed(unordered,nonunique)", 1)}, "CSR"),
        ("C(i,j) = A(i,j) * x(i)", {"A": ("DCSR", 2), "x": ("compressed(nonunique)", 1)}, "CSR"),
        (
            "C(i,j) = (sum(k, A(k,i,j)) + x(i)) * (h(i) + z(i))",
            {"A": ("COO", 3), "x": ("SparseVector", 1), "h": ("accumulator", 1), "z": ("compressed(nonunique)", 1)},
            "dense,dense",
        ),
    ],
)
def test_what_is_followed_unasked_fills_results(expression: str, stored: dict[str, tuple[str, int]], out: str) -> None:
    operands = {name: drawn((5,) * order, format, order) for name, (format, order) in stored.items()}
    asked = Problem(expression, operands, out)
    assert same(run_on_machine(generate_device_case(asked, "k_")), asked.execution.result)


def test_more_rows_than_a_scan_takes_at_a_time_in_every_mode(tmp_path: Path) -> None:
    operands = {"A": drawn((600, 3), "CSR", 1), "B": drawn((600, 3), "CSR", 2)}
    request = make_request(SUM, operands, out="CSR", schedule=ROWS, target="cuda")
    resolved = request.resolve(dict.fromkeys(operands, (600, 3)))
    source = request_source(request, resolved)
    made = generate_for_device(source)
    path = build(made.host, made.device, tmp_path, chosen_compiler(), STRICT, watched=True)
    modes = ["assemble", "compute", "evaluate"]
    emulation, runner = Emulation(path), Runner(Library(path, modes, [arity(source)] * 3), source.layouts["C"])
    wanted, structs = gn.evaluate(SUM, out="CSR", **operands), [Struct.of(t) for t in operands.values()]
    emulation.begin(0)
    assert same(runner.evaluate(operands, (600, 3), "C"), wanted)
    blank = runner.blank((600, 3))
    structure = blank.finish(runner.begin("assemble", blank, structs, "C"))
    vals, given = np.zeros(len(structure.vals)), Struct.of(structure)
    given.lend(vals)
    runner.run("compute", given, structs, "C")
    assert (vals == wanted.vals).all() and not emulation.fault and not emulation.held


FIBERS = "C(i,j) = F(i,j,k) * x(k)"
BY_GROUPS = {
    "a warp of 4": f"split(k,part,lane,4),reorder(lane,part),{ROWS},parallelize(lane,GPUThread,ParallelReduction)",
    "a warp": f"split(k,part,lane,32),reorder(lane,part),{ROWS},parallelize(lane,GPUThread,ParallelReduction)",
    "a block": f"{ROWS},parallelize(k,GPUThread,ParallelReduction)",
    "a block of 2 warps": (
        f"split(k,part,warp,6),split(warp,outer,lane,3),reorder(outer,lane,part),{ROWS},"
        "parallelize(outer,GPUWarp,ParallelReduction),parallelize(lane,GPUThread,ParallelReduction)"
    ),
}


CHOSEN = [*((who, "DCSR") for who in BY_GROUPS), ("a warp of 4", "CSR")][:: 1 if ALL else 2]


@pytest.fixture(scope="module")
def groups(tmp_path_factory: pytest.TempPathFactory) -> Emulated[tuple[str, str]]:
    """All chosen kernels in one library."""
    operands = {"F": drawn((3, 4, 7), "CSF", 6), "x": gn.from_numpy(np.arange(1.0, 8.0), "Dense")}
    problems = {(who, out): Problem(FIBERS, operands, out, schedule=BY_GROUPS[who]) for who, out in CHOSEN}
    return Emulated(problems, tmp_path_factory)


@pytest.mark.parametrize(("who", "out"), CHOSEN)
def test_groups_of_threads_fill_iterations(who: str, out: str, groups: Emulated[tuple[str, str]]) -> None:
    case = groups.cases[who, out]
    threads = "if (threadIdx.x == 0 && " if "block" in who else f"if (threadIdx.x % {4 if '4' in who else 32} == 0 && "
    assert f"{threads}tC_present)" in case.device
    wanted = case.problem.execution.result
    assert same(groups.run((who, out)), wanted)
    assert same(run_on_machine(case), wanted)


@pytest.mark.parametrize(
    ("expression", "formats", "out", "schedule", "words"),
    [
        (FIBERS, {"F": "CSF"}, "DCSR", f"{ROWS},parallelize(j,GPUThread,NoRaces)", "j on GPUThread would share out"),
        (
            "C(i,j) = A(i,j,k) * x(k)",
            {"A": "CSF"},
            "compressed,dense",
            f"{ROWS},parallelize(k,GPUThread,ParallelReduction)",
            "would share out what is stored in blocks",
        ),
        (
            "C(i)<$M(i)> = A(i,i)",
            {"A": "dense,compressed(nonunique)", "M": "SparseVector"},
            "COO",
            "split(i1,u0,v0,1),split(v0,u1,v1,3),divide(u0,u3,v3,2),parallelize(i,GPUBlock,NoRaces)",
            "append in pieces",
        ),
    ],
)
def test_what_groups_do_not_append(
    expression: str, formats: dict[str, str], out: str, schedule: str, words: str
) -> None:
    request = make_request(expression, formats, out=out, schedule=schedule, target="cuda")
    with pytest.raises(Unsupported, match=words):
        generate_for_device(request_source(request, request.resolve_without_shapes()))


def test_a_scan_of_more_parts_than_a_block_has_threads(tmp_path: Path) -> None:
    rows = np.array([[3, 70_000, 70_000, 139_999], [1, 0, 2, 1]])
    a = gn.tensor(rows, [1.0, 2.0, 3.0, 4.0], (140_000, 3), "CSR")
    problem = Problem("C(i,j) = 2 * A(i,j)", {"A": a}, "CSR", schedule=ROWS)
    case = generate_device_case(problem, "k_")
    path = build(case.text, case.device, tmp_path, chosen_compiler())
    found = runner_of(case, Library(path, ["k_evaluate"], [arity(case.source)])).evaluate(
        case.ready.arguments, case.ready.resolved.shape, "the result"
    )
    assert same(found, gn.tensor(rows, [2.0, 4.0, 6.0, 8.0], (140_000, 3), "CSR"))


def test_results_grow_where_what_they_hold_depends_on_a_value(tmp_path: Path) -> None:
    """What the device has of a result is as long as the result has become."""
    few = gn.tensor([[7]], [2.0], (3000,), "SparseVector")
    problem = Problem("R(i) = A(i) + sum(k, B(k))", {"A": few, "B": few}, "SparseVector", "plus_times")
    case = generate_device_case(problem, "k_")
    assert "if (tw_present)" in case.text
    found = run_emulated(case, build_emulated([case], tmp_path, chosen_compiler()))
    assert same(found, problem.execution.result)


def test_blocks_copy_what_is_staged_in_another_order(tmp_path: Path) -> None:
    problem = Problem("C(i,j) = A(j,i)", {"A": drawn((5, 4), "CSR", 3)}, "CSR")
    case = generate_device_case(problem, "k_")
    assert "k_evaluate_count_i" in case.device
    assert same(run_emulated(case, build_emulated([case], tmp_path, chosen_compiler())), problem.execution.result)


PRODUCTS = {
    "each thread a row": ("CSR", ROWS, "[(((int64_t) blockIdx.x) * blockDim.x + threadIdx.x) * B2_dimension]"),
    "each block a row": (
        "RowMajor",
        f"precompute(A(i,k)*B(k,j),{{j}},{{j}},w),{ROWS},parallelize(j,GPUThread,NoRaces)",
        "[blockIdx.x * B2_dimension]",
    ),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_workspaces_of_any_size_are_slices_on_the_device(name: str, tmp_path: Path) -> None:
    out, schedule, place = PRODUCTS[name]
    operands = {"A": drawn((600, 5), "CSR", 4), "B": drawn((5, 6), "CSR", 5)}
    few = {"A": drawn((3, 5), "CSR", 4), "B": operands["B"]}
    problems = [Problem("C(i,j) = A(i,k) * B(k,j)", each, out, schedule=schedule) for each in (operands, few)]
    cases = [generate_device_case(problem, f"k{n}_") for n, problem in enumerate(problems)]
    built = build_emulated(cases, tmp_path, chosen_compiler())
    assert place in cases[0].device.replace("((int64_t) blockIdx.x) * B2", "blockIdx.x * B2")
    products = [gn.from_numpy(each["A"].to_numpy() @ each["B"].to_numpy(), out) for each in (operands, few)]
    for case, wanted in zip(cases, products, strict=True):
        assert same(run_emulated(case, built), wanted)
    assert same(run_on_machine(cases[1]), products[1])


PACKED = {
    ("BCSR(2,2)", "CSR"): PRODUCT,
    ("BCSR(2,3)", "BCSR(2,2)"): SUM,
    ("CSB(2,2)", "BCSR(2,2)"): "C(i,j) = A(i,k) * B(k,j)",
    ("compressed,hashed", "CSR"): "C(i,j) = A(i,k) * B(k,j)",
    ("compressed,bitmap", "COO"): SUM,
    ("BCSR(4,1)", "Dense"): SUM,
}


@pytest.mark.parametrize(("out", "format"), list(PACKED)[:: 1 if ALL else 2])
def test_what_no_parts_make_is_packed_from_coordinates(out: str, format: str, tmp_path: Path) -> None:
    expression, operands = PACKED[out, format], {name: drawn((7, 7), format, n) for n, name in enumerate("AB")}
    case = generate_device_case(Problem(expression, operands, out), "k_")
    assert f"is packed into {case.problem.out}" in show_program(case.source.program)
    found = run_emulated(case, build_emulated([case], tmp_path, chosen_compiler()))
    assert same(found, gn.evaluate(expression, out="COO", **operands).convert(found.format))
