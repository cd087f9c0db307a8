"""Expressions, typed while they are drawn: no operator meets a dtype that it refuses, no integer can overflow."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st
from msgspec import Struct, field
from msgspec.structs import replace

from ...reference.algebra.dtypes import COORDINATE
from ...reference.algebra.operator import Operator
from ...reference.algebra.operators import ADD, MUL, OPERATORS
from ...reference.algebra.semirings import Semiring
from ...reference.notation.syntax import Access, Literal, free_variables
from ...reference.storage.format import Format
from ...reference.storage.tensor import Tensor, scalar
from ..programs.features import Features
from ..programs.problem import table
from .formats import OPERANDS, fits, formats
from .tensors import tensors
from .typed_parts import Part, apply_operator, holds, reduce

NAMES = tuple("ABDEFGHPQU")
ODD_NAMES = ("I", "double", "INFINITY", "restrict", "int64_t", "NULL", "main", "errno", "isnan", "struct")  # of C
BOUND = "kln"
DEPTH = 3
ENOUGH = 2
MANY = 8
KINDS_OF = {bool: "b", int: "iufc", float: "fc", complex: "c"}
LITERALS = (2, 1, 3, 0, -1, 0.5, -1.5, 1j, True)
LARGE = (100000, 2**31 - 1, 2**31, -(2**31), 2**53 + 1, 2**62, -(2**63), 127, 255, 1e10, -1e30)
DIVISORS = (2, 1, 3)
WHOLE = ("floordiv", "mod")
KINDS = ("leaf", "unary", "number", "reduction", "binary", "reduction", "unary", "binary", "binary", "binary")
SIDES = st.sampled_from((3, 1, 2))
"""Which operands of two have a variable: both, the first, the second."""
WEIGHTS = {"add": 9, "mul": 12, "sub": 4, "min": 2, "max": 2}


@st.composite
def expressions(
    draw: st.DrawFn, made: Expressions, free: tuple[str, ...], depth: int, scope: tuple[str, ...], outermost: bool
) -> Part:
    """An expression by one production; a part of it may take its place when it shrinks."""
    first = draw(st.integers(0, len(KINDS) - 1))
    kind = next(k for k in (*KINDS[first:], *KINDS) if made.allows(k, free, depth, scope, outermost))
    match kind:
        case "leaf":
            return made.leaf(free)
        case "unary":
            return made.unary(made.expression(free, depth - 1, scope, False))
        case "number":
            return made.with_number(made.expression(free, depth - 1, scope, False))
        case "reduction":
            return made.reduction(free, depth, scope, outermost)
        case _:
            return made.binary(free, depth, scope)


class Expressions(Struct, dict=True):
    """Draws expressions over operands that it makes on the way.

    `extents` are those of the variables, `dtypes` what operands may have, `ring` the semiring of the program. Where
    there are a few operands, an expression that may be an access is one; in one program of five not before there are
    `most`.
    """

    draw: st.DrawFn
    features: Features
    extents: dict[str, int]
    dtypes: Sequence[np.dtype]
    ring: Semiring | None = None
    operands: dict[str, Tensor] = field(default_factory=dict)
    most: int = MANY

    @cached_property
    def enough(self) -> int:
        """How many operands an expression may have before nothing but an access is drawn."""
        return self.draw(st.sampled_from((ENOUGH, ENOUGH, ENOUGH, ENOUGH, self.most))) if self.features.many else ENOUGH

    @cached_property
    def dtype(self) -> st.SearchStrategy[np.dtype]:
        """The dtype of an operand."""
        return st.sampled_from(self.dtypes)

    def expression(self, free: tuple[str, ...], depth: int, scope: tuple[str, ...], outermost: bool = True) -> Part:
        """An expression with exactly these free variables; `outermost` if only reductions over `scope` are around."""
        return self.draw(expressions(self, free, depth, scope, outermost))

    def allows(self, kind: str, free: tuple[str, ...], depth: int, scope: tuple[str, ...], outermost: bool) -> bool:
        """Whether a production can give an expression with these variables."""
        orders, most = self.features.orders, max(self.features.orders)
        splits = "mul" in self.features.operators
        if kind == "leaf":
            return len(free) in orders
        if len(free) in orders and (depth <= 0 or (len(self.operands) >= ENOUGH and len(self.operands) >= self.enough)):
            return False
        if len(free) > most:
            return kind == "binary" and splits
        match kind:
            case "binary":
                return bool(free) or 0 in orders
            case "unary":
                return self.ring is None
            case "number":
                return self.features.literals
            case _:
                room = len(free) < most or (splits and len(free) < most + 1 and most > 1)
                placed = (outermost or self.features.inner) and self.fresh(scope) is not None
                return room and placed and bool(self.features.reductions)

    def fresh(self, scope: tuple[str, ...]) -> str | None:
        """A variable that nothing around has."""
        return next((v for v in BOUND if v not in scope), None)

    def leaf(self, free: tuple[str, ...]) -> Part:
        """An access that uses all of the variables: of a new tensor, or now and then of one that is there."""
        indices = tuple(self.draw(st.permutations(free)))
        if self.features.diagonals and free and len(free) + 1 in self.features.orders:
            indices += indices[:1] * (self.draw(st.integers(0, 9)) == 9)
        shape = tuple(self.extents[v] for v in indices)
        known = [name for name, t in self.operands.items() if t.shape == shape] if self.features.shared else []
        if known and self.draw(st.integers(0, 5)) == 5:
            return self.access(self.draw(st.sampled_from(known)), indices)
        name = NAMES[len(self.operands)]
        self.operands[name] = self.tensor(shape)
        return self.access(name, indices)

    def tensor(self, shape: tuple[int, ...], format: Format | None = None) -> Tensor:
        """A new operand, in any format unless one is given; now and then in that of another operand.

        In a semiring over integers whose absent is not 0, formats that store what is absent are left out: it would take
        part in sums, which overflow; so they are where promotion would make another number of it.
        """
        dtype = self.draw(self.dtype)
        fill: Any = 0
        absent_matters = False
        if self.ring is not None:
            assert self.ring.add.left_identity is not None
            fill = self.ring.add.left_identity(dtype)
            absent_matters = dtype.kind in "biu" and not fill == 0 == self.ring.add.left_identity(np.dtype("float64"))
        elif self.features.fills and dtype.kind != "b":
            fill = self.draw(fills(dtype))
        stored = formats(len(shape), self.features.operands or OPERANDS, shape=shape, dense_leaves=not absent_matters)
        alike = [t.format for t in self.operands.values() if t.order == len(shape) and fits(t.format, shape)]
        if format is None and alike and not absent_matters and self.draw(st.integers(0, 5)) == 5:
            format = self.draw(st.sampled_from(alike))
        format = self.draw(stored) if format is None else format
        made = self.draw(tensors(shape, dtype=dtype, format=format, fill=fill, features=self.features))
        return other_than(made, fill) if absent_matters and not shape else made

    def access(self, name: str, indices: tuple[str, ...]) -> Part:
        """An access of an operand, with the bounds of what it holds."""
        tensor = self.operands[name]
        span = None
        if tensor.dtype.kind in "biu":
            background = [] if self.ring is not None else [int(tensor.fill.real)]
            totals = [sum(int(v) for v in held) for held in table(tensor).values()] + background
            span = (min(totals, default=0), max(totals, default=0))
        return Part(Access(name, indices), tensor.dtype, (0, 1) if tensor.dtype.kind == "b" else span)

    def unary(self, part: Part) -> Part:
        """A function of a part, or the part if none is defined there."""
        names = [o for o in self.features.operators if OPERATORS[o].arity == 1]
        if not names:
            return part
        first = self.draw(st.sampled_from(names))
        return next((p for o in (first, *names) if (p := apply_operator(OPERATORS[o], [part])) is not None), part)

    def with_number(self, part: Part) -> Part:
        """An operator on a part and a number or one of its coordinates, or the part if none is defined there."""
        pairs = self.two_place()
        if not pairs:
            return part
        first = self.draw(st.sampled_from(pairs))
        number = self.coordinate(part) or self.number()
        kept = next((f for pair in (first, *pairs) if (f := self.apply_to_number(*pair, part, number))), [part])
        return self.draw(st.sampled_from(kept))

    def coordinate(self, part: Part) -> Part | None:
        """The coordinate of a variable that a part has; None where there is none, and in three of four cases."""
        free = free_variables(part.term)
        if not (free and self.features.coordinates and self.draw(st.integers(0, 3)) == 3):
            return None
        return self.coordinate_of(self.draw(st.sampled_from(free)))

    def coordinate_of(self, variable: str) -> Part:
        """An index variable as a value."""
        return Part(Access(variable, (variable,)), COORDINATE, (0, max(self.extents[variable] - 1, 0)))

    def two_place(self) -> list[tuple[Operator, Operator]]:
        """The two-place operators, each with what is written for it: in a semiring its two."""
        if self.ring is None:
            return [(OPERATORS[o], OPERATORS[o]) for o in self.features.operators if OPERATORS[o].arity == 2]
        pairs = [(self.ring.add, ADD), (self.ring.multiply, MUL)]
        return [(operator, written) for operator, written in pairs if written.name in self.features.operators]

    def apply_to_number(self, operator: Operator, written: Operator, part: Part, number: Part) -> list[Part]:
        """An operator on a part and a number, one of a few or the given one, on either side; whole division is by a
        positive one."""
        if operator.name in WHOLE:
            found = [divide(operator, part, literal(value)) for value in DIVISORS]
        else:
            numbers = [*self.literals(LITERALS), *[number] * ENOUGH]
            found = [self.combine(operator, written, pair) for n in numbers for pair in ((part, n), (n, part))]
        return [p for p in found if p is not None]

    def literals(self, values: Sequence[complex]) -> list[Part]:
        """The numbers that belong to a kind of dtypes that the program has."""
        kinds = {np.dtype(name).kind for name in self.features.dtypes}
        return [literal(v) for v in values if kinds & set(KINDS_OF[type(v)])]

    def number(self) -> Part:
        """A number, maybe a large one, or a term of numbers alone; what it gives is of a kind that the program has."""
        numbers = self.literals((*LITERALS, *LARGE))
        first = self.draw(st.sampled_from(numbers))
        names = [o for o in self.features.operators if o not in WHOLE]
        if self.ring is not None or not names or not self.draw(st.booleans()):
            return first
        operator = OPERATORS[self.draw(st.sampled_from(names))]
        made = apply_operator(operator, [first, self.draw(st.sampled_from(numbers))][: operator.arity])
        return first if made is None or made.dtype.kind not in {n.dtype.kind for n in numbers} else made

    def combine(self, operator: Operator, written: Operator, parts: tuple[Part, Part]) -> Part | None:
        """An operator on two parts, or None; what a semiring adds may be one of the parts alone."""
        found = apply_operator(operator, parts, written)
        spans = [p.span for p in parts if p.span is not None]
        if found is None or found.span is None or self.ring is None or operator is not self.ring.add:
            return found
        span = (min(found.span[0], *(s[0] for s in spans)), max(found.span[1], *(s[1] for s in spans)))
        return replace(found, span=span) if holds(found.dtype, span) else None

    def binary(self, free: tuple[str, ...], depth: int, scope: tuple[str, ...]) -> Part:
        """An operator on two expressions that have these variables together."""
        before = dict(self.operands)
        first, second = self.shares(free)
        left = self.expression(first, depth - 1, scope, False)
        between = dict(self.operands)
        right = self.expression(second, depth - 1, scope, False)
        found = self.join(left, right, alike=set(first) == set(second))
        if found:
            return self.draw(st.sampled_from(found))
        if set(first) == set(free):
            self.operands = between
            return left
        self.operands = before
        if len(free) not in self.features.orders:
            reject()
        return self.leaf(free)

    def shares(self, free: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The variables of two operands: all for both, or some for each where that is allowed."""
        most, least = max(self.features.orders), min(self.features.orders)
        apart = self.features.broadcasts or self.ring is not None or "mul" in self.features.operators
        if len(free) <= most and not (apart and self.draw(st.booleans())):
            return free, free
        sides = [self.draw(SIDES) for _ in free]
        first = tuple(v for v, side in zip(free, sides, strict=True) if side & 1)
        second = tuple(v for v, side in zip(free, sides, strict=True) if side & 2)
        first = first[: most if len(free) > most else None]
        second += tuple(v for v in free if v not in first and v not in second)
        if len(second) > most:
            first, second = free[:most], free[-most:]
        if not (min(len(first), len(second)) >= least):
            return (free, free) if len(free) <= most else (free[:most], free[-most:])
        return first, second

    def join(self, left: Part, right: Part, alike: bool) -> list[Part]:
        """The two-place operators that can join two parts, the frequent ones several times."""
        found = []
        for operator, written in self.two_place():
            if operator.name in WHOLE:
                continue
            if alike or self.features.broadcasts or written is MUL:
                part = self.combine(operator, written, (left, right))
                found += [part] * WEIGHTS.get(written.name, 1) if part is not None else []
        return found

    def reduction(self, free: tuple[str, ...], depth: int, scope: tuple[str, ...], outermost: bool) -> Part:
        """A reduction over one more variable."""
        index = self.fresh(scope)
        assert index is not None
        before = dict(self.operands)
        body = self.expression((*free, index), depth - 1, (*scope, index), outermost)
        extent = self.extents[index]
        if self.ring is not None:
            found = [reduce(self.ring.add, index, body, extent, ADD)]
        else:
            found = [reduce(OPERATORS[o], index, body, extent) for o in self.features.reductions]
        kept = [p for p in found if p is not None for _ in range(WEIGHTS.get(p.term.operator.name, 1))]  # type: ignore[union-attr]
        if kept:
            return self.draw(st.sampled_from(kept))
        self.operands = before
        return self.leaf(free)


def other_than(tensor: Tensor, absent: Any) -> Tensor:
    """A scalar that does not hold what stands for absent."""
    if tensor.vals[0] != absent:
        return tensor
    return scalar(not absent if tensor.dtype.kind == "b" else 1, tensor.dtype, absent)


@cache
def fills(dtype: np.dtype) -> st.SearchStrategy[Any]:
    """What an operand of a dtype holds where nothing is stored, mostly 0."""
    return st.sampled_from((0, 0, 0, 0, 1, 2, *extremes(dtype)))


def extremes(dtype: np.dtype) -> tuple[Any, ...]:
    """The ends of a dtype."""
    if dtype.kind in "iu":
        return int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    return (-0.0, 0.1, float("inf"), float("-inf")) if dtype.kind == "f" else ()


def divide(operator: Operator, part: Part, divisor: Part) -> Part | None:
    """A quotient or remainder by a positive number; a remainder lies below it."""
    found = apply_operator(operator, [part, divisor])
    if found is None or found.span is None or divisor.span is None:
        return found
    return replace(found, span=(min(found.span[0], 0), max(found.span[1], divisor.span[1])))


def literal(value: complex) -> Part:
    """A number."""
    span = (int(value), int(value)) if isinstance(value, int) else None
    return Part(Literal(value), np.dtype(type(value)), span, weak=True)
