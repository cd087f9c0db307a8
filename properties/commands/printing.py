"""Tensors as text and as JSON: dense if they are small, else some of their entries; the arrays that store them.

And pictures as files.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import click
import numpy as np

from ...reference.files.text import write_text
from ...reference.storage.tensor import Tensor
from ..command_line.output import plain

SMALL = 200
ENTRIES = 20


def print_tensor(tensor: Tensor) -> str:
    """A tensor's kind and its values: a small matrix or vector whole, of others the first entries.

    >>> from gnomon.reference.storage.packing import tensor
    >>> print(print_tensor(tensor([[7], [0]], [2.5], (90000, 90000), "COO")))
    <90000×90000 float64 tensor in COO, 1 values, fill 0.0>
    (7, 0) 2.5
    """
    if math.prod(tensor.shape) <= SMALL and tensor.order <= 2:
        return f"{tensor!r}\n{tensor.to_numpy()}"
    first = list(islice(tensor.entries(), ENTRIES))
    lines = [f"({', '.join(map(str, i))}) {value}" for i, value in first]
    if len(first) == ENTRIES and (more := tensor.nnz - ENTRIES) > 0:
        lines.append(f"… and {more} more")
    return "\n".join([repr(tensor), *lines])


def entries_as_json(tensor: Tensor) -> list[Any]:
    """The first entries, each a list of coordinates and a value."""
    return [[list(i), plain(value)] for i, value in islice(tensor.entries(), SMALL)]


def arrays_of(tensor: Tensor) -> Iterator[tuple[str, Mapping[str, np.ndarray | int]]]:
    """What every level stores, outermost first, then what several levels share, then the values."""
    for k, (level, store) in enumerate(zip(tensor.format.levels, tensor.levels, strict=True), 1):
        yield f"level {k}, {level.name}", {"extent": tensor.extents[k - 1], **store}
    if tensor.shared:
        yield "shared", tensor.shared
    yield "values", {"vals": tensor.vals}


def arrays(tensor: Tensor) -> str:
    """The arrays that store a tensor, one a line: whole ones if they are short, else their beginning.

    >>> from gnomon.reference.storage.packing import tensor
    >>> print(arrays(tensor([[0, 1, 1], [2, 0, 1]], [5.0, 6.0, 7.0], (2, 3), "CSR")))
    level 1, dense
      extent = 2
    level 2, compressed
      extent = 3
      pos = [0, 1, 3]
      crd = [2, 0, 1]
    values
      vals = [5.0, 6.0, 7.0]
    """
    lines = []
    for where, stored in arrays_of(tensor):
        lines.append(where)
        lines += [f"  {name} = {abbreviate(value)}" for name, value in stored.items()]
    return "\n".join(lines)


def abbreviate(value: np.ndarray | int) -> str:
    """A parameter, or an array's first elements and how many more there are."""
    if not isinstance(value, np.ndarray):
        return str(value)
    more = f", … and {value.size - SMALL} more" if value.size > SMALL else ""
    return f"[{', '.join(map(str, value.reshape(-1)[:SMALL].tolist()))}{more}]"


def arrays_as_json(tensor: Tensor) -> dict[str, Any]:
    """The arrays that store a tensor, whole, by where they are and by name."""
    return {where: {name: plain_array(value) for name, value in stored.items()} for where, stored in arrays_of(tensor)}


def plain_array(value: np.ndarray | int) -> Any:
    """An array or a parameter as JSON holds it."""
    return [plain(each) for each in value.reshape(-1).tolist()] if isinstance(value, np.ndarray) else value


def write_svg(path: Path | None, pictures: list[tuple[str, str]]) -> None:
    """Write pictures to a file each."""
    if path is None:
        return
    for n, (what, picture) in enumerate(pictures):
        name = path if n == 0 else path.with_stem(f"{path.stem}-{n}")
        write_text(name, picture)
        click.echo(f"wrote {name}: {what}")
