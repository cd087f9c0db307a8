"""Kernels on the machine: golden and random ones agree with the reference, in any order, and when memory runs out."""

import dataclasses
import random
import re
from pathlib import Path

import gnomon as gn
import numpy as np
import pytest
from gnomon.generator.ir.vocabulary import Purpose
from gnomon.generator.kernel_source import generate
from gnomon.generator.runtime.request import make_request
from gnomon.generator.runtime.sources import request_source
from gnomon.generator.source import IN_PLACE
from gnomon.generator.storage.layout import Layout
from gnomon.properties.differential.batch import source_of
from gnomon.properties.differential.check import compare, components
from gnomon.properties.machine.fault import OutOfBounds, TooLong
from gnomon.properties.machine.run import Conditions, Machine, machine
from gnomon.properties.machine.state import State
from gnomon.properties.programs.problem import Problem
from gnomon.properties.strategies import PLAIN, programs
from gnomon.properties.strategies.schedules import KINDS, run_in_parallel, schedules
from gnomon.reference.errors import GnomonError, MeaningError, ScheduleError, StorageError, Unsupported
from gnomon.reference.execution.evaluate import Execution, execute
from gnomon.reference.execution.interpreter import interpret
from gnomon.reference.schedule.schedule import Schedule
from gnomon.reference.storage.named_formats import dense, format_of
from gnomon.reference.storage.tensor import Tensor
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

GOLDEN = sorted((Path(__file__).parents[2] / "generator" / "golden").glob("*.c"))
EXTENTS = {"i": 70, "j": 9, "k": 20, "l": 2, "m": 3, "r": 3}
LOOPS = replace(PLAIN, orders=(1, 2, 3), empties=False)
TILES = tuple(kind for kind in KINDS if kind != "parallelize")
LONGEST = 1000 if settings.default.max_examples <= 200 else 10**6


def heading(text: str) -> tuple[str, dict[str, str], list[str], str | None]:
    """The expression of a kernel, the formats of its tensors, its operands in order, and its schedule."""
    lines = [line.removeprefix(" *").strip() for line in text.split("*/")[0].splitlines()[1:]]
    expression, _, schedule = lines[0].partition("    by ")
    tensors = [line.rsplit(", ", 2)[0].split(": ", 1) for line in lines[2 : lines.index("", 2)]]
    return expression, dict(tensors), [name for name, _ in tensors[1:]], schedule or None


def sparse(rng: np.random.Generator, indices: str, format: str) -> Tensor:
    """A tensor of small integers, some rows of it empty."""
    shape = tuple(EXTENTS[v] for v in indices.split(","))
    values = rng.integers(1, 9, shape) * (rng.random(shape) < min(0.3, 200 / np.prod(shape)))
    values[1 : shape[0] // 4] = 0
    return gn.tensor(np.nonzero(values), values[np.nonzero(values)].astype(float), shape, format)


@pytest.mark.every(2)
@pytest.mark.parametrize("path", GOLDEN, ids=lambda p: str(p.stem))
def test_golden_kernels(path: Path) -> None:
    text = path.read_text()
    expression, formats, names, schedule = heading(text)
    result, *_ = formats
    accesses = dict(re.findall(r"(\w+)\(([\w,]+)\)", expression))
    rng = np.random.default_rng(0)
    operands = {name: sparse(rng, accesses[name], formats[name]) for name in names}
    wanted = execute(expression, operands, out=formats[result], schedule=schedule).result
    kernel = machine(text, Layout.of(wanted))
    for seed in range(max(1, settings.default.max_examples // 400)):
        same(kernel.evaluate(operands, wanted.shape, Conditions(seed)), wanted)
        structure, _ = kernel.ran("assemble", operands, wanted.shape, Conditions(seed))
        same(kernel.ran("compute", operands, wanted.shape, Conditions(seed), structure)[0], wanted)
        if result in operands:
            same(kernel.ran(IN_PLACE, operands, wanted.shape, Conditions(seed), operands[result])[0], wanted)


def same(found: Tensor, wanted: Tensor) -> None:
    """Two tensors store the same."""
    found.validate()
    assert [(i, v) for i, v in found.entries()] == [(i, v) for i, v in wanted.entries()]


def agrees(problem: Problem, seed: int) -> None:
    """What the kernel of a problem computes, at once or in two steps, is what it means; short of memory, it says so."""
    ready, at_once = problem.ready, seed % 4 > 0
    try:
        interpret(ready.program, ready.operands, index=ready.index)
        source = source_of(ready)
        in_place = source.works_in_place and seed % 4 == 1
        text = generate(
            source, modes=(IN_PLACE,) if in_place else ("evaluate",) if at_once else ("assemble", "compute")
        )
    except GnomonError:
        return
    if text.count("\n") > LONGEST:
        return
    kernel = machine(text, source.layouts[source.program.result])

    def ran(mode: Purpose, under: Conditions, structure: Tensor | None = None) -> tuple[Tensor, State]:
        return kernel.ran(mode, ready.arguments, problem.shape, under, structure)

    structure = None if at_once else ran("assemble", Conditions(seed))[0]
    if in_place:
        structure = ready.arguments[source.program.result]
    if structure is not None:
        structure.validate()
    last: Purpose = IN_PLACE if in_place else "evaluate" if at_once else "compute"
    result, state = ran(last, Conditions(seed), structure)
    means(problem, result)
    if state.allocations:
        scarce = Conditions(seed, memory=random.Random(seed).randrange(state.allocations))
        with pytest.raises(StorageError, match="not enough memory"):
            ran(last, scarce, structure)


def means(problem: Problem, result: Tensor) -> None:
    """A result is what its problem means, in values and structure."""
    ready = problem.ready
    execution = Execution(ready.text, ready.resolved, ready.operands, ready.program, result, None)  # type: ignore[arg-type]
    stored = components(result, execution, "c")
    for i in problem.denotation.points():
        compare(problem.denotation.point(i), execution, result.format, stored, i, "c")


@settings(max_examples=settings.default.max_examples // 3)
@given(programs(), st.integers(0, 10**6))
def test_random_programs(problem: Problem, seed: int) -> None:
    agrees(problem, seed)


@st.composite
def on_threads(draw: st.DrawFn) -> Problem:
    """A problem, often with a dense result, and a schedule that ends with a loop on threads."""
    problem = draw(programs(LOOPS))
    if draw(st.booleans()):
        problem = dataclasses.replace(problem, out=dense(problem.out.order))
    made = draw(schedules(problem.ready.program, kinds=TILES))
    kept, _ = run_in_parallel(draw, list(made.schedule.commands), made.program, ("CPUThread",))
    return dataclasses.replace(problem, schedule=Schedule(tuple(kept)))


@settings(max_examples=settings.default.max_examples // 6)
@given(on_threads(), st.integers(0, 10**6))
def test_random_programs_on_threads(problem: Problem, seed: int) -> None:
    agrees(problem, seed)


def generated(expression: str, stored: dict[str, str], schedule: str) -> Machine:
    """The machine of the kernel of an expression by a schedule."""
    request = make_request(expression, stored, schedule=schedule)
    resolved = request.resolve_without_shapes()
    return machine(generate(request_source(request, resolved)), request.result(resolved))


@pytest.mark.parametrize("format", ["COO", "compressed(nonunique),singleton(nonunique)"])
@pytest.mark.parametrize("schedule", ["parallelize(i,CPUThread,{})", "split(i,u,v,4),parallelize(v,CPUThread,{})"])
@pytest.mark.parametrize("target", ["y(i)", "C(i,j)"])
def test_duplicates_on_threads(format: str, schedule: str, target: str) -> None:
    """Loops over lists of coordinates race on components that several positions have, and say so."""
    operands = {"A": sparse(np.random.default_rng(1), "i,j", format), "x": gn.tensor([0, 1], [2.0, 3.0], (2,), "Dense")}
    expression = f"{target} = A(i,j) * x(k)"
    if format != "COO" or target == "y(i)":
        with pytest.raises(ScheduleError, match="several of its iterations write one component"):
            gn.evaluate(expression, **operands, schedule=schedule.format("NoRaces"))
        schedule = schedule.format("Atomics")
    kernel = generated(expression, {"A": format, "x": "Dense"}, schedule.format("NoRaces"))
    wanted = gn.evaluate(expression, **operands)
    for seed in range(4):
        same(kernel.evaluate(operands, wanted.shape, Conditions(seed)), wanted)


@pytest.mark.parametrize("strategy", ["Atomics", "Temporary", "ParallelReduction"])
@pytest.mark.parametrize("expression", ["R(i) = any(k, B(k,i))", "R = any(k, sum(i, B(k,i)))", "R any= B(k,i)"])
def test_threads_without_contributions_select_nothing(expression: str, strategy: str) -> None:
    """What `any` gives is one of the contributions, whichever thread comes last."""
    stored = gn.tensor([[0, 1, 1, 3], [1, 1, 2, 0]], [1.0, 2.0, 3.0, 4.0], (5, 3), "CSR")
    kernel = generated(expression, {"B": "CSR"}, f"parallelize(k,CPUThread,{strategy})")
    right = gn.evaluate(expression, B=stored)
    problem = Problem(expression, {"B": stored}, right.format)
    for seed in range(8):
        means(problem, kernel.evaluate({"B": stored}, right.shape, Conditions(seed)))


@pytest.mark.parametrize("strategy", ["Temporary", "ParallelReduction", "Atomics"])
def test_sums_on_threads_have_every_part(strategy: str) -> None:
    x = gn.tensor([range(9)], np.arange(1.0, 10.0), (9,), "Dense")
    kernel = generated("a = x(i)", {"x": "Dense"}, f"parallelize(i,CPUThread,{strategy})")
    for seed in range(4):
        found = kernel.evaluate({"x": x}, (), Conditions(seed))
        assert found.vals.tolist() == [45.0]


def test_steps_are_limited() -> None:
    matrix = gn.tensor([[0, 1], [0, 1]], [1.0, 2.0], (2, 2), "CSR")
    operands = {"A": matrix, "x": gn.tensor([[0]], [1.0], (2,), "dense")}
    kernel = machine(GOLDEN_TEXT["spmv_csr"], Layout.uniform(dense(1), np.dtype("float64"), 0.0))
    assert kernel.evaluate(operands, (2,)).to_numpy().tolist() == [1.0, 0.0]
    with pytest.raises(TooLong):
        kernel.evaluate(operands, (2,), Conditions(limit=3))


GOLDEN_TEXT = {path.stem: path.read_text() for path in GOLDEN}


def test_positions_that_do_not_fit_are_reported() -> None:
    eye = gn.tensor([[0, 1, 2], [0, 1, 2]], [1.0, 2.0, 3.0], (3, 3), "CSR")
    layout = Layout.uniform(format_of("CSR"), np.dtype("float64"), 0.0)
    operands = {"A": eye, "B": eye}
    assert machine(GOLDEN_TEXT["add_csr"], layout).evaluate(operands, (3, 3)).vals.tolist() == [2.0, 4.0, 6.0]
    with pytest.raises(StorageError, match="32-bit positions"):
        machine(GOLDEN_TEXT["add_csr"], layout, defines={"GN_INDEX_MAX": "2"}).evaluate(operands, (3, 3))


def test_operands_that_lie_are_seen() -> None:
    wrong = gn.tensor([[0, 1], [0, 1]], [1.0, 2.0], (2, 2), "CSR")
    operands = {"A": wrong, "x": gn.tensor([[0]], [1.0], (1,), "dense")}
    kernel = machine(GOLDEN_TEXT["spmv_csr"], Layout.uniform(dense(1), np.dtype("float64"), 0.0))
    with pytest.raises(OutOfBounds, match=r"x_vals"):
        kernel.evaluate(operands, (2,))


def test_what_the_machine_does_not_know_is_refused() -> None:
    text = GOLDEN_TEXT["spmv_csr"].replace("double ty = 0.0;", "double ty = hypot(0.0, 0.0);")
    operands = {"A": gn.tensor([[0], [0]], [1.0], (1, 1), "CSR"), "x": gn.tensor([[0]], [1.0], (1,), "dense")}
    with pytest.raises(Unsupported, match="hypot"):
        machine(text, Layout.uniform(dense(1), np.dtype("float64"), 0.0)).evaluate(operands, (1,))


SHARED = [
    ("CSR", "Dense", "split(i,i0,i1,2),parallelize(i0,CPUThread,NoRaces)"),
    ("CSR", "SparseVector", "split(i,i0,i1,2),parallelize(i0,CPUThread,NoRaces)"),
    ("CSR", "Dense", "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2),parallelize(p0,CPUThread,Atomics)"),
    ("CSC", "Dense", "split(j,j0,j1,2),parallelize(j0,CPUThread,Atomics)"),
    ("CSC", "Dense", "parallelize(j,CPUThread,Temporary)"),
]


@pytest.mark.parametrize(("format", "out", "schedule"), SHARED)
def test_integers_that_overflow_are_reported_from_every_thread(format: str, out: str, schedule: str) -> None:
    source = "y(i) = A(i,j) * x(j)"
    stored = {"A": gn.spec(format, dtype="int64"), "x": gn.spec("Dense", dtype="int64")}
    request = make_request(source, stored, out=out, schedule=schedule)
    resolved = request.resolve_without_shapes()
    kernel = machine(generate(request_source(request, resolved)), request.result(resolved))
    x = gn.tensor([np.arange(3)], np.array([1, 2**40, 3]), (3,), "Dense")
    for largest in (2**22, 2**23):
        held = np.array([1, 2, 3, 4, largest, 5])
        operands = {"A": gn.tensor([[0, 0, 1, 2, 2, 3], [0, 2, 0, 0, 1, 1]], held, (4, 3), format), "x": x}
        for seed in range(3):
            if largest == 2**22:
                wanted = execute(source, operands, out=out).result
                same(kernel.evaluate(operands, (4,), Conditions(seed)), wanted)
            else:
                with pytest.raises(MeaningError, match="integer overflow"):
                    kernel.evaluate(operands, (4,), Conditions(seed))
