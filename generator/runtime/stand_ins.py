"""Stand-ins: extents in place of others that the same code serves.

Shapes are not compiled in, with two exceptions: coordinates beyond 32 bits need wider index arrays, and no workspace is
dense over more coordinates than fit in memory. So code depends on which of three kinds an extent is of.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...reference.notation.extent import StandIn
from ...reference.storage.room import LARGEST

SMALL = 4
WIDEST = 2**31


def stand_in(extent: int) -> StandIn:
    """The extent that stands for all of its kind.

    >>> stand_in(100), stand_in(10**9), stand_in(2**31), stand_in(2**40) == 2**31 + 1
    (4, 2147483648, 2147483648, True)
    """
    if extent <= LARGEST:
        return StandIn(SMALL)
    return StandIn(WIDEST if extent <= WIDEST else WIDEST + 1)


def generic_shapes(shapes: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[StandIn, ...]]:
    """Shapes as what stands in for all others like them, by which no schedule is refused."""
    return {name: tuple(map(StandIn, shape)) for name, shape in shapes.items()}


def stand_ins(shapes: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[StandIn, ...]]:
    """Shapes in which every extent is the stand-in of its kind; none if all are small, as unknown ones count."""
    found = {name: tuple([stand_in(n) for n in shape]) for name, shape in shapes.items()}
    return found if any(n != SMALL for shape in found.values() for n in shape) else {}
