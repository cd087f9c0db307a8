"""Fills: an iteration of a kernel that fills a sparse result fills as much as the kernel before has counted of it.

A kernel counts what each iteration appends to each level, a scan turns that into positions, and others fill them
(`generator/cuda/counting.py`). The bodies of their loops are run side by side (`c_simulation`): each moves its counters
as far, from where the counts before it lead to.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ..c.c_execution import Unmodelled
from ..c.c_lists import lists_in
from ..c.c_simulation import Simulation, count
from ..c.c_tree import Kernel, Node, all_nodes, c_ast, c_type, changes, names, parameters, print_node
from ..c.c_turns import Turns
from ..solver import Term, decide, z3
from ..verdict import Unknown, Verdict, together
from .one_thread import by_one_thread
from .tallies import cleared_arrays, without_lists

OWN, FIRST = "_own", "_first"
TURN = z3.Int("iteration")


class Iterations(Struct, frozen=True):
    """The loop of a kernel each of whose iterations has counters of its own, declared as `begins` says."""

    kernel: str
    known: dict[str, Term]
    body: tuple[Node, ...]
    begins: dict[str, Node]

    @property
    def counts(self) -> bool:
        """Whether iterations count from 0, and note that; else they fill."""
        return all(isinstance(begin, c_ast.Constant) for begin in self.begins.values())

    def growth(self, counter: str, turns: Turns) -> Term:
        """How far an iteration moves a counter."""
        plain = [s for s in self.body if not (isinstance(s, c_ast.Decl) and s.name in self.begins)]
        return count(c_ast.Compound(plain), counter, tuple(self.begins), self.known, self.kernel, turns)

    def place(self, counter: str) -> Term:
        """The place where an iteration notes its count, or one after the place of the sum that it fills from."""
        level = counter.removesuffix(OWN)[1:]
        array = f"{level}{FIRST}"
        if not self.counts:
            match self.begins[counter]:
                case c_ast.BinaryOp(
                    op="+", left=c_ast.ID(name=start), right=c_ast.ArrayRef(name=c_ast.ID(name=first), subscript=place)
                ) if (start, first) == (f"p{level}", array):
                    return self.value(place) + 1
                case begin:
                    raise Unmodelled(f"{counter} = {print_node(begin)}")
        for s in self.body:
            match s:
                case c_ast.Assignment(
                    op="=", lvalue=c_ast.ArrayRef(name=c_ast.ID(name=name), subscript=place), rvalue=c_ast.ID(name=own)
                ) if (name, own) == (array, counter):
                    return self.value(place)
                case _:
                    pass
        raise Unmodelled(f"{counter} is not noted")

    def value(self, e: Node) -> Term:
        """The value of an expression."""
        return Simulation(self.kernel, {}, dict(self.known)).expression(e)


def iterations(kernel: Kernel) -> Iterator[Iterations]:
    """The loops of a kernel's functions whose iterations have counters of their own."""
    for name, function in kernel.functions.items():
        for loop in all_nodes(function.body):
            if isinstance(loop, c_ast.For):
                items = tuple(loop.stmt.block_items or ())
                begins = {s.name: s.init for s in items if is_own(s)}
                if begins:
                    known = {p.name: z3.Int(p.name) for p in parameters(function)} | limits_of(kernel, name)
                    lists = lists_in(loop)
                    held = {s.name: s.init for s in items if isinstance(s, c_ast.Decl)}
                    cleared = {id(s): (zeros(s), *cleared_arrays(s, lists, held)) for s in items}
                    empty = {array for found in cleared.values() for array in found if array}
                    known |= {loop.init.decls[0].name: TURN} | {array: z3.Int(f"zeros in {array}") for array in empty}
                    left = tuple(s for s in items if not any(cleared[id(s)]))
                    plain = by_one_thread(without_lists(left, lists))
                    yield Iterations(name, known, without_continue(plain), begins)


def is_own(s: Node) -> bool:
    """Whether a statement declares a counter of an iteration's own."""
    return isinstance(s, c_ast.Decl) and s.name.endswith(OWN) and bool(c_type(s) == "int64_t")


def limits_of(kernel: Kernel, name: str) -> dict[str, Term]:
    """The numbers that the host computes once, of what stays as it is: those that are computed alike are the same."""
    found: dict[str, Term] = {}
    for function in kernel.functions.values():
        parts, changed = list(all_nodes(function.body)), changes(function.body).variables
        if any(isinstance(p, c_ast.ID) and p.name == name for p in parts):
            once = (p for p in parts if isinstance(p, c_ast.Decl) and p.init is not None and c_type(p) == "int64_t")
            kept = [p for p in once if not ({p.name} | names(p.init)) & changed]
            found |= {p.name: z3.Int(print_node(p.init)) for p in kept}
    return found


def zeros(s: Node) -> str:
    """The array that a statement sets to zeros, all of it, as a workspace is at the begin of an iteration."""
    match s:
        case c_ast.For(
            init=c_ast.DeclList(decls=[c_ast.Decl(name=counter, init=c_ast.Constant(value="0"))]),
            stmt=c_ast.Compound(
                block_items=[
                    c_ast.Assignment(
                        op="=",
                        lvalue=c_ast.ArrayRef(name=c_ast.ID(name=array), subscript=c_ast.ID(name=place)),
                        rvalue=c_ast.Constant(value="0"),
                    )
                ]
            ),
        ) if place == counter:
            return str(array)
        case _:
            return ""


def without_continue(items: tuple[Node, ...]) -> tuple[Node, ...]:
    """Statements in which what follows a conditional `continue` stands under the opposite condition."""
    found: list[Node] = []
    for n, s in enumerate(items):
        match s:
            case c_ast.If(cond=cond, iftrue=c_ast.Compound(block_items=[c_ast.Continue()]), iffalse=None):
                rest = c_ast.Compound(list(without_continue(items[n + 1 :])))
                return (*found, c_ast.If(c_ast.UnaryOp("!", cond), rest, None))
            case c_ast.For(stmt=c_ast.Compound(block_items=inner)):
                body = c_ast.Compound(list(without_continue(tuple(inner or ()))))
                found.append(c_ast.For(s.init, s.cond, s.next, body, s.coord))
            case _:
                found.append(s)
    return tuple(found)


def agreement(kernel: Kernel) -> Verdict:
    """Whether iterations fill what they have counted, where the counts before them lead to."""
    turns: Turns = {}
    try:
        counting, *filling = list(iterations(kernel))
        growths = {c: counting.growth(c, turns) for c in counting.begins}
        goals = [each.growth(c, turns) == growths[c] for each in filling for c in each.begins]
        goals += [each.place(c) == counting.place(c) for each in filling for c in each.begins]
    except Unmodelled as error:
        return Unknown(str(error))
    if not counting.counts or not filling or any(each.counts for each in filling):
        return Unknown("there is no one kernel that counts, before others that fill")
    return together(decide(goal) for goal in goals)
