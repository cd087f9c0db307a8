"""The space of branched schedules of a contraction, section by section (SparseAuto, section 5.1).

A section is what is left to arrange inside the loops that are fused already: operands, the loops that they still need,
and whether it writes the result. Fused loops no longer tell operands apart, so sections with the same loops left are
arranged once. A section becomes a linear nest, in every order that storage allows, or parts at every place between two
operands, each side in turn as the producer, under every prefix of loops that both sides need and that is the longest
in some order; then both sides are arranged, whatever the order was.

What is left out, since it computes the same with more: a temporary that is only copied, loops of a side that are all
fused, temporaries with more variables than `memory_depth` (stage 1). Of several graphs of one structure the first that
is found stands for it. The counts are those of Table 3 as a correct enumeration has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import permutations
from math import factorial
from typing import NamedTuple

from msgspec import Struct

from ...errors import ScheduleError
from .contraction import Contraction
from .graph import Graph, Linear, Loops, Stored, branch

LARGEST = 2_000_000
Order = tuple[int, ...]
TEMPORARY = -1


class Ties(NamedTuple):
    """The operands of a section whose storage says something of its loops, and whether that of the result does."""

    operands: frozenset[int]
    writes: bool


class Part(NamedTuple):
    """An operand of a section: the loops that it still needs as bits, and its number, -1 for a temporary."""

    loops: int
    number: int


class Section(NamedTuple):
    """Operands, the loops that the result still needs, whether it is the contraction's, and the place of the temporary
    that was introduced last (-1 if there is none)."""

    parts: tuple[Part, ...]
    result: int
    writes: bool
    newest: int

    @property
    def loops(self) -> int:
        """All loops that are left."""
        return union(self.parts) | self.result

    @property
    def may_branch(self) -> bool:
        """Whether there is anything to part: more than two operands, and more than one loop."""
        return len(self.parts) > 2 and self.loops & (self.loops - 1) != 0


def union(parts: tuple[Part, ...]) -> int:
    """The loops that some operands still need."""
    found = 0
    for part in parts:
        found |= part.loops
    return found


class Parting(NamedTuple):
    """The first `loc` operands of a section and the others: those that fill a temporary, and those that stay."""

    loc: int
    side: str
    filling: tuple[Part, ...]
    reading: tuple[Part, ...]


class Found(Struct, frozen=True):
    """A branched schedule: operands in an order, and how they are computed."""

    order: Order
    graph: Graph


def branched_schedules(
    contraction: Contraction, memory_depth: int = 2, orders: Iterable[Order] | None = None, most: int = LARGEST
) -> Iterator[Found]:
    """One branched schedule of each structure; with some orders of the operands, of the structures that these have.

    Raises ScheduleError if there are more than `most` of them, and of parts of them.

    >>> from .contraction import Operand
    >>> operands = [Operand("B", frozenset("ij"), frozenset({("i", "j")}), ("i", "j"), frozenset("j"))]
    >>> operands += [Operand(name, frozenset(loops)) for name, loops in (("C", "jk"), ("D", "kl"))]
    >>> spmm_gemm = Contraction(tuple(operands), Operand("A", frozenset("il")), tuple("ijkl"))
    >>> len(list(branched_schedules(spmm_gemm)))
    128
    """
    yield from Space(contraction, memory_depth, most).schedules(orders)


def operand_orders(contraction: Contraction, most: int = LARGEST) -> Iterator[Order]:
    """The orders of the operands, of an order and its reverse the first one only; as written if they do not commute."""
    own = range(len(contraction.operands))
    check_count(contraction, factorial(len(own)) // 2 if contraction.commutative else 1, most)
    if not contraction.commutative:
        yield tuple(own)
        return
    yield from (order for order in permutations(own) if order <= order[::-1])


def check_count(contraction: Contraction, count: int, most: int) -> None:
    """Refuse a contraction of which there are too many schedules, or orders of operands or loops."""
    if count > most:
        raise ScheduleError(
            f"there are more than {most} branched schedules of {len(contraction.operands)} operands and "
            f"{len(contraction.loops)} loops, and parts of them",
            hint="compute a part of the product as a tensor of its own",
            rule="schedule.branched.space",
        )


class Space:
    """What has been found of the space of one contraction: the graphs of each section by their structure, each of
    which has a number. Sets of loops are bits of an integer."""

    def __init__(self, contraction: Contraction, memory_depth: int, most: int) -> None:
        self.contraction, self.memory_depth, self.most = contraction, memory_depth, most
        self.bits = {v: 1 << n for n, v in enumerate(contraction.loops)}
        self.names = {bit: v for v, bit in self.bits.items()}
        self.derived = self.set_of(contraction.derived)
        self.tied = {n for n, operand in enumerate(contraction.operands) if operand.edges or operand.stored}
        self.counted = 0
        self.sections: dict[Section, dict[int, Graph]] = {}
        self.structures: dict[tuple[object, ...], int] = {}
        self.orders = cache(self.every_order)
        self.before = cache(self.outside)
        self.stored_by = cache(self.visits)
        self.kept = cache(self.names_in)

    def schedules(self, orders: Iterable[Order] | None = None) -> Iterator[Found]:
        """One schedule of each structure, of those that some orders of the operands have, or else all orders."""
        seen = set[int]()
        for order in operand_orders(self.contraction, self.most) if orders is None else orders:
            for key, graph in self.arrange(self.whole(order)).items():
                if key not in seen:
                    seen.add(key)
                    yield Found(order, graph)
        order = tuple(range(len(self.contraction.operands)))
        for key, graph in self.two_temporaries(self.whole(order)):
            if key not in seen:
                seen.add(key)
                yield Found(order, graph)

    def whole(self, order: Order) -> Section:
        """The contraction as one section, its operands in an order."""
        operands = self.contraction.operands
        parts = tuple(Part(self.set_of(operands[n].loops), n) for n in order)
        return Section(parts, self.set_of(self.contraction.result.loops), True, TEMPORARY)

    def set_of(self, loops: Iterable[str]) -> int:
        """Loops as bits."""
        return sum(self.bits[v] for v in loops)

    def names_in(self, loops: int) -> frozenset[str]:
        """Bits as loops."""
        return frozenset(v for v, bit in self.bits.items() if bit & loops)

    def ties(self, section: Section) -> Ties:
        """What storage says of the loops of a section."""
        numbers = frozenset(part.number for part in section.parts if part.number in self.tied)
        return Ties(numbers, section.writes and bool(self.contraction.result.edges))

    def arrange(self, section: Section) -> dict[int, Graph]:
        """The graphs of a section, one of each structure."""
        found = self.sections.get(section)
        if found is None:
            found = self.sections[section] = {}
            ties = self.ties(section)
            for loops in self.orders(section.loops, ties):
                found[self.number(loops)] = Linear(loops, self.stored_by(loops, ties))
            if section.may_branch:
                for parting in self.partings(section):
                    self.branches(section, ties, parting, found)
        return found

    def partings(self, section: Section) -> Iterator[Parting]:
        """The ways to part the operands of a section; the temporary that was introduced last is never alone."""
        parts, last = section.parts, len(section.parts) - 1
        for loc in range(1, len(parts)):
            if (loc == 1 and section.newest == 0) or (loc == last and section.newest == last):
                continue
            yield Parting(loc, "left", parts[:loc], parts[loc:])
            yield Parting(loc, "right", parts[loc:], parts[:loc])

    def branches(self, section: Section, ties: Ties, parting: Parting, found: dict[int, Graph]) -> None:
        """Add the graphs that part the operands of a section in one way."""
        fill, read = union(parting.filling), union(parting.reading) | section.result
        for loops, fused in self.prefixes(section.loops, fill & read, ties):
            kept = fill & read & ~fused
            if not loops and len(parting.filling) < 2:
                continue
            if not (fill & ~fused and read & ~fused) or kept.bit_count() > self.memory_depth:
                continue
            if fill & ~fused & self.derived:
                continue
            stored, names = self.stored_by(loops, ties), self.kept(kept)
            producers = self.arrange(producer(parting, fused, kept))
            consumers = self.arrange(consumer(section, parting, fused, kept))
            for first, filling in producers.items():
                for second, reading in consumers.items():
                    key = self.number(loops, first, second)
                    if key not in found:
                        found[key] = branch(loops, stored, parting.loc, parting.side, names, filling, reading)

    def number(self, *what: object) -> int:
        """The number of a structure. Raises ScheduleError where there are too many."""
        check_count(self.contraction, len(self.structures), self.most)
        return self.structures.setdefault(what, len(self.structures))

    def prefixes(self, left: int, shared: int, ties: Ties) -> Iterator[tuple[Loops, int]]:
        """The prefixes of loop orders that hold shared loops only, and may be followed by a loop that is not."""
        before = self.before(ties)

        def extend(loops: Loops, fused: int) -> Iterator[tuple[Loops, int]]:
            rest = left & ~fused
            free = [bit for bit in self.names if bit & rest and not before[bit] & rest]
            if any(not bit & shared for bit in free):
                yield loops, fused
            for bit in free:
                if bit & shared:
                    yield from extend((*loops, self.names[bit]), fused | bit)

        yield from extend((), 0)

    def every_order(self, left: int, ties: Ties) -> tuple[Loops, ...]:
        """The orders of loops that storage allows."""
        if not left:
            return ((),)
        before = self.before(ties)
        first = [bit for bit in self.names if bit & left and not before[bit] & left]
        rests = {bit: self.orders(left & ~bit, ties) for bit in first}
        self.counted += sum(map(len, rests.values()))
        check_count(self.contraction, self.counted, self.most)
        return tuple((self.names[bit], *rest) for bit in first for rest in rests[bit])

    def outside(self, ties: Ties) -> dict[int, int]:
        """The loops that come before each loop because of how the operands of a section are stored."""
        operands = [self.contraction.operands[n] for n in ties.operands]
        edges = {e for each in operands for e in each.edges} | (self.contraction.result.edges if ties.writes else set())
        return {bit: self.set_of({u for u, w in edges if w == v}) for v, bit in self.bits.items()}

    def visits(self, loops: Loops, ties: Ties) -> Stored:
        """Which of some loops visit only what is stored in which operand of a section."""
        return frozenset((n, v) for n in ties.operands for v in loops if v in self.contraction.operands[n].stored)

    def two_temporaries(self, section: Section) -> Iterator[tuple[int, Graph]]:
        """The graphs that fill two temporaries outside all loops, one by either side, and multiply them: a linear nest
        over what they keep, which alone tells them apart."""
        ties = self.ties(section)
        for parting in (each for each in self.partings(section) if each.side == "left"):
            fill, read = union(parting.filling), union(parting.reading)
            first, second = fill & (read | section.result), read & (fill | section.result)
            if max(first.bit_count(), second.bit_count()) > self.memory_depth or (fill | read) & self.derived:
                continue
            sides = (fill, read | section.result), (read, first | section.result)
            if not all(self.may_part(filled, other, ties) for filled, other in sides):
                continue
            filling = self.nest(producer(parting, 0, first))
            other = self.nest(Section(parting.reading, second, False, TEMPORARY))
            for loops in self.orders(first | second, ties):
                both = branch((), frozenset(), 1, "right", self.kept(second), other, Linear(loops, frozenset()))
                yield self.number(loops), branch((), frozenset(), parting.loc, "left", self.kept(first), filling, both)

    def may_part(self, fill: int, read: int, ties: Ties) -> bool:
        """Whether nothing need be fused: some loop that one side needs alone may come first."""
        return any(not loops for loops, _ in self.prefixes(fill | read, fill & read, ties))

    def nest(self, section: Section) -> Linear:
        """A section as a linear nest, its loops in the first order that storage allows."""
        ties = self.ties(section)
        loops = self.orders(section.loops, ties)[0]
        return Linear(loops, self.stored_by(loops, ties))


def producer(parting: Parting, fused: int, kept: int) -> Section:
    """The section that fills a temporary."""
    return Section(remaining(parting.filling, fused), kept, False, TEMPORARY)


def consumer(section: Section, parting: Parting, fused: int, kept: int) -> Section:
    """The section that reads a temporary, which stands where its operands stood."""
    temporary, others = Part(kept, TEMPORARY), remaining(parting.reading, fused)
    parts = (temporary, *others) if parting.side == "left" else (*others, temporary)
    newest = 0 if parting.side == "left" else len(others)
    return Section(parts, section.result & ~fused, section.writes, newest)


def remaining(parts: tuple[Part, ...], fused: int) -> tuple[Part, ...]:
    """Operands inside loops that are fused."""
    return tuple(Part(part.loops & ~fused, part.number) for part in parts)
