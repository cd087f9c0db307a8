"""CUDA's runtime, as far as hosts of kernels call it: memory on the device, copies, launches, errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ...reference.errors import Unsupported
from .calls import perform
from .fault import BadFree, Where, WrongMemory, WrongType
from .frame import STATE, Frame
from .function import Function
from .grid import Grid, Thread
from .library import LIBRARY, Routine
from .memory import UNSET, Address, element_type, read, repeat_byte, span, write
from .state import State
from .types import ADDRESS, INT, SIZE, UNSIGNED, Pointer, Struct, Type, cells
from .vocabulary import Vocabulary

DIMENSIONS = Struct("dim3", (("x", UNSIGNED), ("y", UNSIGNED), ("z", UNSIGNED)))
SUCCESS, NO_MEMORY, BAD_LAUNCH, NO_DEVICE, NO_FUNCTION = 0, 2, 9, 100, 98
MOST_THREADS, MOST_BLOCKS = 1024, 2**31 - 1
TO_DEVICE, FROM_DEVICE = 1, 2


class Kernel(msgspec.Struct, frozen=True):
    """A kernel that may be launched, with at most so many threads a block."""

    function: Function
    threads: int


class Host(State):
    """The run of a host: the kernels that it may launch, how many devices there are, the last error."""

    __slots__ = ("devices", "error", "kernels")
    watched = True

    def __init__(self, kernels: Mapping[str, Kernel], seed: int, limit: int, memory: int | None, devices: int) -> None:
        super().__init__(seed, limit, memory)
        self.kernels, self.devices, self.error = kernels, devices, SUCCESS

    def say(self, error: int) -> int:
        """Keep an error, and give it."""
        self.error = error or self.error
        return error


def count_devices(state: Host, where: Where, place: Address | None) -> int:
    """How many devices there are."""
    write(place, state.devices, where)
    return state.say(SUCCESS if state.devices else NO_DEVICE)


def allocate(state: Host, where: Where, place: Address | None, bytes: int) -> int:
    """Memory on the device, in which nothing is stored."""
    if not state.devices:
        return state.say(NO_DEVICE)
    made = state.allocate(bytes, where, space="device")
    if made is None:
        return state.say(NO_MEMORY)
    write(place, made, where)
    return SUCCESS


def release(state: Host, where: Where, p: Address | None) -> int:
    """Memory on the device given back."""
    if p is not None and p[0].space != "device":
        raise BadFree(f"{p[0]} is not on a device", where)
    state.release(p, where)
    return SUCCESS


def copy(state: Host, where: Where, to: Address | None, of: Address | None, bytes: int, kind: int) -> int:
    """Bytes copied between the host and the device, whichever way is said."""
    source = span(of, bytes, "a copy from memory", where, writes=False)
    if not source or of is None or to is None:
        return SUCCESS
    expect(of, "device" if kind & FROM_DEVICE else "host", where)
    expect(to, "device" if kind & TO_DEVICE else "host", where)
    if to[0].type is None:
        to[0].settle(element_type(of[0]))
    if to[0].type != of[0].type:
        raise WrongType(f"{of[0]} is copied to {to[0]}", where)
    target = span(to, bytes, "a copy to memory", where, writes=True)
    to[0].data[target.start : target.stop] = of[0].data[source.start : source.stop]
    return SUCCESS


def expect(p: Address, space: str, where: Where) -> None:
    """Memory must be where a copy says that it is."""
    if p[0].space != space:
        raise WrongMemory(f"a copy takes {p[0]} for memory of the {space}", where)


def clear(state: Host, where: Where, to: Address | None, byte: int, bytes: int) -> int:
    """Bytes on the device set alike."""
    for k in span(to, bytes, "a write of bytes", where, writes=True):
        assert to is not None
        expect(to, "device", where)
        kinds = cells(element_type(to[0]))
        to[0].data[k] = repeat_byte(byte, kinds[k % len(kinds)], where)
    return SUCCESS


def launch(
    state: Host,
    where: Where,
    kernel: Address | None,
    blocks: Sequence[int],
    threads: Sequence[int],
    given: Address | None,
    shared: int,
    stream: Address | None,
) -> int:
    """A kernel on blocks of threads, run to its end."""
    if not state.devices:
        return state.say(NO_DEVICE)
    name = "" if kernel is None else kernel[0].name
    found = state.kernels.get(name)
    if found is None:
        return state.say(NO_FUNCTION)
    if shared or stream is not None:
        raise Unsupported(f"a launch with memory or streams of its own, in {where}")
    (blocks_x, *_), (threads_x, *_) = blocks, threads
    if (
        not (0 < blocks_x <= MOST_BLOCKS and 0 < threads_x <= min(found.threads, MOST_THREADS))
        or [*blocks, *threads].count(1) < 4
    ):
        return state.say(BAD_LAUNCH)
    function = found.function
    arguments = [argument(given, n, type, where) for n, (_, type, _) in enumerate(function.parameters)]
    if given is not None and given[1] == 0 and given[0].count != len(arguments):
        raise WrongType(f"{given[0]} for {len(arguments)} parameters of {name}", where)
    body = function.body(True)

    def run(thread: Thread) -> None:
        frame: Frame = [UNSET] * body.slots
        frame[STATE] = thread
        for (slot, home), value in zip(body.parameters, arguments, strict=True):
            frame[slot] = value if home is None else home.block(value, thread)
        perform(function, body, frame, where)

    Grid(state.random, blocks_x, threads_x, run, state.limit).run()
    return SUCCESS


def argument(given: Address | None, n: int, type: Type, where: Where) -> Any:
    """The value of an argument: what a pointer leads to, which must have the type of the parameter."""
    place: Address | None = read(None if given is None else (given[0], given[1] + n), where)
    if place is None or place[0].ended is not None or place[0].type != type:
        raise WrongType(
            f"argument {n} is no {type}" if place is None else f"{place[0]} as argument {n}, a {type}", where
        )
    if place[0].space != "host":
        raise WrongMemory(f"{place[0]} holds argument {n}, but is not memory of the host", where)
    return read(place, where)


def last_error(state: Host, where: Where) -> int:
    """The last error, which is forgotten."""
    error, state.error = state.error, SUCCESS
    return error


def peek(state: Host, where: Where) -> int:
    """The last error."""
    return state.error


CALLS: dict[str, Routine] = {
    "cudaGetDeviceCount": Routine(INT, (Pointer(INT),), count_devices),
    "cudaMalloc": Routine(INT, (Pointer(ADDRESS), SIZE), allocate),
    "cudaFree": Routine(INT, (ADDRESS,), release),
    "cudaMemcpy": Routine(INT, (ADDRESS, ADDRESS, SIZE, INT), copy),
    "cudaMemset": Routine(INT, (ADDRESS, INT, SIZE), clear),
    "cudaLaunchKernel": Routine(INT, (ADDRESS, DIMENSIONS, DIMENSIONS, Pointer(ADDRESS), SIZE, ADDRESS), launch),
    "cudaGetLastError": Routine(INT, (), last_error),
    "cudaPeekAtLastError": Routine(INT, (), peek),
    "cudaDeviceSynchronize": Routine(INT, (), peek),
}
HOST = Vocabulary(LIBRARY | CALLS)
