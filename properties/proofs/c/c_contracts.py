"""What the functions do that a kernel calls and that stand in no kernel: those of the support header, and of C.

Of allocation: an array has as many elements as were asked for, or `status` says that there was no memory. Of room: what
is not set is not read, which the checked machine looks at in every run (`machine.memory`). Accesses are proved whatever
is there; but what code counts is taken to be the same for all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from ..solver import Term, z3
from .c_execution import Unmodelled
from .c_facts import Knowledge, is_term, number, within
from .c_memory import Array, Constant, Contents, List, Opaque, Reordered, Shared, State, Stored, Unset, Value
from .c_numbers import quotient, total
from .c_tree import Node, c_ast, c_type

CONSTANTS = {
    "GN_OK": 0,
    "GN_MEMORY": 1,
    "GN_OVERFLOW": 2,
    "GN_DIVISION": 3,
    "GN_BOUND": 4,
    "GN_RANGE": 5,
    "GN_INDEX_MAX": 2**31 - 1,
    "INT64_MAX": 2**63 - 1,
    "true": 1,
    "false": 0,
}


Args = Sequence[Any]
"""What a function is called with: values."""


def set_status(know: Knowledge, address: Any, state: State, law: Any) -> None:
    """Change what a status holds, by a law about what it was and what it is."""
    old, new = state.variables[address.key], know.fresh("status")
    know.say(law(old, new), state.here)
    state.variables[address.key] = new


def gn_zeros(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """An array of zeros; none, with a status, where there is no memory or something failed before."""
    count, status = number(args[0]), args[2]
    made, length = know.guard(), know.fresh("length")
    know.say(z3.If(made, z3.And(count >= 0, length == count), length == 0), state.here)
    set_status(know, status, state, lambda old, new: z3.If(made, z3.And(old == 0, new == 0), new >= 1))
    return Array(length, Constant(0), element_type(nodes[1]), counted=z3.IntVal(0))


def gn_room(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """An array of elements that are not set, any numbers; no array, with a status, as for zeros."""
    zeros = gn_zeros(know, nodes, args, state)
    assert isinstance(zeros, Array)
    return Array(zeros.length, Unset(know.unknown("room").at), zeros.type)


def gn_resize(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """The array with another length, its contents kept; on failure as it was, with a status."""
    array, count = args[0], number(args[1])
    status = args[3]
    made, length = know.guard(), know.fresh("length")
    know.say(z3.If(made, z3.And(count >= 0, length == count), length == array.length), state.here)
    set_status(know, status, state, lambda old, new: z3.If(made, new == old, new >= 1))
    contents: Contents = Opaque()
    if not isinstance(array.contents, Opaque):
        contents = know.unknown("resized")
        kept = contents

        def same(k: Term) -> Term:
            value = know.read_element(array.contents, k)
            if not is_term(value):
                return z3.BoolVal(True)
            return z3.Implies(z3.And(k >= 0, k < array.length, k < length), kept.at(k) == value)

        contents.facts.append((state.here, same))
    return Array(length, contents, element_type(nodes[2]))


def gn_capacity(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """A capacity with room for more; a status where too many are held."""
    capacity, held, more, limit = map(number, args[:4])
    doubled = z3.If(capacity > limit / 2, limit, z3.If(capacity < 8, 16, 2 * capacity))
    found = know.fresh("capacity")
    know.say(found == z3.If(doubled < held + more, held + more, doubled), state.here)
    set_status(know, args[4], state, lambda old, new: z3.If(held > limit, new == 2, new == old))
    return found


def gn_foresee(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """A capacity with room for more, or a larger one that can be counted; a status where too many are held."""
    capacity, held, more, *_, limit, status = args
    least = number(gn_capacity(know, nodes, [capacity, held, more, limit, status], state))
    found = know.fresh("foreseen")
    most = z3.If(number(limit) < 2**27, number(limit), 2**27)
    know.say(z3.And(found >= least, z3.Or(found == least, found <= most)), state.here)
    return found


def gn_estimate(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """Some capacity to begin with."""
    likely, limit, block = map(number, args)
    found, most = know.fresh("estimate"), know.fresh("most")
    if z3.is_int_value(block):
        know.say(most == 2**27 // max(block.as_long(), 1))
    wanted = z3.If(likely < most, likely, most)
    know.say(found == z3.If(wanted < limit, wanted, limit), state.here)
    return found


def gn_part(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """Some share of a number, at least one."""
    likely, found = number(args[0]), know.fresh("part")
    know.say(z3.Implies(likely >= 0, z3.And(found >= 1, found <= likely + 1)), state.here)
    return found


def gn_push(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """A pair more in a list, or a status."""
    address, coordinate, position, status = args
    held = state.variables[address.key]
    pushed, size = know.guard(), know.fresh("size")
    know.say(size == held.size + z3.If(pushed, 1, 0), state.here)
    set_status(know, status, state, lambda old, new: z3.If(pushed, new == old, new >= 1))
    pairs = (Stored(held.coordinate, held.size, coordinate), Stored(held.position, held.size, position))
    state.variables[address.key] = List(size, *pairs)
    return Opaque()


def gn_sort(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """The pairs of a list in another order."""
    address = args[0]
    held = state.variables[address.key]
    place = know.unknown("place").at
    pairs = (Reordered(held.coordinate, held.size, place), Reordered(held.position, held.size, place))
    state.variables[address.key] = List(held.size, *pairs)
    return Opaque()


def gn_order(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """The coordinates that an array holds at some positions, with these, in another order; or none, and a status."""
    address, array, begin, end, status = args
    made, size = know.guard(), know.fresh("size")
    know.say(size == z3.If(z3.And(made, begin < end), end - begin, 0), state.here)
    set_status(know, status, state, lambda old, new: z3.If(made, new == old, new >= 1))
    position, coordinate = know.unknown("position"), know.unknown("coordinate")

    def lies(k: Term) -> Term:
        return z3.Implies(within(k, size), z3.And(position.at(k) >= begin, position.at(k) < end))

    def is_held(k: Term) -> Term:
        held = know.read_element(array.contents, position.at(k))
        return z3.Implies(within(k, size), z3.And(lies(k), coordinate.at(k) == held)) if is_term(held) else lies(k)

    position.facts.append((state.here, lies))
    coordinate.facts.append((state.here, is_held))
    state.variables[address.key] = List(size, coordinate, position)
    return Opaque()


def gn_prefetch(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """Nothing: no element is read, and there need be none."""
    return Opaque()


def gn_place(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """The result's array with a thread's parts in their places. Proofs look at one thread, which has appended all."""
    array = args[0]
    key = next(key for key, value in state.variables.items() if value is array)
    state.variables[key] = replace(array, contents=Opaque(), counted=None)
    know.say(sum_of_notes(know, args) == args[5], state.here)
    return Opaque()


def gn_swap(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """Two arrays that change places."""
    keys = [next(key for key, value in state.variables.items() if value is array) for array in args]
    state.variables.update(zip(keys, reversed(args), strict=True))
    return Opaque()


def may_be_all(know: Knowledge, args: Args, state: State) -> bool:
    """Whether a call of `gn_place` can be reached by a thread that has appended the whole result."""
    at, end = args[4:6]
    return bool(know.check(state.here, at == 0, end > 0, sum_of_notes(know, args) == end) != z3.unsat)


def sum_of_notes(know: Knowledge, args: Args) -> Term:
    """How much all iterations have noted together that they appended."""
    first = args[6]
    return number(know.read_element(first.contents, first.length - 1))


def gn_min_int64(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    a, b = args
    return z3.If(number(a) <= number(b), number(a), number(b)) if is_term(a) and is_term(b) else Opaque()


def gn_max_int64(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    a, b = args
    return z3.If(number(a) >= number(b), number(a), number(b)) if is_term(a) and is_term(b) else Opaque()


def gn_floordiv_int64(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    a, b = args
    return quotient(know, number(a), number(b)) if is_term(a) and is_term(b) else Opaque()


def gn_mod_int64(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    a, b = args
    if not is_term(a) or not is_term(b):
        return Opaque()
    product = know.products.times(quotient(know, number(a), number(b)), number(b))
    return total(know, number(a), -product)


def element_type(size: Node) -> str:
    """The type in `sizeof(type)`."""
    return c_type(size.expr) if isinstance(size, c_ast.UnaryOp) else ""


def is_range(know: Knowledge, args: Args, state: State) -> Term:
    """That an array has the range of positions at which it is read."""
    _, array, begin, end, _ = args
    return z3.Or(begin >= end, z3.And(begin >= 0, end <= array.length))


def has_places(know: Knowledge, args: Args, state: State) -> Term:
    """That a thread's own array has what is said to be in it, and the result room for what all have appended.

    Here one thread runs all iterations: what they noted is how far it has come (`c_phases` shows what each notes).
    Where such a thread does not come, others have appended, too: there has to be room for as much as all have noted.
    """
    array, own, skip, stride, at, end, *_ = args
    products, noted = know.products, sum_of_notes(know, args)
    alone = may_be_all(know, args, state)
    needed = [products.flat(skip + count * stride) for count in (end, at + (end if alone else noted))]
    room = z3.And(end >= 0, at >= 0, needed[0] <= own.length, needed[1] <= array.length)
    return z3.Implies(noted == end, room) if alone else room


def is_there(know: Knowledge, args: Args, state: State) -> Term:
    """That an array has as many elements as are sorted."""
    array, count, *_ = args
    return z3.And(number(count) >= 0, number(count) <= array.length)


def sort_list(know: Knowledge, nodes: list[Node], args: Args, state: State) -> Value:
    """A list in order, of which as much is known as before. Raises Unmodelled for another array."""
    if not isinstance(args[0].contents, Shared | Opaque):
        raise Unmodelled("a sort of what is no list")
    return Opaque()


SORTING = tuple(f"gn_sort_{owner}_{name}" for owner in ("alone", "warp", "block") for name in ("int32", "int64"))
"""The functions that put lists of coordinates in order."""
ORDERING = ("gn_order_int32", "gn_order_int64")
"""The functions that put what an array holds in order."""
CLAIMS: dict[str, Callable[[Knowledge, Args, State], Term]] = {
    **dict.fromkeys(ORDERING, is_range),
    **dict.fromkeys(SORTING, is_there),
    "gn_place": has_places,
}
"""What functions that access arrays by themselves need of their arguments."""
CONTRACTS: dict[str, Callable[[Knowledge, list[Node], Args, State], Value]] = {
    "gn_zeros": gn_zeros,
    "gn_room": gn_room,
    "gn_resize": gn_resize,
    "gn_capacity": gn_capacity,
    "gn_foresee": gn_foresee,
    "gn_estimate": gn_estimate,
    "gn_part": gn_part,
    "gn_push": gn_push,
    "gn_sort": gn_sort,
    **dict.fromkeys(ORDERING, gn_order),
    **dict.fromkeys(SORTING, sort_list),
    "gn_prefetch": gn_prefetch,
    "gn_place": gn_place,
    "gn_swap": gn_swap,
    "gn_min_int64": gn_min_int64,
    "gn_max_int64": gn_max_int64,
    "gn_floordiv_int64": gn_floordiv_int64,
    "gn_mod_int64": gn_mod_int64,
}
"""The functions that change anything or that indices are made with: from arguments, as text and as values."""
