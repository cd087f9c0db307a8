"""Candidates for loop invariants: guesses about variables, arrays and lists, of which those are kept that are proved.

Nothing depends on a guess: `c_loops.py` keeps one only if it holds before the loop and after every turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from msgspec import Struct, field
from msgspec.structs import replace

from ..solver import Term, z3
from .c_execution import Execution, Unmodelled
from .c_expressions import evaluate
from .c_facts import Knowledge, is_term, within
from .c_guesses import ELEMENT, INDEX, LISTED, Candidate, Name, now, old
from .c_memory import Array, List, Opaque, State, Unknown
from .c_slices import counter_variables
from .c_tree import Node, all_nodes, base, c_ast, print_node


class Candidates(Struct, dict=True):
    """The candidates of one loop: what it was entered with, and what it may change."""

    run: Execution
    loop: Node
    entry: State
    head: State
    tests: list[Node] = field(default_factory=list)

    def __post_init__(self) -> None:
        names = list(self.all_names())
        self.changed = [n for n in names if not self.is_same(n)]
        self.kept = [n for n in names if self.is_same(n)]
        mentioned = {self.run.key(part.name) for part in all_nodes(self.loop) if isinstance(part, c_ast.ID)}
        self.near = [n for n in self.kept if n[1] in mentioned]
        self.numbers = [n for n in self.changed if n[0] != "length"]
        self.bounds = [n for n in self.kept if self.is_bound(n)]

    def is_bound(self, name: Name) -> bool:
        """Whether elements of arrays may be bounded by a number: extents, lengths of what is allocated, counts."""
        kind, key = name
        if kind == "variable":
            return key.endswith(("_dimension", "W", "_end", "_blocks"))
        return kind == "first" or (kind == "length" and "~" in str(self.entry.variables[key].length))

    def all_names(self) -> Iterator[Name]:
        """The numbers that a state holds."""
        for key, value in self.entry.variables.items():
            if is_term(value) and self.run.frame.types.get(key) == "int64_t" and self.run.matters(key):
                yield "variable", key
            elif isinstance(value, Array) and ":" in key:
                yield "length", key
                if key.endswith("_count") and not isinstance(value.contents, Opaque):
                    yield "first", key
                if value.counted is not None and "_slot" in key:
                    yield "counted", key
            elif isinstance(value, List):
                yield "size", key

    def is_same(self, name: Name) -> bool:
        """Whether the loop leaves a number as it is."""
        kind, key = name
        before, after = self.entry.variables[key], self.head.variables[key]
        if kind == "length":
            return before is after or bool(before.length.eq(after.length))
        return before is after or (is_term(before) and is_term(after) and bool(before.eq(after)))

    def all(self) -> Iterator[Candidate]:
        """All candidates."""
        status: Name = ("variable", self.run.key("status"))
        held = self.entry.variables.get(status[1])
        changes = held is not None and not self.is_same(status)
        fallible = changes or (is_term(held) and not self.run.know.holds(self.entry.here, held == 0))
        if changes:
            yield self.about("fine", (status,), lambda x: x == 0)
        for name in self.statuses():
            yield self.about("natural", (name,), lambda x: x >= 0)
            yield Candidate(("failed", name), z3.Or(now(name) != 0, old(name) == 0), frozenset({name}))
        for each in self.claims():
            yield each
            if fallible:
                excused = z3.Or(now(status) != 0, each.formula)
                yield replace(each, key=("excused", each.key), formula=excused, names=each.names | {status})
        for each in self.elements():
            yield each
            if fallible:
                excused = z3.Or(now(status) != 0, each.formula)
                yield replace(each, key=("excused", each.key), formula=excused, names=each.names | {status})

    def statuses(self) -> Iterator[Name]:
        """The statuses that the loop changes: its own function's, and that of a team."""
        for key, value in self.entry.variables.items():
            name: Name = ("variable", key)
            if is_term(value) and self.run.frame.types.get(key) == "int" and not self.is_same(name):
                yield name

    def claims(self) -> Iterator[Candidate]:
        """Guesses about numbers, and about those that the loop keeps and mentions."""
        lengths = [n for n in [*self.near, *self.changed] if n[0] == "length"]
        for m in self.numbers:
            yield self.about("natural", (m,), lambda x: x >= 0)
            yield Candidate(("from", m), now(m) >= old(m), frozenset({m}))
            yield Candidate(("down", m), now(m) <= old(m), frozenset({m}))
            for u in [*self.near, *self.numbers]:
                if u != m and u[0] != "length":
                    yield self.about("most", (m, u), lambda x, y: x <= y)
                    if u in self.near:
                        yield self.about("least", (m, u), lambda x, y: x >= y)
            for n in lengths:
                if m[0] == "variable":
                    yield self.about("room", (m, n), lambda x, y: x <= y)
        for n in self.changed:
            if n[0] == "length":
                yield Candidate(("from", n), now(n) >= old(n), frozenset({n}))
                yield Candidate(("down", n), now(n) <= old(n), frozenset({n}))
                for u in [*self.near, *self.numbers]:
                    if u[0] == "variable":
                        yield self.about("room", (u, n), lambda x, y: x <= y)
                        yield self.about("more", (u, n), lambda x, y: x + 1 <= y)
        yield from self.sums()
        yield from self.condition_bounds()
        yield from self.array_lengths()
        yield from self.probe_bounds()
        yield from self.bisections()

    def about(self, word: str, names: tuple[Name, ...], condition: Callable[..., Term]) -> Candidate:
        """A guess about some numbers."""
        return Candidate((word, names), condition(*map(now, names)), frozenset(names))

    def sums(self) -> Iterator[Candidate]:
        """That one counter has grown by no more than others together."""
        parts = [self.loop.stmt, *([self.loop.next] if isinstance(self.loop, c_ast.For) else [])]
        keys = {self.run.key(name) for part in parts for name in counter_variables(part)} | self.lists()
        counters = [n for n in self.numbers if n[0] in ("variable", "size") and n[1] in keys]
        for m in counters:
            others = [n for n in counters if n != m]
            for many in (1, 2, 3):
                for chosen in combinations(others[:6], many):
                    total = z3.Sum([now(n) - old(n) for n in chosen])
                    yield Candidate(("sum", m, chosen), now(m) - old(m) <= total, frozenset({m, *chosen}))

    def lists(self) -> set[str]:
        """The keys of the lists that grow."""
        calls = [p for p in all_nodes(self.loop) if isinstance(p, c_ast.FuncCall) and p.name.name == "gn_push"]
        return {self.run.key(call.args.exprs[0].expr.name) for call in calls}

    def condition_bounds(self) -> Iterator[Candidate]:
        """That what a loop counts goes no further than its condition says, unless it began there."""
        for test in self.tests:
            if not isinstance(test, c_ast.BinaryOp) or test.op not in ("<", "<="):
                continue
            found = self.evaluate(test.right)
            if found is not None:
                end, names = found
                for m in self.numbers:
                    goal = z3.Or(now(m) <= end, now(m) <= old(m))
                    yield Candidate(("test", print_node(test), m), goal, names | {m}, multiplied=has_product(end))

    def evaluate(self, node: Node) -> tuple[Term, frozenset[Name]] | None:
        """An expression over the numbers of a state; None if it reads more than these."""
        names = [*self.kept, *self.changed]
        variables = {n[1]: now(n) for n in names if n[0] == "variable"}
        lists = {n[1]: List(now(n), Opaque(), Opaque()) for n in names if n[0] == "size"}
        know = Knowledge()
        copy = self.run.over(know)
        try:
            value = evaluate(copy, node, State(z3.BoolVal(True), {**variables, **lists}))
        except (KeyError, AttributeError, Unmodelled):
            return None
        if not is_term(value) or z3.is_bool(value) or know.serial:
            return None
        used = frozenset(n for n in names if now(n).eq(value) or mentions(value, now(n)))
        return native(value, know), used

    def array_lengths(self) -> Iterator[Candidate]:
        """That arrays have the lengths that they were once given, in terms of a capacity that changes."""
        for array, count in self.run.allocations():
            length: Name = ("length", self.run.key(array))
            if length in self.changed:
                found = self.evaluate(count)
                if found is not None:
                    wanted, names = found
                    goal, key = now(length) >= wanted, ("sized", array, print_node(count))
                    yield Candidate(key, goal, names | {length}, multiplied=has_product(wanted))

    def probe_bounds(self) -> Iterator[Candidate]:
        """That a position that goes round a segment stays in it."""
        for part in all_nodes(self.loop):
            match part:
                case c_ast.Assignment(
                    op="=",
                    lvalue=c_ast.ID(name=name),
                    rvalue=c_ast.BinaryOp(
                        op="+", left=begin, right=c_ast.FuncCall(name=c_ast.ID(name="gn_mod_int64"), args=args)
                    ),
                ):
                    place: Name = ("variable", self.run.key(name))
                    first, last = self.evaluate(begin), self.evaluate(c_ast.BinaryOp("+", begin, args.exprs[1]))
                    if first is not None and last is not None:
                        inside = z3.And(now(place) >= first[0], now(place) < last[0])
                        yield Candidate(("round", name, print_node(begin)), inside, first[1] | last[1] | {place})
                case _:
                    pass

    def bisections(self) -> Iterator[Candidate]:
        """That a search whose lower bound has moved has passed only elements not larger than the sought one."""
        for part in all_nodes(self.loop):
            match part:
                case c_ast.If(
                    cond=c_ast.BinaryOp(op="<=", left=c_ast.ArrayRef(name=c_ast.ID(name=array)), right=right),
                    iftrue=c_ast.Compound(block_items=[c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name)), *_]),
                ):
                    place: Name = ("variable", self.run.key(name))
                    held, sought = self.entry.variables.get(self.run.key(array)), self.evaluate(right)
                    contents = held.contents if isinstance(held, Array) else None
                    if place in self.numbers and isinstance(contents, Unknown) and sought is not None:
                        goal = z3.Or(now(place) == old(place), contents.at(now(place)) <= sought[0])
                        yield Candidate(("before", name, array), goal, sought[1] | {place})
                case _:
                    pass

    def elements(self) -> Iterator[Candidate]:
        """Guesses about every element of the arrays and lists whose contents change."""
        for key, value in self.head.variables.items():
            before = self.entry.variables[key]
            if value is before or key.endswith("_count"):
                continue
            if isinstance(value, Array) and not isinstance(value.contents, Opaque):
                if value.contents is not before.contents:
                    firsts = [n for n in [*self.numbers, *self.kept] if n[0] == "first"]
                    yield from self.of_array(("contents", key), [("length", key), *firsts, *self.fill_counters(key)])
                    yield from self.of_slots(key)
            elif isinstance(value, List):
                values = [n for n in self.kept if n[0] == "length" and n[1].endswith("_vals")]
                yield from self.of_array(("coordinate", key), [("size", key)])
                yield from self.of_array(("position", key), [("size", key)], values)

    def fill_counters(self, key: str) -> Iterator[Name]:
        """The counters of this loop at which it stores into an array: what lies below one of them may be set."""
        places = [p.lvalue for p in all_nodes(self.loop.stmt) if isinstance(p, c_ast.Assignment)]
        own = [p for p in places if isinstance(p, c_ast.ArrayRef) and self.run.key(str(base(p))) == key]
        at = {self.run.key(p.subscript.name) for p in own if isinstance(p.subscript, c_ast.ID)}
        yield from (n for n in self.numbers if n[0] == "variable" and n[1] in at)

    def of_array(self, of: Name, lengths: list[Name], more: Sequence[Name] = ()) -> Iterator[Candidate]:
        """That the elements of an array, as far as it is in use, lie in a range."""
        firsts = [n for n in self.numbers if n[0] == "first"]
        for many in lengths:
            inside = within(INDEX, now(many))
            for low in (0, -1):
                yield Candidate((of, many, low), z3.Implies(inside, low <= ELEMENT), frozenset({many}), of)
            for most in [*self.bounds, *firsts, *more]:
                names = frozenset({many, most})
                for word, goal in (("most", now(most) >= ELEMENT), ("below", now(most) > ELEMENT)):
                    yield Candidate((of, many, word, most), z3.Implies(inside, goal), names, of)

    def of_slots(self, key: str) -> Iterator[Candidate]:
        """That slots which are not empty lead to where their index is kept, and which of them are left."""
        if "_slot" not in key:
            return
        length, of, listed = ("length", key), ("contents", key), key.replace("_slot", "_crd")
        inside = within(INDEX, now(length))
        if isinstance(self.head.variables.get(listed), Array):
            leads = z3.Implies(z3.And(inside, ELEMENT != 0), LISTED == INDEX)
            yield Candidate((key, "leads"), leads, frozenset({length}), of, listed)
        for m in self.numbers:
            if m[0] == "variable":
                left = z3.Implies(inside, z3.Or(ELEMENT == 0, now(m) < ELEMENT))
                yield Candidate((key, "left", m), left, frozenset({length, m}), of)


def mentions(term: Term, name: Term) -> bool:
    """Whether a number occurs in a term."""
    return bool(term.eq(name)) or any(mentions(each, name) for each in term.children())


def native(term: Term, know: Knowledge) -> Term:
    """A term with products as the solver's own, to be made flat where it is instantiated."""
    found = know.products.sum(term)
    parts = [z3.IntVal(0)]
    for monomial, factor in found.items():
        product = z3.IntVal(factor)
        for atom in monomial:
            product = product * know.products.atoms[atom]
        parts.append(product)
    return z3.Sum(parts)


def has_product(term: Term) -> bool:
    """Whether unknowns are multiplied in a term."""
    return z3.is_app_of(term, z3.Z3_OP_MUL) or any(has_product(each) for each in term.children())
