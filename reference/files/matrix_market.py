"""Matrix Market files: every field, every symmetry, coordinate and array (NIST, Matrix Market exchange formats)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import FileError
from ..tensor import Tensor
from .components import Components, content, integral, line_of, malformed, numbered, table

FIELDS = ("real", "double", "integer", "unsigned-integer", "complex", "pattern")
SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")


@dataclass(frozen=True, slots=True)
class Banner:
    """The first line: layout (coordinate or array), field and symmetry."""

    layout: str
    field: str
    symmetry: str

    @property
    def value_columns(self) -> int:
        """How many numbers a value takes."""
        return {"pattern": 0, "complex": 2}.get(self.field, 1)


def read_matrix_market(path: Path) -> Components:
    """The components of a Matrix Market file, gzip or not. Raises FileError with the line that is wrong.

    Symmetric halves are completed; a pattern holds ones.
    """
    data = content(path)
    banner = read_banner(path, data)
    start, first, sizes = read_sizes(path, data, banner)
    body = data[start:]
    return (
        coordinate(path, body, first, banner, sizes)
        if banner.layout == "coordinate"
        else array(path, body, first, banner, sizes)
    )


def read_banner(path: Path, data: bytes) -> Banner:
    """The banner, checked."""
    words = data.partition(b"\n")[0].decode("latin-1").lower().split()
    if not words or words[0] != "%%matrixmarket":
        raise malformed(path, 1, "not a Matrix Market file: it does not start with %%MatrixMarket")
    known = (("matrix",), ("coordinate", "array"), FIELDS, SYMMETRIES)
    if len(words) != 5:
        raise malformed(path, 1, "expected %%MatrixMarket matrix LAYOUT FIELD SYMMETRY")
    for word, choices in zip(words[1:], known, strict=True):
        if word not in choices:
            raise malformed(path, 1, f"{word!r} is not one of {', '.join(choices)}")
    if words[2] == "array" and words[3] == "pattern":
        raise malformed(path, 1, "an array file cannot hold a pattern")
    return Banner(words[2], words[3], words[4])


def read_sizes(path: Path, data: bytes, banner: Banner) -> tuple[int, int, list[int]]:
    """Where the body starts, the number of lines before it, and the sizes that the size line gives."""
    start, number = 0, 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        text = data[start:end].decode("latin-1").strip()
        number += 1
        start = end + 1
        if text and not text.startswith("%"):
            words = text.split()
            expected = 3 if banner.layout == "coordinate" else 2
            if len(words) != expected or not all(w.isdigit() for w in words):
                kind = "rows, columns and entries" if expected == 3 else "rows and columns"
                raise malformed(path, number, f"expected {kind}, but found {text[:60]!r}")
            return start, number, [int(w) for w in words]
    raise malformed(path, number + 1, "the file ends before its size line")


def coordinate(path: Path, body: bytes, first: int, banner: Banner, sizes: list[int]) -> Components:
    """The components of a coordinate file."""
    rows, columns, count = sizes
    width = 2 + banner.value_columns
    what = f"two coordinates and {banner.value_columns} numbers" if banner.value_columns else "two coordinates"
    numbers = table(path, body, first, width, what)
    if len(numbers) != count:
        raise FileError(f"{path.name}: the size line promises {count} entries, but the file holds {len(numbers)}")
    coords = integral(path, body, first, numbers[:, :2], (rows, columns))
    values = typed(path, body, first, numbers[:, 2:], banner)
    if banner.symmetry != "general" and rows != columns:
        raise FileError(f"{path.name}: a {banner.symmetry} matrix is square, this one is {rows} by {columns}")
    if banner.symmetry == "skew-symmetric" and (coords[0] == coords[1]).any():
        row = int(np.flatnonzero(coords[0] == coords[1])[0])
        raise malformed(path, line_of(body, first, row), "a skew-symmetric matrix stores nothing on the diagonal")
    return completed(coords, values, (rows, columns), banner.symmetry)


def array(path: Path, body: bytes, first: int, banner: Banner, sizes: list[int]) -> Components:
    """The components of an array file: dense by columns; symmetric ones hold the lower triangle."""
    rows, columns = sizes
    numbers = table(path, body, first, banner.value_columns, f"{banner.value_columns} numbers")
    j, i = np.divmod(np.arange(rows * columns), max(rows, 1))
    if banner.symmetry != "general":
        kept = i > j if banner.symmetry == "skew-symmetric" else i >= j
        i, j = i[kept], j[kept]
    if len(numbers) != len(i):
        raise FileError(f"{path.name}: {rows} by {columns} needs {len(i)} values, but the file holds {len(numbers)}")
    return completed(np.stack([i, j]), typed(path, body, first, numbers, banner), (rows, columns), banner.symmetry)


def typed(path: Path, body: bytes, first: int, numbers: np.ndarray, banner: Banner) -> np.ndarray:
    """Values in the dtype of the field."""
    match banner.field:
        case "pattern":
            return np.ones(len(numbers))
        case "complex":
            return numbers[:, 0] + 1j * numbers[:, 1]
        case "integer" | "unsigned-integer":
            return integers(
                path, body, first, len(numbers), np.dtype("int64" if banner.field == "integer" else "uint64")
            )
        case _:
            return numbers[:, 0]


def integers(path: Path, body: bytes, first: int, count: int, dtype: np.dtype) -> np.ndarray:
    """The last word of every line as an integer, exactly."""
    values = np.empty(count, dtype)
    for row, (number, words) in enumerate(numbered(body, first)):
        try:
            values[row] = int(words[-1])
        except (ValueError, OverflowError):
            raise malformed(path, number, f"{words[-1]!r} is not an integer that {dtype} holds") from None
    return values


def completed(coords: np.ndarray, values: np.ndarray, shape: tuple[int, ...], symmetry: str) -> Components:
    """Components with the mirrored half that a symmetry implies."""
    if symmetry == "general":
        return Components(coords, values, shape)
    off = coords[0] != coords[1]
    mirrored = values[off]
    if symmetry == "skew-symmetric":
        mirrored = -mirrored
    elif symmetry == "hermitian":
        mirrored = np.conj(mirrored)
    return Components(np.concatenate([coords, coords[::-1, off]], axis=1), np.concatenate([values, mirrored]), shape)


def write_matrix_market(path: Path, tensor: Tensor) -> None:
    """Write a matrix as a general coordinate file. Raises FileError for other orders or fills."""
    if tensor.order != 2 or tensor.fill != 0:
        raise FileError(f"{path.name}: Matrix Market holds matrices with fill 0, this is {tensor!r}")
    coords, values = tensor.components()
    field = {"c": "complex", "i": "integer", "u": "integer", "b": "integer"}.get(tensor.dtype.kind, "real")
    lines = [f"%%MatrixMarket matrix coordinate {field} general", f"{tensor.shape[0]} {tensor.shape[1]} {len(values)}"]
    for i, j, value in zip(coords[0] + 1, coords[1] + 1, values.tolist(), strict=True):
        shown = (
            f"{value.real!r} {value.imag!r}"
            if field == "complex"
            else repr(int(value))
            if field == "integer"
            else repr(value)
        )
        lines.append(f"{i} {j} {shown}")
    path.write_text("\n".join(lines) + "\n")
