"""Operations of every two components in SciPy and NumPy, one a line."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from ...reference.algebra.operator import Operator
from .backend import Refused
from .scipy_arrays import WITHOUT_METHODS, Arrays
from .scipy_values import Value, entire, has_exact_reciprocal, join_variables, print_operator

MIRRORED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "min": "min", "max": "max"}
KEYED = ("lil", "dok")


class Operations(Struct, frozen=True):
    """Writes functions, operators and products of arrays.

    `risky` if infinities or NaN may occur, so that it matters what is absent. `logical` if sums are disjunctions.
    """

    arrays: Arrays
    risky: bool
    logical: bool

    def unary(self, operator: Operator, v: Value, dtype: np.dtype) -> Value:
        """A function of every component."""
        match operator.name:
            case "neg":
                return self.arrays.put(f"-{v}", v, dtype=dtype)
            case "abs":
                return self.arrays.put(f"abs({v})", v, dtype=dtype)
            case "conj" if v.format:
                return self.arrays.put(f"{v}.conj()", v, dtype=dtype)
            case "real" | "imag" if v.format:
                return self.arrays.put(f"{v}.{operator.name}", v, dtype=dtype)
            case "square":
                return self.arrays.put(f"{v}.power(2)" if v.format else f"{v} ** 2", v, dtype=dtype)
            case "sign" if v.dtype.kind == "b":
                raise Refused("the sign of booleans")
            case _:
                pass
        if v.format:
            held = self.arrays.with_methods(v, KEYED)
            return self.arrays.put(f"{held}.{operator.name}()", held, dtype=dtype)
        return self.arrays.put(f"np.{operator.name}({v})", v, dtype=dtype)

    def binary(self, operator: Operator, left: Value, right: Value, dtype: np.dtype) -> Value:
        """An operator that is no product, of every two components."""
        match operator.name:
            case "div":
                return self.quotient(left, right, dtype)
            case "pow":
                return self.power(left, right, dtype)
            case _:
                pass
        if self.logical and operator.name != "add":
            raise Refused("an operation without a meaning for booleans")
        if not (left.order and right.order) and (left.format or right.format):
            return self.with_number(operator, left, right, dtype)
        union = join_variables(left, right)
        return self.combine(operator, self.arrays.fit(left, union), self.arrays.fit(right, union), union, dtype)

    def combine(
        self, operator: Operator, left: Value, right: Value, indices: tuple[str, ...], dtype: np.dtype
    ) -> Value:
        """An operator on values that fit one another; a sparse one comes first where methods are called."""
        name = operator.name
        if right.format and not left.format and name in MIRRORED:
            left, right, name = right, left, MIRRORED[name]
        text = print_operator(name, left, right)
        if not (left.format and right.format):
            text = text if indices else f"np.asarray({text})"
            return self.arrays.put(text, left, indices=indices, dtype=dtype, format="", faithful=entire(left, right))
        if name not in ("add", "sub"):
            return self.arrays.put_sparse(text, left, indices, dtype)
        format = self.common(left, right) if len(indices) <= 2 else "coo"
        return self.arrays.put(text, left, indices=indices, dtype=dtype, format=format, faithful=False)

    def common(self, left: Value, right: Value) -> str:
        """The format of what two sparse arrays give: one that lacks methods if either does."""
        return next((v.format for v in (left, right) if v.format in WITHOUT_METHODS), "csr")

    def with_number(self, operator: Operator, left: Value, right: Value, dtype: np.dtype) -> Value:
        """An operator on a sparse array and a number."""
        name = operator.name
        array, number = (left, right) if left.format else (right, left)
        if name in ("add", "sub"):
            if number.number is None or number.number != 0:
                raise Refused("a number added to a sparse array")
            return self.arrays.put(print_operator(name, left, right), array, dtype=dtype, faithful=False)
        turned = name if left.format else MIRRORED[name]
        return self.arrays.put_sparse(print_operator(turned, array, number), array, array.indices, dtype)

    def quotient(self, left: Value, right: Value, dtype: np.dtype) -> Value:
        """A quotient, present where both operands are."""
        if right.format:
            raise Refused("a sparse divisor, which is zero where it is absent")
        if left.format:
            if not has_exact_reciprocal(right):
                raise Refused("a quotient that is computed as a product with the reciprocal")
            return self.arrays.put(f"{left} / {right}", left, dtype=dtype, faithful=False)
        if not (left.faithful and right.faithful):
            raise Refused("a quotient of values that are zero where they are absent")
        union = join_variables(left, right)
        text = f"{self.arrays.broadcast_axes(left, union)} / {self.arrays.broadcast_axes(right, union)}"
        return self.arrays.put(text, left, indices=union, dtype=dtype, faithful=True)

    def power(self, left: Value, right: Value, dtype: np.dtype) -> Value:
        """A power; of a sparse array with a positive number as exponent."""
        if right.format:
            raise Refused("a sparse exponent")
        if left.format:
            if not (isinstance(right.number, int | float) and right.number > 0):
                raise Refused("a power of a sparse array that is not a positive number")
            return self.arrays.put(f"{left}.power({right})", left, dtype=dtype, faithful=False)
        union = join_variables(left, right)
        text = f"np.power({self.arrays.broadcast_axes(left, union)}, {self.arrays.broadcast_axes(right, union)})"
        return self.arrays.put(text, left, indices=union, dtype=dtype, faithful=entire(left, right))

    def times(self, left: Value, right: Value, dtype: np.dtype) -> Value:
        """A product of every two components."""
        self.check_faithful(left, right)
        if self.risky and left.format and right.format:
            raise Refused("an infinity or NaN that may meet a zero which stands for something absent")
        plain = entire(left, right)
        if not (left.format or right.format):
            union = join_variables(left, right)
            text = f"{self.arrays.broadcast_axes(left, union)} * {self.arrays.broadcast_axes(right, union)}"
            return self.arrays.put(text, left, indices=union, dtype=dtype, faithful=plain)
        if not (left.order and right.order):
            array = left if left.format else right
            kept = array.faithful and ((left.number is None and right.number is None) or not self.risky)
            return self.arrays.put(f"{left} * {right}", array, dtype=dtype, faithful=kept)
        if set(left.indices) == set(right.indices):
            text = f"{left} * {self.arrays.transpose(right, left.indices)}"
            return self.arrays.put_sparse(text, left, left.indices, dtype)
        return self.broadcast_product(left, right, dtype)

    def broadcast_product(self, left: Value, right: Value, dtype: np.dtype) -> Value:
        """A product of a sparse array and one with other variables."""
        larger = left.order >= right.order
        array, other = (left, right) if not right.format or (left.format and larger) else (right, left)
        single = all(self.arrays.extents[w] == 1 for w in array.indices)
        if self.risky and single:  # what SciPy multiplies by is its sum, zero if nothing is present
            raise Refused("an infinity or NaN that may meet a zero which stands for something absent")
        union = join_variables(array, other)
        if len(union) <= 2:
            if array.order == 1:
                array = self.arrays.column(array)
            other = self.arrays.broadcast_factor(other, union)
            return self.arrays.put_sparse(f"{array}.multiply({other})", array, union, dtype)
        if array.order < len(union):
            raise Refused("a product with more dimensions than its operands")
        spread = self.arrays.broadcast(self.arrays.broadcast_axes(self.arrays.dense(other), union), union)
        return self.arrays.put_sparse(f"{array}.multiply({spread})", array, array.indices, dtype)

    def check_faithful(self, *values: Value) -> None:
        """Refuse a product in which an infinity might meet what is absent, but a zero here."""
        if self.risky and not all(v.faithful for v in values):
            raise Refused("an infinity or NaN that may meet a zero which stands for something absent")
