"""Lanes: a level function called for many positions at once.

The text of a level function is its single definition. Here it is carried out over arrays: every variable holds a value
for each call (a lane), a branch is taken by the lanes whose condition holds, and a loop goes on for the lanes that are
still in it. What a lane does is what the call would do alone; no lane reads what only another one would.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np
from msgspec import Struct, field

from .level import Indices, Level
from .restricted import parse_level_function
from .restricted_parser import Restricted
from .restricted_syntax import (
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
    Sign,
    Statement,
    Store,
    Unpack,
    Variable,
    While,
)

Value = Any  # a number for all lanes, or an array with an element for each; several of them in a tuple
Combine = Callable[[Value, Value], Value]
ARITHMETIC: dict[Operator, Combine] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "//": np.floor_divide,
    "%": np.remainder,
}
COMPARING: dict[Sign, Combine] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
EXTREMES = {"min": np.minimum, "max": np.maximum}


def in_lanes(level: Level, name: str, count: int, *arguments: Value) -> tuple[Any, ...]:
    """The results of `count` calls of a level function that only reads, an array each. There is at least one call.

    An argument is an array with an element for each call, a number, or, for coordinates, a tuple of such. Raises
    CompileError where the function is not restricted Python, or assigns to storage.

    >>> from gnomon.reference.levels.compressed import Compressed
    >>> level = Compressed().bind({"pos": np.array([0, 2, 4]), "crd": np.array([0, 1, 0, 3]), "N": 6})
    >>> begin, end = in_lanes(level, "pos_bounds", 2, np.array([0, 1]))
    >>> begin.tolist(), end.tolist()
    ([0, 2], [2, 4])
    """
    function = parse_level_function(type(level), name)
    calls = Calls(level, function, count, dict(zip(function.parameters, arguments, strict=True)))
    calls.block(function.body, np.arange(count))
    return tuple(np.broadcast_to(each, count) for each in calls.returned)


class Calls(Struct):
    """Calls of one function in lanes: the variables, and what has been returned."""

    level: Level
    function: Restricted
    count: int
    variables: dict[str, Value]
    returned: list[np.ndarray] = field(default_factory=list)

    def block(self, body: Block, lanes: Indices) -> Indices:
        """Carry out statements in some lanes; the lanes that have not returned."""
        for s in body:
            if not len(lanes):
                break
            lanes = self.statement(s, lanes)
        return lanes

    def statement(self, s: Statement, lanes: Indices) -> Indices:
        """Carry out a statement in some lanes; the lanes that go on behind it."""
        match s:
            case Assign(name=name, value=value):
                self.assign(name, self.value(value, lanes), lanes)
                return lanes
            case Unpack(names=names, call=call):
                for name, found in zip(names, self.results(call, lanes), strict=True):
                    self.assign(name, found, lanes)
                return lanes
            case If(test=test, then=then, otherwise=otherwise):
                holds = self.condition(test, lanes)
                return merge_lanes(self.block(then, lanes[holds]), self.block(otherwise, lanes[~holds]))
            case While(test=test, body=body):
                return self.while_loop(test, body, lanes)
            case For():
                return self.for_loop(s, lanes)
            case Return(values=(Call() as call,)):
                self.give(self.results(call, lanes), lanes)
                return lanes[:0]
            case Return(values=values):
                self.give([self.value(each, lanes) for each in values], lanes)
                return lanes[:0]
            case Pass():
                return lanes
            case Store(place=place):
                raise self.function.text.error(place, "a level function that is called for many positions only reads")

    def while_loop(self, test: Expression, body: Block, lanes: Indices) -> Indices:
        """A `while` loop: lanes leave it when its condition fails; the lanes that go on behind it."""
        left = lanes[:0]
        while len(lanes):
            holds = self.condition(test, lanes)
            left, lanes = merge_lanes(left, lanes[~holds]), self.block(body, lanes[holds])
        return left

    def for_loop(self, s: For, lanes: Indices) -> Indices:
        """A `for` loop: each lane counts through a range of its own; the lanes that go on behind it."""
        begin, end = (np.broadcast_to(self.value(each, lanes), len(lanes)) for each in (s.begin, s.end))
        done, left = begin, lanes[:0]
        while len(lanes):
            goes = done < end
            left, lanes, done, end = merge_lanes(left, lanes[~goes]), lanes[goes], done[goes], end[goes]
            if len(lanes):
                self.assign(s.variable, done, lanes)
                kept = np.isin(lanes, self.block(s.body, lanes))
                lanes, done, end = lanes[kept], done[kept] + 1, end[kept]
        return left

    def assign(self, name: str, found: Value, lanes: Indices) -> None:
        """Give a variable its value in some lanes."""
        everywhere = len(lanes) == self.count
        self.variables[name] = found if everywhere else self.put(self.variables.get(name), found, lanes)

    def give(self, every: Sequence[Value], lanes: Indices) -> None:
        """Note what some lanes return."""
        if len(lanes) == self.count:
            self.returned = [np.asarray(each) for each in every]
            return
        before: Sequence[Value] = self.returned or (None,) * len(every)
        self.returned = [self.put(held, each, lanes) for held, each in zip(before, every, strict=True)]

    def put(self, held: Value | None, found: Value, lanes: Indices) -> np.ndarray:
        """What is held in each lane, None if nothing is, and in some what has been found; as wide as either."""
        widths = [np.asarray(each).dtype for each in (held, found) if each is not None]
        whole = np.zeros(self.count, np.result_type(*widths))
        if held is not None:
            whole[:] = held
        whole[lanes] = found
        return whole

    def condition(self, e: Expression, lanes: Indices) -> np.ndarray:
        """Where a condition holds."""
        return np.broadcast_to(np.asarray(self.value(e, lanes), bool), len(lanes))

    def value(self, e: Expression, lanes: Indices) -> Value:
        """The value of an expression, with an element for each of some lanes where it depends on them."""
        match e:
            case Constant(value=value):
                return value
            case Variable(name=name):
                return select_lanes(self.variables[name], lanes, self.count)
            case Field(name=name):
                return getattr(self.level, name)
            case Coordinate(of=name, index=index):
                return select_lanes(self.variables[name], lanes, self.count)[self.value(index, lanes)]
            case Element(array=name, index=index):
                return getattr(self.level, name)[self.value(index, lanes)]
            case Arithmetic(operator=operator, left=left, right=right):
                return ARITHMETIC[operator](self.value(left, lanes), self.value(right, lanes))
            case Negative(e=operand):
                return np.negative(self.value(operand, lanes))
            case Negation(e=operand):
                return ~self.condition(operand, lanes)
            case Connective(word=word, operands=operands):
                return self.connective(word == "or", operands, lanes)
            case Comparison(signs=signs, sides=sides):
                every = [self.value(each, lanes) for each in sides]
                return reduce(
                    np.logical_and, [COMPARING[s](a, b) for s, a, b in zip(signs, every, every[1:], strict=False)]
                )
            case Choice(test=test, then=then, otherwise=otherwise):
                return self.either(self.condition(test, lanes), then, otherwise, lanes)
            case Extreme(which=which, operands=operands):
                return reduce(EXTREMES[which], [self.value(each, lanes) for each in operands])
            case Call():
                return self.results(e, lanes)[0]

    def results(self, call: Call, lanes: Indices) -> tuple[Any, ...]:
        """What another function of the level returns."""
        return in_lanes(self.level, call.function, len(lanes), *[self.argument(each, lanes) for each in call.arguments])

    def argument(self, e: Expression | Coordinates, lanes: Indices) -> Value:
        """What a function is called with."""
        if isinstance(e, Coordinates):
            return tuple(self.value(each, lanes) for each in e.elements)
        return self.value(e, lanes)

    def either(self, holds: np.ndarray, yes: Expression, no: Expression, lanes: Indices) -> Value:
        """One expression for the lanes in which a condition holds, another one for the others."""
        if holds.all() or not holds.any():
            return self.value(yes if holds.all() else no, lanes)
        one, other = self.value(yes, lanes[holds]), self.value(no, lanes[~holds])
        found = np.empty(len(lanes), np.result_type(np.asarray(one), np.asarray(other)))
        found[holds], found[~holds] = one, other
        return found

    def connective(self, stops: bool, values: tuple[Expression, ...], lanes: Indices) -> np.ndarray:
        """`or` (which stops where something holds) or `and` (where something does not), each operand where needed."""
        found = np.full(len(lanes), stops)
        open_ = np.arange(len(lanes))
        for each in values:
            if not len(open_):
                break
            open_ = open_[self.condition(each, lanes[open_]) != stops]
        found[open_] = not stops
        return found


def select_lanes(held: Value, lanes: Indices, count: int) -> Value:
    """What a variable holds in some of the lanes."""
    if isinstance(held, tuple):
        return tuple(select_lanes(each, lanes, count) for each in held)
    return held[lanes] if isinstance(held, np.ndarray) and len(lanes) < count else held


def merge_lanes(one: Indices, other: Indices) -> Indices:
    """The lanes of two sets that have none in common, in order."""
    return np.sort(np.concatenate((one, other))) if len(one) and len(other) else one if len(one) else other
