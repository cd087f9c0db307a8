"""The text of a file of numbers: its bytes, its lines, its columns, and the line where it goes wrong."""

from __future__ import annotations

import gzip
import io
import re
import warnings
import zlib
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from msgspec import Struct

from ..errors import FileError
from .plain import plain_columns

GZIP = b"\x1f\x8b"
INTEGER = re.compile(r"[+-]?[0-9]+")
ODD_BLANKS = b"\x1c\x1d\x1e\x1f\x85\xa0"
"""Characters that NumPy takes for blanks."""


class Text(Struct, frozen=True):
    """A file's name, its bytes with every line ended by a newline, and the character that starts a comment."""

    name: str
    data: bytes
    comment: bytes

    def line_error(self, line: int, message: str, hint: str | None = None, *, rule: str) -> FileError:
        """The error for a line, which a rule refuses; lines count from 1."""
        return FileError(f"{self.name}, line {line}: {message}", hint=hint, line=line, rule=rule)

    def lines(self, after: int = 0) -> Iterator[tuple[int, list[str]]]:
        """The number and the words of every line after line `after` that holds something besides a comment."""
        for number, line in enumerate(io.BytesIO(self.data), 1):
            words = line.partition(self.comment)[0].split() if number > after else []
            if words:
                yield number, [word.decode("latin-1") for word in words]

    def line_of(self, row: int, after: int) -> int:
        """The number of the line that holds a row of the table after line `after`, or of the end if there is none."""
        found = next(islice(self.lines(after), row, None), None)
        return self.data.count(b"\n") + 1 if found is None else found[0]

    def body(self, after: int) -> bytes:
        """What stands after line `after`, without comments."""
        start = 0
        for _ in range(after):
            start = self.data.find(b"\n", start) + 1 or len(self.data)
        while self.data.startswith(self.comment, start):
            start = self.data.find(b"\n", start) + 1 or len(self.data)
        body = self.data[start:]
        return re.sub(re.escape(self.comment) + rb"[^\n]*", b"", body) if self.comment in body else body

    def table(self, after: int, columns: Sequence[np.dtype], what: str) -> list[np.ndarray]:
        """The columns of numbers after line `after`, in the dtypes given; every line holds one row.

        Raises FileError for the first line that does not hold `what`.
        """
        plain = plain_columns(self.body(after), columns)
        if plain is not None:
            return plain
        if next(self.lines(after), None) is None:
            return [np.zeros(0, dtype) for dtype in columns]
        row = np.dtype([(f"c{n}", dtype) for n, dtype in enumerate(columns)])
        comment = self.comment.decode()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                lines = io.BytesIO(without_odd_blanks(self.data))
                rows = np.loadtxt(lines, row, comment, skiprows=after, ndmin=1, encoding="latin-1")
        except (ValueError, Warning) as error:
            raise self.first_wrong(after, columns, what, str(error)) from None
        return [np.ascontiguousarray(rows[f"c{n}"]) for n in range(len(columns))]

    def first_wrong(self, after: int, columns: Sequence[np.dtype], what: str, otherwise: str) -> FileError:
        """The error for the first line that does not hold a number of each dtype."""
        for number, words in self.lines(after):
            shown = " ".join(words)[:60]
            if len(words) != len(columns):
                return self.line_error(
                    number, f"expected {what}, but found {len(words)} words: {shown!r}", rule="file.lines"
                )
            for word, dtype in zip(words, columns, strict=True):
                wrong = expectation(word, dtype)
                if wrong is not None:
                    return self.line_error(
                        number, f"expected {wrong}, but found {word[:40]!r} in {shown!r}", rule="file.numbers"
                    )
        return FileError(f"{self.name}: expected {what}: {otherwise}", rule="file.numbers")

    def indices(self, after: int, columns: Sequence[np.ndarray], shape: Sequence[int] | None) -> np.ndarray:
        """Columns of coordinates that count from 1 as coordinates from 0, of shape (order, n).

        Raises FileError, with the line, for the first that lies outside the shape, if that is known.
        """
        for mode, column in enumerate(columns):
            wrong = column < 1 if shape is None else (column < 1) | (column > shape[mode])
            if wrong.any():
                row = int(wrong.argmax())
                allowed = "start at 1" if shape is None else f"lie in 1 to {shape[mode]}"
                message = f"coordinate {column[row]} of mode {mode + 1} does not {allowed}"
                raise self.line_error(
                    self.line_of(row, after), message, "coordinates in files count from 1", rule="file.numbers"
                )
        return np.stack(columns) - 1


def without_odd_blanks(data: bytes) -> bytes:
    """Bytes with something that is in no number in place of what NumPy takes for blanks.

    >>> without_odd_blanks(b"1 2"), without_odd_blanks(b"1\\xa02")
    (b'1 2', b'1?2')
    """
    if not any(bytes([each]) in data for each in ODD_BLANKS):
        return data
    return data.translate(bytes.maketrans(ODD_BLANKS, b"?" * len(ODD_BLANKS)))


def expectation(word: str, dtype: np.dtype) -> str | None:
    """What was expected instead of a word, or None if the word is a number of that dtype."""
    if dtype.kind in "iu":
        low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
        if INTEGER.fullmatch(word) is None:
            return "an integer"
        fits = len(word.lstrip("+-0")) < 25 and low <= int(word) <= high and (low < 0 or not word.startswith("-"))
        return None if fits else f"an integer from {low} to {high}"
    try:
        float(word)
    except ValueError:
        return "a number"
    return "a number" if "_" in word or word != word.strip() else None


def read_text(path: Path, comment: bytes = b"%") -> Text:
    """The text of a file, unpacked if its suffix is `.gz`. Raises FileError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}", rule="file.packed") from None
    except ValueError as error:
        raise FileError(f"cannot read {str(path)!r}: {error}", rule="file.packed") from None
    packed = path.suffix.lower() == ".gz"
    if packed != data.startswith(GZIP):
        actual, wanted = ("not gzip", "without .gz") if packed else ("gzip", "with .gz")
        raise FileError(
            f"{path.name} is {actual}, whatever its suffix says", hint=f"rename it to one {wanted}", rule="file.packed"
        )
    if packed:
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise FileError(f"{path.name} is a damaged gzip file: {error}", rule="file.packed") from None
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return Text(path.name, data, comment)


def write_text(path: Path, text: str) -> None:
    """Write a text, packed if the suffix is `.gz`; the same text gives the same bytes. Raises FileError."""
    data = text.encode()
    try:
        path.write_bytes(gzip.compress(data, mtime=0) if path.suffix.lower() == ".gz" else data)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}", rule="file.packed") from None
