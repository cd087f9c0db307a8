"""Sites: where loops stand, and where that leaves the accesses that they read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ...reference.loops.iteration_space import IterationSpace
from ...reference.loops.terms import Term
from ...reference.notation.syntax import Access
from ..ir import ir
from ..ir.ir import Expr
from ..storage.positions import At, Positions

ROOT = At(ir.ZERO)


@dataclass(frozen=True)
class Site:
    """The iteration space here, the coordinates of loops, positions and level coordinates of accesses.

    `held` are the terms whose values variables hold. `fused`: accesses whose duplicates are visited one by one.
    `flags`: the accesses that may be missing here, and conditions under which they are not (`flags.py`).
    """

    space: IterationSpace
    coordinates: Mapping[str, Expr] = field(default_factory=dict)
    held: Mapping[Term, Expr] = field(default_factory=dict)
    positions: Mapping[Access, tuple[Positions, ...]] = field(default_factory=dict)
    paths: Mapping[Access, tuple[Expr, ...]] = field(default_factory=dict)
    fused: frozenset[Access] = frozenset()
    flags: Mapping[Access, Expr] = field(default_factory=dict)

    @property
    def bound(self) -> tuple[str, ...]:
        """The loops around."""
        return self.space.around

    @property
    def optional(self) -> frozenset[Access]:
        """The accesses that may be missing here."""
        return frozenset(self.flags)

    def there(self, access: Access) -> Expr:
        """Whether an access is present, as far as the loops have come."""
        return self.flags.get(access, ir.TRUE)

    def at(self, access: Access, k: int) -> Positions:
        """Where an access stands at level `k`, counted from 0 for the root."""
        return self.positions.get(access, (ROOT,))[k]

    def path(self, access: Access, k: int) -> tuple[Expr, ...]:
        """The level coordinates of an access down to level `k`."""
        return self.paths.get(access, ())[:k]

    def placed(self, access: Access, k: int, position: Positions, coordinate: Expr) -> Site:
        """The site where level `k` of an access has been found."""
        positions = (*self.positions.get(access, (ROOT,))[: k + 1], position)
        path = (*self.path(access, k), coordinate)
        return replace(self, positions={**self.positions, access: positions}, paths={**self.paths, access: path})

    def inside(self, index: str, coordinate: Expr) -> Site:
        """The site inside a loop."""
        return replace(self, space=self.space.inside(index), coordinates={**self.coordinates, index: coordinate})
