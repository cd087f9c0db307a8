"""Expressions of C: their values, and the accesses to memory that they make."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from ..solver import Term, z3
from .c_contracts import CLAIMS as OF_HOSTS
from .c_contracts import CONSTANTS, set_status
from .c_contracts import CONTRACTS as BY_HOSTS
from .c_device_memory import DEVICE_CLAIMS, DEVICE_CONTRACTS
from .c_execution import Execution, Unmodelled
from .c_facts import Knowledge, is_term, number, within
from .c_lists import TAKE
from .c_meetings import merge_states
from .c_memory import Address, Array, Constant, Coordinates, Counter, List, Listed, Opaque, Place, State, Value
from .c_numbers import total, truncated_quotient
from .c_tree import Node, all_nodes, base, c_ast, c_type, is_pure, parameters, print_node

WORDS = ("int64_t", "int32_t", "int", "_Bool", "uint8_t", "size_t")
NOTHING = z3.IntVal(0)
CLAIMS, CONTRACTS = OF_HOSTS | DEVICE_CLAIMS, BY_HOSTS | DEVICE_CONTRACTS
WORD_OF_DEVICES = re.compile(r"__sync|__shfl|atomic|gn_atomic")


def evaluate(run: Execution, e: Node, state: State) -> Value:
    """The value of an expression."""
    match e:
        case c_ast.Constant(type=kind, value=text):
            return z3.IntVal(int(text.rstrip("uUlL"), 0)) if "int" in kind or kind == "char" else Opaque()
        case c_ast.ID(name=name):
            return value_of_name(run, name, state)
        case c_ast.ArrayRef():
            return element(run, e, state)
        case c_ast.StructRef():
            return field(run, e, state)
        case c_ast.UnaryOp():
            return unary(run, e, state)
        case c_ast.BinaryOp(op="&&" | "||"):
            return joined_truth(run, e, state)
        case c_ast.BinaryOp(op=op, left=left, right=right):
            return binary(run.know, op, evaluate(run, left, state), evaluate(run, right, state))
        case c_ast.TernaryOp():
            return ternary(run, e, state)
        case c_ast.Cast(to_type=kind, expr=expr):
            value = evaluate(run, expr, state)
            return value if c_type(kind) in WORDS or isinstance(value, Array | Address) else Opaque()
        case c_ast.FuncCall():
            return call(run, e, state)
        case _:
            raise Unmodelled(f"the expression {print_node(e)}")


def value_of_name(run: Execution, name: str, state: State) -> Value:
    """What a name stands for."""
    if name in CONSTANTS:
        return z3.IntVal(CONSTANTS[name])
    if name == "NULL":
        return Array(NOTHING, Constant(0), "", counted=NOTHING)
    found = state.variables.get(run.key(name))
    if found is None:
        return Opaque()
    return found


def element(run: Execution, e: Node, state: State) -> Value:
    """An element of an array, or a field of a tensor that is spelled like one.

    Where a thread's first position is read, what is known of the next thread's matters too.
    """
    if base(e) is None:
        return field(run, e, state)
    array = evaluate(run, e.name, state)
    index = subscript_term(run, e.subscript, state)
    check_access(run, e, array, index, state)
    if "_first" in str(base(e)):
        run.know.read_element(array.contents, total(run.know, index, z3.IntVal(1)))
    return run.know.element(array, index)


def field(run: Execution, e: Node, state: State) -> Value:
    """A field of a tensor, or of a list."""
    text = print_node(e)
    if text in state.variables:
        return state.variables[text]
    if "->" in text:
        name, _, path = text.partition("->")
        tensor = state.variables[run.key(name)]
        return state.variables.get(f"{tensor.name}->{path}", Opaque())
    match e:
        case c_ast.StructRef(name=c_ast.ID(name=name), field=c_ast.ID(name="size")):
            return state.variables[run.key(name)].size
        case c_ast.StructRef(name=c_ast.ArrayRef(name=c_ast.StructRef(name=c_ast.ID(name=name)), subscript=subscript)):
            held = state.variables[run.key(name)]
            index = subscript_term(run, subscript, state)
            run.check(e, within(index, held.size), state)
            return run.know.read_element(held.coordinate if e.field.name == "coordinate" else held.position, index)
        case c_ast.StructRef(name=c_ast.ID(), field=c_ast.ID(name="item" | "place" | "mark")):
            return Opaque()
        case _:
            raise Unmodelled(f"the field {text}")


def unary(run: Execution, e: Node, state: State) -> Value:
    """An operation with one operand."""
    match e:
        case c_ast.UnaryOp(op="sizeof"):
            return z3.IntVal(1)
        case c_ast.UnaryOp(op="&", expr=c_ast.ID(name=name)):
            return Address(run.key(name))
        case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef(name=array, subscript=subscript)):
            return Place(e.expr, evaluate(run, array, state), subscript_term(run, subscript, state))
        case c_ast.UnaryOp(op="*", expr=expr):
            return state.variables[key_at(run, expr, state)]
        case _:
            pass
    value = evaluate(run, e.expr, state)
    if isinstance(value, Opaque):
        return value
    if e.op == "!":
        return z3.Not(truth_of(run.know, value))
    if e.op == "-":
        return -number(value)
    raise Unmodelled(f"the operation {e.op}")


def joined_truth(run: Execution, e: Node, state: State) -> Term:
    """`a && b` or `a || b`: the second is looked at only where the first says so."""
    first = condition(run, e.left, state)
    if not has_access(e.right):
        second = condition(run, e.right, state)
    else:
        inner = run.know.branch(state, first if e.op == "&&" else z3.Not(first))
        second = condition(run, e.right, inner)
    return z3.And(first, second) if e.op == "&&" else z3.Or(first, second)


def ternary(run: Execution, e: Node, state: State) -> Value:
    """A choice between two values, each looked at only where it is taken."""
    truth = condition(run, e.cond, state)
    yes, no = run.know.branch(state, truth), run.know.branch(state, z3.Not(truth))
    then, orelse = evaluate(run, e.iftrue, yes), evaluate(run, e.iffalse, no)
    if is_term(then) and is_term(orelse):
        return z3.If(truth, number(then), number(orelse))
    return Opaque()


def call(run: Execution, e: Node, state: State) -> Value:
    """The value of a call, and what it changes."""
    name = e.name.name
    nodes = [] if e.args is None else list(e.args.exprs)
    values = [evaluate(run, each, state) for each in nodes]
    if name in run.kernel.functions:
        return run_here(run, e, values, state)
    if WORD_OF_DEVICES.match(name):
        return device_word(run, name, values, state)
    if name in CLAIMS:
        run.check(e, CLAIMS[name](run.know, values, state), state)
    if name in CONTRACTS:
        return CONTRACTS[name](run.know, nodes, values, state)
    if name == "free":
        return free(run, nodes, state)
    handed = not all(is_term(v) or isinstance(v, Opaque) for v in values)
    if handed and (not is_pure(e) or any(isinstance(v, Array | List) for v in values)):
        raise Unmodelled(f"the call {print_node(e)}")
    for each in values:
        if isinstance(each, Address):
            set_status(run.know, each, state, may_report)
    return Opaque()


def device_word(run: Execution, name: str, values: list[Value], state: State) -> Value:
    """A barrier, a shuffle or an atomic operation: the elements whose addresses are given are accessed."""
    for each in values:
        if isinstance(each, Place) and name.startswith("gn_atomic_exchange"):
            check_stored(run, each.node, each.array, values[2], state)
        if isinstance(each, Place) and isinstance(each.array.contents, Counter) and name == TAKE:
            return take_place(run, each, each.array.contents.extent, state)
        if isinstance(each, Place):
            check_access(run, each.node, each.array, each.index, state)
        elif isinstance(each, Address):
            held = state.variables[each.key]
            state.variables[each.key] = run.know.fresh("seen") if is_term(held) else Opaque()
    return run.know.fresh("found") if name.endswith(("int32", "int64", "bool")) else Opaque()


def take_place(run: Execution, counter: Place, extent: Term, state: State) -> Term:
    """The place that a thread takes in a list: one below the extent (`devices.lists`)."""
    check_access(run, counter.node, counter.array, counter.index, state)
    place = run.know.fresh("place")
    run.know.say(within(place, extent))
    return place


def free(run: Execution, nodes: list[Node], state: State) -> Value:
    """An array that is no longer there."""
    match nodes[0]:
        case c_ast.ID(name=name):
            state.variables[run.key(name)] = Array(NOTHING, Opaque(), "")
        case _:
            pass
    return Opaque()


def may_report(old: Term, new: Term) -> Term:
    """What a status holds after an operator that has no value for some arguments."""
    return z3.Or(new == old, new == CONSTANTS["GN_DIVISION"], new == CONSTANTS["GN_RANGE"])


def run_here(run: Execution, e: Node, values: list[Value], state: State) -> Value:
    """The value of a call of a function of the kernel, which runs in the place of the call."""
    name = e.name.name
    args = [replace(arg, frozen=True) if isinstance(arg, Array) else arg for arg in values]
    after, result = call_function(run, name, args, state, id(e))
    if after is None:
        raise Unmodelled(f"{name}, which does not return")
    state.here, state.variables = after.here, after.variables
    remember_lengths(run, state)
    return result


def call_function(
    run: Execution, name: str, args: list[Value], state: State, site: int = 0
) -> tuple[State | None, Value]:
    """Run a function of the kernel; the state after it, and what it returns."""
    definition = run.kernel.functions[name]
    free = {k for k, v in state.variables.items() if isinstance(v, Array) and not v.frozen}
    outer, run.frame = run.frame, run.frame.call(definition, site)
    for parameter, arg in zip(parameters(definition), args, strict=True):
        run.frame.types[run.key(parameter.name)] = c_type(parameter)
        state.variables[run.key(parameter.name)] = arg
    last = run.statement(run, definition.body, state)
    if last is not None:
        run.frame.returned.append((last, NOTHING))
    mark = f"{run.frame.depth}:"
    ends = []
    for end, value in run.frame.returned:
        kept = {k: v for k, v in end.variables.items() if not k.startswith(mark)}
        thawed = {k: replace(kept[k], frozen=False) for k in free & kept.keys() if is_frozen(kept[k])}
        ends.append(State(end.here, {**kept, **thawed, "returned": value}))
    after = merge_states(run.know, ends)
    run.frame = outer
    value = NOTHING if after is None else after.variables.pop("returned", Opaque())
    return after, value


def remember_lengths(run: Execution, state: State) -> None:
    """Say how the lengths that arrays were allocated with, which a call may have changed, compare with others."""
    for _, count in run.allocations():
        names = {part.name for part in all_nodes(count) if isinstance(part, c_ast.ID)}
        if all(is_term(state.variables.get(run.key(name))) for name in names):
            evaluate(run, count, state)


def key_at(run: Execution, expr: Node, state: State) -> str:
    """The key that a variable with an address points to."""
    value = state.variables.get(run.key(expr.name))
    if not isinstance(value, Address):
        raise Unmodelled(f"{print_node(expr)} as an address")
    return value.key


def subscript_term(run: Execution, subscript: Node, state: State) -> Term:
    """The value of a subscript, in a normal form."""
    value = evaluate(run, subscript, state)
    if not is_term(value):
        return run.know.fresh("index")
    return run.know.products.term(run.know.products.sum(number(value)))


def check_access(run: Execution, node: Node, array: Any, index: Term, state: State) -> None:
    """Look at an access: the index must be within the array."""
    if not isinstance(array, Array):
        raise Unmodelled(f"{print_node(node)}, which is no array")
    run.check(node, within(index, array.length), state)


def check_stored(run: Execution, node: Node, array: Array, value: Value, state: State) -> None:
    """Look at what is stored where others read it: coordinates must be some."""
    match array.contents:
        case Listed(extent=extent):
            run.check(node, within(number(value), extent), state)
        case Coordinates():
            run.check(node, number(value) >= -1, state)
        case _:
            pass


def is_frozen(value: Value) -> bool:
    """Whether a value is an array that other names stand for too: those of a function go with it."""
    return isinstance(value, Array) and value.frozen


def condition(run: Execution, e: Node, state: State) -> Term:
    """The value of an expression as a truth value."""
    return truth_of(run.know, evaluate(run, e, state))


def truth_of(know: Knowledge, value: Value) -> Term:
    """A value as a truth value; that of something opaque is unknown."""
    if not is_term(value):
        return know.guard()
    return value if z3.is_bool(value) else value != 0


def binary(know: Knowledge, op: str, left: Value, right: Value) -> Value:
    """An operation with two operands."""
    if not is_term(left) or not is_term(right):
        return Opaque()
    a, b = number(left), number(right)
    match op:
        case "+":
            return total(know, a, b)
        case "-":
            return total(know, a, know.products.times(z3.IntVal(-1), b))
        case "*":
            return know.products.times(a, b)
        case "/":
            return truncated_quotient(know, a, b)
        case "%":
            return total(know, a, -know.products.times(truncated_quotient(know, a, b), b))
        case "==" | "!=" | "<" | "<=" | ">" | ">=":
            return COMPARED[op](a, b)
        case "<<":
            shifted = know.fresh("shifted")
            know.say(z3.Implies(z3.And(a >= 0, b >= 0), shifted >= a))
            return shifted
        case _:
            return Opaque()


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
