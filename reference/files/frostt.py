"""FROSTT tensor files (.tns): one component a line, 1-based coordinates and then the value."""

from __future__ import annotations

from pathlib import Path

from ..errors import FileError
from ..tensor import Tensor
from .components import Components, content, integral, malformed, numbered, table


def read_frostt(path: Path) -> Components:
    """The components of a FROSTT file; the shape is the largest coordinate of each mode. Raises FileError."""
    data = content(path)
    start = 0
    while data[start : start + 1] in (b"#", b"\n", b"%"):
        start = data.find(b"\n", start) + 1 or len(data)
    words = data[start : data.find(b"\n", start) if b"\n" in data[start:] else len(data)].split()
    if not words:
        raise FileError(f"{path.name}: the file holds no component, so the order of the tensor is not known")
    if len(words) < 2:
        number, text = numbered(data, 0)[0]
        raise malformed(path, number, f"expected coordinates and a value, but found {' '.join(text)[:60]!r}")
    numbers = table(path, data, 0, len(words), f"{len(words) - 1} coordinates and a value")
    coords = integral(path, data, 0, numbers[:, :-1], None)
    return Components(coords, numbers[:, -1], tuple(int(n) + 1 for n in coords.max(axis=1)))


def write_frostt(path: Path, tensor: Tensor) -> None:
    """Write the stored components of a real tensor. Raises FileError for complex values."""
    if tensor.dtype.kind == "c":
        raise FileError(f"{path.name}: FROSTT files hold real values, this is {tensor!r}")
    lines = [" ".join([*(str(c + 1) for c in i), repr(v + 0)]) for i, v in tensor.entries()]
    path.write_text("\n".join(lines) + "\n" if lines else "# no components\n")
