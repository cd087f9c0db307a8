"""Symbolic execution of a kernel's functions: every access to an array becomes a goal where it happens.

Integers are unbounded. Values that no index is made from are opaque. Jumps lead forward only, as generated code has
them. Parts that threads share out are executed in the order of their iterations: where no two of these meet in memory,
which is a rule of schedules with tests of its own, any other order does the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from ..solver import Term, z3
from .c_contracts import Unmodelled
from .c_expressions import NOTHING, WORDS, condition, evaluated
from .c_facts import Knowledge, is_term, number, within
from .c_memory import Address, Array, Constant, List, Opaque, State, Value
from .c_numbers import total
from .c_slices import OWN, Slice, tallied, tallies
from .c_tree import Kernel, Node, base, c_ast, c_type, line, parameters, relevant, renamed, spelled, walked


@dataclass(frozen=True, slots=True)
class Access:
    """An access to an array: the function, the line, its text, and the reason if it is not proved."""

    function: str
    line: int
    text: str
    reason: str = ""


Report = Callable[[Access, Term, Term, State], None]


@dataclass
class Execution:
    """The execution of functions of one kernel. `goals` says whether accesses are looked at or only followed."""

    kernel: Kernel
    know: Knowledge
    report: Report
    loop: Callable[[Execution, Node, State], State | None]
    goals: bool = True
    function: str = ""
    path: tuple[int, ...] = ()
    depth: int = 0
    returned: list[tuple[State, Value]] = field(default_factory=list)
    pending: dict[str, list[State]] = field(default_factory=dict)
    continued: list[State] = field(default_factory=list)
    broken: list[State] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    begun: Term = None
    relevant: frozenset[str] = frozenset()
    parts: dict[str, list[Term]] = field(default_factory=dict)
    slices: dict[tuple[int, str], Slice | None] = field(default_factory=dict)
    guesses: dict[Any, list[Any]] = field(default_factory=dict)
    dropped: dict[Any, set[Any]] = field(default_factory=dict)

    def key(self, name: str) -> str:
        """The key of a variable of the function that is being executed."""
        return f"{self.depth}:{name}"

    def over(self, know: Knowledge) -> Execution:
        """The same place in the same function, with other knowledge and without goals."""
        return replace(self, know=know, goals=False)

    def unreached(self, code: Node, state: State) -> None:
        """Report the accesses of code that is never run, from where that is known."""
        for part in walked(code):
            if isinstance(part, c_ast.ArrayRef) and base(part) is not None:
                self.check(part, z3.BoolVal(True), state)

    def matters(self, key: str) -> bool:
        """Whether an index, a length or a condition depends on a variable, as far as this function knows."""
        name = key.removeprefix(self.key(""))
        return name == key or name in self.relevant

    def call(self, name: str, args: list[Value], state: State, site: int = 0) -> tuple[State | None, Value]:
        """Run a function of the kernel; the state after it, and what it returns."""
        definition = self.kernel.functions[name]
        free = {k for k, v in state.variables.items() if isinstance(v, Array) and not v.frozen}
        outer = (self.function, self.path, self.returned, self.pending, self.types)
        outer_loops = (self.continued, self.broken, self.relevant)
        self.function, self.path, self.depth = name, (*self.path, site), self.depth + 1
        self.returned, self.pending, self.types = [], {}, dict(self.types)
        self.continued, self.broken, self.relevant = [], [], relevant(definition)
        for parameter, arg in zip(parameters(definition), args, strict=True):
            self.types[self.key(parameter.name)] = c_type(parameter)
            state.variables[self.key(parameter.name)] = arg
        last = self.statement(definition.body, state)
        if last is not None:
            self.returned.append((last, NOTHING))
        mark = f"{self.depth}:"
        ends = []
        for end, value in self.returned:
            kept = {k: v for k, v in end.variables.items() if not k.startswith(mark)}
            thawed = {k: replace(kept[k], frozen=False) for k in free & kept.keys() if is_frozen(kept[k])}
            ends.append(State(end.here, {**kept, **thawed, "returned": value}))
        after = self.know.merged(ends)
        (self.function, self.path, self.returned, self.pending, self.types) = outer
        (self.continued, self.broken, self.relevant) = outer_loops
        self.depth -= 1
        value = NOTHING if after is None else after.variables.pop("returned", Opaque())
        return after, value

    def statement(self, s: Node, state: State | None) -> State | None:
        """The state after a statement; None where it is not reached."""
        if isinstance(s, c_ast.Label):
            ends = self.pending.pop(s.name, [])
            return self.know.merged([*([state] if state is not None else []), *ends])
        if state is None:
            return None
        match s:
            case c_ast.Compound(block_items=items):
                return self.block(items or [], state)
            case c_ast.Decl():
                self.declare(s, state)
            case c_ast.DeclList(decls=decls):
                for each in decls:
                    self.declare(each, state)
            case c_ast.Assignment():
                self.assign(s, state)
            case c_ast.UnaryOp(op="p++", expr=expr):
                self.store(expr, total(self.know, number(evaluated(self, expr, state)), z3.IntVal(1)), state)
            case c_ast.If(cond=cond, iftrue=then, iffalse=orelse):
                return self.choice(cond, then, orelse, state)
            case c_ast.For(init=init):
                if init is not None:
                    self.statement(init, state)
                return self.loop(self, s, state)
            case c_ast.While():
                return self.loop(self, s, state)
            case c_ast.Goto(name=name):
                self.pending.setdefault(name, []).append(state)
                return None
            case c_ast.Return(expr=expr):
                self.leave(expr, state)
                return None
            case c_ast.Continue():
                self.continued.append(state)
                return None
            case c_ast.Break():
                self.broken.append(state)
                return None
            case c_ast.EmptyStatement() | c_ast.Pragma():
                pass
            case c_ast.FuncCall() | c_ast.Cast():
                evaluated(self, s, state)
            case _:
                raise Unmodelled(f"the statement {spelled(s)}")
        return state

    def leave(self, expr: Node | None, state: State) -> None:
        """Return, maybe what another function does, which may then change the arrays that it is handed."""
        if isinstance(expr, c_ast.FuncCall) and expr.name.name in self.kernel.functions:
            args = [evaluated(self, each, state) for each in expr.args.exprs]
            after, value = self.call(expr.name.name, args, state, id(expr))
            if after is not None:
                self.returned.append((after, value))
        else:
            self.returned.append((state, NOTHING if expr is None else evaluated(self, expr, state)))

    def allocated(self) -> list[tuple[str, Node]]:
        """The arrays that the function allocates or makes larger, each with its length in terms of what it keeps."""
        found = []
        for part in walked(self.kernel.functions[self.function].body):
            if isinstance(part, c_ast.Compound):
                own = {i.name for i in part.block_items or [] if isinstance(i, c_ast.Decl)}
                moves = [i for i in part.block_items or [] if isinstance(i, c_ast.Assignment)]
                names = {
                    i.rvalue.name: i.lvalue.name
                    for i in moves
                    if isinstance(i.rvalue, c_ast.ID) and isinstance(i.lvalue, c_ast.ID) and i.rvalue.name in own
                }
                for i in moves:
                    match i.rvalue:
                        case c_ast.FuncCall(name=c_ast.ID(name="gn_resize")):
                            found.append((i.lvalue.name, renamed(i.rvalue.args.exprs[1], names)))
                        case c_ast.FuncCall(name=c_ast.ID(name="gn_zeros")):
                            found.append((i.lvalue.name, i.rvalue.args.exprs[0]))
                        case _:
                            pass
        return found

    def remember_lengths(self, state: State) -> None:
        """Say how the lengths that arrays were allocated with, which a call may have changed, compare with others."""
        for _, count in self.allocated():
            names = {part.name for part in walked(count) if isinstance(part, c_ast.ID)}
            if all(is_term(state.variables.get(self.key(name))) for name in names):
                evaluated(self, count, state)

    def block(self, items: list[Node], state: State) -> State | None:
        """The state after some statements."""
        now: State | None = state
        entry = dict(state.variables)
        before: Node = None
        for item in items:
            entered = now
            now = self.statement(item, now)
            if isinstance(before, c_ast.Pragma) and "reduction(max : status)" in before.string and now is not None:
                self.reduced(entered, now)
            before = item
        if now is not None:
            self.tally(items, entry, now)
            own = {self.key(i.name) for i in items if isinstance(i, c_ast.Decl)}
            now.variables = {k: v for k, v in now.variables.items() if k not in own}
        return now

    def tally(self, items: list[Node], entry: dict[str, Value], end: State) -> None:
        """Say how far the counters of a thread's own have grown in the block that declares them."""
        code = c_ast.Compound(items)
        for name in tallies(code):
            begun, value = end.variables.pop(f"{self.key(name)} begun", None), end.variables.get(self.key(name))
            values = {key.removeprefix(self.key("")): each for key, each in entry.items()}
            total = tallied(code, name, values)
            if is_term(begun) and is_term(value) and total is not None:
                self.know.say(z3.Or(self.failed(end), value == begun + total), end.here)

    def failed(self, state: State) -> Term:
        """Whether the status of a state says that something has failed."""
        status = state.variables.get(self.key("status"))
        return status != 0 if is_term(status) else z3.BoolVal(False)

    def reduced(self, before: State | None, after: State) -> None:
        """What `status` is after a team: the largest of what it was before and of every thread's own."""
        assert before is not None
        own, old = after.variables[self.key("status")], before.variables[self.key("status")]
        status = self.know.fresh("status")
        self.know.say(z3.And(status >= own, status >= old), after.here)
        after.variables[self.key("status")] = status

    def choice(self, cond: Node, then: Node, orelse: Node | None, state: State) -> State | None:
        """The state after a conditional."""
        truth = condition(self, cond, state)
        yes, no = self.know.branch(state, truth), self.know.branch(state, z3.Not(truth))
        ends = [self.statement(then, yes), no if orelse is None else self.statement(orelse, no)]
        return self.know.merged([end for end in ends if end is not None])

    def declare(self, d: Node, state: State) -> None:
        """A declaration."""
        key, kind = self.key(d.name), c_type(d)
        self.types[key] = kind
        if kind.endswith("[]"):
            length = number(evaluated(self, d.type.dim, state))
            state.variables[key] = Array(length, self.know.unknown(d.name), kind.removesuffix(" []"))
        elif kind == "gn_list":
            state.variables[key] = List(NOTHING, Constant(0), Constant(0))
        elif d.init is None:
            state.variables[key] = self.know.fresh(d.name) if kind in WORDS else Opaque()
        else:
            self.bind(key, d.init, state)
            if OWN.search(d.name):
                state.variables[f"{key} begun"] = state.variables[key]

    def bind(self, key: str, node: Node, state: State, *, moved: bool = False) -> None:
        """Give a variable the value of an expression. A pointer that is copied freezes the array, unless moved."""
        value, kind = evaluated(self, node, state), self.types.get(key, "")
        if isinstance(value, Array):
            source = self.source(node, state)
            if source is not None and source != key:
                value = replace(value, frozen=not moved)
                state.variables[source] = Opaque() if moved else value
            value = self.typed(value, kind, key)
        elif is_term(value) and kind and kind not in WORDS:
            value = Opaque()
        state.variables[key] = number(value) if is_term(value) else value

    def typed(self, array: Array, kind: str, key: str) -> Array:
        """An array behind a pointer to some type: of no length if its elements have another."""
        element = kind.rstrip(" *[]")
        if not element:
            return array
        length = array.length if array.type in ("", element) else z3.IntVal(0)
        matters = element in ("int32_t", "int64_t") and self.matters(key)
        contents = array.contents if matters else Opaque()
        return Array(length, contents, element, array.frozen, array.counted if matters else None)

    def source(self, node: Node, state: State) -> str | None:
        """The key of the variable that a pointer is copied from."""
        match node:
            case c_ast.ID(name="NULL"):
                return None
            case c_ast.ID(name=name):
                return self.key(name)
            case c_ast.UnaryOp(op="*", expr=expr):
                return self.address(expr, state)
            case _:
                return None

    def assign(self, s: Node, state: State) -> None:
        """An assignment."""
        if s.op != "=":
            new = c_ast.BinaryOp(s.op[:-1], s.lvalue, s.rvalue, s.coord)
            self.store(s.lvalue, evaluated(self, new, state), state)
        elif isinstance(s.lvalue, c_ast.ID):
            self.bind(self.key(s.lvalue.name), s.rvalue, state)
        elif isinstance(s.lvalue, c_ast.UnaryOp):
            self.bind(self.address(s.lvalue.expr, state), s.rvalue, state, moved=True)
        elif base(s.lvalue) is None:
            self.hand_over(s, state)
        else:
            self.store(s.lvalue, evaluated(self, s.rvalue, state), state)

    def hand_over(self, s: Node, state: State) -> None:
        """Store into a tensor: a length must not exceed that of its array."""
        name, _, path = spelled(s.lvalue).partition("->")
        field = f"{state.variables[self.key(name)].name}->{path}"
        value = evaluated(self, s.rvalue, state)
        array = field.replace("length[", "array[") if "length[" in field else field.removesuffix("size") + "vals"
        held = state.variables.get(array)
        if is_term(value) and isinstance(held, Array):
            self.check(s, z3.And(value >= 0, value <= held.length), state)
        state.variables[field] = value

    def store(self, target: Node, value: Value, state: State) -> None:
        """Change what a place holds."""
        match target:
            case c_ast.ID(name=name):
                kind = self.types.get(self.key(name), "int64_t")
                state.variables[self.key(name)] = number(value) if is_term(value) and kind in WORDS else Opaque()
            case c_ast.ArrayRef(name=c_ast.ID(name=name), subscript=subscript):
                array = state.variables[self.key(name)]
                index = self.index(subscript, state)
                self.access(target, array, index, state)
                if array.frozen:
                    raise Unmodelled(f"a store into {name}, which has another name too")
                stored = number(value) if is_term(value) else value
                state.variables[self.key(name)] = self.know.written(array, index, stored)
            case c_ast.UnaryOp(op="*", expr=expr):
                state.variables[self.address(expr, state)] = number(value) if is_term(value) else value
            case c_ast.StructRef(name=c_ast.ID(name=name), type=".", field=c_ast.ID(name="size")):
                held = state.variables[self.key(name)]
                state.variables[self.key(name)] = List(value, held.coordinate, held.position)
            case _:
                raise Unmodelled(f"a store into {spelled(target)}")

    def address(self, expr: Node, state: State) -> str:
        """The key that a variable with an address points to."""
        value = state.variables.get(self.key(expr.name))
        if not isinstance(value, Address):
            raise Unmodelled(f"{spelled(expr)} as an address")
        return value.key

    def index(self, subscript: Node, state: State) -> Term:
        """The value of a subscript, in a normal form."""
        value = evaluated(self, subscript, state)
        if not is_term(value):
            return self.know.fresh("index")
        return self.know.products.term(self.know.products.sum(number(value)))

    def access(self, node: Node, array: Any, index: Term, state: State) -> None:
        """Look at an access: the index must be within the array."""
        if not isinstance(array, Array):
            raise Unmodelled(f"{spelled(node)}, which is no array")
        self.check(node, within(index, array.length), state)

    def check(self, node: Node, goal: Term, state: State) -> None:
        """Report a goal that a place has."""
        if self.goals:
            self.report(Access(self.function, line(node), spelled(node)), goal, state.here, state)


def is_frozen(value: Value) -> bool:
    """Whether a value is an array that other names stand for too: those of a function go with it."""
    return isinstance(value, Array) and value.frozen
