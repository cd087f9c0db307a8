"""What the functions do that a kernel calls and that stand in no kernel: those of the support header, and of C.

Of allocation: an array has as many elements as were asked for, or `status` says that there was no memory.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..solver import Term, z3
from .c_facts import is_term, number
from .c_memory import Address, Array, Constant, Contents, List, Opaque, Reordered, State, Stored, Value
from .c_tree import Node, c_ast, c_type, is_pure, spelled

if TYPE_CHECKING:
    from .c_execution import Execution

CONSTANTS = {
    "GN_OK": 0,
    "GN_MEMORY": 1,
    "GN_OVERFLOW": 2,
    "GN_DIVISION": 3,
    "GN_BOUND": 4,
    "GN_INDEX_MAX": 2**31 - 1,
    "INT64_MAX": 2**63 - 1,
    "true": 1,
    "false": 0,
}


class Unmodelled(Exception):
    """Something in a kernel that symbolic execution does not know."""


class Contracts:
    """Calls, a method for each function that changes anything or that indices are made with."""

    def called(self: Execution, e: Node, state: State) -> Value:  # type: ignore[misc]
        """The value of a call, and what it changes."""
        name = e.name.name
        nodes = [] if e.args is None else list(e.args.exprs)
        if name in self.kernel.functions:
            args = [self.value(each, state) for each in nodes]
            args = [replace(arg, frozen=True) if isinstance(arg, Array) else arg for arg in args]
            after, value = self.call(name, args, state, id(e))
            if after is None:
                raise Unmodelled(f"{name}, which does not return")
            state.here, state.variables = after.here, after.variables
            self.remember_lengths(state)
            return value
        special = getattr(self, f"call_{name}", None)
        if special is not None:
            return special(nodes, state)
        values = [self.value(each, state) for each in nodes]
        handed = not all(is_term(v) or isinstance(v, Opaque) for v in values)
        if handed and (not is_pure(e) or any(isinstance(v, Array | List) for v in values)):
            raise Unmodelled(f"the call {spelled(e)}")
        for value in values:
            if isinstance(value, Address):
                self.set_status(value, state, lambda old, new: z3.Or(new == old, new == CONSTANTS["GN_DIVISION"]))
        return Opaque()

    def set_status(self: Execution, address: Any, state: State, law: Any) -> None:  # type: ignore[misc]
        """Change what a status holds, by a law about what it was and what it is."""
        old, new = state.variables[address.key], self.know.fresh("status")
        self.know.say(law(old, new), state.here)
        state.variables[address.key] = new

    def call_gn_zeros(self: Execution, nodes: list[Node], state: State) -> Value:  # type: ignore[misc]
        """An array of zeros; none, with a status, where there is no memory or something failed before."""
        count, status = number(self.value(nodes[0], state)), self.value(nodes[2], state)
        made, length = self.know.guard(), self.know.fresh("length")
        self.know.say(z3.If(made, z3.And(count >= 0, length == count), length == 0), state.here)
        self.set_status(status, state, lambda old, new: z3.If(made, z3.And(old == 0, new == 0), new >= 1))
        return Array(length, Constant(0), element_type(nodes[1]), counted=z3.IntVal(0))

    def call_gn_resize(self: Execution, nodes: list[Node], state: State) -> Value:  # type: ignore[misc]
        """The array with another length, its contents kept; on failure as it was, with a status."""
        array, count = self.value(nodes[0], state), number(self.value(nodes[1], state))
        status = self.value(nodes[3], state)
        made, length = self.know.guard(), self.know.fresh("length")
        self.know.say(z3.If(made, z3.And(count >= 0, length == count), length == array.length), state.here)
        self.set_status(status, state, lambda old, new: z3.If(made, new == old, new >= 1))
        contents: Contents = Opaque()
        if not isinstance(array.contents, Opaque):
            contents = self.know.unknown("resized")
            kept = contents

            def same(k: Term) -> Term:
                value = self.know.read(array.contents, k)
                if not is_term(value):
                    return z3.BoolVal(True)
                return z3.Implies(z3.And(k >= 0, k < array.length, k < length), kept.at(k) == value)

            contents.facts.append((state.here, same))
        return Array(length, contents, element_type(nodes[2]))

    def call_gn_capacity(self: Execution, nodes: list[Node], state: State) -> Value:  # type: ignore[misc]
        """A capacity with room for more; a status where too many are held."""
        capacity, held, more, limit = (number(self.value(each, state)) for each in nodes[:4])
        doubled = z3.If(capacity > limit / 2, limit, z3.If(capacity < 8, 16, 2 * capacity))
        found = self.know.fresh("capacity")
        self.know.say(found == z3.If(doubled < held + more, held + more, doubled), state.here)
        self.set_status(self.value(nodes[4], state), state, lambda old, new: z3.If(held > limit, new == 2, new == old))
        return found

    def call_gn_estimate(self: Execution, nodes: list[Node], state: State) -> Value:  # type: ignore[misc]
        """Some capacity to begin with."""
        likely, limit, block = (number(self.value(each, state)) for each in nodes)
        found, most = self.know.fresh("estimate"), self.know.fresh("most")
        if z3.is_int_value(block):
            self.know.say(most == 2**27 // max(block.as_long(), 1))
        wanted = z3.If(likely < most, likely, most)
        self.know.say(found == z3.If(wanted < limit, wanted, limit), state.here)
        return found

    def call_gn_push(self: Execution, nodes: list[Node], state: State) -> Value:  # type: ignore[misc]
        """A pair more in a list, or a status."""
        address, coordinate, position, status = (self.value(each, state) for each in nodes)
        held = state.variables[address.key]
        pushed, size = self.know.guard(), self.know.fresh("size")
        self.know.say(size == held.size + z3.If(pushed, 1, 0), state.here)
        self.set_status(status, state, lambda old, new: z3.If(pushed, new == old, new >= 1))
        pairs = (Stored(held.coordinate, held.size, coordinate), Stored(held.position, held.size, position))
        state.variables[address.key] = List(size, *pairs)
        return Opaque()

    def call_gn_sort(self: Execution, nodes: list[Node], state: State) -> Value:  # type: ignore[misc]
        """The pairs of a list in another order."""
        address = self.value(nodes[0], state)
        held = state.variables[address.key]
        place = self.know.unknown("place").at
        pairs = (Reordered(held.coordinate, held.size, place), Reordered(held.position, held.size, place))
        state.variables[address.key] = List(held.size, *pairs)
        return Opaque()

    def call_free(self: Execution, nodes: list[Node], state: State) -> Value:  # type: ignore[misc]
        """An array that is no longer there."""
        match nodes[0]:
            case c_ast.ID(name=name):
                state.variables[self.key(name)] = Array(z3.IntVal(0), Opaque(), "")
            case _:
                pass
        return Opaque()

    def call_gn_min_int64(self: Execution, nodes: list[Node], state: State) -> Value:  # type: ignore[misc]
        a, b = (self.value(each, state) for each in nodes)
        return z3.If(number(a) <= number(b), number(a), number(b)) if is_term(a) and is_term(b) else Opaque()

    def call_gn_max_int64(self: Execution, nodes: list[Node], state: State) -> Value:  # type: ignore[misc]
        a, b = (self.value(each, state) for each in nodes)
        return z3.If(number(a) >= number(b), number(a), number(b)) if is_term(a) and is_term(b) else Opaque()

    def call_gn_floordiv_int64(self: Execution, nodes: list[Node], state: State) -> Value:  # type: ignore[misc]
        a, b = (self.value(each, state) for each in nodes)
        return self.quotient(number(a), number(b)) if is_term(a) and is_term(b) else Opaque()

    def call_gn_mod_int64(self: Execution, nodes: list[Node], state: State) -> Value:  # type: ignore[misc]
        a, b = (self.value(each, state) for each in nodes)
        if not is_term(a) or not is_term(b):
            return Opaque()
        product = self.know.products.times(self.quotient(number(a), number(b)), number(b))
        return self.sum(number(a), -product)


def element_type(size: Node) -> str:
    """The type in `sizeof(type)`."""
    return c_type(size.expr) if isinstance(size, c_ast.UnaryOp) else ""
