"""Mapped operands, in blocks, diagonals or slots: whether loops read one in place, or what it is converted to.

In place, each block is visited once:

    ∀io
      ∀jo
        ∀ii
          ∀ji
            y(i) += A(i,j) * x(j)

Beside `C(i,j) = B(i,k) * A(k,j)` with B by rows, all blocks of A would be visited for each row of B: A is converted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from ..levels.level import CoordinateValueIteration, Insert, Level, Locate
from ..notation.syntax import Access
from ..storage.coordinate_map import Mode, Quotient, Rank, Remainder, Term
from ..storage.format import Format
from .iteration_graph import is_random_access


class Walk(Struct, frozen=True):
    """A level that does not hold every coordinate: the variable that it binds, or binds a part of by a factor, those of
    the levels before it, and whether it goes from position to position, in which a coordinate has to be sought."""

    variable: str
    factor: int | None
    before: frozenset[str]
    by_position: bool


def walks(access: Access, format: Format) -> Iterator[Walk]:
    """The levels of an access that do not hold every coordinate."""
    terms = format.map.terms
    for k, (term, level) in enumerate(zip(terms, format.levels, strict=True)):
        if not isinstance(term, Rank) and not is_random_access(level):
            variable = access.indices[term.mode]
            yield Walk(variable, factor(term), before(access, terms[:k]) - {variable}, goes_by_position(level))


def goes_by_position(level: Level) -> bool:
    """Whether coordinates are sought among the positions of a level: it neither finds them, nor is a line of them."""
    return not isinstance(level, Locate | CoordinateValueIteration)


def possible_walks(operands: Iterable[Access], formats: Mapping[str, Format]) -> Iterator[Walk]:
    """The levels of operands that may not hold every coordinate: all of those whose format is open."""
    for a in operands:
        if a.tensor in formats:
            yield from walks(a, formats[a.tensor])
        else:
            yield from (Walk(v, None, frozenset(a.indices) - {v}, True) for v in a.indices)


def expected_walks(
    operands: Iterable[Access], formats: Mapping[str, Format], preferred: Mapping[str, Sequence[str]]
) -> Iterator[Walk]:
    """The levels of operands that do not hold every coordinate, where what is converted is stored as is preferred, with
    room for all coordinates of the outermost level."""
    for a in operands:
        if a.tensor in formats:
            yield from walks(a, formats[a.tensor])
        order = preferred.get(a.tensor, ())
        yield from (Walk(v, None, frozenset(order[:k]), True) for k, v in enumerate(order) if k)


def factor(term: Mode | Quotient | Remainder) -> int | None:
    """The factor by which a term splits its mode; None if it does not."""
    return None if isinstance(term, Mode) else term.factor


def before(access: Access, terms: Iterable[Term]) -> frozenset[str]:
    """The variables of some levels of an access."""
    return frozenset(access.indices[t.mode] for t in terms if not isinstance(t, Rank))


def factors(access: Access, format: Format) -> dict[str, int]:
    """The variables that a map splits, and by what."""
    return {access.indices[t.mode]: t.factor for t in format.map.terms if isinstance(t, Quotient)}


def tells_missing(access: Access, stored: Format, others: Iterable[Walk]) -> bool:
    """Whether loops over the blocks of an access tell where nothing is stored: they come once to each coordinate, and
    nothing else is iterated by a variable that they split, and split by nothing."""
    split = factors(access, stored)
    return not stored.map.has_rank and all(walk.factor is not None or walk.variable not in split for walk in others)


def comes_again(access: Access, stored: Format, others: Iterable[Walk]) -> bool:
    """Whether loops would visit what an access stores again and again, to find what another operand has beside it.

    Loops over slots and diagonals walk to a coordinate once for each of these, and search the other operand for it each
    time, or do so for each value of a variable of that one. Where the other stores a variable that the access lacks
    before one that both have, what the access has of this is sought for each value of the former: among all that it
    stores, if this is late (`is_late`).
    """
    own = {*access.indices}
    shared = [walk for walk in others if walk.variable in own]
    sought = {walk.variable for walk in walks(access, stored) if walk.by_position}
    again = [walk for walk in shared if walk.by_position or walk.before - own]
    if stored.map.has_rank and any(walk.variable in sought for walk in again):
        return True
    return any(walk.before - own and is_late(access, stored, walk) for walk in shared)


def is_late(access: Access, stored: Format, walk: Walk) -> bool:
    """Whether what another operand has of a variable tells only in the end whether an access is to be visited: which
    splits the variable otherwise, or has before it what the other does not."""
    terms = stored.map.terms
    first = next(k for k, t in enumerate(terms) if not isinstance(t, Rank) and access.indices[t.mode] == walk.variable)
    split = factors(access, stored).get(walk.variable)
    return split not in (None, walk.factor) or not walk.before >= before(access, terms[:first])


def scatters(access: Access, stored: Format, target: Access, assembled: Format | None) -> bool:
    """Whether a target that is appended to, if it has a format, would get contributions of several operands to what is
    stored together in parts: it has a variable by blocks or ranks of an access, and not alike, and one that this lacks.
    """
    if assembled is None or all(isinstance(level, Insert) for level in assembled.levels):
        return False
    shared, split, wanted = {*target.indices} & {*access.indices}, factors(access, stored), factors(target, assembled)
    in_parts = any(stored.map.has_rank or split.get(v) not in (None, wanted.get(v)) for v in shared)
    return in_parts and not {*target.indices} <= {*access.indices}
