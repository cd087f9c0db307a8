"""Terms: the integers that loops range over, from the loops around them and from storage (Senanayake 2020, section 5).

The interpreter evaluates a term, the generator prints it, the prover translates it: what runs is what is compiled and
what is proved. A number stands for itself.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from ..statement.relation import Pos

Operator = Literal["+", "-", "*", "//", "%", "min", "max"]


class Arithmetic:
    """Terms are combined by Python's operators; division rounds down.

    >>> Coordinate("i0") * 4 + Coordinate("i1") == sum_of(product_of(Coordinate("i0"), 4), Coordinate("i1"))
    True
    """

    __slots__ = ()

    def __add__(self: Any, other: Term) -> Term:
        return sum_of(self, other)

    def __radd__(self: Any, other: int) -> Term:
        return sum_of(other, self)

    def __sub__(self: Any, other: Term) -> Term:
        return difference_of(self, other)

    def __rsub__(self: Any, other: int) -> Term:
        return difference_of(other, self)

    def __mul__(self: Any, other: Term) -> Term:
        return product_of(self, other)

    def __rmul__(self: Any, other: int) -> Term:
        return product_of(other, self)

    def __floordiv__(self: Any, other: Term) -> Term:
        return quotient_of(self, other)

    def __rfloordiv__(self: Any, other: int) -> Term:
        return quotient_of(other, self)

    def __mod__(self: Any, other: Term) -> Term:
        return remainder_of(self, other)

    def __rmod__(self: Any, other: int) -> Term:
        return remainder_of(other, self)


class Coordinate(Struct, Arithmetic, frozen=True):
    """The value of a loop's variable in its present iteration."""

    variable: str


class Extent(Struct, Arithmetic, frozen=True):
    """The number of coordinates of a variable that no schedule derives."""

    variable: str


class SegmentBegin(Struct, Arithmetic, frozen=True):
    """The first position, at the last of the levels that a relation counts, below where its access stands."""

    relation: Pos


class SegmentEnd(Struct, Arithmetic, frozen=True):
    """The position after the last one of that segment."""

    relation: Pos


class Standing(Struct, Arithmetic, frozen=True):
    """The position at which the access of a relation stands at the last of its levels: of duplicates, the first."""

    relation: Pos


class Stored(Struct, Arithmetic, frozen=True):
    """The coordinate of a variable that was found in storage at the position where a loop stands."""

    variable: str


class Binary(Struct, Arithmetic, frozen=True):
    """Two terms, combined."""

    operator: Operator
    left: Term
    right: Term


Term = int | Coordinate | Extent | SegmentBegin | SegmentEnd | Standing | Stored | Binary


def sum_of(left: Term, right: Term) -> Term:
    """The sum; adding 0 changes nothing.

    >>> sum_of(0, Coordinate("i")), sum_of(Coordinate("i"), 0), sum_of(2, 3)
    (Coordinate(variable='i'), Coordinate(variable='i'), 5)
    """
    match left, right:
        case int(), int():
            return left + right
        case int(0), _:
            return right
        case _, int(0):
            return left
        case _:
            return Binary("+", left, right)


def difference_of(left: Term, right: Term) -> Term:
    """The difference; taking 0 away changes nothing."""
    match left, right:
        case int(), int():
            return left - right
        case _, int(0):
            return left
        case _:
            return Binary("-", left, right)


def product_of(left: Term, right: Term) -> Term:
    """The product; multiplying by 1 changes nothing.

    >>> product_of(Extent("i"), 1), product_of(2, 3)
    (Extent(variable='i'), 6)
    """
    match left, right:
        case int(), int():
            return left * right
        case int(1), _:
            return right
        case _, int(1):
            return left
        case _:
            return Binary("*", left, right)


def quotient_of(left: Term, right: Term) -> Term:
    """The quotient, rounded down."""
    return left // right if isinstance(left, int) and isinstance(right, int) else Binary("//", left, right)


def remainder_of(left: Term, right: Term) -> Term:
    """What the quotient leaves."""
    return left % right if isinstance(left, int) and isinstance(right, int) else Binary("%", left, right)


def least(left: Term, right: Term) -> Term:
    """The lesser of two terms.

    >>> least(2, 3), least(Extent("i"), 3).operator, least(Extent("i"), Extent("i"))
    (2, 'min', Extent(variable='i'))
    """
    match left, right:
        case int(), int():
            return min(left, right)
        case Extent(), Extent() if left == right:
            return left
        case _:
            return Binary("min", left, right)


def greatest(left: Term, right: Term) -> Term:
    """The greater of two terms."""
    return max(left, right) if isinstance(left, int) and isinstance(right, int) else Binary("max", left, right)


def combine(operator: Operator, left: Any, right: Any) -> Any:
    """Two integers, or what stands for them, combined by an operator of terms."""
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "//":
            return left // right
        case "%":
            return left % right
        case "min":
            return min(left, right)
        case "max":
            return max(left, right)


class Range(Struct, frozen=True):
    """The integers from `begin` up to, but without, `end`.

    `single`: there is exactly one. `whole`: they are all values of the variable, which nothing narrows. Where `step` is
    not 1, what belongs there is exactly every so many from `begin` on.
    """

    begin: Term
    end: Term
    single: bool = False
    whole: bool = False
    step: Term = 1


class Equal(Struct, frozen=True):
    """The condition that two terms have one value."""

    left: Term
    right: Term
