"""Mutants of the GPU of the checked machine: what it would not see, or blame wrongly; and of kernels for GPUs."""

from __future__ import annotations

from mutant import Mutant

MACHINE = "properties/machine/"
GRID, VISITS, DEVICE, RUNTIME = (f"{MACHINE}{name}.py" for name in ("grid", "visits", "device", "runtime"))
TESTS = ("tests/properties/machine/test_grid.py",)
KERNELS = ("tests/generator/cuda/test_text.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "gpus.1",
        GRID,
        "if group.gone is not None:",
        "if False:",
        "threads that have left are not missed at a barrier that comes later",
        TESTS,
    ),
    Mutant(
        "gpus.2",
        GRID,
        "if there.line != where.line:",
        "if False:",
        "threads meet at different barriers",
        TESTS,
    ),
    Mutant(
        "gpus.3",
        GRID,
        "thread.epoch += 1",
        "thread.epoch += 0",
        "barriers order no memory",
        TESTS,
    ),
    Mutant(
        "gpus.4",
        GRID,
        'if last.kind == "sync":\n            warp.order(list(held))',
        "warp.order(list(held))",
        "shuffles order memory",
        TESTS,
    ),
    Mutant(
        "gpus.5",
        GRID,
        "if not mask >> self.lane & 1:",
        "if False:",
        "lanes that are not in their own mask wait for the others",
        TESTS,
    ),
    Mutant(
        "gpus.6",
        GRID,
        "if source not in held:",
        "if source not in warp.waiting and source not in held and source < 0:",
        "lanes are given values of lanes that are not in the mask",
        TESTS,
    ),
    Mutant(
        "gpus.7",
        GRID,
        "self.warp.present &= ~(1 << self.lane)",
        "pass",
        "lanes that have left are waited for",
        TESTS,
    ),
    Mutant(
        "gpus.8",
        VISITS,
        "if before.group is not thread.group:\n            return True",
        "if before.group is not thread.group:\n            return False",
        "blocks do not race",
        TESTS,
    ),
    Mutant(
        "gpus.9",
        VISITS,
        "and not (atomic and alone)",
        "and not atomic",
        "an atomic update does not race with a plain access",
        TESTS,
    ),
    Mutant(
        "gpus.10",
        VISITS,
        "thread.clock[before.lane] < self.time",
        "False",
        "lanes of a warp do not race",
        TESTS,
    ),
    Mutant(
        "gpus.11",
        VISITS,
        "elif before.epoch < visit.epoch:\n                self.kept, self.is_full = {thread: visit}, False",
        "elif before.epoch < visit.epoch:\n                pass",
        "what a block did before its barrier hides what it does after",
        TESTS,
    ),
    Mutant(
        "gpus.12",
        DEVICE,
        "writes: bool = True) -> Code:",
        "writes: bool = False) -> Code:",
        "atomic updates count as reads",
        TESTS,
    ),
    Mutant(
        "gpus.13",
        RUNTIME,
        'expect(of, "device" if kind & FROM_DEVICE else "host", where)',
        "pass",
        "copies take memory of the host for memory of the device",
        TESTS,
    ),
    Mutant(
        "gpus.14",
        RUNTIME,
        "place[0].type != type:",
        "False:",
        "arguments have the types of other parameters",
        TESTS,
    ),
    Mutant(
        "gpus.15",
        RUNTIME,
        "0 < threads_x <= min(found.threads, MOST_THREADS)",
        "0 < threads_x <= MOST_THREADS",
        "blocks have more threads than the kernel allows",
        TESTS,
    ),
    Mutant(
        "gpus.16",
        "generator/cuda/unit.py",
        "(flags_alone(held.form.levels) and name not in self.team.racing)",
        "flags_alone(held.form.levels)",
        "blocks set one flag without atomics",
        KERNELS,
    ),
    Mutant(
        "gpus.17",
        "generator/cuda/residence.py",
        '"gn_zeros" | "gn_room"',
        '"gn_zeros"',
        "workspaces that do not begin with zeros are not copied",
        KERNELS,
    ),
    Mutant(
        "gpus.18",
        "reference/schedule/flags.py",
        "isinstance(levels[-1], Accumulator | Hashed)",
        "isinstance(levels[-1], Hashed)",
        "kernels for GPUs keep lists",
        KERNELS,
    ),
)
