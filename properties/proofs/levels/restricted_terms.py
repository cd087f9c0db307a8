"""Restricted Python as terms: expressions of level functions over symbolic storage (reference/levels/restricted.py).

A level's storage is given by `fields`: an extent or parameter is an integer term, an array is a function from index
terms to element terms. What is known beforehand (the level's properties, constants) is computed with as Python values,
so that a branch on `self.padded` leaves no trace. Integers are mathematical: that 64 bits hold them is assumed, as
packing admits no more positions than memory has room for.

Every element that is read or written, and every divisor, is noted with the condition under which that happens.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ....reference.errors import CompileError, InternalError
from ....reference.levels.level import Level
from ..solver import Term, z3

Array = Callable[[Term], Term]
Field = Any
"""An integer term (extent, parameter) or an `Array`."""
Value = Any
"""An integer or truth value of Python, a term, an `Array`, or a tuple of coordinates."""


@dataclass(frozen=True, slots=True)
class Access:
    """An element of an array that is read or written at an index, when a condition holds."""

    array: str
    index: Term
    when: Term


@dataclass(frozen=True, slots=True)
class Division:
    """A division by something, when a condition holds."""

    divisor: Term
    when: Term


@dataclass
class Notes:
    """What happens while a level function runs: elements accessed, divisions, and loops that had to be unrolled."""

    accesses: list[Access] = field(default_factory=list)
    divisions: list[Division] = field(default_factory=list)
    claims: list[tuple[str, Term]] = field(default_factory=list)
    unrolled: list[str] = field(default_factory=list)

    def of_what_is_said(self) -> Notes:
        """Notes on what is said of a run: nothing is accessed there, but what is unrolled is unrolled here too."""
        return Notes(unrolled=self.unrolled)


@dataclass(frozen=True)
class Scope:
    """What the names in a piece of text stand for, and the condition under which it is run."""

    level: Level
    fields: Mapping[str, Field]
    variables: Mapping[str, Value]
    notes: Notes
    when: Term = True
    before: Mapping[str, Field] = field(default_factory=dict)
    lengths: Mapping[str, Term] = field(default_factory=dict)
    names: Mapping[str, Any] = field(default_factory=dict)
    conditions: Mapping[Callable[..., Any], Callable[..., Term]] = field(default_factory=dict)
    call: Callable[[str, Sequence[Value], Scope], tuple[Value, ...]] | None = None
    results: tuple[Value, ...] | None = None

    def under(self, condition: Value) -> Scope:
        """The scope where a condition holds too."""
        return self.changed(when=both(self.when, condition))

    def binding(self, values: Mapping[str, Value]) -> Scope:
        """The scope with more variables."""
        return self.changed(variables={**self.variables, **values})

    def storing(self, name: str, array: Array) -> Scope:
        """The scope with another array."""
        return self.changed(fields={**self.fields, name: array})

    def changed(self, **parts: Any) -> Scope:
        """A copy with other parts."""
        own = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return Scope(**{**own, **parts})


def both(*conditions: Value) -> Value:
    """The conjunction, decided where Python can."""
    left = [c for c in conditions if c is not True]
    if any(c is False for c in left):
        return False
    return True if not left else left[0] if len(left) == 1 else z3.And(*left)


def either(*conditions: Value) -> Value:
    """The disjunction, decided where Python can."""
    return negated(both(*map(negated, conditions)))


def negated(condition: Value) -> Value:
    """The negation, decided where Python can."""
    if isinstance(condition, bool):
        return not condition
    return condition.arg(0) if z3.is_not(condition) else z3.Not(condition)


def implied(condition: Value, conclusion: Value) -> Value:
    """The implication, decided where Python can."""
    if condition is True or conclusion is True or condition is False:
        return True if condition is False else conclusion
    return negated(condition) if conclusion is False else z3.Implies(condition, conclusion)


def choice(condition: Value, this: Value, that: Value) -> Value:
    """One value or the other, decided where Python can."""
    if isinstance(condition, bool):
        return this if condition else that
    if isinstance(this, bool) or isinstance(that, bool):
        return both(implied(condition, this), implied(negated(condition), that))
    return z3.If(condition, this, that)


def formula(condition: Value) -> Term:
    """A condition as a term."""
    return z3.BoolVal(condition) if isinstance(condition, bool) else condition


def integer(value: Value) -> Term:
    """An integer as a term."""
    return z3.IntVal(int(value)) if isinstance(value, int) else value


def written(array: Array, index: Term, value: Value) -> Array:
    """An array after an element has been written."""
    return lambda n: z3.If(n == index, integer(value), array(n))


COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}


def expression(e: ast.expr, scope: Scope) -> Value:
    """The value of an expression. Raises CompileError for what is not restricted Python."""
    match e:
        case ast.Constant(value=int() as value):
            return value
        case ast.Name(id=name) if name in scope.variables:
            return scope.variables[name]
        case ast.Attribute(value=ast.Name("self"), attr=name):
            return scope.fields[name] if name in scope.fields else getattr(scope.level, name)
        case ast.Attribute(value=ast.Name("before"), attr=name):
            return scope.before[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -expression(operand, scope)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return negated(expression(operand, scope))
        case ast.BinOp(left=left, op=op, right=right):
            return arithmetic(op, expression(left, scope), expression(right, scope), scope)
        case ast.BoolOp(op=op, values=values):
            return connected(isinstance(op, ast.And), values, scope)
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            sides = [expression(x, scope) for x in (left, *comparators)]
            return both(*[COMPARED[type(op)](a, b) for op, a, b in zip(ops, sides, sides[1:], strict=False)])
        case ast.IfExp(test=test, body=body, orelse=orelse):
            condition = expression(test, scope)
            then = expression(body, scope.under(condition)) if condition is not False else 0
            other = expression(orelse, scope.under(negated(condition))) if condition is not True else 0
            return choice(condition, then, other)
        case ast.Subscript(
            value=value, slice=ast.Slice(lower=ast.expr() as first, upper=None, step=ast.expr() as step)
        ):
            return column(*[expression(x, scope) for x in (value, first, step)])
        case ast.Subscript(value=value, slice=index):
            return element(value, expression(index, scope), scope)
        case ast.Call(func=ast.Name("min" | "max" as name), args=args):
            first, *rest = [expression(a, scope) for a in args]
            for each in rest:
                first = choice(first <= each, *((first, each) if name == "min" else (each, first)))
            return first
        case ast.Call(func=ast.Name("len"), args=[ast.Attribute(value=ast.Name("self"), attr=name)]) if (
            name in scope.lengths
        ):
            return scope.lengths[name]
        case ast.Call(func=ast.Attribute(value=ast.Name("self"), attr=name), args=args) if scope.call is not None:
            return scope.call(name, [expression(a, scope) for a in args], scope)[0]
        case ast.Tuple(elts=elements):
            return tuple(expression(x, scope) for x in elements)
        case ast.Call(func=ast.Name(id=name), args=args) if callable(meant := scope.names.get(name)) and (
            meant in scope.conditions
        ):
            return scope.conditions[meant](*[expression(a, scope) for a in args])
        case _:
            raise CompileError(f"{ast.unparse(e)} has no meaning as a term here")


def connected(conjunction: bool, values: list[ast.expr], scope: Scope) -> Value:
    """`and` or `or`: what comes later is computed only if what came before leaves it open."""
    found: list[Value] = []
    for each in values:
        inner = scope.under(both(*found) if conjunction else both(*map(negated, found)))
        if inner.when is False:
            break
        found.append(expression(each, inner))
    return both(*found) if conjunction else either(*found)


def arithmetic(op: ast.operator, left: Value, right: Value, scope: Scope) -> Value:
    """The arithmetic of restricted Python. Division rounds down: for a positive divisor, as Z3's."""
    match op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.FloorDiv() | ast.Mod():
            if isinstance(left, int) and isinstance(right, int) and right > 0:
                return left // right if isinstance(op, ast.FloorDiv) else left % right
            if isinstance(right, int) and right <= 0:
                raise CompileError(f"{right} is no divisor: // and % round down for positive ones only")
            scope.notes.divisions.append(Division(integer(right), formula(scope.when)))
            over, under = integer(left), integer(right)
            return over / under if isinstance(op, ast.FloorDiv) else over % under
        case _:
            raise InternalError(f"{op} passed the check of restricted Python")


def element(value: ast.expr, index: Value, scope: Scope) -> Value:
    """An element of an array, or a coordinate of a tuple."""
    held = expression(value, scope)
    if isinstance(held, tuple):
        return held[index]
    name = ast.unparse(value).removeprefix("self.")
    scope.notes.accesses.append(Access(name, integer(index), formula(scope.when)))
    return held(integer(index))


def column(array: Array, first: Value, step: Value) -> Array:
    """Every `step`-th element of an array."""
    return lambda n: array(first + n * step)
