"""The catalogue: every obligation that is about gnomon itself, by family."""

from __future__ import annotations

from functools import cache

from .c import c_kernels, c_phases
from .devices import devices
from .lattices import lattices
from .levels import level_formats
from .obligation import Obligation
from .operators import operator_laws, semiring_laws
from .procedures import searches
from .relations import (
    exact_windows,
    position_tables,
    race_freedom,
    relation_chains,
    relations,
    reordering,
    stepped_loops,
)

FAMILIES = (
    *(level_formats, operator_laws, semiring_laws, lattices),
    *(relations, relation_chains, exact_windows, stepped_loops, race_freedom, reordering, position_tables),
    *(c_kernels, c_phases, devices, searches),
)


@cache
def catalogue() -> tuple[Obligation, ...]:
    """All obligations, in the order of the chapters."""
    return tuple(o for family in FAMILIES for o in family.obligations())
