"""Tensors: coordinate hierarchies as values of Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from ..algebra.dtypes import Number
from ..algebra.scalars import cast
from ..errors import ScalarError, StorageError
from .coordinate_map import Remainder
from .format import Format
from .hierarchy import Doubt, Hierarchy
from .named_formats import dense, format_of
from .spec import Spec

if TYPE_CHECKING:
    import scipy.sparse

SCIPY = {"CSR": "csr", "CSC": "csc", "COO": "coo", "DIA": "dia", "BCSR": "bsr"}


class Operations(Protocol):
    """What Python's operators and other methods do with tensors. They evaluate expressions or pack, so they stand above
    this."""

    def operate(self, operator: str, left: Any, right: Any) -> Any:
        """`left operator right`, where at least one side is a tensor."""

    def negate(self, tensor: Tensor) -> Tensor:
        """The tensor with every value and the fill negated."""

    def transpose(self, tensor: Tensor) -> Tensor:
        """The modes in reverse order."""

    def convert(self, tensor: Tensor, format: str | Format | Spec) -> Tensor:
        """The same components in another format."""

    def part(self, tensor: Tensor, key: Any) -> Any:
        """The value or the tensor at an index."""

    def equal(self, one: Tensor, given: Any) -> Any:
        """Whether the values are the same everywhere."""

    def validate(self, tensor: Tensor) -> None:
        """Refuse a tensor that breaks an invariant."""


@dataclass(frozen=True, eq=False, repr=False)
class Tensor(Hierarchy):
    """A tensor of some shape, dtype and fill value, stored in a format.

    `operations` are its operators (`execution/arithmetic.py`), and `compute` what gives their expressions a value.
    """

    operations: ClassVar[staticmethod[[], Operations]]
    compute: ClassVar[staticmethod[[str, Mapping[str, Any], Format], Tensor]]

    def to_scipy(self) -> scipy.sparse.sparray:
        """A SciPy sparse array of the stored components, in SciPy's form of this format if it has one, else COO.

        Raises StorageError if the fill is not zero, or for an order that SciPy does not store.

        >>> from gnomon import tensor
        >>> tensor([[0, 1], [2, 0]], [5.0, 7.0], (2, 3), "CSC").to_scipy().format
        'csc'
        """
        import scipy.sparse

        held = self.as_readable()
        if self.fill != 0:
            raise StorageError(
                f"SciPy arrays have fill 0, this tensor has {self.fill}", hint="use to_numpy()", rule="file.scipy.back"
            )
        if self.order == 0:
            raise StorageError("SciPy stores no arrays of order 0", hint="use to_numpy()", rule="file.scipy.back")
        kind = scipy_form(self.format, self.shape)
        if held.doubt is Doubt.NOTHING and kind in ("csr", "csc"):
            arrays = (self.vals, self.levels[1]["crd"], self.levels[1]["pos"])
            return getattr(scipy.sparse, f"{kind}_array")(tuple(map(np.array, arrays)), shape=self.shape)
        if held.doubt is Doubt.NOTHING and kind == "bsr":
            arrays = (self.vals.reshape(-1, *self.extents[2:]), self.levels[1]["crd"], self.levels[1]["pos"])
            return scipy.sparse.bsr_array(tuple(map(np.array, arrays)), shape=self.shape)
        if held.doubt is Doubt.NOTHING and kind == "coo":
            columns = tuple(np.array(level["crd"]) for level in self.levels)
            return scipy.sparse.coo_array((np.array(self.vals), columns), shape=self.shape)
        if held.doubt is Doubt.NOTHING and kind == "dia":
            return scipy.sparse.dia_array((by_columns(held), np.array(self.shared["offset"])), shape=self.shape)
        coords, values = held.components()
        return scipy.sparse.coo_array((values, tuple(coords)), shape=self.shape).asformat(kind or "coo")

    def convert(self, format: str | Format | Spec) -> Tensor:
        """The same components in another format; duplicates add up where it cannot hold them.

        A spec may ask for another dtype, never for another fill.
        """
        return self.operations().convert(self, format)

    def __add__(self, other: Any) -> Any:
        return self.operations().operate("+", self, other)

    def __radd__(self, other: Any) -> Any:
        return self.operations().operate("+", other, self)

    def __sub__(self, other: Any) -> Any:
        return self.operations().operate("-", self, other)

    def __rsub__(self, other: Any) -> Any:
        return self.operations().operate("-", other, self)

    def __mul__(self, other: Any) -> Any:
        return self.operations().operate("*", self, other)

    def __rmul__(self, other: Any) -> Any:
        return self.operations().operate("*", other, self)

    def __truediv__(self, other: Any) -> Any:
        return self.operations().operate("/", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self.operations().operate("/", other, self)

    def __matmul__(self, other: Any) -> Any:
        return self.operations().operate("@", self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return self.operations().operate("@", other, self)

    def __neg__(self) -> Tensor:
        return self.operations().negate(self)

    @property
    def T(self) -> Tensor:
        """The tensor with its modes in reverse order, over the same arrays.

        >>> from gnomon import tensor
        >>> str(tensor([[0], [2]], [5.0], (2, 3), "CSR").T.format)
        'CSC'
        """
        return self.operations().transpose(self)

    def __getitem__(self, key: Any) -> Any:
        return self.operations().part(self, key)

    def __iter__(self) -> Iterator[Any]:
        if not self.order:
            raise TypeError("a scalar has no parts")
        held = self.as_readable()
        return (held[n] for n in range(self.shape[0]))

    def __bool__(self) -> bool:
        return bool(only_value(self, "the truth"))

    def __int__(self) -> int:
        return int(only_value(self, "the integer"))

    def __float__(self) -> float:
        return float(only_value(self, "the real number"))

    def __complex__(self) -> complex:
        return complex(only_value(self, "the complex number"))

    def __eq__(self, other: object) -> Any:
        return self.operations().equal(self, other)

    __hash__ = None  # type: ignore[assignment]  # equal tensors may be stored in different ways
    __array_priority__ = 1000  # NumPy leaves operators to a tensor beside its arrays

    def validate(self) -> None:
        """Raise StorageError if an invariant of the format is broken, naming the first."""
        self.operations().validate(self)

    def __repr__(self) -> str:
        size = "×".join(map(str, self.shape)) or "scalar"
        stored = f"tensor in {self.format}, {self.positions} values" if self.format.levels else "tensor"
        return f"<{size} {self.dtype.name} {stored}, fill {self.fill}>"


def scipy_form(format: Format, shape: tuple[int, ...]) -> str | None:
    """What SciPy calls a format that has its arrays, if it has them; its blocks never leave the shape.

    >>> scipy_form(Format(["dense", "compressed"], name="CSR"), (2, 2))
    'csr'
    >>> scipy_form(format_of("BCSR(2,3)"), (4, 6)), scipy_form(format_of("BCSR(2,3)"), (4, 5))
    ('bsr', None)
    """
    name = str(format)
    kind = SCIPY.get(name.partition("(")[0])
    if kind is None or (format.order != 2 and name != "COO") or format != format_of(name, format.order):
        return None
    if kind == "bsr":
        sizes = [term.factor for term in format.map.terms if isinstance(term, Remainder)]
        whole = all(n % size == 0 for n, size in zip(shape, sizes, strict=True))
        return kind if whole else None
    return kind


def by_columns(tensor: Tensor) -> np.ndarray:
    """The values of stored diagonals, a row for each, at their columns: gnomon has them at their rows.

    >>> from gnomon import tensor
    >>> by_columns(tensor([[0, 1], [1, 2]], [5.0, 7.0], (2, 3), "DIA")).tolist()
    [[0.0, 5.0, 7.0]]
    """
    rows, columns = tensor.shape
    offsets = tensor.shared["offset"].tolist()
    values = tensor.vals.reshape(len(offsets), rows)
    data = np.zeros((len(offsets), max([min(rows + n, columns) for n in offsets], default=0)), tensor.dtype)
    for n, offset in enumerate(offsets):
        first, last = max(0, -offset), min(rows, columns - offset)
        data[n, first + offset : last + offset] = values[n, first:last]
    return data


def scalar(value: Any, dtype: Any = None, fill: Number = 0) -> Tensor:
    """A tensor of order 0."""
    array = np.array(value, dtype)
    array.flags.writeable = False
    return Tensor(dense(0), (), array.dtype, cast(fill, array.dtype), (), {}, (), array.reshape(1)).mark_trusted()


def only_value(tensor: Tensor, what: str) -> Any:
    """The number that a tensor of order 0 holds, as Python has it. Raises ScalarError for another order."""
    if tensor.order:
        place = ", ".join("0" * tensor.order)
        raise ScalarError(
            f"{what} of a tensor of order {tensor.order} is not determined",
            hint=f"take one value, as A[{place}], or ask A.nnz > 0 for whether anything is stored",
            rule="error.class",
        )
    return tensor[()].item()
