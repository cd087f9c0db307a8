"""Merge lattices by substitution (Kjolstad 2017, section 5.1; Chou 2018, sections 4.1 and 4.2).

For a loop over variable `v`, take the accesses with a level at `v` that can miss coordinates. Each subset of them
says which are still being merged; substituting *missing* for the others gives the statement to run there. A subset
whose statement has nothing to do is no lattice point, and subsets whose statements agree are one point. Unions,
intersections, masks and user operators follow from the declarations in `operators.py`; none is named here.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec import Struct

from ..errors import Unsupported
from ..notation.syntax import Access
from ..statement.statement import Statement, reads
from ..statement.substitution import Background, substitute_statement

WIDEST = 12


class Point(Struct, frozen=True):
    """One lattice point: the accesses merged there and the statement that remains."""

    merged: frozenset[Access]
    statement: Statement


class Lattice(Struct, frozen=True):
    """The lattice of one loop body. `sparse` are the accesses that can miss coordinates of the loop variable."""

    body: Statement
    sparse: tuple[Access, ...]
    background: Background

    def point(self, present: frozenset[Access]) -> Point | None:
        """The point for coordinates at which exactly `present` hold components; None if there is nothing to do.

        Its set is what the simplified statement still reads: equal subsets share a point.
        """
        statement = substitute_statement(self.body, frozenset(self.sparse) - present, self.background)
        if statement is None:
            return None
        return Point(frozenset(reads(statement)) & present, statement)

    def points(self) -> tuple[Point, ...]:
        """All points, larger sets first. Raises Unsupported for lattices too wide to list."""
        if len(self.sparse) > WIDEST:
            raise Unsupported(f"a lattice over {len(self.sparse)} operands has up to 2^{len(self.sparse)} points")
        found: dict[frozenset[Access], Point] = {}
        for subset in subsets(self.sparse):
            point = self.point(subset)
            if point is not None:
                found.setdefault(point.merged, point)
        return tuple(sorted(found.values(), key=lambda p: -len(p.merged)))


def subsets(accesses: tuple[Access, ...]) -> Iterator[frozenset[Access]]:
    """Every subset, larger ones first."""
    for size in range(len(accesses), -1, -1):
        yield from (frozenset(chosen) for chosen in combinations(accesses, size))
