"""Widening: moving a level that has filled up, and all levels below it, into larger arrays.

The function that does it allocates arrays for the wider parameters, walks the old levels with their access functions,
and inserts what it finds into the new ones; what stands above the level keeps its positions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..reference.levels.level import Append, CoordinatePositionIteration, Insert, Widen
from . import ir
from .ir import INT, Element, Expr, Name, Spelled
from .layout import SHARED, c_type
from .level_functions import Bound, admitted
from .simplify import simplified, uses
from .writer import Writer

if TYPE_CHECKING:
    from .outputs import Output


def widening(output: Output, k: int, out: Writer) -> Expr:
    """A call that widens level `k` of an output, whose function is written at the first call."""
    moved = Moved(output, k, Writer(functions=out.functions))
    parameters, arguments = moved.signature(out)
    body = simplified(moved.body())
    used = uses(body)
    kept = [n for n, (_, name) in enumerate(parameters) if name in used]
    name = admitted(out.functions, f"{output.name}{k + 1}_widen", "int", tuple(parameters[n] for n in kept), body)
    return ir.Call(name, tuple(arguments[n] for n in kept))


class Moved:
    """The text of one widening function. Old storage is reached through pointers, new storage is in local variables."""

    def __init__(self, output: Output, k: int, out: Writer) -> None:
        self.output, self.k, self.out = output, k, out
        self.below = range(k, len(output.levels))
        self.arrays = {key: name for key, name in output.arrays.items() if key[0] >= k}
        self.counts = {n: name for n, name in output.counts.items() if n >= k}
        self.settings = {key: e for key, e in output.parameter.items() if key[0] == k and isinstance(e, Name)}

    def kinds(self) -> list[tuple[str, Name]]:
        """Type and name of everything that moves: arrays, counts, values, presence."""
        found = [(self.output.layout.types[key], name) for key, name in self.arrays.items()]
        found += [(INT, name) for name in self.counts.values()]
        found.append((c_type(self.output.layout.dtype), self.output.vals))
        if self.output.present is not None:
            found.append(("bool", self.output.present))
        return found

    def signature(self, out: Writer) -> tuple[tuple[tuple[str, str], ...], tuple[Expr, ...]]:
        """Parameters and arguments: what moves by reference, then how much there is of it, then what is constant."""
        output = self.output
        moving = self.kinds()
        parameters = [(f"{kind} **", f"old_{name.name}") for kind, name in moving]
        arguments: list[Expr] = [ir.Unary("&", name) for _, name in moving]
        for name in self.settings.values():
            parameters.append((f"{INT} *", f"old_{name}" if isinstance(name, str) else f"old_{name.name}"))  # type: ignore[union-attr]
            arguments.append(ir.Unary("&", name))
        group = output.group(self.k)
        held = output.parents(self.k, out)
        room = output.parents(self.k, out, output.capacities[group]) if group in output.capacities else held
        constants = {"parents": held, "room": room}
        for n in self.below:
            for name in ("N", "M"):
                constants[f"{name}{n + 1}"] = output.bounds[n].fields[name]
            for name, role in output.levels[n].roles().items():
                if role == "parameter" and n > self.k:
                    constants[f"{name}{n + 1}"] = output.bounds[n].fields[name]
        used = {name: e for name, e in constants.items() if not isinstance(e, ir.Int)}
        self.constants = constants
        return (
            tuple(parameters) + tuple((INT, name) for name in used),
            tuple(arguments) + tuple(used.values()),
        )

    def constant(self, name: str) -> Expr:
        """A quantity that widening leaves as it is."""
        value = self.constants[name]
        return value if isinstance(value, ir.Int) else Name(name, True)

    def bound(self, n: int, prefix: str, changed: dict[str, Expr]) -> Bound:
        """Level `n` over old or new storage."""
        fields: dict[str, Expr] = {name: self.constant(f"{name}{n + 1}") for name in ("N", "M")}
        for name, role in self.output.levels[n].roles().items():
            key = (n, name) if (n, name) in self.output.arrays else (SHARED, name)
            if role in ("array", "shared"):
                fields[name] = Name(f"{prefix}{self.output.arrays[key].name}")
            elif role == "parameter":
                kept = self.output.parameter[n, name]
                fields[name] = (
                    changed.get(name, kept)
                    if n == self.k
                    else (kept if isinstance(kept, ir.Int) else self.constant(f"{name}{n + 1}"))
                )
        return replace(self.output.bounds[n], fields=fields)

    def body(self) -> ir.Code:
        """The statements of the function."""
        out, output, k = self.out, self.output, self.k
        out.taken |= {"parents", "room"} | {f"old_{name.name}" for _, name in self.kinds()}
        out.add(ir.Declare("int", "status", Spelled("GN_OK")))
        before: dict[str, Expr] = {}
        for (_, name), held in self.settings.items():
            assert isinstance(held, Name)
            before[name] = out.declare(
                f"const {INT}", f"was_{name}", ir.Unary("*", Name(f"old_{held.name}")), natural=True
            )
        for kind, name in self.kinds():
            out.add(ir.Declare(f"{kind} *", f"was_{name.name}", ir.Unary("*", Name(f"old_{name.name}"))))
        old = [self.bound(n, "was_", before) for n in self.below]
        assert isinstance(output.levels[k], Widen)
        wider = old[0].named("wider", (), out)
        after: dict[str, Expr] = {
            name: out.declare(f"const {INT}", f"new_{name}", e, natural=True) for name, e in wider.items()
        }
        new = [self.bound(n, "new_", before | after) for n in self.below]
        self.allocate(new)
        self.initialise(new)
        p = out.inner()
        counter = p.fresh("p")
        self.walk(0, old, new, (), Name(counter, True), Name(counter, True), p)
        out.add(ir.For(counter, ir.ZERO, self.constant("parents"), p.code))
        for _, name in self.kinds():
            out.add(ir.Do(ir.Call("free", (Name(f"was_{name.name}"),))))
            out.add(ir.Assign(ir.Unary("*", Name(f"old_{name.name}")), Name(f"new_{name.name}")))
        for (_, name), held in self.settings.items():
            if name in after:
                assert isinstance(held, Name)
                out.add(ir.Assign(ir.Unary("*", Name(f"old_{held.name}")), after[name]))
        out.add(ir.Return(Spelled("GN_OK")))
        return out.code

    def allocate(self, new: list[Bound]) -> None:
        """Allocate the new arrays; on failure leave the old ones as they are."""
        out, output = self.out, self.output
        parents, lengths = self.constant("room"), {}
        for n, bound in zip(self.below, new, strict=True):
            if n in self.counts:
                lengths[self.counts[n].name] = parents
            size = bound.one("size", (parents,), out)
            for name, length in bound.named("lengths", (parents, size), out).items():
                key = (n, name) if (n, name) in output.arrays else (SHARED, name)
                lengths[output.arrays[key].name] = length
            parents = size
        lengths[output.vals.name] = parents
        if output.present is not None:
            lengths[output.present.name] = parents
        for kind, name in self.kinds():
            call = ir.Call("gn_zeros", (lengths[name.name], Spelled(f"sizeof({kind})"), Spelled("&status")))
            out.add(ir.Declare(f"{kind} *", f"new_{name.name}", call))
        freed = tuple(ir.Do(ir.Call("free", (Name(f"new_{name.name}"),))) for _, name in self.kinds())
        out.add(ir.If(Spelled("status != GN_OK"), (*freed, ir.Return(Name("status")))))

    def initialise(self, new: list[Bound]) -> None:
        """Prepare the new levels, and the values of positions that nothing moves to."""
        out, output = self.out, self.output
        size = self.constant("parents")
        for bound in new:
            parents, size = size, bound.one("size", (size,), out)
            output.initialise_level(bound, ir.ZERO, parents, size, out)
        if output.needs_fill:
            counter = out.inner().fresh("p")
            vals = Name(f"new_{output.vals.name}")
            out.add(ir.For(counter, ir.ZERO, size, (ir.Assign(Element(vals, Name(counter, True)), output.initial),)))

    def walk(
        self, d: int, old: list[Bound], new: list[Bound], path: tuple[Expr, ...], p: Expr, q: Expr, out: Writer
    ) -> None:
        """Move the children of old position `p` below new position `q`."""
        if d == len(old):
            for name in (self.output.vals, self.output.present):
                if name is not None:
                    moved = Element(Name(f"was_{name.name}"), p)
                    out.add(ir.Assign(Element(Name(f"new_{name.name}"), q), moved))
            return
        by_position = isinstance(old[d].level, CoordinatePositionIteration)
        bounds = ("pos_bounds", (p,)) if by_position else ("coord_bounds", (path,))
        begin, end = old[d].call(bounds[0], bounds[1], out)
        inner = out.inner()
        counter = Name(inner.fresh("s" if by_position else "c"), True)
        if by_position:
            at: Expr = counter
            c, found = old[d].call("pos_access", (counter, path), inner)
        else:
            c = counter
            at, found = old[d].call("coord_access", (p, (*path, counter)), inner)
        deeper = inner.inner()
        c = deeper.held("i", c)
        self.move(d, old, new, (*path, c), at, q, deeper)
        inner.add(*ir.conditional(found, deeper.code))
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
        into = out.held("q", into)
        if found != ir.TRUE:
            if self.k + d in self.counts:
                count = Element(Name(f"new_{self.counts[self.k + d].name}"), q)
                out.add(ir.Assign(count, ir.ONE, "+="))
            bound.call("insert_coord", (into, path[-1]), out)
        self.walk(d + 1, old, new, path, p, into, out)
