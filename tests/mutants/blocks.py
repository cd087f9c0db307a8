"""Mutants of results in blocks: their workspaces, and how these are cleared."""

from __future__ import annotations

from mutant import Mutant

BLOCKS, LOWERING = "reference/statement/blocks.py", "reference/statement/lowering.py"
INITIAL = "generator/assembly/initial.py"

TESTED = ("tests/reference/statement/test_blocks.py",)

MUTANTS = (
    Mutant(
        "blocks.1",
        BLOCKS,
        "return all(walk.factor == wanted[walk.variable] for walk in walked) and all(",
        "return all(",
        "blocks are filled in place from operands that have others",
        TESTED,
    ),
    Mutant(
        "blocks.16",
        BLOCKS,
        "wanted.get(v, factor) == factor for each in own for v, factor in each",
        "True for each in own for v, factor in each",
        "names go to blocks that are given up",
        ("tests/properties/proofs/schedules/test_schedules.py",),
    ),
    Mutant(
        "blocks.2",
        BLOCKS,
        "if walk.variable in wanted)",
        "if walk.variable in wanted or walk.factor is None)",
        "blocks are not filled where a reduction walks",
        TESTED,
    ),
    Mutant(
        "blocks.3",
        BLOCKS,
        "return all(is_random_access(level) for level in inside)",
        "return True",
        "results in cells take whole blocks",
        TESTED,
    ),
    Mutant(
        "blocks.4",
        BLOCKS,
        "if is_inside and not is_random_access(level):",
        "if False:",
        "blocks are whole though operands have parts of them",
        TESTED,
    ),
    Mutant(
        "blocks.5",
        BLOCKS,
        "isinstance(term, Mode | Remainder) and access.indices[term.mode] in variables",
        "isinstance(term, Remainder) and access.indices[term.mode] in variables",
        "blocks are whole though rows of operands are not",
        TESTED,
    ),
    Mutant(
        "blocks.6",
        LOWERING,
        "are_whole = mask is None and holds_whole",
        "are_whole = holds_whole",
        "blocks are whole though a mask excludes parts",
        TESTED,
    ),
    Mutant(
        "blocks.7",
        LOWERING,
        "if len(self.conversions.sources) > converted:",
        "if False:",
        "blocks are filled from what is converted to rows",
        TESTED,
    ),
    Mutant(
        "blocks.8",
        BLOCKS,
        "listed = count == 1 and prod(shape) <= LARGEST",
        "listed = count == 1",
        "rows of blocks that do not fit in memory are listed",
        TESTED,
    ),
    Mutant(
        "blocks.9",
        BLOCKS,
        "or prod(shape[count:]) > LARGEST_BLOCK:",
        "or False:",
        "large blocks are dense",
        TESTED,
    ),
    Mutant(
        "blocks.10",
        BLOCKS,
        "if inside.intersection(variables[:count]) or",
        "if",
        "places in blocks are hashed as if they were blocks",
        TESTED,
    ),
    Mutant(
        "blocks.11",
        BLOCKS,
        "if rows and not self.are_whole:",
        "if False:",
        "no component of a block is missing",
        TESTED,
    ),
    Mutant(
        "blocks.12",
        INITIAL,
        "if is_listed(levels):",
        "if False:",
        "all of a row of blocks is cleared, whatever was filled",
        TESTED,
    ),
    Mutant(
        "blocks.13",
        INITIAL,
        "        initialise_level(bound, ir.ZERO, size, out)\n    if held.needs_fill:",
        "    if held.needs_fill:",
        "what stands in blocks stays present",
        TESTED,
    ),
    Mutant(
        "blocks.14",
        INITIAL,
        "        fill(held, ir.ZERO, size, out)\n    first.call",
        "        pass\n    first.call",
        "what stands in blocks is added to",
        TESTED,
    ),
    Mutant(
        "blocks.15",
        INITIAL,
        '    first.call("insert_reset", (ir.ZERO, ir.ONE), out)',
        "    return",
        "blocks of another row stay",
        TESTED,
    ),
)
