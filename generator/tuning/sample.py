"""Representative operands for a request whose data is not known yet: what the tuner measures on.

Sparse operands have more components than a second-level cache holds. Coordinates of the first mode are skewed, those of
the others random; for formats that are as wide as the fullest row they lie near the diagonal. Where all operands are
dense, they are as large as keeps a product of matrices within milliseconds. What a format cannot hold above the
diagonal is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...reference.errors import StorageError
from ...reference.files.operands import operand_tensors
from ...reference.levels.level import Level
from ...reference.notation.syntax import Access
from ...reference.storage.format import Format
from ...reference.storage.packing import pack
from ...reference.storage.room import positions
from ...reference.storage.tensor import Tensor
from ..runtime.request import Request
from ..storage.layout import Layout

COMPONENTS = 200_000
MOST = 2_000_000
LONG, SHORT = {1: 200_000, 2: 20_000, 3: 600}, 64
DENSE = {1: 200_000, 2: 256}
NEAR = 4


def sample(request: Request) -> dict[str, Tensor]:
    """An operand of each layout, with extents that fit together."""
    extents = extents_of(request)
    rng = np.random.default_rng(0)
    found: dict[str, Tensor] = {}
    for access in request.reads:
        shape = tuple(extents[v] for v in access.indices)
        found[access.tensor] = draw_tensor(request.declarations[access.tensor], shape, rng)
    own = request.text.coordinate_places
    known = operand_tensors(request.text, {n: t for n, t in found.items() if n not in own}, request.ring)
    return {name: known[name] for name in request.declarations}


def extents_of(request: Request) -> dict[str, int]:
    """The extent of each variable, as long as no operand needs too many positions whatever it holds."""
    for shrunk in (1, 4, 16, 64):
        extents = lengths(request, shrunk)
        formats = {a: request.declarations[a.tensor].format for a in request.reads}
        if all(positions(format, [extents[v] for v in a.indices]) <= MOST for a, format in formats.items()):
            break
    return extents


def lengths(request: Request, shrunk: int) -> dict[str, int]:
    """Extents that are long if a sparse operand has the variable, and the longer the fewer variables it has."""
    found: dict[str, int] = {}
    sparse = [access for access in request.reads if is_sparse(request, access)]
    long = LONG if sparse else DENSE
    for access in sparse or request.reads:
        for v in access.indices:
            found[v] = min(max(long.get(len(access.indices), 60) // shrunk, 8), found.get(v, 2**31))
    return fit_together({v: found.get(v, SHORT) for access in request.reads for v in access.indices}, request.reads)


def fit_together(extents: Mapping[str, int], reads: Sequence[Access]) -> dict[str, int]:
    """Extents of variables with which every tensor has one shape, however often it is read: the least of each mode.

    >>> fit_together({"i": 8, "k": 4, "j": 6}, [Access("A", ("i", "k")), Access("A", ("k", "j"))])
    {'i': 4, 'k': 4, 'j': 4}
    """
    modes = [
        [a.indices[m] for a in reads if a.tensor == read.tensor] for read in reads for m in range(len(read.indices))
    ]
    found = dict(extents)
    while unequal := [each for each in modes if len({found[v] for v in each}) > 1]:
        for each in unequal:
            found |= dict.fromkeys(each, min(found[v] for v in each))
    return found


def is_sparse(request: Request, access: Access) -> bool:
    """Whether an operand leaves components out."""
    return not request.declarations[access.tensor].format.is_whole


def draw_tensor(layout: Layout, shape: tuple[int, ...], rng: np.random.Generator) -> Tensor:
    """A tensor in a layout: every component, or a random choice."""
    format = layout.format
    if format.is_whole:
        coords = np.indices(shape).reshape(len(shape), -1)
    else:
        count = min(COMPONENTS, int(np.prod(shape, dtype=float)) // 4 + 1)
        first = (rng.random(count) ** 2 * shape[0]).astype(np.int64)
        others = [rng.integers(0, n, count) for n in shape[1:]]
        if is_regular(format):
            first = rng.integers(0, shape[0], count)
            others = [np.clip(first + rng.integers(-NEAR, NEAR + 1, count), 0, n - 1) for n in shape[1:]]
        coords = np.unique(np.stack([first, *others]), axis=1)
    values = rng.integers(1, 3, coords.shape[1]).astype(layout.dtype)
    index = np.dtype(next((width for _, _, width in layout.index), "int32"))
    try:
        return pack(coords, values, shape, format, fill=layout.fill, index=index)
    except StorageError:
        lower = np.all(coords[1:] <= coords[0], axis=0)
        return pack(coords[:, lower], values[lower], shape, format, fill=layout.fill, index=index)


def is_regular(format: Format) -> bool:
    """Whether a format suits only data with some regularity: blocks, diagonals, bands, slots, equally wide rows."""
    looks = any(type(level).analyse is not Level.analyse for level in format.levels)
    return looks or not format.map.is_permutation
