"""Symbolic execution of a kernel's functions: every access to an array becomes a goal where it happens.

Integers are unbounded. Values that no index is made from are opaque. Jumps lead forward only, as generated code has
them. Parts that threads share out are executed in the order of their iterations: where no two of these meet in memory,
which is a rule of schedules with tests of its own, any other order does the same.
"""

from __future__ import annotations

from msgspec.structs import replace

from ..solver import z3
from .c_execution import Execution, Unmodelled
from .c_expressions import (
    NOTHING,
    WORDS,
    call_function,
    check_access,
    check_stored,
    condition,
    evaluate,
    key_at,
    subscript_term,
)
from .c_facts import is_term, number
from .c_launches import launch
from .c_meetings import merge_states
from .c_memory import Array, Constant, Counter, List, Listed, Opaque, Place, Shared, State, Value
from .c_numbers import total
from .c_tree import Node, base, c_ast, c_type, is_fill, print_node


def statement(run: Execution, s: Node, state: State | None) -> State | None:
    """The state after a statement; None where it is not reached."""
    if isinstance(s, c_ast.Label):
        ends = run.frame.pending.pop(s.name, [])
        return merge_states(run.know, [*([state] if state is not None else []), *ends])
    if state is None:
        return None
    match s:
        case c_ast.Compound(block_items=items):
            return block(run, items or [], state)
        case c_ast.Decl():
            declare(run, s, state)
        case c_ast.DeclList(decls=decls):
            for each in decls:
                declare(run, each, state)
        case c_ast.Assignment():
            assign(run, s, state)
        case c_ast.UnaryOp(op="p++", expr=expr):
            store(run, expr, total(run.know, number(evaluate(run, expr, state)), z3.IntVal(1)), state)
        case c_ast.If(cond=cond, iftrue=then, iffalse=orelse):
            return choice(run, cond, then, orelse, state)
        case c_ast.For(init=init):
            if init is not None:
                statement(run, init, state)
            return run.loop(run, s, state)
        case c_ast.While():
            return run.loop(run, s, state)
        case c_ast.Goto(name=name):
            run.frame.pending.setdefault(name, []).append(state)
            return None
        case c_ast.Return(expr=expr):
            leave(run, expr, state)
            return None
        case c_ast.Continue():
            run.frame.continued.append(state)
            return None
        case c_ast.Break():
            run.frame.broken.append(state)
            return None
        case c_ast.EmptyStatement() | c_ast.Pragma():
            pass
        case c_ast.FuncCall(name=c_ast.ID(name="gn_launch")):
            launch(run, s, state)
        case c_ast.FuncCall() | c_ast.Cast():
            evaluate(run, s, state)
        case _:
            raise Unmodelled(f"the statement {print_node(s)}")
    return state


def leave(run: Execution, expr: Node | None, state: State) -> None:
    """Return, maybe what another function does, which may then change the arrays that it is handed."""
    if isinstance(expr, c_ast.FuncCall) and expr.name.name in run.kernel.functions:
        args = [evaluate(run, each, state) for each in expr.args.exprs]
        after, value = call_function(run, expr.name.name, args, state, id(expr))
        if after is not None:
            run.frame.returned.append((after, value))
    else:
        run.frame.returned.append((state, NOTHING if expr is None else evaluate(run, expr, state)))


def block(run: Execution, items: list[Node], state: State) -> State | None:
    """The state after some statements."""
    now: State | None = state
    before: Node = None
    for item in items:
        entered = now
        now = statement(run, item, now)
        if isinstance(before, c_ast.Pragma) and "reduction(max : status)" in before.string and now is not None:
            assert_reduction(run, entered, now)
        before = item
    if now is not None:
        for each in filter(is_fill, items):
            assert_filled(run, each, now)
        own = {run.key(i.name) for i in items if isinstance(i, c_ast.Decl)}
        now.variables = {k: v for k, v in now.variables.items() if k not in own}
    return now


def assert_filled(run: Execution, begun: Node, after: State) -> None:
    """What a counter of an iteration's own has come to: no further than it has counted before (`devices.….fills`)."""
    start, first = begun.init.left, begun.init.right
    ahead = c_ast.ArrayRef(first.name, c_ast.BinaryOp("+", first.subscript, c_ast.Constant("int", "1")), first.coord)
    goals, run.goals = run.goals, False
    end = total(run.know, number(evaluate(run, start, after)), number(evaluate(run, ahead, after)))
    run.goals = goals
    run.know.say(after.variables[run.key(begun.name)] <= end, after.here)


def assert_reduction(run: Execution, before: State | None, after: State) -> None:
    """What `status` is after a team: the largest of what it was before and of every thread's own."""
    assert before is not None
    own, old = after.variables[run.key("status")], before.variables[run.key("status")]
    status = run.know.fresh("status")
    run.know.say(z3.And(status >= own, status >= old), after.here)
    after.variables[run.key("status")] = status


def choice(run: Execution, cond: Node, then: Node, orelse: Node | None, state: State) -> State | None:
    """The state after a conditional."""
    truth = condition(run, cond, state)
    yes, no = run.know.branch(state, truth), run.know.branch(state, z3.Not(truth))
    ends = [statement(run, then, yes), no if orelse is None else statement(run, orelse, no)]
    return merge_states(run.know, [end for end in ends if end is not None])


def declare(run: Execution, d: Node, state: State) -> None:
    """A declaration."""
    key, kind = run.key(d.name), c_type(d)
    run.frame.types[key] = kind
    if kind.endswith("[]"):
        length, element = number(evaluate(run, d.type.dim, state)), kind.removesuffix(" []")
        contents = Shared() if "static" in d.storage else run.know.unknown(d.name)
        if d.name in run.frame.extents:
            contents = Counter(run.frame.extents[d.name])
        state.variables[key] = Array(length, contents, element)
    elif kind == "void []*":
        state.variables[key] = tuple(evaluate(run, each, state) for each in d.init.exprs)
    elif kind == "gn_list":
        state.variables[key] = List(NOTHING, Constant(0), Constant(0))
    elif d.init is None:
        state.variables[key] = run.know.fresh(d.name) if kind in WORDS else Opaque()
    else:
        bind(run, key, d.init, state)


def bind(run: Execution, key: str, node: Node, state: State, *, moved: bool = False) -> None:
    """Give a variable the value of an expression. A pointer that is copied freezes the array, unless moved."""
    value, kind = evaluate(run, node, state), run.frame.types.get(key, "")
    if isinstance(value, Place):
        name, value = key.removeprefix(run.key("")), part_of(run, value, state)
        value = list_in(run, name, value, node, state) if name in run.frame.lists else value
    if isinstance(value, Array):
        source = copy_source(run, node, state)
        if source is not None and source != key:
            value = replace(value, frozen=not moved)
            state.variables[source] = Opaque() if moved else value
        value = retype_array(run, value, kind, key)
    elif is_term(value) and kind and kind not in WORDS:
        value = Opaque()
    state.variables[key] = number(value) if is_term(value) else value


def part_of(run: Execution, place: Place, state: State) -> Array:
    """The part of an array from a place on, of which nothing is known."""
    rest = total(run.know, place.array.length, run.know.products.times(z3.IntVal(-1), place.index))
    run.check(place.node, z3.And(place.index >= 0, rest >= 0), state)
    shared = isinstance(place.array.contents, Opaque | Shared)
    contents = place.array.contents if shared else run.know.unknown("part")
    return Array(rest, contents, place.array.type)


def list_in(run: Execution, name: str, part: Array, node: Node, state: State) -> Array:
    """A list of coordinates that lies in such a part. Raises Unmodelled where it is not said how long the parts are."""
    match node:
        case c_ast.UnaryOp(expr=c_ast.ArrayRef(subscript=c_ast.BinaryOp(op="*", right=length))):
            extent = run.frame.extents[run.frame.lists[name]] = number(evaluate(run, length, state))
            return replace(part, contents=Listed(extent))
        case _:
            raise Unmodelled(f"the list {name}")


def retype_array(run: Execution, array: Array, kind: str, key: str) -> Array:
    """An array behind a pointer to some type: of no length if its elements have another."""
    element = kind.rstrip(" *[]")
    if not element:
        return array
    length = array.length if array.type in ("", element) else z3.IntVal(0)
    matters = element in ("int32_t", "int64_t") and run.matters(key)
    contents = array.contents if matters else Opaque()
    return Array(length, contents, element, array.frozen, array.counted if matters else None)


def copy_source(run: Execution, node: Node, state: State) -> str | None:
    """The key of the variable that a pointer is copied from."""
    match node:
        case c_ast.ID(name="NULL"):
            return None
        case c_ast.ID(name=name):
            return run.key(name)
        case c_ast.UnaryOp(op="*", expr=expr):
            return key_at(run, expr, state)
        case _:
            return None


def assign(run: Execution, s: Node, state: State) -> None:
    """An assignment."""
    if s.op != "=":
        new = c_ast.BinaryOp(s.op[:-1], s.lvalue, s.rvalue, s.coord)
        store(run, s.lvalue, evaluate(run, new, state), state)
    elif isinstance(s.lvalue, c_ast.ID):
        bind(run, run.key(s.lvalue.name), s.rvalue, state)
    elif isinstance(s.lvalue, c_ast.UnaryOp):
        bind(run, key_at(run, s.lvalue.expr, state), s.rvalue, state, moved=True)
    elif base(s.lvalue) is None:
        hand_over(run, s, state)
    else:
        store(run, s.lvalue, evaluate(run, s.rvalue, state), state)


def hand_over(run: Execution, s: Node, state: State) -> None:
    """Store into a tensor: a length must not exceed that of its array."""
    name, _, path = print_node(s.lvalue).partition("->")
    field = f"{state.variables[run.key(name)].name}->{path}"
    value = evaluate(run, s.rvalue, state)
    array = field.replace("length[", "array[") if "length[" in field else field.removesuffix("size") + "vals"
    held = state.variables.get(array)
    if is_term(value) and isinstance(held, Array):
        run.check(s, z3.And(value >= 0, value <= held.length), state)
    state.variables[field] = value


def store(run: Execution, target: Node, value: Value, state: State) -> None:
    """Change what a place holds."""
    match target:
        case c_ast.ID(name=name):
            kind = run.frame.types.get(run.key(name), "int64_t")
            state.variables[run.key(name)] = number(value) if is_term(value) and kind in WORDS else Opaque()
        case c_ast.ArrayRef(name=c_ast.ID(name=name), subscript=subscript):
            array = state.variables[run.key(name)]
            index = subscript_term(run, subscript, state)
            if isinstance(array.contents, Listed) and isinstance(subscript, c_ast.ArrayRef):
                run.know.say(index < array.contents.extent, state.here)
            check_access(run, target, array, index, state)
            if array.frozen:
                raise Unmodelled(f"a store into {name}, which has another name too")
            stored = number(value) if is_term(value) else value
            check_stored(run, target, array, stored, state)
            state.variables[run.key(name)] = run.know.write_element(array, index, stored)
        case c_ast.UnaryOp(op="*", expr=expr):
            state.variables[key_at(run, expr, state)] = number(value) if is_term(value) else value
        case c_ast.StructRef(name=c_ast.ID(name=name), type=".", field=c_ast.ID(name="size")):
            held = state.variables[run.key(name)]
            state.variables[run.key(name)] = List(value, held.coordinate, held.position)
        case _:
            raise Unmodelled(f"a store into {print_node(target)}")
