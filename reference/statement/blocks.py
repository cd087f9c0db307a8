"""Blocks: the workspace of a result in blocks, which is filled block by block where its operands have the same blocks.

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
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from math import prod

from msgspec import Struct

from ..levels.bitmap import Bitmap
from ..levels.dense import Dense
from ..levels.hashed import Hashed
from ..levels.level import Level
from ..notation.syntax import Access
from ..storage.coordinate_map import Mode, Remainder
from ..storage.format import Format
from ..storage.room import LARGEST, workspace_levels
from .iteration_graph import is_random_access
from .mapped import factors, possible_walks
from .relation import Split

LARGEST_BLOCK = 4096
"""The most components of a block that is stored densely."""


class Blocks(Struct, frozen=True):
    """The blocks of a result: the splits of its variables, and whether a block is stored with all of its components."""

    splits: Mapping[str, Split]
    are_whole: bool

    def levels(self, variables: Sequence[str], extents: Mapping[str, int]) -> tuple[Level, ...]:
        """The levels of a workspace over some variables, outermost first: blocks are dense, and found as components of
        other workspaces are."""
        inside = {split.inner for split in self.splits.values()}
        count = sum(v not in inside for v in variables)
        shape = [extents[v] for v in variables]
        if inside.intersection(variables[:count]) or prod(shape[count:]) > LARGEST_BLOCK:
            return workspace_levels(shape)
        rows: tuple[Level, ...] = (Dense(),) * (len(variables) - count)
        if rows and not self.are_whole:
            rows = (*rows[1:], Bitmap())
        listed = count == 1 and prod(shape) <= LARGEST
        return (*(workspace_levels(shape[:count]) if listed else (Hashed(),) * count), *rows)


def holds_whole_blocks(format: Format) -> bool:
    """Whether a format stores all components of a block that it stores."""
    inside = (level for term, level in zip(format.map.terms, format.levels, strict=True) if isinstance(term, Remainder))
    return all(is_random_access(level) for level in inside)


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
