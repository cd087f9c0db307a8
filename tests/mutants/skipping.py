"""Mutants of merges that skip places which hold nothing."""

from __future__ import annotations

from mutant import Mutant
from suites import CURSORS

CURSOR, FIBER, MERGING, SEEKING = (f"generator/loops/{name}.py" for name in ("cursor", "fiber", "merging", "seeking"))

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "skipping.1",
        CURSOR,
        "    out.add(*cursor.skip())\n    return cursor",
        "    return cursor",
        "a merge begins at what holds nothing",
        CURSORS,
    ),
    Mutant(
        "skipping.2",
        MERGING,
        "return (step_on(cursor, there, following), *cursor.skip())",
        "return (step_on(cursor, there, following),)",
        "a merge steps to what holds nothing",
        CURSORS,
    ),
    Mutant(
        "skipping.3",
        SEEKING,
        "(ir.Assign(cursor.place, c), *cursor.skip())",
        "(ir.Assign(cursor.place, c),)",
        "a merge jumps to what holds nothing",
        CURSORS,
    ),
    Mutant(
        "skipping.4",
        FIBER,
        "together = self.gathers or (self.merges and not self.can_skip)",
        "together = self.gathers or self.merges",
        "what a merge could skip is listed",
        CURSORS,
    ),
    Mutant(
        "skipping.5",
        FIBER,
        "found = replace_variables(found, {s.name: s.value})",
        "pass",
        "flags are read at a position that nobody has computed",
        CURSORS,
    ),
)
