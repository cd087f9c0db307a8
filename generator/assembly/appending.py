"""Appending: the parts of Figure 9 that assemble a result in storage order (Chou 2018, sections 3.4 and 4.5).

Below every loop over an appended level stands the loop over its children. Before it the next free position is noted;
after it the fiber that was appended is connected to its parent, which is appended only if the fiber is not empty.
Before a loop over stored positions there is made room for all of them, inside any other loop for one:

    const int64_t pC2_begin = pC2;
    if (C2_capacity - pC2 < pA2_end - pA2) { … }
    for (…) { … C2_crd[pC2] = j; C_vals[pC2] = …; pC2 += 1; }
    C2_pos[i + 1] = pC2 - pC2_begin;
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from ...reference.levels.level import Insert
from ...reference.loops.plan import LoopPlan
from ...reference.schedule.races import comes_once
from ...reference.statement.statement import Assign
from ..ir import ir, logic
from ..ir.ir import INT, Expr, Name
from ..ir.writer import Writer
from ..scope.env import Env
from ..scope.frame import Frame
from ..scope.terms import print_term
from .form import ROOT
from .output import Output, Put

After = Callable[[Writer], None]


class Filling(Struct, frozen=True):
    """A loop that gives the coordinates of levels `before` to `after` of a result with appended levels; `end`: those
    that are known once the loops inside have run that visit one coordinate, as they do in chains of branchless levels.
    """

    fibers: Fibers
    before: int
    after: int
    end: int

    @classmethod
    def of(cls, loop: LoopPlan, output: Output, frame: Frame) -> Filling:
        """What a loop gives of a result."""
        before, after = (each.known_depth(output.form.target) for each in (loop.surroundings, loop.inside))
        alone = loop.strategy.fused and not loop.strategy.merges
        chain = {v for active in loop.strategy.coiterated for v in active.access.levels} if alone else set[str]()
        below = takewhile(chain.__contains__, output.form.target.levels[after:])
        return cls(Fibers(frame, output), before, after, after + len([*below]))

    def around(self, env: Env, out: Writer) -> tuple[Env, After]:
        """Write the code before a loop's body; return what writes the code after it."""
        return self.fibers.around(self.before, self.after, env, out)

    @property
    def appends(self) -> bool:
        """Whether a visit may append a position, for which there must be room, and no more than one."""
        return self.before < self.fibers.output.form.last_append + 1 <= self.end

    def at_once(self, index: str) -> bool:
        """Whether room for all visits of a loop may be made before it: positions have one value each, not a block."""
        output = self.fibers.output
        if not output.makes_all_visits(index):
            return False
        return self.appends and output.held.sizes(len(output.levels) - 1, ir.ONE, Writer()) == ir.ONE

    def with_room(self, env: Env) -> Env:
        """The environment of a visit, for which there is room."""
        name = self.fibers.output.name
        return replace(env, target=replace(env.target, roomy=env.target.roomy | {name}))

    def room(self, env: Env, visits: Expr, out: Writer) -> None:
        """Make room for the positions of some visits."""
        self.fibers.output.ensure(self.fibers.output.form.heads[-1], visits, self.fibers.progress(env), out)


class Fibers:
    """The fibers of one result under construction."""

    def __init__(self, frame: Frame, output: Output) -> None:
        self.frame, self.output = frame, output

    def around(self, before: int, after: int, env: Env, out: Writer) -> tuple[Env, After]:
        """Write the code before the body of a loop over levels `before` to `after`; return what writes the code after
        it.

        The environment returned knows the blocks that may be opened in the body.
        """
        heads = [h for h in self.output.form.heads if before < h <= after]
        begins = [
            out.declare(f"const {INT}", f"{self.counter(h).name}_begin", self.counter(h), natural=True) for h in heads
        ]
        for g in self.output.form.heads:
            if before < self.output.form.chain(g)[-1] + 1 <= after and self.has_block(g):
                block = out.declare(INT, f"{self.output.name}{g + 1}_block", ir.Int(-1))
                blocks = {**env.target.blocks, f"{self.output.name}{g}": Name(block.name, True)}
                env = replace(env, target=replace(env.target, blocks=blocks))
        own = {f"{self.output.name}{h}": begin for h, begin in zip(heads, begins, strict=True)}
        env = replace(env, target=replace(env.target, begins={**env.target.begins, **own}))

        def close(inner: Writer) -> None:
            for h, begin in reversed([*zip(heads, begins, strict=True)]):
                if self.output.form.fresh:
                    self.connect(h, begin, env, inner)

        return env, close

    def counter(self, head: int) -> Name:
        """The number of positions of a head."""
        return self.output.held.counters[head]

    def is_whole(self, count: int, env: Env) -> bool:
        """Whether all that has some first coordinates is appended together: no tile may hold only a piece of it."""
        levels = self.output.form.target.levels
        return not env.target.pieces or comes_once(self.frame.facts.program, levels[:count], env.site.around)

    def has_block(self, head: int) -> bool:
        """Whether levels that are inserted into stand between a head and what comes below it."""
        below = self.output.form.chain(head)[-1] + 1
        return below < len(self.output.levels) and isinstance(self.output.levels[below], Insert)

    def coordinates(self, env: Env) -> dict[int, Expr]:
        """The level coordinates known so far."""
        found: dict[int, Expr] = {}
        for k, variable in enumerate(self.output.form.target.levels):
            if env.site.space.loops(variable) is None:
                break
            found[k] = print_term(env.site.space.recover(variable), self.frame, env)
        return found

    def progress(self, env: Env) -> Expr | None:
        """How far the first level has come, if the loops have its coordinate: results are filled in storage order."""
        return self.coordinates(env).get(0)

    def connect(self, head: int, begin: Expr, env: Env, out: Writer) -> None:
        """Connect the fiber `[begin, counter)` of a head to its parent."""
        output, end = self.output, self.counter(head)
        inner = out.inner()
        group = output.form.group(head - 1)
        appended: list[Name] = []
        parent = self.parent(head, group, env, inner, appended)
        (output.connect_piece if env.target.pieces else output.connect)(head, parent, begin, inner)
        for counter in appended:
            inner.add(ir.Assign(counter, ir.ONE, "+="))
        filled = ir.TRUE if group == ROOT and self.is_full(head) else logic.compare("<", begin, end)
        out.add(*logic.conditional(logic.both(env.teams.stores, filled), inner.code))

    def connect_root(self, out: Writer) -> None:
        """Connect the outermost fiber to the root."""
        self.output.connect(0, ir.ZERO, ir.ZERO, out)

    def is_full(self, head: int) -> bool:
        """Whether every parent of a head exists beforehand."""
        return all(level.full for level in self.output.levels[:head])

    def parent(self, head: int, group: int, env: Env, out: Writer, appended: list[Name]) -> Expr:
        """The position of the parent of a fiber, made if need be."""
        known_ = self.coordinates(env)
        first = 0
        position: Expr = ir.ZERO
        if group != ROOT:
            position = self.open(group, known_, env, out, appended)
            first = self.output.form.chain(group)[-1] + 1
        for k in range(first, head):
            path = tuple(known_[n] for n in range(k + 1))
            position, _ = self.output.insert(k, position, path, out)
        return position

    def open(self, head: int, known_: dict[int, Expr], env: Env, out: Writer, appended: list[Name]) -> Expr:
        """The position of a head for the loops' coordinates: of the block already opened there, or appended now."""
        key = f"{self.output.name}{head}"
        block = env.target.blocks.get(key)
        if block is not None and key in env.target.open:
            return block
        whole = self.is_whole(self.output.form.chain(head)[-1] + 1, env)
        if block is None and not whole:
            return self.reopen(head, known_, env, out)
        if block is None:
            appended.append(self.counter(head))
            if head != self.output.form.heads[-1]:
                self.output.ensure(head, ir.ONE, known_.get(0), out)
            return self.output.append(head, known_, out)
        inner = out.inner()
        if not whole:
            inner.add(ir.Assign(block, self.reopen(head, known_, env, inner)))
        else:
            self.append_position(block, head, known_, inner)
        out.add(ir.If(logic.compare("<", Name(block.name), ir.ZERO), inner.code))
        return block

    def append_position(self, place: Name, head: int, known_: dict[int, Expr], out: Writer) -> None:
        """Append a position to a head, and put it into a variable."""
        if head != self.output.form.heads[-1]:
            self.output.ensure(head, ir.ONE, known_.get(0), out)
        out.add(ir.Assign(place, self.output.append(head, known_, out)))
        out.add(ir.Assign(self.counter(head), ir.ONE, "+="))

    def reopen(self, head: int, known_: dict[int, Expr], env: Env, out: Writer) -> Expr:
        """The last position of a head, if an earlier piece has appended it for these coordinates, or else a new one."""
        counter, inner = self.counter(head), out.inner()
        last = self.is_last(head, known_, env, out)
        place = out.declare(INT, f"p{self.output.name}{head + 1}_at", ir.sub(counter, ir.ONE), natural=True)
        self.append_position(place, head, known_, inner)
        out.add(ir.If(logic.negate(last), inner.code))
        return place

    def is_last(self, head: int, known_: dict[int, Expr], env: Env, out: Writer) -> Expr:
        """Whether the last position of a head stands for some coordinates."""
        last = ir.sub(self.counter(head), ir.ONE)
        path = tuple(known_[k] for k in range(head))
        same = [self.has_children(head, known_, env, out)]
        for k in self.output.form.chain(head):
            same.append(logic.compare("==", self.output.stored_coordinate(k, last, path, out), known_[k]))
            path = (*path, known_[k])
        return logic.both(*same)

    def has_children(self, head: int, known_: dict[int, Expr], env: Env, out: Writer) -> Expr:
        """Whether anything has been appended below the parent of a head, in this piece of its fiber or before.

        Until a new result is finalized, the end of a fiber counts what it holds.
        """
        output, counter = self.output, self.counter(head)
        here = logic.compare("<", env.target.begins.get(f"{output.name}{head}", ir.ZERO), counter)
        if head == 0:
            return here
        group = output.form.group(head - 1)
        above = ir.TRUE if group == ROOT else self.is_last(group, known_, env, out)
        parent: Expr = ir.ZERO if group == ROOT else ir.sub(self.counter(group), ir.ONE)
        for k in range(0 if group == ROOT else output.form.chain(group)[-1] + 1, head):
            parent, _ = output.insert(k, parent, tuple(known_[n] for n in range(k + 1)), out)
        begin, end = output.held.bounds[head].call("pos_bounds", (parent,), out)
        earlier = logic.compare("<", ir.ZERO, end) if output.form.fresh else logic.compare("<", begin, counter)
        return logic.either(here, logic.both(above, earlier))

    def open_block(self, extent: Expr, env: Env, out: Writer) -> Env:
        """Open the block of the last head before a loop that stores in it at every coordinate of an extent."""
        head = self.output.form.heads[-1]
        inner = out.inner()
        self.open(head, self.coordinates(env), env, inner, [])
        out.add(*logic.conditional(logic.compare("<", ir.ZERO, extent), inner.code))
        return replace(env, target=replace(env.target, open=env.target.open | {f"{self.output.name}{head}"}))

    def store(self, s: Assign, path: tuple[Expr, ...], env: Env, out: Writer, put: Put) -> None:
        """Store a contribution below the last head; `put` writes it at a position, and knows whether that is new."""
        output = self.output
        head = output.form.heads[-1]
        appended: list[Name] = []
        first = output.form.chain(head)[-1] + 1
        if first == len(output.levels) and not self.is_whole(first, env):
            self.store_piece(head, dict(enumerate(path)), env, out, put)
            return
        position = self.open(head, dict(enumerate(path)), env, out, appended)
        if first == len(output.levels):
            put(out, position, True)
        for k in range(first, len(output.levels)):
            last = k == len(output.levels) - 1
            position, _ = output.insert(k, position, path[: k + 1], out, put if last else None)
        for counter in appended:
            out.add(ir.Assign(counter, ir.ONE, "+="))

    def store_piece(self, head: int, known_: dict[int, Expr], env: Env, out: Writer, put: Put) -> None:
        """Store a contribution at the last position, if an earlier piece has stored one there, or else at a new one."""
        counter, before, new = self.counter(head), out.inner(), out.inner()
        put(before, ir.sub(counter, ir.ONE), False)
        put(new, self.output.append(head, known_, new), True)
        new.add(ir.Assign(counter, ir.ONE, "+="))
        out.add(*logic.conditional(self.is_last(head, known_, env, out), before.code, new.code))
