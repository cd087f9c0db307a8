"""Merging: what loops merge again and again, and how much that is in the sizes of operands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import groupby
from operator import itemgetter, mul

from msgspec import Struct, field
from msgspec.structs import replace

from ...levels.hashed import Hashed
from ...loops.plan import AssignPlan, LoopPlan, Node, ParallelPlan, Planner, SequencePlan, WherePlan
from ...loops.strategy import Active
from ...notation.syntax import Access
from ...statement.relation import Same, Split, derived_variables
from ...statement.statement import Program, reads
from ...storage.format import Format
from .choice import Place, Size
from .constraints import extent_name
from .expectation import Share, Term, product
from .work import Counted, Work, step_or_seek

COPIED = 2
"""The work of copying a component, where a step of a merge is 1: products of three random matrices break even at one
component a row, and sparse vectors at less than two rows."""


Nest = tuple[LoopPlan, ...]
"""A loop, the last, and the loops around it."""


class Again(Struct, frozen=True):
    """A fiber that a loop merges again: the loop, the level, and the loops around, those that it needs first."""

    loop: LoopPlan
    active: Active
    needed: Nest
    others: Nest

    @property
    def access(self) -> Access:
        """The operand."""
        return self.active.access


def fibers(program: Program) -> Iterator[Again]:
    """The fibers at the ends of operands that a linear nest merges with others for each value of a loop around that has
    nothing to do with them."""
    for (*around, loop), active in merged_levels(program):
        above = active.access.levels[: active.first]
        count = max((n for n, each in enumerate(around, 1) if each.index in above), default=0)
        if active.last == len(active.access.levels) and around[count:] and active.access.tensor != program.previous:
            yield Again(loop, active, tuple(around[:count]), tuple(around[count:]))


def merged_levels(program: Program) -> Iterator[tuple[Nest, Active]]:
    """The loops that merge levels of operands, each with each of these levels."""
    return ((nest, active) for nest, active in walked_levels(program) if nest[-1].strategy.merges)


def met_levels(program: Program) -> Iterator[tuple[Nest, Active]]:
    """The loops that go through levels of operands of which coordinates may be missing in others, each with each of
    these levels."""
    for nest in nests(Planner(program).root()):
        for active in meeting(nest[-1]):
            if active.access.tensor not in program.workspace:
                yield nest, active


def walked_levels(program: Program) -> Iterator[tuple[Nest, Active]]:
    """The loops that go through levels of operands of which coordinates may be missing in others, each with each level
    that it goes through."""
    return ((nest, active) for nest, active in met_levels(program) if active in nest[-1].strategy.coiterated)


def meeting(loop: LoopPlan) -> tuple[Active, ...]:
    """The levels that a loop merges, and those in which it looks up what it goes through and may not find it; none if
    it goes through one level alone."""
    strategy = loop.strategy
    met = (*strategy.coiterated, *(a for a in strategy.located if a.is_sparse))
    return met if strategy.coiterated and len(met) > 1 else ()


def nests(node: Node, around: Nest = ()) -> Iterator[Nest]:
    """The loops of a part of a plan, each with those around it."""
    match node:
        case AssignPlan():
            return
        case ParallelPlan(loop=loop):
            yield from nests(loop, around)
        case LoopPlan(body=body):
            yield (*around, node)
            yield from nests(body, (*around, node))
        case WherePlan(producer=producer, consumer=consumer):
            yield from nests(producer, around)
            yield from nests(consumer, around)
        case SequencePlan(parts=parts):
            for part in parts:
                yield from nests(part, around)


def merges(node: Node, name: str) -> bool:
    """Whether some loop merges what a tensor stores with others."""
    match node:
        case AssignPlan():
            return False
        case ParallelPlan(loop=loop):
            return merges(loop, name)
        case LoopPlan(strategy=strategy, body=body):
            merged = [a.access.tensor for a in strategy.coiterated]
            return (len(merged) > 1 and name in merged) or merges(body, name)
        case WherePlan(producer=producer, consumer=consumer):
            return merges(producer, name) or merges(consumer, name)
        case SequencePlan(parts=parts):
            return any(merges(part, name) for part in parts)


class Sizes(Struct, frozen=True):
    """Work in the sizes of operands, and where each size that has been named is found: in operands as they are `before`
    commands have them converted."""

    program: Program
    places: dict[str, Place] = field(default_factory=dict)
    before: Program | None = None

    def as_written(self) -> Work:
        """The steps of all loops through levels that meet others, as the nest is written."""
        return Work(tuple(self.steps(walked_levels(self.program))))

    def with_copy(self, again: Again) -> Work:
        """The steps of all merges without those through the copied fiber, and the work of copying it."""
        others = (each for each in walked_levels(self.program) if each[1] != again.active)
        copied = COPIED, self.runs(again.needed) * self.length(again.active)
        return Work((*self.steps(others), copied))

    def steps(self, walked: Iterable[tuple[Nest, Active]]) -> Iterator[Counted]:
        """The steps of loops through the fibers of levels: one to begin a loop, and those through each level, or of
        seeking in it."""
        for nest, own in groupby(walked, itemgetter(0)):
            runs, around = self.runs(nest[:-1]), frozenset(loop.index for loop in nest[:-1])
            yield 1, runs
            met = [(a, (around.intersection(a.access.levels), runs * self.length(a))) for _, a in own]
            leaders = [told for a, told in met if nest[-1].strategy.needs(a.access)]
            yield from ((1, each) for each in step_or_seek([told for _, told in met], leaders))

    def runs(self, loops: Nest) -> Term:
        """How often something runs inside some loops: as often as the first operand that each walks has coordinates."""
        found = Term()
        for loop in loops:
            own = [a for a in loop.strategy.coiterated if a.access.tensor not in self.program.workspace]
            walked = [] if loop.strategy.whole_extent else own
            found *= self.length(walked[0]) if walked else self.extent(loop.index)
        return found

    def length(self, active: Active) -> Term:
        """How many coordinates a level stores below each position above it, on average."""
        return self.stored_positions(active.access, active.last) / self.stored_positions(active.access, active.first)

    def stored_positions(self, access: Access, depth: int) -> Term:
        """How many positions the first levels of an operand have; of one that is converted from another order of its
        modes, as many as are expected if its components lie anywhere."""
        if depth == 0:
            return Term()
        if self.as_given(access).levels == access.levels:
            return product([self.positions(access, depth)])
        every = product([self.components(access)])
        extents = [self.extent(v) for v in access.levels]
        if depth == len(extents):
            return every
        if self.program.formats[access.tensor].levels[depth - 1].full:
            return self.stored_positions(access, depth - 1) * extents[depth - 1]
        chance, deeper = every / reduce(mul, extents), reduce(mul, extents[depth:])
        return reduce(mul, extents[:depth], Term(shares=(Share(chance, deeper.factors),)))

    def as_given(self, access: Access) -> Access:
        """An operand in the order of its modes in which it is given."""
        name, format = self.name_and_format(access)
        if format == self.program.formats[access.tensor]:
            return replace(access, tensor=name)
        return replace(access, tensor=name, levels=tuple(access.indices[m] for m in format.stored_modes))

    def name_and_format(self, access: Access) -> tuple[str, Format]:
        """The name and the format of an operand before commands have it converted."""
        formats = self.program.formats if self.before is None else self.before.formats
        sources = {each.name: each.source for each in self.program.converted}
        name = access.tensor if access.tensor in formats else sources[access.tensor]
        return self.program.given(name), formats[name]

    def positions(self, access: Access, depth: int) -> str:
        """The name of how many positions a level of an operand has, as it is given."""
        given = self.as_given(access)
        name = f"nnz({given.tensor}({','.join(given.levels[:depth])}))"
        self.places[name] = Place(given.tensor, depth - 1, 0, Size.POSITIONS)
        return name

    def components(self, access: Access) -> str:
        """The name of how many components an operand has, as it is given: of hash tables, how many slots are taken."""
        given, (_, format) = self.as_given(access), self.name_and_format(access)
        if not isinstance(format.levels[-1], Hashed):
            return self.positions(access, len(given.levels))
        name = f"nnz({given.tensor})"
        self.places[name] = Place(given.tensor, len(format.levels) - 1, 0, Size.COORDINATES)
        return name

    def longest(self, variable: str) -> Term:
        """How many coordinates the longest fiber has of the first operand that stores a variable last; 1 if none
        does."""
        read = (a for a in reads(self.program.statement) if a.tensor not in self.program.workspace)
        for given in (self.as_given(a) for a in read):
            if given.levels[-1:] == (variable,) and not self.program.formats[given.tensor].is_whole:
                name = f"longest({given.tensor}({','.join(given.levels)}))"
                self.places[name] = Place(given.tensor, len(given.levels) - 1, 0, Size.LONGEST)
                return product([name])
        return Term()

    def extent(self, variable: str) -> Term:
        """How many values a variable has: an index variable, or one that a format derives. Where only the result is in
        blocks, each coordinate counts as one."""
        read = (a for a in reads(self.program.statement) if a.tensor not in self.program.workspace)
        operands = [self.as_given(a) for a in read]
        for access in (a for a in operands if variable in a.indices):
            self.places[extent_name(variable)] = Place(access.tensor, 0, access.indices.index(variable), Size.MODE)
            return product([extent_name(variable)])
        for access in (a for a in operands if variable in a.levels):
            level = access.levels.index(variable)
            self.places[extent_name(variable)] = Place(access.tensor, level, level, Size.EXTENT)
            return product([extent_name(variable)])
        return reduce(mul, map(self.extent, self.sources(variable, operands)), Term())

    def sources(self, variable: str, operands: list[Access]) -> tuple[str, ...]:
        """The variables with whose extents, multiplied, one counts that no level of an operand stores."""
        graph = self.program.provenance
        match graph.format_relation_of(variable):
            case Split(outer=outer, parent=source) if variable == outer:
                return (source,)
            case Same(original=source):
                return (source,)
            case None:
                stored = {v for a in operands for v in a.levels}
                return next((derived_variables(s) for s in graph.splits(variable) if s.outer in stored), ())
            case _:
                return ()
