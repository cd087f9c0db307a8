"""Targets: what is being filled where code is written."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from ...reference.notation.syntax import Mask
from ..ir import ir
from ..ir.ir import Expr, Int, Name
from .site import Site
from .tiling import Stretch


class Cell(Struct, frozen=True):
    """Components in local variables: the value, and whether anything has been stored, if that matters.

    One that `settles` has its value after the first contribution: the loop that brought it ends. With `block`, inner
    variables and stretches of their coordinates, the value is an array: a component for each of these. In `path` it is
    noted which component, by its level coordinates, where the cell may stand for any.
    """

    value: Name
    present: Name | None
    block: tuple[tuple[str, Stretch], ...] = ()
    settles: bool = False
    path: tuple[Name, ...] = ()

    def at(self, site: Site) -> Expr:
        """The component at the coordinates of the loops."""
        if not self.block:
            return self.value
        place: Expr = ir.ZERO
        for variable, stretch in self.block:
            own = ir.sub(site.coordinates[variable], stretch.first)
            place = ir.add(ir.mul(place, Int(stretch.size)), own)
        return ir.Element(self.value, place)


class Mark(Struct, frozen=True):
    """What says that a workspace got its values; whether its components are `cleared` where that is said first."""

    made: Name
    cleared: bool


class Target(Struct, frozen=True):
    """The results that are filled, and what of them is open.

    `covers`: the enclosing loops visit every coordinate, unconditionally. `cells` stand for the components that targets
    accumulate into here; `blocks` hold the position of the block being filled, below the appended levels of a result,
    `open` names those that are known to be there. `begins` are the positions at which fibers of it begin; in `pieces`:
    a tile may hold only a part of them, and others go on. `marks` tell that workspaces got their values, `admitting`
    are the masks that have let all through that is written here. Results that are `roomy` have room for what is
    appended here.
    """

    covers: bool = True
    cells: Mapping[str, Cell] = field(default_factory=dict)
    blocks: Mapping[str, Name] = field(default_factory=dict)
    open: frozenset[str] = frozenset()
    marks: Mapping[str, Mark] = field(default_factory=dict)
    begins: Mapping[str, Name] = field(default_factory=dict)
    pieces: bool = False
    admitting: frozenset[Mask] = frozenset()
    roomy: frozenset[str] = frozenset()
