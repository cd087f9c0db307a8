"""Places: what can be assigned to. A variable in its slot, or cells of memory at an address (C11, 6.3.2.1, 6.5.2)."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

import msgspec

from ...reference.errors import Unsupported
from .fault import NullPointer, OutOfBounds, Uninitialised, Where
from .frame import STATE, Code, Frame, Value, Variable
from .memory import UNSET, Address, read, unreachable, unreadable, write
from .scope import Scope
from .source import c_ast
from .types import Array, Boolean, Integer, Pointer, Struct, Type, Void, cells, member

Compile = Callable[[Any], Value]
Store = Callable[[Frame, Any], None]


class Slot(msgspec.Struct, frozen=True):
    """A variable in a slot of the frame."""

    variable: Variable

    @property
    def type(self) -> Type:
        """Its type."""
        return self.variable.type


class Cells(msgspec.Struct, frozen=True):
    """Memory at an address."""

    type: Type
    address: Code


Place = Slot | Cells


class Places:
    """Compiles what stands on the left, and loads and stores through it."""

    def __init__(self, scope: Scope, value: Compile) -> None:
        self.scope, self.value = scope, value

    def place(self, node: Any) -> Place:
        """What a tree names. Raises Unsupported if it names no object."""
        where = self.scope.where(node)
        match node:
            case c_ast.ID(name=name):
                found = self.scope.find(name)
                if found is None:
                    raise Unsupported(f"the name {name}, in {where}")
                return Cells(found.type, address_of(found, where)) if found.resident else Slot(found)
            case c_ast.ArrayRef(name=base, subscript=index):
                return self.element(base, index, where)
            case c_ast.StructRef(name=base, type=sign, field=c_ast.ID(name=name)):
                return self.member(base, sign, name, where)
            case c_ast.UnaryOp(op="*", expr=inner):
                held = self.value(inner)
                return Cells(target(held.type, where), held.run)
            case _:
                raise Unsupported(f"{type(node).__name__} as a place, in {where}")

    def element(self, base: Any, index: Any, where: Where) -> Cells:
        """`base[index]`"""
        number = self.value(index)
        if not isinstance(number.type, Integer | Boolean):
            raise Unsupported(f"an index of type {number.type}, in {where}")
        held = self.array(base)
        if held is None:
            pointer = self.value(base)
            inner = target(pointer.type, where)
            return Cells(inner, step_pointer(pointer.run, number.run, len(cells(inner)), None, where))
        assert isinstance(held.type, Array)
        inner, count = held.type.element, held.type.count
        return Cells(inner, step_pointer(held.address, number.run, len(cells(inner)), count, where))

    def array(self, base: Any) -> Cells | None:
        """An array that is a variable or a member, whose own bounds hold; None for pointers."""
        if not isinstance(base, c_ast.ID | c_ast.StructRef):
            return None
        found = self.place(base)
        return found if isinstance(found, Cells) and isinstance(found.type, Array) else None

    def member(self, base: Any, sign: str, name: str, where: Where) -> Cells:
        """`base.name` or `base->name`"""
        if sign == "->":
            held = self.value(base)
            whole, address = target(held.type, where), held.run
        else:
            found = self.place(base)
            if isinstance(found, Slot):
                raise Unsupported(f"a member of {found.variable.name}, which is no memory, in {where}")
            whole, address = found.type, found.address
        if not isinstance(whole, Struct):
            raise Unsupported(f"a member of {whole}, in {where}")
        offset, inner = member(whole, name)
        return Cells(inner, beyond(address, offset, where))

    def load(self, node: Any) -> Value:
        """What a place holds; arrays become pointers to their first element."""
        where = self.scope.where(node)
        if isinstance(node, c_ast.ArrayRef) and not self.scope.watched:
            fast = self.direct(node, where)
            if fast is not None:
                return fast
        found = self.place(node)
        match found:
            case Slot(variable=variable):
                return Value(
                    variable.type, itemgetter(variable.slot) if variable.certain else checked_value(variable, where)
                )
            case Cells(type=Array(element=inner), address=address):
                return Value(Pointer(inner), address)
            case Cells(type=Struct() as whole, address=address):
                return Value(whole, self.copy(address, len(cells(whole)), where))
            case Cells(type=kind, address=address):
                return Value(kind, self.read_cell(address, where))

    def direct(self, node: Any, where: Where) -> Value | None:
        """An element read through a pointer, in one closure."""
        if self.array(node.name) is not None:
            return None
        pointer, number = self.value(node.name), self.value(node.subscript)
        inner = target(pointer.type, where)
        if isinstance(inner, Array | Struct):
            return None
        base, index = pointer.run, number.run

        def load(f: Frame) -> Any:
            p = base(f)
            if p is None:
                raise NullPointer("a read through a null pointer", where)
            k = p[1] + index(f)
            if k >= 0:
                try:
                    value = p[0].data[k]
                except IndexError:
                    pass
                else:
                    if value is not UNSET:
                        return value
            raise unreadable((p[0], k), where)

        return Value(inner, load)

    def read_cell(self, address: Code, where: Where) -> Code:
        """Code that reads a cell."""
        if not self.scope.watched:
            return lambda f: read(address(f), where)

        def read_watched(f: Frame) -> Any:
            p = address(f)
            f[STATE].note(p, where, writes=False)
            return read(p, where)

        return read_watched

    def copy(self, address: Code, count: int, where: Where) -> Code:
        """Code that copies the cells of a struct, of which some may be unset."""
        watched = self.scope.watched

        def copy_cells(f: Frame) -> list[Any]:
            p = address(f)
            if p is None or not 0 <= p[1] <= p[1] + count <= len(p[0].data):
                raise unreachable(p, "a read of a struct", where)
            for k in range(count if watched else 0):
                f[STATE].note((p[0], p[1] + k), where, writes=False)
            return list(p[0].data[p[1] : p[1] + count])

        return copy_cells

    def store_place(self, place: Place, where: Where) -> Store:
        """Code that stores a value in a place."""
        match place:
            case Slot(variable=variable):
                slot = variable.slot

                def keep(f: Frame, value: Any) -> None:
                    f[slot] = value

                return keep
            case Cells(type=Struct() as whole, address=address):
                return self.store_struct(address, len(cells(whole)), where)
            case Cells(address=address):
                return self.store_cell(address, where)

    def store_cell(self, address: Code, where: Where) -> Store:
        """Code that writes a cell."""
        if self.scope.watched:

            def write_watched(f: Frame, value: Any) -> None:
                p = address(f)
                f[STATE].note(p, where, writes=True)
                write(p, value, where)

            return write_watched
        return lambda f, value: write(address(f), value, where)

    def store_struct(self, address: Code, count: int, where: Where) -> Store:
        """Code that writes the cells of a struct."""
        watched = self.scope.watched

        def spread(f: Frame, values: Any) -> None:
            p: Address | None = address(f)
            for k in range(count):
                there = None if p is None else (p[0], p[1] + k)
                if watched:
                    f[STATE].note(there, where, writes=True)
                write(there, values[k], where)

        return spread


def target(type: Type, where: Where) -> Type:
    """What a pointer points to."""
    if not isinstance(type, Pointer) or isinstance(type.target, Void):
        raise Unsupported(f"{type} as a pointer to something, in {where}")
    return type.target


def address_of(variable: Variable, where: Where) -> Code:
    """The address of a variable in memory."""
    slot, name = variable.slot, variable.name

    def address(f: Frame) -> Address:
        block = f[slot]
        if block is UNSET:
            raise Uninitialised(f"{name}, whose declaration has been jumped over", where)
        return block, 0

    return address


def checked_value(variable: Variable, where: Where) -> Code:
    """The value of a variable, which must have one."""
    slot, name = variable.slot, variable.name

    def load(f: Frame) -> Any:
        value = f[slot]
        if value is UNSET:
            raise Uninitialised(f"the variable {name}, which nothing has been stored in", where)
        return value

    return load


def step_pointer(base: Code, index: Code, stride: int, count: int | None, where: Where) -> Code:
    """The address of an element: within its array if that has a `count` of its own."""

    def address(f: Frame) -> Address:
        p, n = base(f), index(f)
        if p is None:
            raise NullPointer(f"element {n} of a null pointer", where)
        if count is not None and not 0 <= n < count:
            raise OutOfBounds(f"element {n} of {count} in {p[0]}", where)
        return p[0], p[1] + n * stride

    return address


def beyond(address: Code, offset: int, where: Where) -> Code:
    """The address of a member."""

    def there(f: Frame) -> Address:
        p = address(f)
        if p is None:
            raise NullPointer("a member of what a null pointer points to", where)
        return p[0], p[1] + offset

    return there
