"""Outputs: tensors filled through the level functions of Table 3 (Chou 2018, sections 3.4 and 4.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from ...reference.errors import Unsupported
from ...reference.levels.level import Insert, Level, Widen, makes_positions
from ..ir import ir, logic
from ..ir.ir import INT, Element, Expr, Name
from ..ir.writer import Writer
from ..scope.frame import Frame
from . import growth
from .form import Form
from .initial import fill, forget_children, initialise_level
from .pieces import connect_meanwhile
from .variables import Variables
from .widening import Widenings, widen_level

Put = Callable[[Writer, Expr, bool | None], None]


class Output(Struct, frozen=True):
    """A tensor that a kernel writes, through its variables; `widenings` are the functions that widen its levels."""

    frame: Frame
    held: Variables
    widenings: Widenings = field(default_factory=dict)

    @property
    def form(self) -> Form:
        """What the tensor is like."""
        return self.held.form

    @property
    def name(self) -> str:
        """The tensor's name."""
        return self.form.name

    @property
    def levels(self) -> tuple[Level, ...]:
        """Its level formats."""
        return self.form.levels

    @property
    def has_places(self) -> bool:
        """Whether every component has a place of its own beforehand, wherever threads come from."""
        return self.held.is_plain or not (self.form.fresh or self.form.heads)

    def stored_coordinate(self, k: int, p: Expr, path: tuple[Expr, ...], out: Writer) -> Expr:
        """The coordinate that has been stored at a position of level `k`."""
        return self.held.bounds[k].call("pos_access", (p, path), out)[0]

    def makes_all_visits(self, index: str) -> bool:
        """Whether all that a loop over a variable appends is appended here."""
        return True

    def ensure(self, head: int, more: Expr, reached: Expr | None, out: Writer) -> None:
        """Make room for some more positions of a head, where a coordinate of the first level has been reached, if that
        is known."""
        growth.ensure(self.held, self.frame, head, more, reached, out)

    def append(self, head: int, coordinates: Mapping[int, Expr], out: Writer) -> Expr:
        """Append one position, for which there is room, to a head and its singletons; prepare what is below it."""
        held, fresh, p = self.held, self.form.fresh, self.held.counters[head]
        chain = self.form.chain(head)
        if fresh:
            for k in chain:
                held.bounds[k].call("append_coord", (p, coordinates[k]), out)
        begin: Expr = p
        end = ir.add(p, ir.ONE)
        for k in range(chain[-1] + 1, len(self.levels)):
            bound = held.bounds[k]
            if makes_positions(bound.level):
                if fresh:
                    bound.call("append_init", (begin, end), out)
                return p
            if fresh:
                forget_children(held, k, begin, end, out)
            begin, end = bound.one("size", (begin,), out), bound.one("size", (end,), out)
            if fresh:
                initialise_level(bound, begin, end, out)
        if chain[-1] + 1 < len(self.levels) and held.needs_fill:
            fill(held, begin, end, out)
        return p

    def connect(self, head: int, parent: Expr, begin: Expr, out: Writer) -> None:
        """Connect the fiber of a head that begins at a position, and ends here, to its parent."""
        self.held.bounds[head].call("append_edges", (parent, begin, self.held.counters[head]), out)

    def connect_piece(self, head: int, parent: Expr, begin: Expr, out: Writer) -> None:
        """Connect a piece of a fiber of a head, of which there may be others before and after it."""
        self.connect(head, parent, begin, out)

    def insert(
        self, k: int, parent: Expr, path: tuple[Expr, ...], out: Writer, put: Put | None = None
    ) -> tuple[Expr, Expr]:
        """The position of a coordinate of level `k`, made if need be; and whether it was there.

        `put` writes what is to be done at the position, and is told whether it is new: None where that is not known.
        """
        bound = self.held.bounds[k]
        if not isinstance(bound.level, Insert):
            if self.form.fresh:
                bound.call("append_coord", (parent, path[-1]), out)
            if put is not None:
                put(out, parent, True)
            return parent, ir.FALSE
        stem = f"p{self.name}{k + 1}"
        q, found = bound.call("locate", (parent, path), out, (stem, f"found{self.name}{k + 1}"))
        q = out.declare(INT, stem, q, natural=True) if not isinstance(q, Name) else q
        if k == 0:
            q = replace(q, below=bound.one("size", (ir.ONE,), out))
        if found == ir.TRUE or not self.form.fresh:
            if put is not None:
                put(out, q, None)
            return q, ir.TRUE
        missing, there = out.inner(), out.inner()
        if isinstance(bound.level, Widen):
            self.widen(k, parent, path, q, missing)
        bound.call("insert_coord", (q, path[-1]), missing)
        if self.held.listed is not None:
            missing.add(*self.held.listed.append(path[-1]))
        if put is not None:
            put(missing, q, True)
            put(there, q, False)
        out.add(*logic.conditional(logic.negate(found), missing.code, there.code))
        return q, found

    def widen(self, k: int, parent: Expr, path: tuple[Expr, ...], q: Expr, out: Writer) -> None:
        """Widen the level where a new child would crowd it, and locate the child again; count it for its parent.

        It is counted last: widening counts those that it moves.
        """
        bound, count = self.held.bounds[k], Element(self.held.counts[k], parent)
        crowded = bound.one("is_crowded", (ir.add(count, ir.ONE),), out)
        more = out.inner()
        widen_level(self.held, k, self.widenings, self.frame.routine, more)
        again, _ = bound.call("locate", (parent, path), more, ("q", "present"))
        more.add(ir.Assign(q, again))
        out.add(*logic.conditional(crowded, more.code))
        out.add(ir.Assign(count, ir.ONE, "+="))


class Pieced(Output, frozen=True):
    """A result of which several threads append parts, which may end in the middle of a fiber."""

    def connect_piece(self, head: int, parent: Expr, begin: Expr, out: Writer) -> None:
        """Others may connect pieces of the same fiber at the same time."""
        connect_meanwhile(self.held.bounds[head], parent, begin, self.held.counters[head], out)


class Reserved(Pieced, frozen=True):
    """A result with room for all that is appended, by several who do not see what others append."""

    def stored_coordinate(self, k: int, p: Expr, path: tuple[Expr, ...], out: Writer) -> Expr:
        """Nobody looks back at what may be another's. Raises Unsupported."""
        raise Unsupported(
            f"GPUBlock cannot fill {self.name}, whose fibers loops over parts of tiles append in pieces",
            hint="reorder the loops so that each component is come to once, or ask for a dense result",
        )

    def ensure(self, head: int, more: Expr, reached: Expr | None, out: Writer) -> None:
        """There is room."""


class Tally(Reserved, frozen=True):
    """A result of which the positions that are going to be appended are counted; nothing is stored yet."""

    def append(self, head: int, coordinates: Mapping[int, Expr], out: Writer) -> Expr:
        """The position of a coordinate, which is not stored."""
        return self.held.counters[head]

    def connect(self, head: int, parent: Expr, begin: Expr, out: Writer) -> None:
        """Fibers are connected when they are filled."""

    def connect_piece(self, head: int, parent: Expr, begin: Expr, out: Writer) -> None:
        """So are their pieces."""

    def insert(
        self, k: int, parent: Expr, path: tuple[Expr, ...], out: Writer, put: Put | None = None
    ) -> tuple[Expr, Expr]:
        """Nothing below a head is counted."""
        return parent, ir.TRUE
