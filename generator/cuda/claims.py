"""Claims: threads that meet insert coordinates into hashed levels, each into a bucket that it finds empty.

Level functions say how. `locate` finds a coordinate, or where it belongs, and reads arrays whose elements others store
meanwhile; what `insert_coord` stores there takes the place of what `insert_init` has, if nobody comes between:

    bool foundC2;
    int64_t pC2 = hashed_locate(C2_W, C2_crd, i, j, &foundC2);
    while (!foundC2) {
        int32_t seen = -1;
        foundC2 = gn_atomic_exchange_int32(&C2_crd[pC2], &seen, (int32_t) j);
        if (foundC2) { … one more child of i; C2_crowded if they are too many … }
        else { … locate again; C2_crowded and no more, if the segment is full … }
    }

No coordinate is ever taken out of a table. So a segment is full if `locate` does not find a coordinate, and answers
with a bucket that was occupied before `locate` was called (`reference/levels/hashed.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

from ...reference.errors import InternalError
from ...reference.levels.level import Widen
from ..assembly.output import Output, Put
from ..ir import ir, logic
from ..ir.ir import INT, Assign, Cast, Declare, Element, Expr, If, Jump, Name, Unary
from ..ir.writer import Writer
from ..storage.level_functions import Bound


class Contended(Bound, frozen=True):
    """A level over arrays that other threads store in meanwhile."""

    def function_name(self, function: str) -> str:
        return f"{super().function_name(function)}_meanwhile"

    def element(self, array: str, held: Expr, index: Expr) -> Expr:
        kind = self.types[array]
        found = ir.Call(f"gn_atomic_load_{kind.removesuffix('_t')}", (Unary("&", Element(held, index)),))
        return found if kind == INT else Cast(INT, found)


def set_flag(output: Output, k: int, position: Expr, coordinate: Expr, out: Writer) -> ir.Code:
    """What says that a coordinate of level `k` is there, said by several threads at once: nothing where all are."""
    flags, found = out.inner(), list[ir.Stmt]()
    output.held.bounds[k].call("insert_coord", (position, coordinate), flags)
    for s in flags.code:
        assert isinstance(s, Assign)
        found.append(ir.Atomic(s, "or", array_dtype(output, k)))
    return tuple(found)


def array_dtype(output: Output, k: int) -> str:
    """The dtype of the one array that level `k` has."""
    (dtype,) = (dtype for (level, _), dtype in output.form.layout.dtypes.items() if level == k)
    return dtype.name


def change(bound: Bound, q: Expr, coordinate: Expr, out: Writer) -> tuple[Expr, Assign]:
    """What an empty place of a level holds, and the assignment that stores a coordinate there."""
    before, after = out.inner(), out.inner()
    bound.call("insert_init", (q, ir.add(q, ir.ONE)), before)
    bound.call("insert_coord", (q, coordinate), after)
    match before.code, after.code:
        case (Assign(target=empty, value=value),), (Assign(target=place) as stored,) if empty == place:
            return value, stored
        case _:
            raise InternalError(f"{bound.level.name} does not say that a place is empty by one element")


class Claims(Output, frozen=True, kw_only=True):
    """A tensor that threads insert coordinates into. `crowded` are variables of the host that say which levels are."""

    crowded: Mapping[int, Name]

    @property
    def has_places(self) -> bool:
        return True

    def insert(
        self, k: int, parent: Expr, path: tuple[Expr, ...], out: Writer, put: Put | None = None
    ) -> tuple[Expr, Expr]:
        """Not one level after another: below a coordinate that has no room nothing has a place."""
        raise InternalError(f"level {k + 1} of {self.name} is claimed with those above it")

    def claim(self, path: tuple[Expr, ...], out: Writer) -> None:
        """Insert the coordinates of a component, as far as there is room."""
        self.claim_below(0, ir.ZERO, path, out)

    def claim_below(self, k: int, parent: Expr, path: tuple[Expr, ...], out: Writer) -> None:
        """Insert the coordinates of level `k` and of those below it."""
        if k == len(self.levels):
            return
        bound = self.held.bounds[k]
        names = (f"p{self.name}{k + 1}", f"found{self.name}{k + 1}")
        if not isinstance(bound.level, Widen):
            position = bound.call("locate", (parent, path[: k + 1]), out, names)[0]
            out.add(*set_flag(self, k, position, path[k], out))
            self.claim_below(k + 1, position, path, out)
            return
        level = Contended(bound.level, bound.fields, bound.types)
        position, found = self.locate(level, parent, path[: k + 1], out, names)
        looking = out.inner()
        self.take(k, position, found, parent, path[: k + 1], looking)
        out.add(ir.While(logic.negate(found), looking.code))
        deeper = out.inner()
        self.claim_below(k + 1, position, path, deeper)
        out.add(*logic.conditional(found, deeper.code))

    def locate(
        self, level: Bound, parent: Expr, path: tuple[Expr, ...], out: Writer, names: tuple[str, str]
    ) -> tuple[Name, Name]:
        """Variables for the position of a coordinate, and whether it is there."""
        q, found = level.call("locate", (parent, path), out, names)
        q = q if isinstance(q, Name) else out.declare(INT, names[0], q, natural=True)
        found = found if isinstance(found, Name) else out.declare("bool", names[1], found)
        return q, found

    def take(self, k: int, q: Name, found: Name, parent: Expr, path: tuple[Expr, ...], out: Writer) -> None:
        """Take an empty place for a coordinate, or look for another."""
        bound, counts = self.held.bounds[k], self.held.counts
        assert isinstance(bound.level, Widen)
        level = Contended(bound.level, bound.fields, bound.types)
        empty, stored = change(bound, q, path[-1], out)
        dtype = array_dtype(self, k)
        seen = Name(out.fresh("seen"))
        out.add(Declare(f"{dtype}_t", seen.name, empty))
        exchanged = ir.Call(f"gn_atomic_exchange_{dtype}", (Unary("&", stored.target), Unary("&", seen), stored.value))
        out.add(Assign(found, exchanged))
        taken, missed = out.inner(), out.inner()
        count = Element(counts[k], parent)
        taken.add(ir.Atomic(Assign(count, ir.ONE, "+="), "add", "int64"))
        now = taken.declare(f"const {INT}", "children", ir.Call("gn_atomic_load_int64", (Unary("&", count),)))
        crowds = bound.one("is_crowded", (now,), taken)
        taken.add(*logic.conditional(crowds, (self.say(k),)))
        again, present = self.locate(level, parent, path, missed, ("again", "present"))
        is_full = logic.both(logic.negate(present), logic.compare("==", again, q))
        missed.add(If(is_full, (self.say(k), Jump("break"))), Assign(q, again), Assign(found, present))
        out.add(If(found, taken.code, missed.code))

    def say(self, k: int) -> ir.Stmt:
        """Say that a level needs more room."""
        return ir.Atomic(Assign(Element(self.crowded[k], ir.ZERO), ir.TRUE), "or", "bool")
