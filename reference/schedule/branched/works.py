"""Works: what branched schedules do, as a sum in the sizes of loops and of what is stored.

Beyond the paper, which counts how often assignments run, at most. Every operand of an assignment is counted, a
multiplication or the addition, so that an assignment of three operands is not the same as one of two; it runs as often
as is expected (`expectation.py`). What an operand counts depends on the innermost loop: least where the linear nest
keeps tiles of the result in registers, four times that where it fills a row from rows, and eight times where vector
lanes are of no use to it, since it goes over stored coordinates, against rows, or adds everything up into one number.
Where the target holds some coordinates only, and each has to be found, an operand counts 32 times as much; 256 times,
if the target is a whole result whose rows come in no order. A step of a loop that looks for what several operands have
in common counts 16, and a component that is stored in another order 1,200.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

from .constraints import extent_name, prefix_name
from .contraction import Contraction
from .cost import Leaf, visited_depths
from .expectation import Share, Term, product
from .graph import Branch, Graph, Linear, Loops, Stored, part
from .locality import loops_to
from .space import Found
from .work import Counted, Sought, Told, Work, step_or_seek

TILED, ROW, SLOW, INSERTED, STAGED = 1, 4, 8, 32, 256
MERGED, CONVERTED = 16, 1_200


class Source(NamedTuple):
    """An operand, or a temporary: its indices in storage order; how much of it there is, and for which of the indices
    only some coordinates."""

    indices: Loops
    held: Term = Term()
    ragged: frozenset[str] = frozenset()

    def on_entry(self, loops: Loops) -> Source:
        """The source inside loops: those over all its indices visit only what there is."""
        return Source(self.indices) if self.held != Term() and set(self.indices) <= set(loops) else self


class Around(NamedTuple):
    """Loops, outermost first, which of them visit what an operand stores, or what a temporary holds, and how much of
    the latter there is."""

    loops: Loops = ()
    stored: Stored = frozenset()
    ragged: frozenset[str] = frozenset()
    held: Term = Term()


class Target(NamedTuple):
    """A result or a temporary: its indices in storage order, whether it holds assigned components only, and whether
    these are appended in storage order."""

    indices: Loops
    grows: bool = False
    is_appended: bool = False


class Filled(NamedTuple):
    """The work of the assignments of a section, producers before consumers, that of the steps of its loops, and the
    loops around the last assignment."""

    terms: tuple[Counted, ...]
    steps: tuple[Counted, ...]
    last: Around


class Works:
    """The work of the branched schedules of one contraction, whose linear nest may keep tiles of its result in
    registers. What sections share is looked at once."""

    def __init__(self, contraction: Contraction, is_tiled: bool = False) -> None:
        self.contraction, self.is_tiled = contraction, is_tiled
        self.expected = cache(self.expected_runs)
        self.inside = cache(self.section)
        self.fibers = set(self.every_fiber())

    def of(self, found: Found) -> Work:
        """What a schedule does, on sizes that are not known yet."""
        sources = tuple(Source(self.contraction.operands[n].levels) for n in found.order)
        result = self.contraction.result
        into = Target(result.levels, bool(result.stored), result.is_appended)
        if self.is_tiled and isinstance(found.graph, Linear):
            nest = self.inside(found.graph, sources, into, Around())
            runs = self.expected(frozenset(nest.last.loops), nest.last.stored)
            return total([(TILED * len(sources), runs), *nest.steps])
        converted = dict.fromkeys(each.made_of for each in self.contraction.operands if each.made_of is not None)
        moved = ((CONVERTED, product([f"nnz({name})"])) for name in converted)
        done = self.inside(found.graph, sources, into, Around())
        return total([*moved, *done.terms, *done.steps])

    def section(self, graph: Graph, sources: tuple[Source, ...], target: Target, around: Around) -> Filled:
        """The assignments of a section over operands and temporaries, into a target."""
        here, steps = enter(around, graph, sources), tuple(self.merge_steps(graph, sources, around))
        sources = tuple(each.on_entry(here.loops) for each in sources)
        match graph:
            case Linear():
                run = self.expected(frozenset(here.loops), here.stored) * here.held
                return Filled(((weight(here, sources, target), run),), steps, here)
            case Branch(producer=producer, consumer=consumer):
                filling, reading, place = part(graph, sources)
                kept = tuple(v for v in loops_to(consumer, place) if v in graph.kept)
                filled = self.inside(producer, filling, Target(kept, True), here)
                temporary = Source(kept, self.share(filled.last, here, kept), filled.last.ragged & graph.kept)
                read = self.inside(consumer, (*reading[:place], temporary, *reading[place:]), target, here)
                return Filled(filled.terms + read.terms, steps + filled.steps + read.steps, read.last)

    def merge_steps(self, graph: Graph, sources: tuple[Source, ...], around: Around) -> Iterator[Counted]:
        """The steps of merges, in which loops look for coordinates that several operands, or temporaries, have in
        common: through each operand, or by bisection of it. Operands that can be located count only if all can be."""
        for place, v in enumerate(graph.loops):
            outer = graph.loops[:place]
            above = enter(around, Linear(outer, frozenset((n, u) for n, u in graph.stored if u in outer)), sources)
            loops = (*above.loops, v)
            walked = sorted((n, u) for n, u in graph.stored if u == v)
            held = [each for each in sources if v in each.indices and each.on_entry(loops) != each]
            if len(walked) + len(held) > 1:
                met = [(n, u) for n, u in walked if u not in self.contraction.operands[n].located] or walked[:1]
                told = [self.steps_through(n, above, v) for n, _ in met]
                every = self.expected(frozenset(loops), above.stored) * above.held
                lists = [(frozenset(around.loops).union(each.indices) - {v}, every * each.held) for each in held]
                yield from ((MERGED, each) for each in step_or_seek(told, (*told, *lists)))

    def steps_through(self, number: int, above: Around, v: str) -> Told:
        """The loops around that tell in which fiber of an operand a loop is, and the steps of the loop through all of
        these fibers."""
        told = frozenset(self.contraction.operands[number].levels).intersection(above.loops)
        runs = self.expected(frozenset((*above.loops, v)), above.stored | {(number, v)}) * above.held
        return told, runs

    def share(self, filled: Around, around: Around, kept: Loops) -> Term:
        """How much of a temporary there is after an assignment inside some loops has filled it."""
        own = [v for v in filled.loops if v not in around.loops]
        outside = self.expected(frozenset(around.loops), around.stored) * product(map(extent_name, own))
        chance = self.expected(frozenset(filled.loops), filled.stored) * filled.held / (outside * around.held)
        summed = tuple(sorted(extent_name(v) for v in own if v not in kept))
        if not summed or chance == Term():
            return chance
        return Term() if (chance, summed) in self.fibers else Term(shares=(Share(chance, summed),))

    def every_fiber(self) -> Iterator[tuple[Term, tuple[str, ...]]]:
        """The chance that a coordinate is there below a stored one, and the extents below: one of them is there."""
        for number, operand in enumerate(self.contraction.operands):
            first = min((operand.levels.index(v) for v in operand.stored), default=len(operand.levels))
            for depth, deeper in combinations(range(first + 1, len(operand.levels) + 1), 2):
                chance = self.stored_share(number, deeper) / self.stored_share(number, depth)
                yield chance, tuple(sorted(map(extent_name, operand.levels[depth:deeper])))

    def expected_runs(self, loops: frozenset[str], stored: Stored) -> Term:
        """How often loops run, those over what is stored among them."""
        found = product(map(extent_name, loops))
        for number, depth in visited_depths(self.contraction, Leaf(loops, stored)):
            if loops.issuperset(self.contraction.operands[number].levels[:depth]):
                found *= self.stored_share(number, depth)
        return found

    def stored_share(self, number: int, depth: int) -> Term:
        """How many of the coordinates of some levels an operand stores. In another order nothing is known of it
        but how many components it has, which lie anywhere."""
        operand = self.contraction.operands[number]
        extents = tuple(map(extent_name, operand.levels))
        if operand.made_of is None:
            return product([prefix_name(self.contraction, number, depth)], extents[:depth])
        chance = product([f"nnz({operand.made_of})"], extents)
        return chance if depth == len(extents) else Term(shares=(Share(chance, tuple(sorted(extents[depth:]))),))


def enter(around: Around, graph: Graph, sources: Iterable[Source]) -> Around:
    """The loops of a graph inside others."""
    loops, held = (*around.loops, *graph.loops), around.held
    ragged = around.ragged.union(v for _, v in graph.stored)
    for source in (each for each in sources if each.on_entry(loops) != each):
        ragged, held = ragged | source.ragged, held * source.held
    return Around(loops, around.stored | graph.stored, ragged, held)


def weight(here: Around, sources: tuple[Source, ...], target: Target) -> int:
    """What one run of an assignment counts.

    >>> operands = Source(("i", "k")), Source(("k", "j"))
    >>> [weight(Around(tuple(loops)), operands, Target(("i", "j"))) for loops in ("ikj", "ijk")]
    [8, 16]
    """
    if target.is_appended and target.indices[1:] and here.loops[:1] != target.indices[:1]:
        return len(sources) * STAGED
    if target.grows and here.ragged.intersection(target.indices, here.loops[-1:]):
        return len(sources) * INSERTED
    return len(sources) * (ROW if goes_along_rows(here, sources, target.indices) else SLOW)


def goes_along_rows(here: Around, sources: Iterable[Source], target: Loops) -> bool:
    """Whether the innermost loop fills a row, from rows and from what stays the same."""
    innermost = here.loops[-1:]
    if not innermost:
        return True
    whole = innermost[0] not in here.ragged and target[-1:] == innermost
    return whole and not any(innermost[0] in tensor[:-1] for tensor in (target, *(each.indices for each in sources)))


def total(terms: Iterable[Counted]) -> Work:
    """The sum of terms, equal ones added up."""
    counted = [(count, term) for term, count in Work(tuple(terms)).counts().items()]
    return Work(tuple(sorted(counted, key=lambda each: (isinstance(each[1], Sought), each[1]))))
