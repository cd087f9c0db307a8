"""Spaces: values, extents and windows of derived variables in C (Senanayake 2020, sections 5.1 to 5.4).

What `reference/execution/spaces.py` computes while a statement runs, as expressions: a loop over a derived variable
that completes original ones has become loops over those, in the window that the loops around it leave. Where a window
holds exactly the coordinates that belong there, nothing need be checked inside it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...reference.errors import InternalError, Unsupported
from ...reference.statement.derivation import (
    Bound,
    Collapse,
    Coord,
    Derivation,
    Divide,
    Pos,
    derived_variables,
    factor,
    parents,
    recover_derived,
    recover_original,
)
from ...reference.statement.exactness import is_exact, partitions, variables_to_compare
from ...reference.statement.provenance import Split
from ..ir import ir, logic
from ..ir.ir import Expr, Int
from ..storage.level_functions import Bound as Level
from ..storage.positions import At, Listed, Run, item
from ..storage.translation import widen
from .env import Env
from .frame import Frame
from .searching import Range, below


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
        relation = self.frame.facts.derivations.relation_of(variable)
        match relation:
            case None:
                return self.frame.dimension(variable)
            case Pos():
                begin, end = self.segment(relation)
                return ir.sub(widen(end), begin)
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
        match self.frame.facts.derivations.relation_of(variable):
            case Split(parent=parent, inner=inner, factor=size) if inner == variable:
                return Int(size) if self.frame.facts.derivations.is_position(parent) else self.extent(variable)
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
        match self.env.site.at(relation.access, relation.last):
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
        return self.frame.tensors.stores[relation.access.tensor].bounds[relation.first : relation.last]

    def segment(self, relation: Pos) -> Range:
        """The positions below where the access stands, of the last of the levels."""
        return self.segments(relation)[-1]

    def segments(self, relation: Pos) -> list[Range]:
        """The positions below where the access stands, before the first level and after each one."""
        match self.env.site.at(relation.access, relation.first):
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
        if variable in self.env.site.coordinates:
            return self.env.site.coordinates[variable]
        return self.derived(variable)

    def original(self, variable: str) -> Expr:
        """The value of a variable, upward from those that are known."""
        if variable in self.env.site.coordinates:
            return self.env.site.coordinates[variable]
        graph = self.frame.facts.derivations
        use = next(
            u
            for u in graph.uses(variable)
            if all(graph.is_recoverable(v, self.env.site.bound) for v in derived_variables(u))
        )
        found: Expr = recover_original(use, variable, {v: self.original(v) for v in derived_variables(use)}, self)
        return found

    def window(self, variable: str) -> Window:
        """The values that the loops around leave a variable: all that belong here, and perhaps others."""
        if variable in self.env.site.bound:
            c = self.env.site.coordinates[variable]
            return Window(c, ir.add(c, ir.ONE), single=True)
        graph = self.frame.facts.derivations
        found = Window(ir.ZERO, self.extent(variable), whole=True)
        for use in graph.uses(variable):
            narrowed = self.through(use, variable) if graph.leads_to(use, self.env.site.bound) else None
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
                if not self.frame.facts.derivations.is_derivable(outer, self.env.site.bound):
                    return None
                base = ir.mul(self.value(outer), size)
                return ir.sub(whole.begin, base), ir.sub(whole.end, base)
            case Bound(bounded=bounded):
                own = self.window(bounded)
                return None if own.whole else (own.begin, own.end)
            case Pos() | Coord():
                return None

    def is_narrowed(self, variable: str) -> bool:
        """Whether the loops around leave a variable only some of its values."""
        graph = self.frame.facts.derivations
        return any(graph.leads_to(use, self.env.site.bound) for use in graph.uses(variable))

    def breaks(self, variable: str) -> bool:
        """Whether the loops around leave a variable values in windows that overlap."""
        return self.is_narrowed(variable) and not self.partitions(variable)

    def admits(self, added: tuple[str, ...]) -> Expr:
        """Whether every derived variable around has the value that follows where loops have completed a variable.

        `added` are the original variables whose loops have done it. No check is needed for exact windows.
        """
        checked = variables_to_compare(
            self.frame.facts.derivations, self.env.site.bound, added, self.env.tiling.narrowed
        )
        return logic.both(*[logic.compare("==", self.derived(v), self.env.site.coordinates[v]) for v in checked])

    def derived(self, variable: str) -> Expr:
        """The value of a derived variable downward from its parents, also where a loop has given it one."""
        match self.frame.facts.derivations.relation_of(variable):
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
        return is_exact(self.frame.facts.derivations, variable, self.env.site.bound, self.env.tiling.narrowed)

    def partitions(self, variable: str) -> bool:
        """Whether the windows of a variable, one for every value of the loops around, do not overlap."""
        return partitions(self.frame.facts.derivations, variable, self.env.site.bound)
