"""The environment of a place in a kernel function: what the loops around it have made known.

`Env` is immutable: a loop hands one with more in it to its body.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ...reference.notation.syntax import Access
from ...reference.statement.derivation import Pos
from ...reference.statement.provenance import Split
from ...reference.statement.statement import Statement
from ..ir import ir
from ..ir.ir import Expr, Int, Name
from ..ir.writer import Writer
from ..storage.positions import At, Positions
from .team import Team


@dataclass(frozen=True)
class Stretch:
    """A part of a tile that has a known length: from a place of the tile on, so many places."""

    first: Expr
    size: int


@dataclass(frozen=True)
class Cell:
    """Components in local variables: the value, and whether anything has been stored, if that matters.

    With `block`, inner variables and stretches of their coordinates, the value is an array: a component for each of
    these.
    """

    value: Name
    present: Name | None
    block: tuple[tuple[str, Stretch], ...] = ()

    def at(self, env: Env) -> Expr:
        """The component at the coordinates of the loops."""
        if not self.block:
            return self.value
        place: Expr = ir.ZERO
        for variable, stretch in self.block:
            own = ir.sub(env.coordinates[variable], stretch.first)
            place = ir.add(ir.mul(place, Int(stretch.size)), own)
        return ir.Element(self.value, place)


@dataclass(frozen=True)
class Env:
    """What is known where code is written.

    `covers`: the enclosing loops visit every coordinate, unconditionally. `cells` stand for the components that targets
    accumulate into here; `blocks` hold the position of the block being filled, below the appended levels of a result,
    `open` names those that are known to be there. `begins` are the positions at which fibers of it begin; in `pieces`:
    a tile may hold only a part of them, and others go on.

    Of a schedule: `expanded`, the derived variables whose loops have become those over what they complete, with these;
    `counted`, the positions that belong here at every level that a relation counts; `narrowed`, the relations whose
    walks keep to them; `given`, coordinates of loops to come, which have been searched for. Loops to come, by index:
    `teams` of threads, `vectors` and `unrolled`. `atomic` are the results that several threads update, to whom the
    values of the variable `shared` are handed out; they `meet` where they may update one component. `counters`:
    original variables that are counted by a part of a split; `whole`: the splits of whose tile the code here is for a
    stretch that is there, which may be all of it, `partial` those whose tile may be smaller.

    `flags`: the accesses that may be missing here, and conditions under which they are not (`flags.py`).
    """

    bound: tuple[str, ...] = ()
    coordinates: Mapping[str, Expr] = field(default_factory=dict)
    positions: Mapping[Access, tuple[Positions, ...]] = field(default_factory=dict)
    paths: Mapping[Access, tuple[Expr, ...]] = field(default_factory=dict)
    fused: frozenset[Access] = frozenset()
    covers: bool = True
    cells: Mapping[str, Cell] = field(default_factory=dict)
    blocks: Mapping[str, Name] = field(default_factory=dict)
    open: frozenset[str] = frozenset()
    begins: Mapping[str, Name] = field(default_factory=dict)
    pieces: bool = False
    expanded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    counted: Mapping[Pos, tuple[tuple[Expr, Expr], ...]] = field(default_factory=dict)
    narrowed: frozenset[Pos] = frozenset()
    given: Mapping[str, Expr] = field(default_factory=dict)
    teams: Mapping[str, Team] = field(default_factory=dict)
    vectors: Mapping[str, Team] = field(default_factory=dict)
    unrolled: Mapping[str, int] = field(default_factory=dict)
    atomic: frozenset[str] = frozenset()
    shared: str = ""
    meets: bool = False
    counters: Mapping[str, str] = field(default_factory=dict)
    whole: Mapping[Split, Stretch] = field(default_factory=dict)
    partial: frozenset[Split] = frozenset()
    flags: Mapping[Access, Expr] = field(default_factory=dict)

    @property
    def optional(self) -> frozenset[Access]:
        """The accesses that may be missing here."""
        return frozenset(self.flags)

    def there(self, access: Access) -> Expr:
        """Whether an access is present, as far as the loops have come."""
        return self.flags.get(access, ir.TRUE)

    def at(self, access: Access, k: int) -> Positions:
        """Where an access stands at level `k`, counted from 0 for the root."""
        return self.positions.get(access, (At(ir.ZERO),))[k]

    def path(self, access: Access, k: int) -> tuple[Expr, ...]:
        """The level coordinates of an access down to level `k`."""
        return self.paths.get(access, ())[:k]

    def placed(self, access: Access, k: int, position: Positions, coordinate: Expr) -> Env:
        """The environment where level `k` of an access has been found."""
        positions = (*self.positions.get(access, (At(ir.ZERO),))[: k + 1], position)
        path = (*self.path(access, k), coordinate)
        return replace(self, positions={**self.positions, access: positions}, paths={**self.paths, access: path})

    def inside(self, index: str, coordinate: Expr) -> Env:
        """The environment inside a loop."""
        return replace(self, bound=(*self.bound, index), coordinates={**self.coordinates, index: coordinate})

    def partly(self) -> Env:
        """The environment where not every coordinate comes by."""
        return replace(self, covers=False)


Emit = Callable[[Statement, Env, Writer], None]
