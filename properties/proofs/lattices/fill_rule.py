"""The fill rule as terms: what an expression means where operands are missing (docs/spec/denotation/missing.md).

Presence is a truth value of the solver, so one term says what an expression means for every choice of what is
present. The arithmetic is open: an operator is a function of which only its declared algebra is used, for missing
operands, and what it computes of the constants that missing operands stand for. What is proved so holds for every
arithmetic, floating point with its infinities and NaN included; two zeros are one number.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct, field

from ....reference.algebra.dtypes import Number, same_value
from ....reference.algebra.operator import Constant, Operator
from ....reference.errors import InternalError, MeaningError
from ....reference.notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce
from ....reference.notation.types import dtype_of
from ..operators.carrier_terms import cases
from ..operators.extended_reals import ExtendedReals
from ..solver import Term, z3

NUMBERS = ExtendedReals()
Key = tuple[str, ...]


class Meaning(Struct, frozen=True):
    """What an expression is at a coordinate: missing, or something stored, or neither (a number); and its value.

    `constants` are the values that it may have where nothing is stored.
    """

    missing: Term
    stored: Term
    value: Term
    constants: tuple[Number, ...] = ()


class Rule(Struct):
    """The fill rule; `facts` are what operators compute of constants."""

    facts: dict[Key, Term] = field(default_factory=dict)
    others: dict[str, Term] = field(default_factory=dict)

    def assumptions(self) -> list[Term]:
        """The facts."""
        return list(self.facts.values())

    def constant(self, value: Number) -> Term:
        """A number. For one off the real line stands a third of an integer, which is no float: it differs from all."""
        if not isinstance(value, complex | np.complexfloating):
            return NUMBERS.constant(value)
        if value.imag == 0:
            return NUMBERS.constant(float(value.real))
        other = NUMBERS.sort.finite(z3.Q(3 * len(self.others) + 1, 3))
        return self.others.setdefault(str(complex(value)), other)

    def missing_operand(self, fill: Number) -> Meaning:
        """A missing operand is the constant fill of its tensor."""
        return Meaning(z3.BoolVal(True), z3.BoolVal(False), self.constant(fill), (fill,))

    def of(self, e: Expr, access: Callable[[Access], Meaning]) -> Meaning:
        """The meaning of an expression, given that of its accesses."""
        match e:
            case Access():
                return access(e)
            case Literal(value=value):
                return Meaning(z3.BoolVal(False), z3.BoolVal(False), self.constant(value), (value,))
            case Fill(value=value):
                return self.missing_operand(value)
            case Apply(operator=operator, args=args):
                found = tuple(self.of(a, access) for a in args)
                return self.apply(operator, found, dtype_of(e.args[0]), dtype_of(e))
            case Reduce():
                raise InternalError("reductions become loops before lattices are made")

    def plain(self, e: Expr, access: Callable[[Access], Term]) -> Term:
        """What a statement computes of an expression: its operators over values."""
        match e:
            case Access():
                return access(e)
            case Literal(value=value) | Fill(value=value):
                return self.constant(value)
            case Apply(operator=operator, args=args):
                return self.call(operator, tuple(self.plain(a, access) for a in args), dtype_of(e.args[0]))
            case Reduce():
                raise InternalError("reductions become loops before lattices are made")

    def apply(self, operator: Operator, args: tuple[Meaning, ...], dtype: np.dtype, result: np.dtype) -> Meaning:
        """The one rule, for an operator over its arguments."""
        if len(args) == 1:
            return self.alone(operator, args[0], dtype, result)
        return self.both(operator, args[0], args[1], dtype, result)

    def alone(self, operator: Operator, m: Meaning, dtype: np.dtype, result: np.dtype) -> Meaning:
        """An operator over one argument; one that keeps absent leaves it absent."""
        value = self.call(operator, (m.value,), dtype)
        constants = self.fold(operator, (m.constants,), dtype)
        if operator.absent is None:
            return Meaning(m.missing, m.stored, value, constants)
        absent, kept = operator.absent(result), self.acts(m, operator.absent, dtype)
        return Meaning(m.missing, m.stored, z3.If(kept, self.constant(absent), value), (absent, *constants))

    def both(self, operator: Operator, left: Meaning, right: Meaning, dtype: np.dtype, result: np.dtype) -> Meaning:
        """A missing argument that is an annihilator or identity acts as one; others are their constant. An annihilator
        is that of the dtype of the result."""
        annihilates = [
            self.acts(m, c, dtype) for m, c in ((left, operator.left_annihilator), (right, operator.right_annihilator))
        ]
        passes = [
            z3.And(self.acts(m, c, dtype), z3.Or(other.missing, other.stored))
            for m, c, other in ((left, operator.left_identity, right), (right, operator.right_identity, left))
        ]
        kept = [
            other.value if unit is None else self.call(unit, (other.value,), dtype)
            for unit, other in ((operator.left_unit, right), (operator.right_unit, left))
        ]
        annihilated = [
            m.value if c is None or dtype == result else self.constant(c(result))
            for m, c in ((left, operator.left_annihilator), (right, operator.right_annihilator))
        ]
        value = cases(
            (annihilates[0], annihilated[0]),
            (annihilates[1], annihilated[1]),
            (passes[0], kept[0]),
            (passes[1], kept[1]),
            otherwise=self.call(operator, (left.value, right.value), dtype),
        )
        killed = z3.Or(annihilates)
        stored = z3.And(z3.Not(killed), z3.Or(left.stored, right.stored))
        missing = z3.And(z3.Not(stored), z3.Or(left.missing, right.missing))
        return Meaning(missing, stored, value, self.constants(operator, left, right, dtype, result))

    def acts(self, m: Meaning, constant: Constant | None, dtype: np.dtype) -> Term:
        """Whether a missing argument is a declared constant."""
        return z3.BoolVal(False) if constant is None else z3.And(m.missing, m.value == self.constant(constant(dtype)))

    def constants(
        self, operator: Operator, left: Meaning, right: Meaning, dtype: np.dtype, result: np.dtype
    ) -> tuple[Number, ...]:
        """The values that an operator may have where nothing is stored, or where one argument annihilates."""
        found: list[Number] = []
        for m, annihilator in ((left, operator.left_annihilator), (right, operator.right_annihilator)):
            if annihilator is not None:
                acting = [c for c in m.constants if same_value(c, annihilator(dtype))]
                found += acting if dtype == result else [annihilator(result) for _ in acting]
        for m, other, identity, unit in (
            (left, right, operator.left_identity, operator.left_unit),
            (right, left, operator.right_identity, operator.right_unit),
        ):
            if identity is not None and any(same_value(c, identity(dtype)) for c in m.constants):
                found += other.constants if unit is None else self.fold(unit, (other.constants,), dtype)
        return once([*found, *self.fold(operator, (left.constants, right.constants), dtype)])

    def call(self, operator: Operator, args: tuple[Term, ...], dtype: np.dtype) -> Term:
        """An operator over values: an open function, one for each dtype in which it computes."""
        name = f"{operator.name} {dtype.name}"
        return z3.Function(name, *[NUMBERS.sort] * len(args), NUMBERS.sort)(*args)

    def fold(self, operator: Operator, args: tuple[tuple[Number, ...], ...], dtype: np.dtype) -> tuple[Number, ...]:
        """What an operator computes of constants, each taken as a fact. What has no result stays open."""
        found: list[Number] = []
        left = args[0]
        for values in [(a, b) for a in left for b in args[1]] if len(args) == 2 else [(a,) for a in left]:
            try:
                with np.errstate(all="ignore"):
                    result = operator.compute(*values)
            except (MeaningError, ZeroDivisionError, OverflowError):
                continue
            terms = tuple(self.constant(v) for v in values)
            fact = self.call(operator, terms, dtype) == self.constant(result)
            self.facts.setdefault((operator.name, dtype.name, *map(str, terms)), fact)
            found.append(result)
        return once(found)


def once(values: list[Number]) -> tuple[Number, ...]:
    """The values without repetitions."""
    found: list[Number] = []
    for value in values:
        if not any(same_value(value, other) for other in found):
            found.append(value)
    return tuple(found)
