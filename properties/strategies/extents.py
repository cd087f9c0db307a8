"""Extents: small ones, and now and then one that is longer than a vector register, a tile or a first hash table."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from ..programs.features import Features

SMALL = (1, 2, 3, 4, 5, 2, 3, 4)
LEAST = (2, 1, 2)
LONG = (8, 9, 16, 17, 33, 65)
"""Powers of two and their successors: what is done by blocks has whole ones there, and a rest."""


@st.composite
def extents(
    draw: st.DrawFn, variables: Sequence[str], features: Features, *, long: Sequence[str] = (), rarity: int = 8
) -> dict[str, int]:
    """The extents of variables; one of those that may be `long` is so in one case of `rarity`. Where none may, extents
    are at most 2. They shrink towards 1, or 2 where none is long."""
    sizes = st.sampled_from((*(SMALL if long else LEAST), *((0,) if features.empties else ())))
    found = {v: draw(sizes) for v in variables}
    if long and draw(st.integers(1, rarity)) == rarity:
        found[draw(st.sampled_from(long))] = draw(st.sampled_from(LONG))
    return found
