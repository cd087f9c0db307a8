"""Merging the levels of one loop: the code of section 4.4, run instead of emitted (Chou 2018, Figures 8 and 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

from ..levels.iterators import Pairs, Positions, found_at, iterator, window
from ..loops.lattice import Point
from ..loops.presence import holds
from ..loops.strategy import Active, Strategy
from ..notation.syntax import Access
from ..statement.provenance import Same, Split
from ..statement.statement import Statement
from .parallel import Iterations
from .spaces import Spaces
from .state import Context, State

Run = Callable[[], None]
Bounds = Callable[[], tuple[int, int]]
Merged = tuple[Callable[[], Pairs], Callable[[Positions, int], None], int, Callable[[], int] | None]


class Loop:
    """One loop of a statement, compiled to a function of the state.

    Accesses that may be missing are numbered; a set of them is a bit mask, and the lattice point of each mask that
    occurs is compiled once. A flagged loop has one body: there a missing access stands at no position.
    """

    def __init__(
        self,
        state: State,
        spaces: Spaces,
        strategy: Strategy,
        context: Context,
        statement: Callable[[Statement, Context], Run],
        parallel: dict[str, Iterations] | None,
    ) -> None:
        self.state = state
        self.spaces = spaces
        self.statement = statement
        self.parallel = parallel
        self.strategy = strategy
        self.context = context
        self.index = strategy.index
        self.sparse = strategy.lattice.sparse
        self.bits = {access: 1 << n for n, access in enumerate((*self.sparse, *strategy.optional))}
        self.tiled = bool(state.derivations.uses(self.index))
        made = state.derivations.relation_of(self.index)
        self.completes = made is not None and state.derivations.is_derivable(self.index, context.bound)
        self.counts = state.trace.iterations if self.index in state.scheduled else Counter()
        self.bodies: dict[int, Run | None] = {}
        self.points: dict[int, Point | None] = {}
        self.inner = self.inside()
        self.bounds = self.extent()

    def inside(self) -> Context:
        """The context of the body."""
        fused = self.context.fused
        if self.strategy.fused:
            fused |= {self.strategy.coiterated[0].access}
        many = set(self.context.many)
        for a in self.strategy.active:
            if a.access not in fused and not a.level.unique:
                many.add(a.access)
        bound, optional = (*self.context.bound, self.index), self.strategy.uncertain
        return replace(self.context, bound=bound, many=frozenset(many), fused=fused, optional=optional)

    def extent(self) -> Bounds:
        """The values that the loop variable ranges over."""
        return self.spaces.looped(self.index, self.context.bound, self.dimension())

    def dimension(self) -> Bounds:
        """The coordinates of an original variable."""
        state = self.state
        coordinates, extents, index = state.coordinates, state.extents, self.index
        match state.provenance.derived_from(index):
            case Same(original=original):
                recover = state.recovery(original, self.context)

                def same() -> tuple[int, int]:
                    c = recover()
                    return c, c + 1

                return same
            case Split(parent=parent, outer=outer, inner=inner, factor=factor) if inner == index:
                return lambda: (0, min(factor, extents[parent] - coordinates[outer] * factor))
            case _:
                return lambda: (0, extents[index])

    def compiled(self) -> Run:
        """The loop as a function."""
        strategy = self.strategy
        if not strategy.coiterated:
            return self.over_extent()
        if strategy.whole_extent:
            return self.alongside()
        if strategy.depends:
            return self.by_what_is_around()
        if len(strategy.coiterated) == 1:
            return self.single()
        return self.coiteration()

    def point(self, present: int) -> Point | None:
        """The lattice point for a set of present accesses."""
        if present not in self.points:
            self.points[present] = self.strategy.lattice.point(self.held(present))
        return self.points[present]

    def body(self, present: int) -> Run | None:
        """What to run where exactly these accesses are present."""
        if present not in self.bodies:
            if self.strategy.flagged:
                self.bodies[present] = self.whole if holds(self.strategy.remains, self.held(present)) else None
                return self.bodies[present]
            point = self.point(present)
            self.bodies[present] = None if point is None else self.statement(point.statement, self.inner)
        return self.bodies[present]

    @cached_property
    def whole(self) -> Run:
        """The body of a flagged loop."""
        return self.statement(self.strategy.lattice.body, self.inner)

    def held(self, present: int) -> frozenset[Access]:
        """The accesses in a bit mask."""
        return frozenset(a for a, bit in self.bits.items() if present & bit)

    def around(self) -> Callable[[], int]:
        """The optional accesses that the loops around have found."""
        known = [(*self.state.standing(a, self.context), self.bits[a]) for a in self.strategy.optional]
        return lambda: sum(bit for positions, k, bit in known if positions[k] is not None)

    def collected(self, present: int) -> Run | None:
        """The body, to be run when all iterations of a parallel loop are known."""
        run, parallel, index = self.body(present), self.parallel, self.index
        coordinates = self.state.coordinates
        if run is None or parallel is None:
            return run

        def collect() -> None:
            parallel[index].collect(coordinates[index], run)

        return collect

    def placer(self, active: Active) -> Callable[[Positions, int], None]:
        """Record where an access stands, and find the levels that were waiting for this loop."""
        positions, paths = self.state.standing_at(active.access)
        first, last = active.first, active.last
        depth = len(active.access.levels)
        later = [self.state.recovery(v, self.inner) for v in active.access.levels[first + 1 : last]]
        name, sources = active.access.tensor, self.state.sources

        def place(p: Positions, c: int) -> None:
            positions[first + 1] = p
            if first + 1 < depth:
                path = paths[first + 1] = (*paths[first], c)
                for k, recover in enumerate(later, first + 1):
                    path = (*path, recover())
                    found = found_at(sources[name].levels[k], positions[k], path)  # type: ignore[arg-type]
                    positions[k + 1], paths[k + 1] = found, path

        def bare(p: Positions, c: int) -> None:
            positions[first + 1] = p

        return place if first + 1 < depth else bare

    def shift(self, active: Active) -> Callable[[], int] | None:
        """What to add to the loop's coordinate to get the level's, inside the block of a split variable."""
        variable = active.access.levels[active.first]
        if variable == self.index:
            return None
        split = next(s for s in self.state.provenance.splits(variable) if s.inner == self.index)
        coordinates = self.state.coordinates
        return lambda: coordinates[split.outer] * split.factor

    def locator(self, active: Active) -> Callable[[int], bool]:
        """Find the loop's coordinate in a level; whether it is there."""
        positions, paths = self.state.standing_at(active.access)
        place, shift = self.placer(active), self.shift(active)
        first, last, name, sources = active.first, active.last, active.access.tensor, self.state.sources
        checks = name in self.state.workspaces and active.last == len(active.access.levels)

        def locate(c: int) -> bool:
            positions[last] = None
            if positions[first] is None:
                return False
            source = sources[name]
            if shift is not None:
                c += shift()
            p = found_at(source.levels[first], positions[first], (*paths[first], c))  # type: ignore[arg-type]
            if p is None:
                return False
            place(p, c)
            if checks and source.present is not None and not source.present[positions[-1]]:
                positions[last] = None
                return False
            return True

        return locate

    def iterates(self, active: Active) -> Callable[[], Pairs]:
        """Iterate a level from where its access stands, in the window of the loop."""
        positions, paths = self.state.standing_at(active.access)
        first, name, sources = active.first, active.access.tensor, self.state.sources
        levels = self.state.formats[name].levels
        converted = iterator(
            levels[first],
            levels[first - 1] if first else None,
            many=active.access in self.context.many,
            ordered=self.strategy.ordered,
            unique=active.access not in self.inner.fused,
        )
        shift = self.shift(active)
        relation = self.state.provenance.derived_from(self.index)
        narrow = shift is not None or isinstance(relation, Same) or self.tiled or self.completes
        ordered = bool(levels[first].ordered)
        bounds = self.bounds

        def plain() -> Pairs:
            if positions[first] is None:
                return iter(())
            return converted(sources[name].levels[first], positions[first], paths[first])

        def narrowed() -> Pairs:
            begin, end = bounds()
            base = 0 if shift is None else shift()
            return window(plain(), begin + base, end + base, base, ordered)

        walk = narrowed if narrow else plain
        if name not in self.state.workspaces or active.last < len(active.access.levels):
            return walk

        def present() -> Pairs:
            if positions[first] is None:
                return iter(())
            held = sources[name].present
            return ((c, p) for c, p in walk() if held is None or not isinstance(p, int) or held[p])

        return present

    def found(self) -> Callable[[int, int], int]:
        """Locate everything that is not iterated; the accesses then present."""
        every = [(self.locator(a), self.bits.get(a.access, 0)) for a in self.strategy.located]

        def locate_all(c: int, present: int) -> int:
            for locate, bit in every:
                if locate(c):
                    present |= bit
            return present

        return locate_all

    def finisher(self) -> Callable[[int, int], None]:
        """What to do at a coordinate where some accesses are known to be present: locate the rest, run the body."""
        coordinates, index = self.state.coordinates, self.index
        body = self.body if self.parallel is None else self.collected
        if self.strategy.flagged:
            return self.flagged(body)
        if not self.strategy.located:

            def direct(c: int, present: int) -> None:
                coordinates[index] = c
                run = body(present)
                if run is not None:
                    run()

            return direct
        locate_all = self.found()

        def located(c: int, present: int) -> None:
            coordinates[index] = c
            run = body(locate_all(c, present))
            if run is not None:
                run()

        return located

    def flagged(self, body: Callable[[int], Run | None]) -> Callable[[int, int], None]:
        """The same in a flagged loop, where levels that were not met stand nowhere."""
        coordinates, index, around, locate_all = self.state.coordinates, self.index, self.around(), self.found()
        met = [
            (self.state.standing_at(a.access)[0], a.last, self.bits.get(a.access, 0)) for a in self.strategy.coiterated
        ]

        def finish(c: int, present: int) -> None:
            coordinates[index] = c
            for positions, last, bit in met:
                if bit and not present & bit:
                    positions[last] = None
            run = body(locate_all(c, present) | around())
            if run is not None:
                run()

        return finish

    def by_what_is_around(self) -> Run:
        """Every coordinate of the extent, if what the loops around have found leaves something to do there."""
        along, merge, around, everywhere = self.alongside(), self.coiteration(), self.around(), self.strategy.everywhere

        def run() -> None:
            (along if holds(everywhere, self.held(around())) else merge)()

        return run

    def over_extent(self) -> Run:
        """Every coordinate of the extent, locating everything."""
        finish, bounds, counts, index = self.finisher(), self.bounds, self.counts, self.index

        def run() -> None:
            begin, end = bounds()
            counts[index] += max(0, end - begin)
            for c in range(begin, end):
                finish(c, 0)

        return run

    def single(self) -> Run:
        """The coordinates of one level."""
        active = self.strategy.coiterated[0]
        walk, place, finish = self.iterates(active), self.placer(active), self.finisher()
        bit = self.bits.get(active.access, 0)
        shift = self.shift(active)
        counts, index = self.counts, self.index

        def run() -> None:
            visited = 0
            base = 0 if shift is None else shift()
            for c, p in walk():
                visited += 1
                place(p, c + base)
                finish(c, bit)
            counts[index] += visited

        return run

    def merged(self) -> list[Merged]:
        """For each co-iterated level: its iterator, its placer, its bit and its shift."""
        return [
            (self.iterates(a), self.placer(a), self.bits.get(a.access, 0), self.shift(a))
            for a in self.strategy.coiterated
        ]

    def alongside(self) -> Run:
        """Every coordinate of the extent, with iterators that advance where they meet it."""
        parts, finish, bounds = self.merged(), self.finisher(), self.bounds
        counts, index = self.counts, self.index

        def run() -> None:
            begin, end = bounds()
            counts[index] += max(0, end - begin)
            walks = [walk() for walk, _, _, _ in parts]
            heads = [next(walk, None) for walk in walks]
            bases = [0 if shift is None else shift() for _, _, _, shift in parts]
            for c in range(begin, end):
                present = 0
                for n, head in enumerate(heads):
                    if head is not None and head[0] == c:
                        parts[n][1](head[1], c + bases[n])
                        present |= parts[n][2]
                        heads[n] = next(walks[n], None)
                finish(c, present)

        return run

    def needed(self, alive: int, around: int) -> tuple[int, ...]:
        """Which iterators are merged while those of a bit mask are not exhausted; none when the loop is done."""
        coiterated, absent = self.strategy.coiterated, self.strategy.optional - self.held(around)
        merged = self.strategy.needed([a for n, a in enumerate(coiterated) if alive & (1 << n)], absent)
        return tuple(n for n, a in enumerate(coiterated) if a in merged)

    def coiteration(self) -> Run:
        """The multi-way merge: visit the least coordinate at any needed iterator, then advance those that held it."""
        parts, finish = self.merged(), self.finisher()
        counts, index, memo = self.counts, self.index, {}
        everyone, needed, around = range(len(parts)), self.needed, self.around()

        def run() -> None:
            walks = [walk() for walk, _, _, _ in parts]
            heads: list[Any] = [next(walk, None) for walk in walks]
            bases = [0 if shift is None else shift() for _, _, _, shift in parts]
            visited, there = 0, around()
            while True:
                alive = sum(1 << n for n in everyone if heads[n] is not None)
                if (alive, there) not in memo:
                    memo[alive, there] = needed(alive, there)
                merged = memo[alive, there]
                if not merged:
                    break
                c = min(heads[n][0] for n in merged)
                visited += 1
                present = 0
                for n in merged:
                    head = heads[n]
                    if head[0] == c:
                        parts[n][1](head[1], c + bases[n])
                        present |= parts[n][2]
                        heads[n] = next(walks[n], None)
                finish(c, present)
            counts[index] += visited

        return run
