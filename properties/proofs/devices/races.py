"""Races: two threads of a kernel for GPUs come to no one place of an array at a time, unless nobody stores there or all
do so by atomic operations.

Every two accesses are compared (`touches`): those of threads of two blocks, and those of two threads of one block that
no barrier keeps apart (`intervals`). Operands satisfy what their levels guarantee: segments come one after another, and
one segment holds no coordinate twice (`levels`). What a scan leaves of counts grows from one to the next
(`collectives`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from msgspec import Struct

from ....generator.ir import ir
from ....reference.levels.level import Level
from ....reference.storage.format import Format
from ..c.c_products import Products
from ..solver import Term, decide, z3
from ..verdict import Proved, Unknown, Verdict
from .intervals import meeting
from .launches import statements
from .lists import Lists, lists_of
from .touches import WHOLE, Thread, Touch, counters_after


def races(kernel: ir.Function, grid: Grid, formats: Mapping[str, Format]) -> Iterator[Verdict]:
    """A verdict for every two accesses of a kernel by which two threads of a grid might race: that they do not."""
    laws: list[Term] = []
    products = Products(lambda law, _: laws.append(law))
    shared = frozenset(s.name for s in statements(kernel.body) if isinstance(s, ir.Shared))
    stored = frozenset(name for type, name in kernel.parameters if "*" in type and "const" not in type) | shared
    counted = dict(counters_after(kernel.body))
    lists = Lists(dict(lists_of(kernel.body)))
    first, second = (Thread(mark, grid.threads, stored, products, counted, lists) for mark in (1, 2))
    for each in (first, second):
        each.walk(kernel.body)
    noted = [*lists.laws()]
    parameters = frozenset(name for _, name in kernel.parameters)
    for a, b in product(first.touches, second.touches):
        if a.array == b.array and a.kind != "read" and not a.kind == b.kind == "atomic":
            met = [*in_one_block(a, b, first, second)]
            if not (grid.is_one or a.array in shared):
                met.append([first.block != second.block])
            for who in met:
                here, apart = [*a.here, *b.here, *who], are_apart(a, b, first, second)
                known = Guaranteed(formats, parameters, elements([*here, apart])).all()
                verdict = decide(apart, given=[*here, *known, *laws, *noted], seconds=20)
                said = f"two threads at {a.array}: {a.kind} and {b.kind}"
                yield verdict if isinstance(verdict, Proved) else Unknown(said)


def are_apart(a: Touch, b: Touch, first: Thread, second: Thread) -> Term:
    """Whether two accesses are to different places, or are those of one group in one sort, whose steps `devices.sorts`
    keeps apart."""
    apart = a.place != b.place
    if a.sort is None or b.sort is None or a.sort[2] != b.sort[2]:
        return apart
    size = a.sort[0]
    return z3.Or(apart, z3.And(first.block == second.block, a.sort[1] / size == b.sort[1] / size))


def in_one_block(a: Touch, b: Touch, first: Thread, second: Thread) -> Iterator[list[Term]]:
    """What holds of two threads of one block that make two accesses between the same barriers, if any two do."""
    same = meeting(a.site, b.site)
    if same is not None:
        yield [first.block == second.block, first.thread != second.thread, *(x == y for x, y in same)]


class Grid(Struct, frozen=True):
    """The threads of a block, and whether there is one block."""

    threads: int
    is_one: bool


def elements(terms: Iterable[Term]) -> dict[str, list[Term]]:
    """The places of the elements of arrays that occur in some terms."""
    found: dict[str, dict[int, Term]] = {}
    waiting, seen = list(terms), set()
    while waiting:
        each = waiting.pop()
        if each.get_id() not in seen:
            seen.add(each.get_id())
            waiting += each.children()
            if z3.is_app_of(each, z3.Z3_OP_UNINTERPRETED) and each.num_args() == 1:
                found.setdefault(each.decl().name(), {})[each.arg(0).get_id()] = each.arg(0)
    return {array: list(places.values()) for array, places in found.items()}


class Guaranteed(Struct, frozen=True):
    """What the levels of operands guarantee of the elements that are `read` from the arrays of a kernel."""

    formats: Mapping[str, Format]
    parameters: frozenset[str]
    read: Mapping[str, list[Term]]

    def all(self) -> Iterator[Term]:
        """All that is guaranteed: segments follow one another, and hold coordinates below the extent, each once."""
        for array in self.read:
            if array.endswith("_first"):
                yield from self.of_segments(array)
            found = re.fullmatch(r"(\w+?)(\d+)_(pos|crd)", array)
            if found is not None and found[1] in self.formats:
                level = self.formats[found[1]].levels[int(found[2]) - 1]
                stem = f"{found[1]}{found[2]}"
                yield from self.of_segments(array) if found[3] == "pos" else self.of_coordinates(stem, level)

    def of_segments(self, array: str) -> Iterator[Term]:
        """Segments begin one after another."""
        pos, places = z3.Function(array, WHOLE, WHOLE), self.read[array]
        yield from (z3.Implies(a <= b, pos(a) <= pos(b)) for a, b in product(places, places))

    def of_coordinates(self, stem: str, level: Level) -> Iterator[Term]:
        """Coordinates of a segment are in order, each once, and below the extent where the kernel is told that."""
        crd, places = z3.Function(f"{stem}_crd", WHOLE, WHOLE), self.read[f"{stem}_crd"]
        if {"pos", "crd"} <= set(level.arrays()) and not level.padded:
            if f"{stem}_dimension" in self.parameters:
                yield from (z3.And(crd(p) >= 0, crd(p) < z3.Int(f"{stem}_dimension")) for p in places)
            if level.unique and level.ordered:
                pos = z3.Function(f"{stem}_pos", WHOLE, WHOLE)
                for p, q, r in product(places, places, self.read.get(f"{stem}_pos", [])):
                    yield z3.Implies(z3.And(pos(r) <= p, p < q, q < pos(r + 1)), crd(p) < crd(q))
