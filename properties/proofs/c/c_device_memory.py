"""What the host's half of a kernel for GPUs calls: memory on the device, and copies to it and back (gnomon_cuda.h).

An array on the device has as many elements as were asked for, or `status` says why there is none. A copy is of so many
elements as both arrays have, where nothing has failed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from ..solver import Term, z3
from .c_contracts import Args, element_type, set_status
from .c_facts import Knowledge, is_term, number
from .c_memory import Address, Array, Constant, Contents, Opaque, State, Unset, Value
from .c_tree import Node


def gn_device_find(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """Nothing, or a status: there is no device."""
    return report(know, args[0], state)


def gn_device_array(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """An array on the device, in which nothing is set; none, with a status, where there is no memory."""
    count, _, status = args
    made, length = know.guard(), know.fresh("length")
    know.say(z3.If(made, z3.And(number(count) >= 0, length == number(count)), length == 0), state.here)
    set_status(know, status, state, lambda old, new: z3.If(made, z3.And(old == 0, new == 0), new >= 1))
    return Array(length, Unset(know.unknown("device").at), element_type(nodes[1]))


def gn_device_lend(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """A copy on the device of as many elements of an array."""
    made = gn_device_array(know, nodes[1:], args[1:], state)
    return replace(made, contents=contents_of(know, args[0]))


def gn_device_copy(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """The elements of an array copied to the device, or back, if nothing fails."""
    return copy(know, args[0], args[1], args[4], state)


def gn_device_clear(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """An array on the device set to zeros, if nothing fails."""
    zeros = Array(args[0].length, Constant(0), args[0].type)
    return copy(know, args[0], zeros, args[3], state)


def nothing(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """What changes nothing that is accessed later."""
    return Opaque()


def copy(know: Knowledge, into: Any, source: Any, status: Any, state: State) -> Value:
    """Copy what is in one place to another, where a status says that nothing has failed."""
    report(know, status, state)
    fine = know.guard()
    know.say(fine == z3.And(state.here, state.variables[status.key] == 0))
    if isinstance(into, Address):
        found = know.fresh("copied")
        value = know.read_element(source.contents, z3.IntVal(0))
        if is_term(value):
            know.say(found == value, fine)
        state.variables[into.key] = found
        return Opaque()
    contents: Contents = Opaque()
    if not isinstance(into.contents, Opaque):
        before = contents_of(know, source)
        contents = know.unknown("copied")
        contents.sources.append((fine, before))
        contents = Unset(contents.at) if isinstance(before, Unset) else contents
    for key in [key for key, value in state.variables.items() if value is into]:
        state.variables[key] = replace(into, contents=contents, counted=None)
    return Opaque()


def contents_of(know: Knowledge, place: Any) -> Contents:
    """What is in an array; of what is in a variable nothing is known, and no index is made."""
    return place.contents if isinstance(place, Array) else Unset(know.unknown("variable").at)


def report(know: Knowledge, status: Any, state: State) -> Value:
    """Nothing, or a status if there was none."""
    set_status(know, status, state, lambda old, new: z3.Or(new == old, z3.And(old == 0, new >= 1)))
    return Opaque()


def are_there(know: Knowledge, args: Args, state: State, status: Any, *arrays: Any) -> Term:
    """That arrays have as many elements as are copied, where nothing has failed."""
    count = next(number(a) for a in args if is_term(a))
    fine = state.variables[status.key] == 0
    short = [a.length for a in arrays if isinstance(a, Array)]
    return z3.Implies(z3.And(fine, count > 0), z3.And([count <= length for length in short]))


def may_reach(know: Knowledge, args: Args, state: State) -> Term:
    """That one array has what is lent or set."""
    return are_there(know, args, state, args[3], args[0])


def may_copy(know: Knowledge, args: Args, state: State) -> Term:
    """That both arrays have what is copied."""
    return are_there(know, args, state, args[4], args[0], args[1])


DEVICE_CLAIMS: dict[str, Callable[[Knowledge, Args, State], Term]] = {
    **dict.fromkeys(("gn_device_lend", "gn_device_clear"), may_reach),
    **dict.fromkeys(("gn_device_put", "gn_device_get"), may_copy),
}
"""What copies need of their arguments."""
DEVICE_CONTRACTS: dict[str, Callable[[Knowledge, list[Node], Args, State], Value]] = {
    "gn_device_find": gn_device_find,
    "gn_device_array": gn_device_array,
    "gn_device_lend": gn_device_lend,
    **dict.fromkeys(("gn_device_put", "gn_device_get"), gn_device_copy),
    "gn_device_clear": gn_device_clear,
    **dict.fromkeys(("gn_device_return", "gn_device_free"), nothing),
}
"""The functions of gnomon_cuda.h but launches."""
