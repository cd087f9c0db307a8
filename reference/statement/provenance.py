"""Provenance: how derived index variables relate to the variables of the source expression.

A loop may run over a variable that no source expression names. A relation says how the coordinates of one side are
recovered from the other (Senanayake 2020, sections 3.2 and 3.3). Formats bring the first two relations in: a blocked
map `(i,j)->(i//b,...,i%b,...)` splits a variable, and an access with a repeated variable is a diagonal.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Split:
    """`parent = outer * factor + inner`, with `0 <= inner < factor`."""

    parent: str
    outer: str
    inner: str
    factor: int


@dataclass(frozen=True, slots=True)
class Same:
    """`copy = original`: the second occurrence of a variable in one access."""

    copy: str
    original: str


@dataclass(frozen=True, slots=True)
class Rank:
    """`rank` numbers what the storage of one tensor holds (a diagonal, a slot): its extent is known from the tensor."""

    rank: str
    tensor: str
    level: int


Relation = Split | Same | Rank


def derived_variables(relation: Relation) -> tuple[str, ...]:
    """The variables that a relation introduces."""
    match relation:
        case Split(outer=outer, inner=inner):
            return (outer, inner)
        case Same(copy=copy):
            return (copy,)
        case Rank(rank=rank):
            return (rank,)


@dataclass(frozen=True, slots=True)
class Provenance:
    """The relations of one statement."""

    relations: tuple[Relation, ...] = ()

    def splits(self, variable: str) -> tuple[Split, ...]:
        """The splits whose parent is `variable`: sibling loop nests may split one variable differently."""
        return tuple(r for r in self.relations if isinstance(r, Split) and r.parent == variable)

    def parts(self, variable: str) -> tuple[str, ...]:
        """The loops into which formats have split a variable, and its copies."""
        own = [v for split in self.splits(variable) for v in (split.outer, split.inner)]
        return (*own, *(r.copy for r in self.relations if isinstance(r, Same) and r.original == variable))

    def derived_from(self, variable: str) -> Relation | None:
        """The relation that introduces `variable`, or None if the source expression names it."""
        for relation in self.relations:
            if variable in derived_variables(relation):
                return relation
        return None

    def loops(self, variable: str, bound: Collection[str]) -> tuple[str, ...] | None:
        """The loops in `bound` that give the coordinate of `variable`, outermost first; None if it is not yet known."""
        if variable in bound:
            return (variable,)
        for split in self.splits(variable):
            if split.outer in bound and split.inner in bound:
                return (split.outer, split.inner)
        return None

    def recover(self, variable: str, coordinates: Mapping[str, int]) -> int:
        """The coordinate of `variable`, given those of the loops (section 5.1, recover_original).

        >>> Provenance((Split("i", "io", "ii", 4),)).recover("i", {"io": 2, "ii": 3})
        11
        """
        if variable in coordinates:
            return coordinates[variable]
        split = next(s for s in self.splits(variable) if s.outer in coordinates)
        return coordinates[split.outer] * split.factor + coordinates[split.inner]
