"""Storing: contributions to results and workspaces, at the coordinates of the loops (Chou 2018, section 4.5)."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ...reference.errors import InternalError
from ...reference.loops.presence import survey
from ...reference.notation.syntax import Access, Fill, Literal
from ...reference.notation.types import dtype_of
from ...reference.statement.statement import Assign
from ...reference.statement.substitution import is_unchanged
from ...reference.storage.coordinate_map import Mode, Quotient, Rank, Remainder
from ..assembly.appending import Fibers
from ..assembly.output import Output
from ..assembly.outputs import Outputs
from ..cuda.claims import Claims, set_flag
from ..cuda.listing import note
from ..ir import ir, logic
from ..ir.ir import Element, Expr
from ..ir.writer import Writer
from ..scope.env import Env
from ..scope.flags import condition
from ..scope.frame import Frame
from ..scope.target import Cell
from ..scope.terms import print_term
from ..values.combining import first, start, store_contribution, unless_empty
from ..values.values import convert, is_true, literal, value


class Storing(Struct, frozen=True):
    """What assignments do to the outputs of a function."""

    outputs: Outputs

    @property
    def frame(self) -> Frame:
        """The function being written."""
        return self.outputs.frame

    def assign(self, s: Assign, env: Env, out: Writer) -> None:
        """Store the value where the loops stand, or the fill where it is missing and that makes a difference."""
        known_ = survey(s.value, env.site.optional, self.frame.facts.background)
        kept = not isinstance(known_.without, Fill) or isinstance(s.value, Fill)
        if kept or is_unchanged(s, known_.without, self.frame.facts.background):
            self.store(s, env, out)
            return
        here, gone = out.inner(), out.inner()
        self.store(s, env, here)
        self.store(replace(s, value=known_.without), env, gone)
        out.add(*logic.conditional(condition(known_.present, env.site.flags), here.code, gone.code))

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
        cell = env.target.cells.get(name)
        if cell is None:
            path = self.coordinates(s.target, inside)
            self.contribute(self.outputs[name], s, found, logic.truth(not counts), path, inside, code)
        else:
            self.into_cell(cell, s, found, counts, inside, code)
        if code is inner:
            out.add(*logic.conditional(admitted, inner.code))

    def value(self, s: Assign, env: Env, out: Writer) -> Expr:
        """What an assignment contributes, in the dtype of its target; anything where nobody asks."""
        wanted = self.frame.facts.dtypes[s.target.tensor]
        if not self.frame.wants(s.target.tensor):
            return start(s, self.frame)
        if isinstance(s.value, Literal | Fill):
            return literal(s.value.value, wanted, self.frame)
        found = value(s.value, env, self.frame, out)
        return convert(found, dtype_of(s.value), wanted, self.frame)

    def admits(self, s: Assign, env: Env, out: Writer) -> Expr:
        """Whether the mask, which holds a component here, lets the assignment through."""
        if s.mask is None or s.mask in env.target.admitting:
            return ir.TRUE
        present = survey(s.mask.value, env.site.optional, self.frame.facts.background).present
        there = condition(present, env.site.flags)
        if s.mask.structural:
            return logic.negate(there) if s.mask.complement else there
        held = is_true(value(s.mask.value, env, self.frame, out, there), dtype_of(s.mask.value))
        if there != ir.TRUE:
            held = logic.both(there, held)
        return ir.Unary("!", held) if s.mask.complement else held

    def cell(self, a: Assign, start: Expr, out: Writer, *, flagged: bool) -> Cell:
        """Local variables that stand for the component that an assignment writes."""
        name = a.target.tensor
        kind = self.frame.facts.types[name]
        held = out.declare(kind, f"t{name}", start)
        return Cell(held, out.declare("bool", f"t{name}_present", ir.FALSE) if flagged else None)

    def into_cell(self, cell: Cell, s: Assign, found: Expr, counts: bool, env: Env, out: Writer) -> None:
        """Store or combine a contribution in a cell; one that is missing makes nothing present."""
        if cell.path:
            noted = zip(cell.path, self.coordinates(s.target, env), strict=True)
            out.add(*(ir.Assign(name, c) for name, c in noted))
        if self.frame.wants(s.target.tensor):
            out.add(store_contribution(cell.at(env.site), found, s, self.frame))
        if cell.present is not None and not counts:
            out.add(ir.Assign(cell.present, ir.TRUE))
        if cell.settles and not counts:
            out.add(ir.Jump("break"))

    def store_cell(self, s: Assign, cell: Cell, path: tuple[Expr, ...], env: Env, out: Writer) -> None:
        """Store what a cell holds, if that is anything, in the output at level coordinates."""
        output, stored = self.outputs[s.target.tensor], out.inner()
        self.contribute(output, s, cell.value, ir.TRUE if cell.present is None else cell.present, path, env, stored)
        if cell.present is None:
            out.add(*unless_empty(cell.value, s, self.frame, stored.code))
            return
        present = ir.TRUE if output.form.flagged else cell.present
        out.add(*logic.conditional(logic.both(env.teams.stores, present), stored.code))

    def covers(self, output: Output, target: Access, env: Env) -> bool:
        """Whether what is stored here is the first contribution to its component, and every component gets one."""
        loops = {v for each in target.indices for v in env.site.space.loops(each) or ()}
        loops |= {v for v in env.site.around if set(self.frame.facts.provenance.originals(v)) <= loops}
        if not env.target.covers or not set(env.site.around) <= loops or output.name in self.frame.facts.workspaces:
            return False
        if output.form.begins is not None:
            return False
        self.outputs.covered.add(output.name)
        return True

    def coordinates(self, target: Access, env: Env) -> tuple[Expr, ...]:
        """The level coordinates that the loops give for a target."""
        found: list[Expr] = []
        for term in self.frame.facts.formats[target.tensor].map.terms:
            match term:
                case Mode(mode=mode):
                    found.append(print_term(env.site.space.recover(target.indices[mode]), self.frame, env))
                case Quotient(mode=mode, factor=factor) | Remainder(mode=mode, factor=factor):
                    variable = target.indices[mode]
                    split = next((s for s in self.frame.facts.provenance.splits(variable) if s.factor == factor), None)
                    loop = None if split is None else split.outer if isinstance(term, Quotient) else split.inner
                    if loop is not None and loop in env.site.coordinates:
                        found.append(env.site.coordinates[loop])
                        continue
                    part = ir.floordiv if isinstance(term, Quotient) else ir.mod
                    coordinate = print_term(env.site.space.recover(variable), self.frame, env)
                    found.append(part(coordinate, ir.Int(factor)))
                case Rank():
                    raise InternalError("results have no ranks")
        return tuple(found)

    def place(self, output: Output, target: Access, env: Env, out: Writer) -> Expr:
        """The component of a plain output at the coordinates of the loops."""
        return self.place_at(output, self.coordinates(target, env), out)

    def place_at(self, output: Output, path: tuple[Expr, ...], out: Writer) -> Expr:
        """The component of a plain output at level coordinates."""
        position: Expr = ir.ZERO
        for k in range(len(output.levels)):
            position, _ = output.insert(k, position, path[: k + 1], out)
        return Element(output.held.vals, position)

    def contribute(
        self, output: Output, s: Assign, found: Expr, present: Expr, path: tuple[Expr, ...], env: Env, out: Writer
    ) -> None:
        """Store a contribution at level coordinates of an output: the first as it is, later ones combined with what is
        there."""
        name = output.name
        if output.held.is_plain:
            place = self.place_at(output, path, out)
            if s.operator is None:
                self.covers(output, s.target, env)
            combine = store_contribution(place, found, s, self.frame)
            stored = self.make_atomic(combine, s) if name in env.teams.atomic else combine
            out.add(*logic.conditional(env.teams.stores, (stored,)))
            return
        if output.form.heads:
            fibers = Fibers(self.frame, output)
            fibers.store(s, path, env, out, lambda inner, p, new: self.put(output, s, found, p, new, inner))
            return
        stores = env.teams.stores
        inner = out if stores == ir.TRUE else out.inner()
        if isinstance(output, Claims):
            output.claim(path, inner)
        elif name in env.teams.atomic:
            self.insert_atomically(output, s, found, present, path, inner)
        else:
            self.insert(output, s, found, present, path, inner)
        if inner is not out:
            out.add(*logic.conditional(stores, inner.code))

    def insert_atomically(
        self, output: Output, s: Assign, found: Expr, present: Expr, path: tuple[Expr, ...], out: Writer
    ) -> None:
        """Store a contribution in an output that keeps a flag for each component, which other threads store in at once:
        all of them set the flag, and combine what they have with the value, which is set beforehand."""
        position: Expr = ir.ZERO
        for k, bound in enumerate(output.held.bounds):
            position, _ = bound.call("locate", (position, path[: k + 1]), out, (f"p{output.name}{k + 1}", "found"))
            if output.held.listed is not None:
                note(output, position, path[k], out)
            elif output.form.fresh:
                out.add(*set_flag(output, k, position, path[k], out))
        if output.held.present is not None:
            flag = ir.Atomic(ir.Assign(Element(output.held.present, position), ir.TRUE), "or", "bool")
            out.add(*logic.conditional(present, (flag,)))
        if self.frame.wants(output.name):
            place = Element(output.held.vals, position)
            out.add(self.make_atomic(store_contribution(place, found, s, self.frame), s))

    def insert(
        self, output: Output, s: Assign, found: Expr, present: Expr, path: tuple[Expr, ...], out: Writer
    ) -> None:
        """Store a contribution in an output whose levels are inserted into."""
        name, kind = output.name, f"const {output.held.store.type}"
        held = found if isinstance(found, ir.Name) else out.declare(kind, f"v{name}", found)
        position: Expr = ir.ZERO
        last = len(output.levels) - 1
        for k in range(last):
            position, _ = output.insert(k, position, path[: k + 1], out)

        def put(inner: Writer, p: Expr, new: bool | None) -> None:
            self.put(output, s, held, p, new, inner)
            if output.held.present is not None:
                flag = Element(output.held.present, p)
                if not new and s.operator is not None and s.operator.selects and self.frame.wants(name):
                    taken = ir.Assign(Element(output.held.vals, p), held)
                    inner.add(*logic.conditional(present, (taken,)))
                value = present if new else logic.either(flag, present)
                if value != flag:
                    inner.add(ir.Assign(flag, value))

        output.insert(last, position, path, out, put)

    def put(self, output: Output, s: Assign, found: Expr, p: Expr, new: bool | None, out: Writer) -> None:
        """Store a contribution at a position that is new, or that holds one already or at least its fill."""
        if not self.frame.wants(output.name):
            return
        place = Element(output.held.vals, p)
        if new:
            out.add(ir.Assign(place, first(found, s, self.frame)))
        elif new is None or s.operator is None or not s.operator.selects:
            out.add(store_contribution(place, found, s, self.frame))

    def make_atomic(self, update: ir.Assign, s: Assign) -> ir.Stmt:
        """An update that several threads may make at once."""
        assert s.operator is not None
        return ir.Atomic(update, s.operator.name, self.frame.facts.dtypes[s.target.tensor].name)
