"""Plain tables: columns of integers and one of numbers, in nothing but digits, signs, points and exponents, read at
once.

SciPy reads them. It takes a word only as far as that looks like a number, so the words are looked at before: what
digits stand between (the marks of a line), and what stands beside signs and exponents.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from itertools import product
from typing import Any

import numpy as np

LONG = 2**14
"""Shorter tables are not worth the time in which SciPy is loaded."""
DIGITS, SIGNS = b"0123456789", b"+-.eE"
INT, REAL = np.dtype("int64"), np.dtype("float64")
EXTENT, EXACT = 2**63 - 1, 2**53
BLANKS = ((b"\t", b" "), (b"  ", b" "), (b"\n ", b"\n"), (b" \n", b"\n"), (b"\n\n", b"\n"))
EXPONENTS = [b"", *(letter + sign for letter, sign in product((b"e", b"E"), (b"-", b"+", b"")))]
MARKS = {
    INT: [b"", b"-"],
    REAL: [sign + point + exponent for exponent, sign, point in product(EXPONENTS, (b"", b"-"), (b".", b""))],
}
"""The marks that a number may have, by its dtype, frequent ones first."""


def plain_columns(body: bytes, columns: Sequence[np.dtype]) -> list[np.ndarray] | None:
    """The columns of a table of int64, the last of them int64 or float64. None for a table that is short, or that is
    not plain or not right: what is wrong, and where, is for others to say.

    >>> [column[:2].tolist() for column in plain_columns(b"3 1.5\\n4 -2e3\\n" * 9999, (INT, REAL))]
    [[3, 4], [1.5, -2000.0]]
    """
    *before, last = columns
    if len(body) < LONG or last not in MARKS or any(each != INT for each in before):
        return None
    lines = body if body.endswith(b"\n") else body + b"\n"
    if not is_plain(lines, len(columns), last):
        lines = with_single_blanks(lines)
        if not is_plain(lines, len(columns), last):
            return None
    try:
        return entries(lines) if tuple(columns) == (INT, INT, REAL) else words(lines, columns)
    except (ValueError, OverflowError):
        return None


def with_single_blanks(lines: bytes) -> bytes:
    """Lines without empty ones, and without blanks but one between words.

    >>> with_single_blanks(b"\\n 1 \\t 2\\n\\n3 4 \\n")
    b'1 2\\n3 4\\n'
    """
    for several, one in BLANKS:
        while several in lines:
            lines = lines.replace(several, one)
    return lines.lstrip(b" \n")


def is_plain(lines: bytes, width: int, last: np.dtype) -> bool:
    """Whether every line has so many words, all but the last of digits alone, and the last with marks where a number
    has them. There may be digits missing, of which SciPy makes no number.

    >>> [is_plain(line, 2, REAL) for line in (b"1 -2.5e+3\\n", b"1.0 2\\n", b"1 2 3\\n", b"1 2-3\\n", b"1 nan\\n")]
    [True, False, False, False, False]
    """
    left = lines.translate(None, DIGITS)
    if width == 1:
        left = (b" " + left.replace(b"\n", b"\n "))[:-1]
    blanks = b" " * max(width - 1, 1)
    if left.translate(None, SIGNS) != (blanks + b"\n") * left.count(b"\n"):
        return False
    absent = {sign for sign in SIGNS if sign not in left}
    for marks in MARKS[last]:
        if left and absent.isdisjoint(marks):
            left = left.replace(blanks + marks + b"\n", b"")
    return not left and (absent.issuperset(b"+-eE") or has_marks_in_place(lines))


def has_marks_in_place(lines: bytes) -> bool:
    """Whether signs begin a word or an exponent, and digits follow exponents.

    >>> [has_marks_in_place(line) for line in (b"-1e-5\\n", b"1-5\\n", b"1e\\n", b"-\\n")]
    [True, False, False, False]
    """
    text = np.frombuffer(lines, np.uint8)
    signs = np.flatnonzero((text == ord("-")) | (text == ord("+")))
    exponents = np.flatnonzero((text | 32) == ord("e"))
    return (
        are_among(text[signs - 1], b" \neE")
        and are_among(text[signs + 1], DIGITS + b".")
        and are_among(text[exponents + 1], DIGITS + b"+-")
    )


def are_among(characters: np.ndarray, allowed: bytes) -> bool:
    """Whether characters are some that are allowed."""
    table = np.zeros(256, bool)
    table[list(allowed)] = True
    return bool(table[characters].all())


def entries(lines: bytes) -> list[np.ndarray]:
    """The columns of a plain table of two coordinates that count from 1, and a number. Raises ValueError or
    OverflowError for what is none."""
    found = matrix("coordinate real", (EXTENT, EXTENT, lines.count(b"\n")), lines)
    return [found.row + INT.type(1), found.col + INT.type(1), found.data]


def words(lines: bytes, columns: Sequence[np.dtype]) -> list[np.ndarray] | None:
    """The columns of a plain table; None for integers that floats do not hold, and where a zero may have a sign, which
    SciPy forgets. Raises ValueError or OverflowError for words that are no numbers."""
    kind = "integer" if columns[-1] == INT else "real"
    found = matrix(f"array {kind}", (len(columns), lines.count(b"\n")), lines.replace(b" ", b"\n"))
    if kind == "real" and (found[:-1].max(initial=0) >= EXACT or (b"-" in lines and not found[-1].all())):
        return None
    return [row.astype(dtype) for row, dtype in zip(found, columns, strict=True)]


def matrix(kind: str, sizes: tuple[int, ...], lines: bytes) -> Any:
    """What SciPy reads in the lines of a Matrix Market file."""
    from scipy.io import mmread

    head = f"%%MatrixMarket matrix {kind} general\n{' '.join(map(str, sizes))}\n"
    return mmread(BytesIO(b"".join([head.encode(), lines])))
