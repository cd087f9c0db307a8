"""Components read from a file: coordinates, values and a shape."""

from __future__ import annotations

import gzip
import io
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import FileError


@dataclass(frozen=True, slots=True)
class Components:
    """Coordinates of shape (order, n), one value each, and the shape they lie in."""

    coords: np.ndarray
    values: np.ndarray
    shape: tuple[int, ...]


def content(path: Path) -> bytes:
    """The bytes of a file, unpacked if they are gzip. Raises FileError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}") from None
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise FileError(f"{path} is a damaged gzip file: {error}") from None


def malformed(path: Path, line: int, message: str, hint: str | None = None) -> FileError:
    """The error for a line of a file; lines count from 1."""
    return FileError(f"{path.name}, line {line}: {message}", hint=hint)


def table(path: Path, data: bytes, first: int, columns: int, what: str) -> np.ndarray:
    """The numbers after line `first`, of shape (rows, columns). Raises FileError at the first line that is wrong.

    Blank lines and lines that start with `#` or `%` hold nothing.
    """
    try:
        flat = np.loadtxt(io.BytesIO(data), comments=["#", "%"], ndmin=2, dtype=np.float64)
    except ValueError:
        raise first_wrong(path, data, first, columns, what) from None
    if flat.size == 0:
        return np.zeros((0, columns))
    if flat.shape[1] != columns:
        raise first_wrong(path, data, first, columns, what)
    return flat


def numbered(data: bytes, first: int) -> list[tuple[int, list[str]]]:
    """The lines that hold something, with their numbers and words."""
    lines = data.decode("latin-1").splitlines()
    found = []
    for number, line in enumerate(lines, first + 1):
        text = line.partition("#")[0].partition("%")[0].split()
        if text:
            found.append((number, text))
    return found


def first_wrong(path: Path, data: bytes, first: int, columns: int, what: str) -> FileError:
    """The error for the first line that does not hold `columns` numbers."""
    for number, words in numbered(data, first):
        if len(words) != columns:
            return malformed(path, number, f"expected {what}, but found {len(words)} words: {' '.join(words)[:60]!r}")
        for word in words:
            try:
                float(word)
            except ValueError:
                return malformed(path, number, f"expected a number, but found {word!r}")
    return malformed(path, first + 1, f"expected {what}")


def line_of(data: bytes, first: int, row: int) -> int:
    """The line number of a row of a table."""
    return numbered(data, first)[row][0]


def integral(path: Path, data: bytes, first: int, numbers: np.ndarray, shape: tuple[int, ...] | None) -> np.ndarray:
    """Columns of 1-based coordinates as 0-based integers, inside the shape if it is known."""
    for mode in range(numbers.shape[1]):
        column = numbers[:, mode]
        high = np.inf if shape is None else shape[mode]
        wrong = np.flatnonzero((column != np.floor(column)) | (column < 1) | (column > high))
        if wrong.size:
            row = int(wrong[0])
            limit = "" if shape is None else f" to {shape[mode]}"
            raise malformed(
                path,
                line_of(data, first, row),
                f"coordinate {column[row]:g} of mode {mode + 1} is not an integer from 1{limit}",
                "coordinates in files count from 1",
            )
    return numbers.astype(np.int64).T - 1
