"""The environment of a place in a kernel function: what the loops around it have made known.

It is immutable: a loop hands one with more in it to its body.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from ...reference.loops.plan import Node, Surroundings
from ...reference.loops.terms import Term
from ...reference.notation.syntax import Access, Mask
from ...reference.statement.relation import Split
from ..ir.ir import Expr
from ..ir.writer import Writer
from ..storage.positions import Positions
from .site import Site
from .target import Cell, Mark, Target
from .team import Teams
from .tiling import Stretch, Tiling


class Env(Struct, frozen=True):
    """What is known where code is written: where it stands, what it fills, in which tiles, who runs it."""

    site: Site
    target: Target = Target()
    tiling: Tiling = Tiling()
    teams: Teams = Teams()

    def place(self, access: Access, k: int, position: Positions, coordinate: Expr) -> Env:
        """The environment where level `k` of an access has been found."""
        return replace(self, site=self.site.place(access, k, position, coordinate))

    def inside(self, index: str, coordinate: Expr) -> Env:
        """The environment at a coordinate of one more variable."""
        return replace(self, site=self.site.inside(index, coordinate))

    def enclose(self, surroundings: Surroundings) -> Env:
        """The environment of a part of the plan."""
        return replace(self, site=replace(self.site, surroundings=surroundings))

    def bind(self, variable: str, coordinate: Expr) -> Env:
        """The environment with the coordinate of a variable."""
        return replace(self, site=replace(self.site, coordinates={**self.site.coordinates, variable: coordinate}))

    def bind_terms(self, values: Mapping[Term, Expr]) -> Env:
        """The environment where the values of some terms are known."""
        return replace(self, site=replace(self.site, held={**self.site.held, **values}))

    def flag(self, flags: Mapping[Access, Expr]) -> Env:
        """The environment where these accesses may be missing."""
        return replace(self, site=replace(self.site, flags=flags))

    def partly(self) -> Env:
        """The environment where not every coordinate comes by."""
        return replace(self, target=replace(self.target, covers=False))

    def into(self, name: str, cell: Cell) -> Env:
        """The environment in which contributions to a tensor go to a cell."""
        return replace(self, target=replace(self.target, cells={**self.target.cells, name: cell}))

    def admit(self, mask: Mask) -> Env:
        """The environment where a mask has let through what is written, so that not every coordinate comes by."""
        env = self.partly()
        return replace(env, target=replace(env.target, admitting=env.target.admitting | {mask}))

    def mark(self, marks: Mapping[str, Mark]) -> Env:
        """The environment in which these are set when their workspaces get values."""
        return replace(self, target=replace(self.target, marks=marks))

    def keep_to_stretch(self, split: Split, stretch: Stretch) -> Env:
        """The environment of a stretch of a tile."""
        return replace(self, tiling=replace(self.tiling, whole={**self.tiling.whole, split: stretch}))


Emit = Callable[[Node, Env, Writer], None]
