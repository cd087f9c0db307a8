"""Launches: kernels for GPUs run where the host launches them, as any one thread of any block.

The indices of the thread are unknown, in the range of the grid. What several threads may store into holds anything at
every read (`Shared`), so that nothing depends on when others come to it; what a kernel has stored the host does not
know.
"""

from __future__ import annotations

import re
from functools import partial

from msgspec.structs import replace

from ..solver import Term, z3
from .c_contracts import set_status
from .c_execution import Execution, Unmodelled
from .c_expressions import call_function, evaluate
from .c_facts import is_term, number, within
from .c_memory import Array, Constant, Coordinates, Opaque, Shared, State, Unknown, Unset, Value
from .c_tree import Kernel, Node, c_ast, c_type, parameters, parse

QUALIFIERS = re.compile(r"GN_KERNEL |__launch_bounds__\(\d+\) |static inline __device__ |__device__ ")
WHOLE, SCAN = ("int32_t", "int64_t"), "_scan_"


def parse_both(host: str, device: str) -> Kernel:
    """The functions of the two texts of a kernel. Arrays that a block shares are static."""
    plain = QUALIFIERS.sub("", device).replace("__restrict__", "restrict").replace("__shared__", "static")
    return Kernel({**parse(host).functions, **parse(plain).functions})


def launch(run: Execution, call: Node, state: State) -> None:
    """Run a kernel as one thread of a grid; the arrays that the kernel stores into are unknown afterwards."""
    kernel, blocks, threads, pointers, status = call.args.exprs
    name, address = kernel.expr.name, evaluate(run, status, state)
    addresses = state.variables[run.key(pointers.name)]
    given = parameters(run.kernel.functions[name])
    grid = number(evaluate(run, blocks, state)), number(evaluate(run, threads, state))
    with run.know.within("launch"):
        there = run.know.branch(state, state.variables[address.key] == 0, grid[0] > 0)
        thread = State(there.here, indices(run, there.here, *grid))
        held = [(p, state.variables[a.key]) for p, a in zip(given, addresses, strict=True)]
        args = [hand_to_kernel(run, p, value, there) for p, value in held]
        after, _ = call_function(run, name, args, thread, id(call))
        if after is None:
            raise Unmodelled(f"{name}, which does not return")
    arrays = {p.name: arg for p, arg in zip(given, args, strict=True) if isinstance(arg, Array)}
    kept = {name for name, array in arrays.items() if isinstance(array.contents, Coordinates)}
    known = tuple(fingerprint(state.variables[a.key]) for a in addresses)
    for parameter, place in zip(given, addresses, strict=True):
        value = state.variables[place.key]
        if is_written(parameter) and isinstance(value, Array):
            key = (name, parameter.name, *known)
            contents = Opaque() if isinstance(value.contents, Opaque) else run.know.outcome(key, parameter.name)
            if isinstance(contents, Unknown) and parameter.name in kept:
                contents.facts.append((z3.BoolVal(True), partial(is_coordinate, contents)))
            state.variables[place.key] = replace(value, contents=contents, counted=None)
    if SCAN in name:
        assert_scan(run, [state.variables[a.key] for a in addresses])
    set_status(run.know, address, state, lambda old, new: z3.Or(new == old, z3.And(old == 0, new >= 1)))


def fingerprint(value: Value) -> object:
    """A key of an argument of a kernel: kernels give equal results for arguments with equal keys.

    Elements that are not set are not read. An unknown argument has a key of its own.
    """
    match value:
        case Array(contents=Constant(value=number)):
            return "constant", number
        case Array(contents=Unset()):
            return "not set"
        case Array(contents=Unknown() as contents):
            return contents
        case _:
            return value if is_term(value) else object()


def assert_scan(run: Execution, values: list[Value]) -> None:
    """The result of a scan (`devices.scan`): sums of counts, in increasing order, the last one the total."""
    many, first, _, total = values
    contents = first.contents
    contents.facts.append((z3.BoolVal(True), lambda k: contents.at(k) >= 0))
    contents.pairs.append(lambda k, n: z3.Implies(z3.And(k >= 0, k <= n), contents.at(k) <= contents.at(n)))
    last = run.know.read_element(contents, number(many))
    total.contents.facts.append((z3.BoolVal(True), lambda k: z3.Implies(k == 0, total.contents.at(k) == last)))


def indices(run: Execution, here: Term, blocks: Term, threads: Term) -> dict[str, Value]:
    """Who a thread is: any of a grid."""
    block, thread = run.know.fresh("block"), run.know.fresh("thread")
    run.know.say(z3.And(block >= 0, block < blocks, thread >= 0, thread < threads), here)
    return {"blockIdx.x": block, "threadIdx.x": thread, "gridDim.x": blocks, "blockDim.x": threads}


def is_coordinate(contents: Unknown, k: Term) -> Term:
    """That an element is a coordinate, or -1: one that is not set is not read."""
    return contents.at(k) >= -1


def holds_coordinates(run: Execution, array: Array, state: State) -> bool:
    """Whether what is set in an array are coordinates, or -1."""
    if isinstance(array.contents, Unset):
        return True
    k = run.know.fresh("k")
    found = run.know.read_element(array.contents, k)
    return is_term(found) and run.know.holds(state.here, z3.Implies(within(k, array.length), found >= -1))


def hand_to_kernel(run: Execution, parameter: Node, value: Value, state: State) -> Value:
    """What a kernel is handed: an array into which the kernel stores holds anything, or coordinates if the array held
    coordinates before."""
    if not isinstance(value, Array):
        return value
    if not is_written(parameter):
        return replace(value, frozen=False)
    kind = c_type(parameter).rstrip(" *")
    if kind in WHOLE and parameter.name.endswith("_crd") and holds_coordinates(run, value, state):
        return Array(value.length, Coordinates(), value.type)
    return Array(value.length, Shared() if kind in WHOLE else Opaque(), value.type)


def is_written(parameter: Node) -> bool:
    """Whether a kernel may store into what a parameter points to."""
    return isinstance(parameter.type, c_ast.PtrDecl) and "const" not in parameter.type.type.quals
