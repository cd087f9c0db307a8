"""Iteration: the coordinates that a loop visits, with its operands placed (Chou 2018, section 4.4, Figures 8 and 9).

A loop runs over its range, over one level, over its range with levels alongside, or co-iterates several levels. Each
visit is a coordinate and the accesses that were met there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ..levels.iterators import Iterate, Pairs, Positions, children, iterator, locate_children, window
from ..levels.level import Coordinates, Level
from ..loops.plan import LoopPlan, Placement
from ..loops.presence import holds
from ..notation.syntax import Access
from .numbers import is_kept, limits, number
from .state import State

Visit = tuple[int, frozenset[Access]]
Keys = Iterator[tuple[Coordinates, Positions]]
NOTHING: frozenset[Access] = frozenset()
EXHAUSTED: tuple[Coordinates, Positions | None] = ((), None)


def visits(loop: LoopPlan, state: State) -> Iterator[Visit]:
    """The visits of a loop, by its strategy: none where a derived variable around has another value than follows."""
    strategy = loop.strategy
    if any(number(guard.left, state) != number(guard.right, state) for guard in loop.guards):
        return iter(())
    if not strategy.coiterated:
        return over_range(loop, state)
    if strategy.whole_extent or (strategy.depends and holds(strategy.everywhere, met_accesses(loop, state))):
        return alongside(loop, state)
    if len(strategy.coiterated) == 1 and not strategy.depends:
        return over_level(loop, state)
    return coiteration(loop, state)


def met_accesses(loop: LoopPlan, state: State) -> frozenset[Access]:
    """The optional accesses that the loops around have met."""
    return frozenset(a for a in loop.strategy.optional if not state.is_missing(a, loop.surroundings.known_depth(a)))


def over_range(loop: LoopPlan, state: State) -> Iterator[Visit]:
    """Every coordinate of the range, by its step.

    Those that a full level stores at positions to which its walk does not keep are left out.
    """
    narrowing = [p for p in loop.located if p.kept and p.active.level.full]
    for c in range(*limits(loop.range, state), number(loop.range.step, state)):
        if all(keeps(p, q, state) for p in narrowing if (q := position_of(p, c, state)) is not None):
            state.coordinates[loop.index] = c
            yield c, NOTHING


def over_level(loop: LoopPlan, state: State) -> Iterator[Visit]:
    """The coordinates of one level."""
    (placement,) = loop.coiterated
    met = frozenset({placement.active.access})
    for c, p in pairs(loop, placement, state):
        state.coordinates[loop.index] = c
        place(placement, p, c, state)
        yield c, met


def alongside(loop: LoopPlan, state: State) -> Iterator[Visit]:
    """Every coordinate of the range, with iterators that advance where they meet it."""
    heads = [Head(placement, keys(loop, placement, state)) for placement in loop.coiterated]
    for c in range(*limits(loop.range, state)):
        yield c, meet(loop, heads, (c,), state)


def coiteration(loop: LoopPlan, state: State) -> Iterator[Visit]:
    """The multi-way merge: a loop for each lattice point, over the least coordinate at any iterator of the point.

    When an iterator is exhausted, the merge goes on at the lattice point of those that are left.
    """
    every = {p.active: Head(p, keys(loop, p, state)) for p in loop.coiterated}
    absent = loop.strategy.optional - met_accesses(loop, state)
    while merged := loop.strategy.merged_iterators([a for a, head in every.items() if head.alive], absent):
        heads = [every[active] for active in merged]
        while all(head.alive for head in heads):
            least = min(head.key for head in heads)
            yield least[0], meet(loop, heads, least, state)


class Head(Struct):
    """An iterator over a level, and the coordinate at which it stands; by `key` it is compared with others: the
    coordinates of all levels that are merged at once."""

    placement: Placement
    walk: Keys
    key: Coordinates = ()
    position: Positions | None = None

    def __post_init__(self) -> None:
        self.advance()

    def advance(self) -> None:
        """Go on to the next coordinate."""
        self.key, self.position = next(self.walk, EXHAUSTED)

    @property
    def alive(self) -> bool:
        """Whether the iterator is not exhausted."""
        return self.position is not None


def meet(loop: LoopPlan, heads: list[Head], key: Coordinates, state: State) -> frozenset[Access]:
    """Place the accesses whose iterators stand at a coordinate, and advance those; the accesses that were met."""
    state.coordinates[loop.index] = key[0]
    met = []
    for head in heads:
        if head.position is not None and head.key == key:
            place(head.placement, head.position, key[0], state)
            met.append(head.placement.active.access)
            head.advance()
    return frozenset(met)


def pairs(loop: LoopPlan, placement: Placement, state: State) -> Pairs:
    """The coordinates of a level below where its access stands that belong here, with their positions."""
    active, standing = placement.active, state.standing(placement.active.access)
    parent = standing.positions[active.first]
    if parent is None:
        return iter(())
    source = state.sources[active.access.tensor]
    pairs_ = convert_iterator(loop, placement)(source.levels[active.first], parent, standing.paths[active.first])
    shift = number(placement.shift, state)
    if placement.window is not None:
        begin, end = limits(placement.window, state)
        pairs_ = window(pairs_, begin + shift, end + shift, shift, bool(active.level.ordered))
    if placement.kept:
        pairs_ = ((c, p) for c, p in pairs_ if keeps(placement, p, state))
    present = source.present
    if present is None or active.last < len(active.access.levels):
        return pairs_
    return ((c, p) for c, p in pairs_ if not isinstance(p, int) or present[p])


def keys(loop: LoopPlan, placement: Placement, state: State) -> Keys:
    """The coordinates of a level, each with those of the levels below that are merged at once, and their positions."""
    found, active = pairs(loop, placement, state), placement.active
    if not loop.strategy.merges_tuples:
        return (((c,), p) for c, p in found)
    levels, above = state.sources[active.access.tensor].levels, state.standing(active.access).paths[active.first]
    return ((descend(levels, p, (*above, c))[active.first :], p) for c, p in found)


def descend(levels: Sequence[Level], p: Positions, path: Coordinates) -> Coordinates:
    """A path down to the last level, where each has one child."""
    for level in levels[len(path) :]:
        assert isinstance(p, int)
        ((c, p),) = children(level, p, path)
        path = (*path, c)
    return path


def convert_iterator(loop: LoopPlan, placement: Placement) -> Iterate:
    """The iterator over a level, with the conversions that its use in the loop requires."""
    active = placement.active
    return iterator(
        active.level,
        loop.level_above(active),
        many=placement.duplicated,
        ordered=loop.strategy.ordered,
        unique=active.access not in loop.inside.fused,
    )


def keeps(placement: Placement, p: Positions, state: State) -> bool:
    """Whether a walk over a level keeps to a position."""
    return all(is_kept(kept, placement.active.first, p, state) for kept in placement.kept)


def place(placement: Placement, p: Positions, c: int, state: State) -> None:
    """Place an access at a position of the loop's coordinate, and in the levels below that are known with it."""
    active, standing = placement.active, state.standing(placement.active.access)
    below = active.first + 1
    standing.positions[below] = p
    if below == len(active.access.levels):
        return
    path = standing.paths[below] = (*standing.paths[active.first], c + number(placement.shift, state))
    levels = state.sources[active.access.tensor].levels
    for k, coordinate in enumerate(placement.later, below):
        path = (*path, number(coordinate, state))
        q = locate_children(levels[k], standing.positions[k], path)  # type: ignore[arg-type]
        standing.positions[k + 1], standing.paths[k + 1] = q, path


def locate(placement: Placement, c: int, state: State) -> bool:
    """Find the loop's coordinate in a level, and place the access there; whether it is there."""
    active, standing = placement.active, state.standing(placement.active.access)
    p = position_of(placement, c, state)
    standing.positions[active.last] = None
    if p is None:
        return False
    place(placement, p, c, state)
    present = state.sources[active.access.tensor].present
    if present is None or active.last < len(active.access.levels) or present[standing.positions[-1]]:
        return True
    standing.positions[active.last] = None
    return False


def position_of(placement: Placement, c: int, state: State) -> Positions | None:
    """Where a level stores the loop's coordinate, below the position of its access; None if nowhere."""
    active, standing = placement.active, state.standing(placement.active.access)
    parent, path = standing.positions[active.first], standing.paths[active.first]
    if parent is None:
        return None
    level = state.sources[active.access.tensor].levels[active.first]
    return locate_children(level, parent, (*path, c + number(placement.shift, state)))  # type: ignore[arg-type]
