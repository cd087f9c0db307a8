"""Restricted Python in C: a case for every node of its syntax (`reference/levels/restricted_syntax.py`).

Where code stands, what a storage field is there and how another function of the level is called, `level_functions.py`
says.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import reduce

from ...reference.levels.restricted_parser import Restricted
from ...reference.levels.restricted_syntax import (
    Arithmetic,
    Assign,
    Block,
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
    Field,
    For,
    If,
    Negation,
    Negative,
    Operator,
    Pass,
    Return,
    Statement,
    Store,
    Unpack,
    Variable,
    While,
    assigned_variables,
)
from ..ir import extremes, ir, logic
from ..ir.ir import BOOL, INT, Expr, Int, Name
from ..ir.writer import Writer

Argument = Expr | tuple[Expr, ...]


@dataclass
class Translation(ABC):
    """What inlined code and functions share: expressions and statements, of one function, written in one place."""

    text: Restricted
    out: Writer
    variables: dict[str, Argument] = field(default_factory=dict)
    own_variables: set[str] = field(default_factory=set)

    @abstractmethod
    def storage_field(self, name: str) -> Expr:
        """A storage field, or the value of a configuration field."""

    @abstractmethod
    def type_of(self, array: str) -> str:
        """The C type of an array's elements."""

    @abstractmethod
    def element(self, array: str, index: Expr) -> Expr:
        """An element of an array that is read."""

    @abstractmethod
    def call(self, function: str, args: tuple[Argument, ...]) -> list[Expr]:
        """The results of another function of the level."""

    @abstractmethod
    def leave(self, s: Return) -> None:
        """Return from the function."""

    def stem(self, name: str) -> str:
        """What a variable is called in C."""
        return name

    def expression(self, e: Expression) -> Expr:
        """An expression in C."""
        match e:
            case Constant(value=value):
                return logic.truth(value) if isinstance(value, bool) else Int(value)
            case Variable(name=name):
                found = self.variables[name]
                assert not isinstance(found, tuple)
                return found
            case Field(name=name):
                return self.storage_field(name)
            case Coordinate(of=name, index=index):
                of, place = self.variables[name], self.expression(index)
                assert isinstance(place, Int) and isinstance(of, tuple)
                return of[place.value]
            case Element(array=name, index=index):
                return self.element(name, self.expression(index))
            case Arithmetic(operator=operator, left=left, right=right):
                return self.arithmetic(operator, self.expression(left), self.expression(right))
            case Negative(e=operand):
                return ir.negative(widen(self.expression(operand)))
            case Negation(e=operand):
                return logic.negate(self.expression(operand))
            case Connective(word=word, operands=operands):
                return (logic.both if word == "and" else logic.either)(*[self.expression(each) for each in operands])
            case Comparison(signs=signs, sides=sides):
                values = [self.expression(each) for each in sides]
                tests = zip(signs, values, values[1:], strict=False)
                return logic.both(*[logic.compare(sign, a, b) for sign, a, b in tests])
            case Choice(test=test, then=then, otherwise=otherwise):
                return logic.choice(self.expression(test), self.expression(then), self.expression(otherwise))
            case Extreme(which=which, operands=operands):
                fold = extremes.smaller if which == "min" else extremes.larger
                return reduce(fold, [self.expression(each) for each in operands])
            case Call():
                return self.own(e)[0]

    def own(self, call: Call) -> list[Expr]:
        """A call of another function of the level."""
        return self.call(call.function, tuple(self.argument(each) for each in call.arguments))

    def argument(self, e: Expression | Coordinates) -> Argument:
        """What a function is called with."""
        match e:
            case Coordinates(elements=elements):
                return tuple(self.expression(each) for each in elements)
            case Variable(name=name):
                return self.variables[name]
            case _:
                return self.expression(e)

    def results(self, s: Return) -> list[Expr]:
        """What is returned: all results of a call, or those of expressions."""
        match s.values:
            case (Call() as call,):
                return self.own(call)
            case values:
                return [self.expression(each) for each in values]

    def arithmetic(self, operator: Operator, left: Expr, right: Expr) -> Expr:
        """Two operands, of which one at least has 64 bits where C would compute with fewer."""
        match operator:
            case "+":
                return ir.add(widen(left) if self.is_narrow(right) else left, right)
            case "-":
                return ir.sub(widen(left) if self.is_narrow(right) else left, right)
            case "*":
                return ir.mul(widen(left) if self.is_narrow(right) else left, right)
            case "//":
                return ir.floordiv(widen(left), right)
            case "%":
                return ir.mod(widen(left), right)

    def is_narrow(self, e: Expr) -> bool:
        """Whether C would compute with an operand in fewer than 64 bits."""
        return isinstance(e, Int | ir.Element)

    def block(self, body: Block, out: Writer) -> ir.Code:
        """Statements as a block of their own; variables first assigned in it belong to the block around it."""
        outer, self.out = self.out, out
        for s in body:
            self.statement(s)
        self.out = outer
        return out.code

    def statement(self, s: Statement) -> None:
        """Write a statement."""
        match s:
            case Assign(name=name, value=value):
                self.assign(name, self.expression(value))
            case Unpack(names=names, call=call):
                for name, found in zip(names, self.own(call), strict=True):
                    self.assign(name, found)
            case Store(array=name, index=index, value=value):
                kind = self.type_of(name)
                result = self.expression(value)
                narrow = result if kind == INT or isinstance(result, Int) else ir.Cast(kind, result)
                self.out.add(ir.Assign(ir.Element(self.storage_field(name), self.expression(index)), narrow))
            case If(test=test, then=then, otherwise=otherwise):
                self.branch(self.expression(test), then, otherwise)
            case While(test=test, body=body):
                self.out.add(ir.While(self.expression(test), self.block(body, self.out.inner())))
            case For():
                self.loop(s)
            case Return():
                self.leave(s)
            case Pass():
                pass

    def branch(self, condition: Expr, then: Block, otherwise: Block) -> None:
        """The statements of one of two branches; of a condition that is known, where they stand."""
        if condition in (ir.TRUE, ir.FALSE):
            for s in then if condition == ir.TRUE else otherwise:
                self.statement(s)
            return
        found, other = self.block(then, self.out.inner()), self.block(otherwise, self.out.inner())
        self.out.add(*logic.conditional(condition, found, other))

    def loop(self, s: For) -> None:
        """A loop over a range, or what it does if that is one turn."""
        begin, end = self.expression(s.begin), self.expression(s.end)
        if ir.sub(end, begin) == ir.ONE:
            self.variables[s.variable] = begin
            for inside in s.body:
                self.statement(inside)
            return
        inner = self.out.inner()
        counter = inner.fresh(s.variable)
        self.variables[s.variable] = Name(counter, ir.is_natural(begin))
        self.out.add(ir.For(counter, begin, end, self.block(s.body, inner)))

    def assign(self, name: str, value: Expr) -> None:
        """Assign to a variable, declared where it is first assigned."""
        known = self.variables.get(name)
        if isinstance(known, Name) and known.name in self.own_variables:
            match value:
                case ir.Binary(operator="+", left=left, right=right) if left == known:
                    self.out.add(ir.Assign(known, right, "+="))
                case _:
                    self.out.add(ir.Assign(known, value))
            return
        if isinstance(value, Int) and self.stores(name) == 1:
            self.variables[name] = value
            return
        held = self.out.declare(kind_of(value), self.stem(name), value, natural=False)
        self.variables[name] = held
        self.own_variables.add(held.name)

    def stores(self, name: str) -> int:
        """How often the function assigns to a variable."""
        return assigned_variables(self.text.body).count(name)


def kind_of(e: Expr) -> str:
    """The C type of a translated expression."""
    match e:
        case ir.Binary(operator="==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||"):
            return BOOL
        case ir.Unary(operator="!"):
            return BOOL
        case ir.Spelled(template="true" | "false"):
            return BOOL
        case ir.Choice(then=then):
            return kind_of(then)
        case _:
            return INT


def widen(e: Expr) -> Expr:
    """What C computes with in 64 bits, whatever the width of an array."""
    return ir.Cast(INT, e) if isinstance(e, ir.Element) else e
