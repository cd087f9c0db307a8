"""Mutants of branched graphs: sections and paths, loopfuse, the layout of workspaces."""

from __future__ import annotations

from mutant import Mutant

SECTION = "reference/schedule/section.py"
LOOPFUSE = "reference/schedule/loopfuse.py"
FUSED = ("tests/reference/schedule/test_loopfuse.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "loopfuse.1",
        LOOPFUSE,
        "fused = tuple(takewhile(lambda loop: loop in fills and loop in reads, loops))",
        "fused = ()",
        "no loops are fused",
        FUSED,
    ),
    Mutant(
        "loopfuse.2",
        LOOPFUSE,
        "consuming = tuple(loop for loop in loops[len(fused) :] if loop in reads)",
        "consuming = tuple(loop for loop in loops[len(fused) :] if loop not in fills)",
        "loops that both sides need go to the producer alone",
        FUSED,
    ),
    Mutant(
        "loopfuse.3",
        LOOPFUSE,
        "if not is_distributive(parted, operator):",
        "if False:",
        "reductions move into a producer over which the rest does not distribute",
        FUSED,
    ),
    Mutant(
        "loopfuse.4",
        LOOPFUSE,
        "if not vanishes(program, parted, operator):",
        "if False:",
        "reductions of nothing may contribute",
        FUSED,
    ),
    Mutant(
        "loopfuse.5",
        LOOPFUSE,
        "for loop in (each for alone, others in sides for each in alone if shares(program, each, others)):",
        "for loop in ():",
        "tiles may be torn apart",
        FUSED,
    ),
    Mutant(
        "loopfuse.6",
        LOOPFUSE,
        "return in_written_order(operands) if value.operator.commutative else operands",
        "return operands",
        "operands are counted as reductions have left them",
        FUSED,
    ),
    Mutant(
        "loopfuse.7",
        LOOPFUSE,
        "rest = [hole if n == filling[0] else e for n, e in enumerate(operands)",
        "rest = [hole, *operands] if filling[0] else [hole if n == filling[0] else e for n, e in enumerate(operands)",
        "the temporary stands before all other operands",
        FUSED,
    ),
    Mutant(
        "layout.1",
        "reference/schedule/layout.py",
        "return found.pop() if len(found) == 1 else None",
        "return None",
        "workspaces are never laid out again",
        ("tests/reference/schedule/test_layout.py",),
    ),
    Mutant(
        "layout.2",
        "reference/schedule/layout.py",
        "any(each.access.tensor == name for each in graph.positions())",
        "False",
        "workspaces are laid out again under loops that count their positions",
        ("tests/reference/schedule/test_layout.py",),
    ),
    Mutant(
        "section.1",
        SECTION,
        "if isinstance(above.end, Where) and above.end.workspace == name:",
        "if False:",
        "loops around a workspace count as contributing to it several times",
        (*FUSED, "tests/reference/schedule/test_section.py"),
    ),
    Mutant(
        "section.2",
        "reference/schedule/nests.py",
        "if section.path[: len(path)] == path and variable in section.variables:",
        "if variable in section.variables:",
        "a path does not keep a command to its section",
        (*FUSED, "tests/reference/schedule/test_section.py"),
    ),
    Mutant(
        "section.3",
        "reference/schedule/commands.py",
        "        if variable not in section.variables:",
        "        if False:",
        "a path may lead to a section that lacks the loop",
        (*FUSED, "tests/reference/schedule/test_section.py"),
    ),
    Mutant(
        "section.4",
        "reference/schedule/nests.py",
        "inner = replace_loops(branches(end)[path[0]], variable, change, path[1:])",
        "inner = replace_loops(branches(end)[path[0]], variable, change)",
        "a path is followed for one step",
        (*FUSED, "tests/reference/schedule/test_section.py"),
    ),
    Mutant(
        "loopfuse.8",
        "reference/schedule/parts.py",
        "e.operator is outer.operator and e.dtype",
        "e.operator.name == outer.operator.name and e.dtype",
        "sums and products of a semiring with one operator for both are one chain",
        ("tests/reference/schedule/test_loopfuse.py",),
    ),
)
