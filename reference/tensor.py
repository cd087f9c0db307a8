"""Tensors: NumPy arrays per level and values, read as a coordinate hierarchy (Chou 2018, section 3.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import StorageError
from .format import Format
from .levels.level import CoordinatePositionIteration, CoordinateValueIteration, Level
from .scalars import cast, scalars
from .syntax import Number

if TYPE_CHECKING:
    import scipy.sparse

Coordinates = tuple[int, ...]
Storage = Mapping[str, "np.ndarray | int"]
LARGEST = 10**9


@dataclass(frozen=True, eq=False)
class Tensor:
    """A tensor of some shape, dtype and fill value, stored in a format.

    `levels` holds each level's arrays and parameters by name, `shared` the arrays that several levels read, `extents`
    the extent of each level's coordinate, and `vals` a value per position of the last level. Arrays are read-only.
    """

    format: Format
    shape: tuple[int, ...]
    dtype: np.dtype
    fill: Number
    levels: tuple[Storage, ...]
    shared: Mapping[str, np.ndarray]
    extents: tuple[int, ...]
    vals: np.ndarray

    @property
    def order(self) -> int:
        """The number of modes."""
        return len(self.shape)

    @property
    def nnz(self) -> int:
        """The number of stored components."""
        return sum(1 for _ in self.entries())

    def storage(self, k: int) -> dict[str, Any]:
        """Everything that level `k` is bound to, arrays as lists."""
        own = {name: a.tolist() if isinstance(a, np.ndarray) else a for name, a in self.levels[k].items()}
        common = {name: a.tolist() for name, a in self.shared.items()}
        following = self.extents[k + 1] if k + 1 < len(self.extents) else 0
        return {**common, **own, "N": self.extents[k], "M": following}

    def bound(self) -> tuple[Level, ...]:
        """The level formats over this tensor's arrays, as Python lists."""
        return tuple(level.bind(self.storage(k)) for k, level in enumerate(self.format.levels))

    def stored(self) -> Iterator[tuple[Coordinates, int]]:
        """Level coordinates and leaf position of everything that the levels encode, in storage order."""
        yield from descend(self.bound(), (), 0)

    def entries(self) -> Iterator[tuple[Coordinates, Any]]:
        """Every stored component, duplicates included; padding outside the shape is not one.

        >>> list(tensor([[0, 1], [2, 0]], [5.0, 7.0], (2, 3), "CSR").entries())
        [((0, 2), 5.0), ((1, 0), 7.0)]
        """
        values = scalars(self.vals)
        for c, p in self.stored():
            i = self.format.map.invert(c)
            if all(x < n for x, n in zip(i, self.shape, strict=True)):
                yield i, values[p]

    def components(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates, of shape (order, n), and values of every stored component."""
        found = list(self.entries())
        coords = np.array([i for i, _ in found], np.int64).reshape(len(found), self.order).T
        values = np.empty(len(found), self.dtype)
        values[:] = [v for _, v in found]
        return coords, values

    def to_numpy(self) -> np.ndarray:
        """The tensor as a dense array; duplicates add up. Raises StorageError if that would not fit in memory."""
        count = int(np.prod([int(n) for n in self.shape], dtype=object)) if self.shape else 1
        if count * self.dtype.itemsize > LARGEST * 8:
            raise StorageError(f"a dense array of shape {self.shape} does not fit in memory", hint="keep it sparse")
        dense = np.full(self.shape, self.fill, self.dtype)
        seen: set[Coordinates] = set()
        with np.errstate(all="ignore"):
            for i, value in self.entries():
                dense[i] = dense[i] + value if i in seen else value
                seen.add(i)
        return dense

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.to_numpy(), dtype)

    def to_scipy(self) -> scipy.sparse.coo_array:
        """A SciPy COO array of the stored components. The fill must be zero."""
        import scipy.sparse

        if self.fill != 0:
            raise StorageError(f"SciPy arrays have fill 0, this tensor has {self.fill}", hint="use to_numpy()")
        coords, values = self.components()
        return scipy.sparse.coo_array((values, tuple(coords)), shape=self.shape)

    def convert(self, format: str | Format) -> Tensor:
        """The same components in another format."""
        from .packing import pack

        coords, values = self.components()
        return pack(coords, values, self.shape, format, dtype=self.dtype, fill=self.fill)

    def validate(self) -> None:
        """Raise StorageError if an invariant of the format is broken, naming the first."""
        from .validation import validate

        validate(self)

    def __repr__(self) -> str:
        size = "×".join(map(str, self.shape)) or "scalar"
        stored = f"tensor in {self.format}, {len(self.vals)} values" if self.format.levels else "tensor"
        return f"<{size} {self.dtype.name} {stored}, fill {self.fill}>"


def descend(levels: tuple[Level, ...], path: Coordinates, p: int) -> Iterator[tuple[Coordinates, int]]:
    """The leaves below position `p`, whose ancestors have the coordinates `path`."""
    k = len(path)
    if k == len(levels):
        yield path, p
        return
    level = levels[k]
    if isinstance(level, CoordinatePositionIteration):
        begin, end = level.pos_bounds(p)
        for q in range(begin, end):
            c, found = level.pos_access(q, path)
            if found:
                yield from descend(levels, (*path, c), q)
    elif isinstance(level, CoordinateValueIteration):
        begin, end = level.coord_bounds(path)
        for c in range(begin, end):
            q, found = level.coord_access(p, (*path, c))
            if found:
                yield from descend(levels, (*path, c), q)


def tensor(
    coords: Any,
    values: Any,
    shape: tuple[int, ...],
    format: str | Format = "COO",
    *,
    dtype: Any = None,
    fill: Number = 0,
    index: Any = np.int32,
) -> Tensor:
    """Pack components into a format.

    `coords` has shape (order, n), one column per component; duplicates add up unless the format can hold them. Raises
    StorageError for coordinates outside the shape.
    """
    from .packing import pack

    return pack(np.asarray(coords), np.asarray(values), shape, format, dtype=dtype, fill=fill, index=index)


def scalar(value: Any, dtype: Any = None) -> Tensor:
    """A tensor of order 0."""
    array = np.asarray(value, dtype)
    return Tensor(Format(()), (), array.dtype, cast(0, array.dtype), (), {}, (), array.reshape(1))
