"""The strategy of a loop: how it merges its operands, and which of their iterators are converted (Chou 2018, sections
4.3 and 4.4). `merging.py` and `fusing.py` choose it."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

from msgspec import Struct

from ..levels.level import Level
from ..notation.syntax import Access
from ..statement.iteration_graph import is_random_access
from .lattice import Lattice
from .presence import Presence, holds


class Active(Struct, frozen=True):
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


class Strategy(Struct, frozen=True):
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
    def merges(self) -> bool:
        """Whether levels of several operands are merged in step."""
        return len(self.coiterated) > 1

    @property
    def merges_tuples(self) -> bool:
        """Whether these are merged by their coordinates in this loop and all those inside it together."""
        return self.fused and self.merges

    @property
    def forks(self) -> bool:
        """Whether there is something to do where one of the sparse accesses alone is missing: cases differ then."""
        return not all(map(self.needs, self.lattice.sparse))

    def needs(self, access: Access) -> bool:
        """Whether there is nothing to do where one of the sparse accesses alone is missing."""
        every = self.optional | frozenset(self.lattice.sparse)
        return not holds(self.remains, every - {access})

    @property
    def uncertain(self) -> frozenset[Access]:
        """The accesses that may be missing where the body of the loop runs."""
        if self.forks and not self.flagged:
            return frozenset()
        return frozenset(a for a in (*self.optional, *self.lattice.sparse) if not self.needs(a))

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
