"""Mutants of hints: what is written here instead of what other languages write."""

from __future__ import annotations

from mutant import Mutant

MISSPELLINGS = "reference/notation/misspellings.py"
TESTS = ("tests/reference/notation/test_misspellings.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "misspelling.1",
        MISSPELLINGS,
        "last, before = right, rank",
        "last, before = right, POWER",
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
    Mutant(
        "misspelling.6",
        "reference/files/foreign.py",
        "if value.ndim == 2:",
        "if value.ndim >= 2:",
        "arrays of pydata/sparse of any order are said to be matrices of SciPy",
        ("tests/reference/files/test_foreign.py",),
    ),
    Mutant(
        "misspelling.7",
        "reference/files/foreign.py",
        'if array.dtype.newbyteorder("=") in DTYPES:',
        "if False:",
        "of bytes in the other order all dtypes are listed",
        ("tests/reference/files/test_foreign.py",),
    ),
    Mutant(
        "misspelling.8",
        "reference/procedure/thresholds.py",
        '"above": "le"',
        '"above": "lt"',
        "a loop that is to end above a value ends at it",
        ("tests/reference/procedure/test_thresholds.py",),
    ),
    Mutant(
        "misspelling.9",
        "reference/procedure/run.py",
        "return threshold_hint(said[0], self.procedure.source) if said and is_value else None",
        "return threshold_hint(said[0], self.procedure.source) if said else None",
        "a whole number that is too small is taken for a value",
        ("tests/reference/procedure/test_thresholds.py",),
    ),
    Mutant(
        "misspelling.10",
        "reference/schedule/halide.py",
        "(*loops[:2], *NAMES[len(loops[:2]) :])",
        "NAMES",
        "the hint names other loops than the command",
        ("tests/reference/schedule/test_halide.py",),
    ),
    Mutant(
        "misspelling.11",
        "reference/algebra/operator.py",
        'if self.source else f"send its name, {self.name!r}"',
        'if not self.source else f"send its name, {self.name!r}"',
        "operators of users are said to be known by their names",
        ("tests/reference/notation/test_declaration.py",),
    ),
    Mutant(
        "misspelling.12",
        MISSPELLINGS,
        "right = self.infix(min(rank + 1, POWER))",
        "right = self.infix(rank)",
        "what stands between two comparisons is compared with the third before the first",
        TESTS,
    ),
    Mutant(
        "misspelling.13",
        MISSPELLINGS,
        'PREFIX = {"not": COMPARISON,',
        'PREFIX = {"not": POWER,',
        "of a comparison the left operand is negated",
        TESTS,
    ),
)
