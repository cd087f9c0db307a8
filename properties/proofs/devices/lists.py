"""Lists of coordinates: those whom threads note, each once, at places of their own (`generator/cuda/listing.py`).

A thread that is the first at a coordinate, as a compare-and-swap of its flag tells, takes a place by a fetch-and-add of
the counter, and stores the coordinate there. Others come between these steps. A list is read, sorted and emptied, with
the flags that it leads to, when nobody is about to note anything: barriers stand there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from ....generator.ir import ir
from ....generator.ir.traversal import inside
from ..c.c_lists import TAKE
from ..solver import Term, decide, z3
from ..verdict import Verdict, together

WHOLE = z3.IntSort()


def lists_of(code: ir.Code) -> Iterator[tuple[str, str]]:
    """The lists of some code, each with its counter: what is stored at a place that the counter gives."""
    for s in code:
        match s:
            case ir.Assign(target=ir.Element(array=ir.Name(name=name), index=index)) if place_in(index) is not None:
                yield name, place_in(index) or ""
            case _:
                pass
        yield from lists_of(inside(s))


def place_in(index: ir.Expr) -> str | None:
    """The counter that gives a place, which is read, or goes on by one at once; None for another place."""
    match index:
        case ir.Call(function=function, args=(ir.Unary(operator="&", operand=counter), ir.Int(value=1))):
            return place_in(counter) if function == TAKE else None
        case ir.Element(array=ir.Name(name=name), index=ir.Int(value=0)):
            return name
        case _:
            return None


class Listing(Struct, frozen=True):
    """A list on its way: of each coordinate, whether its flag is set, whether somebody is about to take a place for it,
    or to store it there, and the place, -1 for none; of each place, what is stored; how many places have been taken."""

    flag: Term
    waits: Term
    writes: Term
    taken: Term
    crd: Term
    count: Term

    def invariant(self, extent: Term) -> Term:
        """What is so at any time: places that are taken are below the count, no two coordinates have one, all of them
        have somebody's coordinate or will have it, and each coordinate that is flagged is on its way to one."""
        c, d, n = z3.Ints("c d n")
        has_place = self.taken[c] >= 0
        apart = z3.Implies(z3.And(has_place, c != d), self.taken[c] != self.taken[d])
        of_each = (
            z3.Implies(self.flag[c], z3.Or(self.waits[c], has_place)),
            z3.Implies(has_place, z3.And(self.flag[c], z3.Not(self.waits[c]), self.taken[c] < self.count)),
            z3.Implies(self.writes[c], has_place),
            z3.Implies(z3.And(has_place, z3.Not(self.writes[c])), self.crd[self.taken[c]] == c),
            z3.Implies(self.flag[c], z3.And(c >= 0, c < extent)),
        )
        whole = z3.Exists(c, self.taken[c] == n)
        every = z3.ForAll(n, z3.Implies(z3.And(n >= 0, n < self.count), whole))
        return z3.And(self.count >= 0, z3.ForAll(c, z3.And(*of_each)), z3.ForAll([c, d], apart), every)

    def is_still(self) -> Term:
        """Whether nobody is about to note anything, as at a barrier."""
        c = z3.Int("c")
        return z3.ForAll(c, z3.Not(z3.Or(self.waits[c], self.writes[c])))


def a_list() -> Listing:
    """Some list."""
    numbers, truths = z3.ArraySort(WHOLE, WHOLE), z3.ArraySort(WHOLE, z3.BoolSort())
    flag, waits, writes = (z3.Const(f"now {name}", truths) for name in ("flag", "waits", "writes"))
    taken, crd = (z3.Const(f"now {name}", numbers) for name in ("taken", "crd"))
    return Listing(flag, waits, writes, taken, crd, z3.Int("now count"))


def hold_each_once() -> Verdict:
    """Whether a list holds coordinates below the extent, each once, all of them whose flags are set, whatever steps
    threads take in whatever order; and whether each place that a thread takes is below the extent."""
    return together([*steps_keep(), *all_are_there(), *places_suffice()])


def steps_keep() -> Iterator[Verdict]:
    """Whether each step of a thread keeps the invariant, with which an empty list begins."""
    now, extent, c = a_list(), z3.Int("extent"), z3.Int("own")
    known = [now.invariant(extent), c >= 0, c < extent]
    none, nowhere, zero = z3.K(WHOLE, z3.BoolVal(False)), z3.K(WHOLE, z3.IntVal(-1)), z3.IntVal(0)
    yield decide(Listing(none, none, none, nowhere, now.crd, zero).invariant(extent))
    first = replace(now, flag=z3.Store(now.flag, c, True), waits=z3.Store(now.waits, c, True))
    yield decide(first.invariant(extent), given=[*known, z3.Not(now.flag[c])])
    place = replace(
        now,
        waits=z3.Store(now.waits, c, False),
        writes=z3.Store(now.writes, c, True),
        taken=z3.Store(now.taken, c, now.count),
        count=now.count + 1,
    )
    yield decide(place.invariant(extent), given=[*known, now.waits[c], now.flag[c], now.taken[c] < 0])
    noted = replace(now, writes=z3.Store(now.writes, c, False), crd=z3.Store(now.crd, now.taken[c], c))
    yield decide(noted.invariant(extent), given=[*known, now.writes[c]])


def all_are_there() -> Iterator[Verdict]:
    """Whether a list that nobody is about to add to holds what it should: coordinates below the extent, each once, and
    all whose flags are set, so that whoever goes through the list clears them all."""
    now, extent = a_list(), z3.Int("extent")
    n, m, c = z3.Ints("first second coordinate")
    known = [now.invariant(extent), now.is_still()]
    here, there = (z3.And(place >= 0, place < now.count) for place in (n, m))
    yield decide(z3.And(now.crd[n] >= 0, now.crd[n] < extent), given=[*known, here])
    yield decide(now.crd[n] != now.crd[m], given=[*known, here, there, n != m])
    at = now.taken[c]
    yield decide(z3.And(at >= 0, at < now.count, now.crd[at] == c), given=[*known, now.flag[c]])


def places_suffice() -> Iterator[Verdict]:
    """Whether the place that a thread takes is below the extent: of as many flags as there are coordinates, those that
    are set are as many as places that are taken, and threads that are about to take one."""
    flags, waiting, taken, extent = z3.Ints("flags waiting taken extent")

    def known(flags: Term, waiting: Term, taken: Term) -> Term:
        return z3.And(flags == waiting + taken, waiting >= 0, taken >= 0, flags <= extent)

    given = [known(flags, waiting, taken)]
    yield decide(known(z3.IntVal(0), z3.IntVal(0), z3.IntVal(0)), given=[extent >= 0])
    yield decide(known(flags + 1, waiting + 1, taken), given=[*given, flags < extent])
    yield decide(z3.And(known(flags, waiting - 1, taken + 1), taken < extent), given=[*given, waiting > 0])


class Lists(Struct):
    """The lists of a kernel as threads see them: what they have read there, and the places that they have taken.

    `counters` are their counters, and `extents` those of their workspaces, as soon as they are known. What is read has
    an owner and a place, and so have places that are taken. Of others that are `reached`, and of how many there are, no
    more is known than that they are within the extent.
    """

    counters: Mapping[str, str]
    extents: dict[str, Term] = field(default_factory=dict)
    read: list[tuple[str, Term, Term]] = field(default_factory=list)
    taken: list[tuple[str, Term, Term]] = field(default_factory=list)
    counts: list[tuple[str, Term]] = field(default_factory=list)
    reached: list[tuple[str, Term]] = field(default_factory=list)

    def element(self, name: str, owner: Term, place: Term) -> Term:
        """What stands at a place of a list of an owner."""
        self.read.append((name, owner, place))
        return self.at(name)(owner, place)

    def at(self, name: str) -> Term:
        """The elements of a list, by owner and place."""
        return z3.Function(f"{name} of", WHOLE, WHOLE, WHOLE)

    def laws(self) -> Iterator[Term]:
        """What is known of all of these."""
        for name, found in self.counts:
            yield z3.And(found >= 0, found <= self.extents[name])
        for name, place in self.reached:
            yield z3.And(place >= 0, place < self.extents[name])
        for n, (name, owner, place) in enumerate(self.taken):
            yield z3.And(place >= 0, place < self.extents[name])
            for other, whose, where in self.taken[:n]:
                if other == name:
                    yield z3.Implies(owner == whose, place != where)
        for name, owner, place in self.read:
            element = self.at(name)(owner, place)
            yield z3.And(element >= 0, element < self.extents[name])
            for other, whose, where in self.read:
                if other == name:
                    yield z3.Implies(z3.And(owner == whose, place != where), element != self.at(name)(whose, where))
