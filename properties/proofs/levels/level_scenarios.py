"""Small levels assembled by appending: every way to append a few coordinates, in pieces."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Any

from ....reference.levels.level import Level
from ..verdict import Values
from .level_instances import BROKEN, EXTENT, PARAMETER, PARENTS, Elements, Small

Pieces = tuple[tuple[int, ...], ...]
JUNK = 7
MANY = 2
"""Coordinates in a piece, and pieces of a fiber."""


def fibers(level: Level, N: int) -> Iterator[Pieces]:
    """The pieces in which a fiber may be appended."""
    for n in range(MANY + 2):
        for c in choose_coordinates(level, N, n):
            yield from ((c[:cut], c[cut:]) if cut else (c,) for cut in range(max(n, 1)))


def choose_coordinates(level: Level, N: int, n: int) -> Iterator[tuple[int, ...]]:
    """Coordinates that a level takes, in the order in which it takes them."""
    match bool(level.ordered), bool(level.unique):
        case True, True:
            return combinations(range(N), n)
        case True, False:
            return combinations_with_replacement(range(N), n)
        case False, True:
            return permutations(range(N), n)
        case _:
            return product(range(N), repeat=n)


def check_append(level: Level) -> Iterator[Values]:
    """Where iteration gives something else than was appended."""
    names = [name for name, role in level.roles().items() if role == "parameter"]
    for parents, N, *values in product(range(PARENTS + 1), range(EXTENT + 1), *[range(PARAMETER)] * len(names)):
        known = {**dict(zip(names, values, strict=True)), "N": N, "M": 0}
        plans = single_fibers(level, N) if level.branchless or level.padded else fibers(level, N)
        for plan in product(list(plans), repeat=parents):
            if not (level.full and any(len({c for piece in f for c in piece}) < N for f in plan)):
                yield from wrong(level, plan, N, known)


def single_fibers(level: Level, N: int) -> Iterator[Pieces]:
    """One coordinate, or none where a position can be left blank."""
    yield from (((c,),) for c in range(N))
    if level.padded:
        yield ()


def wrong(level: Level, plan: tuple[Pieces, ...], N: int, known: dict[str, int]) -> Iterator[Values]:
    """What is wrong with a level after the fibers of a plan have been appended."""
    is_single = bool(level.branchless or level.padded)
    parents = len(plan)
    size = parents if is_single else sum(len(piece) for fiber in plan for piece in fiber)
    small = blank(level, parents, size, N, known)
    if small is None:
        return
    try:
        expected = assemble(small, plan, is_single)
        found = [small.children(p, next(small.paths(p))) for p in range(parents)]
        if not small.is_valid() or found != expected:
            yield small.print_values(appended=plan, children=found)
    except BROKEN as error:
        yield small.print_values(appended=plan, raised=f"{type(error).__name__}: {error}")


def blank(level: Level, parents: int, size: int, N: int, known: dict[str, int]) -> Small | None:
    """A level with blank arrays, if its parameters are valid: those of an empty level are."""
    bound = copy.copy(level)
    for name, value in known.items():
        object.__setattr__(bound, name, value)
    none = bound.lengths(0, 0)
    empty = level.bind({**known, **arrays(level, none, none)})
    if any(v.array in known for v in empty.violations(0, 0)):
        return None
    lengths = bound.lengths(parents, size)
    return Small(level.bind({**known, **arrays(level, none, lengths)}), parents, size, N, (2, 2))


def arrays(level: Level, none: dict[str, int], lengths: dict[str, int]) -> dict[str, Elements]:
    """Arrays that are blank as far as those of a level without parents reach, or where the level says so.

    What else they hold before anything is stored must not matter.
    """
    found = {}
    for name, length in lengths.items():
        blank = level.blank().get(name, 0)
        rest = level.blank().get(name, JUNK)
        found[name] = Elements(name, [blank] * none[name] + [rest] * (length - none[name]), {})
    return found


def assemble(small: Small, plan: tuple[Pieces, ...], is_single: bool) -> list[list[tuple[int, int]]]:
    """Append the fibers of a plan as an assembler does; what iteration should give."""
    level: Any = small.level
    level.append_init(0, small.parents)
    expected: list[list[tuple[int, int]]] = []
    q = 0
    for p, fiber in enumerate(plan):
        expected.append([])
        for piece in fiber:
            begin = q
            for c in piece:
                position = p if is_single else q
                level.append_coord(position, c)
                expected[-1].append((c, position))
                q += 1
            level.append_edges(p, begin, q)
    level.append_finalize(small.parents, small.size)
    return expected
