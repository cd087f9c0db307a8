"""Mutants of hints: what is written here instead of what other languages write."""

from __future__ import annotations

from mutant import Mutant

MISSPELLINGS = "reference/notation/misspellings.py"
TESTS = ("tests/reference/notation/test_misspellings.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "misspelling.1",
        MISSPELLINGS,
        "last, compared = right, rank == COMPARISON",
        "last, compared = right, False",
        "a comparison of three compares a truth value with the third",
        TESTS,
    ),
    Mutant(
        "misspelling.2",
        MISSPELLINGS,
        'if first != "<":\n        return every',
        "if first:\n        return every",
        "the end of a mask is a comparison",
        TESTS,
    ),
    Mutant(
        "misspelling.3",
        MISSPELLINGS,
        'first = f"({first})"',
        "first = first",
        "a hint reduces over a variable that was an operand",
        TESTS,
    ),
    Mutant(
        "misspelling.4",
        MISSPELLINGS,
        "widest = max(short",
        "widest = min(short",
        "of a part that is wrong twice the hint leaves one mistake in",
        TESTS,
    ),
    Mutant(
        "misspelling.5",
        "reference/notation/parser.py",
        "return own or error.hint or general",
        "return error.hint or own or general",
        "what may be assigned hides how the comparison before it is written",
        TESTS,
    ),
)
