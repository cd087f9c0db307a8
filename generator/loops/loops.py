"""Loops: the code of one index variable, by its strategy (Chou 2018, sections 4.3 to 4.5, Figures 8 and 9).

Co-iteration is the figure's: a `while` loop for every lattice point, and in it a case for every point below, chosen by
comparing coordinates:

    while (pA2 < pA2_end && pB2 < pB2_end) {
        const int64_t jA = A2_crd[pA2];  …  const int64_t j = min(jA, jB);
        if (jA == j && jB == j) { …  pA2++;  pB2++; } else if (jA == j) { …  pA2++; } else { …  pB2++; }
    }

Two coordinates are compared with each other rather than with the lesser one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import combinations

from ...reference.loops.strategy import Active
from ...reference.notation.syntax import Access
from ...reference.statement.derivation import Pos
from ...reference.statement.provenance import Same, Split
from ...reference.statement.statement import Forall, Statement, reads
from ...reference.statement.substitution import substitute_statement
from ..assembly.appending import Filling
from ..ir import ir
from ..ir.ir import INT, Expr, Name
from ..ir.writer import Writer
from ..scope.env import Emit, Env
from ..scope.flags import condition, under, where_present
from ..scope.frame import Frame
from ..scope.spaces import Range, Spaces
from ..storage.positions import At, Below, Positions, each
from .cases import ALONE, Round, chained, is_least
from .merging import Merge, advance, stepping, visits
from .walk import Ahead, Cursor, Head, Walk, extent, is_one


def nothing(s: Statement, env: Env, out: Writer) -> None:
    """The body of a loop of which only the course is asked for."""


class Loop:
    """One loop being written; `emit` writes the statement of a lattice point, `filling` what a result needs around it.

    `ready`: room for everything that the loop appends is made before it.
    """

    def __init__(self, frame: Frame, s: Forall, env: Env, emit: Emit = nothing, filling: Filling | None = None) -> None:
        self.frame, self.env, self.emit, self.filling = frame, env, emit, filling
        self.ready = False
        self.strategy = frame.facts.strategy(s, env.site.bound, env.site.optional)
        if frame.purpose == "count" and env.teams.shared in env.site.bound and self.is_single:
            self.strategy = replace(self.strategy, ordered=False)
        self.spaces = Spaces(frame, env)
        self.index = s.index
        self.sparse = self.strategy.lattice.sparse
        self.fused = env.site.fused
        if self.strategy.fused:
            self.fused |= {self.strategy.coiterated[0].access}

    @property
    def is_single(self) -> bool:
        """Whether the loop goes over one level and nothing else, in whatever order if only a number is wanted."""
        return len(self.strategy.coiterated) == 1 and not self.strategy.whole_extent and not self.strategy.depends

    def write(self, out: Writer) -> ir.For | None:
        """Write the loop, under a comment that tells its strategy. What was written, if that counts iterations."""
        strategy = self.strategy
        out.add(ir.Comment(f"{self.index}: {strategy.name()}"))
        if self.completes:
            self.completed(out)
        elif not strategy.coiterated:
            return self.over_extent(out)
        elif strategy.whole_extent:
            self.alongside(out)
        elif self.is_single:
            return self.single(out)
        elif self.strategy.flagged:
            self.flagged(out)
        else:
            self.coiteration(out)
        return None

    @property
    def counts(self) -> bool:
        """Whether the loop will count iterations that a team can share out, as `write` then says."""
        strategy, probe = self.strategy, Writer()
        if self.completes:
            return False
        if not strategy.coiterated:
            tiled = self.spaces.tile(self.index, self.env.tiling.counters.get(self.index, ""))
            return tiled is not None or not is_one(*self.reach(probe))
        return self.is_single and self.walk(strategy.coiterated[0], probe, merges=False).counts

    @property
    def completes(self) -> bool:
        """Whether other loops have given the loop's variable its value."""
        graph = self.frame.facts.derivations
        return graph.made(self.index) is not None and graph.is_derivable(self.index, self.env.site.bound)

    def completed(self, out: Writer) -> None:
        """The one value of a variable that others determine, unless it belongs to another tile."""
        added = self.env.tiling.expanded.get(self.index, ())
        admitted = self.spaces.admits(added)
        env = self.env if admitted == ir.TRUE else self.env.partly()
        inner = out if admitted == ir.TRUE else out.inner()
        given = self.env.tiling.given.get(self.index)
        value = inner.held(self.index, self.spaces.derived(self.index)) if given is None else given
        here = self.inside(value, env)
        conditions: dict[Access, Expr] = {}
        for active in self.strategy.coiterated:
            positions, found = self.located(active.access, active.first, value, here, inner)
            here = self.place(active, positions, value, here, inner)
            conditions[active.access] = found
        self.finish(inner, here, conditions)
        if inner is not out:
            out.add(*ir.conditional(admitted, inner.code))

    def walk(self, active: Active, out: Writer, *, merges: bool) -> Walk:
        """The walk over a co-iterated level."""
        fused, limits = active.access in self.fused, None
        relation = self.frame.facts.provenance.derived_from(self.index)
        own = active.access.levels[active.first] == self.index
        if not own or isinstance(relation, Same) or self.index in self.env.tiling.given or self.is_narrowed():
            limits = extent(self.frame, self.index, self.env)
        walk = Walk(self.frame, self.strategy, active, self.env, fused, merges, limits)
        return replace(walk, places=self.places(active, out), ends=self.ends(active)) if walk.keeps_places else walk

    def is_narrowed(self) -> bool:
        """Whether coordinates of the loop's variable belong to another tile."""
        window = self.spaces.window(self.index) if self.spaces.is_narrowed(self.index) else None
        return window is not None and not window.whole

    def places(self, active: Active, out: Writer) -> Range | None:
        """The positions at which a level holds what belongs here, if that is a part of them."""
        found: Range | None = None
        for relation in self.frame.facts.derivations.positions():
            if relation.first <= active.first < relation.last and relation.counts(active.access):
                own = self.counted(relation, out)
                if own is None:
                    continue
                if active.first == relation.last - 1:
                    narrowed = self.env.tiling.narrowed | {relation}
                    self.env = replace(self.env, tiling=replace(self.env.tiling, narrowed=narrowed))
                begin, end = own[active.first - relation.first]
                found = (begin, end) if found is None else (ir.larger(found[0], begin), ir.smaller(found[1], end))
        return found

    def ends(self, active: Active) -> bool:
        """Whether a level is the last of which some relation counts the positions."""
        graph = self.frame.facts.derivations
        return any(r.last == active.first + 1 and r.counts(active.access) for r in graph.positions())

    def counted(self, relation: Pos, out: Writer) -> tuple[Range, ...] | None:
        """The positions that belong here at every level that a relation counts, found once; None if all do."""
        counted = self.env.tiling.counted
        if (
            relation in counted
            or self.completes
            or not self.frame.facts.derivations.leads_to(relation, self.env.site.bound)
        ):
            return counted.get(relation)
        spaces = Spaces(self.frame, self.env)
        window = spaces.window(relation.position)
        if window.whole:
            return None
        alike = (
            r for r in counted if r.access == relation.access and (r.first, r.last) == (relation.first, relation.last)
        )
        same = next((r for r in alike if spaces.window(r.position) == window), None)
        found = spaces.counted(relation, window, out) if same is None else counted[same]
        self.env = replace(self.env, tiling=replace(self.env.tiling, counted={**counted, relation: found}))
        return found

    def reach(self, out: Writer) -> Range:
        """The coordinates that the loop visits without a walk: those below which levels of all coordinates belong."""
        begin, end = extent(self.frame, self.index, self.env)
        for active in self.strategy.located:
            walk = Walk(self.frame, self.strategy, active, self.env, False, False)
            first = walk.first_place()
            places = None if first is None else self.places(active, out)
            if first is not None and places is not None:
                begin = ir.larger(begin, ir.sub(places[0], first))
                end = ir.smaller(end, ir.sub(places[1], first))
        return begin, end

    def inside(self, c: Expr, env: Env) -> Env:
        """The environment in the body."""
        if self.spaces.breaks(self.index):
            env = replace(env, target=replace(env.target, covers=False, pieces=True))
        return replace(env, site=replace(env.site.inside(self.index, c), fused=self.fused))

    def over_extent(self, out: Writer) -> ir.For | None:
        """Every coordinate of the extent, locating everything."""
        split = self.spaces.tile(self.index, self.env.tiling.counters.get(self.index, ""))
        if split is not None:
            return self.over_tile(split, out)
        begin, end = self.reach(out)
        if is_one(begin, end):
            self.finish(out, self.inside(out.held(self.index, begin), self.env), {})
            return None
        inner = out.inner()
        counter = inner.fresh(self.index)
        self.finish(inner, self.inside(Name(counter, True), self.env), {})
        return out.loop(counter, begin, end, inner.code)

    def over_tile(self, split: Split, out: Writer) -> ir.For:
        """Every coordinate of a tile, counted inside it: at most as often as the tile is large."""
        inner = out.inner()
        counter = Name(inner.fresh(split.inner), True)
        tile = ir.mul(self.env.site.coordinates[split.outer], ir.Int(split.factor))
        place = ir.add(self.spaces.first(split), counter)
        env = self.inside(inner.held(self.index, ir.add(tile, place)), self.env)
        self.finish(inner, env.giving({split.inner: place}), {})
        return out.loop(counter.name, ir.ZERO, self.spaces.inside(split), inner.code)

    def finish(self, out: Writer, env: Env, conditions: Mapping[Access, Expr], round_: Round = ALONE) -> None:
        """At a coordinate where some accesses are present under conditions: the body.

        At a position of an operand that no loop reads, what it holds is searched for first.
        """
        if self.completes or not env.tiling.expanded.get(self.index):
            self.settle(out, env, conditions, round_)
            return
        relation = self.frame.facts.derivations.space_of(self.index)
        assert relation is not None
        spaces = Spaces(self.frame, env)
        position = out.held(relation.position, spaces.original(relation.position))
        inner = out.inner()
        given, found = spaces.searched(relation, position, inner)
        deeper = inner.inner()
        self.settle(deeper, env.partly().giving(given), conditions, round_)
        inner.add(*ir.conditional(found, deeper.code))
        out.add(*ir.conditional(ir.compare("<", position, spaces.extent(relation.position)), inner.code))

    def single(self, out: Writer) -> ir.For | None:
        """The coordinates of one level."""
        active = self.strategy.coiterated[0]
        walk = self.walk(active, out, merges=False)

        def visit(inner: Writer, c: Expr, positions: Positions) -> None:
            index = inner.held(self.index, ir.sub(c, walk.base))
            env = self.inside(index, self.env.partly())
            self.finish(inner, self.place(active, positions, c, env, inner), {active.access: ir.TRUE})

        return walk.run(out, visit, self.ahead([walk]))

    def ahead(self, walks: Sequence[Walk]) -> Ahead | None:
        """What to write before the loop, where it walks what is stored: room for as many positions, once for all."""
        if self.filling is None or not self.filling.at_once or not all(w.by_position or w.sorts for w in walks):
            return None
        self.ready = True
        return self.filling.room

    def alongside(self, out: Writer) -> None:
        """Every coordinate of the extent, with iterators that advance where they meet it: one after another."""
        begin, end = self.reach(out)
        walks = [self.walk(a, out, merges=True) for a in self.strategy.coiterated]
        if (begin, end) != extent(self.frame, self.index, self.env):
            walks = [replace(walk, limits=(begin, end)) for walk in walks]
        cursors = [w.start(out) for w in walks]
        inner = out.inner()
        counter = Name(inner.fresh(self.index), True)
        standing = []
        for walk, cursor in zip(walks, cursors, strict=True):
            c = cursor.coordinate(cursor.place, inner)
            there = ir.both(cursor.alive, ir.compare("==", c, ir.add(counter, walk.base)))
            standing.append(inner.declare("const bool", f"at{walk.stem}", there))
        self.visit(list(zip(walks, cursors, standing, strict=True)), counter, ALONE, inner)
        out.add(ir.For(counter.name, begin, end, inner.code))

    def flagged(self, out: Writer) -> None:
        """The merge of many: one loop to the least coordinate at any iterator, in which an absent one is empty.

        The extent is one more, where what the loops around have found leaves every coordinate something to do.
        """
        strategy, env = self.strategy, self.env
        walks = [self.walk(a, out, merges=True) for a in strategy.coiterated]
        merge = Merge(strategy, env.site.flags, tuple((w, w.start(out)) for w in walks))
        ahead = None if strategy.depends else self.ahead(walks)
        if ahead is not None:
            ahead(out.held(f"{self.index}_most", merge.visits()), out)
        extent_ = merge.extent(*self.reach(out), out) if strategy.depends else None
        left, inner = merge.left(extent_), out.inner()
        heads = merge.heads(inner)
        least = reduce(ir.smaller, heads if extent_ is None else [*heads, extent_.head])
        counter = inner.declare(f"const {INT}", self.index, least, natural=True)
        standing = [ir.compare("==", head, counter) for head in heads]
        merged = [(*each, there) for each, there in zip(merge.iterators, standing, strict=True)]
        self.visit(merged, counter, Round(frozenset(a.access for a in strategy.coiterated)), inner)
        if extent_ is not None:
            inner.add(ir.Assign(extent_.place, ir.add(counter, ir.ONE)))
        out.add(ir.While(left, inner.code))

    def visit(self, merged: Sequence[tuple[Walk, Cursor, Expr]], counter: Name, round_: Round, out: Writer) -> None:
        """At a coordinate that cursors may stand at, on conditions: the body, and the steps of those that do."""
        env = self.inside(counter, self.env.partly())
        conditions = {walk.active.access: there for walk, _, there in merged}
        if self.strategy.flagged:
            env = env.flagged({**env.site.flags, **conditions})
        held = [self.met(w, c, conditions[w.active.access], counter, out) for w, c, _ in merged]
        for (walk, _, _), (positions, _) in zip(merged, held, strict=True):
            env = self.place(walk.active, positions, ir.add(counter, walk.base), env, out)
        self.finish(out, env, conditions, round_)
        for (walk, cursor, _), (_, following) in zip(merged, held, strict=True):
            out.add(advance(cursor, conditions[walk.active.access], following))

    def met(self, walk: Walk, cursor: Cursor, there: Expr, counter: Expr, out: Writer) -> tuple[Positions, Expr]:
        """Where a cursor that may have met the loop's coordinate stands, and the place after it."""
        after = ir.add(cursor.place, ir.ONE)
        if not walk.gathers:
            if cursor.items is None:
                return At(cursor.position(out)), after
            stored = ir.choice(there, cursor.stored, ir.ZERO)
            return At(out.held(f"p{walk.stem}", stored)), after
        end = out.declare(INT, f"{cursor.place.name}_segend", cursor.place, natural=True)
        level = ir.add(counter, walk.base)
        same = ir.compare("==", cursor.coordinate(end, out), level)
        out.add(ir.While(ir.both(ir.compare("<", end, cursor.end), same), (ir.Assign(end, ir.ONE, "+="),)))
        return cursor.group(end), end

    def coiteration(self, out: Writer) -> None:
        """The multi-way merge of Figure 9."""
        walks = {a: self.walk(a, out, merges=True) for a in self.strategy.coiterated}
        cursors = {a: w.start(out) for a, w in walks.items()}
        points = self.strategy.rounds()
        ahead = self.ahead(list(walks.values()))
        if ahead is not None:
            ahead(visits(points, cursors), out)
        for merged in points:
            inner = out.inner()
            self.merge([(walks[a], cursors[a]) for a in merged], inner)
            out.add(ir.While(ir.both(*[cursors[a].alive for a in merged]), inner.code))

    def merge(self, merged: Sequence[tuple[Walk, Cursor]], out: Writer) -> None:
        """One round of a merge: the least coordinate, the case that applies, the steps."""
        heads: list[tuple[Walk, Cursor, Head, Expr]] = []
        for walk, cursor in merged:
            head = cursor.head(out)
            c = ir.sub(head.c, walk.base)
            stem = f"{self.index}{walk.active.access.tensor}"
            heads.append((walk, cursor, head, c if c == head.c else out.held(stem, c)))
        least = heads[0][3]
        for _, _, _, c in heads[1:]:
            least = ir.smaller(least, c)
        counter = least if len(heads) == 1 else out.declare(f"const {INT}", self.index, least, natural=True)
        own = {w.active.access: c for w, _, _, c in heads}
        conditions = {a: is_least(a, own, counter) for a in own}
        env = self.inside(counter, self.env.partly())
        for walk, _, head, _ in heads:
            env = self.place(walk.active, head.positions, head.c, env, out)
        every = frozenset(w.active.access for w, _, _, _ in heads)
        some = every if all(w.active.is_sparse for w, _, _, _ in heads) else frozenset()
        steps = {w.active.access: stepping(c, conditions[w.active.access], h.next) for w, c, h, _ in heads}
        sparse = {a: step_ for a, step_ in steps.items() if a in self.sparse}
        self.finish(out, env, conditions, Round(some, sparse, own if len(own) == 2 else {}))
        for access, step_ in steps.items():
            if access not in self.sparse:
                out.add(*step_(None))

    def place(self, active: Active, positions: Positions, c: Expr, env: Env, out: Writer) -> Env:
        """The environment where a level stands, and the levels that were waiting for this loop have been found."""
        env = env.placed(active.access, active.first, positions, c)
        return self.later(active, env, out)

    def later(self, active: Active, env: Env, out: Writer) -> Env:
        """Locate the levels of an access that become known with the one just placed."""
        for k in range(active.first + 1, active.last):
            c = self.frame.recover(active.access.levels[k], env.site)
            positions, _ = self.located(active.access, k, c, env, out)
            env = env.placed(active.access, k, positions, c)
        return env

    def located(self, access: Access, k: int, c: Expr, env: Env, out: Writer) -> tuple[Positions, Expr]:
        """Where a coordinate is stored at level `k`, and whether it is there."""
        store = self.frame.tensors.stores[access.tensor]
        bound, parents, path = store.bounds[k], env.site.at(access, k), (*env.site.path(access, k), c)
        stem = f"p{access.tensor}{k + 1}"
        last = k == len(access.levels) - 1
        if isinstance(parents, At):
            parent = parents.p

            def locate(inner: Writer) -> list[Expr]:
                names = (stem, f"found{access.tensor}{k + 1}")
                q, found = bound.call("locate", (parent, path), inner, names)
                if store.present is not None and last:
                    q = inner.held(stem, q)
                    found = ir.both(found, ir.Element(store.present, q))
                return [q, found]

            missing = (INT, stem, ir.ZERO), ("bool", f"found{access.tensor}{k + 1}", ir.FALSE)
            q, found = where_present(env.site.there(access), locate, missing, out)
            q = out.held(stem, q)
            if found != ir.TRUE and not isinstance(found, Name):
                found = out.declare("const bool", f"found{access.tensor}{k + 1}", found)
            return At(q), found
        below = Below(parents, bound, path)
        if bound.level.full:
            return below, env.site.there(access)
        found = out.declare("bool", f"found{access.tensor}{k + 1}", ir.FALSE)
        each(below, out, lambda inner, _: inner.add(ir.Assign(found, ir.TRUE)))
        return below, found

    def settle(self, out: Writer, env: Env, conditions: Mapping[Access, Expr], round_: Round) -> None:
        """At a coordinate where some accesses are present under conditions: locate the rest, choose the case."""
        env = self.recovered(env, out)
        if self.filling is not None:
            env, close = self.filling.around(env, out)
            if self.filling.appends and not self.ready:
                self.filling.room(ir.ONE, out)
        wanted = self.relevant(conditions)
        known = dict(conditions)
        for active in self.strategy.located:
            if active.access not in wanted:
                continue
            base = self.base(active, env)
            c = ir.add(env.site.coordinates[self.index], base)
            positions, found = self.located(active.access, active.first, c, env, out)
            env = env.placed(active.access, active.first, positions, c)
            env = self.later(active, env, out)
            if active.is_sparse:
                known[active.access] = found
        self.cases(out, env, {a: known.get(a, ir.FALSE) for a in self.sparse}, round_)
        if self.filling is not None:
            close(out)

    def recovered(self, env: Env, out: Writer) -> Env:
        """The environment with the source variables that this loop completes."""
        for relation in self.frame.facts.provenance.relations:
            variable = getattr(relation, "parent", None)
            if variable is None or variable in env.site.coordinates:
                continue
            loops = self.frame.facts.provenance.loops(variable, env.site.bound)
            if loops is not None and self.index in loops:
                value = self.frame.recover(variable, env.site)
                name = out.declare(f"const {INT}", variable, value, natural=True)
                env = env.having(variable, name)
        return env

    def base(self, active: Active, env: Env) -> Expr:
        """What to add to the loop's coordinate to get the level's."""
        variable = active.access.levels[active.first]
        if variable == self.index:
            return ir.ZERO
        split = next((s for s in self.frame.facts.provenance.splits(variable) if s.inner == self.index), None)
        if split is None:
            return ir.sub(self.frame.recover(variable, env.site), env.site.coordinates[self.index])
        return ir.mul(env.site.coordinates[split.outer], ir.Int(split.factor))

    def relevant(self, conditions: Mapping[Access, Expr]) -> set[Access]:
        """The accesses that some case reads."""
        if self.strategy.flagged or not self.strategy.forks:
            return set(reads(self.strategy.lattice.body))
        certain = frozenset(a for a, c in conditions.items() if c == ir.TRUE)
        open_ = [a for a in self.sparse if a not in certain and (a in conditions or self.is_located(a))]
        found: set[Access] = set()
        for size in range(len(open_) + 1):
            for chosen in combinations(open_, size):
                point = self.strategy.lattice.point((certain | frozenset(chosen)) & frozenset(self.sparse))
                if point is not None:
                    found |= set(reads(point.statement))
        return found

    def is_located(self, access: Access) -> bool:
        return any(a.access == access for a in self.strategy.located)

    def cases(self, out: Writer, env: Env, conditions: Mapping[Access, Expr], round_: Round) -> None:
        """Choose the statement by which accesses are present, and step over the coordinate with those that are."""
        flags = {**env.site.flags, **conditions}
        asked = (a for a in self.strategy.uncertain if flags.get(a, ir.TRUE) not in (ir.TRUE, ir.FALSE))
        env = env.flagged({a: flags[a] for a in asked})
        if self.strategy.flagged:
            self.body(out, env, flags, met=bool(round_.some))
            return
        chain = chained(self.strategy.lattice, conditions, round_.some)
        if len(chain) == 1 and not chain[0].needs and not round_.steps:
            if chain[0].statement is not None:
                self.emit(chain[0].statement, env, out)
            return
        code: ir.Code = ()
        for case in reversed(chain):
            inner = out.inner()
            if case.statement is not None:
                self.emit(case.statement, round_.inside(case, self.index, env.partly()), inner)
            for access, step_ in round_.steps.items():
                inner.add(*step_(case.presence(access)))
            needed = ir.both(*[conditions[a] for a in case.needs])
            code = ir.conditional(needed, inner.code, code)
        out.add(*code)

    def body(self, out: Writer, env: Env, flags: Mapping[Access, Expr], *, met: bool) -> None:
        """The body of a flagged loop, if anything is left of it; `met`: some iterator is, or the extent."""
        lost = frozenset(a for a, flag in flags.items() if flag == ir.FALSE)
        statement = substitute_statement(self.strategy.lattice.body, lost, self.frame.facts.background)
        if statement is None:
            return
        flag = ir.TRUE if met and self.strategy.suffices else condition(self.strategy.remains, flags)
        under(flag, out, lambda inner: self.emit(statement, env.partly(), inner))
