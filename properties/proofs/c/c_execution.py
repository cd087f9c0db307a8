"""The execution of a kernel's functions: what it is of, what is known, and where it has come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from ..solver import Term, z3
from .c_facts import Knowledge, is_term
from .c_lists import lists_in
from .c_memory import State, Value
from .c_tree import Kernel, Node, all_nodes, base, c_ast, line, print_node, relevant, rename


class Unmodelled(Exception):
    """Something in a kernel that symbolic execution does not know."""


class Access(Struct, frozen=True):
    """An access to an array: the function, the line, its text, and the reason if it is not proved."""

    function: str
    line: int
    text: str
    reason: str = ""


Report = Callable[[Access, Term, Term, State], None]


class Frame(Struct):
    """A call: the function, and where it is called from; how control has left statements, and in which states.

    `lists` are the lists of coordinates in the function, with their counters; `extents` are the extents of workspaces,
    by the counters of their lists.
    """

    function: str = ""
    path: tuple[int, ...] = ()
    depth: int = 0
    relevant: frozenset[str] = frozenset()
    lists: Mapping[str, str] = field(default_factory=dict)
    extents: dict[str, Term] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    returned: list[tuple[State, Value]] = field(default_factory=list)
    pending: dict[str, list[State]] = field(default_factory=dict)
    continued: list[State] = field(default_factory=list)
    broken: list[State] = field(default_factory=list)

    def call(self, definition: Node, site: int) -> Frame:
        """The call of a function that this one makes at some place."""
        name, lists = definition.decl.name, lists_in(definition.body)
        return Frame(name, (*self.path, site), self.depth + 1, relevant(definition), lists, types=dict(self.types))

    def aside(self) -> Frame:
        """The same call, where how control leaves is taken down by itself."""
        return replace(self, returned=[], pending={}, continued=[], broken=[])


class Execution(Struct):
    """The execution of functions of one kernel. `goals` says whether accesses are looked at or only followed.

    `statement` and `loop` give the state after a statement, and after a loop; None where it is not reached.
    """

    kernel: Kernel
    know: Knowledge
    report: Report
    statement: Callable[[Execution, Node, State | None], State | None]
    loop: Callable[[Execution, Node, State], State | None]
    goals: bool = True
    frame: Frame = field(default_factory=Frame)

    def key(self, name: str) -> str:
        """The key of a variable of the function that is being executed."""
        return f"{self.frame.depth}:{name}"

    def over(self, know: Knowledge) -> Execution:
        """The same place in the same function, with other knowledge and without goals."""
        return replace(self, know=know, goals=False)

    def report_unreached(self, code: Node, state: State) -> None:
        """Report the accesses of code that is never run, from where that is known."""
        for part in all_nodes(code):
            if isinstance(part, c_ast.ArrayRef) and base(part) is not None:
                self.check(part, z3.BoolVal(True), state)

    def matters(self, key: str) -> bool:
        """Whether an index, a length or a condition depends on a variable, as far as this function knows."""
        name = key.removeprefix(self.key(""))
        return name == key or name in self.frame.relevant

    def allocations(self) -> list[tuple[str, Node]]:
        """The arrays that the function allocates or makes larger, each with its length in terms of what it keeps."""
        found = []
        for part in all_nodes(self.kernel.functions[self.frame.function].body):
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
                            found.append((i.lvalue.name, rename(i.rvalue.args.exprs[1], names)))
                        case c_ast.FuncCall(name=c_ast.ID(name="gn_zeros" | "gn_room")):
                            found.append((i.lvalue.name, i.rvalue.args.exprs[0]))
                        case _:
                            pass
        return found

    def has_failed(self, state: State) -> Term:
        """Whether the status of a state says that something has failed."""
        status = state.variables.get(self.key("status"))
        return status != 0 if is_term(status) else z3.BoolVal(False)

    def check(self, node: Node, goal: Term, state: State) -> None:
        """Report a goal that a place has."""
        if self.goals:
            self.report(Access(self.frame.function, line(node), print_node(node)), goal, state.here, state)
