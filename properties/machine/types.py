"""The types of C that kernels use: sizes, cells, promotions, the usual arithmetic conversions (C11, 6.2.5 and 6.3.1).

Memory is made of cells, one for each scalar: a struct or an array is as many cells as it has scalars inside.
"""

from __future__ import annotations

from functools import cache

import msgspec


class Integer(msgspec.Struct, frozen=True):
    """An integer type."""

    bits: int
    signed: bool

    @property
    def low(self) -> int:
        """The least value."""
        return -(2 ** (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        """The largest value."""
        return (1 << (self.bits - self.signed)) - 1

    def __str__(self) -> str:
        return f"{'' if self.signed else 'u'}int{self.bits}_t"


class Boolean(msgspec.Struct, frozen=True):
    """`_Bool`"""

    def __str__(self) -> str:
        return "bool"


class Floating(msgspec.Struct, frozen=True):
    """`float` and `double`"""

    bits: int

    def __str__(self) -> str:
        return "float" if self.bits == 32 else "double"


class Complex(msgspec.Struct, frozen=True):
    """`float complex` and `double complex`, by the bits of each part."""

    bits: int

    def __str__(self) -> str:
        return f"{Floating(self.bits)} complex"


class Void(msgspec.Struct, frozen=True):
    """`void`"""

    def __str__(self) -> str:
        return "void"


class Pointer(msgspec.Struct, frozen=True):
    """A pointer; qualifiers are the compiler's affair."""

    target: Type

    def __str__(self) -> str:
        return f"{self.target} *"


class Array(msgspec.Struct, frozen=True):
    """An array of a known number of elements."""

    element: Type
    count: int

    def __str__(self) -> str:
        return f"{self.element}[{self.count}]"


class Struct(msgspec.Struct, frozen=True):
    """A struct: its name, and its members in order."""

    name: str
    fields: tuple[tuple[str, Type], ...]

    def __str__(self) -> str:
        return self.name


Type = Integer | Boolean | Floating | Complex | Void | Pointer | Array | Struct
Real = Integer | Boolean | Floating
Number = Integer | Boolean | Floating | Complex
INT, LONG, SIZE, UNSIGNED = Integer(32, True), Integer(64, True), Integer(64, False), Integer(32, False)
BOOL, VOID, DOUBLE, FLOAT = Boolean(), Void(), Floating(64), Floating(32)
ADDRESS = Pointer(VOID)


@cache
def cells(t: Type) -> tuple[Type, ...]:
    """The scalars that an object is made of.

    >>> pair = Struct("pair", (("coordinate", LONG), ("place", Array(INT, 2))))
    >>> len(cells(pair)), size(pair)
    (3, 16)
    """
    match t:
        case Array(element=element, count=count):
            return cells(element) * count
        case Struct(fields=fields):
            return tuple(cell for _, inner in fields for cell in cells(inner))
        case _:
            return (t,)


@cache
def member(t: Struct, name: str) -> tuple[int, Type]:
    """The cell at which a member begins, and its type."""
    place = 0
    for field, inner in t.fields:
        if field == name:
            return place, inner
        place += len(cells(inner))
    raise KeyError(name)


@cache
def size(t: Type) -> int:
    """What `sizeof` gives, as on every 64-bit Unix."""
    match t:
        case Integer(bits=bits) | Floating(bits=bits):
            return bits // 8
        case Boolean() | Void():
            return 1
        case Complex(bits=bits):
            return bits // 4
        case Pointer():
            return 8
        case Array(element=element, count=count):
            return count * size(element)
        case Struct(fields=fields):
            end = 0
            for _, inner in fields:
                end = round_up(end, alignment(inner)) + size(inner)
            return round_up(end, alignment(t))


def innermost(t: Type) -> Type:
    """The type of the elements of an array of arrays; of anything else, itself."""
    return innermost(t.element) if isinstance(t, Array) else t


def round_up(n: int, step: int) -> int:
    """The next multiple."""
    return -(-n // step) * step


def alignment(t: Type) -> int:
    """What addresses of a type are multiples of."""
    match t:
        case Array(element=element):
            return alignment(element)
        case Struct(fields=fields):
            return max(alignment(inner) for _, inner in fields)
        case Complex(bits=bits):
            return bits // 8
        case _:
            return size(t)


def promote(t: Type) -> Type:
    """The integer promotions (C11, 6.3.1.1).

    >>> str(promote(Integer(8, False))), str(promote(SIZE))
    ('int32_t', 'uint64_t')
    """
    return INT if isinstance(t, Boolean) or (isinstance(t, Integer) and t.bits < 32) else t


def common(a: Number, b: Number) -> Number:
    """The type that an operator computes in (C11, 6.3.1.8).

    >>> str(common(INT, Integer(32, False))), str(common(Complex(32), DOUBLE)), str(common(LONG, FLOAT))
    ('uint32_t', 'double complex', 'float')
    """
    bits = max((t.bits for t in (a, b) if isinstance(t, Floating | Complex)), default=0)
    if bits:
        return Complex(bits) if isinstance(a, Complex) or isinstance(b, Complex) else Floating(bits)
    left, right = promote(a), promote(b)
    assert isinstance(left, Integer) and isinstance(right, Integer)
    if left.bits == right.bits:
        return left if not left.signed else right
    return left if left.bits > right.bits else right
