"""How each loop merges its operands: which levels are co-iterated, and which are located (Chou 2018, section 4.4).

Figure 8 and the recursive `Coiter` are one rule here. Co-iterating a set of levels visits every coordinate that any
of them holds; a level that offers `locate` can be left out of the set if, wherever all of the set is missing, there
is nothing to compute. Levels on the right are left out first.

A case for every lattice point is a tower of code: `n` operands have up to `2^n` points, each with all loops inside it.
From three operands on, in whichever statements they are read, there is one body instead, in which an absent operand is
an *empty fiber* with its fill: loops inside find nothing below it, and what is stored depends on what is present
(`presence.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from ..algebra.operator import Operator
from ..algebra.operators import DUPLICATES
from ..levels.level import Append, CoordinateValueIteration, Level, Locate
from ..notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce
from ..statement.expansion import steps
from ..statement.iteration_graph import is_random_access
from ..statement.provenance import Provenance
from ..statement.statement import Assign, Forall, Program, Statement, assignments, reads
from ..statement.substitution import Background, background_of
from ..storage.format import Format
from .lattice import Lattice
from .presence import Presence, assume, holds, remains

MANY = 3


@dataclass(frozen=True, slots=True)
class Active:
    """An access with levels `first` to `last - 1` that become known in one loop; only `first` is iterated.

    An `optional` one may be an empty fiber.
    """

    access: Access
    first: int
    last: int
    level: Level
    optional: bool = False

    @property
    def is_sparse(self) -> bool:
        """Whether the access can miss coordinates of the loop variable: the loop has to find out which."""
        return not self.level.full or (self.optional and not is_random_access(self.level))


@dataclass(frozen=True, slots=True)
class Strategy:
    """How one loop merges its operands.

    `coiterated` are merged in step, `located` are found at each coordinate so visited; with `whole_extent` the loop
    also visits the coordinates that none of them holds. `ordered`: iterators must give coordinates in order; `fused`:
    this loop and those inside it run as one over chains of branchless levels, of which several are merged by the
    coordinates of all these loops together.

    `optional` are the accesses of the body that a loop around may have found to be empty fibers, other than those that
    this loop looks for; `remains` tells at which coordinates there is something to do, `everywhere` when that is so at
    every one. A `flagged` loop has one body for all points; others have one for each.
    """

    index: str
    active: tuple[Active, ...]
    lattice: Lattice
    coiterated: tuple[Active, ...]
    located: tuple[Active, ...]
    whole_extent: bool
    ordered: bool
    fused: bool
    optional: frozenset[Access] = frozenset()
    remains: Presence = True
    everywhere: Presence = False
    flagged: bool = False

    @property
    def forks(self) -> bool:
        """Whether there is something to do where one of the sparse accesses alone is missing: cases differ then."""
        every = self.optional | frozenset(self.lattice.sparse)
        return any(holds(self.remains, every - {a}) for a in self.lattice.sparse)

    @property
    def uncertain(self) -> frozenset[Access]:
        """The accesses that may be missing where the body of the loop runs."""
        every = self.optional | frozenset(self.lattice.sparse)
        if self.forks and not self.flagged:
            return frozenset()
        return frozenset(a for a in every if holds(self.remains, every - {a}))

    @property
    def suffices(self) -> bool:
        """Whether each co-iterated access, present alone, leaves something to do."""
        return all(holds(self.remains, frozenset({a.access})) for a in self.coiterated)

    @property
    def depends(self) -> bool:
        """Whether it depends on the optional accesses if the loop visits its whole extent."""
        return not isinstance(self.everywhere, bool)

    def merged_iterators(
        self, alive: Collection[Active], absent: frozenset[Access] = frozenset()
    ) -> tuple[Active, ...]:
        """The iterators that are merged while those in `alive` are not exhausted; none when the loop is done.

        They are those that the lattice point of what can still be found merges, and those over full levels. A flagged
        loop merges all that are left, while something may be left to do without the optional accesses in `absent`.
        """
        if any(not a.is_sparse and a not in alive for a in self.coiterated):
            return ()
        found = frozenset(a.access for a in (*alive, *self.located) if a.is_sparse)
        if self.flagged:
            left = holds(self.remains, found | (self.optional - absent))
            return tuple(a for a in self.coiterated if a in alive) if left else ()
        point = self.lattice.point(found)
        if point is None:
            return ()
        return tuple(a for a in self.coiterated if a in alive and (a.access in point.merged or not a.is_sparse))

    def rounds(self) -> tuple[tuple[Active, ...], ...]:
        """The sets of iterators that are merged one after another as some are exhausted, larger ones first."""
        if not self.forks:
            return (self.coiterated,)
        sizes = range(len(self.coiterated), 0, -1)
        found = dict.fromkeys(
            self.merged_iterators(alive) for size in sizes for alive in combinations(self.coiterated, size)
        )
        return tuple(sorted((merged for merged in found if merged), key=len, reverse=True))

    def name(self) -> str:
        """The strategy in words, as in Figure 8."""
        own = ", ".join(a.access.tensor for a in self.coiterated)
        found = ", ".join(a.access.tensor for a in self.located)
        match len(self.coiterated), self.whole_extent:
            case 0, _:
                how = f"iterate every {self.index}"
            case _, True:
                how = f"iterate every {self.index} with {own} alongside"
            case 1, _:
                how = f"iterate {own}"
            case _:
                how = f"co-iterate {own}"
        conversions = [self.conversion(a) for a in self.coiterated]
        said = [c for c in conversions if c] + ([f"locate {found}"] if found else []) + (["fused"] * self.fused)
        return "; ".join([how, *said, *["empty where missing"] * self.flagged])

    def conversion(self, active: Active) -> str:
        """The iterator conversions of section 4.3 that an operand needs."""
        steps = []
        if not active.level.ordered and self.ordered:
            steps.append("reorder")
        if not active.level.unique and not self.fused:
            steps.append("deduplicate")
        return f"{' and '.join(steps)} {active.access.tensor}" if steps else ""


def choose_strategy(
    loop: Forall,
    bound: tuple[str, ...],
    formats: Mapping[str, Format],
    provenance: Provenance,
    background: Background,
    optional: frozenset[Access] = frozenset(),
) -> Strategy:
    """The strategy of a loop inside the loops `bound`, where the accesses in `optional` may have been found missing."""
    active = actives(loop, bound, formats, provenance, optional)
    sparse = tuple(a.access for a in active if a.is_sparse)
    lattice = Lattice(loop.body, sparse, background)
    settled = optional.intersection(reads(loop.body)).difference(sparse)
    remaining = remains(loop.body, settled.union(sparse), background)
    everywhere = assume(remaining, dict.fromkeys(sparse, False))
    driven = [a for a in active if not is_random_access(a.level)]
    needed = everywhere is True and all(a.is_sparse for a in driven)
    coiterated = without_located(driven, lattice, all_located=everywhere is True)
    unscanned = [a for a in coiterated if not is_scanned(a.level)]
    if len(unscanned) < len(coiterated) > 1:
        coiterated, needed = unscanned, True
    located = tuple(a for a in active if a not in coiterated)
    found = Strategy(loop.index, active, lattice, tuple(coiterated), located, needed, False, False)
    found = replace(found, optional=settled, remains=remaining, everywhere=everywhere)
    if found.forks or found.depends:
        many = optional.intersection(reads(loop.body)) or is_wide(loop.body, bound, formats, provenance)
        found = replace(found, flagged=bool(many))
    merging = len(coiterated) > 1 or ((needed or found.depends) and bool(coiterated))
    ordered = merging or appends(loop.body, formats)
    if len(coiterated) == 1 and not ordered:
        fused = fuses(loop, coiterated[0], bound, formats, provenance, background, found.uncertain)
    else:
        fused = fuses_merge(loop, found, bound, formats, provenance, background)
    return replace(found, ordered=ordered, fused=fused)


def strategies(program: Program, loop: Forall, bound: tuple[str, ...]) -> Iterator[Strategy]:
    """The strategies of the loops that a loop of a program stands for, outermost first."""
    formats, background = program.formats, background_of(program)
    for step, around in steps(loop, bound, program.provenance):
        yield choose_strategy(step, around, formats, program.provenance, background)


def is_wide(body: Statement, bound: tuple[str, ...], formats: Mapping[str, Format], provenance: Provenance) -> bool:
    """Whether a body inside the loops `bound` reads `MANY` operands that can miss coordinates, in any statements."""

    def misses(access: Access) -> bool:
        levels = formats[access.tensor].levels[known_depth(access, bound, provenance) :]
        return any(not level.full for level in levels)

    return sum(map(misses, reads(body))) >= MANY


def actives(
    loop: Forall,
    bound: tuple[str, ...],
    formats: Mapping[str, Format],
    provenance: Provenance,
    optional: frozenset[Access] = frozenset(),
) -> tuple[Active, ...]:
    """The accesses of the body with levels that become known at this loop."""
    found = []
    for access in reads(loop.body):
        before, after = known_depth(access, bound, provenance), known_depth(access, (*bound, loop.index), provenance)
        if after > before:
            level = formats[access.tensor].levels[before]
            found.append(Active(access, before, after, level, access in optional))
    return tuple(found)


def known_depth(access: Access, bound: Collection[str], provenance: Provenance) -> int:
    """How many leading levels of an access have their coordinates given by the loops in `bound`."""
    count = 0
    for variable in access.levels:
        if provenance.loops(variable, bound) is None:
            break
        count += 1
    return count


def without_located(driven: list[Active], lattice: Lattice, *, all_located: bool) -> list[Active]:
    """The levels that must be co-iterated."""
    chosen = list(driven)
    for candidate in reversed(driven):
        if not isinstance(candidate.level, Locate):
            continue
        rest = [a for a in chosen if a is not candidate]
        missing = frozenset(a.access for a in rest)
        if all_located or (rest and lattice.point(frozenset(lattice.sparse) - missing) is None):
            chosen = rest
    return chosen


def is_scanned(level: Level) -> bool:
    """Whether a level is iterated by looking at every coordinate: a loop that merges it visits all of them anyhow, and
    locates it there."""
    return not level.full and isinstance(level, CoordinateValueIteration) and isinstance(level, Locate)


def appends(s: Statement, formats: Mapping[str, Format]) -> bool:
    """Whether a statement writes to a tensor that must be visited in order."""
    return any(leaf.target.levels for leaf in assignments(s))


def fuses(
    loop: Forall,
    active: Active,
    bound: tuple[str, ...],
    formats: Mapping[str, Format],
    provenance: Provenance,
    background: Background,
    optional: frozenset[Access],
) -> bool:
    """Whether duplicates of a non-unique level may be visited one by one (section 4.4, fusing iterators).

    The levels below are branchless and merged with nothing, results are inserted, and repeated contributions add up:
    either components have no duplicates, or the value is linear in this operand.
    """
    rest = formats[active.access.tensor].levels[active.last :]
    if active.level.unique or not all(level.branchless for level in rest):
        return False
    body, inner = loop.body, (*bound, loop.index)
    while isinstance(body, Forall):
        for step, around in steps(body, inner, provenance):
            below = choose_strategy(step, around, formats, provenance, background, optional)
            mine = [a for a in below.active if a.access == active.access]
            if mine and (list(below.coiterated) != mine or below.whole_extent or below.depends):
                return False
            optional = below.uncertain
            inner = (*around, step.index)
        body = body.body
    if not isinstance(body, Assign) or body.mask is not None:
        return False
    return (bool(rest) and rest[-1].unique) or is_linear(body, active.access)


def fuses_merge(
    loop: Forall,
    strategy: Strategy,
    bound: tuple[str, ...],
    formats: Mapping[str, Format],
    provenance: Provenance,
    background: Background,
) -> bool:
    """Whether two chains of levels are merged by all their coordinates at once, rather than level by level.

    Only where one of the operands alone leaves something to do, so that every component is visited: level by level,
    loops over a few coordinates begin and end for each of them, which a processor does not foretell. What operands have
    in common is found faster level by level, since fibers without a partner are passed over. First levels are merged
    alone: what lies below one of their coordinates is long.
    """
    pair, chain = strategy.coiterated, [loop]
    if len(pair) != 2 or not strategy.forks or strategy.flagged or strategy.optional or loop.tags:
        return False
    if any(active.level.unique or not active.first for active in pair) or not is_plain_merge(strategy, pair):
        return False
    while isinstance(chain[-1].body, Forall):
        inner, around = chain[-1].body, (*bound, *(each.index for each in chain))
        below = choose_strategy(inner, around, formats, provenance, background)
        if inner.tags or not is_plain_merge(below, pair):
            return False
        chain.append(inner)
    indices, leaf = tuple(each.index for each in chain), chain[-1].body
    chains = (formats[a.access.tensor].levels[a.first :] for a in pair)
    return (
        all(a.access.levels[a.first :] == indices for a in pair)
        and all(is_chain(levels) for levels in chains)
        and isinstance(leaf, Assign)
        and leaf.mask is None
        and gives_in_turn(leaf, indices, formats)
    )


def is_plain_merge(strategy: Strategy, pair: tuple[Active, ...]) -> bool:
    """Whether a loop merges levels of two accesses, which alone tell where there is something to do."""
    accesses = tuple(a.access for a in pair)
    merged = tuple(a.access for a in strategy.coiterated)
    return merged == accesses and {*strategy.lattice.sparse} == {*accesses} and not strategy.whole_extent


def is_chain(levels: Sequence[Level]) -> bool:
    """Whether the levels below and including one that is not unique store tuples of coordinates in order, each once.
    Below such a level, formats have branchless levels alone."""
    return levels[-1].unique and all(level.ordered and level.compact for level in levels)


def gives_in_turn(leaf: Assign, indices: tuple[str, ...], formats: Mapping[str, Format]) -> bool:
    """Whether a result that is appended to has a component for each tuple of coordinates, and opens no fiber for some
    of them alone; or is not touched by these loops."""
    if set(indices).isdisjoint(leaf.target.levels):
        return True
    levels = zip(formats[leaf.target.tensor].levels, leaf.target.levels, strict=True)
    return set(indices) <= set(leaf.target.levels) and all(
        level.branchless or not isinstance(level, Append) for level, variable in levels if variable in indices
    )


def is_linear(leaf: Assign, access: Access) -> bool:
    """Whether contributions of duplicates may be reduced one by one instead of after adding them up."""
    return leaf.operator is DUPLICATES and distributes(leaf.value, lambda e: e == access, DUPLICATES)


def distributes(e: Expr, is_part: Callable[[Expr], bool], operator: Operator) -> bool:
    """Whether reducing a part of an expression, which occurs once, gives the same as reducing the expression."""
    if is_part(e):
        return True
    match e:
        case Access() | Literal() | Fill() | Reduce():
            return False
        case Apply(operator=outer, args=args):
            holding = [a for a in args if occurs(a, is_part)]
            return (
                len(holding) == 1
                and operator.name in outer.distributes_over
                and distributes(holding[0], is_part, operator)
            )


def occurs(e: Expr, is_part: Callable[[Expr], bool]) -> bool:
    """Whether a part stands anywhere in an expression."""
    return is_part(e) or (isinstance(e, Apply) and any(occurs(a, is_part) for a in e.args))
