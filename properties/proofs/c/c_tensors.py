"""Tensors that a kernel is given: their fields, with what every valid tensor satisfies.

Extents follow from the shape by the coordinate map, lengths and contents from the storage invariants of the levels
(`storage_axioms.py`). Modes with the same index variable have the same extent.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from ....generator.source import Source
from ....generator.storage.layout import SHARED, Layout, array_names, c_type, field_of, parameters
from ....reference.notation.syntax import Access
from ....reference.statement.statement import assignments, reads
from ....reference.storage.coordinate_map import Mode, Quotient, Remainder
from ....reference.storage.format import interleaving
from ..levels.restricted_terms import Notes
from ..levels.storage_axioms import axioms, lengths, segment_bounds, shared_lengths
from ..solver import Term, z3
from .c_execution import Unmodelled
from .c_facts import Knowledge
from .c_memory import Array, Opaque, Unknown, Value


class Tensors(Struct, dict=True):
    """The tensors of a kernel's functions, over some knowledge."""

    know: Knowledge
    source: Source
    known: list[Term] = field(default_factory=list)
    given: dict[str, Term] = field(default_factory=dict)
    held: dict[str, Array] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.classes: dict[object, object] = {}
        for access in self.accesses():
            for m, variable in enumerate(access.indices):
                self.classes[self.leader((access.tensor, m))] = self.leader(variable)

    def leader(self, node: object) -> object:
        """What stands for all modes and variables that have the same extent."""
        while node in self.classes and self.classes[node] != node:
            node = self.classes[node]
        return node

    def shape(self, name: str) -> list[Term]:
        """The extents of a tensor's modes."""
        order = self.source.layouts[name].format.order
        return [z3.Int(f"extent of {self.leader((name, m))}") for m in range(order)]

    def accesses(self) -> Iterator[Access]:
        """Every access of the program, and one of the previous contents of its result, which have its shape."""
        program = self.source.program
        yield from reads(program.statement)
        for leaf in assignments(program.statement):
            yield leaf.target
            if leaf.target.tensor == program.result and program.continues:
                yield replace(leaf.target, tensor=program.previous)

    def extents(self, name: str) -> list[Term]:
        """The extents of a tensor's level coordinates."""
        found: list[Term] = []
        shape = self.shape(name)
        for k, term in enumerate(self.source.layouts[name].format.map.terms):
            match term:
                case Mode(mode=mode):
                    found.append(shape[mode])
                case Quotient(mode=mode, factor=factor):
                    found.append((shape[mode] + (factor - 1)) / factor)
                case Remainder(factor=factor):
                    found.append(z3.IntVal(factor))
                case _:
                    found.append(z3.Int(f"{name}.ranks[{k}]"))
        return found

    def empty_fields(self, name: str, parameter: str) -> dict[str, Value]:
        """The fields of a tensor of which nothing is stored yet."""
        found: dict[str, Value] = {}
        for m, extent in enumerate(self.shape(name)):
            self.know.say(extent >= 0)
            found[f"{parameter}->shape[{m}]"] = extent
        for k, extent in enumerate(self.extents(name)):
            self.know.say(extent >= 0)
            found[f"{parameter}->level[{k}].extent"] = extent
        return found

    def parameter(self, name: str, k: int, each: str) -> Term:
        """A parameter of a level: a constant where the format fixes it."""
        constants = interleaving(self.source.layouts[name].format, k)
        return z3.IntVal(constants[each]) if each in constants else z3.Int(f"{name}.level[{k}].{each}")

    def stored_fields(self, name: str, parameter: str) -> dict[str, Value]:
        """The fields of a tensor that is stored."""
        layout, format = self.source.layouts[name], self.source.layouts[name].format
        found = self.empty_fields(name, parameter)
        extents, contents = self.extents(name), self.contents(name, layout)
        size: Term = z3.IntVal(1)
        for k, level in enumerate(format.levels):
            fields: dict[str, Any] = {"N": extents[k], "M": extents[k + 1] if k + 1 < len(extents) else z3.IntVal(0)}
            for n, each in enumerate(parameters(format, k)):
                own = self.parameter(name, k, each)
                fields[each] = found[f"{parameter}->level[{k}].parameter[{n}]"] = own
            held = {a: contents[j, a] for j, a in array_names(format) if j == k or (j == SHARED and a in level.roles())}
            fields |= {a: unknown.at for a, unknown in held.items()}
            fields = {each: fields[each] for each in level.roles()}
            below = z3.Int(f"{name}.size[{k}]")
            notes = Notes()
            self.assume([*axioms(level, fields, size, below, notes)], list(held.values()))
            self.assume([*segment_bounds(level, fields, size, below, notes)], list(held.values()))
            known = lengths(level, fields, size, below, notes)
            known |= shared_lengths(level, fields, tuple(extents[:k]), notes)
            if notes.unrolled:
                raise Unmodelled(f"{level.name} levels, whose invariants come from loops ({notes.unrolled[0]})")
            for j, a in array_names(format):
                if j in (k, SHARED) and a in known:
                    length = self.know.products.flat(z3.simplify(number(known[a])))
                    found[field_of(parameter, format, j, a)] = Array(length, contents[j, a], layout.types[j, a])
                    found[field_of(parameter, format, j, a, length=True)] = length
            size = below
        kind = c_type(layout.dtype).replace("complex", "_Complex").replace("bool", "_Bool")
        found[f"{parameter}->vals"] = Array(size, Opaque(), kind)
        found[f"{parameter}->size"] = size
        for m, extent in enumerate(self.shape(name)):
            self.given[f"{name}.shape[{m}]"] = extent
        for key, value in found.items():
            if isinstance(value, Array):
                self.held[key.replace(parameter, name).replace("->", ".")] = value
        return found

    def within(self, limit: int) -> None:
        """Say that everything is small, and all that valid tensors satisfy, for every index that they then have."""
        for extent in [*self.given.values(), *[array.length for array in self.held.values()]]:
            self.know.say(extent <= limit)
        for axiom in self.known:
            if z3.is_quantifier(axiom):
                for values in product(range(limit + 1), repeat=axiom.num_vars()):
                    chosen = dict(enumerate(map(z3.IntVal, values)))
                    self.know.say(self.know.products.flat(instantiate(axiom, chosen)))

    def contents(self, name: str, layout: Layout) -> dict[tuple[int, str], Unknown]:
        """The contents of a tensor's index arrays."""
        whole = z3.IntSort()
        return {
            (k, a): Unknown(z3.Function(f"{name}.level[{k}].{a}" if k != SHARED else f"{name}.{a}", whole, whole))
            for k, a in array_names(layout.format)
        }

    def assume(self, found: list[Term], held: list[Unknown]) -> None:
        """Say what has no variables; what has is a fact about the elements of an array."""
        self.known += found
        for axiom in found:
            flat = z3.simplify(axiom) if not z3.is_quantifier(axiom) else axiom
            if not z3.is_quantifier(axiom):
                self.know.say(self.know.products.flat(flat))
                continue
            for unknown in held:
                places = element_occurrences(axiom, unknown.at)
                if axiom.num_vars() == 1:
                    for place in places:
                        unknown.facts.append((z3.BoolVal(True), self.instance(axiom, place)))
                elif axiom.num_vars() == 2 and len(places) == 2:
                    unknown.pairs += [self.both(axiom, *places), self.both(axiom, *places[::-1])]

    def instance(self, axiom: Term, place: tuple[int, int, int]) -> Any:
        """What an axiom says where the element at an index occurs in it."""
        _, factor, offset = place
        return lambda k: self.know.products.flat(instantiate(axiom, {place[0]: over(k, factor, offset)}))

    def both(self, axiom: Term, first: tuple[int, int, int], second: tuple[int, int, int]) -> Any:
        """What an axiom says of two elements."""

        def fact(k: Term, n: Term) -> Term:
            values = {first[0]: over(k, *first[1:]), second[0]: over(n, *second[1:])}
            if len(values) < 2:
                return z3.BoolVal(True)
            return self.know.products.flat(instantiate(axiom, values))

        return fact


def number(value: Any) -> Term:
    """A term, also for a number of Python."""
    return z3.IntVal(value) if isinstance(value, int) else value


def over(k: Term, factor: int, offset: int) -> Term:
    """What `factor * x + offset` is `k` for."""
    moved = k - offset if offset else k
    return moved if factor == 1 else moved / factor


def instantiate(axiom: Term, values: dict[int, Term]) -> Term:
    """The body of an axiom for some values of its variables, the last of which has number 0."""
    many = axiom.num_vars()
    return z3.simplify(z3.substitute_vars(axiom.body(), *[values[n] for n in range(many)]))


def element_occurrences(axiom: Term, array: Any) -> list[tuple[int, int, int]]:
    """Where elements of an array occur: the variable, its factor and what is added to it in the index."""
    found: list[tuple[int, int, int]] = []
    open_ = [axiom.body()]
    while open_:
        t = open_.pop()
        if z3.is_app(t) and t.decl().eq(array):
            place = linear(t.arg(0))
            if place is not None and place not in found:
                found.append(place)
        open_ += [] if z3.is_quantifier(t) else t.children()
    return found


def linear(index: Term) -> tuple[int, int, int] | None:
    """The variable, factor and offset of an index `factor * x + offset`."""
    x = [z3.Int(f"bound {n}") for n in range(4)]
    whole = z3.simplify(z3.substitute_vars(index, *x), som=True)
    parts = whole.children() if z3.is_app_of(whole, z3.Z3_OP_ADD) else [whole]
    place: tuple[int, int] | None = None
    offset = 0
    for part in parts:
        if z3.is_int_value(part):
            offset += part.as_long()
            continue
        factor, unknown = (1, part)
        if z3.is_app_of(part, z3.Z3_OP_MUL) and part.num_args() == 2 and z3.is_int_value(part.arg(0)):
            factor, unknown = part.arg(0).as_long(), part.arg(1)
        number = next((n for n, each in enumerate(x) if each.eq(unknown)), None)
        if number is None or place is not None or factor < 1:
            return None
        place = (number, factor)
    return None if place is None else (*place, offset)
