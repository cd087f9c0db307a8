"""Choosing a file format by suffix, and saying so when the content is something else."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..algebra.dtypes import Number
from ..errors import FileError
from ..storage.format import Format
from ..storage.packing import checked_shape, pack
from ..storage.spec import Spec, storage_spec
from ..storage.tensor import Tensor
from . import frostt as tns
from . import matrix_market as mtx
from .components import Components
from .text import Text, read_text, write_text

READERS = {".mtx": mtx.read_matrix_market, ".tns": tns.read_frostt}
WRITERS = {".mtx": mtx.matrix_market, ".tns": tns.frostt}
COMMENTS = {".mtx": mtx.COMMENT, ".tns": tns.COMMENT}


def read(
    path: str | Path,
    format: str | Format | Spec | None = None,
    *,
    shape: Sequence[int] | None = None,
    dtype: Any = None,
    fill: Number | None = None,
    index: Any = None,
) -> Tensor:
    """The tensor in a `.mtx` or `.tns` file, `.gz` or not, packed into a format or by a spec (COO if none is given).

    `shape` is for FROSTT files, which name none. Without `dtype` the values are float64, int64, uint64 or complex128,
    as the file says; a pattern holds ones. Duplicates add up. Raises FileError, with the line, for files that are
    malformed or not what their suffix says; DtypeError for values that `dtype` cannot hold.
    """
    asked = storage_spec("COO" if format is None else format, dtype, fill, index)
    dtype = asked.dtype
    found = read_components(path, shape)
    if dtype is None and found.values.dtype == np.bool_:
        dtype = np.float64
    if dtype is not None:
        found = found.astype(dtype)
    return pack(found.coords, found.values, found.shape, asked.format, fill=asked.fill, index=asked.index)


def read_components(path: str | Path, shape: Sequence[int] | None = None) -> Components:
    """The components in a file, after a look at its first bytes."""
    path = checked_path(path, "gn.read(path)")
    extents = None if shape is None else checked_shape(shape)
    suffix = kind(path)
    text = read_text(path, COMMENTS[suffix])
    if suffix != ".mtx" and looks_like_matrix_market(text):
        raise FileError(
            f"{path.name} is a Matrix Market file, whatever its suffix says",
            hint="rename it to .mtx",
            rule="file.suffix",
        )
    return READERS[suffix](text, extents)


def looks_like_matrix_market(text: Text) -> bool:
    """Whether a text starts with the banner of Matrix Market."""
    return text.data[: len(mtx.MARK)].lower() == mtx.MARK


def write(path: str | Path, tensor: Tensor) -> None:
    """Write the stored components to a `.mtx` or `.tns` file, packed if it ends in `.gz`. Raises FileError,
    StorageError for a tensor whose arrays are damaged."""
    path = checked_path(path, "gn.write(path, tensor)")
    if not isinstance(tensor, Tensor):
        hint = "make one of it, for example with gn.from_numpy(array, 'COO')"
        raise FileError(
            f"expected a tensor to write, but found {type(tensor).__name__}", hint=hint, rule="error.python"
        )
    write_text(path, WRITERS[kind(path)](path.name, tensor.as_readable()))


def checked_path(path: Any, usage: str) -> Path:
    """The path that a user named. Raises FileError for a value that is no path."""
    if not isinstance(path, str | os.PathLike):
        raise FileError(
            f"expected a path as text, but found {type(path).__name__}", hint=f"write {usage}", rule="error.python"
        )
    if "\0" in os.fspath(path):
        raise FileError("a path cannot hold the character 0", hint=f"write {usage}", rule="error.python")
    return Path(path)


def kind(path: Path) -> str:
    """The suffix that says what a file is, without `.gz`."""
    bare = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    found = bare.suffix.lower()
    if found not in READERS:
        raise FileError(
            f"{path.name or path}: unknown kind of file",
            hint=f"known suffixes: {', '.join(READERS)}, and .gz",
            rule="file.suffix",
        )
    return found
