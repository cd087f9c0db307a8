"""Mutants of threads: how kernels divide work, count it in parts, and who owns what."""

from __future__ import annotations

from mutant import Mutant

PARTS = "generator/threads/parts.py"
DIVISION = "generator/threads/division.py"
REGION = "generator/threads/region.py"
LANES = "generator/threads/lanes.py"

SHARED = ("tests/generator/threads/test_lanes.py",)
COUNTED = ("tests/generator/test_kernel_source.py::test_golden", "tests/generator/threads/test_parts.py")

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "generator.33",
        PARTS,
        "Element(first, ir.add(number, ir.ONE)), ir.sub",
        "Element(first, number), ir.sub",
        "what an iteration appends is noted one place too early",
        COUNTED,
    ),
    Mutant(
        "generator.34",
        PARTS,
        "first: ir.add(self.count, ir.ONE) for",
        "first: self.count for",
        "the counts of iterations lack a place for the total",
        COUNTED,
    ),
    Mutant(
        "generator.35",
        PARTS,
        'self.around.add(ir.Assign(self.output.held.counters[h], Element(first, self.count), "+="))',
        "self.around.add(ir.Assign(self.output.held.counters[h], Element(first, self.count)))",
        "what a result held before a parallel loop is not counted after it",
        COUNTED,
    ),
    Mutant(
        "taken.9",
        PARTS,
        "        region.emitter.outputs.parted.add(output.name)\n",
        "",
        "room for parts is not what was touched before",
        COUNTED,
    ),
    Mutant(
        "taken.1",
        PARTS,
        "logic.both(is_first, is_there, is_all, self.ordered)",
        "logic.both(is_there, is_all, self.ordered)",
        "what a thread has appended takes the place of what was there before",
        COUNTED,
    ),
    Mutant(
        "taken.2",
        PARTS,
        "logic.both(is_first, is_there, is_all, self.ordered)",
        "logic.both(is_first, is_there, self.ordered)",
        "what one of several threads has appended is taken for all",
        COUNTED,
    ),
    Mutant(
        "taken.3",
        PARTS,
        "logic.both(is_first, is_there, is_all, self.ordered)",
        "logic.both(is_first, is_all, self.ordered)",
        "threads that have appended nothing change places with one another",
        COUNTED,
    ),
    Mutant(
        "taken.4",
        PARTS,
        "        taken.add(ir.Assign(whole.capacities[head], own.capacities[head]))\n",
        "",
        "arrays that are taken are held to have room for as much as the others",
        COUNTED,
    ),
    Mutant(
        "taken.8",
        PARTS,
        "logic.both(is_first, is_there, is_all, self.ordered)",
        "logic.both(is_first, is_there, is_all)",
        "what a thread has appended in another order is taken as it is",
        COUNTED,
    ),
    Mutant(
        "phases.1",
        PARTS,
        "self.end, (*body, told))",
        "self.end, body)",
        "parts are moved though an iteration has failed",
        COUNTED,
    ),
    Mutant(
        "threads.1",
        PARTS,
        "ir.Assign(Element(self.before, number), self.last),",
        "ir.Assign(Element(self.before, number), ir.Int(-1)),",
        "a thread moves nothing but the part of its last iteration",
        COUNTED,
    ),
    Mutant(
        "threads.2",
        PARTS,
        "return index != self.shared",
        "return True",
        "a thread makes room for all iterations outside of the loop",
        COUNTED,
    ),
    Mutant(
        "threads.3",
        PARTS,
        "skip = none[array][1]",
        "skip = ir.ZERO",
        "what stands before the positions of an array is taken for one of them",
        COUNTED,
    ),
    Mutant(
        "threads.4",
        PARTS,
        "ir.sub(counters[h], begun[h]))",
        "counters[h])",
        "an iteration notes what its thread has appended before, too",
        COUNTED,
    ),
    Mutant(
        "taken.6",
        "generator/threads/work.py",
        "if target.indices and not any(",
        "if False and not any(",
        "a team is woken that has no room for its workspaces",
        ("tests/generator/threads/test_work.py",),
    ),
    Mutant(
        "generator.49",
        DIVISION,
        "if space.overlaps(index) and any(",
        "if False and any(",
        "a thread goes on with a fiber that another one has begun",
        COUNTED,
    ),
    Mutant(
        "generator.47",
        DIVISION,
        "return output if Course(frame, region.loop, env).counts else None",
        "return output",
        "a loop is to be shared out that has become none",
        COUNTED,
    ),
    Mutant(
        "generator.50",
        DIVISION,
        "or finds(output) or shares(env, output):",
        "or finds(output):",
        "iterations on threads append parts of a result of which they share a block",
        ("tests/generator/threads/test_parts.py",),
    ),
    Mutant(
        "generator.43",
        REGION,
        "merged.add(*combine_partial(common.value, own.value, leaf, self.frame))",
        "merged.add(ir.Assign(common.value, own.value))",
        "the last thread's accumulator is the result",
        ("tests/properties/machine/test_run.py::test_sums_on_threads_have_every_part",),
    ),
    Mutant(
        "generator.44",
        "generator/threads/ownership.py",
        'frozenset(racing if team.tag.races == "Atomics" else ()),',
        "frozenset(),",
        "updates that race are made without being atomic",
        COUNTED,
    ),
    Mutant(
        "lanes.1",
        LANES,
        'return replace(whole, template=CHECKED.sub("gn_lane_", whole.template))',
        "return whole",
        "lanes report with branches",
        SHARED,
    ),
    Mutant(
        "lanes.2",
        LANES,
        "if reports and team.racing:",
        "if reports and len(team.racing) > 1:",
        "lanes reduce integers that are checked",
        SHARED,
    ),
)
