"""Nonzeros: positions of an operand, of several of its levels, that threads share out (Senanayake 2020, Figure 2e).

Before: `for (i …) for (pA2 …) y_vals[i] += …;`, over a tile of positions, whose rows threads would share out. After:

    for (int64_t pA2_round = pA2_first; pA2_round < pA2_last; pA2_round += 32) {
        const int64_t pA2 = pA2_round + threadIdx.x % 32;
        if (pA2 < pA2_last) {
            …  // the row that holds it is searched for among those of the tile
            ty_own = …;
            i_mine = pA1_at;
        }
        …  // neighbours with one row add up what they have, and the first of them goes on with the sum
    }

Neighbours read neighbouring memory, however long rows are. What they bring to one component is folded in segments
(`segmented.py`), so that each has one atomic update.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from ...reference.loops.plan import LoopPlan, Node
from ...reference.notation.syntax import Access
from ...reference.schedule.parallelize import iterations
from ...reference.statement.relation import Pos, Split
from ...reference.statement.statement import Assign, assignments
from ...reference.storage.coordinate_map import Rank
from ..assembly.outputs import Outputs
from ..ir import ir, logic
from ..ir.ir import INT, Expr, Int, Name
from ..ir.writer import Writer
from ..loops.course import Course
from ..loops.locating import place_level
from ..loops.loops import complete_variable
from ..loops.visit import Visit
from ..scope.env import Env
from ..scope.places import Path, narrow_parents, search_path
from ..scope.searching import Limits
from ..scope.segments import segments
from ..scope.target import Cell
from ..scope.terms import print_range, print_term
from ..storage.positions import At
from ..threads.region import Emitter
from .segmented import NOTHING, fold_segments
from .sizes import LANES_OF_WARP as THREADS
from .spread import Spread


def shares_nonzeros(loop: LoopPlan, env: Env) -> bool:
    """Whether a loop on threads counts positions of several levels of an operand, and each position tells what the
    loops over coordinates would visit there: those iterate the operand alone, and loops around narrow nothing else."""
    team, relation = env.teams.units[loop.index], relation_of(loop, env)
    if team.tag.unit != THREADS or relation is None or relation.last - relation.first < 2:
        return False
    loops = tuple(nest(loop, relation))
    if len(loops) <= relation.last - relation.first:
        return False
    *chain, last = loops
    complete = last.space.completes(last.index) and not last.strategy.active
    return complete and all(is_told(each, relation) for each in chain)


def relation_of(loop: LoopPlan, env: Env) -> Pos | None:
    """The relation whose positions a loop on threads counts, which loops over coordinates stand for: this one first."""
    return loop.space.provenance.space_of(env.teams.units[loop.index].variable)


def nest(loop: LoopPlan, relation: Pos) -> Iterator[LoopPlan]:
    """A loop and those inside it over the coordinates of the levels that a relation counts, and then over a part of the
    positions; fewer if others come between."""
    node: Node = loop
    for variable in relation.access.levels[relation.first : relation.last]:
        if not isinstance(node, LoopPlan) or node.index != variable:
            return
        yield node
        node = node.body
    if isinstance(node, LoopPlan):
        yield node


def is_told(loop: LoopPlan, relation: Pos) -> bool:
    """Whether a position tells all that a loop would visit, since the loop iterates or locates one level of the operand
    and iterates nothing else."""
    found = [p for p in (*loop.coiterated, *loop.located) if relation.counts(p.active.access)]
    if len(found) != 1:
        return False
    (placement,) = found
    active = placement.active
    alone = all(p is placement for p in loop.coiterated)
    whole = placement.window is None if loop.coiterated else loop.range.whole
    kept = [kept.relation for kept in placement.kept] == [relation]
    one_by_one = active.level.unique or active.access in loop.inside.fused
    return alone and whole and kept and one_by_one and active.last == active.first + 1


class Tile(Struct, frozen=True):
    """The positions that a loop is over, at the last level, so many apart; and the parents that these have."""

    limits: Limits
    step: Expr
    parents: tuple[Limits, ...]


class Nonzeros(Spread):
    """A loop over positions of several levels of an operand that threads share out."""

    @cached_property
    def relation(self) -> Pos:
        """The relation that counts the positions."""
        found = relation_of(self.loop, self.env)
        assert found is not None
        return found

    @property
    def counts(self) -> bool:
        return True

    def share(self, outputs: Outputs, env: Env, out: Writer) -> bool:
        out.add(ir.Comment(f"{self.team.variable}: share out what {self.relation.access.tensor} stores"))
        tile, emitter = self.tile(out), self.emitter.with_outputs(outputs)
        segmented = {name: leaf for name, leaf in self.owned.targets.items() if self.is_segmented(name, env)}
        if segmented:
            self.share_rounds(tile, segmented, emitter, env, out)
        else:
            self.share_places(tile, emitter, env, out)
        return bool(self.loops_of_group and self.plain_stores)

    @property
    def stem(self) -> str:
        """What variables for positions are called."""
        return f"p{self.relation.access.tensor}{self.relation.last}"

    def share_places(self, tile: Tile, emitter: Emitter, env: Env, out: Writer) -> None:
        """Write a loop over the positions that a thread visits."""
        inner = out.inner()
        place = Name(inner.fresh(self.stem), True)
        self.write_at(place, tile, emitter, env, inner)
        begin = ir.add(tile.limits[0], ir.mul(self.group.rank, tile.step))
        out.add(ir.For(place.name, begin, tile.limits[1], inner.code, step=self.stride(tile)))

    def share_rounds(
        self, tile: Tile, segmented: Mapping[str, Assign], emitter: Emitter, env: Env, out: Writer
    ) -> None:
        """Write a loop over rounds, which all threads run. In each round a thread visits one position at most; then
        what threads bring to some tensors is folded."""
        inner = out.inner()
        first = Name(inner.fresh(f"{self.stem}_round"), True)
        mine = ir.add(first, ir.mul(self.group.rank, tile.step))
        place = inner.declare(f"const {INT}", self.stem, mine, natural=True)
        cells = {name: self.segment_cell(name, leaf, inner) for name, leaf in segmented.items()}
        teams = replace(env.teams, atomic=env.teams.atomic.difference(cells))
        target = replace(env.target, cells={**env.target.cells, **cells})
        body = inner.inner()
        self.write_at(place, tile, emitter, replace(env, teams=teams, target=target), body)
        inner.add(ir.If(logic.compare("<", place, tile.limits[1]), body.code))
        for name, cell in cells.items():
            self.finish_segments(segmented[name], cell, env, inner)
        out.add(ir.For(first.name, *tile.limits, inner.code, step=self.stride(tile)))

    def stride(self, tile: Tile) -> Expr:
        """How far a thread goes from one position to its next one."""
        return ir.mul(Int(self.group.size), tile.step)

    def tile(self, out: Writer) -> Tile:
        """The positions that the loop is over."""
        relation, frame, env = self.relation, self.frame, self.env
        window = self.loop.space.window(relation.position)
        parents = tuple(segments(relation, frame, env.site))
        begin, end = (ir.add(parents[-1][0], limit) for limit in print_range(window, frame, env))
        limits = out.hold(f"{self.stem}_first", begin), out.hold(f"{self.stem}_last", end)
        count = iterations(frame.facts.program, self.team.variable)
        if count is None or count > self.group.size:
            parents = narrow_parents(relation, limits, parents, frame, out)
        return Tile(limits, print_term(window.step, frame, env), parents)

    def is_segmented(self, name: str, env: Env) -> bool:
        """Whether what threads bring to a tensor is folded in segments: each brings something to one component of it,
        to which others may bring more, by one operator."""
        last = tuple(nest(self.loop, self.relation))[-1].inside.space
        leaves = [a for a in assignments(self.loop.statement) if a.target.tensor == name]
        known = all(last.loops(v) is not None for v in leaves[0].target.indices)
        alike = all((a.target, a.operator) == (leaves[0].target, leaves[0].operator) for a in leaves)
        return name in env.teams.atomic and known and alike and bool(leaves[0].target.indices)

    def segment_cell(self, name: str, leaf: Assign, out: Writer) -> Cell:
        """The variables for what a thread brings to a component, and for the coordinates of the component."""
        cell = self.own_cell(name, not self.emitter.outputs[name].held.is_plain, out)
        terms = self.frame.facts.formats[name].map.terms
        variables = (leaf.target.indices[term.mode] for term in terms if not isinstance(term, Rank))
        return replace(cell, path=tuple(out.declare(INT, f"{v}_mine", NOTHING) for v in variables))

    def finish_segments(self, leaf: Assign, cell: Cell, env: Env, out: Writer) -> None:
        """Fold what neighbours have, and let the first of a segment store it."""
        stored = out.inner()
        begins = fold_segments(cell.path, self.parts(leaf, cell), self.group.lanes, out)
        self.emitter.store_cell(leaf, cell, cell.path, env, stored)
        out.add(*logic.conditional(begins, stored.code))

    def write_at(self, place: Expr, tile: Tile, emitter: Emitter, env: Env, out: Writer) -> None:
        """Write what is to be done at a position."""
        relation = self.relation
        path = search_path(relation, place, tile.parents, self.frame, env, out)
        stepped = env.tiling.stepped | ({relation.position} if tile.step != ir.ONE else set())
        tiling = replace(env.tiling, narrowed=env.tiling.narrowed | {relation}, stepped=stepped)
        inner = out.inner()
        self.descend(self.loop, path, 0, emitter, replace(env, tiling=tiling), inner)
        out.add(*logic.conditional(path.there, inner.code))

    def descend(self, node: Node, path: Path, depth: int, emitter: Emitter, env: Env, out: Writer) -> None:
        """Write the visit of a loop over one of the levels at the coordinate that the position has, or of the loop over
        a part of the positions, which has the value that follows."""
        assert isinstance(node, LoopPlan)
        env = env.enclose(node.surroundings)
        course = Course(self.frame, node, env)
        if depth == len(path.places):
            complete_variable(Visit(course, emitter.write), out)
            return

        def below(inside: Node, inner: Env, code: Writer) -> None:
            self.descend(inside, path, depth + 1, emitter, inner, code)

        visit, conditions = Visit(course, below), dict[Access, Expr]()
        place, c, code = At(path.places[depth]), path.coordinates[depth], out
        if not node.coiterated:
            here = course.inside(out.hold(node.index, c), env.partly())
            code = out.inner()
        for placement in node.coiterated:
            base = course.fiber(placement, merges=False).base
            here = course.inside(out.hold(node.index, ir.sub(c, base)), env.partly())
            here = place_level(self.frame, placement, place, c, here, out)
            conditions[placement.active.access] = ir.TRUE
        visit.finish(code, here, conditions)
        if code is not out:
            out.add(*logic.conditional(self.is_in_range(course, c), code.code))

    def is_in_range(self, course: Course, c: Expr) -> Expr:
        """Whether a coordinate at which everything is located is one of the loop's: blocks have positions beyond."""
        split = self.frame.facts.provenance.format_relation_of(course.index)
        inner = isinstance(split, Split) and split.inner == course.index
        return logic.compare("<", c, course.range[1]) if inner else ir.TRUE
