"""How a loop merges its operands: which levels are co-iterated, and which are located (Chou 2018, section 4.4).

Figure 8 and the recursive `Coiter` are one rule here. Co-iterating a set of levels visits every coordinate that any
of them holds; a level that offers `locate` can be left out of the set if, wherever all of the set is missing, there
is nothing to compute. Levels whose fiber the fewest loops around choose are left out first, of these those on the
right. A level stays if the others would be visited whole for each fiber that it has.

A case for every lattice point is a tower of code: `n` operands have up to `2^n` points, each with all loops inside it.
From three operands on, in whichever statements they are read, there is one body instead, in which an absent operand is
an *empty fiber* with its fill: loops inside find nothing below it, and what is stored depends on what is present
(`presence.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from msgspec.structs import replace

from ..levels.level import CoordinateValueIteration, Level, Locate
from ..notation.syntax import Access
from ..statement.iteration_graph import is_random_access
from ..statement.provenance import Provenance
from ..statement.statement import Forall, Program, Statement, assignments, reads
from ..statement.substitution import background_of
from .lattice import Lattice
from .presence import assume, remains
from .strategy import Active, Strategy

MANY = 3


def merge_strategy(
    program: Program, loop: Forall, bound: tuple[str, ...], optional: frozenset[Access] = frozenset()
) -> Strategy:
    """How a loop inside the loops `bound` merges its operands if it is not fused with the loops inside it. The accesses
    in `optional` may have been found missing."""
    background = background_of(program)
    active = actives(program, loop, bound, optional)
    sparse = tuple(a.access for a in active if a.is_sparse)
    lattice = Lattice(loop.body, sparse, background)
    settled = optional.intersection(reads(loop.body)).difference(sparse)
    remaining = remains(loop.body, settled.union(sparse), background)
    everywhere = assume(remaining, dict.fromkeys(sparse, False))
    driven = [a for a in active if not is_random_access(a.level)]
    needed = everywhere is True and all(a.is_sparse for a in driven)
    above = {a: loops_above(a, bound, program.provenance) for a in driven}
    coiterated = without_located(above, lattice, all_located=everywhere is True)
    merged = len(coiterated) > 1
    listed = [a for a in coiterated if not ((merged and is_scanned(a.level)) or is_sifted(a, loop, bound, program))]
    if len(listed) < len(coiterated):
        coiterated, needed = listed, True
    located = tuple(a for a in active if a not in coiterated)
    found = Strategy(loop.index, active, lattice, tuple(coiterated), located, needed, False, False)
    found = replace(found, optional=settled, remains=remaining, everywhere=everywhere)
    if found.forks or found.depends:
        many = optional.intersection(reads(loop.body)) or is_wide(program, loop.body, bound)
        found = replace(found, flagged=bool(many))
    merging = found.merges or ((needed or found.depends) and bool(coiterated))
    return replace(found, ordered=merging or appends(loop.body))


def is_wide(program: Program, body: Statement, bound: tuple[str, ...]) -> bool:
    """Whether a body inside the loops `bound` reads `MANY` operands that can miss coordinates, in any statements."""

    def misses(access: Access) -> bool:
        levels = program.formats[access.tensor].levels[known_depth(access, bound, program.provenance) :]
        return any(not level.full for level in levels)

    return sum(map(misses, reads(body))) >= MANY


def actives(
    program: Program, loop: Forall, bound: tuple[str, ...], optional: frozenset[Access] = frozenset()
) -> tuple[Active, ...]:
    """The accesses of the body with levels that become known at this loop."""
    found, graph = [], program.provenance
    for access in reads(loop.body):
        before, after = known_depth(access, bound, graph), known_depth(access, (*bound, loop.index), graph)
        if after > before:
            level = program.formats[access.tensor].levels[before]
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


def loops_above(active: Active, bound: Collection[str], provenance: Provenance) -> frozenset[str]:
    """The loops, of those in `bound`, that tell in which fiber an iterator is."""
    found = (provenance.loops(variable, bound) or () for variable in active.access.levels[: active.first])
    return frozenset(loop for loops in found for loop in loops)


def without_located(driven: Mapping[Active, frozenset[str]], lattice: Lattice, *, all_located: bool) -> list[Active]:
    """The levels that must be co-iterated, of those that have to be iterated or located. Each has the loops around
    that tell in which fiber it is."""
    chosen = list(driven)
    for candidate in sorted(chosen, key=lambda a: (len(driven[a]), -chosen.index(a))):
        rest = [a for a in chosen if a is not candidate]
        found = all_located or (suffice(rest, lattice) and not is_repeated(rest, candidate, driven))
        if found and isinstance(candidate.level, Locate):
            chosen = rest
    return chosen


def suffice(actives: Iterable[Active], lattice: Lattice) -> bool:
    """Whether there are any, and nothing is left to do where all of them are missing."""
    missing = frozenset(a.access for a in actives)
    return bool(missing) and lattice.point(frozenset(lattice.sparse) - missing) is None


def is_repeated(rest: Iterable[Active], candidate: Active, above: Mapping[Active, frozenset[str]]) -> bool:
    """Whether loops would visit all coordinates of the rest again for each fiber of a candidate. The rest is in order,
    so that in a merge the candidate's coordinates are sought there."""
    return not is_scanned(candidate.level) and all(a.level.ordered and above[a] < above[candidate] for a in rest)


def is_sifted(active: Active, loop: Forall, bound: tuple[str, ...], program: Program) -> bool:
    """Whether a loop over the coordinates of a block would go through a whole level that has no order, but offers
    `locate`."""
    loops = program.provenance.loops(active.access.levels[active.first], (*bound, loop.index))
    return isinstance(active.level, Locate) and not active.level.ordered and loops != (loop.index,)


def is_scanned(level: Level) -> bool:
    """Whether a level is iterated by looking at every coordinate: a loop that merges it visits all of them anyhow, and
    locates it there."""
    return not level.full and isinstance(level, CoordinateValueIteration) and isinstance(level, Locate)


def appends(s: Statement) -> bool:
    """Whether a statement writes to a tensor that must be visited in order."""
    return any(leaf.target.levels for leaf in assignments(s))
