"""Residence: what kernels read is copied to the device, and what they store is copied back.

Arrays that the host does not touch between the first and the last kernel that uses them stay on the device meanwhile:

    double *y_vals_device = gn_device_array(y->size, sizeof(double), &status);
    { … gn_launch(…, y_vals_device, …); }
    gn_device_get(y_vals, y_vals_device, y->size, sizeof(double), &status);
    gn_device_free(y_vals_device);

Others are copied before each kernel and after it; those whose length changes in between the device has only meanwhile.
Operands the host may read in between, since nobody stores in them. Of operands that are called with again and again the
device may have copies already, which `gn_device_lend` finds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ...reference.errors import Unsupported
from ..ir import ir, traversal
from ..ir.ir import Assign, Call, Code, Declare, Do, Expr, Function, Launch, Name, Return, Spelled, Stmt, Unary
from .outlining import FAILED, expressions_of, mentions

LENGTHS = {r"array(\[\d+\])$": r"length\1", r"shared(\[\d+\])$": r"shared_length\1", "vals$": "size"}


class Resident(Struct, frozen=True):
    """An array that kernels use: where the host has it, how many elements of a type it has, whether kernels store in
    it, whether it is one of an operand, and whether the host has it in a block inside its function alone. One that is
    `brief` the device has for one kernel at a time."""

    name: str
    host: Expr
    count: Expr
    type: str
    stored: bool
    operand: bool
    inside: bool
    brief: bool = False

    @property
    def device(self) -> Name:
        """The variable that holds where the device has it."""
        return Name(f"{self.name}_device")

    @property
    def is_constant(self) -> bool:
        """Whether nobody stores in it: it is an operand's, which the host may read at any time."""
        return self.operand and not self.stored and isinstance(self.host, Name)

    @property
    def size(self) -> tuple[Expr, Expr]:
        """How many elements there are, and of how many bytes."""
        return self.count, Spelled(f"sizeof({self.type})")

    def lend(self) -> Stmt:
        """Have the device hold what the host has."""
        return Assign(self.device, Call("gn_device_lend", (self.host, *self.size, ir.STATUS_ADDRESS)))

    def make(self) -> Stmt:
        """Have the device hold an array in which nothing is stored."""
        return Assign(self.device, Call("gn_device_array", (*self.size, ir.STATUS_ADDRESS)))

    def put(self) -> Stmt:
        """Copy what the host has."""
        return Do(Call("gn_device_put", (self.device, self.host, *self.size, ir.STATUS_ADDRESS)))

    def get(self) -> Stmt:
        """Copy what the device has."""
        return Do(Call("gn_device_get", (self.host, self.device, *self.size, ir.STATUS_ADDRESS)))

    def free(self) -> Stmt:
        """Let the device forget it, unless it is kept."""
        return Do(Call("gn_device_return", (self.device,)))

    def before_kernel(self) -> Code:
        """Have the device hold what the host has, for one kernel."""
        return (self.make(), self.put()) if self.brief else (self.put(),)

    def after_kernel(self, stored: bool) -> Code:
        """Have the host hold what a kernel has left, if it has stored anything."""
        got = (self.get(),) if stored else ()
        return (*got, self.free(), Assign(self.device, Spelled("NULL"))) if self.brief else got


def reside(f: Function, kernels: Sequence[Function]) -> Function:
    """The function with copies around the kernels that it launches."""
    heads = {k.name: k.parameters for k in kernels}
    arrays = residents(f, heads)
    if not any(launches(f.body)):
        return f
    before: dict[int, list[Stmt]] = {}
    after: dict[int, list[Stmt]] = {}
    around: list[Resident] = []
    made = {name for s in f.body for name in allocations(s)}
    for array in arrays:
        places = [n for n, s in enumerate(f.body) if uses(s, array.name, heads)]
        first, last = places[0], places[-1]
        differs = not array.is_constant and any(touches(s, array.name) for s in f.body[first : last + 1])
        if array.inside or differs:
            brief = not changes(f.body[first : last + 1]).isdisjoint(traversal.names(array.count))
            around.append(replace(array, brief=brief))
            if not brief:
                before.setdefault(first, []).append(array.make())
            continue
        written = any(touches(s, array.name) and allocations(s) != [array.name] for s in f.body[:first])
        there = array.operand or written or not array.stored
        before.setdefault(first, []).append(array.lend() if there else array.make())
        read = array.name not in made or any(touches(s, array.name) for s in f.body[last + 1 :])
        if array.stored and read:
            after.setdefault(last, []).append(array.get())
    body: list[Stmt] = []
    for n, s in enumerate(f.body):
        body += before.get(n, [])
        body += move((s,), around, heads)
        body += after.get(n, [])
    found = Do(Call("gn_device_find", (ir.STATUS_ADDRESS,)))
    start = next(n for n, s in enumerate(body) if not isinstance(s, Declare))
    declared = [Declare(f"{array.type} *", array.device.name, Spelled("NULL")) for array in arrays]
    body[start:start] = [*declared, found]
    body[-1:] = [*(array.free() for array in arrays), body[-1]]
    assert isinstance(body[-1], Return)
    return replace(f, body=tuple(body))


Heads = Mapping[str, tuple[tuple[str, str], ...]]


def residents(f: Function, heads: Heads) -> list[Resident]:
    """The arrays that the kernels of a function use."""
    types = {s.name: s for s in traversal.declarations(f.body)}
    outside = {ir.STATUS.name, *(s.name for s in f.body if isinstance(s, Declare))}
    sizes = dict(lengths(f.body))
    found: dict[str, Resident] = {}
    for launch in launches(f.body):
        for (type, inner), arg in zip(heads[launch.name], launch.args, strict=True):
            if "*" not in type:
                continue
            element = type.removeprefix("const ").partition("*")[0].strip()
            stored = not type.startswith("const ")
            known = found.get(arg.name)
            if known is not None:
                found[arg.name] = replace(known, stored=known.stored or stored)
                continue
            declared = types.get(arg.name)
            single = inner == FAILED or (declared is not None and "*" not in declared.type)
            host: Expr = Unary("&", arg) if single else arg
            if not single and arg.name not in sizes:
                raise Unsupported(
                    f"a kernel for a GPU uses {arg.name}, which the host makes as long as need be",
                    hint="name a dense workspace in precompute, or precompute inside the loop over blocks",
                )
            count: Expr = ir.ONE if single else sizes[arg.name]
            operand = single or (declared is not None and declared.type.startswith("const "))
            found[arg.name] = Resident(arg.name, host, count, element, stored, operand, arg.name not in outside)
    return list(found.values())


def lengths(code: Code) -> Iterator[tuple[str, Expr]]:
    """How many elements arrays have, by name: those of tensors, and those that the host allocates."""
    for s in code:
        match s:
            case Declare(name=name, value=Spelled(template=template)) if "->" in template:
                yield name, Spelled(length_field(template))
            case Assign(target=Name(name=name), value=Call(function="gn_zeros" | "gn_room", args=(count, *_))):
                yield name, count
            case Assign(target=Name(name=name), value=Call(function="gn_resize", args=(_, count, *_))):
                yield name, count
            case ir.If(then=(Declare(name="capacity"), *grown)):
                yield from lengths(with_capacity(grown))
            case _:
                yield from lengths(traversal.inside(s))


def with_capacity(grown: Sequence[Stmt]) -> Code:
    """The statements that make arrays longer, where the capacity kept stands in place of the capacity asked for."""
    asked = Name("capacity", True)
    kept = next(s.target for s in grown if isinstance(s, Assign) and s.value == asked)

    def settle(e: Expr) -> Expr:
        return kept if e == asked else traversal.change_parts(e, settle)

    return tuple(replace(s, value=settle(s.value)) for s in grown if isinstance(s, Assign) and s.target != kept)


def length_field(field: str) -> str:
    """Where a tensor says how many elements one of its arrays has.

    >>> length_field("A->level[1].array[0]"), length_field("A->shared[0]"), length_field("A->vals")
    ('A->level[1].length[0]', 'A->shared_length[0]', 'A->size')
    """
    for array, length in LENGTHS.items():
        field = re.sub(array, length, field)
    return field


def launches(code: Code) -> list[Launch]:
    """The launches in some code."""
    return [s for s in traversal.statements(code) if isinstance(s, Launch)]


def uses(s: Stmt, name: str, heads: Heads) -> bool:
    """Whether a statement launches a kernel that uses an array."""
    return any(
        arg.name == name and "*" in type
        for launch in launches((s,))
        for (type, _), arg in zip(heads[launch.name], launch.args, strict=True)
    )


def touches(s: Stmt, name: str) -> bool:
    """Whether the host reads or stores an array in a statement."""
    if isinstance(s, Launch):
        return False
    if isinstance(s, Declare) and s.name == name:
        return False
    own = replace(s, body=()) if isinstance(s, ir.For | ir.While | ir.Region) else s
    if isinstance(s, ir.If):
        own = replace(s, then=(), orelse=())
    if name == ir.STATUS.name:
        return False
    return name in mentions((own,)) or any(touches(each, name) for each in traversal.inside(s))


def allocations(s: Stmt) -> list[str]:
    """The array that a statement makes in which nothing is stored, if it makes one."""
    match s:
        case Assign(target=Name(name=name), value=Call(function="gn_room")):
            return [name]
        case _:
            return []


def changes(code: Code) -> set[str]:
    """The variables that some code declares or assigns to, or of which it gives away the address."""
    found = set[str]()
    for s in traversal.statements(code):
        match s:
            case Declare(name=name) | Assign(target=Name(name=name)):
                found.add(name)
            case _:
                pass
        for term in (each for e in expressions_of(s) for each in traversal.subterms(e)):
            match term:
                case Unary(operator="&", operand=Name(name=name)):
                    found.add(name)
                case _:
                    pass
    return found


def move(code: Code, around: Sequence[Resident], heads: Heads) -> Code:
    """Code whose kernels use what the device has, with copies around them of what the host touches in between."""
    found: list[Stmt] = []
    for s in code:
        match s:
            case Launch(name=name, args=args):
                types = {arg.name: type for (type, _), arg in zip(heads[name], args, strict=True)}
                own = [a for a in around if a.name in types]
                there = tuple(Name(f"{arg.name}_device") if "*" in types[arg.name] else arg for arg in args)
                found += [each for a in own for each in a.before_kernel()]
                stored = {a.name: not types[a.name].startswith("const ") for a in own}
                found += [replace(s, args=there), *(each for a in own for each in a.after_kernel(stored[a.name]))]
            case _:
                found.append(traversal.change_blocks(s, lambda inner: move(inner, around, heads)))
    return tuple(found)
