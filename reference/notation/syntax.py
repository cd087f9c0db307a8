"""Index notation as terms: what an expression is, before anybody says what it means.

Terms are immutable values; spans ride along outside equality, and so do the dtypes that elaboration gives every node.
(Kjolstad 2017, section 3; Chou 2018, section 4.1.)

Letters of parameters, in every file:

- `i` the coordinates of a component, or one of them
- `p` a position of a level
- `k` a level of a format, or its number
- `v` an index variable
- `e` an expression
- `s` a statement

Nouns that are not the papers' (each is a class or a file):

- `access` a tensor with the index variables that it is read or written at
- `fill` the constant that a missing component stands for
- `background` what missing means in a program: every tensor's fill and dtype, every variable's extent
- `presence` the condition on accesses under which an expression is not missing
- `span` a part of a text; errors point at it
- `room` the positions that a result needs before anything is stored
- `nest` the loops around an assignment, one inside the other
- `frame` one C function while it is written
- `site` where generated code stands: the loops around it, the coordinates and positions that they have reached
- `tiling` the tile where generated code stands, of the variables that a schedule has split or counts in positions
- `team` the threads or lanes that share a loop
- `course` the coordinates and positions that one loop goes through
- `walk` the loop over one fiber of one level
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

import numpy as np

from ..algebra.dtypes import Number, identity
from ..algebra.operator import Operator
from ..noted import Noted
from ..span import Span


class Located(Noted, frozen=True, kw_only=True):
    """A term that may be written somewhere."""

    notes = frozenset({"span"})

    span: Span | None = None


class Typed(Located, frozen=True, kw_only=True):
    """A term that has a dtype once that is known."""

    notes = frozenset({"span", "dtype"})

    dtype: np.dtype | None = None


class Access(Typed, frozen=True):
    """`A(i,j)`: the component of tensor `A` at the values of its index variables; a scalar has none.

    `levels` names the variable that each storage level binds. It is empty in source expressions and is filled
    in when formats are known (`lowering.py`).
    """

    tensor: str
    indices: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash((self.tensor, self.indices, self.levels))


class Literal(Typed, frozen=True):
    """A number written in the expression; weakly typed. What is not a number equals itself."""

    value: Number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Literal) and number(self.value) == number(other.value)

    def __hash__(self) -> int:
        return hash(number(self.value))


def number(value: Number) -> Hashable:
    """What tells numbers apart, where what is not one equals itself."""
    return value if value == value else identity(value)


class Fill(Located, frozen=True):
    """A missing operand, with the constant it stands for and its dtype. Substitution introduces it, never a source.

    Zeros of either sign are different constants: a quotient tells them apart.
    """

    value: Number
    dtype: np.dtype

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fill) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def key(self) -> tuple[Hashable, np.dtype]:
        """What is compared."""
        return identity(self.value), self.dtype


class Apply(Typed, frozen=True):
    """An operator applied to as many arguments as it declares."""

    operator: Operator
    args: tuple[Expr, ...]


class Reduce(Typed, frozen=True):
    """`sum(k, body)`: the operator's fold of the body over the whole extent of `index`."""

    operator: Operator
    index: str
    body: Expr


Expr = Access | Literal | Fill | Apply | Reduce


class Mask(Located, frozen=True):
    """`<M(i,j)>`: by value unless `structural` (`<$M>`); `complement` (`<!M>`) admits what the mask does not hold.

    By value it may be any expression, `<gt(A(i,j), 3)>`, which holds what is present and not zero.
    """

    value: Expr
    complement: bool = False
    structural: bool = False

    @property
    def reads(self) -> tuple[Access, ...]:
        """The accesses of a mask, each once, in order of appearance."""
        return tuple(dict.fromkeys(accesses(self.value)))


class Assignment(Located, frozen=True):
    """`target<mask> operator= value`; `operator` is None for a plain `=`.

    What the mask excludes keeps its previous contents with `merge`, else it is missing, as GraphBLAS replaces it.
    """

    target: Access
    value: Expr
    operator: Operator | None = None
    mask: Mask | None = None
    merge: bool = False

    @property
    def keeps(self) -> bool:
        """Whether previous contents have a part in the result, beside what a mask reads of them."""
        return self.merge or self.operator is not None

    @property
    def asks_contents(self) -> bool:
        """Whether the mask reads previous contents of the target."""
        return any(access.tensor == self.target.tensor for access in mask_reads(self.mask))

    @property
    def needs_contents(self) -> bool:
        """Whether there is no meaning without previous contents."""
        return self.asks_contents or (self.merge and self.operator is None)


def merges(operator: Operator | None) -> bool:
    """Whether an assignment by an operator keeps what its mask excludes unless it says otherwise: `=` replaces it."""
    return operator is not None


def mask_reads(mask: Mask | None) -> tuple[Access, ...]:
    """The accesses of a mask, if there is one."""
    return () if mask is None else mask.reads


def nodes(e: Expr) -> Iterator[Expr]:
    """Every node of an expression."""
    yield e
    match e:
        case Apply(args=args):
            for argument in args:
                yield from nodes(argument)
        case Reduce(body=body):
            yield from nodes(body)
        case Access() | Literal() | Fill():
            pass


def accesses(e: Expr) -> Iterator[Access]:
    """Every access of an expression, left to right, repeats included."""
    match e:
        case Access():
            yield e
        case Literal() | Fill():
            return
        case Apply(args=args):
            for argument in args:
                yield from accesses(argument)
        case Reduce(body=body):
            yield from accesses(body)


def applied_operators(e: Expr) -> Iterator[Operator]:
    """The operators of an expression and of its reductions, outer ones first, repeats included."""
    match e:
        case Apply(operator=operator, args=args):
            yield operator
            for argument in args:
                yield from applied_operators(argument)
        case Reduce(operator=operator, body=body):
            yield operator
            yield from applied_operators(body)
        case Access() | Literal() | Fill():
            return


def is_coordinate(access: Access) -> bool:
    """Whether an access reads the coordinate of an index variable: `i`, as a term `i(i)` (`coordinates.py`)."""
    return access.indices == (access.tensor,)


def free_variables(e: Expr) -> tuple[str, ...]:
    """The variables of an expression that no enclosing reduction binds, by first appearance."""
    match e:
        case Access(indices=indices):
            return tuple(dict.fromkeys(indices))
        case Literal() | Fill():
            return ()
        case Apply(args=args):
            return tuple(dict.fromkeys(v for argument in args for v in free_variables(argument)))
        case Reduce(index=index, body=body):
            return tuple(v for v in free_variables(body) if v != index)
