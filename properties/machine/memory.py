"""Memory in blocks that know what they hold: bounds, what has been stored, who may write, whether they still are there.

A pointer is a pair of a block and the number of a cell in it; the null pointer is None. What nothing has been stored in
is `UNSET`. Memory from `malloc` takes the type of the first pointer that it is assigned to (C11, 6.5, effective types).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Literal

from ...reference.errors import Unsupported
from .fault import (
    BadPointer,
    MachineError,
    NullPointer,
    OutOfBounds,
    Uninitialised,
    UseAfterFree,
    Where,
    WriteToInput,
    WrongType,
)
from .types import BOOL, Complex, Floating, Integer, Pointer, Type, Void, cells, size


class Unset:
    """What is in memory before anything has been stored."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "unset"


UNSET = Unset()
Makers = Mapping[Hashable, int]
NOBODY: Makers = {}
Space = Literal["host", "device", "shared"]


class Block:
    """Memory that belongs together: what is allocated at once, or a variable.

    `type` is that of its elements, None for bytes that nobody has used yet; `made`: which thread of which team it
    belongs to; `ended`: where it was given back; `space`: who reaches it, the host, a device, or a block of threads.
    """

    __slots__ = ("bytes", "data", "ended", "is_heap", "made", "name", "space", "type", "where", "writable", "zeroed")

    def __init__(
        self,
        name: str,
        type: Type | None,
        data: list[Any],
        where: Where,
        *,
        writable: bool = True,
        is_heap: bool = False,
        bytes: int = 0,
        zeroed: bool = False,
        made: Makers = NOBODY,
        space: Space = "host",
    ) -> None:
        self.name, self.type, self.data, self.where = name, type, data, where
        self.writable, self.is_heap, self.bytes, self.zeroed, self.made = writable, is_heap, bytes, zeroed, made
        self.space: Space = space
        self.ended: Where | None = None

    def settle(self, type: Type) -> None:
        """Take a type: as many elements as fit."""
        self.type = type
        count = self.bytes // size(type)
        self.data = [zero(cell) if self.zeroed else UNSET for cell in cells(type)] * count

    def end(self, where: Where) -> None:
        """Be there no longer."""
        self.data, self.ended = [], where

    @property
    def count(self) -> int:
        """The number of elements."""
        return len(self.data) // (1 if self.type is None else len(cells(self.type)))

    def __str__(self) -> str:
        held = f"{self.bytes} bytes" if self.type is None else f"{self.count} x {self.type}"
        return f"{self.name} ({held}, from line {self.where.line})"


Address = tuple[Block, int]


def zero(t: Type) -> Any:
    """What a cell of zero bytes holds."""
    match t:
        case Floating():
            return 0.0
        case Complex():
            return 0j
        case Pointer():
            return None
        case _:
            return 0


def read(p: Address | None, where: Where) -> Any:
    """What a cell holds."""
    if p is not None:
        block, k = p
        if 0 <= k < len(block.data):
            value = block.data[k]
            if value is not UNSET:
                return value
    raise unreadable(p, where)


def write(p: Address | None, value: Any, where: Where) -> None:
    """Store in a cell."""
    if p is not None:
        block, k = p
        if block.writable and 0 <= k < len(block.data):
            block.data[k] = value
            return
    raise unreachable(p, f"a write of {value!r}", where, writes=True)


def unreadable(p: Address | None, where: Where) -> MachineError:
    """Why a cell cannot be read."""
    if p is not None and 0 <= p[1] < len(p[0].data):
        return Uninitialised(f"a read of element {element(p)} of {p[0]}, which nothing has been stored in", where)
    return unreachable(p, "a read", where)


def unreachable(p: Address | None, what: str, where: Where, *, writes: bool = False) -> MachineError:
    """Why a cell cannot be reached."""
    if p is None:
        return NullPointer(f"{what} through a null pointer", where)
    block, k = p
    if block.ended is not None:
        return UseAfterFree(f"{what} at {block.name} after its end in line {block.ended.line}", where)
    if writes and not block.writable and 0 <= k < len(block.data):
        return WriteToInput(f"{what} to {block}, which is an input", where)
    return OutOfBounds(f"{what} at element {element(p)} of {block}", where)


def element(p: Address) -> int:
    """The number of the element that a cell belongs to."""
    block, k = p
    return k if block.type is None else k // len(cells(block.type))


def move_pointer(p: Address | None, elements: int, target: Type, where: Where) -> Address | None:
    """A pointer moved by some elements: inside its block, or just behind it (C11, 6.5.6)."""
    if p is None:
        if elements == 0:
            return None
        raise NullPointer(f"a null pointer moved by {elements}", where)
    block, k = p
    there = k + elements * len(cells(target))
    if block.ended is not None:
        raise UseAfterFree(f"a pointer into {block.name} moved after its end in line {block.ended.line}", where)
    if not 0 <= there <= len(block.data):
        raise BadPointer(f"element {element(p)} of {block} moved by {elements} leaves the block", where)
    return block, there


def distance(p: Address | None, q: Address | None, target: Type, where: Where) -> int:
    """The elements between two pointers."""
    if p is None or q is None or p[0] is not q[0]:
        raise BadPointer(
            f"pointers into different blocks are subtracted: {print_pointer(p)} and {print_pointer(q)}", where
        )
    return (p[1] - q[1]) // len(cells(target))


def print_pointer(p: Address | None) -> str:
    """A pointer in words."""
    return "NULL" if p is None else f"element {element(p)} of {p[0]}"


def retype_pointer(p: Address | None, target: Type, where: Where) -> Address | None:
    """A pointer to anything as one to elements of some type, which the memory must hold, or take."""
    if p is None or isinstance(target, Void):
        return p
    block = p[0]
    if block.type is None and block.ended is None:
        block.settle(target)
    elif block.ended is None and block.type != target and target not in cells(element_type(block)):
        raise WrongType(f"{block} is taken for {target}", where)
    return p


def element_type(block: Block) -> Type:
    """The type of the elements of a block."""
    assert block.type is not None
    return block.type


def span(p: Address | None, bytes: int, what: str, where: Where, *, writes: bool) -> range:
    """The cells of so many bytes from a pointer on, all of which must be there."""
    if bytes == 0:
        return range(0)
    if p is None:
        raise unreachable(p, what, where, writes=writes)
    block, k = p
    if block.ended is not None or (writes and not block.writable):
        raise unreachable(p, what, where, writes=writes)
    whole = element_type(block)
    count, rest = divmod(bytes, size(whole))
    if rest or k % len(cells(whole)):
        raise Unsupported(f"{what} of a part of an element of {block}, in {where}")
    there = range(k, k + count * len(cells(whole)))
    if not 0 <= k <= there.stop <= len(block.data):
        raise OutOfBounds(f"{what} of {bytes} bytes from element {element(p)} of {block}", where)
    return there


def repeat_byte(byte: int, t: Type, where: Where) -> Any:
    """What a cell holds whose bytes are all alike."""
    byte &= 255
    if byte == 0:
        return zero(t)
    if not isinstance(t, Integer):
        raise Unsupported(f"bytes {byte} as {t if t != BOOL else 'bool'}, in {where}")
    return int.from_bytes(bytes([byte]) * size(t), "little", signed=t.signed)


def lend(name: str, type: Type, values: Iterable[Any], where: Where, *, writable: bool = False) -> Address:
    """Memory that is lent."""
    return Block(name, type, list(values), where, writable=writable), 0
