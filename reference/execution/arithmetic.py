"""Tensors as values: Python's operators, each of them an expression; parts, transposes and equality."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ..algebra.dtypes import same_value
from ..algebra.scalars import abbreviate, same_fill
from ..errors import DtypeError, ExpressionError, FormatError, StorageError
from ..files.operands import as_tensor
from ..files.scipy_arrays import is_scipy
from ..levels.level import Indices
from ..storage.components import (
    distinct,
    drop_fill,
    every_value,
    is_stored_alike,
    same_components,
    same_elements,
)
from ..storage.coordinate_map import CoordinateMap, Mode, Quotient, Rank, Remainder, Term
from ..storage.format import Format
from ..storage.named_formats import coo, dense, recognise
from ..storage.packing import pack
from ..storage.repacking import is_as_packed, is_stored_as
from ..storage.spec import Spec, spec
from ..storage.tables import holds_tables
from ..storage.tensor import Tensor
from ..storage.validation import validate as validate_nodes
from ..storage.vectorised import sum_duplicates

OPERANDS = (Tensor, np.ndarray, np.generic, bool, int, float, complex, list)
LITERAL_BITS = 1024  # of whole numbers that texts may hold
PRODUCTS = {
    (1, 1): "R = A(i) * B(i)",
    (2, 1): "R(i) = A(i,j) * B(j)",
    (1, 2): "R(j) = A(i) * B(i,j)",
    (2, 2): "R(i,j) = A(i,k) * B(k,j)",
}


def operate(operator: str, left: Any, right: Any) -> Any:
    """Two operands, at least one of them a tensor, joined by `+`, `-`, `*`, `/` or `@`.

    NotImplemented, as Python has it, beside what is no tensor, array, SciPy matrix or number.
    """
    if not all(isinstance(value, OPERANDS) or is_scipy(value) for value in (left, right)):
        return NotImplemented
    return product(left, right) if operator == "@" else elementwise(operator, left, right)


def elementwise(operator: str, left: Any, right: Any) -> Tensor:
    """Two operands, at least one of them a tensor, joined at every coordinate.

    A number stands beside every coordinate, as does a tensor of order 0; others have equal shapes. The result is stored
    as the first tensor of its shape is, or else densely. Raises ExpressionError for shapes that differ.
    """
    sides = [hold(f"the {side} operand", value) for side, value in (("left", left), ("right", right))]
    shapes = [value.shape for value in sides if getattr(value, "shape", ())]
    if len(set(shapes)) > 1:
        raise ExpressionError(
            f"{operator} joins operands of one shape, not {shapes[0]} and {shapes[1]}",
            hint='write what stands beside what, for example gn.evaluate("C(i,j) = A(i,j) * x(j)", A=A, x=x)',
            rule="error.python",
        )
    shape = shapes[0] if shapes else ()
    tensors = [value for value in (left, right) if isinstance(value, Tensor)]
    stored = next((tensor.format for tensor in tensors if tensor.shape == shape), dense(len(shape)))
    sides = [as_literal(value, tensors[0].dtype) for value in sides]
    indices = variables(len(shape))
    operands: dict[str, Any] = {}
    one, other = (spell_operand(name, value, indices, operands) for name, value in zip("AB", sides, strict=True))
    text = f"{access('R', indices)} = {one} {operator} {other}"
    return Tensor.compute(text, operands, stored)


def hold(what: str, value: Any) -> Any:
    """An operand as a tensor, or the number that it is."""
    return as_tensor(what, value) if isinstance(value, np.ndarray | list) or is_scipy(value) else value


def negate(tensor: Tensor) -> Tensor:
    """The tensor with the opposite of every value, stored alike."""
    indices = variables(tensor.order)
    text = f"{access('R', indices)} = -{access('A', indices)}"
    return Tensor.compute(text, {"A": tensor}, tensor.format)


def product(left: Any, right: Any) -> Tensor:
    """The matrix product: of matrices and vectors, in any combination, as `@` has it in NumPy.

    A matrix is stored as the first operand is if that is a tensor, or else as the second; a vector densely. Raises
    ExpressionError for other orders.
    """
    A, B = as_tensor("the left operand", left), as_tensor("the right operand", right)
    if (A.order, B.order) not in PRODUCTS:
        raise ExpressionError(
            f"@ takes vectors and matrices, not tensors of order {A.order} and {B.order}",
            hint='write the sum, for example gn.evaluate("C(i,j,l) = A(i,j,k) * B(k,l)", A=A, B=B)',
            rule="error.python",
        )
    stored = A if isinstance(left, Tensor) else B
    out = stored.format if A.order == B.order == 2 else dense(A.order + B.order - 2)
    return Tensor.compute(PRODUCTS[A.order, B.order], {"A": A, "B": B}, out)


def variables(order: int) -> tuple[str, ...]:
    """Names for the modes of a tensor."""
    return tuple(f"i{n + 1}" for n in range(order))


def access(name: str, indices: tuple[str, ...]) -> str:
    """An access as text; the bare name for a scalar."""
    return f"{name}({','.join(indices)})" if indices else name


def spell_operand(name: str, value: Any, indices: tuple[str, ...], operands: dict[str, Any]) -> str:
    """An operand as text. A real Python number is a literal there, whose dtype is that of the other operand."""
    if type(value) is float or (type(value) is int and value.bit_length() <= LITERAL_BITS):
        return f"({value!r})"
    operands[name] = held = as_tensor(name, value)
    return access(name, indices if held.order else ())


def as_literal(value: Any, beside: np.dtype) -> Any:
    """A complex Python number, which a text writes in parts, in the dtype that it has as a literal beside another
    dtype; anything else as it is."""
    if type(value) is not complex:
        return value
    with np.errstate(over="ignore"):
        return np.result_type(beside, value).type(value)


def convert(tensor: Tensor, format: str | Format | Spec) -> Tensor:
    """The same components in another format; duplicates add up where it cannot hold them.

    Raises FormatError for a spec with another fill.
    """
    asked = spec(format)
    tensor.ensure_readable()
    dtype = tensor.dtype if asked.dtype is None else asked.dtype
    if asked.fill is not None and not same_fill(asked.fill, tensor.fill, dtype):
        raise FormatError(
            f"fill is {asked.fill} in the spec, but the tensor has {tensor.fill}",
            hint="leave it out",
            rule="format.convert",
        )
    if is_stored_as(tensor, asked):
        return tensor.in_format(asked.format_for(tensor.order))
    coords, values = tensor.components()
    return pack(coords, values, tensor.shape, asked.format, dtype=dtype, fill=tensor.fill, index=asked.index)


def transpose(tensor: Tensor) -> Tensor:
    """The tensor with its modes in reverse order, over the same arrays."""
    tensor.ensure_readable()
    last = tensor.order - 1
    terms = tuple(reversed_modes(term, last) for term in tensor.format.map.terms)
    format = recognise(Format(tensor.format.levels, map=CoordinateMap(tensor.order, terms)))
    turned = Tensor(
        format, tensor.shape[::-1], tensor.dtype, tensor.fill, tensor.levels, tensor.shared, tensor.extents,
        tensor.vals,
    )  # fmt: skip
    return turned.mark_trusted() if tensor.sound else turned.leave_doubt(tensor.doubt)


def reversed_modes(term: Term, last: int) -> Term:
    """A term of a map whose modes are counted from the other end."""
    match term:
        case Mode(mode=mode):
            return Mode(last - mode)
        case Quotient(mode=mode, factor=factor):
            return Quotient(last - mode, factor)
        case Remainder(mode=mode, factor=factor):
            return Remainder(last - mode, factor)
        case Rank(plus=None):
            return term
        case Rank(plus=plus, minus=minus):
            assert plus is not None and minus is not None
            return Rank(last - plus, last - minus)


def part(tensor: Tensor, key: Any) -> Any:
    """The value at coordinates, or a copy of a part: `A[2, 3]`, `A[2]`, `A[1:3, ::2]`, `A[..., 0]`.

    Coordinates may count from the end, as NumPy's do. A part with all modes is stored as the tensor is, where that
    format can hold it; else coordinates are listed, or every value is where the tensor is an array. Raises
    StorageError for coordinates outside the shape, ExpressionError for what is no coordinate, slice or `...`.
    """
    indices = enumerate(zip(full(key, tensor), tensor.shape, strict=True))
    chosen = [chosen_range(each, n, mode) for mode, (each, n) in indices]
    coords, values = tensor.components_in([ran for ran, _ in chosen])
    inside = np.ones(len(values), bool)
    rows: list[Indices] = []
    for i, (ran, _) in zip(coords, chosen, strict=True):
        place, rest = np.divmod(i - ran.start, ran.step)
        inside &= (rest == 0) & (place >= 0) & (place < len(ran))
        rows.append(place)
    kept = [n for n, (_, keeps) in enumerate(chosen) if keeps]
    values = values[inside]
    found = np.array([rows[n][inside] for n in kept], np.int64).reshape(len(kept), len(values))
    if not kept:
        return sum_duplicates((), values)[1][0] if len(values) else tensor.dtype.type(tensor.fill)
    shape = tuple(len(chosen[n][0]) for n in kept)
    plain = dense(len(kept)) if tensor.format.is_array else coo(len(kept))
    if len(kept) < tensor.order:
        return pack(found, values, shape, plain, fill=tensor.fill)
    try:
        return pack(found, values, shape, tensor.format, fill=tensor.fill)
    except StorageError:
        return pack(found, values, shape, plain, fill=tensor.fill)


def full(key: Any, tensor: Tensor) -> list[Any]:
    """A coordinate or slice for every mode. Raises ExpressionError for too many."""
    given = list(key) if isinstance(key, tuple) else [key]
    gaps = [n for n, each in enumerate(given) if each is Ellipsis]
    missing = tensor.order - len(given) + len(gaps)
    if len(gaps) > 1 or missing < 0:
        raise ExpressionError(
            f"[{abbreviate(key)}] does not fit a tensor of order {tensor.order}",
            hint="give a coordinate or slice a mode",
            rule="format.parts",
        )
    place = gaps[0] if gaps else len(given)
    return [*given[:place], *[slice(None)] * missing, *given[place + 1 :]]


def chosen_range(each: Any, extent: int, mode: int) -> tuple[range, bool]:
    """The coordinates that an index chooses, and whether the mode stays."""
    if isinstance(each, slice):
        try:
            return range(extent)[each], True
        except (TypeError, ValueError) as error:
            raise ExpressionError(
                f"{abbreviate(each)} is no slice of a mode: {error}", hint="write for example 1:3", rule="format.parts"
            ) from None
    if isinstance(each, bool | np.bool_) or not isinstance(each, int | np.integer):
        raise ExpressionError(
            f"{abbreviate(each)} is no coordinate or slice",
            hint="write for example A[2, 3], A[1:3] or A[..., 0]",
            rule="format.parts",
        )
    if not -extent <= each < extent:
        raise StorageError(
            f"coordinate {abbreviate(each)} lies outside mode {mode + 1} of extent {extent}", rule="format.parts"
        )
    coordinate = int(each) % extent
    return range(coordinate, coordinate + 1), False


def equal(one: Tensor, given: Any) -> Any:
    """Whether two tensors have the same shape and the same value at every coordinate, however they are stored.

    Fills may differ. Duplicates count with their sum; NaN is the same value as NaN, and numbers are compared exactly
    across dtypes. NotImplemented, as Python has it, for what is no tensor, array, SciPy matrix or number.
    """
    if not isinstance(given, OPERANDS) and not is_scipy(given):
        return NotImplemented
    try:
        other = as_tensor("the other", given)
    except DtypeError:
        return holds_integers(one, np.asarray(given, object))
    one, other = one.as_readable(), other.as_readable()
    if one.shape != other.shape:
        return False
    if is_stored_alike(one, other):
        return bool(np.all(same_elements(one.vals, other.vals)))
    count = prod(one.shape)
    parts = [distinct(tensor) for tensor in (one, other)]
    fills = (one.fill, other.fill)
    if not count or same_value(*fills):
        return same_components(*(drop_fill(*part, fill) for part, fill in zip(parts, fills, strict=True)))
    if count > sum(len(values) for _, values in parts):
        return False  # some coordinate has the fill of both
    values = [every_value(*part, one.shape, fill) for part, fill in zip(parts, fills, strict=True)]
    return bool(np.all(same_elements(*values)))


def validate(tensor: Tensor) -> None:
    """Refuse a tensor that breaks an invariant, with a StorageError that names the first. What is as packing gives it
    need not be looked at node by node."""
    if not holds_tables(tensor) and not is_as_packed(tensor):
        validate_nodes(tensor)


def holds_integers(tensor: Tensor, elements: np.ndarray) -> bool:
    """Whether the values are these integers of Python, which no dtype may hold together."""
    return tensor.shape == elements.shape and bool(np.all(same_elements(tensor.to_numpy(), elements)))
