"""Simulation: two pieces of code count the same where they do the same to the same values.

Code is run on values of which nothing is known but whether they are the same: what an array holds, an operation or a
call is some function of what it is made of. A loop is one too, of what it begins with: the same function as another
one whose turns do the same to what decides. Of three things more is known:

- A loop that goes up to a bound makes as many turns as lie before it (`c.turns`); a list is as long as what was pushed
  to it, sorted or not. So loops over what a workspace holds count alike, in order or not.
- What counts from anywhere counts from 0 (`is_shifted`).
- What the level function `insert_reset` has been run on holds nothing (`levels.accumulator.insert_reset`), whatever it
  held before, and tells nothing but what it holds: its arrays and its values are as those of any other such workspace.

Nothing fails on the way: what is counted is so in a run for which there is memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec import Struct, field

from ....generator.ir import emission, ir
from ....generator.ir.limits import hoist_limits
from ....generator.ir.writer import Writer
from ....generator.storage.level_functions import Bound
from ....reference.levels import LEVELS
from ....reference.levels.level import Level, Reset
from ..solver import Term, z3
from .c_contracts import ORDERING
from .c_execution import Unmodelled
from .c_slices import GLOBAL, STATUS, declared_names, is_shifted, keep_what_matters, rename_variables
from .c_tree import Node, all_nodes, base, c_ast, changes, parse, print_node
from .c_turns import Turn, Turns, function, is_zero, natural

SLOTS = "1_slot"


def count(
    code: Node, counter: str, others: tuple[str, ...], known: Mapping[str, Term], owner: str, turns: Turns
) -> Term:
    """How far code moves a counter, by what is known of variables; others hold what the owner alone knows.

    `others` are counters that begin anywhere, as it does. Raises Unmodelled for code that has no simulation.
    """
    if jumps(code):
        raise Unmodelled("code that counts and is left early")
    kept = keep_what_matters(code, counter)
    if kept is None:
        return z3.IntVal(0)
    zeros = {name: z3.IntVal(0) for name in (counter, *others) if is_shifted(kept, name)}
    run = Simulation(owner, turns, {**known, **zeros})
    begun = run.value(counter)
    run.block(kept)
    return run.value(counter) - begun


def jumps(code: Node) -> bool:
    """Whether control may leave some code on its way, and not because something has failed."""
    match code:
        case c_ast.Break() | c_ast.Continue() | c_ast.Goto() | c_ast.Return():
            return True
        case c_ast.If(cond=cond, iftrue=then) if fails(cond, then):
            return False
        case _:
            return any(jumps(child) for _, child in code.children())


def fails(cond: Node, then: Node) -> bool:
    """Whether a conditional is about a failure: one that has been reported, or that it reports."""
    first = [print_node(s) for s in statements(then)[:1]]
    reports = any(s.startswith("status = GN_") and s != "status = GN_OK" for s in first)
    return reports or print_node(cond) == "status != GN_OK"


class Simulation(Struct):
    """A run of some code: the values of variables so far. An array has one value for all that it holds."""

    owner: str
    turns: Turns
    values: dict[str, Term] = field(default_factory=dict)
    depth: int = 0

    def value(self, name: str) -> Term:
        """The value of a variable."""
        return self.values.setdefault(name, z3.Int(f"{name} of {self.owner}"))

    def block(self, code: Node) -> None:
        """Run the statements of a block."""
        items = statements(code)
        while items:
            done = self.reset(items)
            if not done:
                self.statement(items[0])
            items = items[max(done, 1) :]

    def reset(self, items: list[Node]) -> int:
        """Empty a workspace where the first statements do; how many these are."""
        for text, length, arrays in resets():
            code = c_ast.Compound(items[:length])
            if text_of(code) == text:
                names = list(spelling(code))
                for array in (names[place] for place in arrays):
                    vals = [f"{array.removesuffix(SLOTS)}_vals"] if array.endswith(SLOTS) else []
                    self.values |= {each: z3.Int(f"{each} of nothing") for each in (array, *vals)}
                return length
        return 0

    def statement(self, s: Node) -> None:
        """Run a statement."""
        match s:
            case c_ast.Compound():
                self.block(s)
            case c_ast.Decl(name=name, init=init):
                self.declare(name, init)
            case c_ast.For() | c_ast.While():
                self.loop(s)
            case c_ast.If():
                self.choice(s)
            case c_ast.UnaryOp(op="p++", expr=place):
                self.store(place, self.expression(place) + 1)
            case c_ast.Assignment(op="=", lvalue=place, rvalue=value):
                self.store(place, self.expression(value))
            case c_ast.Assignment(op=op, lvalue=place, rvalue=value):
                self.store(place, self.expression(c_ast.BinaryOp(op[:-1], place, value)))
            case c_ast.FuncCall(name=c_ast.ID(name="gn_push"), args=args):
                name = str(base(args.exprs[0]))
                pair = [self.expression(each) for each in args.exprs[1:3]]
                self.values[name] = function("push", [self.value(name), self.value(size_of(name)), *pair])
                self.values[size_of(name)] = self.value(size_of(name)) + 1
            case c_ast.FuncCall(name=c_ast.ID(name="gn_sort"), args=args):
                name = str(base(args.exprs[0]))
                self.values[name] = function("sort", [self.value(name), self.value(size_of(name))])
            case c_ast.FuncCall(name=c_ast.ID(name=name), args=args) if name in ORDERING:
                items = str(base(args.exprs[0]))
                array, begin, end = (self.expression(each) for each in args.exprs[1:4])
                self.values[items] = function("order", [array, begin, end])
                self.values[size_of(items)] = natural(end if is_zero(begin) else end - begin)
            case c_ast.FuncCall():
                self.expression(s)
            case _:
                raise Unmodelled(f"{print_node(s)} in code that counts")

    def declare(self, name: str, init: Node | None) -> None:
        """Run a declaration."""
        if isinstance(init, c_ast.InitList):
            self.values |= {name: z3.Int("no list"), size_of(name): z3.IntVal(0)}
        else:
            self.values[name] = z3.Int("not set") if init is None else self.expression(init)

    def store(self, place: Node, value: Term) -> None:
        """Change what a place holds."""
        match place:
            case c_ast.ID(name=name):
                self.values[name] = value
            case c_ast.ArrayRef(name=c_ast.ID(name=name), subscript=index):
                self.values[name] = function("store", [self.value(name), self.expression(index), value])
            case c_ast.StructRef(name=c_ast.ID(name=name), type=".", field=c_ast.ID(name="size")):
                self.values[size_of(name)] = value
            case _:
                raise Unmodelled(f"a store into {print_node(place)} in code that counts")

    def choice(self, s: Node) -> None:
        """Run a conditional."""
        truth, names = self.truth(s.cond), everything(s)
        for name in names:
            self.value(name)
        before, ends = self.values, []
        for part in (s.iftrue, s.iffalse):
            self.values = dict(before)
            if part is not None:
                self.statement(part)
            ends.append(self.values)
        yes, no = ends
        self.values = before | {
            name: yes[name] if yes[name].eq(no[name]) else z3.If(truth, yes[name], no[name]) for name in names
        }

    def loop(self, s: Node) -> None:
        """Run a loop: what it leaves is a function of what it begins with."""
        if isinstance(s, c_ast.For):
            for each in s.init.decls:
                self.statement(each)
        names = sorted(everything(s))
        begun = {name: self.value(name) for name in names}
        held = {name: z3.Int(f"{name} in a turn of {self.owner} {self.depth}") for name in names}
        inside = Simulation(self.owner, self.turns, {**self.values, **held}, self.depth + 1)
        truth = inside.truth(s.cond)
        inside.statement(s.stmt)
        if isinstance(s, c_ast.For):
            inside.statement(s.next)
        turn = Turn(truth, begun, held, {name: inside.values[name] for name in names})
        self.values |= {name: turn.end(name, self.turns) for name in names}

    def truth(self, e: Node) -> Term:
        """The value of a condition."""
        match e:
            case c_ast.BinaryOp(op="<", left=left, right=right):
                return self.expression(left) < self.expression(right)
            case c_ast.BinaryOp(op="&&", left=left, right=right):
                return z3.And(self.truth(left), self.truth(right))
            case _:
                return self.expression(e) != 0

    def expression(self, e: Node) -> Term:
        """The value of an expression."""
        match e:
            case c_ast.ID(name=name):
                return z3.Int(name) if name in GLOBAL | STATUS else self.value(name)
            case c_ast.Constant(type="int", value=value):
                return z3.IntVal(int(value))
            case c_ast.Constant(value=value):
                return z3.Int(value)
            case c_ast.BinaryOp(op="+" | "-" as op, left=left, right=c_ast.Constant(type="int", value=value)):
                return self.expression(left) + int(f"{op}{value}")
            case c_ast.BinaryOp(op=op, left=left, right=right):
                return function(op, [self.expression(left), self.expression(right)])
            case c_ast.UnaryOp(op=op, expr=expr) if op in ("-", "!", "sizeof"):
                return z3.Int(print_node(e)) if op == "sizeof" else function(op, [self.expression(expr)])
            case c_ast.Cast(to_type=kind, expr=expr):
                return function(f"({print_node(kind)})", [self.expression(expr)])
            case c_ast.TernaryOp(cond=cond, iftrue=yes, iffalse=no):
                return z3.If(self.truth(cond), self.expression(yes), self.expression(no))
            case c_ast.ArrayRef(name=name, subscript=index):
                return function("element", [self.expression(name), self.expression(index)])
            case c_ast.StructRef(name=c_ast.ID(name=name), type=".", field=c_ast.ID(name="size")):
                return self.value(size_of(name))
            case c_ast.StructRef(name=name, type=".", field=c_ast.ID(name=field)):
                return function(f".{field}", [self.expression(name)])
            case c_ast.FuncCall(name=c_ast.ID(name=name), args=args):
                return self.call(name, e, [] if args is None else args.exprs)
            case _:
                raise Unmodelled(f"{print_node(e)} in code that counts")

    def call(self, name: str, e: Node, args: list[Node]) -> Term:
        """The value of a call, which gives a value to whatever it may change."""
        handed = [a.expr if isinstance(a, c_ast.UnaryOp) and a.op == "&" else a for a in args]
        values = [self.expression(a) for a in handed]
        changed = changes(e).contents - STATUS
        for place, each in enumerate(handed):
            if base(each) in changed:
                self.values[str(base(each))] = function(f"{name} gives {place}", values)
        return function(name, values)


def statements(code: Node) -> list[Node]:
    """The statements of a block."""
    return list(code.block_items or []) if isinstance(code, c_ast.Compound) else [code]


def size_of(name: str) -> str:
    """The variable that a list's length is."""
    return f"{name}.size"


def everything(s: Node) -> frozenset[str]:
    """What a statement may change: variables, what arrays and lists hold, and how long lists are."""
    found = changes(s)
    names = (found.variables | found.contents) - STATUS
    return names | {size_of(name) for name in names if name in lists_in(s)}


def lists_in(code: Node) -> frozenset[str]:
    """The lists that some code changes."""
    found: set[str] = set()
    for part in all_nodes(code):
        match part:
            case c_ast.Assignment(lvalue=c_ast.StructRef(name=c_ast.ID(name=name), type=".")):
                found.add(name)
            case c_ast.FuncCall(name=c_ast.ID(name=name), args=args) if name in ("gn_push", *ORDERING):
                found.add(str(base(args.exprs[0])))
            case _:
                pass
    return frozenset(found)


def spelling(code: Node) -> dict[str, str]:
    """Names for the variables of some code that only say in which order it mentions them."""
    return {name: f"v{n}" for n, name in enumerate(dict.fromkeys(declared_names(code)))}


def text_of(code: Node) -> str:
    """Code with such names."""
    return print_node(rename_variables(code, spelling(code)))


@cache
def resets() -> tuple[tuple[str, int, tuple[int, ...]], ...]:
    """How generated code empties a workspace of one parent: its text, of how many statements, and at which places the
    variables of the text are the arrays."""
    return tuple(reset_of(kind()) for kind in LEVELS if issubclass(kind, Reset))


def reset_of(level: Level) -> tuple[str, int, tuple[int, ...]]:
    """How it does for a level format."""
    arrays = level.arrays()
    fields = {name: ir.Name(name, natural=True) for name in level.roles()}
    out = Writer()
    Bound(level, fields, dict.fromkeys(arrays, "int32_t")).call("insert_reset", (ir.ZERO, ir.ONE), out)
    text = emission.text([hoist_limits(ir.Function("void", "reset", (), out.code))])
    body = parse(text).functions["reset"].body
    names = list(spelling(body))
    return text_of(body), len(body.block_items), tuple(names.index(name) for name in arrays)
