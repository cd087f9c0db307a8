"""Iterating one level in C, with the conversions that its use requires (Chou 2018, sections 3.2 and 4.3).

A walk goes over positions, over coordinates, or over a sorted scratch list of both; it may gather duplicates, and keep
to the window of a split variable's block.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from ...reference.levels.level import CoordinatePositionIteration
from ...reference.loops.strategy import Active, Strategy
from ...reference.statement.provenance import Same, Split
from ..ir import ir
from ..ir.ir import INT, Expr, Name
from ..ir.writer import Writer
from ..scope.env import Env
from ..scope.flags import under, where_present
from ..scope.frame import Frame
from ..scope.spaces import Range, Spaces, search
from ..storage.positions import At, Listed, Positions, Run, each, item

Visit = Callable[[Writer, Expr, Positions], None]
Ahead = Callable[[Expr, Writer], None]


@dataclass
class Walk:
    """The iteration of one level of an access where its parent stands at `parents`.

    It keeps to the loop's coordinates in `limits` and to the positions in `places`; `ends`: that is the last level of
    which positions are counted.
    """

    frame: Frame
    strategy: Strategy
    active: Active
    env: Env
    fused: bool
    merges: bool
    limits: Range | None = None
    places: Range | None = None
    ends: bool = False

    def __post_init__(self) -> None:
        access, k = self.active.access, self.active.first
        self.bound = self.frame.tensors.stores[access.tensor].bounds[k]
        self.level = self.active.level
        self.parents = self.env.site.at(access, k)
        self.path = self.env.site.path(access, k)
        self.by_position = isinstance(self.level, CoordinatePositionIteration)

    @cached_property
    def many(self) -> bool:
        """Whether there are several parents."""
        return not isinstance(self.parents, At)

    @cached_property
    def gathers(self) -> bool:
        """Whether duplicates are visited together. Stored coordinates that are unique are so below duplicates too."""
        if self.many and (self.level.full or not self.by_position):
            return True
        return self.by_position and not (self.level.unique or self.fused)

    @cached_property
    def chains(self) -> bool:
        """Whether the children of a run of parents are themselves a run (Figure 7b)."""
        k = self.active.first
        if not k or not isinstance(self.parents, Run) or not self.by_position:
            return False
        above = self.frame.facts.formats[self.active.access.tensor].levels[k - 1]
        return bool(above.ordered and above.compact and self.level.ordered and self.level.compact)

    @cached_property
    def sorts(self) -> bool:
        """Whether children go through a scratch list: out of order, scattered, or not all of them labeled."""
        unordered = not self.level.ordered and (self.strategy.ordered or self.gathers)
        scattered = self.many and not self.chains
        return unordered or scattered or ((self.merges or self.gathers) and not self.labeled)

    @cached_property
    def labeled(self) -> bool:
        """Whether every position holds a coordinate, which can be read without a statement of its own."""
        probe = Writer()
        if self.by_position:
            found = self.bound.call("pos_access", (Name("p", True), self.path), probe)[1]
        else:
            found = self.bound.call("coord_access", (Name("p", True), (*self.path, Name("c", True))), probe)[1]
        return found == ir.TRUE and not probe.body

    @cached_property
    def flags(self) -> Name | None:
        """The presence flags of a workspace, at its last level."""
        last = self.active.first == len(self.active.access.levels) - 1
        return self.frame.tensors.stores[self.active.access.tensor].present if last else None

    def holds(self, found: Expr, p: Expr) -> Expr:
        """Whether a position is labeled, and in a workspace also present."""
        return found if self.flags is None else ir.both(found, ir.Element(self.flags, p))

    @cached_property
    def base(self) -> Expr:
        """What to subtract from the level's coordinate to get the loop's, inside the block of a split variable."""
        variable = self.active.access.levels[self.active.first]
        if variable == self.strategy.index:
            return ir.ZERO
        split = next(s for s in self.frame.facts.provenance.splits(variable) if s.inner == self.strategy.index)
        return ir.mul(self.env.site.coordinates[split.outer], ir.Int(split.factor))

    @cached_property
    def window(self) -> tuple[Expr, Expr] | None:
        """The level coordinates that the loop ranges over, if they are not all."""
        if self.limits is None:
            return None
        begin, end = self.limits
        return ir.add(begin, self.base), ir.add(end, self.base)

    @cached_property
    def searches(self) -> bool:
        """Whether the ends of the window can be found by bisection."""
        return bool(self.window and self.by_position and self.level.ordered and self.labeled and not self.sorts)

    @property
    def keeps_places(self) -> bool:
        """Whether the walk can keep to some positions: of gathered duplicates the first says where they belong."""
        return not self.gathers or not (self.merges or self.sorts)

    @cached_property
    def guarded(self) -> Range | None:
        """The window, if each coordinate must be compared with it."""
        return None if self.searches else self.window

    def outside(self, c: Expr, p: Expr) -> Expr:
        """Whether a level coordinate leaves the window, or a position the places to keep to."""
        found: Expr = ir.FALSE
        if self.guarded is not None and (self.by_position or self.sorts):
            begin, end = self.guarded
            if end == ir.add(begin, ir.ONE):
                found = ir.compare("!=", c, begin)
            else:
                found = ir.either(ir.compare("<", c, begin), ir.compare(">=", c, end))
        if self.places is not None and (self.sorts or not self.by_position):
            first, last = self.places
            found = ir.either(found, ir.compare("<", p, first), ir.compare(">=", p, last))
        return found

    def elsewhere(self, begin: Expr, end: Expr) -> Expr:
        """Whether duplicates at the positions `[begin, end)` belong elsewhere: the first does, or all that is below.

        The first stands for all at the last level that is counted.
        """
        if self.places is None:
            return ir.FALSE
        first, last = self.places
        before = ir.compare("<", begin, first) if self.ends else ir.compare("<=", end, first)
        return ir.either(before, ir.compare(">=", begin, last))

    @property
    def stem(self) -> str:
        """The name of the level, as in A2."""
        return f"{self.active.access.tensor}{self.active.first + 1}"

    @property
    def coordinate_stem(self) -> str:
        """The name of the level's coordinate, as in jA."""
        return f"{self.strategy.index}{self.active.access.tensor}"

    def bounds(self, out: Writer) -> tuple[Expr, Expr]:
        """The range of positions or coordinates of a direct walk."""
        begin, end = where_present(
            self.env.site.there(self.active.access),
            self.reach,
            ((INT, f"p{self.stem}_low", ir.ZERO), (INT, f"p{self.stem}_high", ir.ZERO)),
            out,
        )
        if self.places is not None and self.by_position and not self.gathers:
            begin, end = ir.larger(begin, self.places[0]), ir.smaller(end, self.places[1])
        if self.window is None or not self.searches:
            return begin, end
        begin, end = out.held(f"p{self.stem}_low", begin), out.held(f"p{self.stem}_high", end)
        for limit, stem in zip(self.window, ("begin", "end"), strict=True):

            def before(inner: Writer, p: Expr, limit: Expr = limit) -> Expr:
                return ir.compare("<", self.bound.call("pos_access", (p, self.path), inner)[0], limit)

            found = search(begin, end, before, f"p{self.stem}_{stem}", out)
            if stem == "begin":
                begin = found
        return begin, found

    def reach(self, out: Writer) -> tuple[Expr, Expr]:
        """The positions or coordinates below where the parent stands."""
        match self.parents:
            case At(p=p) if self.by_position:
                begin, end = self.bound.call("pos_bounds", (p,), out)
            case Run(begin=first, end=last):
                begin = self.bound.call("pos_bounds", (first,), out)[0]
                end = self.bound.call("pos_bounds", (ir.sub(last, ir.ONE),), out)[1]
            case _:
                begin, end = self.bound.call("coord_bounds", (self.path,), out)
                if self.window is not None:
                    begin, end = ir.larger(begin, self.window[0]), ir.smaller(end, self.window[1])
        return begin, end

    def first_place(self) -> Expr | None:
        """Where the loop's coordinate 0 is stored, if the coordinates after it follow one by one."""
        if self.by_position or self.many:
            return None
        probe, c = Writer(), Name("c", True)
        first = self.bound.call("coord_access", (self.parent, (*self.path, self.base)), probe)[0]
        later = self.bound.call("coord_access", (self.parent, (*self.path, ir.add(c, self.base))), probe)[0]
        return first if not probe.body and later == ir.add(first, c) else None

    def listed(self, out: Writer) -> Name:
        """Write all children into the scratch list, sorted."""
        key = (self.active.access, self.active.first)
        items = self.frame.routine.scratch(key, f"{self.stem}_list")
        out.add(ir.Assign(ir.Spelled("{0}.size", (items,)), ir.ZERO))

        def push(inner: Writer, p: Expr) -> None:
            self.visit_children(inner, p, items)

        under(self.env.site.there(self.active.access), out, lambda inner: each(self.parents, inner, push))
        self.frame.routine.check(out)
        out.add(ir.Do(ir.Call("gn_sort", (ir.Unary("&", items),))))
        return items

    def visit_children(self, out: Writer, p: Expr, items: Name) -> None:
        """Push the children of one parent onto the scratch list."""
        inner = out.inner()
        if self.by_position:
            begin, end = self.bound.call("pos_bounds", (p,), out)
            q: Expr = Name(inner.fresh("q"), True)
            counter = q
            c, found = self.bound.call("pos_access", (q, self.path), inner)
            if self.guarded is not None:
                c = inner.held("c", c)
        else:
            begin, end = self.bound.call("coord_bounds", (self.path,), out)
            counter = c = Name(inner.fresh("c"), True)
            q, found = self.bound.call("coord_access", (p, (*self.path, c)), inner)
        assert isinstance(counter, Name)
        pushed = ir.Do(ir.Call("gn_push", (ir.Unary("&", items), c, q, ir.Spelled("&status"))))
        inner.add(*ir.conditional(ir.both(self.holds(found, q), ir.negated(self.outside(c, q))), (pushed,)))
        out.add(ir.For(counter.name, begin, end, inner.code))

    def run(self, out: Writer, visit: Visit, ahead: Ahead | None) -> ir.For | None:
        """Write the walk as a loop of its own, returned if it counts; `visit` gets the level coordinate.

        `ahead` is given the number of positions before the loop.
        """
        if not self.sorts and not self.gathers:
            return self.directly(out, visit, ahead)
        cursor = self.start(out)
        if ahead is not None:
            ahead(ir.sub(cursor.end, cursor.place), out)
        self.over_list(cursor, out, visit) if self.sorts else self.over_groups(cursor, out, visit)
        return None

    @property
    def counts(self) -> bool:
        """Whether the walk will be a loop that counts."""
        return not self.sorts and not self.gathers and not is_one(*self.bounds(Writer()))

    def directly(self, out: Writer, visit: Visit, ahead: Ahead | None) -> ir.For | None:
        """One position or coordinate after another."""
        begin, end = self.bounds(out)
        single = is_one(begin, end)
        if ahead is not None and not single:
            begin, end = out.held(f"p{self.stem}_begin", begin), out.held(f"p{self.stem}_end", end)
        if ahead is not None:
            ahead(ir.sub(end, begin), out)
        inner = out.inner()
        if self.by_position:
            counter: Expr = out.held(f"p{self.stem}", begin) if single else Name(inner.fresh(f"p{self.stem}"), True)
            target = out if single else inner
            c, found = self.bound.call("pos_access", (counter, self.path), target, (self.coordinate_name(),))
            c, p = self.named(c, target), counter
        else:
            stem = self.coordinate_name()
            counter = out.held(stem, begin) if single else Name(inner.fresh(stem), True)
            target = out if single else inner
            p, found = self.bound.call("coord_access", (self.parent, (*self.path, counter)), target)
            c, p = counter, target.held(f"p{self.stem}", p)
        admitted = ir.both(self.holds(found, p), ir.negated(self.outside(c, p)))
        if single and admitted == ir.TRUE:
            visit(out, c, At(p))
            return None
        body = target.inner()
        visit(body, c, At(p))
        if single:
            out.add(*ir.conditional(admitted, body.code))
            return None
        if admitted != ir.TRUE:
            inner.add(ir.If(ir.negated(admitted), (ir.Jump("continue"),)))
        inner.add(*body.code)
        assert isinstance(counter, Name)
        return out.loop(counter.name, begin, end, inner.code)

    @property
    def parent(self) -> Expr:
        """The only parent."""
        assert isinstance(self.parents, At)
        return self.parents.p

    def coordinate_name(self) -> str:
        """The loop variable itself, unless the level counts from elsewhere."""
        return self.strategy.index if self.base == ir.ZERO else self.coordinate_stem

    def named(self, c: Expr, out: Writer) -> Expr:
        """The level coordinate in a variable."""
        if isinstance(c, Name):
            return c
        return out.declare(f"const {INT}", self.coordinate_name(), c, natural=True)

    def over_groups(self, cursor: Cursor, out: Writer, visit: Visit) -> None:
        """One coordinate after another, each with the run of its duplicates (Figure 1c, lines 5 to 7)."""
        inner = out.inner()
        head = cursor.head(inner)
        body = inner.inner()
        visit(body, head.c, head.positions)
        left_out = ir.either(self.outside(head.c, cursor.place), self.elsewhere(cursor.place, head.next))
        inner.add(*ir.conditional(ir.negated(left_out), body.code))
        inner.add(step(cursor.place, head.next))
        out.add(ir.While(cursor.alive, inner.code))

    def over_list(self, cursor: Cursor, out: Writer, visit: Visit) -> None:
        """The places of the scratch list, one after another or gathered."""
        inner = out.inner()
        head = cursor.head(inner)
        visit(inner, head.c, head.positions)
        inner.add(step(cursor.place, head.next))
        out.add(ir.While(cursor.alive, inner.code))

    def start(self, out: Writer) -> Cursor:
        """Write what comes before a walk that is advanced step by step."""
        if self.sorts:
            items = self.listed(out)
            place = out.declare(INT, f"s{self.stem}", ir.ZERO, natural=True)
            return Cursor(self, place, ir.Spelled("{0}.size", (items,)), items)
        begin, end = self.bounds(out)
        prefix = "p" if self.by_position else "c"
        place = out.declare(INT, f"{prefix}{self.stem}", begin, natural=True)
        end = out.held(f"{place.name}_end", end)
        cursor = Cursor(self, place, end, None)
        if self.guarded is not None and self.by_position:
            before = ir.compare("<", cursor.coordinate(place, out), self.guarded[0])
            skip = (ir.Assign(place, ir.ONE, "+="),)
            out.add(ir.While(ir.both(ir.compare("<", place, end), before), skip))
        return cursor


@dataclass(frozen=True)
class Head:
    """What a cursor stands at: a coordinate, where it is stored, and the place after it."""

    c: Expr
    positions: Positions
    next: Expr


@dataclass(frozen=True)
class Cursor:
    """A walk under way, at `place` of the places up to `end`: positions, coordinates or places in a scratch list."""

    walk: Walk
    place: Name
    end: Expr
    items: Name | None

    @property
    def alive(self) -> Expr:
        """Whether anything is left in the window."""
        inside = ir.compare("<", self.place, self.end)
        walk = self.walk
        if walk.guarded is None or self.items is not None or not walk.by_position or not walk.merges:
            return inside
        return ir.both(inside, ir.compare("<", self.coordinate(self.place, Writer()), walk.guarded[1]))

    def coordinate(self, place: Expr, out: Writer) -> Expr:
        """The level coordinate at a place."""
        if self.items is not None:
            return item(self.items, place, "coordinate")
        if not self.walk.by_position:
            return place
        return self.walk.bound.call("pos_access", (place, self.walk.path), out)[0]

    def head(self, out: Writer) -> Head:
        """Write what is needed to know the coordinate here, and how far its duplicates reach."""
        walk = self.walk
        value = self.coordinate(self.place, out)
        stem = walk.coordinate_stem if walk.merges or walk.base != ir.ZERO else walk.strategy.index
        c = out.declare(f"const {INT}", stem, value, natural=True)
        after = ir.add(self.place, ir.ONE)
        if not walk.gathers:
            return Head(c, At(self.position(out)), after)
        end = out.declare(INT, f"{self.place.name}_segend", after, natural=True)
        again = ir.compare("==", self.coordinate(end, out), c)
        out.add(ir.While(ir.both(ir.compare("<", end, self.end), again), (ir.Assign(end, ir.ONE, "+="),)))
        return Head(c, self.group(end), end)

    def group(self, end: Expr) -> Positions:
        """The positions of the duplicates in the places from here to `end`."""
        return Run(self.place, end) if self.items is None else Listed(self.items, self.place, end)

    @property
    def stored(self) -> Expr:
        """The position that the scratch list keeps at the place."""
        assert self.items is not None
        return item(self.items, self.place, "position")

    def position(self, out: Writer) -> Expr:
        """The position at the place."""
        walk = self.walk
        if self.items is not None:
            return out.held(f"p{walk.stem}", self.stored)
        if walk.by_position:
            return self.place
        return out.held(
            f"p{walk.stem}", walk.bound.call("coord_access", (walk.parent, (*walk.path, self.place)), out)[0]
        )


def is_one(begin: Expr, end: Expr) -> bool:
    """Whether `[begin, end)` is seen to hold one place."""
    return ir.sub(end, begin) == ir.ONE or end == ir.add(begin, ir.ONE)


def step(place: Name, following: Expr) -> ir.Stmt:
    """Move a cursor on."""
    one = following == ir.add(place, ir.ONE)
    return ir.Assign(place, ir.ONE, "+=") if one else ir.Assign(place, following)


def extent(frame: Frame, index: str, env: Env) -> Range:
    """The values that a loop variable ranges over, in the window that a schedule leaves."""
    if index in env.tiling.given:
        return env.tiling.given[index], ir.add(env.tiling.given[index], ir.ONE)
    spaces = Spaces(frame, env)
    made = frame.facts.derivations.made(index) is not None
    begin, end = (ir.ZERO, spaces.extent(index)) if made else dimension(frame, index, env)
    if not spaces.is_narrowed(index):
        return begin, end
    window = spaces.window(index)
    return ir.larger(begin, window.begin), ir.smaller(end, window.end)


def dimension(frame: Frame, index: str, env: Env) -> Range:
    """The coordinates of an original variable."""
    match frame.facts.provenance.derived_from(index):
        case Same(original=original):
            c = frame.recover(original, env.site)
            return c, ir.add(c, ir.ONE)
        case Split(parent=parent, outer=outer, inner=inner, factor=factor) if inner == index:
            if env.tiling.fits:
                return ir.ZERO, ir.Int(factor)
            rest = ir.sub(frame.dimension(parent), ir.mul(env.site.coordinates[outer], ir.Int(factor)))
            return ir.ZERO, ir.smaller(ir.Int(factor), rest)
        case _:
            return ir.ZERO, frame.dimension(index)
