"""Cases of relations: each kind with symbolic parameters, the ranges of its parents, and what storage holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from ....reference.notation.syntax import Access
from ....reference.statement.relation import Bound, Collapse, Coord, Derivation, Divide, Pos, Space, Split, factor
from ..solver import Term, z3
from .stored import Storage, Stored, facts, holds, is_stored
from .symbolic import Execution, Whole, term_of

Values = dict[str, Any]
Ranges = Mapping[str, tuple[Whole, Whole]]
POS = Pos("i", "p", Access("A", ("i",), ("i",)), 0, 1)


class Case(Struct, frozen=True):
    """A relation with symbolic parameters, the ranges of its parents, and what is given of all of them.

    `domain` says which values of the parents there are inside their ranges, `held` which derived ones in their bounds.
    """

    relation: Derivation
    space: Space
    ranges: Ranges
    parameters: tuple[str, ...]
    given: tuple[Term, ...]
    domain: Callable[[Values], Term] = lambda values: z3.BoolVal(True)
    held: Callable[[Values], Term] = lambda values: z3.BoolVal(True)

    def inside(self, values: Values) -> Term:
        """Whether values of the parents are in the iteration domain."""
        return z3.And(within(values, self.ranges), self.domain(values))


Kind = Callable[[Execution], Case]


def split_case(run: Execution) -> Case:
    """A split by any factor, of any extent."""
    extent, size = run.integer("extent"), run.integer("size")
    given = (size.term > 0, extent.term >= 0)
    relation = Split("i", "a", "b", size)  # type: ignore[arg-type]
    return Case(relation, Stored({"i": extent}, run), {"i": (0, extent)}, ("extent", "size"), given)


def divide_case(run: Execution) -> Case:
    """A division of any extent into any number of parts."""
    extent, count = run.integer("extent"), run.integer("parts")
    given = (count.term > 0, extent.term >= 0)
    relation = Divide("i", "a", "b", count)  # type: ignore[arg-type]
    return Case(relation, Stored({"i": extent}, run), {"i": (0, extent)}, ("extent", "parts"), given)


def collapse_case(run: Execution) -> Case:
    """A collapse of any two extents."""
    rows, columns = run.integer("rows"), run.integer("columns")
    given = (rows.term >= 0, columns.term >= 0)
    ranges: Ranges = {"i": (0, rows), "j": (0, columns)}
    space = Stored({"i": rows, "j": columns}, run)
    return Case(Collapse("i", "j", "f"), space, ranges, ("rows", "columns"), given)


def bound_case(run: Execution) -> Case:
    """A bound on any extent."""
    extent = run.integer("extent")
    relation = Bound("i", "b", 4, "divisible")
    return Case(relation, Stored({"i": extent}, run), {"i": (0, extent)}, ("extent",), (extent.term >= 0,))


def pos_case(storage: Storage) -> Kind:
    """The positions of stored coordinates."""

    def case(run: Execution) -> Case:
        extent, count = run.integer("N"), run.integer("n")
        return Case(
            POS,
            Stored({"i": extent, "p": count}, run),
            {"i": (0, extent)},
            ("N", "n"),
            facts(storage),
            lambda values: is_stored(term_of(values["i"])),
            lambda values: holds(term_of(values["p"])),
        )

    return case


def coord_case(storage: Storage) -> Kind:
    """The coordinates that positions hold."""

    def case(run: Execution) -> Case:
        extent, count = run.integer("N"), run.integer("n")
        return Case(
            Coord("p", "c", POS),
            Stored({"i": extent, "c": extent, "p": count}, run),
            {"p": (0, count)},
            ("N", "n"),
            facts(storage),
            lambda values: holds(term_of(values["p"])),
            lambda values: is_stored(term_of(values["c"])),
        )

    return case


def within(values: Values, ranges: Ranges) -> Term:
    """Whether values lie in their ranges."""
    each = [(term_of(values[v]), term_of(begin), term_of(end)) for v, (begin, end) in ranges.items()]
    return z3.And(*[z3.And(begin <= value, value < end) for value, begin, end in each])


def whole_ends(case: Case) -> tuple[Values, Values]:
    """The first and the last value of the one parent."""
    ((parent, (begin, end)),) = case.ranges.items()
    return {parent: begin}, {parent: end - 1}


def tile_ends(case: Case) -> tuple[Values, Values]:
    """The first and the last value of the first tile of a split."""
    assert isinstance(case.relation, Split)
    return {"i": 0}, {"i": min(case.relation.factor, case.space.extent("i")) - 1}


def part_ends(case: Case) -> tuple[Values, Values]:
    """The first and the last value of the first part of a division."""
    assert isinstance(case.relation, Divide)
    return {"i": 0}, {"i": factor(case.relation, case.space) - 1}


def last_part(case: Case) -> tuple[Values, Values]:
    """The first value of the first part of a division and the first of the last part."""
    assert isinstance(case.relation, Divide)
    return {"i": 0}, {"i": (case.relation.parts - 1) * factor(case.relation, case.space)}


def pair_ends(case: Case) -> tuple[Values, Values]:
    """The first and the last pair of two ranges."""
    (first, last), (begin, end) = case.ranges["i"], case.ranges["j"]
    return {"i": first, "j": begin}, {"i": last - 1, "j": end - 1}


def stored_ends(case: Case) -> tuple[Values, Values]:
    """The coordinates at the first and at the last position."""
    count = case.space.extent("p")
    return {"i": case.space.coordinate(POS, 0)}, {"i": case.space.coordinate(POS, count - 1)}
