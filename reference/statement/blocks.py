"""Blocks: the workspace of a result in blocks, which is filled block by block where its operands have the same blocks,
or a row of blocks at a time.

Before: `C(i,j) = A(i,k) * B(k,j)`, everything in BCSR(4,4). After, with a row of blocks in the workspace:

    ∀io
      ∀jo
        ∀ii
          ∀ji
            C(i,j) = w(jo,ii,ji)
      where w:
        ∀ko
          ∀jo
            ∀ii
              ∀ki
                ∀ji
                  w(jo,ii,ji) += A(i,k) * B(k,j)

With A and B by rows, each row of blocks is filled row by row, and stores its blocks as the result does:

    ∀io
      ∀jo
        ∀ii
          ∀ji
            C(i,j) = w(ii,j)
      where w:
        ∀ii
          ∀k
            ∀j
              w(ii,j) += A(i,k) * B(k,j)
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from math import prod

from msgspec import Struct

from ..levels.bitmap import Bitmap
from ..levels.compressed import Compressed
from ..levels.dense import Dense
from ..levels.hashed import Hashed
from ..levels.level import Insert, Level
from ..notation.syntax import Access
from ..storage.coordinate_map import CoordinateMap, Mode, Quotient, Remainder, Term
from ..storage.format import Format
from ..storage.room import LARGEST, workspace_levels
from .iteration_graph import is_random_access
from .mapped import factors, possible_walks
from .relation import Split

LARGEST_BLOCK, FEW = 4096, 64
"""The most components of a block that is stored densely: filled from blocks, or from what may be a single component."""


class Blocks(Struct, frozen=True):
    """The blocks of a result: the splits of its variables, whether a block is stored with all of its components, and
    how many components a block has at most that is stored densely."""

    splits: Mapping[str, Split]
    are_whole: bool
    largest: int = LARGEST_BLOCK

    def is_inside(self, indices: Sequence[str], term: Term) -> bool:
        """Whether a level of a workspace over these variables stores places in a block."""
        inside = {split.inner for split in self.splits.values()}
        return isinstance(term, Remainder) or (isinstance(term, Mode) and indices[term.mode] in inside)

    def levels(self, inside: Sequence[bool], shape: Sequence[int]) -> tuple[Level, ...]:
        """The levels of a workspace, outermost first, of which some are `inside` blocks: blocks are dense, and found as
        components of other workspaces are."""
        count = len(inside) - sum(inside)
        if any(inside[:count]) or prod(shape[count:]) > self.largest:
            return workspace_levels(shape)
        rows: tuple[Level, ...] = (Dense(),) * (len(inside) - count)
        if rows and not self.are_whole:
            rows = (*rows[1:], Bitmap())
        listed = count == 1 and prod(shape) <= LARGEST
        return (*(workspace_levels(shape[:count]) if listed else (Hashed(),) * count), *rows)


class Row(Struct, frozen=True):
    """A row of blocks: the variable by which it is assembled, and how many of its coordinates it has."""

    variable: str
    factor: int


def holds_whole_blocks(format: Format) -> bool:
    """Whether a format stores all components of a block that it stores."""
    inside = (level for term, level in zip(format.map.terms, format.levels, strict=True) if isinstance(term, Remainder))
    return all(is_random_access(level) for level in inside)


def row_of_blocks(target: Access, format: Format | None) -> Row | None:
    """The rows of blocks in which a target is assembled; None if it is assembled otherwise, or in any order."""
    if format is None or all(isinstance(level, Insert) for level in format.levels):
        return None
    first = format.map.terms[0]
    return Row(target.indices[first.mode], first.factor) if isinstance(first, Quotient) else None


def contradicting_rows(operands: Iterable[Access], row: Row, formats: Mapping[str, Format]) -> Iterator[Access]:
    """The operands of which what a row of blocks takes does not come first: workspaces, those with other rows or with
    rows that are not all there, and, of those without rows, what no other operand leads to."""
    every = tuple(dict.fromkeys(operands))
    for access in every:
        format = formats.get(access.tensor)
        if format is None or not comes_first(access, format, row, led_by(access, every, formats)):
            yield access


def led_by(access: Access, operands: Iterable[Access], formats: Mapping[str, Format]) -> set[str]:
    """The variables by which operands that store coordinates lead to another, which have some that it lacks."""
    stored = (a for a in operands if a.tensor not in formats or not formats[a.tensor].is_array)
    leading = (a for a in stored if not {*a.indices} <= {*access.indices})
    return {v for a in leading for v in a.indices}.intersection(access.indices)


def comes_first(access: Access, format: Format, row: Row, led: set[str]) -> bool:
    """Whether an access is by rows, in blocks of as many or one by one, or has no rows and is led to."""
    if format.is_array:
        return True
    match format.map.terms[0]:
        case Quotient(mode=mode, factor=factor) if row.variable in access.indices:
            return access.indices[mode] == row.variable and factor == row.factor
        case Mode(mode=mode) if row.variable in access.indices:
            return access.indices[mode] == row.variable and format.outer_arrays > 0
        case Quotient(mode=mode) | Mode(mode=mode):
            return not led or access.indices[mode] in led
        case _:
            return False


def in_rows_of_blocks(format: Format, factor: int) -> Format:
    """A format by rows of which those that are stored come in rows of blocks, of which those with something are stored.

    >>> print(in_rows_of_blocks(Format("ss"), 4))
    compressed,compressed,compressed; (i,j)->(i//4,i%4,j)
    """
    rows, *others = format.stored_modes
    terms: tuple[Term, ...] = (Quotient(rows, factor), Remainder(rows, factor), *(Mode(mode) for mode in others))
    return Format((Compressed(), *format.levels), map=CoordinateMap(format.order, terms))


def have_same_blocks(operands: Sequence[Access], target: Access, formats: Mapping[str, Format]) -> bool:
    """Whether operands are walked by nothing but blocks of the variables that a target has in blocks, of its size, and
    have no others."""
    wanted = factors(target, formats[target.tensor])
    walked = (walk for walk in possible_walks(operands, formats) if walk.variable in wanted)
    own = (factors(a, formats[a.tensor]).items() for a in operands if a.tensor in formats)
    return all(walk.factor == wanted[walk.variable] for walk in walked) and all(
        wanted.get(v, factor) == factor for each in own for v, factor in each
    )


def fill_whole_blocks(operands: Iterable[Access], target: Access, formats: Mapping[str, Format]) -> bool:
    """Whether operands that have the blocks of a target have all components of a block, or none."""
    wanted = factors(target, formats[target.tensor])
    return not any(has_parts(a, formats[a.tensor], wanted) for a in operands if a.tensor in formats)


def has_parts(access: Access, format: Format, variables: Container[str]) -> bool:
    """Whether it depends on a place in a block of some variables what an access stores, there or in levels below."""
    is_inside = False
    for term, level in zip(format.map.terms, format.levels, strict=True):
        if isinstance(term, Mode | Remainder) and access.indices[term.mode] in variables:
            is_inside = True
        if is_inside and not is_random_access(level):
            return True
    return False
