"""Spaces: values, extents and windows of derived variables in C (Senanayake 2020, sections 5.1 to 5.4).

What `reference/execution/spaces.py` computes while a statement runs, as expressions: a loop over a derived variable
that completes original ones has become loops over those, in the window that the loops around it leave. Where a window
holds exactly the coordinates that belong there, nothing need be checked inside it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...reference.errors import InternalError, Unsupported
from ...reference.levels.level import CoordinatePositionIteration
from ...reference.notation.syntax import Access
from ...reference.statement.derivation import (
    Bound,
    Collapse,
    Coord,
    Derivation,
    Divide,
    Pos,
    derived,
    factor,
    parents,
    recover_derived,
    recover_original,
)
from ...reference.statement.exactness import is_exact, partitions, unsettled
from ...reference.statement.provenance import Split
from ...reference.storage.coordinate_map import Mode, Quotient, Remainder
from ..ir import ir
from ..ir.ir import INT, Expr, Int, Name
from ..ir.writer import Writer
from ..storage.level_functions import Bound as Level
from ..storage.positions import At, Listed, Run, item
from ..storage.translation import widened
from .env import Env
from .frame import Frame

Range = tuple[Expr, Expr]


@dataclass(frozen=True)
class Window:
    """Values `[begin, end)` of a variable. `single`: there is one; `whole`: nothing narrows them."""

    begin: Expr
    end: Expr
    single: bool = False
    whole: bool = False


@dataclass(frozen=True)
class Spaces:
    """The derived variables of a statement at one place in its code; a `Space` for the functions of `derivation.py`."""

    frame: Frame
    env: Env

    def extent(self, variable: str) -> Expr:
        """The number of values of a variable; of a position, in the segment where its access stands."""
        relation = self.frame.derivations.made(variable)
        match relation:
            case None:
                return self.frame.dimension(variable)
            case Pos():
                begin, end = self.segment(relation)
                return ir.sub(widened(end), begin)
            case Coord(of=of):
                return self.extent(of.coordinate)
            case Split(parent=parent, inner=inner, factor=size) if inner == variable:
                return ir.smaller(Int(size), self.extent(parent))
            case Split(parent=parent, factor=size):
                return ir.floordiv(ir.add(self.extent(parent), Int(size - 1)), Int(size))
            case Divide(outer=outer, parts=parts) if outer == variable:
                return Int(parts)
            case Divide():
                return ir.whole(factor(relation, self))
            case Collapse(outer=outer, inner=inner):
                return ir.mul(self.extent(outer), self.extent(inner))
            case Bound(parent=parent):
                return self.extent(parent)

    def room(self, variable: str) -> Expr:
        """The number of values of a variable at most, wherever its loop runs: the extent of what it indexes."""
        match self.frame.derivations.made(variable):
            case Split(parent=parent, inner=inner, factor=size) if inner == variable:
                return Int(size) if self.frame.derivations.is_position(parent) else self.extent(variable)
            case Bound(parent=parent):
                return self.room(parent)
            case _:
                return self.extent(variable)

    def coordinate(self, relation: Pos, position: Expr) -> Expr:
        """The coordinate that is stored at a position: loops have put the access there."""
        del position
        return self.value(relation.coordinate)

    def following(self, relation: Pos, position: Expr) -> Expr:
        """The coordinate at the position after one that holds something: of the next round of the loop."""
        raise InternalError(f"{relation.position} is followed by its loop")

    def position(self, relation: Pos, coordinate: Expr) -> Expr:
        """Where the access stands, which is at the coordinate: of duplicates, the first."""
        del coordinate
        match self.env.at(relation.access, relation.last):
            case At(p=p):
                place = p
            case Run(begin=begin):
                place = begin
            case Listed(items=items, begin=begin):
                place = item(items, begin, "position")
            case _:
                raise Unsupported(
                    f"the position {relation.position} of duplicates that lie apart cannot be told",
                    hint=f"convert {relation.access.tensor} to a format with unique coordinates",
                )
        return ir.sub(place, self.segment(relation)[0])

    def levels(self, relation: Pos) -> tuple[Level, ...]:
        """The levels whose positions are counted."""
        return self.frame.stores[relation.access.tensor].bounds[relation.first : relation.last]

    def segment(self, relation: Pos) -> Range:
        """The positions below where the access stands, of the last of the levels."""
        return self.segments(relation)[-1]

    def segments(self, relation: Pos) -> list[Range]:
        """The positions below where the access stands, before the first level and after each one."""
        match self.env.at(relation.access, relation.first):
            case At(p=p):
                found = [(p, ir.add(p, ir.ONE))]
            case Run(begin=begin, end=end):
                found = [(begin, end)]
            case _:
                raise Unsupported(
                    f"positions of {relation.access.tensor} below duplicates that lie apart are no range",
                    hint=f"convert {relation.access.tensor} to a format with unique coordinates",
                )
        for level in self.levels(relation):
            found.append(below(level, *found[-1]))
        return found

    def value(self, variable: str) -> Expr:
        """The value of a variable, downward from those that are known."""
        if variable in self.env.coordinates:
            return self.env.coordinates[variable]
        return self.derived(variable)

    def original(self, variable: str) -> Expr:
        """The value of a variable, upward from those that are known."""
        if variable in self.env.coordinates:
            return self.env.coordinates[variable]
        graph = self.frame.derivations
        use = next(u for u in graph.uses(variable) if all(graph.is_recoverable(v, self.env.bound) for v in derived(u)))
        found: Expr = recover_original(use, variable, {v: self.original(v) for v in derived(use)}, self)
        return found

    def window(self, variable: str) -> Window:
        """The values that the loops around leave a variable: all that belong here, and perhaps others."""
        if variable in self.env.bound:
            c = self.env.coordinates[variable]
            return Window(c, ir.add(c, ir.ONE), single=True)
        graph = self.frame.derivations
        found = Window(ir.ZERO, self.extent(variable), whole=True)
        for use in graph.uses(variable):
            narrowed = self.through(use, variable) if graph.leads_to(use, self.env.bound) else None
            if narrowed is not None:
                found = Window(ir.larger(found.begin, narrowed[0]), ir.smaller(found.end, narrowed[1]))
        return found

    def through(self, use: Derivation, variable: str) -> Range | None:
        """What the variables derived by one relation leave a parent; positions narrow walks instead."""
        match use:
            case Split(outer=outer, inner=inner) | Divide(outer=outer, inner=inner):
                tiles, inside, size = self.window(outer), self.window(inner), ir.whole(factor(use, self))
                last = tiles.begin if tiles.single else ir.sub(tiles.end, ir.ONE)
                end = size if inside.whole else inside.end
                return ir.add(ir.mul(tiles.begin, size), inside.begin), ir.add(ir.mul(last, size), end)
            case Collapse(outer=outer, inner=inner, fused=fused):
                whole, size = self.window(fused), self.extent(inner)
                if whole.whole:
                    return None
                if variable == outer:
                    begin = ir.floordiv(whole.begin, ir.larger(ir.ONE, size))
                    last = ir.floordiv(ir.sub(whole.end, ir.ONE), ir.larger(ir.ONE, size))
                    return begin, ir.add(last, ir.ONE)
                if not self.frame.derivations.is_derivable(outer, self.env.bound):
                    return None
                base = ir.mul(self.value(outer), size)
                return ir.sub(whole.begin, base), ir.sub(whole.end, base)
            case Bound(bounded=bounded):
                own = self.window(bounded)
                return None if own.whole else (own.begin, own.end)
            case Pos() | Coord():
                return None

    def tile(self, variable: str, counter: str) -> Split | None:
        """The split whose one part, `counter`, counts through a variable where the other part is known."""
        graph = self.frame.derivations
        split = graph.made(counter)
        leading = [use for use in graph.uses(variable) if graph.leads_to(use, self.env.bound)]
        if not isinstance(split, Split) or split.parent != variable or leading != [split] or graph.uses(counter):
            return None
        if self.frame.provenance.derived_from(variable) is not None:
            return None
        return split if split.inner == counter and split.outer in self.env.bound else None

    def inside(self, split: Split) -> Expr:
        """The number of coordinates in the tile that the loops around have reached, or in the stretch of it."""
        if split in self.env.whole:
            return Int(self.env.whole[split].size)
        begin = ir.mul(self.env.coordinates[split.outer], Int(split.factor))
        return ir.smaller(Int(split.factor), ir.sub(dimension(self.frame, split.parent), begin))

    def first(self, split: Split) -> Expr:
        """The place in the tile that the loops around have reached where what they visit of it begins."""
        return self.env.whole[split].first if split in self.env.whole else ir.ZERO

    def fits(self, split: Split) -> Expr:
        """Whether that tile has its full size."""
        end = ir.mul(ir.add(self.env.coordinates[split.outer], ir.ONE), Int(split.factor))
        return ir.compare("<=", end, dimension(self.frame, split.parent))

    def is_narrowed(self, variable: str) -> bool:
        """Whether the loops around leave a variable only some of its values."""
        graph = self.frame.derivations
        return any(graph.leads_to(use, self.env.bound) for use in graph.uses(variable))

    def breaks(self, variable: str) -> bool:
        """Whether the loops around leave a variable values in windows that overlap."""
        return self.is_narrowed(variable) and not self.partitions(variable)

    def admits(self, added: tuple[str, ...]) -> Expr:
        """Whether every derived variable around has the value that follows where loops have completed a variable.

        `added` are the original variables whose loops have done it. No check is needed for exact windows.
        """
        checked = unsettled(self.frame.derivations, self.env.bound, added, self.env.narrowed)
        return ir.both(*[ir.compare("==", self.derived(v), self.env.coordinates[v]) for v in checked])

    def derived(self, variable: str) -> Expr:
        """The value of a derived variable downward from its parents, also where a loop has given it one."""
        match self.frame.derivations.made(variable):
            case Pos() as relation:
                return self.position(relation, ir.ZERO)
            case Coord(of=of):
                return self.value(of.coordinate)
            case relation:
                assert relation is not None
                held = {v: self.value(v) for v in parents(relation)}
                found: Expr = recover_derived(relation, variable, held, self)
                return found

    def is_exact(self, variable: str) -> bool:
        """Whether the window of a variable holds nothing but what belongs there."""
        return is_exact(self.frame.derivations, variable, self.env.bound, self.env.narrowed)

    def partitions(self, variable: str) -> bool:
        """Whether the windows of a variable, one for every value of the loops around, do not overlap."""
        return partitions(self.frame.derivations, variable, self.env.bound)

    def counted(self, relation: Pos, window: Window, out: Writer) -> tuple[Range, ...]:
        """The positions of each level below which a window of positions lies.

        From the last level upward: the parent of a position is searched for, the last one is where the first leads.
        """
        segments = self.segments(relation)
        base = segments[-1][0]
        begin, end = ir.add(base, window.begin), ir.add(base, window.end)
        stem = f"p{relation.access.tensor}"
        bounds = self.levels(relation)
        begin = out.held(f"{stem}{relation.last}_first", begin)
        end = out.held(f"{stem}{relation.last}_last", end)
        found = [(begin, end)]
        for j in range(relation.last - 1, relation.first, -1):
            level, (first, last) = bounds[j - relation.first], segments[j - relation.first]
            parent = self.parent(level, first, last, begin, f"{stem}{j}_first", out)
            begin, end = parent, self.beyond(level, parent, last, end, f"{stem}{j}_last", out)
            found.insert(0, (begin, end))
        return tuple(found)

    def lies_inside(self, relation: Pos, depth: int, places: Range) -> Expr:
        """Whether every position below where an access stands, at a level above the last, is one of some places."""
        match self.env.at(relation.access, depth):
            case At(p=p):
                begin, end = p, ir.add(p, ir.ONE)
            case other:
                raise InternalError(f"{other} is not one position")
        for level in self.levels(relation)[depth - relation.first :]:
            begin, end = below(level, begin, end)
        return ir.both(ir.compare("<=", places[0], begin), ir.compare("<=", end, places[1]))

    def parent(self, level: Level, first: Expr, last: Expr, q: Expr, stem: str, out: Writer) -> Expr:
        """The parent of a position, among the parents `[first, last)`."""
        direct = quotient(level, q)
        if direct is not None:
            return out.held(stem, direct)

        def before(inner: Writer, p: Expr) -> Expr:
            return ir.compare("<=", below(level, p, ir.add(p, ir.ONE), inner)[1], q)

        return search(first, last, before, stem, out)

    def beyond(self, level: Level, parent: Expr, last: Expr, end: Expr, stem: str, out: Writer) -> Expr:
        """The first parent, from one on, whose children lie at `end` or beyond: found step by step."""
        direct = quotient(level, ir.add(end, Int(-1)))
        if direct is not None:
            return out.held(stem, ir.add(direct, ir.ONE))
        place = out.declare(INT, stem, parent, natural=True)
        begins = ir.compare("<", below(level, place, ir.add(place, ir.ONE))[0], end)
        out.add(ir.While(ir.both(ir.compare("<", place, last), begins), (ir.Assign(place, ir.ONE, "+="),)))
        return place

    def check(self, relation: Bound, out: Writer) -> None:
        """Leave the function where what a schedule says of a range does not hold."""
        is_original = self.frame.derivations.made(relation.parent) is None
        end = self.frame.measured(relation.parent) if is_original else self.extent(relation.parent)
        size = Int(relation.size)
        match relation.kind:
            case "max_exact":
                wrong = ir.compare("!=", end, size)
            case "max_constraint":
                wrong = ir.compare(">", end, size)
            case "min_exact":
                wrong = ir.compare("!=", ir.ZERO, size)
            case "min_constraint":
                wrong = ir.compare("<", ir.ZERO, size)
            case _:
                wrong = ir.compare("!=", ir.mod(end, size), ir.ZERO)
        if wrong == ir.FALSE:
            return
        self.frame.fail(out, wrong, "GN_BOUND")

    def searched(self, relation: Pos, position: Expr, out: Writer) -> tuple[dict[str, Expr], Expr]:
        """The coordinates that are stored at a position of a whole operand, by variable; and whether any are."""
        segments, bounds = self.segments(relation), self.levels(relation)
        stem = f"p{relation.access.tensor}"
        places = [out.held(f"{stem}{relation.last}_at", ir.add(segments[-1][0], position))]
        for j in range(relation.last - 1, 0, -1):
            places.insert(0, self.parent(bounds[j], *segments[j], places[0], f"{stem}{j}_at", out))
        found: Expr = ir.TRUE
        path: tuple[Expr, ...] = ()
        above: Expr = ir.ZERO
        for level, place, variable in zip(bounds, places, relation.access.levels, strict=False):
            if isinstance(level.level, CoordinatePositionIteration):
                c, there = level.call("pos_access", (place, path), out)
                found = ir.both(found, there)
            else:
                first = level.call("coord_access", (above, (*path, ir.ZERO)), out)[0]
                c = ir.sub(place, first)
            path, above = (*path, out.held(variable, c)), place
        return dict(zip(relation.access.levels, path, strict=False)), found


def search(first: Expr, last: Expr, before: Callable[[Writer, Expr], Expr], stem: str, out: Writer) -> Name:
    """The first place in `[first, last)` that does not come before something, or `last`: by bisection."""
    place = out.declare(INT, stem, first, natural=True)
    end = out.declare(INT, f"{stem}_end", last, natural=True)
    inner = out.inner()
    middle = inner.declare(f"const {INT}", "middle", ir.floordiv(ir.add(place, end), Int(2)), natural=True)
    left = before(inner, middle)
    inner.add(ir.If(left, (ir.Assign(place, ir.add(middle, ir.ONE)),), (ir.Assign(end, middle),)))
    out.add(ir.While(ir.compare("<", place, end), inner.code))
    return place


def quotient(level: Level, q: Expr) -> Expr | None:
    """The parent of a position by arithmetic, where every parent has equally many children."""
    probe, p = Writer(), Name("p", True)
    begin, end = below(level, p, ir.add(p, ir.ONE), probe)
    if probe.body:
        return None
    if begin == p and end == ir.add(p, ir.ONE):
        return q
    if isinstance(begin, ir.Binary) and begin.operator == "*" and begin.left == p and begin.right != p:
        return ir.floordiv(q, ir.larger(ir.ONE, begin.right))
    return None


def below(level: Level, begin: Expr, end: Expr, out: Writer | None = None) -> Range:
    """The positions of the children of the parents `[begin, end)`."""
    out = Writer() if out is None else out
    if isinstance(level.level, CoordinatePositionIteration):
        return (
            level.call("pos_bounds", (begin,), out)[0],
            level.call("pos_bounds", (ir.sub(end, ir.ONE),), out)[1],
        )
    return level.one("size", (begin,), out), level.one("size", (end,), out)


def dimension(frame: Frame, variable: str) -> Expr:
    """The extent of a variable, derived or not, outside its loop."""
    if frame.exact(variable) is None and frame.derivations.made(variable) is not None:
        return Spaces(frame, Env()).room(variable)
    return frame.dimension(variable)


def level_extents(frame: Frame, target: Access) -> list[Expr]:
    """The extents of the level coordinates of a tensor that is written."""
    found: list[Expr] = []
    for term in frame.formats[target.tensor].map.terms:
        match term:
            case Mode(mode=mode):
                found.append(dimension(frame, target.indices[mode]))
            case Quotient(mode=mode, factor=factor):
                whole = ir.add(dimension(frame, target.indices[mode]), Int(factor - 1))
                found.append(frame.root.held(f"{target.tensor}_blocks", ir.floordiv(whole, Int(factor))))
            case Remainder(factor=factor):
                found.append(Int(factor))
            case _:
                raise InternalError("results have no ranks")
    return found
