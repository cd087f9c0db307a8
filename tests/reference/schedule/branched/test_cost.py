"""Costs: those of the schedules that SparseAuto's Table 2 leaves, with sizes put in, and as the interpreter counts."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest
from gnomon.generator.ir import ir
from gnomon.generator.ir.writer import Writer
from gnomon.generator.kernel_source import print_functions, stages
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.generator.scope.env import Env
from gnomon.generator.statements.storing import Storing
from gnomon.properties.differential.batch import KernelText, build_library, run, separate_helpers, source_of
from gnomon.properties.programs.problem import Problem
from gnomon.properties.sparseauto.kernels import KERNELS
from gnomon.reference.execution.interpreter import interpret
from gnomon.reference.execution.trace import Trace
from gnomon.reference.schedule.branched.contraction import Contraction, Operand
from gnomon.reference.schedule.branched.cost import (
    Leaf,
    Sizes,
    cost_of,
    memory,
    print_memory,
    print_time,
    runs,
    time,
)
from gnomon.reference.schedule.branched.graph import Branch, Graph, Linear, leaves, structure
from gnomon.reference.schedule.branched.poset import shallowest
from gnomon.reference.schedule.branched.realisation import realise
from gnomon.reference.schedule.branched.space import Found
from gnomon.reference.schedule.schedule import Schedule
from gnomon.reference.statement.statement import Assign, assignments
from gnomon.reference.storage.enumeration import node_counts
from msgspec.structs import replace

from .kernels import problem_of, schedules_of


def by_structure(row: int) -> dict[str, Found]:
    """The schedules of a kernel by their structure."""
    return {structure(each.graph): each for each in schedules_of(row)}


@pytest.mark.parametrize(
    ("row", "graph", "printed", "elements"),
    [
        (1, "i,j,(k | l)", "nnz(B)·K + nnz(B)·L", "1"),
        (3, "j,i,(k | l)", "nnz(B)·J + I·J·L", "1"),
        (4, "i,k,(j | l)", "nnz(B)·K + I·K·L", "1"),
        (6, "i,j,m,(k | l)", "nnz(B)·M + nnz(B(i,j))·L·M", "1"),
        (7, "i,j,l,(k | m)", "nnz(B)·L + nnz(B(i,j))·L·M", "1"),
        (8, "i,j,(k,l | m)", "nnz(B)·J + I·J·M", "1"),
        (4, "i,j,k,l", "nnz(B)·K·L", "0"),
    ],
)
def test_the_costs_of_table_2(row: int, graph: str, printed: str, elements: str) -> None:
    contraction = KERNELS[row].contraction
    cost = cost_of(by_structure(row)[graph])
    assert print_time(contraction, cost) == printed
    assert print_memory(cost, contraction.loops) == elements


def test_worked_examples() -> None:
    contraction = KERNELS[1].contraction
    sizes = Sizes({"i": 11000, "j": 11000, "k": 16, "l": 16}, {0: (11000, 11000 * 39)})
    found = by_structure(1)
    linear, best = cost_of(found["i,j,k,l"]), cost_of(found["i,j,(k | l)"])
    assert time(contraction, linear, sizes) == 109_824_000 and memory(linear, sizes) == 0
    assert time(contraction, best, sizes) == 13_728_000 and memory(best, sizes) == 1
    contraction = KERNELS[6].contraction
    extents = {"i": 12000, "j": 9000, "k": 288000, "l": 16, "m": 16}
    sizes = Sizes(extents, {0: (12000, 960_000, 76_800_000)})
    assert time(contraction, cost_of(by_structure(6)["i,j,m,(k | l)"]), sizes) == 1_474_560_000


def test_of_two_operands_that_store_a_loop_the_one_that_stores_less_counts() -> None:
    contraction = KERNELS[1].contraction
    both = Leaf(frozenset("ij"), frozenset({(0, "j"), (1, "j")}))
    C = contraction.operands[0]
    two = Contraction((C, C), contraction.result, contraction.loops)
    sizes = Sizes({"i": 10, "j": 10}, {0: (10, 40), 1: (10, 30)})
    assert runs(two, both, sizes) == 30
    assert runs(two, Leaf(frozenset("ij"), frozenset()), sizes) == 100


def test_the_longest_prefix_that_is_visited_counts() -> None:
    levels = tuple("kji")
    operand = Operand("B(k,j,i)", frozenset(levels), levels=levels, stored=frozenset(levels))
    contraction = Contraction((operand, operand), KERNELS[1].contraction.result, levels)
    leaf = Leaf(frozenset(levels), frozenset((0, v) for v in levels))
    assert runs(contraction, leaf, Sizes(dict.fromkeys(levels, 10), {0: (5, 7, 9)})) == 9


def test_what_is_stored_counts_where_all_loops_above_it_are_left() -> None:
    first = Operand("B(i,j)", frozenset("ij"), levels=("i", "j"), stored=frozenset("j"))
    second = Operand("C(j,k)", frozenset("jk"), levels=("j", "k"), stored=frozenset("k"))
    contraction = Contraction((first, second), KERNELS[1].contraction.result, tuple("ijk"))
    leaf = Leaf(frozenset("ijk"), frozenset({(0, "j"), (1, "k")}))
    assert runs(contraction, leaf, Sizes(dict.fromkeys("ijk", 10), {0: (4, 4), 1: (5, 5)})) == 4 * 10


def sizes_of(problem: Problem, contraction: Contraction) -> Sizes:
    """The extents of a problem, and what its operand B stores."""
    B = problem.operands["B"]
    stored = node_counts(B.format, [B.storage(k) for k in range(len(B.format.levels))])
    return Sizes(problem.extents, {0: stored})


def counted(problem: Problem, found: Found, contraction: Contraction) -> list[int]:
    """How often each assignment ran, in the order of the leaves of the graph."""
    program = Schedule(realise(problem.ready.lowered, contraction, found).commands)
    ready = Problem(problem.text, problem.operands, problem.out, None, program).ready
    trace = Trace()
    interpret(ready.program, ready.operands, trace=trace)
    return [trace.stores[leaf.target.tensor] for leaf in assignments(ready.program.statement)]


def inside_consumer(graph: Graph) -> list[bool]:
    """Whether each leaf stands in a consumer, whose loops pass over what a temporary does not hold."""
    match graph:
        case Linear():
            return [False]
        case Branch(producer=producer, consumer=consumer):
            return [*inside_consumer(producer), *(True for _ in leaves(consumer))]


@pytest.mark.parametrize("row", [1, 3, 4, 6, 7])
def test_the_interpreter_counts_what_is_predicted(row: int) -> None:
    problem, full = problem_of(row, 1), problem_of(row, 2, density=1.0)
    contraction = KERNELS[row].contraction
    every = schedules_of(row)
    for found in every[:: max(1, len(every) // 4)]:
        predicted = [Leaf(*each) for each in leaves(found.graph)]
        for each, filled in ((problem, False), (full, True)):
            most = [runs(contraction, leaf, sizes_of(each, contraction)) for leaf in predicted]
            for ran, limit, open_ in zip(
                counted(each, found, contraction), most, inside_consumer(found.graph), strict=True
            ):
                assert ran <= limit and (ran == limit or (open_ and not filled)), structure(found.graph)


COUNTERS = "contributions"


@pytest.fixture
def numbers(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """The numbers of counters by the targets whose assignments count in them, each time before they store."""
    found = dict[str, int]()
    store = Storing.store

    def count(self: Storing, s: Assign, env: Env, out: Writer) -> None:
        counter = ir.Element(ir.Name(COUNTERS), ir.Int(found[s.target.tensor]))
        out.add(ir.Assign(counter, ir.Int(1), "+="))
        store(self, s, env, out)

    monkeypatch.setattr(Storing, "store", count)
    return found


@pytest.mark.parametrize("row", [1, 3, 4, 6, 7])
def test_generated_code_counts_what_is_predicted(row: int, numbers: dict[str, int], tmp_path: Path) -> None:
    contraction, full = KERNELS[row].contraction, problem_of(row, 2, density=1.0)
    every = schedules_of(row)
    cases, predicted = list[KernelText](), list[float]()
    for found in every[:: max(1, len(every) // 4)]:
        commands = Schedule(realise(full.ready.lowered, contraction, found).commands)
        ready = Problem(full.text, full.operands, full.out, None, commands).ready
        targets = [leaf.target.tensor for leaf in assignments(ready.program.statement)]
        numbers |= {name: n for n, name in enumerate(targets, len(predicted))}
        source, name = source_of(ready), f"k{len(cases)}_"
        *_, last = stages(source, name, ("evaluate",))
        cases.append(KernelText(ready, source, separate_helpers(print_functions(source, last), name), name))
        predicted += [runs(contraction, Leaf(*each), sizes_of(full, contraction)) for each in leaves(found.graph)]
    counters = f"long {COUNTERS}[{len(predicted)}];\n"
    library = build_library([replace(cases[0], text=counters + cases[0].text), *cases[1:]], tmp_path, chosen_compiler())
    for case in cases:
        run(case, library)
    (path,) = tmp_path.glob("*.so")
    assert list((ctypes.c_long * len(predicted)).in_dll(ctypes.CDLL(str(path)), COUNTERS)) == predicted


def test_what_is_left_by_depth_has_the_published_groups() -> None:
    for row, groups in ((1, 1), (3, 1), (4, 1), (6, 1), (7, 1), (8, 2)):
        left = shallowest(schedules_of(row))
        assert len({cost_of(each) for each in left}) == groups
