"""Tensors: NumPy arrays per level and values, read as a coordinate hierarchy (Chou 2018, section 3.1)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra.scalars import cast, scalars
from ..errors import FormatError, StorageError
from ..levels.level import Level
from ..notation.syntax import Number
from .enumeration import Storage, as_lists, descend, enumerated
from .format import Format

if TYPE_CHECKING:
    import scipy.sparse

    from .spec import Spec

Coordinates = tuple[int, ...]
LARGEST = 2**31
SCIPY = {"CSR": "csr", "CSC": "csc", "DIA": "dia"}


@dataclass(frozen=True, eq=False)
class Tensor:
    """A tensor of some shape, dtype and fill value, stored in a format.

    `levels` holds each level's arrays and parameters by name, `shared` the arrays that several levels read, `extents`
    the extent of each level's coordinate, and `vals` a value per position of the last level. All of them are read-only:
    what code that is trusted has built stays as it was.
    """

    format: Format
    shape: tuple[int, ...]
    dtype: np.dtype
    fill: Number
    levels: tuple[Storage, ...]
    shared: Mapping[str, np.ndarray]
    extents: tuple[int, ...]
    vals: np.ndarray
    sound: bool = field(default=False, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "levels", tuple([read_only(store) for store in self.levels]))
        object.__setattr__(self, "shared", read_only(self.shared))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "levels": tuple(dict(store) for store in self.levels), "shared": dict(self.shared)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()
        for array in (self.vals, *(a for store in (*self.levels, self.shared) for a in store.values())):
            if self.sound and isinstance(array, np.ndarray):
                array.flags.writeable = False

    def trusted(self) -> Tensor:
        """This tensor, marked as built by code that keeps every invariant: it need not be validated before use.

        Whether a level that is declared full is so depends on the data, so that must still be looked at.
        """
        depends = any(level.full and "full" in level.configurable for level in self.format.levels)
        object.__setattr__(self, "sound", not depends)
        return self

    @property
    def order(self) -> int:
        """The number of modes."""
        return len(self.shape)

    @property
    def nnz(self) -> int:
        """The number of stored components."""
        return len(self.components()[1])

    def storage(self, k: int) -> dict[str, Any]:
        """Everything that level `k` is bound to: arrays, parameters and extents by name."""
        following = self.extents[k + 1] if k + 1 < len(self.extents) else 0
        return {**self.shared, **self.levels[k], "N": self.extents[k], "M": following}

    def bound(self) -> tuple[Level, ...]:
        """The level formats over this tensor's arrays, as Python lists."""
        return tuple(level.bind(as_lists(self.storage(k))) for k, level in enumerate(self.format.levels))

    def stored(self) -> Iterator[tuple[Coordinates, int]]:
        """Level coordinates and leaf position of everything that the levels encode, in storage order."""
        yield from descend(self.bound(), (), 0)

    def entries(self) -> Iterator[tuple[Coordinates, Any]]:
        """Every stored component, duplicates included; padding outside the shape is not one.

        >>> list(tensor([[0, 1], [2, 0]], [5.0, 7.0], (2, 3), "CSR").entries())
        [((0, 2), 5.0), ((1, 0), 7.0)]
        """
        coords, values = self.components()
        yield from zip(zip(*coords.tolist(), strict=True) if self.order else [()], scalars(values), strict=True)

    def components(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates, of shape (order, n), and values of every stored component, in storage order.

        Duplicates are components of their own; padding outside the shape is none.
        """
        path, p = enumerated(self.format, [self.storage(k) for k in range(len(self.format.levels))])
        i = np.array(self.format.map.invert(path), np.int64).reshape(self.order, len(p))
        inside = np.all(i < np.array(self.shape, np.int64).reshape(-1, 1), axis=0)
        return (i, self.vals[p]) if inside.all() else (i[:, inside], self.vals[p[inside]])

    def to_numpy(self) -> np.ndarray:
        """The tensor as a dense array; duplicates add up.

        The array is read-only where the values are stored as one: it shares their memory. Raises StorageError if it
        would not fit in memory, MeaningError if duplicate integers overflow.
        """
        from .vectorised import holds_duplicates, summed

        if self.format.is_array:
            return as_array(self)
        size = math.prod(self.shape) * self.dtype.itemsize
        if size > LARGEST:
            raise StorageError(f"a dense array of shape {self.shape} does not fit in memory", hint="keep it sparse")
        dense = np.full(self.shape, self.fill, self.dtype)
        coords, values = self.components()
        indices = tuple(coords)
        if holds_duplicates(self.format):
            indices, values = summed(indices, values)
        dense[indices] = values
        return dense

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> np.ndarray:
        if copy is False and not self.format.is_array:
            raise ValueError("a sparse tensor cannot be seen as a dense array without a copy")
        return np.array(self.to_numpy(), dtype, copy=copy)

    def to_scipy(self) -> scipy.sparse.sparray:
        """A SciPy sparse array of the stored components, in SciPy's form of this format if it has one, else COO.

        Raises StorageError if the fill is not zero, or for an order that SciPy does not store.

        >>> tensor([[0, 1], [2, 0]], [5.0, 7.0], (2, 3), "CSC").to_scipy().format
        'csc'
        """
        import scipy.sparse

        if self.fill != 0:
            raise StorageError(f"SciPy arrays have fill 0, this tensor has {self.fill}", hint="use to_numpy()")
        if self.order == 0:
            raise StorageError("SciPy stores no arrays of order 0", hint="use to_numpy()")
        coords, values = self.components()
        array = scipy.sparse.coo_array((values, tuple(coords)), shape=self.shape)
        return array.asformat(SCIPY.get(str(self.format), "coo"))

    def convert(self, format: str | Format | Spec) -> Tensor:
        """The same components in another format; duplicates add up where it cannot hold them.

        A spec may ask for another dtype, never for another fill.
        """
        from ..statement.substitution import same_value
        from .packing import pack
        from .spec import spec

        asked = spec(format)
        if asked.fill is not None and not same_value(asked.fill, self.fill):
            raise FormatError(f"fill is {asked.fill} in the spec, but the tensor has {self.fill}", hint="leave it out")
        coords, values = self.components()
        dtype = self.dtype if asked.dtype is None else asked.dtype
        return pack(coords, values, self.shape, asked.format, dtype=dtype, fill=self.fill, index=asked.index)

    def __add__(self, other: Any) -> Any:
        return joined("+", self, other)

    def __radd__(self, other: Any) -> Any:
        return joined("+", other, self)

    def __sub__(self, other: Any) -> Any:
        return joined("-", self, other)

    def __rsub__(self, other: Any) -> Any:
        return joined("-", other, self)

    def __mul__(self, other: Any) -> Any:
        return joined("*", self, other)

    def __rmul__(self, other: Any) -> Any:
        return joined("*", other, self)

    def __truediv__(self, other: Any) -> Any:
        return joined("/", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return joined("/", other, self)

    def __matmul__(self, other: Any) -> Any:
        return joined("@", self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return joined("@", other, self)

    def __neg__(self) -> Tensor:
        from ..execution.arithmetic import negated

        return negated(self)

    @property
    def T(self) -> Tensor:
        """The tensor with its modes in reverse order, over the same arrays.

        >>> str(tensor([[0], [2]], [5.0], (2, 3), "CSR").T.format)
        'CSC'
        """
        from ..execution.arithmetic import transposed

        return transposed(self)

    def __getitem__(self, key: Any) -> Any:
        from ..execution.arithmetic import part

        return part(self, key)

    def __iter__(self) -> Iterator[Any]:
        if not self.order:
            raise TypeError("a scalar has no parts")
        return (self[n] for n in range(self.shape[0]))

    def __eq__(self, other: object) -> Any:
        from ..execution.arithmetic import equal

        return equal(self, other)

    __hash__ = None  # type: ignore[assignment]  # equal tensors may be stored in different ways
    __array_priority__ = 1000  # NumPy leaves operators to a tensor beside its arrays

    def validate(self) -> None:
        """Raise StorageError if an invariant of the format is broken, naming the first."""
        from .validation import validate

        validate(self)

    def __repr__(self) -> str:
        size = "×".join(map(str, self.shape)) or "scalar"
        stored = f"tensor in {self.format}, {len(self.vals)} values" if self.format.levels else "tensor"
        return f"<{size} {self.dtype.name} {stored}, fill {self.fill}>"


def read_only(store: Storage) -> Storage:
    """A view of a copy of what a level stores, by which nothing can be changed."""
    return store if type(store) is MappingProxyType else MappingProxyType(dict(store))


def joined(operator: str, left: Any, right: Any) -> Any:
    """What an operator of Python makes of two operands."""
    from ..execution.arithmetic import operated

    return operated(operator, left, right)


def as_array(tensor: Tensor) -> np.ndarray:
    """The values of a tensor that is stored as an array, seen in the order of its modes; read-only."""
    modes = tensor.format.stored_modes
    seen = tensor.vals.reshape([tensor.shape[m] for m in modes]).transpose(np.argsort(modes))
    seen.flags.writeable = False
    return seen


def interleaving(format: Format, k: int) -> dict[str, int]:
    """The stride of the array that a chain of array-of-structs levels shares, and the column of level `k` in it."""
    chain = [n for n, level in enumerate(format.levels) if "column" in level.roles()]
    return {"stride": len(chain), "column": chain.index(k)} if k in chain else {}


def tensor(
    coords: Any,
    values: Any,
    shape: tuple[int, ...],
    format: str | Format | Spec = "COO",
    *,
    dtype: Any = None,
    fill: Number | None = None,
    index: Any = None,
) -> Tensor:
    """Pack components into a format.

    `coords` has shape (order, n), one column per component; duplicates add up unless the format can hold them. Fill (0
    unless said), dtype and index (32 bits unless said) may come with a spec. Raises StorageError for coordinates
    outside the shape.
    """
    from .packing import pack

    return pack(coords, values, shape, format, dtype=dtype, fill=fill, index=index)


def scalar(value: Any, dtype: Any = None, fill: Number = 0) -> Tensor:
    """A tensor of order 0."""
    array = np.array(value, dtype)
    array.flags.writeable = False
    return Tensor(Format(()), (), array.dtype, cast(fill, array.dtype), (), {}, (), array.reshape(1)).trusted()
