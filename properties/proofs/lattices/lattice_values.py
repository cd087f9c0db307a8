"""Assignments in numbers: a lattice point's statement gives what the whole statement gives with fills as numbers.

Here a missing operand is nothing but the constant fill of its tensor, and no declaration is believed: that 0
annihilates a product, or that an assignment may be left out, has to follow from what operators compute. Numbers are
those of mathematics, present values finite, complex ones on the real line. Nothing is claimed where an operator has no
number to give: a zero divisor, an infinity times zero. Semirings are left out: in them a missing operand is no number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from msgspec import Struct, field

from ....reference.algebra.dtypes import Number
from ....reference.algebra.operator import Operator
from ....reference.algebra.operators import CONVERSIONS
from ....reference.errors import InternalError, MeaningError
from ....reference.loops.presence import Every, Presence, Some, survey
from ....reference.notation.syntax import Access, Apply, Expr, Fill, Literal, Mask, Reduce
from ....reference.notation.types import dtype_of
from ....reference.statement.statement import Assign, Program, assignments, operators
from ....reference.statement.substitution import Background
from ..operators.carriers import Booleans, Carrier, Integers, Reals
from ..operators.extended_reals import ExtendedReals
from ..operators.operator_terms import Tree, apply, convert, is_interpreted, tree
from ..solver import Term, z3
from .agreement import Place

DIVIDING = {"/", "div", "mod"}
CASTS = {operator.name for operator in CONVERSIONS.values()}


class Constant(Struct, frozen=True):
    """A number that is known: what operators make of such is computed, in their dtype."""

    value: Number


Value = Constant | Term


class ByValue(Struct):
    """The reading of assignments in numbers; `real` are the numbers of floating-point dtypes.

    `given` is what is assumed: that values are numbers of their dtype, and that operators have a number to give.
    `learned` are the constants of which it is given what an open function computes of them.
    """

    dtypes: Mapping[str, np.dtype]
    fills: Mapping[str, Number]
    workspaces: frozenset[str]
    real: Reals | ExtendedReals
    given: list[Term] = field(default_factory=list)
    learned: set[str] = field(default_factory=set)

    def is_idle(self, leaf: Assign, missing: frozenset[Access], place: Place) -> Term:
        """Whether the mask is closed, or the target is afterwards what it was before, whatever that is."""
        return z3.Or(z3.Not(self.admits(leaf.mask, missing, place)), self.leaves_target(leaf, missing, place))

    def leaves_target(self, leaf: Assign, missing: frozenset[Access], place: Place) -> Term:
        """Whether the target already holds the value, or the reduction does not notice it."""
        value, name = self.assigned_value(leaf, missing, place), leaf.target.tensor
        carrier = self.carrier(self.dtypes[name])
        before = self.variable(f"{name} before", carrier)
        if leaf.operator is None:
            return value == (self.constant(self.fills[name], carrier) if name in self.fills else before)
        unit = leaf.operator.left_unit
        if unit is not None:
            before, value = apply(unit, [before], carrier), apply(unit, [value], carrier)
        return apply(leaf.operator, [before, value], carrier) == before

    def agrees(self, leaf: Assign, other: Assign, missing: frozenset[Access], place: Place) -> Term:
        """Whether the masks let both through or neither, and then the values are equal."""
        admits, value = self.admits(leaf.mask, missing, place), self.assigned_value(leaf, missing, place)
        left = ByValue(self.dtypes, self.fills, self.workspaces, self.real)
        same = left.assigned_value(other, frozenset(), place) == value
        return z3.And(admits == left.admits(other.mask, frozenset(), place), z3.Implies(admits, same))

    def assigned_value(self, leaf: Assign, missing: frozenset[Access], place: Place) -> Term:
        """The value of an assignment, in the numbers of its target."""
        own = dtype_of(leaf.value)
        value = self.term(self.value(leaf.value, missing, place), self.carrier(own))
        return self.cast(value, own, self.dtypes[leaf.target.tensor])

    def carrier(self, dtype: np.dtype) -> Carrier:
        """The numbers of a dtype. Complex ones are taken on the real line."""
        match dtype.kind:
            case "b":
                return Booleans()
            case "i" | "u":
                return Integers(dtype.name)
            case _:
                return self.real

    def variable(self, name: str, carrier: Carrier) -> Term:
        """A finite number of which nothing else is known."""
        found = carrier.variable(name)
        self.given.append(carrier.is_finite(found) if isinstance(carrier, ExtendedReals) else carrier.within(found))
        return found

    def term(self, value: Value, carrier: Carrier) -> Term:
        """A value as a term."""
        return self.constant(value.value, carrier) if isinstance(value, Constant) else value

    def constant(self, value: Number, carrier: Carrier) -> Term:
        """A number. Of one off the real line nothing is known. Raises ValueError for an infinity if there is none."""
        if not isinstance(value, complex | np.complexfloating):
            return carrier.constant(value)
        return carrier.constant(float(value.real)) if value.imag == 0 else carrier.variable(f"number {value}")

    def value(self, e: Expr, missing: frozenset[Access], place: Place) -> Value:
        """The value of an expression."""
        match e:
            case Access():
                return self.access(e, missing, place)
            case Literal(value=value) | Fill(value=value):
                return Constant(value)
            case Apply(operator=operator, args=args) if operator.name in CASTS:
                own, target = dtype_of(args[0]), np.dtype(operator.name)
                inner = self.value(args[0], missing, place)
                if isinstance(inner, Constant):
                    return Constant(operator.compute(inner.value))
                return self.cast(inner, own, target)
            case Apply(args=args):
                return self.apply(e, tuple(self.value(a, missing, place) for a in args), missing)
            case Reduce():
                raise InternalError("reductions become loops before lattices are made")

    def access(self, access: Access, missing: frozenset[Access], place: Place) -> Value:
        """What an access holds: any number, but a workspace its fill unless its producer has put something there."""
        fill = Constant(self.fills[access.tensor])
        if access in missing:
            return fill
        held = self.component(access, place)
        if access.tensor not in self.workspaces:
            return held
        return z3.If(place.present(access), held, self.term(fill, self.carrier(self.dtypes[access.tensor])))

    def component(self, access: Access, place: Place) -> Term:
        """A component of a tensor."""
        return self.variable(place.name(access), self.carrier(self.dtypes[access.tensor]))

    def apply(self, e: Apply, args: tuple[Value, ...], missing: frozenset[Access]) -> Value:
        """An operator over values; that it has a number to give is assumed.

        Of an open function is known what it computes of the constants that it may meet.
        """
        operator = e.operator
        own = dtype_of(e.args[0])
        carrier = self.carrier(own)
        if len(args) == 2 and DIVIDING & set(words(tree(operator.smt))):
            self.given.append(self.term(args[1], carrier) != carrier.constant(0))
        known = [a.value for a in args if isinstance(a, Constant)]
        if len(known) == len(args):
            folded = compute(operator, known)
            if folded is not None:
                if folded != folded:
                    self.given.append(z3.BoolVal(False))
                return Constant(folded)
        terms = [self.term(a, carrier) for a in args]
        found = apply(operator, terms, carrier)
        if not is_interpreted(operator, carrier):
            self.learn(operator, [self.guess(a, missing) for a in e.args], carrier)
        if isinstance(carrier, ExtendedReals):
            self.given.append(found != carrier.sort.nan)
        return self.cast(found, own, dtype_of(e))

    def learn(self, operator: Operator, values: list[Number | None], carrier: Carrier) -> None:
        """Take in what an operator computes of numbers, if it has a result."""
        known = [v for v in values if v is not None]
        result = compute(operator, known) if len(known) == len(values) else None
        if result is not None and result == result:
            called = apply(operator, [self.constant(v, carrier) for v in known], carrier)
            if str(called) not in self.learned:
                self.learned.add(str(called))
                self.given.append(called == self.constant(result, carrier))

    def guess(self, e: Expr, missing: frozenset[Access]) -> Number | None:
        """The value of an expression if all that is present is 1: its own value if missing operands decide that."""
        match e:
            case Access(tensor=tensor):
                return self.fills[tensor] if e in missing else 1
            case Literal(value=value) | Fill(value=value):
                return value
            case Apply(operator=operator, args=args):
                known = [self.guess(a, missing) for a in args]
                return compute(operator, [v for v in known if v is not None]) if None not in known else None
            case Reduce():
                raise InternalError("reductions become loops before lattices are made")

    def cast(self, a: Term, source: np.dtype, target: np.dtype) -> Term:
        """A number of one dtype as one of another."""
        own, other = self.carrier(source), self.carrier(target)
        found = convert(a, own, other)
        return z3.Function(f"{target.name} of {source.name}", own.sort, other.sort)(a) if found is None else found

    def admits(self, mask: Mask | None, missing: frozenset[Access], place: Place) -> Term:
        """Whether a mask is open."""
        if mask is None:
            return z3.BoolVal(True)
        present = survey(mask.value, frozenset(mask.reads), Background(self.fills, self.dtypes, {})).present
        inside = formula(present, missing, place)
        if not mask.structural:
            carrier = self.carrier(dtype_of(mask.value))
            held = self.term(self.value(mask.value, missing, place), carrier)
            inside = z3.And(inside, held != carrier.constant(0))
        return z3.Not(inside) if mask.complement else inside


def formula(presence: Presence, missing: frozenset[Access], place: Place) -> Term:
    """A formula of accesses as a term."""
    match presence:
        case bool():
            return z3.BoolVal(presence)
        case Access():
            return z3.BoolVal(False) if presence in missing else place.present(presence)
        case Every(parts=parts):
            return z3.And(*(formula(part, missing, place) for part in parts))
        case Some(parts=parts):
            return z3.Or(*(formula(part, missing, place) for part in parts))


def compute(operator: Operator, values: list[Number]) -> Number | None:
    """What an operator computes of constants; None if it has no result."""
    try:
        with np.errstate(all="ignore"):
            result: Number = operator.compute(*values)
    except (MeaningError, ZeroDivisionError, OverflowError):
        return None
    return result


def words(t: Tree) -> Iterator[str]:
    """The words of a spelling."""
    if isinstance(t, str):
        yield t
    else:
        for part in t:
            yield from words(part)


def reading_of(program: Program, real: Reals | ExtendedReals) -> ByValue:
    """The reading for a program, with floating-point dtypes in these numbers."""
    dtypes = program.dtypes
    return ByValue(dtypes, program.fills, frozenset(program.workspace), real)


def has_numbers(program: Program) -> bool:
    """Whether a program speaks of numbers: not of presence as semirings do, of a choice, or of the complex plane."""
    leaves = list(assignments(program.statement))
    found = [*program.fills.values(), *(v for leaf in leaves for v in literals(leaf.value))]
    off = any(isinstance(v, complex | np.complexfloating) and v.imag != 0 for v in found)
    return not off and not any(o.structural or o.selects or o.absent for o in operators(program.statement))


def literals(e: Expr) -> Iterator[Number]:
    """The numbers written in an expression."""
    match e:
        case Literal(value=value) | Fill(value=value):
            yield value
        case Apply(args=args):
            for a in args:
                yield from literals(a)
        case Reduce(body=body):
            yield from literals(body)
        case Access():
            return
