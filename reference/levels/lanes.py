"""Lanes: a level function called for many positions at once.

The text of a level function is its single definition. Here it is carried out over arrays: every variable holds a value
for each call (a lane), a branch is taken by the lanes whose condition holds, and a loop goes on for the lanes that are
still in it. What a lane does is what the call would do alone; no lane reads what only another one would.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np

from ..errors import InternalError
from .level import Indices, Level
from .restricted import Restricted, restricted, violation

Value = Any  # a number for all lanes, or an array with an element for each; several of them in a tuple
ARITHMETIC = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.FloorDiv: np.floor_divide,
    ast.Mod: np.remainder,
}
COMPARING = {
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
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
    function = restricted(type(level), name)
    call = Call(level, function, count, dict(zip(function.parameters, arguments, strict=True)))
    call.block(function.body, np.arange(count))
    return tuple(np.broadcast_to(each, count) for each in call.returned)


@dataclass
class Call:
    """Calls of one function in lanes: the variables, and what has been returned."""

    level: Level
    function: Restricted
    count: int
    variables: dict[str, Value]
    returned: list[np.ndarray] = field(default_factory=list)

    def block(self, body: list[ast.stmt], lanes: Indices) -> Indices:
        """Carry out statements in some lanes; the lanes that have not returned."""
        for s in body:
            if not len(lanes):
                break
            lanes = self.statement(s, lanes)
        return lanes

    def statement(self, s: ast.stmt, lanes: Indices) -> Indices:
        """Carry out a statement in some lanes; the lanes that go on behind it."""
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.assign(name, self.value(value, lanes), lanes)
                return lanes
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=value):
                for each, found in zip(names, self.value(value, lanes), strict=True):
                    assert isinstance(each, ast.Name)
                    self.assign(each.id, found, lanes)
                return lanes
            case ast.If(test=test, body=body, orelse=orelse):
                holds = self.condition(test, lanes)
                return joined(self.block(body, lanes[holds]), self.block(orelse, lanes[~holds]))
            case ast.While(test=test, body=body):
                return self.loop(test, body, lanes)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=args), body=body):
                return self.counted(name, args, body, lanes)
            case ast.Return(value=value):
                self.give(() if value is None else self.value(value, lanes), lanes)
                return lanes[:0]
            case ast.Pass():
                return lanes
            case _:
                raise violation(self.function, s, "a level function that is called for many positions only reads")

    def loop(self, test: ast.expr, body: list[ast.stmt], lanes: Indices) -> Indices:
        """A `while` loop: lanes leave it when its condition fails."""
        left = lanes[:0]
        while len(lanes):
            holds = self.condition(test, lanes)
            left, lanes = joined(left, lanes[~holds]), self.block(body, lanes[holds])
        return left

    def counted(self, name: str, args: list[ast.expr], body: list[ast.stmt], lanes: Indices) -> Indices:
        """A `for` loop over a range of each lane's own."""
        bounds = [np.broadcast_to(self.value(each, lanes), len(lanes)) for each in args]
        begin, end = bounds if len(bounds) == 2 else (np.zeros(len(lanes), np.int64), bounds[0])
        done, left = begin, lanes[:0]
        while len(lanes):
            goes = done < end
            left, lanes, done, end = joined(left, lanes[~goes]), lanes[goes], done[goes], end[goes]
            if len(lanes):
                self.assign(name, done, lanes)
                kept = np.isin(lanes, self.block(body, lanes))
                lanes, done, end = lanes[kept], done[kept] + 1, end[kept]
        return left

    def assign(self, name: str, found: Value, lanes: Indices) -> None:
        """Give a variable its value in some lanes."""
        held = np.zeros(self.count, np.asarray(found).dtype)
        if name in self.variables:
            held[:] = self.variables[name]
        held[lanes] = found
        self.variables[name] = held

    def give(self, found: Value, lanes: Indices) -> None:
        """Note what some lanes return."""
        every = found if isinstance(found, tuple) else (found,)
        if not self.returned:
            self.returned = [np.zeros(self.count, np.asarray(each).dtype) for each in every]
        for held, each in zip(self.returned, every, strict=True):
            held[lanes] = each

    def condition(self, e: ast.expr, lanes: Indices) -> np.ndarray:
        """Where a condition holds."""
        return np.broadcast_to(np.asarray(self.value(e, lanes), bool), len(lanes))

    def value(self, e: ast.expr, lanes: Indices) -> Value:
        """The value of an expression, with an element for each of some lanes where it depends on them."""
        match e:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return taken(self.variables[name], lanes, self.count)
            case ast.Attribute(attr=name):
                return getattr(self.level, name)
            case ast.Tuple(elts=elements):
                return tuple(self.value(each, lanes) for each in elements)
            case ast.BinOp(left=left, op=op, right=right):
                return ARITHMETIC[type(op)](self.value(left, lanes), self.value(right, lanes))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return np.negative(self.value(operand, lanes))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return ~self.condition(operand, lanes)
            case ast.BoolOp(op=op, values=values):
                return self.connected(isinstance(op, ast.Or), values, lanes)
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                every = [self.value(each, lanes) for each in (left, *comparators)]
                return reduce(np.logical_and, map(compared, ops, every, every[1:]))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.either(self.condition(test, lanes), body, orelse, lanes)
            case ast.Subscript(value=array, slice=index):
                return self.value(array, lanes)[self.value(index, lanes)]
            case ast.Call(func=ast.Name(id=name), args=args):
                return reduce(EXTREMES[name], [self.value(each, lanes) for each in args])
            case ast.Call(func=ast.Attribute(attr=name), args=args):
                given = [self.value(each, lanes) for each in args]
                found = in_lanes(self.level, name, len(lanes), *given)
                return found if len(found) > 1 else found[0]
            case _:
                raise InternalError(f"{ast.unparse(e)} is not restricted Python")

    def either(self, holds: np.ndarray, yes: ast.expr, no: ast.expr, lanes: Indices) -> Value:
        """One expression for the lanes in which a condition holds, another one for the others."""
        if holds.all() or not holds.any():
            return self.value(yes if holds.all() else no, lanes)
        one, other = self.value(yes, lanes[holds]), self.value(no, lanes[~holds])
        found = np.empty(len(lanes), np.result_type(np.asarray(one), np.asarray(other)))
        found[holds], found[~holds] = one, other
        return found

    def connected(self, stops: bool, values: list[ast.expr], lanes: Indices) -> np.ndarray:
        """`or` (which stops where something holds) or `and` (where something does not), each operand where needed."""
        found = np.full(len(lanes), stops)
        open_ = np.arange(len(lanes))
        for each in values:
            if not len(open_):
                break
            open_ = open_[self.condition(each, lanes[open_]) != stops]
        found[open_] = not stops
        return found


def taken(held: Value, lanes: Indices, count: int) -> Value:
    """What a variable holds in some of the lanes."""
    if isinstance(held, tuple):
        return tuple(taken(each, lanes, count) for each in held)
    return held[lanes] if isinstance(held, np.ndarray) and len(lanes) < count else held


def joined(one: Indices, other: Indices) -> Indices:
    """The lanes of two sets that have none in common, in order."""
    return np.sort(np.concatenate((one, other))) if len(one) and len(other) else one if len(one) else other


def compared(op: ast.cmpop, left: Value, right: Value) -> Value:
    """A comparison, element by element."""
    return COMPARING[type(op)](left, right)
