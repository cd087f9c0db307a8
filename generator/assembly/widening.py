"""Widening: moving a level that has filled up, and all levels below it, into larger arrays.

The function that does it allocates arrays for the wider parameters, walks the old levels with their access functions,
and inserts what it finds into the new ones; what stands above the level keeps its positions.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from ...reference.levels.level import Append, CoordinatePositionIteration, Insert
from ..ir import ir, logic
from ..ir.extremes import smaller
from ..ir.ir import INT, Element, Expr, Name, Spelled
from ..ir.routine import Routine
from ..ir.simplify import simplify, uses
from ..ir.vocabulary import in_c_letters, widening_name
from ..ir.writer import Writer
from ..storage.layout import SHARED, c_type
from ..storage.level_functions import Bound, register_function
from .initial import initialise_level
from .variables import Variables

Parameter = tuple[str, str]
Widenings = dict[Hashable, tuple[str, list[int]]]


def widen_level(held: Variables, k: int, known: Widenings, routine: Routine, out: Writer) -> None:
    """Widen level `k` of a tensor by a function that is written at its first call of its kind, or leave the routine.
    What its status has reported before stays."""
    limit_room(held, k, out)
    moved = WideningFunction(held, k, Writer(functions=out.functions))
    parameters, arguments = moved.signature(out)
    kind = (k, tuple(parameters), moved.known_constants())
    if kind not in known:
        known[kind] = moved.function(parameters)
    name, kept = known[kind]
    widened = out.declare("const int", "widened", ir.Call(name, tuple(arguments[n] for n in kept)))
    routine.fail(out, logic.compare("!=", widened, ir.OK), widened.name)


def limit_room(held: Variables, k: int, out: Writer) -> None:
    """Keep room for as many parents of a level as there are, and as many again: what has been made for more, since the
    operands have more components, is too much once each is wider."""
    group = held.form.group(k - 1)
    capacity = held.capacities.get(group)
    if capacity is not None:
        out.add(ir.Assign(capacity, smaller(capacity, ir.mul(ir.Int(2), held.total(group)))))


class WideningFunction(Struct, dict=True):
    """The text of one widening function. Old storage is reached through pointers, new storage is in local variables."""

    tensor: Variables
    k: int
    out: Writer
    constants: dict[str, Expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        tensor, k = self.tensor, self.k
        self.below = range(k, len(tensor.form.levels))
        self.arrays = {key: held for key, held in tensor.arrays.items() if key[0] >= k}
        self.counts = {n: held for n, held in tensor.counts.items() if n >= k}
        own = {name: e for (n, name), e in tensor.settings.items() if n == k}
        self.settings = {name: e for name, e in own.items() if isinstance(e, Name)}

    def moving_quantities(self) -> list[tuple[str, Name]]:
        """Type and name of everything that moves: arrays, counts, values, presence."""
        found = [(self.tensor.form.layout.types[key], held) for key, held in self.arrays.items()]
        found += [(INT, held) for held in self.counts.values()]
        return found + self.contents()

    def contents(self) -> list[tuple[str, Name]]:
        """Type and name of what belongs to the positions of the last level: values and presence."""
        tensor = self.tensor
        found = [] if tensor.form.bare else [(c_type(tensor.form.layout.dtype), tensor.vals)]
        return found if tensor.present is None else [*found, ("bool", tensor.present)]

    def signature(self, out: Writer) -> tuple[list[Parameter], list[Expr]]:
        """Parameters and arguments: what moves by reference, then how much there is of it, then what is constant."""
        tensor, moving = self.tensor, self.moving_quantities()
        parameters = [(f"{kind} **", f"old_{held.name}") for kind, held in moving]
        arguments: list[Expr] = [ir.Unary("&", held) for _, held in moving]
        for setting in self.settings.values():
            parameters.append((f"{INT} *", f"old_{setting.name}"))
            arguments.append(ir.Unary("&", setting))
        held_parents = tensor.parents(self.k, out)
        capacity = tensor.capacities.get(tensor.form.group(self.k - 1))
        room = held_parents if capacity is None else tensor.parents(self.k, out, capacity)
        self.constants = {"parents": held_parents, "room": room}
        for n in self.below:
            roles = tensor.form.levels[n].roles().items()
            names = ["N", "M", *(name for name, role in roles if role == "parameter" and n > self.k)]
            self.constants |= {f"{name}{n + 1}": tensor.bounds[n].fields[name] for name in names}
        varying = {name: e for name, e in self.constants.items() if not isinstance(e, ir.Int)}
        return parameters + [(INT, name) for name in varying], arguments + list(varying.values())

    def known_constants(self) -> tuple[tuple[str, Expr], ...]:
        """The quantities that widening leaves as they are and that are numbers, by name."""
        return tuple((name, e) for name, e in self.constants.items() if isinstance(e, ir.Int))

    def function(self, parameters: Sequence[Parameter]) -> tuple[str, list[int]]:
        """The name of the function, and which of the parameters it has."""
        body = simplify(self.body())
        used = uses(body)
        kept = [n for n, (_, name) in enumerate(parameters) if name in used]
        stem = widening_name(in_c_letters(self.tensor.form.name), str(self.k + 1))
        return register_function(self.out.functions, stem, "int", tuple(parameters[n] for n in kept), body), kept

    def constant(self, name: str) -> Expr:
        """A quantity that widening leaves as it is."""
        value = self.constants[name]
        return value if isinstance(value, ir.Int) else Name(name, True)

    def bind_level(self, n: int, prefix: str, changed: dict[str, Expr]) -> Bound:
        """Level `n` over the variables with a prefix, in old or new storage; `changed`: parameters of the widened
        level."""
        fields: dict[str, Expr] = {name: self.constant(f"{name}{n + 1}") for name in ("N", "M")}
        for name, role in self.tensor.form.levels[n].roles().items():
            key = (n, name) if (n, name) in self.tensor.arrays else (SHARED, name)
            if role in ("array", "shared"):
                fields[name] = Name(f"{prefix}{self.tensor.arrays[key].name}")
            elif role == "parameter":
                kept = self.tensor.settings[n, name]
                fields[name] = changed.get(name, kept) if n == self.k else self.constant(f"{name}{n + 1}")
        return replace(self.tensor.bounds[n], fields=fields)

    def body(self) -> ir.Code:
        """The statements of the function."""
        out, moving = self.out, self.moving_quantities()
        out.taken |= {"status", *self.constants} | {f"old_{held.name}" for _, held in moving}
        out.add(ir.Declare("int", "status", ir.OK))
        before: dict[str, Expr] = {
            name: out.declare(f"const {INT}", f"was_{name}", ir.Unary("*", Name(f"old_{held.name}")), natural=True)
            for name, held in self.settings.items()
        }
        for kind, held in moving:
            out.add(ir.Declare(f"{kind} *", f"was_{held.name}", ir.Unary("*", Name(f"old_{held.name}"))))
        old = [self.bind_level(n, "was_", before) for n in self.below]
        after: dict[str, Expr] = {
            name: out.declare(f"const {INT}", f"new_{name}", e, natural=True)
            for name, e in old[0].call_by_name("wider", (), out).items()
        }
        new = [self.bind_level(n, "new_", before | after) for n in self.below]
        self.allocate(new)
        self.initialise(new)
        self.over_parents(old, new)
        for _, held in moving:
            out.add(ir.Do(ir.Call("free", (Name(f"was_{held.name}"),))))
            out.add(ir.Assign(ir.Unary("*", Name(f"old_{held.name}")), Name(f"new_{held.name}")))
        for name, e in after.items():
            out.add(ir.Assign(ir.Unary("*", Name(f"old_{self.settings[name].name}")), e))
        out.add(ir.Return(ir.OK))
        return out.code

    def allocate(self, new: list[Bound]) -> None:
        """Allocate the new arrays; on failure leave the old ones as they are."""
        out, tensor = self.out, self.tensor
        parents = self.constant("room")
        lengths: dict[str, Expr] = {}
        for n, bound in zip(self.below, new, strict=True):
            if n in self.counts:
                lengths[self.counts[n].name] = parents
            size = bound.one("size", (parents,), out)
            for name, length in bound.call_by_name("lengths", (parents, size), out).items():
                key = (n, name) if (n, name) in tensor.arrays else (SHARED, name)
                lengths[tensor.arrays[key].name] = length
            parents = size
        lengths |= {held.name: parents for _, held in self.contents()}
        for kind, held in self.moving_quantities():
            call = ir.Call("gn_zeros", (lengths[held.name], Spelled(f"sizeof({kind})"), ir.STATUS_ADDRESS))
            out.add(ir.Declare(f"{kind} *", f"new_{held.name}", call))
        freed = tuple(ir.Do(ir.Call("free", (Name(f"new_{held.name}"),))) for _, held in self.moving_quantities())
        out.add(ir.If(ir.FAILED, (*freed, ir.Return(ir.STATUS))))

    def initialise(self, new: list[Bound]) -> None:
        """Prepare the new levels, and the values of positions that nothing moves to."""
        out, tensor = self.out, self.tensor
        size = self.constant("parents")
        for bound in new:
            size = bound.one("size", (size,), out)
            initialise_level(bound, ir.ZERO, size, out)
        if tensor.needs_fill and not tensor.form.bare:
            counter = Name(out.inner().fresh("p"), True)
            cell = Element(Name(f"new_{tensor.vals.name}"), counter)
            out.add(ir.For(counter.name, ir.ZERO, size, (ir.Assign(cell, tensor.form.initial),)))

    def over_parents(self, old: list[Bound], new: list[Bound]) -> None:
        """Move the children of every parent."""
        parents = self.constant("parents")
        if parents == ir.ONE:
            self.walk(0, old, new, (), ir.ZERO, ir.ZERO, self.out)
            return
        inner = self.out.inner()
        counter = Name(inner.fresh("p"), True)
        self.walk(0, old, new, (), counter, counter, inner)
        self.out.add(ir.For(counter.name, ir.ZERO, parents, inner.code))

    def walk(
        self, d: int, old: list[Bound], new: list[Bound], path: tuple[Expr, ...], p: Expr, q: Expr, out: Writer
    ) -> None:
        """Move the children of old position `p` below new position `q`."""
        if d == len(old):
            for _, held in self.contents():
                out.add(ir.Assign(Element(Name(f"new_{held.name}"), q), Element(Name(f"was_{held.name}"), p)))
            return
        inner = out.inner()
        if isinstance(old[d].level, CoordinatePositionIteration):
            begin, end = old[d].call("pos_bounds", (p,), out)
            at = counter = Name(inner.fresh("s"), True)
            c, found = old[d].call("pos_access", (counter, path), inner)
        else:
            begin, end = old[d].call("coord_bounds", (path,), out)
            c = counter = Name(inner.fresh("c"), True)
            at, found = old[d].call("coord_access", (p, (*path, counter)), inner)  # type: ignore[assignment]
        deeper = inner.inner()
        self.move(d, old, new, (*path, deeper.hold("i", c)), at, q, deeper)
        inner.add(*logic.conditional(found, deeper.code))
        out.add(ir.For(counter.name, begin, end, inner.code))

    def move(
        self, d: int, old: list[Bound], new: list[Bound], path: tuple[Expr, ...], p: Expr, q: Expr, out: Writer
    ) -> None:
        """Insert one coordinate into the new level, and move what is below it."""
        bound = new[d]
        if isinstance(bound.level, Append):
            bound.call("append_coord", (q, path[-1]), out)
            self.walk(d + 1, old, new, path, p, q, out)
            return
        assert isinstance(bound.level, Insert)
        into, found = bound.call("locate", (q, path), out, ("q", "present"))
        into = out.hold("q", into)
        if found != ir.TRUE:
            if self.k + d in self.counts:
                count = Element(Name(f"new_{self.counts[self.k + d].name}"), q)
                out.add(ir.Assign(count, ir.ONE, "+="))
            bound.call("insert_coord", (into, path[-1]), out)
        self.walk(d + 1, old, new, path, p, into, out)
