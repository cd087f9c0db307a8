"""Expressions of C: their values, and the accesses to memory that they make."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..solver import Term, z3
from .c_contracts import CONSTANTS, Unmodelled
from .c_facts import is_term, number, within
from .c_memory import Address, Array, Constant, Opaque, State, Value
from .c_tree import Node, base, c_ast, c_type, spelled

if TYPE_CHECKING:
    from .c_execution import Execution

WORDS = ("int64_t", "int32_t", "int", "_Bool", "uint8_t", "size_t")
NOTHING = z3.IntVal(0)


class Expressions:
    """The values of expressions, a method for each kind."""

    def value(self: Execution, e: Node, state: State) -> Value:  # type: ignore[misc]
        """The value of an expression."""
        match e:
            case c_ast.Constant(type=kind, value=text):
                return z3.IntVal(int(text.rstrip("uUlL"), 0)) if "int" in kind or kind == "char" else Opaque()
            case c_ast.ID(name=name):
                return self.name(name, state)
            case c_ast.ArrayRef():
                return self.element(e, state)
            case c_ast.StructRef():
                return self.field(e, state)
            case c_ast.UnaryOp():
                return self.unary(e, state)
            case c_ast.BinaryOp(op="&&" | "||"):
                return self.joined_truth(e, state)
            case c_ast.BinaryOp(op=op, left=left, right=right):
                return self.binary(op, self.value(left, state), self.value(right, state))
            case c_ast.TernaryOp():
                return self.ternary(e, state)
            case c_ast.Cast(to_type=kind, expr=expr):
                value = self.value(expr, state)
                return value if c_type(kind) in WORDS or isinstance(value, Array) else Opaque()
            case c_ast.FuncCall():
                return self.called(e, state)
            case _:
                raise Unmodelled(f"the expression {spelled(e)}")

    def name(self: Execution, name: str, state: State) -> Value:  # type: ignore[misc]
        """What a name stands for."""
        if name in CONSTANTS:
            return z3.IntVal(CONSTANTS[name])
        if name == "NULL":
            return Array(NOTHING, Constant(0), "", counted=NOTHING)
        found = state.variables.get(self.key(name))
        if found is None:
            return Opaque()
        return found

    def element(self: Execution, e: Node, state: State) -> Value:  # type: ignore[misc]
        """An element of an array, or a field of a tensor that is spelled like one.

        Where a thread's first position is read, what is known of the next thread's matters too.
        """
        if base(e) is None:
            return self.field(e, state)
        array = self.value(e.name, state)
        index = self.index(e.subscript, state)
        self.access(e, array, index, state)
        if "_first" in str(base(e)):
            self.know.read(array.contents, self.sum(index, z3.IntVal(1)))
        return self.know.element(array, index)

    def field(self: Execution, e: Node, state: State) -> Value:  # type: ignore[misc]
        """A field of a tensor, or of a list."""
        text = spelled(e)
        if "->" in text:
            name, _, path = text.partition("->")
            tensor = state.variables[self.key(name)]
            return state.variables.get(f"{tensor.name}->{path}", Opaque())
        match e:
            case c_ast.StructRef(name=c_ast.ID(name=name), field=c_ast.ID(name="size")):
                return state.variables[self.key(name)].size
            case c_ast.StructRef(
                name=c_ast.ArrayRef(name=c_ast.StructRef(name=c_ast.ID(name=name)), subscript=subscript)
            ):
                held = state.variables[self.key(name)]
                index = self.index(subscript, state)
                self.check(e, within(index, held.size), state)
                return self.know.read(held.coordinate if e.field.name == "coordinate" else held.position, index)
            case c_ast.StructRef(name=c_ast.ID(), field=c_ast.ID(name="item")):
                return Opaque()
            case _:
                raise Unmodelled(f"the field {text}")

    def unary(self: Execution, e: Node, state: State) -> Value:  # type: ignore[misc]
        """An operation with one operand."""
        match e:
            case c_ast.UnaryOp(op="sizeof"):
                return z3.IntVal(1)
            case c_ast.UnaryOp(op="&", expr=c_ast.ID(name=name)):
                return Address(self.key(name))
            case c_ast.UnaryOp(op="*", expr=expr):
                return state.variables[self.address(expr, state)]
            case _:
                pass
        value = self.value(e.expr, state)
        if isinstance(value, Opaque):
            return value
        if e.op == "!":
            return z3.Not(self.truth(value))
        if e.op == "-":
            return -number(value)
        raise Unmodelled(f"the operation {e.op}")

    def joined_truth(self: Execution, e: Node, state: State) -> Term:  # type: ignore[misc]
        """`a && b` or `a || b`: the second is looked at only where the first says so."""
        first = self.truth(self.value(e.left, state))
        if not has_access(e.right):
            second = self.truth(self.value(e.right, state))
        else:
            inner = self.know.branch(state, first if e.op == "&&" else z3.Not(first))
            second = self.truth(self.value(e.right, inner))
        return z3.And(first, second) if e.op == "&&" else z3.Or(first, second)

    def ternary(self: Execution, e: Node, state: State) -> Value:  # type: ignore[misc]
        """A choice between two values, each looked at only where it is taken."""
        truth = self.truth(self.value(e.cond, state))
        yes, no = self.know.branch(state, truth), self.know.branch(state, z3.Not(truth))
        then, orelse = self.value(e.iftrue, yes), self.value(e.iffalse, no)
        if is_term(then) and is_term(orelse):
            return z3.If(truth, number(then), number(orelse))
        return Opaque()

    def truth(self: Execution, value: Value) -> Term:  # type: ignore[misc]
        """A value as a truth value; that of something opaque is unknown."""
        if not is_term(value):
            return self.know.guard()
        return value if z3.is_bool(value) else value != 0

    def binary(self: Execution, op: str, left: Value, right: Value) -> Value:  # type: ignore[misc]
        """An operation with two operands."""
        if not is_term(left) or not is_term(right):
            return Opaque()
        a, b = number(left), number(right)
        match op:
            case "+":
                return self.sum(a, b)
            case "-":
                return self.sum(a, self.know.products.times(z3.IntVal(-1), b))
            case "*":
                return self.know.products.times(a, b)
            case "/":
                return self.truncated(a, b)
            case "%":
                return self.sum(a, -self.know.products.times(self.truncated(a, b), b))
            case "==" | "!=" | "<" | "<=" | ">" | ">=":
                return COMPARED[op](a, b)
            case _:
                return Opaque()

    def sum(self: Execution, a: Term, b: Term) -> Term:  # type: ignore[misc]
        """A sum in a normal form."""
        products = self.know.products
        return products.term(products.sum(a + b))

    def quotient(self: Execution, a: Term, b: Term) -> Term:  # type: ignore[misc]
        """A quotient rounded down."""
        if z3.is_int_value(b) and b.as_long() > 0:
            return a / b
        q = self.know.fresh("quotient")
        product = self.know.products.times(q, b)
        self.know.say(z3.Implies(b > 0, z3.And(product <= a, a < product + b)))
        self.know.say(z3.Implies(z3.And(b > 0, a >= 0), q >= 0))
        return q

    def truncated(self: Execution, a: Term, b: Term) -> Term:  # type: ignore[misc]
        """A quotient as C has it; of a negative dividend nothing is known."""
        if z3.is_int_value(b) and b.as_long() > 0:
            return z3.If(a >= 0, a / b, -(-a / b))
        q = self.know.fresh("quotient")
        product = self.know.products.times(q, b)
        self.know.say(z3.Implies(z3.And(b > 0, a >= 0), z3.And(product <= a, a < product + b, q >= 0)))
        return q


COMPARED: dict[str, Callable[[Any, Any], Term]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def has_access(node: Node) -> bool:
    """Whether an expression reads memory."""
    if isinstance(node, c_ast.ArrayRef | c_ast.StructRef):
        return True
    return any(has_access(child) for _, child in node.children())
