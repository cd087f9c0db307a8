"""Mutants of terms with notes."""

from __future__ import annotations

from mutant import Mutant

NOTED, TESTS = "reference/noted.py", ("tests/reference/test_noted.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "notes.1",
        NOTED,
        "return not self == other",
        "return self is not other",
        "terms that differ in notes are equal and are not",
        TESTS,
    ),
    Mutant(
        "notes.2",
        NOTED,
        "if type(other) is not type(self):",
        "if not isinstance(other, Noted):",
        "terms of different kinds are equal",
        TESTS,
    ),
    Mutant(
        "notes.3",
        NOTED,
        "lambda term: (getattr(term, first),)",
        "lambda term: getattr(term, first)",
        "a term of NaN is not equal to itself",
        TESTS,
    ),
    Mutant(
        "notes.4",
        NOTED,
        "if name not in kind.notes",
        "if name",
        "notes are seen",
        TESTS,
    ),
)
