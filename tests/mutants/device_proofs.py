"""Mutants of what proves that kernels for GPUs stay inside their arrays, and that their threads do not race."""

from __future__ import annotations

from mutant import Mutant
from suites import FILLED, RACING

RACES, TOUCHES = "properties/proofs/devices/races.py", "properties/proofs/devices/touches.py"
LAUNCHES = "properties/proofs/c/c_launches.py"
MEMORY, EXPRESSIONS = "properties/proofs/c/c_device_memory.py", "properties/proofs/c/c_expressions.py"
INSIDE = ("tests/properties/proofs/devices/test_accesses.py",)

INTERVALS, BETWEEN = "properties/proofs/devices/intervals.py", ("tests/properties/proofs/devices/test_intervals.py",)
FILLS = "properties/proofs/devices/fills.py"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "device_proofs.1",
        RACES,
        "yield [first.block == second.block, first.thread != second.thread, *(x == y for x, y in same)]",
        "yield [first.block != second.block]",
        "threads of one block are not asked whether they race",
        RACING,
    ),
    Mutant(
        "device_proofs.2",
        TOUCHES,
        "return between % shared == 0",
        "return z3.BoolVal(True)",
        "threads that share out a loop by steps are taken to meet",
        RACING,
    ),
    Mutant(
        "device_proofs.3",
        RACES,
        "if level.unique and level.ordered:",
        "if True:",
        "coordinates are taken to be unique",
        RACING,
    ),
    Mutant(
        "device_proofs.4",
        TOUCHES,
        "self.here, self.held = (*before, z3.Not(condition)), held",
        "self.here, self.held = (*before, condition), held",
        "the other side of a branch is taken where its condition holds",
        RACING,
    ),
    Mutant(
        "device_proofs.5",
        TOUCHES,
        'kind: Kind = "atomic" if function.endswith("_meanwhile") else "read"',
        'kind: Kind = "read"',
        "who looks into a table meanwhile is taken to race",
        RACING,
    ),
    Mutant(
        "device_proofs.6",
        LAUNCHES,
        "thread >= 0, thread < threads",
        "thread >= 0, thread < 1",
        "the first thread of each block is taken for all",
        INSIDE,
    ),
    Mutant(
        "device_proofs.7",
        LAUNCHES,
        "Shared() if kind in WHOLE else Opaque()",
        "value.contents if kind in WHOLE else Opaque()",
        "what others store is taken to stay as it was",
        INSIDE,
    ),
    Mutant(
        "device_proofs.8",
        MEMORY,
        '    **dict.fromkeys(("gn_device_lend", "gn_device_clear"), may_reach),\n',
        "",
        "more is lent than there is",
        INSIDE,
    ),
    Mutant(
        "device_proofs.9",
        MEMORY,
        "    return are_there(know, args, state, args[4], args[0], args[1])",
        "    return are_there(know, args, state, args[4], args[1])",
        "more is copied back than there is room for",
        INSIDE,
    ),
    Mutant(
        "device_proofs.10",
        EXPRESSIONS,
        "check_access(run, each.node, each.array, each.index, state)",
        "pass",
        "atomic operations are not asked where they are",
        INSIDE,
    ),
    Mutant(
        "device_proofs.11",
        FILLS,
        "        goals += [each.place(c) == counting.place(c) for each in filling for c in each.begins]\n",
        "",
        "iterations fill where others have counted",
        FILLED,
    ),
    Mutant(
        "device_proofs.12",
        FILLS,
        "goals = [each.growth(c, turns) == growths[c] for each in filling for c in each.begins]",
        "goals = []",
        "iterations fill something else than they have counted",
        FILLED,
    ),
    Mutant(
        "device_proofs.13",
        TOUCHES,
        "if more is not None:",
        "more = more or ir.ONE\n            if True:",
        "what is stored is taken to be counted",
        RACING,
    ),
    Mutant(
        "device_proofs.14",
        "properties/proofs/c/c_statements.py",
        "run.know.say(after.variables[run.key(begun.name)] <= end, after.here)",
        "run.know.say(after.variables[run.key(begun.name)] < end, after.here)",
        "iterations are taken to fill less than they have counted",
        INSIDE,
    ),
    Mutant(
        "device_proofs.15",
        INTERVALS,
        'return any(isinstance(s, ir.Barrier) and s.scope == "block" for s in code)',
        "return any(isinstance(s, ir.Barrier) for s in code)",
        "lanes that wait for one another are taken for the block",
        BETWEEN,
    ),
    Mutant(
        "device_proofs.16",
        INTERVALS,
        "return a.ends(depth) or b.begins(depth)",
        "return a.ends(depth) or b.begins(depth) or a.begins(depth)",
        "a barrier at the begin of a body is taken to stand before the next iteration's end",
        BETWEEN,
    ),
    Mutant(
        "device_proofs.17",
        INTERVALS,
        "if len(kept) == len(shared) and is_ordered(a, b, depth):",
        "if is_ordered(a, b, depth):",
        "iterations are taken to wait for one another",
        BETWEEN,
    ),
    Mutant(
        "device_proofs.18",
        INTERVALS,
        "    if a.is_asked or b.is_asked:\n        return ()\n",
        "",
        "what a loop asks before each iteration is taken to come before the first",
        BETWEEN,
    ),
    Mutant(
        "device_proofs.19",
        INTERVALS,
        "first.ends(depth + 1) or waits(code[begin + 1 : end]) or second.begins(depth + 1)",
        "waits(code[begin : end + 1])",
        "barriers inside of branches and loops are overlooked",
        BETWEEN,
    ),
)
