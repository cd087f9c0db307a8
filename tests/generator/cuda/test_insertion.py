"""Results that are hash tables: threads insert coordinates until all have room, then come the values."""

from dataclasses import replace
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
from gnomon.properties.differential.devices import (
    build_emulated,
    generate_device_case,
    run_emulated,
    run_on_machine,
)
from gnomon.properties.programs.problem import Problem
from gnomon.reference.errors import Unsupported
from gnomon.reference.storage.tensor import Tensor

PRODUCT, SUM = "C(i,j) = A(i,k) * B(k,j)", "C(i,j) = A(i,j) + D(i,j)"
ROWS = "split(i,block,thread,8),parallelize(block,GPUBlock,NoRaces),parallelize(thread,GPUThread,NoRaces)"
BLOCKS = "parallelize(i,GPUBlock,NoRaces)"
ENTRIES = f"{BLOCKS},parallelize(k,GPUThread,Atomics)"
COLUMNS = "reorder(k,i,j),split(k,k0,k1,4),parallelize(k0,GPUBlock,Atomics),parallelize(k1,GPUThread,Atomics)"
UPDATE = "C(i,j) += A(i,k) * B(k,j)"
STRICT = ("-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas")


def drawn(shape: tuple[int, int], format: str, seed: int) -> Tensor:
    random = np.random.default_rng(seed)
    full = random.integers(1, 9, shape) * (random.random(shape) < 0.4) * 1.0
    return gn.tensor(np.nonzero(full), full[np.nonzero(full)], shape, format)


OPERANDS = {"A": drawn((19, 9), "CSR", 1), "B": drawn((9, 31), "CSR", 2), "D": drawn((19, 9), "CSR", 3)}
BY_COLUMNS = OPERANDS | {"A": OPERANDS["A"].convert("CSC")}
CASES = {
    "each thread a row": (PRODUCT, "dense,hashed", ROWS, OPERANDS),
    "threads meet in a row": (PRODUCT, "dense,hashed", ENTRIES, OPERANDS),
    "blocks meet everywhere": (PRODUCT, "hashed,hashed", COLUMNS, BY_COLUMNS),
    "a width that gives way": (PRODUCT, "dense,hashed(width=3)", ENTRIES, OPERANDS),
    "flags around tables": (PRODUCT, "bitmap,hashed", ENTRIES, OPERANDS),
    "tables around flags": (PRODUCT, "hashed,bitmap", ROWS, OPERANDS),
    "unasked, in another order": ("C(j,i) = A(i,j)", "dense,hashed", "", OPERANDS),
    "unasked, a sum": (SUM, "hashed,dense", "", OPERANDS),
    "flags that rows share": ("C(j,i) = A(i,j)", "bitmap,bitmap", "", OPERANDS),
    "the largest": ("C(i,j) max= A(i,k) * B(k,j)", "dense,hashed", BLOCKS, OPERANDS),
    "after what was there": (UPDATE, "dense,hashed", BLOCKS, OPERANDS | {"C": drawn((19, 31), "dense,hashed", 4)}),
}


FEW = {"A": drawn((5, 4), "CSR", 1), "B": drawn((4, 11), "CSR", 2)}
MEETING = {
    "threads meet in a row": FEW,
    "blocks meet everywhere": FEW | {"A": FEW["A"].convert("CSC")},
    "a width that gives way": FEW,
}


def problem_of(name: str, operands: dict[str, Tensor] | None = None) -> Problem:
    text, out, schedule, given = CASES[name]
    given = operands or given
    right = text.partition("=")[2]
    used = {each: held for each, held in given.items() if f"{each}(" in right or each == "C"}
    return Problem(text, used, out, schedule=schedule)


def agree(found: Tensor, wanted: Tensor) -> bool:
    """Whether two tensors store the same components, each once, in whatever order."""
    return found.format == wanted.format and sorted(found.entries()) == sorted(wanted.entries())


CHOSEN = [*CASES][:: 1 if ALL else 3]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Emulated[str]:
    """All chosen kernels in one library."""
    return Emulated({name: problem_of(name) for name in CHOSEN}, tmp_path_factory)


@pytest.mark.parametrize("name", CHOSEN)
def test_threads_insert_and_then_compute(name: str, built: Emulated[str]) -> None:
    case = built.cases[name]
    assert f"{case.name}evaluate_insert_" in case.device and ("_crowded = true;" in case.text) == (
        "hashed" in CASES[name][1]
    )
    found = built.run(name)
    wanted = case.problem.execution.result
    assert agree(found, wanted) and [s.get("W") for s in found.levels] == [s.get("W") for s in wanted.levels]


@pytest.mark.every(2)
@pytest.mark.parametrize("name", MEETING)
def test_insertion_on_the_machine(name: str) -> None:
    case = generate_device_case(problem_of(name, MEETING[name]), "k_")
    assert agree(run_on_machine(case), case.problem.execution.result)


@pytest.mark.every(2)
@pytest.mark.parametrize("schedule", [ENTRIES, None])
def test_structures_are_assembled_first_and_values_computed_in_them(schedule: str | None, tmp_path: Path) -> None:
    operands, shape = {name: OPERANDS[name] for name in "AB"}, (19, 31)
    request = make_request(PRODUCT, operands, out="hashed,hashed", schedule=schedule, target="cuda")
    source = request_source(request, request.resolve({name: t.shape for name, t in operands.items()}))
    made = generate_for_device(source)
    path = build(made.host, made.device, tmp_path, chosen_compiler(), STRICT, watched=True)
    modes = ["assemble", "compute"]
    emulation, runner = Emulation(path), Runner(Library(path, modes, [arity(source)] * 2), source.layouts["C"])
    wanted, structs = gn.evaluate(PRODUCT, out="hashed,hashed", **operands), [Struct.of(t) for t in operands.values()]
    emulation.begin(0)
    blank = runner.blank(shape)
    structure = blank.finish(runner.begin("assemble", blank, structs, "C"))
    assert {i for i, _ in structure.entries()} == {i for i, _ in wanted.entries()}
    vals, given = np.zeros(len(structure.vals)), Struct.of(structure)
    given.lend(vals)
    runner.run("compute", given, structs, "C")
    assert agree(replace(structure, vals=vals), wanted) and not emulation.fault and not emulation.held


def test_what_is_inserted_while_it_is_looked_for_is_not_passed_by() -> None:
    """A bucket that is not empty stays as it is, one that is empty may not."""
    device = generate_device_case(problem_of("threads meet in a row"), "k_").device
    meanwhile = " ".join(device[device.index("hashed_locate_meanwhile(") : device.index("GN_KERNEL")].split())
    read = "((int64_t) gn_atomic_load_int32(&crd[q]))"
    assert f"while ({read} != -1 && {read} != i && q != end)" in meanwhile


def test_kernels_take_back_only_what_they_have_stored() -> None:
    """The second kernel reads coordinates, which are not copied to the host again."""
    host = generate_device_case(problem_of("each thread a row"), "k_").text
    assert host.count("gn_device_put(C2_crd_device") == 3 and host.count("gn_device_get(C2_crd") == 2


def test_workspaces_of_one_component_say_that_it_is_there_before_there_are_values(tmp_path: Path) -> None:
    """One thread inserts what a scalar decides, whose value nobody asks for yet."""
    operands = {"A": gn.from_numpy(np.arange(4.0), "dense"), "B": gn.from_numpy(np.eye(2), "RowMajor"), "D": 4.0}
    units = "split(k,g,h,32),parallelize(g,GPUBlock,Atomics),parallelize(h,GPUThread,Temporary)"
    fused = f"loopfuse({{1}},D,right,T3),{units}"
    problem = Problem("R(i) = (A(i) + sum(k, B(k,k))) * D", operands, "hashed", "any_pair", schedule=fused)
    case = generate_device_case(problem, "k_")
    found = run_emulated(case, build_emulated([case], tmp_path, chosen_compiler()))
    assert agree(found, problem.execution.result) and len(list(found.entries())) == 4


def test_workspaces_that_are_tables_begin_with_what_combines_them(tmp_path: Path) -> None:
    """All have their places before the first contribution comes, which is combined then as all others are."""
    text = "R(i,j) = sum(k, prod(l, second(A(j,i,k), B(l))))"
    operands = {"A": gn.from_numpy(np.arange(4.0).reshape(1, 1, 4), "dense,dense,dense"), "B": np.array([2.0, 3.0])}
    problem = Problem(text, operands, "dense,dense", schedule="pos(j,u,w(j,i,k)),parallelize(i,GPUBlock,Temporary)")
    case = generate_device_case(problem, "k_")
    assert "w3_crd" in case.device
    found = run_emulated(case, build_emulated([case], tmp_path, chosen_compiler()))
    assert agree(found, problem.execution.result)


def test_tables_inside_of_what_one_thread_computes_are_refused() -> None:
    """They are filled again and again, and what fills them has no second kernel."""
    operands = {"A": gn.from_numpy(np.arange(12.0).reshape(3, 4), "CSR"), "B": gn.from_numpy(np.eye(2, 3), "CSR")}
    schedule = f"precompute({{0}},A(j,k),{{k}},{{k}},t,HashVector),{BLOCKS.replace('(i', '({1,1},i')}"
    problem = Problem("y(i) = sum(j, B(i,j) * max(k, A(j,k)))", operands, "dense", schedule=schedule)
    with pytest.raises(Unsupported, match="a single thread cannot fill t"):
        generate_device_case(problem, "k_")
