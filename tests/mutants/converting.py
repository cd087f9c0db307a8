"""Mutants of conversions: which operands are converted, to what, by which names, and which orders conflict."""

from __future__ import annotations

from mutant import Mutant

CONTRADICTION = "reference/statement/contradiction.py"
CONVERTING = "reference/statement/converting.py"

CONVERTED = ("tests/reference/statement/test_converting.py",)
LOWERED = ("tests/reference/statement/test_contradiction.py", "tests/reference/statement/test_lowering.py")
CONVERT = ("tests/reference/schedule/test_convert.py",)
EVALUATED = (
    "tests/reference/statement/test_lowering.py",
    "tests/reference/execution/test_evaluate.py",
    "tests/reference/execution/test_interpreter.py",
)
VALUES = (
    "tests/reference/statement/test_lowering.py",
    "tests/reference/statement/test_nest.py",
    "tests/reference/notation/test_elaboration.py",
    "tests/reference/execution/test_interpreter.py",
)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "lowering.17",
        CONTRADICTION,
        "if maps or own:",
        "if (maps or own) and convert:",
        "operands with a map are not converted to settle an order unless conversions are asked for",
        VALUES,
    ),
    Mutant(
        "lowering.18",
        CONTRADICTION,
        "if involved and not convert:",
        "if False:",
        "operands whose storage orders contradict each other are converted without being asked",
        EVALUATED,
    ),
    Mutant(
        "converting.13",
        CONTRADICTION,
        "alone = (a for a in operands if not graph.along(paths - {a}).conflict())",
        "alone: Sequence[Access] = ()",
        "of three operands one that agrees with another is converted",
        CONVERTED,
    ),
    Mutant(
        "converting.14",
        CONTRADICTION,
        "against = (a for a in operands if graph.along(others | {a}).conflict())",
        "against: Sequence[Access] = ()",
        "an operand that the result agrees with is converted",
        CONVERTED,
    ),
    Mutant(
        "converting.15",
        CONTRADICTION,
        "other = next(a for a in (second, first) if a != read)",
        "other = second",
        "an operand is said to contradict itself",
        LOWERED,
    ),
    Mutant(
        "converting.16",
        CONTRADICTION,
        "return own[::-1] if found == own else found",
        "return own[::-1]",
        "of three modes an order is advised that contradicts the others as well",
        LOWERED,
    ),
    Mutant(
        "converting.18",
        CONTRADICTION,
        "if maps or own:",
        "if maps:",
        "what contradicts a result in blocks is converted, or refused",
        CONVERTED,
    ),
    Mutant(
        "converting.80",
        CONTRADICTION,
        "return odd_one(graph, maps) if maps else own[0]",
        "return own[0] if own else odd_one(graph, maps)",
        "results in blocks go through workspaces though an operand could be converted",
        CONVERTED,
    ),
    Mutant(
        "converting.1",
        CONVERTING,
        "kept = next(n for n in range(order, -1, -1) if ends_dense(stored, modes[order - n :]))",
        "kept = 0",
        "levels that an array ends with become lists",
        CONVERTED,
    ),
    Mutant(
        "converting.2",
        CONVERTING,
        "if whole and order - kept > 1 else",
        "if whole else",
        "the only level that tells what is stored becomes dense: everything is stored",
        CONVERTED,
    ),
    Mutant(
        "converting.3",
        CONVERTING,
        "if not stored.map.is_permutation or {*stored.stored_modes[-count:]} != {*modes}:",
        "if not stored.map.is_permutation:",
        "dense levels of other modes stay last",
        CONVERTED,
    ),
    Mutant(
        "converting.4",
        CONVERTING,
        "return all(isinstance(level, Dense) for level in stored.levels[-count:])",
        "return True",
        "lists that come last become dense",
        CONVERTED,
    ),
    Mutant(
        "converting.5",
        CONVERTING,
        "case (Mode(mode=mode), *_) if format.outer_arrays:",
        "case (Mode(mode=mode), *_):",
        "an outermost list has room for a whole mode",
        CONVERTED,
    ),
    Mutant(
        "converting.6",
        CONVERTING,
        "is_free = name not in read and all(each.name != name for each in found.values())",
        "is_free = all(each.name != name for each in found.values())",
        "what is converted takes the name of the operand, which is read too",
        CONVERTED,
    ),
    Mutant(
        "converting.7",
        CONVERTING,
        "is_free = name not in read and all(each.name != name for each in found.values())",
        "is_free = name not in read",
        "two formats of an operand have one name",
        CONVERTED,
    ),
    Mutant(
        "converting.8",
        CONVERTING,
        "found.setdefault((made.source, program.formats[provisional]), made).name",
        "found.setdefault((provisional, program.formats[provisional]), made).name",
        "what is read in one format again is converted again",
        CONVERTED,
    ),
    Mutant(
        "converting.9",
        CONVERTING,
        "left = {name: each for name, each in declared.items() if name not in sources}",
        "left = declared",
        "provisional names stay declared",
        CONVERTED,
    ),
    Mutant(
        "converting.11",
        CONVERTING,
        "program.given(each.name): convert_operand(",
        "each.name: convert_operand(",
        "previous contents are read as they are given",
        CONVERTED,
    ),
    Mutant(
        "converting.12",
        CONVERTING,
        "wide = any(array.dtype.itemsize == 8 for array in arrays)",
        "wide = False",
        "wide indices become narrow",
        CONVERTED,
    ),
    Mutant(
        "converting.23",
        CONVERTING,
        "modes = sorted(range(len(access.levels)), key=lambda m: order.index(nest.loops(access.levels[m])[-1]))",
        "modes = list(range(len(access.levels)))",
        "what is converted is stored in the order of its modes",
        CONVERTED,
    ),
    Mutant(
        "converting.40",
        CONVERTING,
        "return beside or (bool(stored.outer_arrays) and extents[variable] <= LARGEST)",
        "return beside or bool(stored.outer_arrays)",
        "what would not fit in memory gets a dense level",
        CONVERTED,
    ),
    Mutant(
        "converting.41",
        CONVERTING,
        "return beside or (bool(stored.outer_arrays) and extents[variable] <= LARGEST)",
        "return beside or extents[variable] <= LARGEST",
        "what stores few of many rows gets a dense level",
        CONVERTED,
    ),
    Mutant(
        "converting.43",
        CONVERTING,
        "found = {(each.source, program.formats[name]): each for name, each in before.items() if name in read}",
        "found = {(each.source, program.formats[name]): each for name, each in before.items()}",
        "what nothing reads any more is converted",
        CONVERT,
    ),
)
