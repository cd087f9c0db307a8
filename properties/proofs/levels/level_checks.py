"""What is proved of level formats, as checks of a small concrete level: each gives a counterexample, or none.

They run the level functions and iterators of the reference, so they also confirm what the proofs say of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from ....reference.levels.level import Coordinates
from ..verdict import Values
from .level_instances import BROKEN, Elements, Small

Check = Callable[[Small], Iterator[Values]]


def counterexample(check: Check, small: Small) -> Values | None:
    """The first thing that a check finds wrong, or that a level function does wrong while it is checked."""
    try:
        return next(check(small), None)
    except BROKEN as error:
        return small.print_values(raised=f"{type(error).__name__}: {error}")


def check_segments(small: Small) -> Iterator[Values]:
    """Positions below different parents differ and lie in `[0, size)`."""
    for path in small.paths(0):
        owners: dict[int, int] = {}
        for p in range(small.parents):
            for c, q in small.children(p, next(small.paths(p)) if path[-1] == p else path):
                if not 0 <= q < small.size:
                    yield small.print_values(p=p, coordinate=c, position=q, size=small.size)
                if owners.setdefault(q, p) != p:
                    yield small.print_values(position=q, below=(owners[q], p))


def fibers(small: Small) -> Iterator[tuple[dict[str, Any], list[tuple[int, int]]]]:
    """The children of each parent, with what they are the children of."""
    for p in range(small.parents):
        for path in small.paths(p):
            yield {"p": p, "i": path}, small.children(p, path)


def check_coordinates(small: Small) -> Iterator[Values]:
    """Coordinates lie in `[0, N)`."""
    for where, found in fibers(small):
        if any(not 0 <= c < small.N for c, _ in found):
            yield small.print_values(**where, children=found)


def check_ordered(small: Small) -> Iterator[Values]:
    """Siblings come in the order of their coordinates."""
    for where, found in fibers(small):
        if any(a > b for (a, _), (b, _) in pairwise(found)):
            yield small.print_values(**where, children=found)


def check_unique(small: Small) -> Iterator[Values]:
    """Siblings have different coordinates."""
    for where, found in fibers(small):
        if len({c for c, _ in found}) != len(found):
            yield small.print_values(**where, children=found)


def check_full(small: Small) -> Iterator[Values]:
    """Every coordinate of the dimension is found below every parent."""
    for where, found in fibers(small):
        if not {c for c, _ in found} >= set(range(small.N)):
            yield small.print_values(**where, children=found)


def check_branchless(small: Small) -> Iterator[Values]:
    """Every parent has exactly one child."""
    for where, found in fibers(small):
        if len(found) != 1:
            yield small.print_values(**where, children=found)


def check_compact(small: Small) -> Iterator[Values]:
    """Everything between two positions that hold something holds something."""
    held = {q for _, found in fibers(small) for _, q in found}
    if held and len(held) != max(held) - min(held) + 1:
        yield small.print_values(held=sorted(held))


def check_locate(small: Small) -> Iterator[Values]:
    """`locate` finds exactly what iteration enumerates."""
    for p in range(small.parents):
        for path in small.paths(p):
            found = small.children(p, path)
            for c in range(small.N):
                q, there = small.level.locate(p, (*path, c))  # type: ignore[attr-defined]
                expected = [s for d, s in found if d == c]
                if bool(there) != bool(expected) or (expected and q not in expected):
                    yield small.print_values(p=p, i=(*path, c), locate=(q, bool(there)), children=found)


def vacancies(small: Small) -> Iterator[tuple[int, Coordinates, int, int]]:
    """Parents, paths and coordinates that are not there, with the position where they can be inserted."""
    for p in range(small.parents):
        for path in small.paths(p):
            for c in range(small.N):
                q, there = small.level.locate(p, (*path, c))  # type: ignore[attr-defined]
                if not there and q not in {s for _, s in small.children(p, path)}:
                    yield p, path, c, q


def check_insert(small: Small) -> Iterator[Values]:
    """Where `locate` finds room, `insert_coord` leaves valid storage with one more child, and all others."""
    for p, path, c, q in list(vacancies(small)):
        after = small.copy()
        after.level.insert_coord(q, c)  # type: ignore[attr-defined]
        before, given = small.components(), {"p": p, "i": (*path, c), "q": q}
        if not after.is_valid():
            yield small.print_values(**given, after=after.contents())
        elif sorted({(r, d, s) for r, _, d, s in after.components()}) != sorted(
            {(r, d, s) for r, _, d, s in before} | {(p, c, q)}
        ):
            yield small.print_values(**given, children=[x[2:] for x in after.components()])


def check_insert_init(small: Small) -> Iterator[Values]:
    """`insert_init` makes new parents without children, and leaves those of others."""
    for more in (0, 1, 2):
        after = grow(small, more, small.N)
        after.level.insert_init(small.size, after.size)  # type: ignore[attr-defined]
        if not after.is_valid() or after.components() != small.components():
            yield small.print_values(begin=small.size, end=after.size, after=after.contents())


def grow(small: Small, more: int, junk: int) -> Small:
    """A level with more parents, about whose elements nothing is known if they can have any coordinate."""
    parents = small.parents + more
    size = small.level.size(parents)
    storage = small.storage()
    for name, length in small.level.lengths(parents, size).items():
        blank = small.level.blank().get(name, 0) if small.N == 0 else junk
        storage[name] = Elements(name, [*storage[name], *[blank] * (length - len(storage[name]))], {})
    return Small(small.level.bind(storage), parents, size, small.N, small.above)


def check_widen(small: Small) -> Iterator[Values]:
    """Before a parent's positions run out the level is crowded, and a wider one has more."""
    level: Any = small.level
    wider = level.bind({**small.storage(), **level.wider()})
    if not level.is_crowded(level.size(1) + 1) or wider.size(1) <= level.size(1):
        yield small.print_values(room=level.size(1), more=wider.size(1))


def check_insert_reset(small: Small) -> Iterator[Values]:
    """`insert_reset` leaves valid storage in which those parents have no children, and others what they had."""
    for begin in range(small.parents + 1):
        for end in range(begin, small.parents + 1):
            after = small.copy()
            after.level.insert_reset(begin, end)  # type: ignore[attr-defined]
            kept = [x for x in small.components() if not begin <= x[0] < end]
            if not after.is_valid() or after.components() != kept:
                yield small.print_values(begin=begin, end=end, after=after.contents())


def function_check(function: str) -> Check:
    """A check that a level function reads and writes inside its arrays."""

    def check(small: Small) -> Iterator[Values]:
        for arguments in calls(small, function):
            after = small.copy()
            try:
                getattr(after.level, function)(*arguments)
            except BROKEN as error:
                yield small.print_values(arguments=arguments, raised=f"{type(error).__name__}: {error}")

    return check


def calls(small: Small, function: str) -> Iterator[tuple[Any, ...]]:
    """Arguments that the contract of a level function admits (level_access.py)."""
    level: Any = small.level
    parents, positions = range(small.parents), range(small.size)
    for p in parents:
        for path in small.paths(p):
            match function:
                case "coord_bounds":
                    yield (path,)
                case "pos_bounds":
                    yield (p,)
                case "coord_access":
                    yield from ((p, (*path, c)) for c in range(*level.coord_bounds(path)))
                case "pos_access":
                    yield from ((q, path) for q in range(*level.pos_bounds(p)))
                case "locate":
                    yield from ((p, (*path, c)) for c in range(small.N))
                case "append_edges":
                    yield from ((p, b, e) for b in positions for e in range(b, small.size + 1))
                case _:
                    pass
    match function:
        case "insert_coord":
            yield from ((q, c) for _, _, c, q in vacancies(small))
        case "insert_init":
            yield from ((level.size(b), small.size) for b in range(small.parents + 1))
        case "append_coord":
            yield from ((q, c) for q in positions for c in range(small.N))
        case "append_init":
            yield from ((b, small.parents) for b in range(small.parents + 1))
        case "insert_reset":
            yield from ((b, e) for e in range(small.parents + 1) for b in range(e + 1))
        case "append_finalize" | "insert_finalize":
            yield (small.parents, small.size)
        case "size":
            yield (small.parents,)
        case _:
            pass
