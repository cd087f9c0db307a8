"""Restricted Python as terms: expressions of level functions over symbolic storage (reference/levels/restricted.py).

A level's storage is given by `fields`: an extent or parameter is an integer term, an array is a function from index
terms to element terms. What is known beforehand (the level's properties, constants) is computed with as Python values,
so that a branch on `self.padded` leaves no trace. Integers are mathematical: that 64 bits hold them is assumed, as
packing admits no more positions than memory has room for.

Every element that is read or written, and every divisor, is noted with the condition under which that happens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from ....reference.errors import CompileError
from ....reference.levels.level import Level
from ....reference.levels.restricted_syntax import (
    Arithmetic,
    Call,
    Choice,
    Comparison,
    Connective,
    Constant,
    Coordinate,
    Coordinates,
    Element,
    Expression,
    Extreme,
    Negation,
    Negative,
    Operator,
    Sign,
    Variable,
)
from ....reference.levels.restricted_syntax import Field as OwnField
from ..solver import Term, z3

Array = Callable[[Term], Term]
Field = Any
"""An integer term (extent, parameter) or an `Array`."""
Value = Any
"""An integer or truth value of Python, a term, an `Array`, or a tuple of coordinates."""


class Access(Struct, frozen=True):
    """An element of an array that is read or written at an index, when a condition holds."""

    array: str
    index: Term
    when: Term


class Division(Struct, frozen=True):
    """A division by something, when a condition holds."""

    divisor: Term
    when: Term


class Notes(Struct):
    """What happens while a level function runs: elements accessed, divisions, and loops that had to be unrolled."""

    accesses: list[Access] = field(default_factory=list)
    divisions: list[Division] = field(default_factory=list)
    claims: list[tuple[str, Term]] = field(default_factory=list)
    unrolled: list[str] = field(default_factory=list)

    def of_what_is_said(self) -> Notes:
        """Notes on what is said of a run: nothing is accessed there, but what is unrolled is unrolled here too."""
        return Notes(unrolled=self.unrolled)


def refuse_call(name: str, arguments: Sequence[Value], scope: Scope) -> tuple[Value, ...]:
    """Raises CompileError: where nothing else is said, no function is called."""
    raise CompileError(f"{name} has no meaning as a term here")


class Scope(Struct, frozen=True):
    """What the names in a piece of text stand for, and the condition under which it is run."""

    level: Level
    fields: Mapping[str, Field]
    variables: Mapping[str, Value]
    notes: Notes
    when: Term = True
    before: Mapping[str, Field] = field(default_factory=dict)
    lengths: Mapping[str, Term] = field(default_factory=dict)
    call: Calls = refuse_call
    results: tuple[Value, ...] | None = None

    def under(self, condition: Value) -> Scope:
        """The scope where a condition holds too."""
        return self.replace(when=both(self.when, condition))

    def bind(self, values: Mapping[str, Value]) -> Scope:
        """The scope with more variables."""
        return self.replace(variables={**self.variables, **values})

    def with_array(self, name: str, array: Array) -> Scope:
        """The scope with another array."""
        return self.replace(fields={**self.fields, name: array})

    def replace(self, **parts: Any) -> Scope:
        """A copy with other parts."""
        return replace(self, **parts)


Calls = Callable[[str, Sequence[Value], Scope], tuple[Value, ...]]
"""The results of a function, by name, with arguments, where it is called."""


def both(*conditions: Value) -> Value:
    """The conjunction, decided where Python can."""
    left = [c for c in conditions if c is not True]
    if any(c is False for c in left):
        return False
    return True if not left else left[0] if len(left) == 1 else z3.And(*left)


def either(*conditions: Value) -> Value:
    """The disjunction, decided where Python can."""
    return negate(both(*map(negate, conditions)))


def negate(condition: Value) -> Value:
    """The negation, decided where Python can."""
    if isinstance(condition, bool):
        return not condition
    return condition.arg(0) if z3.is_not(condition) else z3.Not(condition)


def implies(condition: Value, conclusion: Value) -> Value:
    """The implication, decided where Python can."""
    if condition is True or conclusion is True or condition is False:
        return True if condition is False else conclusion
    return negate(condition) if conclusion is False else z3.Implies(condition, conclusion)


def choice(condition: Value, this: Value, that: Value) -> Value:
    """One value or the other, decided where Python can."""
    if isinstance(condition, bool):
        return this if condition else that
    if isinstance(this, bool) or isinstance(that, bool):
        return both(implies(condition, this), implies(negate(condition), that))
    return z3.If(condition, this, that)


def formula(condition: Value) -> Term:
    """A condition as a term."""
    return z3.BoolVal(condition) if isinstance(condition, bool) else condition


def integer(value: Value) -> Term:
    """An integer as a term."""
    return z3.IntVal(int(value)) if isinstance(value, int) else value


def write_element(array: Array, index: Term, value: Value) -> Array:
    """An array after an element has been written."""
    return lambda n: z3.If(n == index, integer(value), array(n))


COMPARED: dict[Sign, Callable[[Any, Any], Any]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def expression(e: Expression | Coordinates, scope: Scope) -> Value:
    """The value of an expression. Raises CompileError where a variable has none."""
    match e:
        case Constant(value=value):
            return value
        case Variable(name=name):
            return variable(name, scope)
        case OwnField(name=name):
            return scope.fields[name] if name in scope.fields else getattr(scope.level, name)
        case Coordinate(of=name, index=index):
            return entry(name, expression(index, scope), scope)
        case Element(array=name, index=index):
            held = expression(OwnField(name), scope)
            return element(held, name, expression(index, scope), scope)
        case Arithmetic(operator=operator, left=left, right=right):
            return arithmetic(operator, expression(left, scope), expression(right, scope), scope)
        case Negative(e=operand):
            return -expression(operand, scope)
        case Negation(e=operand):
            return negate(expression(operand, scope))
        case Connective(word=word, operands=operands):
            return connect(word == "and", operands, scope)
        case Comparison(signs=signs, sides=sides):
            values = [expression(each, scope) for each in sides]
            return both(*[COMPARED[sign](a, b) for sign, a, b in zip(signs, values, values[1:], strict=False)])
        case Choice(test=test, then=then, otherwise=otherwise):
            condition = expression(test, scope)
            this = expression(then, scope.under(condition)) if condition is not False else 0
            that = expression(otherwise, scope.under(negate(condition))) if condition is not True else 0
            return choice(condition, this, that)
        case Extreme(which=which, operands=operands):
            first, *rest = [expression(each, scope) for each in operands]
            for each in rest:
                first = choice(first <= each, *((first, each) if which == "min" else (each, first)))
            return first
        case Call(function=name, arguments=arguments):
            return scope.call(name, [expression(each, scope) for each in arguments], scope)[0]
        case Coordinates(elements=elements):
            return tuple(expression(each, scope) for each in elements)


def variable(name: str, scope: Scope) -> Value:
    """What a variable holds."""
    if name not in scope.variables:
        raise CompileError(f"{name} has no meaning as a term here")
    return scope.variables[name]


def entry(name: str, index: Value, scope: Scope) -> Value:
    """A coordinate of a tuple, or an element of an array that a variable stands for."""
    held = variable(name, scope)
    return held[index] if isinstance(held, tuple) else element(held, name, index, scope)


def connect(conjunction: bool, values: Sequence[Expression], scope: Scope) -> Value:
    """`and` or `or`: what comes later is computed only if what came before leaves it open."""
    found: list[Value] = []
    for each in values:
        inner = scope.under(both(*found) if conjunction else both(*map(negate, found)))
        if inner.when is False:
            break
        found.append(expression(each, inner))
    return both(*found) if conjunction else either(*found)


def arithmetic(operator: Operator, left: Value, right: Value, scope: Scope) -> Value:
    """The arithmetic of restricted Python. Division rounds down: for a positive divisor, as Z3's."""
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "//" | "%":
            return divide(operator == "//", left, right, scope)


def divide(is_whole: bool, left: Value, right: Value, scope: Scope) -> Value:
    """A quotient, or what remains."""
    if isinstance(left, int) and isinstance(right, int) and right > 0:
        return left // right if is_whole else left % right
    if isinstance(right, int) and right <= 0:
        raise CompileError(f"{right} is no divisor: // and % round down for positive ones only")
    scope.notes.divisions.append(Division(integer(right), formula(scope.when)))
    over, under = integer(left), integer(right)
    return over / under if is_whole else over % under


def element(held: Array, name: str, index: Value, scope: Scope) -> Value:
    """An element of an array."""
    scope.notes.accesses.append(Access(name, integer(index), formula(scope.when)))
    return held(integer(index))
