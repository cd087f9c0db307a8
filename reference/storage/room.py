"""Room: how many positions a tensor takes before anything is stored in it, and how many do not fit in memory."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ..errors import StorageError
from ..levels.accumulator import Accumulator
from ..levels.bitmap import Bitmap
from ..levels.dense import Dense
from ..levels.hashed import Hashed
from ..levels.level import Append, Insert, Level
from .assembly import Assembler
from .format import Format

LARGEST = 10**8


def positions(format: Format, shape: Sequence[int]) -> int:
    """The most positions that some level of a result has at least: of levels whose parents determine their size.

    Below a level that grows, the positions of one parent are counted. Levels that cannot be assembled end the count.

    >>> positions(Format(["dense", "compressed", "bitmap"]), (5, 9, 7))
    7
    """
    extents = [n or 0 for n in format.map.level_extents(shape)]
    most = count = 1
    for k, level in enumerate(format.levels):
        if isinstance(level, Append):
            count = count if level.branchless or level.padded else 1
        elif isinstance(level, Insert):
            bound = level.bind({**Assembler.defaults(level), "N": extents[k], "M": 0})
            count = bound.size(count)
            most = max(most, count)
        else:
            break
    return most


def refuse_large(format: Format, shape: tuple[int, ...], most: int = LARGEST) -> None:
    """Refuse a result that has more positions than fit in memory, as far as that is known before it is computed."""
    count = positions(format, shape)
    if count > most:
        raise StorageError(
            f"a result of shape {shape} in {format} needs {count} positions, more than {most}",
            hint="ask for a sparse result, for example out='COO'",
            rule="format.assembly.large",
        )


def workspace_levels(shape: Sequence[int]) -> tuple[Level, ...]:
    """The levels of a workspace: an accumulator over one mode, if that fits in memory, else hashed ones.

    >>> [level.name for level in (*workspace_levels((5,)), *workspace_levels((10**9,)))]
    ['accumulator', 'hashed']
    """
    if len(shape) == 1 and shape[0] <= LARGEST:
        return (Accumulator(),)
    return (Hashed(),) * len(shape)


def temporary_levels(shape: Sequence[int]) -> tuple[Level, ...]:
    """The levels of a temporary that is read in any order of its modes: dense ones with flags for what is present, if
    they fit in memory; over one mode an accumulator.

    >>> [[level.name for level in temporary_levels(shape)] for shape in ((5, 7), (5,), (10**6, 10**6))]
    [['dense', 'bitmap'], ['accumulator'], ['hashed', 'hashed']]
    """
    if len(shape) < 2 or prod(shape) > LARGEST:
        return workspace_levels(shape)
    return (*(Dense() for _ in shape[1:]), Bitmap())
