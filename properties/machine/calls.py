"""Calls: of the program's functions, of the C library's (C11, 6.5.2.2), and of the compiler's checked arithmetic."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ...reference.errors import Unsupported
from .conversion import convert
from .fault import NoReturn, TooLong, Where
from .frame import RESULT, STATE, Code, Frame, Value
from .function import Body, Function
from .library import Routine
from .memory import UNSET, Block
from .places import Cells, Places, target
from .scope import Scope
from .types import Boolean, Integer, Struct, Type, Void

DEEPEST = 60
CHECKED: dict[str, Callable[[int, int], int]] = {
    "__builtin_add_overflow": operator.add,
    "__builtin_sub_overflow": operator.sub,
    "__builtin_mul_overflow": operator.mul,
}

WRAPPING = "gn_wrap_"
"""Functions of the support header that give what is left of an integer, where other conversions must hold it."""


class Calls:
    """Compiles calls in a scope."""

    def __init__(self, scope: Scope, value: Callable[[Any], Value]) -> None:
        self.scope, self.value = scope, value

    def call(self, node: Any, where: Where) -> Value:
        """`name(arguments)`"""
        name = getattr(node.name, "name", None)
        args = [self.value(arg) for arg in (node.args.exprs if node.args is not None else ())]
        word = self.scope.vocabulary.word(str(name))
        if word is not None:
            return word(args, where)
        if name in CHECKED:
            return self.checked_operation(CHECKED[name], args, where)
        function = self.scope.functions.get(str(name))
        if function is not None and function.name.startswith(WRAPPING):
            return wrap(function.result, args[0], where)
        if function is not None:
            types = [type for _, type, _ in function.parameters]
            return self.own(function, arguments(str(name), args, types, where), where)
        routine = self.scope.vocabulary.routines.get(str(name))
        if routine is None:
            raise Unsupported(f"the function {name}, in {where}")
        return library(routine, arguments(str(name), args, routine.parameters, where), where)

    def checked_operation(self, compute: Callable[[int, int], int], args: list[Value], where: Where) -> Value:
        """An operation on integers as if they had no end, stored in what is left of it; whether that is less."""
        left, right, place = args
        kind = target(place.type, where)
        whole = Integer | Boolean
        if not (isinstance(kind, Integer) and isinstance(left.type, whole) and isinstance(right.type, whole)):
            raise Unsupported(f"checked arithmetic on {left.type} and {right.type} into {kind}, in {where}")
        a, b, low, span = left.run, right.run, kind.low, kind.high - kind.low + 1
        store = Places(self.scope, self.value).store_place(Cells(kind, place.run), where)

        def run(f: Frame) -> int:
            found = compute(a(f), b(f))
            kept = (found - low) % span + low
            store(f, kept)
            return int(kept != found)

        return Value(Boolean(), run)

    def own(self, function: Function, args: list[Code], where: Where) -> Value:
        """A call of a function of the program, compiled when it is first called."""
        if isinstance(function.result, Struct):
            raise Unsupported(f"{function.name} returns a struct, in {where}")
        watched = self.scope.watched

        def call(f: Frame) -> Any:
            body = function.body(watched)
            state = f[STATE]
            g: Frame = [UNSET] * body.slots
            g[STATE] = state
            for (slot, resident), arg in zip(body.parameters, args, strict=True):
                g[slot] = resident.block(arg(f), state) if resident is not None else arg(f)
            return perform(function, body, g, where)

        return Value(function.result, call)


def perform(function: Function, body: Body, g: Frame, where: Where) -> Any:
    """What a function returns from its frame."""
    state = g[STATE]
    state.depth += 1
    if state.depth > DEEPEST:
        raise TooLong(f"calls that nest more than {DEEPEST} deep", where)
    signal = body.run(g)
    state.depth -= 1
    if signal is not None and signal.kind != "return":
        raise Unsupported(f"{function.name} is left by {signal.kind} {signal.label}, in {where}")
    if g[RESULT] is UNSET and not isinstance(function.result, Void):
        raise NoReturn(f"{function.name} ends without a value", function.head)
    for slot, resident in body.parameters:
        if resident is not None:
            block: Block = g[slot]
            block.end(function.head)
    return g[RESULT]


def wrap(to: Type, integer: Value, where: Where) -> Value:
    """An integer modulo two to the number of bits of a type."""
    if not isinstance(to, Integer):
        raise Unsupported(f"the bits of an integer in {to}, in {where}")
    run, low, span = integer.run, to.low, to.high - to.low + 1
    return Value(to, lambda f: (run(f) - low) % span + low)


def library(routine: Routine, args: list[Code], where: Where) -> Value:
    """A call of the C library."""
    do = routine.do
    return Value(routine.result, lambda f: do(f[STATE], where, *[arg(f) for arg in args]))


def arguments(name: str, args: list[Value], types: Any, where: Where) -> list[Code]:
    """Arguments in the types of the parameters."""
    if len(args) != len(types):
        raise Unsupported(f"{name} with {len(args)} arguments, in {where}")
    return [convert(arg, type, where).run for arg, type in zip(args, types, strict=True)]
