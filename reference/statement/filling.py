"""Filling: results with a component wherever few operands hold one, of which there may be more than fit in memory."""

from __future__ import annotations

from cmath import isfinite
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import ceil, prod
from typing import Protocol

from msgspec import Struct

from ..algebra.dtypes import Number
from ..errors import StorageError
from ..notation.syntax import Access, Fill, accesses
from ..storage.format import Format
from .statement import Assign, Program, assignments, leaves, reads
from .substitution import background_of, substitute_statement


class Stored(Protocol):
    """What is known of an operand: how many components it stores, and in how many positions at most."""

    @property
    def nnz(self) -> int:
        """The number of components."""

    @property
    def positions(self) -> int:
        """The number of positions."""


class Filling(Struct, frozen=True):
    """A result that has a component wherever the operand `present` holds one, if there is such, and no other does.

    Beside each component of `present` the result has `whole` coordinates. Of these an operand in `others` has as many
    as stand beside it, once for each of its accesses. `value` is what the result holds there, where that is one number.
    """

    whole: int
    present: str | None
    others: tuple[tuple[str, int], ...]
    value: Number | None

    def least(self, operands: Mapping[str, Stored]) -> int:
        """The fewest components that the result may have."""
        covered = sum((Fraction(operands[name].positions, count) for name, count in self.others), Fraction())
        is_filled = covered < 1 and (self.present is None or operands[self.present].nnz > 0)
        return ceil(self.whole * (1 - covered)) if is_filled else 0


class Fillings(Struct, frozen=True):
    """The ways in which a result in a format is filled, that may have `most` components."""

    format: Format
    most: int
    ways: tuple[Filling, ...]

    def refuse(self, operands: Mapping[str, Stored]) -> None:
        """Refuse a result on operands that has more components than it may have, with a StorageError."""
        for way in self.ways:
            least = way.least(operands)
            if least > self.most:
                where = "no operand has one" if way.present is None else f"{way.present} has one, whatever others have"
                fill = (
                    ""
                    if way.value is None
                    else f"ask for its fill, out=gn.spec('{self.format}', fill={way.value}), or "
                )
                raise StorageError(
                    f"the result has at least {least} components, more than {self.most}: one wherever {where}",
                    hint=f"{fill}leave coordinates out, by a mask or by a factor that stores few",
                    rule="format.assembly.large",
                )


def find_fillings(program: Program, most: int) -> Fillings | None:
    """How a result of more than `most` coordinates is filled; None for others. The program has no schedule."""
    extents = dict(program.extents)
    target = next(leaf.target for leaf in assignments(program.statement) if leaf.target.tensor == program.result)
    if prod(extents[v] for v in {*target.indices}) <= most:
        return None
    operands = [a for a in reads(program.statement) if a.tensor not in program.workspace]
    sparse = [a for a in operands if not all(level.full for level in program.formats[a.tensor].levels)]
    certain = [a for a in sparse if len({*a.indices}) == len(a.indices)]  # others may hold nothing on their diagonal
    ways = (way for present in (None, *certain) for way in fillings(program, sparse, present))
    format = program.packed or program.formats[program.result]
    return Fillings(format, most, tuple(way for way in ways if way.whole > most))


def fillings(program: Program, sparse: list[Access], present: Access | None) -> list[Filling]:
    """How the result is filled where of the sparse operands at most one is present.

    What a mask admits by values that are there is not known beforehand, nor what a workspace holds that is read.
    """
    extents, others = dict(program.extents), [a for a in sparse if a != present]
    free = extents.keys() - (() if present is None else present.indices)
    missing = frozenset((*others, *empty_workspaces(program)))
    left = substitute_statement(program.statement, missing, background_of(program))
    reached = () if left is None else (leaf for leaf, around in leaves(left, ()) if runs(program, around))
    given = None if present is None else program.given(present.tensor)
    places = ((program.given(a.tensor), prod(extents[v] for v in free & {*a.indices})) for a in others)
    counts = tuple((name, count) for name, count in places if count > 0)
    return [
        Filling(prod(extents[v] for v in free & {*leaf.target.indices}), given, counts, constant(leaf))
        for leaf in reached
        if leaf.target.tensor == program.result
        and leaf.mask is None
        and program.workspace.keys().isdisjoint(access.tensor for access in accesses(leaf.value))
    ]


def empty_workspaces(program: Program) -> Iterator[Access]:
    """The accesses to workspaces that no iteration brings anything to."""
    filled = {leaf.target.tensor for leaf, around in leaves(program.statement, ()) if runs(program, around)}
    return (a for a in reads(program.statement) if a.tensor in program.workspace and a.tensor not in filled)


def runs(program: Program, around: tuple[str, ...]) -> bool:
    """Whether loops, one inside the other, have an iteration, or may have one: how many slots or diagonals there are,
    what is stored tells."""
    extents = dict(program.extents)
    return all(extents.get(v) != 0 for v in around)


def constant(leaf: Assign) -> Number | None:
    """The finite number that an assignment stores, if it is one for all coordinates."""
    match leaf.value, leaf.operator:
        case Fill(value=value), None if isfinite(value):
            return value
        case _:
            return None


def refuse_filled(program: Program, operands: Mapping[str, Stored], most: int) -> None:
    """Refuse a result that has more than `most` components, as far as that is known beforehand.

    Raises StorageError.
    """
    found = find_fillings(program, most)
    if found is not None:
        found.refuse(operands)
