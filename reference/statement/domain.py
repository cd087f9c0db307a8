"""Domains: the coordinates that an index node of an index tree visits (COMET, section III).

A domain is what a merge lattice says of one loop, as a term: where one operand must hold something, its level; where
any of several must, their union; where all must, their intersection.
"""

from __future__ import annotations

from msgspec import Struct


class Dense(Struct, frozen=True):
    """Every coordinate of the variable's extent."""

    def __str__(self) -> str:
        return "dense"


class Sparse(Struct, frozen=True):
    """The coordinates that a level of an operand stores: its tensor, the level's number from 1, its format."""

    tensor: str
    level: int
    format: str

    def __str__(self) -> str:
        return f"sparse({self.tensor}, {self.level}, {self.format})"


class Temporary(Struct, frozen=True):
    """The coordinates that a workspace has been given values for."""

    workspace: str

    def __str__(self) -> str:
        return f"workspace({self.workspace})"


class Union(Struct, frozen=True):
    """The coordinates of any part."""

    parts: tuple[Domain, ...]

    def __str__(self) -> str:
        return f"union({', '.join(map(str, self.parts))})"


class Intersection(Struct, frozen=True):
    """The coordinates of all parts."""

    parts: tuple[Domain, ...]

    def __str__(self) -> str:
        return f"intersection({', '.join(map(str, self.parts))})"


class Masked(Struct, frozen=True):
    """The coordinates of `base` that a mask holds, or with `complement` those that it does not exclude."""

    mask: Domain
    base: Domain
    complement: bool = False

    def __str__(self) -> str:
        return f"masked({'!' if self.complement else ''}{self.mask}, {self.base})"


class Nested(Struct, frozen=True):
    """For each coordinate of the first part those of the second, and so on: one loop for several variables."""

    parts: tuple[Domain, ...]

    def __str__(self) -> str:
        return f"nested({', '.join(map(str, self.parts))})"


Domain = Dense | Sparse | Temporary | Union | Intersection | Masked | Nested


def union(*parts: Domain) -> Domain:
    """The union of domains, of which none holds more than the whole extent.

    >>> a, b = Sparse("a", 1, "compressed"), Sparse("b", 1, "compressed")
    >>> str(union(a, union(b, a))), str(union(a, Dense()))
    ('union(sparse(a, 1, compressed), sparse(b, 1, compressed))', 'dense')
    """
    every = (inner for part in parts for inner in (part.parts if isinstance(part, Union) else (part,)))
    kept = tuple(dict.fromkeys(every))
    if Dense() in kept:
        return Dense()
    return kept[0] if len(kept) == 1 else Union(kept)


def intersection(*parts: Domain) -> Domain:
    """The intersection of domains, which the whole extent leaves as it is.

    >>> a, b = Sparse("a", 1, "compressed"), Sparse("b", 1, "compressed")
    >>> str(intersection(a, Dense(), b)), str(intersection(Dense()))
    ('intersection(sparse(a, 1, compressed), sparse(b, 1, compressed))', 'dense')
    """
    every = (inner for part in parts for inner in (part.parts if isinstance(part, Intersection) else (part,)))
    kept = tuple(dict.fromkeys(part for part in every if part != Dense()))
    if not kept:
        return Dense()
    return kept[0] if len(kept) == 1 else Intersection(kept)
