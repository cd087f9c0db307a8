"""Mutants of workspaces: which loops share them, and how they are precomputed and cleared."""

from __future__ import annotations

from mutant import Mutant

WORKSPACE = "reference/schedule/workspace.py"
SHARING = "reference/statement/sharing.py"

SHARED = ("tests/reference/statement/test_sharing.py",)
PRECOMPUTED = ("tests/reference/schedule/test_precompute.py",)
RANDOM = (
    "tests/reference/schedule/test_precompute.py",
    "tests/reference/schedule/test_schedule.py::test_random_schedules_keep_values_structure_and_visits",
)
VALUES = (
    "tests/reference/statement/test_lowering.py",
    "tests/reference/statement/test_nest.py",
    "tests/reference/execution/test_interpreter.py",
)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "precondition.47",
        WORKSPACE,
        "if not isinstance(level, Insert):",
        "if False:",
        "a workspace may be appended to",
        PRECOMPUTED,
    ),
    Mutant(
        "precondition.48",
        WORKSPACE,
        "if not format.map.is_permutation:",
        "if False:",
        "a workspace may have a map",
        PRECOMPUTED,
    ),
    Mutant(
        "precondition.50",
        WORKSPACE,
        "if isinstance(program.provenance.derivation_of(variable), Coord):",
        "if False:",
        "a workspace may count by coordinates that only positions give",
        PRECOMPUTED,
    ),
    Mutant(
        "precondition.51",
        WORKSPACE,
        "if count > LARGEST:\n        raise ScheduleError",
        "if count < 0:\n        raise ScheduleError",
        "a workspace may be larger than memory",
        PRECOMPUTED,
    ),
    Mutant(
        "workspace.25",
        WORKSPACE,
        "present = tuple(Bitmap() if level.full else level for level in format.levels[-1:])",
        "present = format.levels[-1:]",
        "a dense workspace has no flags of what is present",
        RANDOM,
    ),
    Mutant(
        "workspace.27",
        WORKSPACE,
        "if graph.is_original(old):\n            extents[new] = extents[old]",
        "if graph.is_original(old):\n            extents[new] = max(extents.values())",
        "the producer of a workspace loops over the largest extent there is",
        PRECOMPUTED,
    ),
    Mutant(
        "workspace.28",
        WORKSPACE,
        "provenance=graph.follow(reads(program.statement)),",
        "provenance=graph,",
        "positions go on to be counted by accesses that only had other names",
        PRECOMPUTED,
    ),
    Mutant(
        "workspace.29",
        WORKSPACE,
        "if not graph.is_original(v) and v not in loops:\n"
        '                    new[v] = fresh_name(program, f"{v}_{name}")',
        "pass",
        "variables between those of a workspace and the original ones are shared by consumer and producer",
        RANDOM,
    ),
    Mutant(
        "workspace.30",
        WORKSPACE,
        "operator=leaf.operator if kept else None",
        "operator=None",
        "a consumer inside loops of a reduction stores over what earlier iterations gave",
        RANDOM,
    ),
    Mutant(
        "workspace.31",
        WORKSPACE,
        "for loop in (*around, *loops.around, *loops.consuming))",
        "for loop in (*loops.around, *loops.consuming))",
        "loops around the nest are forgotten when it is asked whether the consumer reduces",
        RANDOM,
    ),
    Mutant(
        "workspace.32",
        WORKSPACE,
        "for loop in (*around, *loops.around, *loops.consuming))",
        "for loop in (*around, *loops.around))",
        "the innermost loops are forgotten when it is asked whether the consumer reduces",
        RANDOM,
    ),
    Mutant(
        "workspace.33",
        WORKSPACE,
        "producer = Assign(filled, value, leaf.operator if loops.reduced else None)",
        "producer = Assign(filled, value, None)",
        "a reduction that goes into the producer keeps its last contribution",
        RANDOM,
    ),
    Mutant(
        "workspace.34",
        WORKSPACE,
        "for old, new in names.items():\n        value = rename(value, old, new)",
        "for old, new in list(names.items())[:1]:\n        value = rename(value, old, new)",
        "only the first variable of a workspace gets its new name in the producer",
        RANDOM,
    ),
    Mutant(
        "workspace.35",
        WORKSPACE,
        "whole = Reduce(operator, original, whole, dtype=value.dtype)",
        "whole = value",
        "an untouched component of a precomputed workspace is one missing contribution, not the fold of all",
        RANDOM,
    ),
    Mutant(
        "workspace.50",
        WORKSPACE,
        "depends=program.depends | made.depends,",
        "depends=program.depends,",
        "the extents that a workspace's value of what is missing counts are not noted",
        ("tests/reference/schedule/test_precompute.py",),
    ),
    Mutant(
        "workspace.60",
        SHARING,
        "            bodies = [without_loop(each, variable) for each in statements]",
        "            return None\n            bodies = [without_loop(each, variable) for each in statements]",
        "what a merging mask keeps goes through a workspace for all of it",
        ("tests/reference/statement/test_lowering.py",),
    ),
    Mutant(
        "workspace.61",
        SHARING,
        "if body is not None)) if all(bodies) and is_alike else None",
        "if body is not None)) if any(bodies) and is_alike else None",
        "statements in order that have another loop are left out",
        ("tests/reference/statement/test_masking.py",),
    ),
    Mutant(
        "workspace.63",
        SHARING,
        "if all(bodies) and is_alike else None",
        "if all(bodies) else None",
        "what a merging mask reduces stands inside all loops of what it keeps",
        ("tests/reference/statement/test_masking.py",),
    ),
    Mutant(
        "workspace.18",
        SHARING,
        "inner = without_loop(statement, variable) if variable in producer.access.indices else None",
        "inner = without_loop(statement, variable)",
        "a producer shares loops by which its workspace is not indexed: it is computed again for each",
        VALUES,
        equivalent="besides those of its workspace, a producer loops over reduction variables of its own (`distinct`)",
    ),
    Mutant(
        "workspace.20",
        SHARING,
        "placed.append((len(shared), retarget(statement, Access(name, kept)), name))",
        "placed.append((0, retarget(producer.statement, Access(name, kept)), name))",
        "a producer runs outside the loops that its workspace was narrowed by",
        VALUES,
    ),
    Mutant(
        "workspace.21",
        SHARING,
        "for at, produced, name in reversed(placed):",
        "for at, produced, name in placed:",
        "producers at one depth run in the opposite order",
        VALUES,
        equivalent="the producers of one consumer read no workspace of one another, so any order will do",
    ),
    Mutant(
        "workspace.22",
        SHARING,
        "modes = sorted(range(len(kept)), key=lambda n: depth[kept[n]])",
        "modes = list(range(len(kept)))",
        "a workspace is read in the order of its names, whatever the order of the loops",
        SHARED,
    ),
    Mutant(
        "workspace.24",
        SHARING,
        "return replace(s, target=target) if old.tensor == target.tensor else s",
        "return s",
        "a producer under shared loops still writes to all modes of its workspace",
        VALUES,
    ),
)
