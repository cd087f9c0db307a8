"""Statements in C: loops, workspaces and assignments of one kernel function (Chou 2018, section 4.5; Figure 9).

A component that a loop nest reduces into is kept in local variables (`accumulation.py`). A result with appended levels
is filled where the loops over them stand (`appending.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from ...reference.algebra.dtypes import Number
from ...reference.algebra.operator import Operator
from ...reference.errors import InternalError
from ...reference.loops.presence import remains, told
from ...reference.loops.strategy import known, plan
from ...reference.notation.syntax import Access, Fill, Literal
from ...reference.notation.types import result_dtype
from ...reference.statement.expansion import order, steps
from ...reference.statement.provenance import Split
from ...reference.statement.statement import Assign, Forall, Sequence, Statement, Where, assignments, reads
from ...reference.statement.substitution import is_unchanged, reads_of, substitute_statement
from ...reference.storage.coordinate_map import Mode, Quotient, Remainder
from ..assembly.appending import Fibers, Filling
from ..assembly.counting import Phases, divided
from ..assembly.outputs import Output
from ..ir import ir
from ..ir.ir import Element, Expr
from ..ir.writer import Writer
from ..threads.parallel import Region, owned, team, unrolled, unrolling, vectorised
from .accumulation import Accumulation
from .flags import condition, under
from .frame import Cell, Env, Frame
from .loops import Loop
from .spaces import Spaces, Stretch
from .values import constant, converted, folded, is_true, leaf, spelled, value, written


class Statements:
    """The statements of one function, and the outputs that they fill.

    `covered` collects the outputs whose every component is stored at its first visit, so that none need be set before.
    """

    def __init__(self, frame: Frame, outputs: Mapping[str, Output], make: Callable[[str], Output]) -> None:
        self.frame, self.outputs, self.make = frame, dict(outputs), make
        self.covered: set[str] = set()

    def write(self, s: Statement, env: Env, out: Writer) -> None:
        """Write one statement."""
        own = owned(self.frame, env)
        if own is not None:
            alone, met = out.inner(), out.inner()
            self.write(s, replace(env, atomic=frozenset()), alone)
            self.write(s, replace(env, meets=True), met)
            out.add(*ir.conditional(own, alone.code, met.code))
            return
        if all(self.is_idle(a) for a in assignments(s)):
            return
        match s:
            case Forall(index=index) if self.frame.derivations.made(index) and index not in env.expanded:
                self.expand(s, env, out)
            case Forall():
                if not Accumulation(self, s, env).write(out):
                    self.loop(s, env, out)
            case Where():
                self.where(s, env, out)
            case Assign():
                self.assign(s, env, out)
            case Sequence(statements=statements):
                for each in statements:
                    self.guarded(each, env, out)

    def guarded(self, s: Statement, env: Env, out: Writer) -> None:
        """A statement, if it has something to do where accesses are missing."""
        under(self.remains(s, env), out, lambda inner: self.write(s, env, inner))

    def remains(self, s: Statement, env: Env) -> Expr:
        """Whether a statement has something to do where accesses are missing."""
        return condition(remains(s, env.optional, self.frame.background), env.flags)

    def is_idle(self, a: Assign) -> bool:
        """Whether an assignment stores only a value, for which nobody asks."""
        output = self.outputs.get(a.target.tensor)
        return output is not None and output.is_plain and not self.frame.wants(output.name)

    def expand(self, s: Forall, env: Env, out: Writer) -> None:
        """The loop over a derived variable, as those over the original ones that it completes."""
        for relation in self.frame.derivations.bounds_on(s.index, env.bound):
            if self.frame.derivations.is_position(relation.bounded):
                Spaces(self.frame, env).check(relation, out)
        first, _ = next(steps(s, env.bound, self.frame.derivations))
        added = tuple(v for v in order(s, env.bound, self.frame.derivations) if v != s.index)
        env = replace(env, expanded={**env.expanded, s.index: added})
        if len(added) == 1:
            env = replace(env, counters={**env.counters, added[0]: s.index})
        self.write(first, self.tagged(s, first.index, env), out)

    def tagged(self, s: Forall, first: str, env: Env) -> Env:
        """The environment that knows how the first of the loops that a loop stands for is to run."""
        program, bound = self.frame.program, env.bound
        threads, lanes = (team(program, s, bound, unit) for unit in ("CPUThread", "CPUVector"))
        repeated = unrolling(s)
        if threads is not None:
            env = replace(env, teams={**env.teams, first: threads})
        if lanes is not None:
            env = replace(env, vectors={**env.vectors, first: lanes})
        return env if repeated is None else replace(env, unrolled={**env.unrolled, first: repeated})

    def loop(self, s: Forall, env: Env, out: Writer) -> None:
        """A loop, as its schedule wants it run."""
        if self.frame.derivations.made(s.index) is None and s.tags:
            env = self.tagged(s, s.index, env)
        tile = self.tile_of(s, env)
        if tile is not None:
            self.cloned(tile, env, out, lambda inside, code: self.loop(s, inside, code))
            return
        threads = env.teams.get(s.index)
        if threads is not None:
            region = Region(self, s, threads, env)
            if region.is_shared:
                region.write(out)
                return
            output = divided(region)
            if output is not None and Phases(region, output).write(out):
                return
        written = self.filled(s, env, out)
        if written is not None and s.index in env.vectors:
            vectorised(out, written, env.vectors[s.index], env.cells, {a.target.tensor: a for a in assignments(s)})
        elif written is not None and s.index in env.unrolled:
            unrolled(out, written, env.unrolled[s.index])

    def tile_of(self, s: Forall, env: Env) -> Split | None:
        """The split whose tile a loop counts through in lanes or an unrolled body, if that may be less than whole."""
        if s.index not in env.vectors and s.index not in env.unrolled:
            return None
        split = Spaces(self.frame, env).tile(s.index, env.counters.get(s.index, ""))
        known_ = split is None or split in env.whole or split in env.partial
        return split if not known_ and all(self.frame.is_dense(a, s.index) for a in reads(s)) else None

    def cloned(self, split: Split, env: Env, out: Writer, write: Callable[[Env, Writer], None]) -> None:
        """Code for a tile that has its full size, and for one that may be smaller: no guard is left inside."""
        full, rest = out.inner(), out.inner()
        write(replace(env, whole={**env.whole, split: Stretch(ir.ZERO, split.factor)}), full)
        write(replace(env, partial=env.partial | {split}), rest)
        out.add(*ir.conditional(Spaces(self.frame, env).fits(split), full.code, rest.code))

    def filled(self, s: Forall, env: Env, out: Writer) -> ir.For | None:
        """A loop, with what a result needs around the body where the loop gives coordinates of its appended levels.

        What was written last, if that counts the iterations of this loop.
        """
        output = self.appended(s)
        if output is not None and self.fills_block(s, output, env):
            env = Fibers(self.frame, output).opened(self.frame.dimension(s.index), env, out)
        if output is None:
            return Loop(self.frame, s, env, self.write).write(out)
        bounds = (env.bound, (*env.bound, s.index))
        before, after = (known(output.target, bound, self.frame.provenance) for bound in bounds)
        return Loop(self.frame, s, env, self.write, Filling(Fibers(self.frame, output), before, after)).write(out)

    def fills_block(self, s: Forall, output: Output, env: Env) -> bool:
        """Whether a loop stores something at every coordinate of an extent, in a block that may not be open yet."""
        if f"{output.name}{output.heads[-1]}" not in env.blocks or not isinstance(s.body, Assign):
            return False
        if s.body.mask is not None or s.body.target.tensor in env.cells:
            return False
        if self.frame.derivations.made(s.index) is not None or Spaces(self.frame, env).is_narrowed(s.index):
            return False
        frame = self.frame
        strategy = plan(s, env.bound, frame.formats, frame.provenance, frame.background, optional=env.optional)
        return not strategy.coiterated and not strategy.lattice.sparse

    def appended(self, s: Statement) -> Output | None:
        """The output with appended levels that a statement writes, if any."""
        for a in assignments(s):
            output = self.outputs.get(a.target.tensor)
            if output is not None and output.heads:
                return output
        return None

    def where(self, s: Where, env: Env, out: Writer) -> None:
        """Clear the workspace, run the producer, then the consumer; without it where a scalar got no value."""
        inside = env.partly()
        if self.frame.workspaces[s.workspace].shape:
            self.write(s.consumer, self.produced(s, inside, out), out)
            return
        leaf_ = next(a for a in assignments(s.producer) if a.target.tensor == s.workspace)
        cell = self.cell(leaf_, self.start(leaf_), out, flagged=True)
        inside = replace(inside, cells={**env.cells, s.workspace: cell})
        self.guarded(s.producer, inside, out)
        present, absent = out.inner(), out.inner()
        self.write(s.consumer, inside, present)
        without = substitute_statement(s.consumer, reads_of(s.consumer, s.workspace), self.frame.background)
        if without is not None:
            self.guarded(without, env.partly(), absent)
        assert cell.present is not None
        out.add(*ir.conditional(cell.present, present.code, absent.code))

    def produced(self, s: Where, env: Env, out: Writer) -> Env:
        """Fill a workspace, unless its producer has nothing to do: then the environment says that it is missing."""
        remains = self.remains(s.producer, env)
        if remains == ir.TRUE:
            self.output(s.workspace).reset(out)
            self.write(s.producer, env, out)
            return env
        made, inner = out.declare("const bool", f"{s.workspace}_made", remains), out.inner()
        self.output(s.workspace).reset(inner)
        self.write(s.producer, env, inner)
        out.add(*ir.conditional(made, inner.code))
        return replace(env, flags={**env.flags, **dict.fromkeys(reads_of(s.consumer, s.workspace), made)})

    def output(self, name: str) -> Output:
        """A workspace, made when it is first needed if it might have been a thread's own."""
        if name not in self.outputs:
            self.outputs[name] = self.make(name)
            self.outputs[name].declare()
        return self.outputs[name]

    def start(self, a: Assign) -> Expr:
        """What a component holds before its first contribution."""
        dtype = self.frame.dtypes[a.target.tensor]
        return constant(self.frame.fills[a.target.tensor] if a.operator is None else identity(a.operator, dtype), dtype)

    def cell(self, a: Assign, start: Expr, out: Writer, *, flagged: bool) -> Cell:
        """Local variables that stand for the component that an assignment writes."""
        name = a.target.tensor
        kind = self.frame.types[name]
        held = out.declare(kind, f"t{name}", start)
        return Cell(held, out.declare("bool", f"t{name}_present", ir.FALSE) if flagged else None)

    def covers(self, output: Output, target: Access, env: Env) -> bool:
        """Whether what is stored here is the first contribution to its component, and every component gets one."""
        loops = {v for each in target.indices for v in self.frame.provenance.loops(each, env.bound) or ()}
        loops |= {v for v in env.bound if set(self.frame.derivations.originals(v)) <= loops}
        if not env.covers or not set(env.bound) <= loops or output.name in self.frame.workspaces:
            return False
        self.covered.add(output.name)
        return True

    def assign(self, s: Assign, env: Env, out: Writer) -> None:
        """Store the value where the loops stand, or the fill where it is missing and that makes a difference."""
        known_ = told(s.value, env.optional, self.frame.background)
        kept = not isinstance(known_.without, Fill) or isinstance(s.value, Fill)
        if kept or is_unchanged(s, known_.without, self.frame.background):
            self.store(s, env, out)
            return
        here, gone = out.inner(), out.inner()
        self.store(s, env, here)
        self.store(replace(s, value=known_.without), env, gone)
        out.add(*ir.conditional(condition(known_.present, env.flags), here.code, gone.code))

    def store(self, s: Assign, env: Env, out: Writer) -> None:
        """Store the value, if the mask admits it."""
        inner = out.inner()
        admitted = self.admits(s, env, out)
        if admitted == ir.FALSE:
            return
        code = out if admitted == ir.TRUE else inner
        inside = env if admitted == ir.TRUE else env.partly()
        name = s.target.tensor
        found = self.value(s, inside, code)
        counts = isinstance(s.value, Fill) and s.operator is not None
        cell = env.cells.get(name)
        if cell is None:
            self.contribute(self.outputs[name], s, found, ir.truth(not counts), inside, code)
        else:
            self.into_cell(cell, s, found, counts, inside, code)
        if code is inner:
            out.add(*ir.conditional(admitted, inner.code))

    def value(self, s: Assign, env: Env, out: Writer) -> Expr:
        """What an assignment contributes, in the dtype of its target; anything where nobody asks."""
        wanted = self.frame.dtypes[s.target.tensor]
        if not self.frame.wants(s.target.tensor):
            return self.start(s)
        if isinstance(s.value, Literal | Fill):
            return written(s.value.value, wanted, self.frame)
        found = value(s.value, env, self.frame, out)
        return converted(found, result_dtype(s.value, self.frame.dtypes), wanted, self.frame)

    def admits(self, s: Assign, env: Env, out: Writer) -> Expr:
        """Whether the mask, which holds a component here, lets the assignment through."""
        if s.mask is None:
            return ir.TRUE
        access, there = s.mask.access, env.there(s.mask.access)
        if s.mask.structural:
            return ir.negated(there) if s.mask.complement else there
        held = is_true(leaf(access, env, self.frame, out), self.frame.dtypes[access.tensor])
        if there != ir.TRUE:
            held = ir.both(there, held)
        return ir.Unary("!", held) if s.mask.complement else held

    def into_cell(self, cell: Cell, s: Assign, found: Expr, counts: bool, env: Env, out: Writer) -> None:
        """Store or combine a contribution in a cell; one that is missing makes nothing present."""
        if self.frame.wants(s.target.tensor):
            out.add(self.combined(cell.at(env), found, s.operator, s.target.tensor))
        if cell.present is not None and not counts:
            out.add(ir.Assign(cell.present, ir.TRUE))

    def combined(self, place: Expr, found: Expr, operator: Operator | None, name: str) -> ir.Stmt:
        """Store a contribution over what a place holds, or combine it with that."""
        if operator is None or operator.selects:
            return ir.Assign(place, found)
        return folded(place, found, operator, self.frame.dtypes[name], self.frame)

    def joined(self, place: Expr, found: Expr, a: Assign) -> ir.Code:
        """Combine a part of a reduction, with contributions or without any, with what a place holds.

        Of an operator that selects, a part that holds what it began with has nothing to select.
        """
        assert a.operator is not None
        combined = self.combined(place, found, a.operator, a.target.tensor)
        if not a.operator.selects:
            return (combined,)
        return ir.conditional(ir.compare("!=", found, self.start(a)), (combined,))

    def first(self, found: Expr, operator: Operator | None, name: str) -> Expr:
        """What a component holds after its first contribution."""
        if operator is None or operator.left_unit is None:
            return found
        dtype = self.frame.dtypes[name]
        return spelled(operator.left_unit, dtype, dtype, self.frame, (found,))

    def coordinates(self, target: Access, env: Env) -> tuple[Expr, ...]:
        """The level coordinates that the loops give for a target."""
        found: list[Expr] = []
        for term in self.frame.formats[target.tensor].map.terms:
            match term:
                case Mode(mode=mode):
                    found.append(self.frame.recover(target.indices[mode], env))
                case Quotient(mode=mode, factor=factor) | Remainder(mode=mode, factor=factor):
                    variable = target.indices[mode]
                    split = next((s for s in self.frame.provenance.splits(variable) if s.factor == factor), None)
                    loop = None if split is None else split.outer if isinstance(term, Quotient) else split.inner
                    if loop is not None and loop in env.coordinates:
                        found.append(env.coordinates[loop])
                        continue
                    part = ir.floordiv if isinstance(term, Quotient) else ir.mod
                    found.append(part(self.frame.recover(variable, env), ir.Int(factor)))
                case _:
                    raise InternalError("results have no ranks")
        return tuple(found)

    def place(self, output: Output, target: Access, env: Env, out: Writer) -> Expr:
        """The component of a plain output at the coordinates of the loops."""
        position: Expr = ir.ZERO
        path = self.coordinates(target, env)
        for k in range(len(output.levels)):
            position, _ = output.insert(k, position, path[: k + 1], out)
        return Element(output.vals, position)

    def contribute(self, output: Output, s: Assign, found: Expr, present: Expr, env: Env, out: Writer) -> None:
        """Store a contribution in an output: the first as it is, later ones combined with what is there."""
        name = output.name
        path = self.coordinates(s.target, env)
        if output.is_plain:
            place = self.place(output, s.target, env, out)
            if s.operator is None:
                self.covers(output, s.target, env)
            combine = self.combined(place, found, s.operator, name)
            is_complex = self.frame.dtypes[name].kind == "c"
            out.add(updated(combine, simple=not is_complex) if name in env.atomic else combine)
            return
        if output.heads:
            Fibers(self.frame, output).store(s, path, env, out, lambda w, p, new: self.put(output, s, found, p, new, w))
            return
        held = found if isinstance(found, ir.Name) else out.declare(f"const {output.store.type}", f"v{name}", found)
        position: Expr = ir.ZERO
        last = len(output.levels) - 1
        for k in range(last):
            position, _ = output.insert(k, position, path[: k + 1], out)

        def put(inner: Writer, p: Expr, new: bool | None) -> None:
            self.put(output, s, held, p, new, inner)
            if output.present is not None:
                flag = Element(output.present, p)
                value = present if new else ir.either(flag, present)
                if value != flag:
                    inner.add(ir.Assign(flag, value))

        output.insert(last, position, path, out, put)

    def put(self, output: Output, s: Assign, found: Expr, p: Expr, new: bool | None, out: Writer) -> None:
        """Store a contribution at a position that is new, or that holds one already or at least its fill."""
        if not self.frame.wants(output.name):
            return
        place = Element(output.vals, p)
        if new:
            out.add(ir.Assign(place, self.first(found, s.operator, output.name)))
        elif new is None or s.operator is None or not s.operator.selects:
            out.add(self.combined(place, found, s.operator, output.name))


def updated(s: ir.Stmt, *, simple: bool) -> ir.Stmt:
    """A combination that several threads may make at once; of `simple` values processors have atomic ones."""
    atomic = simple and isinstance(s, ir.Assign) and s.operator != "="
    return ir.Atomic(s) if atomic else ir.Region("omp critical", (s,))


def identity(operator: Operator, dtype: np.dtype) -> Number:
    """The identity of a reduction."""
    assert operator.left_identity is not None
    return operator.left_identity(dtype)
