"""The syntax of restricted Python, in which level functions are written: what there is besides this there is not.

`restricted.py` parses the text of a level function into these nodes once; the interpreter of lanes, the translation to
C and the prover each have one case for every node. Letters: `e` an expression, `s` a statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from ..noted import Noted

Operator = Literal["+", "-", "*", "//", "%"]
"""Arithmetic on 64-bit integers; `//` and `%` round down."""
Sign = Literal["==", "!=", "<", "<=", ">", ">="]


class Location(Struct, frozen=True):
    """A part of a function's text: its first line, from a column to another; to the end of the line if that is None."""

    line: int = 1
    start: int = 0
    stop: int | None = None


class Node(Noted, frozen=True, kw_only=True):
    """What all nodes have: the place of their text."""

    notes = frozenset({"place"})

    place: Location = Location()


class Constant(Node, frozen=True):
    """An integer or a truth value."""

    value: int


class Variable(Node, frozen=True):
    """A parameter or a variable: an integer, a truth value, or the tuple of coordinates."""

    name: str


class Field(Node, frozen=True):
    """`self.name`: an extent, a parameter, a property, or as an argument an array."""

    name: str


class Coordinate(Node, frozen=True):
    """`i[index]`: a coordinate of a tuple."""

    of: str
    index: Expression


class Element(Node, frozen=True):
    """`self.array[index]`"""

    array: str
    index: Expression


class Arithmetic(Node, frozen=True):
    """`left operator right`"""

    operator: Operator
    left: Expression
    right: Expression


class Negative(Node, frozen=True):
    """`-e`"""

    e: Expression


class Negation(Node, frozen=True):
    """`not e`"""

    e: Expression


class Connective(Node, frozen=True):
    """Conditions with `and` or `or` between them, each computed only if those before leave it open."""

    word: Literal["and", "or"]
    operands: tuple[Expression, ...]


class Comparison(Node, frozen=True):
    """Sides with one sign fewer between them: `0 <= i < n`."""

    signs: tuple[Sign, ...]
    sides: tuple[Expression, ...]


class Choice(Node, frozen=True):
    """`then if test else otherwise`"""

    test: Expression
    then: Expression
    otherwise: Expression


class Extreme(Node, frozen=True):
    """`min(…)` or `max(…)`"""

    which: Literal["min", "max"]
    operands: tuple[Expression, ...]


class Call(Node, frozen=True):
    """`self.function(…)`: as an expression, of a function with one result."""

    function: str
    arguments: tuple[Expression | Coordinates, ...]


class Coordinates(Node, frozen=True):
    """A tuple of coordinates, as an argument."""

    elements: tuple[Expression, ...]


Expression = (
    Constant
    | Variable
    | Field
    | Coordinate
    | Element
    | Arithmetic
    | Negative
    | Negation
    | Connective
    | Comparison
    | Choice
    | Extreme
    | Call
)


class Assign(Node, frozen=True):
    """`name = value`"""

    name: str
    value: Expression


class Unpack(Node, frozen=True):
    """`a, b = self.function(…)`"""

    names: tuple[str, ...]
    call: Call


class Store(Node, frozen=True):
    """`self.array[index] = value`"""

    array: str
    index: Expression
    value: Expression


class If(Node, frozen=True):
    """`if`, with `else` or without."""

    test: Expression
    then: Block
    otherwise: Block


class While(Node, frozen=True):
    """`while`"""

    test: Expression
    body: Block


class For(Node, frozen=True):
    """`for variable in range(begin, end)`"""

    variable: str
    begin: Expression
    end: Expression
    body: Block


class Return(Node, frozen=True):
    """`return` of any number of results, which may have names, of storage fields."""

    values: tuple[Expression, ...]
    names: tuple[str, ...] = ()


class Pass(Node, frozen=True):
    """`pass`"""


Statement = Assign | Unpack | Store | If | While | For | Return | Pass
Block = tuple[Statement, ...]


def all_statements(body: Sequence[Statement]) -> Iterator[Statement]:
    """Statements and those inside them, in the order of the text."""
    for s in body:
        yield s
        match s:
            case If(then=then, otherwise=otherwise):
                yield from all_statements((*then, *otherwise))
            case While(body=inner) | For(body=inner):
                yield from all_statements(inner)
            case Assign() | Unpack() | Store() | Return() | Pass():
                pass


def assigned_variables(body: Sequence[Statement]) -> tuple[str, ...]:
    """The variables that statements assign to, in the order of the text, repeats included."""
    found: list[str] = []
    for s in all_statements(body):
        match s:
            case Assign(name=name) | For(variable=name):
                found.append(name)
            case Unpack(names=names):
                found += names
            case Store() | If() | While() | Return() | Pass():
                pass
    return tuple(found)


def written_arrays(body: Sequence[Statement]) -> frozenset[str]:
    """The arrays whose elements statements write."""
    return frozenset(s.array for s in all_statements(body) if isinstance(s, Store))


def expressions(body: Sequence[Statement]) -> Iterator[Expression | Coordinates]:
    """The expressions of statements, with those inside them."""
    for s in all_statements(body):
        match s:
            case Assign(value=e) | If(test=e) | While(test=e) | Unpack(call=e):
                yield from inside(e)
            case Store(index=a, value=b) | For(begin=a, end=b):
                yield from (*inside(a), *inside(b))
            case Return(values=values):
                for e in values:
                    yield from inside(e)
            case Pass():
                pass


def inside(e: Expression | Coordinates) -> Iterator[Expression | Coordinates]:
    """An expression and those inside it."""
    yield e
    for each in parts(e):
        yield from inside(each)


def parts(e: Expression | Coordinates) -> tuple[Expression | Coordinates, ...]:
    """The expressions that an expression is made of."""
    match e:
        case Constant() | Variable() | Field():
            return ()
        case Coordinate(index=index) | Element(index=index):
            return (index,)
        case Arithmetic(left=left, right=right):
            return (left, right)
        case Negative(e=operand) | Negation(e=operand):
            return (operand,)
        case Connective(operands=operands) | Comparison(sides=operands) | Extreme(operands=operands):
            return operands
        case Choice(test=test, then=then, otherwise=otherwise):
            return (test, then, otherwise)
        case Call(arguments=arguments):
            return arguments
        case Coordinates(elements=elements):
            return elements
