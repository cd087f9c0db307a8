"""Expressions as closures from a frame to a value (C11, 6.5): one case for each kind of tree."""

from __future__ import annotations

from typing import Any

from ...reference.errors import Unsupported
from .arithmetic import COMPARISONS, combine, invert, negate, shift
from .calls import Calls
from .conversion import constant, convert, fold
from .declarations import literal
from .fault import BadPointer, Where
from .frame import STATE, Code, Frame, Value
from .memory import Block, distance, move_pointer, print_pointer
from .places import Cells, Places, Slot
from .scope import Scope
from .source import c_ast
from .types import (
    ADDRESS,
    INT,
    LONG,
    SIZE,
    UNSIGNED,
    Array,
    Boolean,
    Complex,
    Floating,
    Integer,
    Number,
    Pointer,
    Struct,
    Type,
    Void,
    common,
    promote,
    size,
)

STEPS = {"++": ("+", True), "--": ("-", True), "p++": ("+", False), "p--": ("-", False)}
NUMBERS = Integer | Boolean | Floating | Complex


class Expressions:
    """Compiles expressions in a scope."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.places = Places(scope, self.value)
        self.calls = Calls(scope, self.value)

    def value(self, node: Any) -> Value:
        """An expression that gives a value."""
        where = self.scope.where(node)
        match node:
            case c_ast.Constant():
                kind, number = literal(node)
                return constant(number, kind)
            case c_ast.ID(name=name) if self.scope.find(name) is None:
                return self.named_constant(name, where)
            case c_ast.StructRef(name=c_ast.ID(name=name), field=c_ast.ID(name=axis)) if self.is_index(name):
                return Value(UNSIGNED, lambda f: f[STATE].index[name, axis])
            case c_ast.ID() | c_ast.ArrayRef() | c_ast.StructRef() | c_ast.UnaryOp(op="*"):
                return self.places.load(node)
            case c_ast.UnaryOp(op="sizeof", expr=inner):
                return constant(size(self.measured_type(inner)), SIZE)
            case c_ast.UnaryOp(op="&", expr=inner):
                return self.address(inner, where)
            case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--" as sign, expr=inner):
                return self.step(sign, inner, where)
            case c_ast.UnaryOp(op=sign, expr=inner):
                return self.unary(sign, self.value(inner), where)
            case c_ast.BinaryOp(op=sign, left=left, right=right):
                return self.binary(sign, self.value(left), self.value(right), where)
            case c_ast.TernaryOp(cond=test, iftrue=then, iffalse=orelse):
                return self.choice(self.value(test), self.value(then), self.value(orelse), where)
            case c_ast.Cast(to_type=to, expr=inner):
                return convert(self.value(inner), self.scope.types.type(to), where)
            case c_ast.FuncCall():
                return self.calls.call(node, where)
            case c_ast.Assignment():
                return self.assign(node, where)
            case c_ast.ExprList(exprs=[*before, last]):
                return self.after([self.effect(each) for each in before], self.value(last))
            case _:
                raise Unsupported(f"{type(node).__name__} as an expression, in {where}")

    def effect(self, node: Any) -> Code:
        """An expression for what it does; its code gives None."""
        where = self.scope.where(node)
        match node:
            case c_ast.Assignment(op="=", lvalue=left, rvalue=right):
                return self.store(left, right, where)
            case c_ast.Assignment(op=sign, lvalue=left, rvalue=right):
                return self.update(sign[:-1], left, self.value(right), where)
            case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--" as sign, expr=inner):
                return self.update(STEPS[sign][0], inner, constant(1, INT), where)
            case _:
                run = self.value(node).run

                def only(f: Frame) -> None:
                    run(f)

                return only

    def after(self, effects: list[Code], value: Value) -> Value:
        """`effects, value`: one after another, and the value of the last."""
        run = value.run

        def last(f: Frame) -> Any:
            for effect in effects:
                effect(f)
            return run(f)

        return Value(value.type, last)

    def named_constant(self, name: str, where: Where) -> Value:
        """A constant of the program, or a kernel that it declares."""
        if name in self.scope.types.prototypes:
            designated = Block(name, None, [], where), 0
            return Value(ADDRESS, lambda f: designated)
        number = self.scope.types.constants.get(name)
        if number is None:
            raise Unsupported(f"the name {name}, in {where}")
        return constant(number, INT)

    def is_index(self, name: str) -> bool:
        """Whether a name says who a thread is."""
        return name in self.scope.vocabulary.indices and self.scope.find(name) is None

    def measured_type(self, node: Any) -> Type:
        """The type whose size is asked for."""
        if isinstance(node, c_ast.Typename):
            return self.scope.types.type(node)
        found = self.places.array(node)
        return self.value(node).type if found is None else found.type

    def address(self, node: Any, where: Where) -> Value:
        """`&node`"""
        match node:
            case c_ast.ArrayRef(name=base, subscript=index) if self.places.array(base) is None:
                return self.binary("+", self.value(base), self.value(index), where)
            case _:
                found = self.places.place(node)
        if isinstance(found, Slot):
            raise Unsupported(f"the address of {found.variable.name}, in {where}")
        return Value(Pointer(found.type), found.address)

    def unary(self, sign: str, value: Value, where: Where) -> Value:
        """`-`, `+`, `~` and `!`"""
        run = value.run
        if sign == "!":
            return Value(INT, lambda f: 0 if run(f) else 1)
        kind = promote(value.type)
        if not isinstance(kind, NUMBERS):
            raise Unsupported(f"{sign} on {kind}, in {where}")
        held = convert(value, kind, where)
        if sign == "+":
            return held
        if sign == "-":
            minus = negate(kind, held.run, where)
            return Value(kind, minus) if held.constant is None else fold(kind, minus)
        if sign == "~" and isinstance(kind, Integer):
            return Value(kind, invert(kind, held.run))
        raise Unsupported(f"{sign} on {kind}, in {where}")

    def binary(self, sign: str, left: Value, right: Value, where: Where) -> Value:
        """Two operands and what is between them."""
        a, b = left.run, right.run
        if sign == "&&":
            return Value(INT, lambda f: 1 if a(f) and b(f) else 0)
        if sign == "||":
            return Value(INT, lambda f: 1 if a(f) or b(f) else 0)
        if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
            return self.pointers(sign, left, right, where)
        if not isinstance(left.type, NUMBERS) or not isinstance(right.type, NUMBERS):
            raise Unsupported(f"{left.type} {sign} {right.type}, in {where}")
        if sign in ("<<", ">>"):
            kind = promote(left.type)
            if not isinstance(kind, Integer) or not isinstance(right.type, Integer | Boolean):
                raise Unsupported(f"{left.type} {sign} {right.type}, in {where}")
            return Value(kind, shift(sign, kind, convert(left, kind, where).run, b, where))
        kind = common(left.type, right.type)
        a, b = (operand(each, kind, where).run for each in (left, right))
        if sign in COMPARISONS:
            return Value(INT, COMPARISONS[sign](a, b))
        return Value(kind, combine(sign, kind, a, b, where))

    def pointers(self, sign: str, left: Value, right: Value, where: Where) -> Value:
        """Pointers moved, subtracted and compared."""
        a, b = left.run, right.run
        match left.type, sign, right.type:
            case Pointer(target=inner), "+" | "-", Integer() | Boolean() if not isinstance(inner, Void):
                way = 1 if sign == "+" else -1
                return Value(left.type, lambda f: move_pointer(a(f), way * b(f), inner, where))
            case ((Integer() | Boolean()), "+", Pointer()):
                return self.pointers(sign, right, left, where)
            case Pointer(target=inner), "-", Pointer():
                return Value(LONG, lambda f: distance(a(f), b(f), inner, where))
            case (Pointer(), "==" | "!=", _) | (_, "==" | "!=", Pointer()):
                a, b = (convert(each, ADDRESS, where).run for each in (left, right))
                return Value(INT, COMPARISONS[sign](a, b))
            case Pointer(), "<" | "<=" | ">" | ">=", Pointer():
                return Value(INT, compare_pointers(sign, a, b, where))
            case _:
                raise Unsupported(f"{left.type} {sign} {right.type}, in {where}")

    def choice(self, test: Value, then: Value, orelse: Value, where: Where) -> Value:
        """`test ? then : orelse`"""
        kind = self.common_type(then, orelse, where)
        t, a, b = test.run, convert(then, kind, where).run, convert(orelse, kind, where).run
        return Value(kind, lambda f: a(f) if t(f) else b(f))

    def common_type(self, a: Value, b: Value, where: Where) -> Type:
        """The type of a choice between two values."""
        match a.type, b.type:
            case Pointer(target=Void()), Pointer():
                return b.type
            case (Pointer(), Pointer()) | (Void(), Void()) | (Struct(), Struct()):
                return a.type
            case left, right if isinstance(left, NUMBERS) and isinstance(right, NUMBERS):
                return common(left, right)
            case _:
                raise Unsupported(f"a choice between {a.type} and {b.type}, in {where}")

    def store(self, left: Any, right: Any, where: Where) -> Code:
        """`left = right`"""
        found = self.places.place(left)
        if isinstance(found.type, Array):
            raise Unsupported(f"an array as a place, in {where}")
        value = convert(self.value(right), found.type, where).run
        if isinstance(found, Slot):
            slot = found.variable.slot

            def keep(f: Frame) -> None:
                f[slot] = value(f)

            return keep
        store = self.places.store_place(found, where)
        return lambda f: store(f, value(f))

    def update(self, sign: str, left: Any, right: Value, where: Where) -> Code:
        """`left sign= right`, which reaches for its place once."""
        found = self.places.place(left)
        if isinstance(found, Slot):
            new = convert(self.binary(sign, self.places.load(left), right, where), found.type, where).run
            slot = found.variable.slot

            def keep(f: Frame) -> None:
                f[slot] = new(f)

            return keep
        return self.exchange(sign, found, right, where)

    def exchange(self, sign: str, found: Cells, right: Value, where: Where) -> Code:
        """A cell read, combined and written."""
        slot, address = self.scope.temporary(), found.address
        again = Cells(found.type, lambda f: f[slot])
        old = Value(found.type, self.places.read_cell(again.address, where))
        new = convert(self.binary(sign, old, right, where), found.type, where).run
        store = self.places.store_place(again, where)

        def run(f: Frame) -> None:
            f[slot] = address(f)
            store(f, new(f))

        return run

    def step(self, sign: str, node: Any, where: Where) -> Value:
        """`++` and `--`: the value before or after."""
        effect, held = self.effect(node_of(sign, node)), self.value(node)
        load, first = held.run, STEPS[sign][1]

        def step_value(f: Frame) -> Any:
            before = None if first else load(f)
            effect(f)
            return load(f) if first else before

        return Value(held.type, step_value)

    def assign(self, node: Any, where: Where) -> Value:
        """An assignment for the value that it leaves."""
        effect, held = self.effect(node), self.value(node.lvalue)
        load = held.run

        def left(f: Frame) -> Any:
            effect(f)
            return load(f)

        return Value(held.type, left)

    def condition(self, node: Any) -> Code:
        """An expression of which only matters whether it is zero."""
        return self.value(node).run


def node_of(sign: str, inner: Any) -> Any:
    """A step as a tree."""
    return c_ast.UnaryOp(sign, inner, inner.coord)


def operand(value: Value, kind: Number, where: Where) -> Value:
    """An operand in the type computed in; beside a complex one a real one stays real."""
    real = isinstance(kind, Complex) and not isinstance(value.type, Complex)
    return convert(value, Floating(kind.bits) if real and isinstance(kind, Complex) else kind, where)


def compare_pointers(sign: str, a: Code, b: Code, where: Where) -> Code:
    """Pointers into one block compared."""
    compare = COMPARISONS[sign](lambda f: f[0], lambda f: f[1])

    def run(f: Frame) -> Any:
        p, q = a(f), b(f)
        if p is None or q is None or p[0] is not q[0]:
            raise BadPointer(
                f"pointers into different blocks are compared: {print_pointer(p)} and {print_pointer(q)}", where
            )
        return compare([p[1], q[1]])

    return run
