"""Coordinate hierarchies: NumPy arrays per level and values, and what they hold (Chou 2018, section 3.1)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from ..algebra.dtypes import Number
from ..algebra.scalars import abbreviate, fill_fits, scalars
from ..errors import InternalError, StorageError
from ..levels.level import Indices, Level
from .enumeration import Storage, as_lists, descend, enumerate_leaves
from .format import Format
from .vectorised import sum_duplicates

Coordinates = tuple[int, ...]
LARGEST = 2**31
EXTENT = 2**63 - 1
"""The most that an extent may be: coordinates have 64 bits."""
FIELDS: tuple[tuple[str, Any, Any, str], ...] = (
    ("format", Format, None, "a gnomon.Format"),
    ("shape", tuple, (int, np.integer), "a tuple of integers"),
    ("dtype", np.dtype, None, "a numpy.dtype"),
    ("levels", tuple, Mapping, "a tuple of mappings, one a level"),
    ("shared", Mapping, None, "a mapping of arrays by name"),
    ("extents", tuple, (int, np.integer), "a tuple of integers"),
    ("vals", np.ndarray, None, "a numpy.ndarray"),
)
"""The fields of a tensor that a user may give: their kinds, those of their elements, and both in words."""


class Doubt(IntEnum):
    """What of a tensor is yet to be validated. Where levels are declared full that need not be, whether they are so
    depends on the data, but components can be read."""

    NOTHING = 0
    FULLNESS = 1
    EVERYTHING = 2


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The components of a tensor of some shape, dtype and fill value, stored in a format.

    `levels` holds each level's arrays and parameters by name, `shared` the arrays that several levels read, `extents`
    the extent of each level's coordinate, and `vals` a value per position of the last level. All of them are read-only:
    what code that is trusted has built stays as it was.

    `sound`: built by such code, with the fill at positions that hold no component. `doubt`: what is yet to be
    validated.
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
    doubt: Doubt = field(default=Doubt.EVERYTHING, init=False, repr=False)

    def __post_init__(self) -> None:
        check_fields(self)
        for name in ("shape", "extents"):
            object.__setattr__(self, name, python_integers(getattr(self, name)))
        if isinstance(self.fill, np.integer | np.bool_) or (isinstance(self.fill, np.ndarray) and not self.fill.ndim):
            object.__setattr__(self, "fill", self.fill.item())
        object.__setattr__(self, "levels", tuple([read_only(store) for store in self.levels]))
        object.__setattr__(self, "shared", read_only(self.shared))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "levels": tuple(dict(store) for store in self.levels), "shared": dict(self.shared)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()
        for array in (self.vals, *(a for store in (*self.levels, self.shared) for a in store.values())):
            if self.doubt < Doubt.EVERYTHING and isinstance(array, np.ndarray):
                array.flags.writeable = False

    def with_fill(self, fill: Number) -> Self:
        """The same but for the value of what is not stored."""
        made = replace(self, fill=fill)
        is_kept = self.doubt < Doubt.EVERYTHING and fill_fits(fill, self.dtype)
        return made.leave_doubt(self.doubt) if is_kept else made

    def mark_trusted(self) -> Self:
        """This tensor, marked as built by code that keeps every invariant: it need not be validated before use.

        Whether a level that is declared full is so depends on the data, so that must still be looked at.
        """
        object.__setattr__(self, "sound", not self.format.may_be_full)
        return self.mark_assembled()

    def mark_assembled(self) -> Self:
        """This tensor, marked as one whose arrays are right, but for levels that need not be full as they say."""
        return self.leave_doubt(Doubt.FULLNESS if self.format.may_be_full else Doubt.NOTHING)

    def leave_doubt(self, doubt: Doubt) -> Self:
        """This tensor, of which no more than that is yet to be validated, as nobody changes its arrays."""
        object.__setattr__(self, "doubt", doubt)
        return self

    def validate(self) -> None:
        """Raise StorageError if an invariant of the format is broken, naming the first."""
        raise InternalError("tensors that have values say how they are validated")

    def ensure(self, most: Doubt) -> None:
        """Validate this tensor if more than that is in doubt: once if nobody can change its arrays, else each time.

        Raises StorageError.
        """
        if self.doubt > most:
            self.validate()
            if is_fixed(self):
                self.leave_doubt(Doubt.NOTHING)

    def ensure_readable(self) -> None:
        """Validate this tensor if its arrays may be damaged. Whatever reads components comes by here."""
        self.ensure(Doubt.FULLNESS)

    def as_valid(self) -> Self:
        """This tensor, validated, for those who use it while nobody changes its arrays: it is not looked at again."""
        return self.settle(Doubt.NOTHING)

    def as_readable(self) -> Self:
        """As `as_valid`, for those who read components alone: levels may not be full as they say."""
        return self.settle(Doubt.FULLNESS)

    def settle(self, most: Doubt) -> Self:
        """This tensor, validated if more than that is in doubt, as a value that is not looked at again."""
        self.ensure(most)
        return self.again().leave_doubt(Doubt.NOTHING) if self.doubt > most else self

    def again(self) -> Self:
        """The same arrays as a value of its own, with which whoever has changed them goes on."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        return made

    def in_format(self, format: Format) -> Self:
        """The same arrays in a format that is equal, and may bear another name."""
        made = self.again()
        object.__setattr__(made, "format", format)
        return made

    @property
    def order(self) -> int:
        """The number of modes."""
        return len(self.shape)

    @property
    def ndim(self) -> int:
        """The number of modes, by NumPy's name."""
        return self.order

    @property
    def positions(self) -> int:
        """How many positions the last level has, each with a value."""
        return self.vals.size

    @property
    def nnz(self) -> int:
        """The number of stored components."""
        held = self.as_readable()
        return held.positions if self.format.has_no_gaps else len(held.components()[1])

    def storage(self, k: int) -> dict[str, Any]:
        """Everything that level `k` is bound to: arrays, parameters and extents by name. Levels count from 0."""
        self.check_level(k)
        following = self.extents[k + 1] if k + 1 < len(self.extents) else 0
        return {**self.shared, **self.levels[k], "N": self.extents[k], "M": following}

    def size(self, k: int) -> int:
        """How many positions level `k` has. Levels count from 0."""
        self.check_level(k)
        if k + 1 == len(self.extents):
            return self.positions
        return math.prod(self.extents[: k + 1]) if k < self.format.outer_arrays else self.sizes[k]

    def check_level(self, k: int) -> None:
        """Refuse a level that the tensor has not, with a StorageError."""
        count = min(len(self.levels), len(self.extents))
        if not (isinstance(k, int) and 0 <= k < count):
            levels = f"levels 0 to {count - 1}" if count else "no levels"
            raise StorageError(f"level {abbreviate(k)} of a tensor with {levels}", rule="error.python")

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many positions each level has."""
        self.ensure_readable()
        found = [1]
        for k, level in enumerate(self.format.levels):
            found.append(int(level.bind(self.storage(k)).stored_size(found[-1])))
        return tuple(found[1:])

    def bound_levels(self) -> tuple[Level, ...]:
        """The level formats over this tensor's arrays, as Python lists."""
        self.ensure_readable()
        return tuple(level.bind(as_lists(self.storage(k))) for k, level in enumerate(self.format.levels))

    def leaves(self) -> Iterator[tuple[Coordinates, int]]:
        """Level coordinates and leaf position of everything that the levels encode, in storage order."""
        yield from descend(self.bound_levels(), (), 0)

    def entries(self) -> Iterator[tuple[Coordinates, Any]]:
        """Every stored component, duplicates included; padding outside the shape is not one.

        >>> from gnomon import tensor
        >>> list(tensor([[0, 1], [2, 0]], [5.0, 7.0], (2, 3), "CSR").entries())
        [((0, 2), 5.0), ((1, 0), 7.0)]
        """
        coords, values = self.components()
        yield from zip(zip(*coords.tolist(), strict=True) if self.order else [()], scalars(values), strict=True)

    def enumerate_leaves(self, chosen: Sequence[range] | None = None) -> tuple[tuple[Indices, ...], Indices]:
        """Level coordinates, an array a level, and positions of all that is stored, in storage order; without what
        levels tell to be outside chosen ranges, one a mode, if there are any."""
        self.ensure_readable()
        return enumerate_leaves(self.format, [self.storage(k) for k in range(len(self.format.levels))], chosen)

    def components(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates, of shape (order, n), and values of every stored component, in storage order.

        Duplicates are components of their own; padding outside the shape is none. Raises StorageError if all that is
        stored cannot be listed in memory.
        """
        return self.components_in(None)

    def components_in(self, chosen: Sequence[range] | None) -> tuple[np.ndarray, np.ndarray]:
        """As `components`, without what levels tell to be outside chosen ranges of coordinates, one a mode."""
        try:
            return components_at(self, *self.enumerate_leaves(chosen))
        except MemoryError:
            raise StorageError(
                f"not enough memory to list what a tensor of shape {self.shape} in {self.format} stores",
                hint="pack it into a format with few positions, such as COO, in the first place",
                rule="format.packing.room",
            ) from None

    def fill_gaps(self) -> Self:
        """This tensor with its fill at the positions that hold no component. A tensor that a user makes of arrays may
        have any values there, which a kernel would otherwise take over into a result that begins as this tensor."""
        _, leaves = self.enumerate_leaves()
        vals = np.full(len(self.vals), self.fill, self.dtype)
        vals[leaves] = self.vals[leaves]
        return replace(self, vals=vals)

    def to_numpy(self) -> np.ndarray:
        """The tensor as a dense array; duplicates add up.

        The array is read-only where the values are stored as one: it shares their memory. Raises StorageError if it
        would not fit in memory, MeaningError if duplicate integers overflow.
        """
        held = self.as_readable()
        if math.prod(n for n in self.shape if n) * self.dtype.itemsize > EXTENT:
            raise dense_error(self.shape)
        if self.format.is_array:
            return as_array(held)
        size = math.prod(self.shape) * self.dtype.itemsize
        if size > LARGEST:
            raise dense_error(self.shape)
        dense = np.full(self.shape, self.fill, self.dtype)
        coords, values = held.components()
        indices = tuple(coords)
        if not self.format.levels[-1].unique:
            indices, values = sum_duplicates(indices, values)
        dense[indices] = values
        return dense

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> np.ndarray:
        if copy is False and not self.format.is_array:
            raise ValueError("a sparse tensor cannot be seen as a dense array without a copy")
        return np.array(self.to_numpy(), dtype, copy=copy)


def check_fields(tensor: Hierarchy) -> None:
    """Refuse fields that are not of their kinds, with a StorageError; what they hold is for validation to say."""
    for name, kind, element, wanted in FIELDS:
        held: Any = getattr(tensor, name)
        if not isinstance(held, kind) or (element and not all(isinstance(each, element) for each in held)):
            raise StorageError(f"{name} is {abbreviate(held)}, but should be {wanted}", rule="error.python")


def python_integers(numbers: tuple[int | np.integer, ...]) -> tuple[int, ...]:
    """Integers as Python has them, of which products do not overflow.

    >>> python_integers((np.uint8(3), 4))
    (3, 4)
    """
    return tuple([n.item() if isinstance(n, np.integer) else n for n in numbers])


def is_fixed(tensor: Hierarchy) -> bool:
    """Whether nobody can change the arrays of a tensor."""
    stored = [a for store in (*tensor.levels, tensor.shared) for a in store.values() if isinstance(a, np.ndarray)]
    return all(not a.flags.writeable and a.base is None for a in (*stored, tensor.vals))


def is_lasting(tensor: Hierarchy) -> bool:
    """Whether what is known of a tensor's structure stays true: gnomon has built it, or nobody can change arrays."""
    return tensor.sound or is_fixed(tensor)


def components_at(tensor: Hierarchy, path: tuple[Indices, ...], leaves: Indices) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and values of the components at leaves, of which some may be padding outside the shape."""
    i = np.empty((tensor.order, len(leaves)), np.int64)
    for row, held in zip(i, tensor.format.map.invert(path), strict=True):
        row[:] = held
    if all(row.max(initial=-1) < n for row, n in zip(i, tensor.shape, strict=True)):
        return i, tensor.vals[leaves]
    inside = np.all(i < np.array(tensor.shape, np.int64).reshape(-1, 1), axis=0)
    return i[:, inside], tensor.vals[leaves[inside]]


def dense_error(shape: tuple[int, ...]) -> StorageError:
    """The error for a shape of which there is no dense array."""
    return StorageError(
        f"a dense array of shape {shape} does not fit in memory", hint="keep it sparse", rule="format.dense"
    )


def read_only(store: Storage) -> Storage:
    """A view of a copy of what a level stores, by which nothing can be changed."""
    return store if type(store) is MappingProxyType else MappingProxyType(dict(store))


def as_array(tensor: Hierarchy) -> np.ndarray:
    """The values of a tensor that is stored as an array, seen in the order of its modes; read-only."""
    seen = tensor.vals.reshape(tensor.extents)
    if tensor.order > 1:
        seen = seen.transpose(np.argsort(tensor.format.stored_modes))
    seen.flags.writeable = False
    return seen
