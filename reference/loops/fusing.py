"""Fused iterators: loops that run as one over chains of branchless levels (Chou 2018, section 4.4).

Either duplicates of one operand are visited one by one, or two operands are merged by whole tuples of coordinates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from ..levels.level import Level, makes_positions
from ..notation.syntax import Access
from ..statement.expansion import steps
from ..statement.linearity import is_linear
from ..statement.statement import Assign, Forall, Program
from ..storage.format import Format
from .merging import merge_strategy
from .strategy import Active, Strategy


def choose_strategy(
    program: Program, loop: Forall, bound: tuple[str, ...], optional: frozenset[Access] = frozenset()
) -> Strategy:
    """The strategy of a loop inside the loops `bound`, where the accesses in `optional` may have been found missing."""
    found = merge_strategy(program, loop, bound, optional)
    return replace(found, fused=is_fused(program, loop, bound, found))


def strategies(program: Program, loop: Forall, bound: tuple[str, ...]) -> Iterator[Strategy]:
    """The strategies of the loops that a loop of a program stands for, outermost first."""
    for step, around in steps(loop, bound, program.provenance):
        yield choose_strategy(program, step, around)


def is_fused(program: Program, loop: Forall, bound: tuple[str, ...], strategy: Strategy) -> bool:
    """Whether a loop and those inside it run as one over chains of branchless levels."""
    match strategy.coiterated:
        case (active,):
            return fuses_duplicates(program, loop, bound, strategy, active)
        case (left, right):
            return fuses_merge(program, loop, bound, strategy, (left, right))
        case _:
            return False


def fuses_duplicates(
    program: Program, loop: Forall, bound: tuple[str, ...], strategy: Strategy, active: Active
) -> bool:
    """Whether duplicates of a non-unique level may be visited one by one (section 4.4, fusing iterators).

    The levels below are branchless and merged with nothing, and repeated contributions add up: either components have
    no duplicates, or the value is linear in this operand. Results are inserted, or a component is appended to them for
    each tuple of coordinates, as which they store it.
    """
    levels = program.formats[active.access.tensor].levels
    rest = levels[active.last :]
    if active.level.unique or not all(level.branchless for level in rest):
        return False
    body, inner, optional = loop.body, (*bound, loop.index), strategy.uncertain
    while isinstance(body, Forall):
        for step, around in steps(body, inner, program.provenance):
            below = merge_strategy(program, step, around, optional)
            mine = [a for a in below.active if a.access == active.access]
            if mine and (list(below.coiterated) != mine or below.whole_extent or below.depends):
                return False
            optional = below.uncertain
            inner = (*around, step.index)
        body = body.body
    if not isinstance(body, Assign) or body.mask is not None:
        return False
    if strategy.ordered:
        chain = active.access.levels[active.first :]
        together = inner[len(bound) :][: len(chain)] == chain
        return together and is_chain(levels[active.first :]) and gives_each(body, chain, program.formats)
    return (bool(rest) and rest[-1].unique) or is_linear(body, active.access)


def fuses_merge(
    program: Program, loop: Forall, bound: tuple[str, ...], strategy: Strategy, pair: tuple[Active, Active]
) -> bool:
    """Whether two chains of levels are merged by all their coordinates at once, rather than level by level.

    Only where one of the operands alone leaves something to do, so that every component is visited: level by level,
    loops over a few coordinates begin and end for each of them, which a processor does not foretell. What operands have
    in common is found faster level by level, since fibers without a partner are passed over. First levels are merged
    alone: what lies below one of their coordinates is long.
    """
    chain, formats = [loop], program.formats
    if not strategy.forks or strategy.flagged or strategy.optional or loop.tags:
        return False
    if any(active.level.unique or not active.first for active in pair) or not is_plain_merge(strategy, pair):
        return False
    while isinstance(chain[-1].body, Forall):
        inner, around = chain[-1].body, (*bound, *(each.index for each in chain))
        below = merge_strategy(program, inner, around)
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


def gives_each(leaf: Assign, indices: tuple[str, ...], formats: Mapping[str, Format]) -> bool:
    """Whether a result that is appended to has a component for each tuple of coordinates, stored as such a tuple: below
    a level that is not unique, formats have levels with one coordinate for each position alone."""
    levels = [level for level, v in levels_of(leaf.target, formats) if v in indices]
    return set(indices) <= set(leaf.target.levels) and not any(level.unique for level in levels[:-1])


def levels_of(target: Access, formats: Mapping[str, Format]) -> Iterator[tuple[Level, str]]:
    """The levels of a result, each with the variable that it stores."""
    return zip(formats[target.tensor].levels, target.levels, strict=True)


def gives_in_turn(leaf: Assign, indices: tuple[str, ...], formats: Mapping[str, Format]) -> bool:
    """Whether a result that is appended to has a component for each tuple of coordinates, and opens no fiber for some
    of them alone; or is not touched by these loops."""
    if set(indices).isdisjoint(leaf.target.levels):
        return True
    return set(indices) <= set(leaf.target.levels) and not any(
        makes_positions(level) for level, v in levels_of(leaf.target, formats) if v in indices
    )
