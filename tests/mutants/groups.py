"""Mutants of groups of threads on devices: warps of fewer lanes, votes, iterations that groups fill, scans in parts."""

from __future__ import annotations

from mutant import Mutant
from suites import BY_LANES, DEVICE_COUNTS, DEVICE_TEXTS, UNIFORMITY

COLLECTIVE, COUNTING, SIZES, SCAN = (
    f"generator/cuda/{name}.py" for name in ("collective", "counting", "sizes", "scan")
)
SPREAD, TEAM, LANES = (
    "generator/cuda/spread.py",
    "generator/scope/team.py",
    "reference/schedule/autoschedule/by_lanes.py",
)
FOLDS = ("tests/properties/proofs/devices/test_collectives.py",)
PROVED = ("tests/properties/proofs/devices/test_fills.py", "tests/properties/proofs/devices/test_races.py")

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "groups.1",
        SPREAD,
        "found.append(Folded(cell.value,",
        "found.append(FoldedFlag(cell.value,",
        "lanes vote on values",
        DEVICE_TEXTS,
    ),
    Mutant(
        "groups.2",
        COLLECTIVE,
        'away = ir.Binary(">>", Int(lanes // 2), step)',
        'away = ir.Binary(">>", Int(LANES // 2), step)',
        "lanes of a small warp take what others have",
        FOLDS,
    ),
    Mutant(
        "groups.3",
        COLLECTIVE,
        "return ir.ZERO if lanes == LANES else ir.sub(THREAD, ir.mod(THREAD, Int(lanes)))",
        "return ir.ZERO",
        "all small warps take what the first one has",
        FOLDS,
    ),
    Mutant(
        "groups.4",
        COLLECTIVE,
        "    if group.size > lanes:\n",
        "    if group.size > LANES:\n",
        "the warps of a block of one of the device's are not folded",
        FOLDS,
    ),
    Mutant(
        "groups.5",
        SIZES,
        "return min(LANES, max(2, 1 << (max(known) - 1).bit_length())) if known else LANES",
        "return min(LANES, max(2, max(known))) if known else LANES",
        "warps have as many lanes as there are iterations",
        DEVICE_TEXTS + DEVICE_COUNTS,
    ),
    Mutant(
        "groups.6",
        TEAM,
        'return self.lanes if self.scope == "warp" else self.threads',
        'return LANES if self.scope == "warp" else self.threads',
        "lanes of small warps leave out iterations",
        DEVICE_COUNTS,
    ),
    Mutant(
        "groups.8",
        COUNTING,
        "return slices_for(self.group, self.threads).number",
        "return slices_for(None, self.threads).number",
        "lanes of a warp fill different iterations",
        DEVICE_COUNTS,
    ),
    Mutant(
        "groups.10",
        COUNTING,
        "return replace(env, teams=replace(env.teams, alone=group is None))",
        "return env",
        "threads that count alone share out loops",
        DEVICE_COUNTS,
    ),
    Mutant(
        "groups.11",
        "generator/assembly/appending.py",
        "logic.conditional(logic.both(env.teams.stores, filled), inner.code)",
        "logic.conditional(filled, inner.code)",
        "every thread of a group closes a row",
        DEVICE_COUNTS,
    ),
    Mutant(
        "groups.12",
        COUNTING,
        "        if shared and form.last_append + 1 < len(form.levels):",
        "        if False:",
        "threads of a group open one block each",
        DEVICE_COUNTS,
    ),
    Mutant(
        "groups.13",
        COUNTING,
        "return any(inside.intersection(space.loops(v) or (v,)) for a in leaves for v in a.target.indices)",
        "return False",
        "threads of a group append side by side",
        DEVICE_COUNTS,
    ),
    Mutant(
        "groups.14",
        "generator/assembly/output.py",
        '        raise Unsupported(\n            f"GPUBlock cannot fill {self.name}, whose fibers',
        "        return super().stored_coordinate(k, p, path, out)\n"
        '        raise Unsupported(\n            f"GPUBlock cannot fill {self.name}, whose fibers',
        "threads look back at what others append",
        DEVICE_COUNTS,
    ),
    Mutant(
        "groups.15",
        SCAN,
        'later = If(logic.compare("<", ir.ZERO, BLOCK), (Assign(place, before, "+="),))',
        'later = If(logic.compare("<", ir.ZERO, BLOCK), ())',
        "blocks of a scan do not add what those before them have reached",
        DEVICE_COUNTS,
    ),
    Mutant(
        "groups.16",
        SCAN,
        'last = Element(first, ir.add(N, ir.ONE)), logic.compare("==", THREAD, Int(USUAL - 1))',
        'last = Element(first, ir.add(N, ir.ONE)), logic.compare("==", THREAD, ir.ZERO)',
        "blocks of a scan tell what their first thread has",
        DEVICE_COUNTS,
    ),
    Mutant(
        "groups.17",
        "generator/statements/accumulation.py",
        "        if direct:\n            self.refuse_idle_visits()\n",
        "",
        "tiles of a diagonal store what others bring",
        DEVICE_TEXTS,
    ),
    Mutant(
        "groups.18",
        "reference/loops/iteration_space.py",
        "step = window.step if own.whole else 1",
        "step = window.step",
        "the coordinate that another variable gives belongs to every part of a split",
        ("tests/generator/loops/test_loops.py",),
    ),
    Mutant(
        "groups.19",
        "properties/proofs/devices/two_threads.py",
        'case ir.Shuffle(way="from", lane=lane, lanes=lanes) if lanes >= self.lanes and self.agree(lane):',
        'case ir.Shuffle(way="from", lane=lane, lanes=lanes) if lanes >= self.lanes:',
        "what comes from lanes that differ is taken to be the same",
        UNIFORMITY,
    ),
    Mutant(
        "groups.20",
        "properties/proofs/devices/two_threads.py",
        "case ir.Vote(lanes=lanes) if lanes >= self.lanes:",
        "case ir.Vote(lanes=lanes):",
        "votes of small warps are taken to be those of large ones",
        UNIFORMITY,
    ),
    Mutant(
        "groups.21",
        "properties/proofs/devices/one_thread.py",
        '            loop = c_ast.For(first, there, c_ast.UnaryOp("p++", c_ast.ID(name)), body)\n'
        "            return (loop, *by_one_thread(tuple(after)))",
        "            return by_one_thread(tuple(after))",
        "what lanes do is left out of what a warp fills",
        PROVED,
    ),
    Mutant(
        "groups.22",
        "properties/proofs/devices/touches.py",
        "yield size, self.block * size + (self.thread if lanes == 1 else self.thread / lanes)",
        "yield size, self.block * size + self.thread",
        "warps are taken to run iterations each of its threads alone",
        PROVED,
    ),
    Mutant(
        "groups.23",
        LANES,
        "lanes = FEW if stored else LANES",
        "lanes = LANES",
        "short sums keep 32 lanes",
        BY_LANES,
    ),
    Mutant(
        "groups.24",
        LANES,
        "if row in rest and with_row and all(ends_in(program, a, row) for a in with_row):",
        "if row in rest and with_row:",
        "lanes share out rows that are not side by side",
        BY_LANES,
    ),
    Mutant(
        "groups.26",
        "generator/cuda/atomics.py",
        '(operator, dtype) == ("add", "float64")',
        'operator == "add" and dtype.startswith("float")',
        "subnormal numbers of 32 bits are lost",
        DEVICE_TEXTS,
    ),
)
