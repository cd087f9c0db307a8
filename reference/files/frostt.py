"""FROSTT tensor files (.tns): one component a line, coordinates that count from 1 and then the value.

`#` starts a comment. The file names no shape: it is the largest coordinate of each mode, unless one is given.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from ..errors import FileError
from ..storage.tensor import Tensor
from .components import Components
from .text import Text

COMMENT = b"#"
PIECE = 2**14
"""How many lines are written at a time."""
INT, REAL = np.dtype("int64"), np.dtype("float64")


def read_frostt(text: Text, shape: tuple[int, ...] | None = None) -> Components:
    """The components of a FROSTT file. Raises FileError with the line that is wrong."""
    first = next(text.lines(), None)
    if first is None:
        if shape == ():
            raise FileError(f"{text.name}: a FROSTT file holds tensors of order 1 or more", rule="file.frostt")
        if shape is not None:
            return Components(np.zeros((len(shape), 0), np.int64), np.zeros(0), shape)
        raise FileError(
            f"{text.name}: the file holds no component, so its shape is not known",
            hint="read it in Python, with gn.read(path, shape=...)",
            rule="file.frostt.shape",
        )
    number, words = first
    order = len(words) - 1 if shape is None else len(shape)
    if order < 1:
        raise text.line_error(
            number, f"expected coordinates and a value, but found {words[0][:60]!r}", rule="file.frostt"
        )
    columns = text.table(0, [INT] * order + [REAL], f"{order} coordinates and a value")
    coords = text.indices(0, columns[:-1], shape)
    if shape is None:
        shape = tuple(int(n) + 1 for n in coords.max(axis=1))
    return Components(coords, columns[-1], shape)


def other_than(tensor: Tensor) -> str:
    """What to write instead of a tensor that FROSTT files cannot hold."""
    if tensor.order == 0:
        return "print the number, or write a tensor that has modes"
    if tensor.dtype.kind == "c":
        return "write its parts, as of B(i) = real(A(i)) and B(i) = imag(A(i)), or a matrix to a .mtx file"
    return "evaluate B(i) = A(i) with a dense result, which has fill 0, and write that"


def frostt(name: str, tensor: Tensor) -> str:
    """The text of the stored components. Raises FileError for what FROSTT files cannot hold."""
    if tensor.order == 0 or tensor.dtype.kind == "c" or tensor.fill != 0:
        raise FileError(
            f"{name}: FROSTT files hold real tensors of order 1 or more with fill 0, but this is {tensor!r}",
            hint=other_than(tensor),
            rule="file.frostt.written",
        )
    coords, values = tensor.components()
    numbers = values.astype(np.uint8) if values.dtype.kind == "b" else values
    lines = [rows([*(coords[:, n : n + PIECE] + 1), numbers[n : n + PIECE]]) for n in range(0, len(values), PIECE)]
    return "".join([f"# shape {' '.join(map(str, tensor.shape))}\n", *lines])


def rows(columns: Sequence[np.ndarray]) -> str:
    """Columns of numbers as lines of words. JSON is written fast, but has no word for what is not finite.

    >>> rows([np.array([3, 4]), np.array([1.5, -np.inf])])
    '3 1.5\\n4 -inf\\n'
    """
    numbers = list(zip(*(column.tolist() for column in columns), strict=True))
    if not np.isfinite(columns[-1]).all():
        return "".join(" ".join(map(repr, row)) + "\n" for row in numbers)
    return msgspec.json.encode(numbers).decode()[2:-2].replace("],[", "\n").replace(",", " ") + "\n"
