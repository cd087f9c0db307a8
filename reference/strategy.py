"""How each loop merges its operands: which levels are co-iterated, and which are located (Chou 2018, section 4.4).

Figure 8 and the recursive `Coiter` are one rule here. Co-iterating a set of levels visits every coordinate that any
of them holds; a level that offers `locate` can be left out of the set if, wherever all of the set is missing, there
is nothing to compute. Levels on the right are left out first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from .expansion import steps
from .format import Format
from .iteration_graph import is_random_access
from .lattice import Lattice
from .levels.level import Level, Locate
from .operator import Operator
from .operators import DUPLICATES
from .provenance import Provenance
from .provenance_graph import ProvenanceGraph
from .statement import Assign, Forall, Program, Statement, assignments, reads
from .substitution import Background, background_of
from .syntax import Access, Apply, Expr, Fill, Literal, Reduce

UNSCHEDULED = ProvenanceGraph()


@dataclass(frozen=True, slots=True)
class Active:
    """An access with levels `first` to `last - 1` that become known in one loop; only `first` is iterated."""

    access: Access
    first: int
    last: int
    level: Level

    @property
    def is_sparse(self) -> bool:
        """Whether the access can miss coordinates of the loop variable."""
        return not self.level.full


@dataclass(frozen=True, slots=True)
class Strategy:
    """The plan of one loop.

    `coiterated` are merged in step, `located` are found at each coordinate so visited; with `whole_extent` the loop
    also visits the coordinates that none of them holds. `ordered` and `unique` say what iterators must provide;
    `fused` that this loop and the next run as one over a chain of branchless levels.
    """

    index: str
    active: tuple[Active, ...]
    lattice: Lattice
    coiterated: tuple[Active, ...]
    located: tuple[Active, ...]
    whole_extent: bool
    ordered: bool
    fused: bool

    def needed(self, alive: Collection[Active]) -> tuple[Active, ...]:
        """The iterators that are merged while those in `alive` are not exhausted; none when the loop is done.

        They are those that the lattice point of what can still be found merges, and those over full levels.
        """
        if any(not a.is_sparse and a not in alive for a in self.coiterated):
            return ()
        found = frozenset(a.access for a in (*alive, *self.located) if a.is_sparse)
        point = self.lattice.point(found)
        if point is None:
            return ()
        return tuple(a for a in self.coiterated if a in alive and (a.access in point.merged or not a.is_sparse))

    def rounds(self) -> tuple[tuple[Active, ...], ...]:
        """The sets of iterators that are merged together at some time, larger first: those merged first."""
        sizes = range(len(self.coiterated), 0, -1)
        found = dict.fromkeys(self.needed(alive) for size in sizes for alive in combinations(self.coiterated, size))
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
        return "; ".join([how, *said])

    def conversion(self, active: Active) -> str:
        """The iterator conversions of section 4.3 that an operand needs."""
        steps = []
        if not active.level.ordered and self.ordered:
            steps.append("reorder")
        if not active.level.unique and not self.fused:
            steps.append("deduplicate")
        return f"{' and '.join(steps)} {active.access.tensor}" if steps else ""


def plan(
    loop: Forall,
    bound: tuple[str, ...],
    formats: Mapping[str, Format],
    provenance: Provenance,
    background: Background,
    derivations: ProvenanceGraph = UNSCHEDULED,
) -> Strategy:
    """The strategy of a loop inside the loops `bound`; `derivations` are those of a schedule."""
    active = actives(loop, bound, formats, provenance)
    sparse = tuple(a.access for a in active if a.is_sparse)
    lattice = Lattice(loop.body, sparse, background)
    driven = [a for a in active if not is_random_access(a.level)]
    needed = lattice.covers_extent() and all(a.is_sparse for a in driven)
    coiterated = without_located(driven, lattice, all_located=lattice.covers_extent())
    located = tuple(a for a in active if a not in coiterated)
    merging = len(coiterated) > 1 or (needed and bool(coiterated))
    ordered = merging or appends(loop.body, formats)
    fused = (
        len(coiterated) == 1
        and not ordered
        and fuses(loop, coiterated[0], bound, formats, provenance, background, derivations)
    )
    return Strategy(loop.index, active, lattice, tuple(coiterated), located, needed, ordered, fused)


def strategies(program: Program, loop: Forall, bound: tuple[str, ...]) -> Iterator[Strategy]:
    """The strategies of the loops that a loop of a program stands for, outermost first."""
    formats, background = dict(program.formats), background_of(program)
    for step, around in steps(loop, bound, program.derivations):
        yield plan(step, around, formats, program.provenance, background, program.derivations)


def actives(
    loop: Forall, bound: tuple[str, ...], formats: Mapping[str, Format], provenance: Provenance
) -> tuple[Active, ...]:
    """The accesses of the body with levels that become known at this loop."""
    found = []
    for access in reads(loop.body):
        before, after = known(access, bound, provenance), known(access, (*bound, loop.index), provenance)
        if after > before:
            found.append(Active(access, before, after, formats[access.tensor].levels[before]))
    return tuple(found)


def known(access: Access, bound: Collection[str], provenance: Provenance) -> int:
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
    derivations: ProvenanceGraph,
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
        for step, around in steps(body, inner, derivations):
            below = plan(step, around, formats, provenance, background, derivations)
            mine = [a for a in below.active if a.access == active.access]
            if mine and (list(below.coiterated) != mine or below.whole_extent):
                return False
            inner = (*around, step.index)
        body = body.body
    if not isinstance(body, Assign) or body.mask is not None:
        return False
    return (bool(rest) and rest[-1].unique) or is_linear(body, active.access)


def is_linear(leaf: Assign, access: Access) -> bool:
    """Whether contributions of duplicates may be reduced one by one instead of after adding them up."""
    return leaf.operator is DUPLICATES and distributes(leaf.value, lambda e: e == access, DUPLICATES)


def distributes(e: Expr, is_part: Callable[[Expr], bool], operator: Operator) -> bool:
    """Whether an expression distributes over a reduction of a part of it, which occurs once."""
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
