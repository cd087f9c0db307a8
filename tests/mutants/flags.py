"""Mutants of the flags of workspaces: which are stored all together, and what code says when that is."""

from __future__ import annotations

from mutant import Mutant

FLAGS, MARKING = "reference/schedule/flags.py", "generator/statements/marking.py"
STATEMENTS = "generator/statements/statements.py"
TESTS = ("tests/reference/schedule/test_flags.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "flags.1",
        FLAGS,
        "return all(level.full and is_random_access(level) for level in format.levels[first:])",
        "return True",
        "sparse operands hold all components along the loops of a workspace",
        TESTS,
    ),
    Mutant(
        "flags.2",
        FLAGS,
        "or missing_counts(filling.leaf, background_of(program))",
        "",
        "missing contributions count as stored ones",
        TESTS,
    ),
    Mutant(
        "flags.3",
        FLAGS,
        "always = len(own) == len(filling.loops) and filling.branch is None and filling.leaf.operator is None",
        "always = len(own) == len(filling.loops) and filling.leaf.operator is None",
        "a workspace filled from another one is stored whenever its producer runs",
        TESTS,
    ),
    Mutant(
        "flags.4",
        FLAGS,
        "always = len(own) == len(filling.loops) and filling.branch is None and filling.leaf.operator is None",
        "always = filling.branch is None",
        "reductions are never empty",
        TESTS,
    ),
    Mutant(
        "flags.5",
        FLAGS,
        "if not apart.isdisjoint(own) or any(",
        "if any(",
        "a workspace stands inside the loops over the components of another one",
        TESTS,
    ),
    Mutant(
        "flags.6",
        FLAGS,
        "return bool(units) and not (",
        "return False and not (",
        "threads share a flag",
        TESTS,
    ),
    Mutant(
        "flags.7",
        FLAGS,
        "if counted or not format.levels",
        "if not format.levels",
        "a workspace loses the positions that loops count",
        TESTS,
    ),
    Mutant(
        "flags.8",
        FLAGS,
        "kinds = workspace.format, ASKED if workspace.asked else CHOSEN",
        "kinds = workspace.format, CHOSEN",
        "a format that was asked for is not kept",
        TESTS,
    ),
    Mutant(
        "flags.9",
        FLAGS,
        "yield from fillings(producer, around)\n            yield s, around",
        "yield s, around\n            yield from fillings(producer, around)",
        "a workspace is judged before those that fill it",
        TESTS,
    ),
    Mutant(
        "flags.10",
        FLAGS,
        "filling is None or filling.leaf.mask is not None or",
        "filling is None or",
        "masked components are stored",
        TESTS,
    ),
    Mutant(
        "flags.11",
        FLAGS,
        "return source_variables(graph, variable) <= every and not narrowed",
        "return source_variables(graph, variable) <= every",
        "loops over positions go over all components",
        TESTS,
    ),
    Mutant(
        "flags.12",
        FLAGS,
        "return source_variables(graph, variable) <= every and not narrowed",
        "return not narrowed",
        "a loop over components that reduces too runs whenever there are components",
        TESTS,
    ),
    Mutant(
        "marking.1",
        MARKING,
        'return "at the mark" if own == sorted(own) and not all(own) else "before"',
        'return "at the mark"',
        "components are cleared inside the loops that visit them",
        (*TESTS, "tests/generator/statements/test_marking.py"),
    ),
    Mutant(
        "marking.2",
        MARKING,
        "setting.add(*logic.conditional(logic.negate(mark.made), first.code))",
        "setting.add(*first.code)",
        "components are cleared at each visit",
        (*TESTS, "tests/generator/statements/test_marking.py"),
    ),
    Mutant(
        "marking.3",
        STATEMENTS,
        'if when == "before":',
        "if False:",
        "components are not cleared before loops that visit them first",
        (*TESTS, "tests/generator/statements/test_marking.py"),
    ),
    Mutant(
        "marking.4",
        STATEMENTS,
        "if workspace.flags is Flags.EACH:\n            reset(",
        "if True:\n            reset(",
        "components that are assigned are cleared before",
        (*TESTS, "tests/generator/statements/test_marking.py"),
    ),
)
