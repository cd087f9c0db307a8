"""Extents: the numbers of coordinates of modes, which are not known before there is a tensor."""

from __future__ import annotations

LONGEST = 2**62
"""What loops may count to, so that whatever a schedule computes of it has 64 bits."""


class StandIn(int):
    """An extent in the place of one that is not known yet: a number of its kind, by which nothing can be refused.

    >>> StandIn(4), is_known(StandIn(4)), is_known(4)
    (4, False, True)
    """

    __slots__ = ()


class Count(int):
    """A number of contributions, which extents give: no number that anybody wrote, and so none that a schedule names.

    >>> Count(4) == 4
    True
    """

    __slots__ = ()


def is_known(extent: int) -> bool:
    """Whether an extent is that of a tensor."""
    return not isinstance(extent, StandIn)
