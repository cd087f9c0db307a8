"""Mutants of what whole arrays of files and tensors tell: plain tables, order in storage, arrays for SciPy."""

from __future__ import annotations

from mutant import Mutant
from suites import VALID

PLAIN, READ = "reference/files/plain.py", ("tests/reference/files/test_plain.py",)
REPACKING = "reference/storage/repacking.py"
TENSOR, OF_SCIPY = "reference/storage/tensor.py", ("tests/reference/files/test_scipy_arrays.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "plain.1",
        PLAIN,
        'are_among(text[signs - 1], b" \\neE")',
        "True",
        "a sign amid digits ends a number, and the rest of the word is not looked at",
        READ,
    ),
    Mutant(
        "plain.2",
        PLAIN,
        'are_among(text[exponents + 1], DIGITS + b"+-")',
        "True",
        "an exponent without digits is none",
        READ,
    ),
    Mutant(
        "plain.3",
        PLAIN,
        ' or (b"-" in lines and not found[-1].all())',
        "",
        "zeros of tables that are read at once have no sign",
        READ,
    ),
    Mutant(
        "plain.4",
        PLAIN,
        "found[:-1].max(initial=0) >= EXACT or ",
        "",
        "large coordinates are rounded",
        READ,
    ),
    Mutant(
        "plain.5",
        PLAIN,
        'if left.translate(None, SIGNS) != (blanks + b"\\n") * left.count(b"\\n"):',
        "if False:",
        "a line with a word too many makes up for one with a word too few",
        READ,
    ),
    Mutant(
        "plain.6",
        "reference/files/matrix_market.py",
        "below[first[i > j]] = True",
        "below[first[i >= j]] = True",
        "an entry that is repeated on the diagonal is its own mirror image",
        READ,
        equivalent="an entry above the diagonal shares its place with none on it",
    ),
    Mutant(
        "plain.7",
        "reference/files/matrix_market.py",
        "return np.asarray((i < j) & below[first])",
        "return np.asarray(below[first])",
        "entries below the diagonal are their own mirror images",
        READ,
    ),
    Mutant(
        "plain.8",
        "reference/files/frostt.py",
        "if not np.isfinite(columns[-1]).all():",
        "if False:",
        "infinite values are written as null",
        READ,
    ),
    Mutant(
        "order.1",
        REPACKING,
        "rises_in_segments(tensor.levels[k]).all() and lies_inside(crd, tensor.extents[k])",
        "rises_in_segments(tensor.levels[k]).all()",
        "coordinates that rise may leave the shape",
        VALID,
    ),
    Mutant(
        "order.2",
        REPACKING,
        "level.ordered and level.unique for level in levels)",
        "level.ordered for level in levels)",
        "levels that may hold a coordinate twice are as packed where they do not",
        VALID,
        equivalent="coordinates that rise are there once",
    ),
    Mutant(
        "order.3",
        REPACKING,
        "inside and are_sorted(columns) and",
        "are_sorted(columns) and",
        "rows of coordinates in order may leave the shape",
        VALID,
    ),
    Mutant(
        "scipy.3",
        TENSOR,
        '(format.order != 2 and name != "COO") or format != format_of(name, format.order)',
        '(format.order != 2 and name != "COO")',
        "a format that bears a name has its arrays",
        OF_SCIPY,
    ),
    Mutant(
        "scipy.4",
        TENSOR,
        "data[n, first + offset : last + offset] = values[n, first:last]",
        "data[n, first:last] = values[n, first:last]",
        "SciPy gets diagonals at their rows",
        OF_SCIPY,
    ),
)
