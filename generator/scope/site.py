"""Sites: where loops stand, and where that leaves the accesses that they read."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from ...reference.loops.iteration_space import IterationSpace
from ...reference.loops.plan import Surroundings
from ...reference.loops.terms import Term
from ...reference.notation.syntax import Access
from ..ir import ir
from ..ir.ir import Expr
from ..storage.positions import At, Positions

ROOT = At(ir.ZERO)


class Site(Struct, frozen=True):
    """What encloses this place, the coordinates of loops, positions and level coordinates of accesses.

    `held` are terms whose values are at hand. `flags`: conditions under which accesses that may be missing are
    not (`flags.py`).
    """

    surroundings: Surroundings
    coordinates: Mapping[str, Expr] = field(default_factory=dict)
    held: Mapping[Term, Expr] = field(default_factory=dict)
    positions: Mapping[Access, tuple[Positions, ...]] = field(default_factory=dict)
    paths: Mapping[Access, tuple[Expr, ...]] = field(default_factory=dict)
    flags: Mapping[Access, Expr] = field(default_factory=dict)

    @property
    def space(self) -> IterationSpace:
        """The iteration space here."""
        return self.surroundings.space

    @property
    def around(self) -> tuple[str, ...]:
        """The loops around, outermost first."""
        return self.space.around

    @property
    def optional(self) -> frozenset[Access]:
        """The accesses that may be missing here."""
        return self.surroundings.optional

    def there(self, access: Access) -> Expr:
        """Whether an access is present, as far as the loops have come."""
        return self.flags.get(access, ir.TRUE)

    def at(self, access: Access, k: int) -> Positions:
        """Where an access stands at level `k`, counted from 0 for the root."""
        return self.positions.get(access, (ROOT,))[k]

    def has_found(self, access: Access) -> bool:
        """Whether an access has a position at each of its levels."""
        return len(self.paths.get(access, ())) == len(access.levels)

    def path(self, access: Access, k: int) -> tuple[Expr, ...]:
        """The level coordinates of an access down to level `k`."""
        return self.paths.get(access, ())[:k]

    def place(self, access: Access, k: int, position: Positions, coordinate: Expr) -> Site:
        """The site where level `k` of an access has been found."""
        positions = (*self.positions.get(access, (ROOT,))[: k + 1], position)
        path = (*self.path(access, k), coordinate)
        return replace(self, positions={**self.positions, access: positions}, paths={**self.paths, access: path})

    def inside(self, index: str, coordinate: Expr) -> Site:
        """The site at a coordinate of one more variable."""
        surroundings = replace(self.surroundings, space=self.space.inside(index))
        return replace(self, surroundings=surroundings, coordinates={**self.coordinates, index: coordinate})
