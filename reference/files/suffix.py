"""Choosing a reader or writer by suffix, and saying so when the content is something else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import FileError
from ..format import Format
from ..packing import pack
from ..syntax import Number
from ..tensor import Tensor
from .components import Components, content
from .frostt import read_frostt, write_frostt
from .matrix_market import read_matrix_market, write_matrix_market

READERS = {".mtx": read_matrix_market, ".tns": read_frostt}
WRITERS = {".mtx": write_matrix_market, ".tns": write_frostt}
MARK = b"%%matrixmarket"


def read(
    path: str | Path, format: str | Format | None = None, *, dtype: Any = None, fill: Number = 0, index: Any = "int32"
) -> Tensor:
    """The tensor in a `.mtx` or `.tns` file, gzip or not, packed into a format (COO if none is given).

    Raises FileError, with the line, for files that are malformed or not what their suffix says.
    """
    path = Path(path)
    found = read_components(path)
    return pack(
        found.coords,
        found.values,
        found.shape,
        "COO" if format is None else format,
        dtype=dtype,
        fill=fill,
        index=index,
    )


def kind(path: Path) -> str:
    """The suffix that says what a file is, without `.gz`."""
    suffixes = [s.lower() for s in path.suffixes if s.lower() != ".gz"]
    found = suffixes[-1] if suffixes else ""
    if found not in READERS:
        raise FileError(f"{path.name}: unknown kind of file", hint=f"known suffixes: {', '.join(READERS)}, and .gz")
    return found


def read_components(path: Path) -> Components:
    """The components of a file, after a look at its first bytes."""
    suffix = kind(path)
    marked = content(path)[: len(MARK)].lower() == MARK
    if marked and suffix != ".mtx":
        raise FileError(f"{path.name} is a Matrix Market file, whatever its suffix says", hint="rename it to .mtx")
    return READERS[suffix](path)


def write(path: str | Path, tensor: Tensor) -> None:
    """Write a tensor to a `.mtx` or `.tns` file. Raises FileError."""
    path = Path(path)
    try:
        WRITERS[kind(path)](path, tensor)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from None
