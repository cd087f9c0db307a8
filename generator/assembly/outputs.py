"""Outputs: tensors under construction, filled through the level functions of Table 3 (Chou 2018, sections 3.4 and 4.5).

An output's levels fall into groups that grow together. The first group has a size that the extents determine; every
appended level that is not a singleton heads a further group, whose size is the number of positions appended so far.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from ...reference.errors import InternalError
from ...reference.levels.level import Append, Insert, Level, Reset, Widen
from ...reference.notation.syntax import Access
from ...reference.storage.format import interleaving
from ..ir import ir
from ..ir.ir import INT, Element, Expr, Int, Name, Spelled
from ..ir.writer import Writer
from ..loops.frame import Frame, Store
from ..storage.layout import SHARED, Layout, array_names, c_type, field_of, parameters, settled
from ..storage.level_functions import Bound

ROOT = -1
UNLIMITED = "INT64_MAX"
NOWHERE = Name("NULL")
Put = Callable[[Writer, Expr, bool | None], None]


def is_head(level: Level) -> bool:
    """Whether appending to a level makes a position of its own: a singleton shares its parent's."""
    return isinstance(level, Append) and not (level.branchless or level.padded)


@dataclass
class Output:
    """A tensor that a kernel writes. `initial` is the value of a component before anything is stored in it."""

    frame: Frame
    target: Access
    layout: Layout
    initial: Expr
    flagged: bool
    fresh: bool
    covered: bool = False
    bounds: list[Bound] = field(default_factory=list)
    arrays: dict[tuple[int, str], Name] = field(default_factory=dict)
    counters: dict[int, Name] = field(default_factory=dict)
    capacities: dict[int, Name] = field(default_factory=dict)
    counts: dict[int, Name] = field(default_factory=dict)
    parameter: dict[tuple[int, str], Expr] = field(default_factory=dict)
    vals: Name = NOWHERE
    present: Name | None = None
    widenings: dict[Hashable, tuple[str, list[int]]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.target.tensor

    @property
    def levels(self) -> tuple[Level, ...]:
        return self.layout.format.levels

    @cached_property
    def heads(self) -> list[int]:
        """The levels that head a group."""
        return [k for k, level in enumerate(self.levels) if is_head(level)]

    @cached_property
    def last_append(self) -> int:
        """The last level that is appended to; -1 if none is."""
        return max((k for k, level in enumerate(self.levels) if not isinstance(level, Insert)), default=-1)

    def read_back(self, k: int, p: Expr, path: tuple[Expr, ...], out: Writer) -> Expr:
        """The coordinate that has been stored at a position of level `k`."""
        return self.bounds[k].call("pos_access", (p, path), out)[0]

    def group(self, k: int) -> int:
        """The head of the group of level `k`; the values belong to that of the last level."""
        return max((h for h in self.heads if h <= k), default=ROOT)

    def chain(self, k: int) -> range:
        """The appended levels that share positions with head `k`."""
        end = k + 1
        while end < len(self.levels) and isinstance(self.levels[end], Append) and not is_head(self.levels[end]):
            end += 1
        return range(k, end)

    @property
    def store(self) -> Store:
        """The output as a tensor that can be read."""
        return Store(self.name, self.layout, tuple(self.bounds), self.vals, self.present)

    def declare(self) -> None:
        """Declare arrays, parameters and counters, and allocate the first group."""
        root, frame = self.frame.region, self.frame
        types, kind = self.layout.types, c_type(self.layout.dtype)
        for k, array in array_names(self.layout.format):
            stem = f"{self.name}_{array}" if k == SHARED else f"{self.name}{k + 1}_{array}"
            self.arrays[k, array] = self.pointer(types[k, array], stem, k, array)
        if not self.is_bare:
            self.vals = self.pointer(kind, f"{self.name}_vals", None, "vals")
        if self.flagged:
            self.present = root.declare("bool *", f"{self.name}_present", Spelled("NULL"))
            frame.frees.append(self.present.name)
        extents = frame.level_extents(self.target)
        for k, level in enumerate(self.levels):
            self.settle(k)
            following = extents[k + 1] if k + 1 < len(extents) else ir.ZERO
            own = {name: self.parameter[k, name] for name in parameters(self.layout.format, k)}
            fields = {"N": extents[k], "M": following, **own}
            self.bounds.append(frame.bound(self.layout, k, fields, self.arrays))
            if isinstance(level, Widen) and self.fresh:
                self.counts[k] = root.declare(f"{INT} *", f"{self.name}{k + 1}_count", Spelled("NULL"))
                frame.frees.append(self.counts[k].name)
        for h in self.heads:
            self.counters[h] = root.declare(INT, f"p{self.name}{h + 1}", ir.ZERO, natural=True)
            if self.fresh:
                self.capacities[h] = root.declare(INT, f"{self.name}{h + 1}_capacity", ir.ZERO, natural=True)
        frame.stores[self.name] = self.store

    def pointer(self, type: str, stem: str, k: int | None, array: str) -> Name:
        """Declare a pointer to an array: empty where this function allocates it, else where the caller keeps it."""
        root, parameter = self.frame.region, self.frame.parameters.get(self.name)
        if not self.fresh or (k is None and self.is_given):
            assert parameter is not None
            where = f"{parameter}->vals" if k is None else field_of(parameter, self.layout.format, k, array)
            return root.declare(f"{type} *restrict", stem, Spelled(where))
        moves = any(isinstance(level, Widen) for level in self.levels)
        name = root.declare(f"{type} *" if moves else f"{type} *restrict", stem, Spelled("NULL"))
        if parameter is None:
            self.frame.frees.append(name.name)
        return name

    @property
    def is_given(self) -> bool:
        """Whether the caller provides the values: those of a result that stores nothing else."""
        return self.name in self.frame.parameters and not array_names(self.layout.format)

    @property
    def is_bare(self) -> bool:
        """Whether nobody asks for values: those of a workspace while only the structure of a result is found."""
        return self.name not in self.frame.parameters and not self.frame.wants(self.name)

    def settle(self, k: int) -> None:
        """The parameters of a level: fixed by the format, chosen as for no data, or read from a finished result."""
        constants = interleaving(self.layout.format, k)
        chosen = settled(self.levels[k])
        for n, name in enumerate(parameters(self.layout.format, k)):
            if name in constants:
                self.parameter[k, name] = Int(constants[name])
            else:
                value: Expr = Int(chosen[name])
                if not self.fresh:
                    value = Spelled(f"{self.frame.parameters[self.name]}->level[{k}].parameter[{n}]")
                self.parameter[k, name] = self.frame.region.declare(
                    INT, f"{self.name}{k + 1}_{name}", value, natural=True
                )

    def sizes(self, k: int, positions: Expr, out: Writer) -> Expr:
        """The number of positions of level `k`, for that many in the head of its group."""
        group = self.group(k)
        size = positions
        for n in range(max(group, 0), k + 1):
            if n != group:
                size = self.bounds[n].one("size", (size,), out)
        return size

    def total(self, group: int) -> Expr:
        """The number of positions of a group's head so far; for the first group, the root."""
        return ir.ONE if group == ROOT else self.counters[group]

    def parents(self, k: int, out: Writer, positions: Expr | None = None) -> Expr:
        """The number of parents of level `k`, for that many positions in the head of their group."""
        if k == 0:
            return ir.ONE
        given = self.total(self.group(k - 1)) if positions is None else positions
        return self.sizes(k - 1, given, out)

    def lengths(self, group: int, positions: Expr, out: Writer) -> dict[Name, tuple[str, Expr]]:
        """The arrays that grow with a group: their element types and lengths for that many positions of its head."""
        found: dict[Name, tuple[str, Expr]] = {}
        for k, bound in enumerate(self.bounds):
            own, above = self.group(k) == group, (k == 0 and group == ROOT) or (k > 0 and self.group(k - 1) == group)
            if not own and not above:
                continue
            parents = self.parents(k, out, positions) if above else ir.ZERO
            size = self.sizes(k, positions, out) if own else ir.ZERO
            if own and self.group(k) == k:
                size = positions
            full = bound.named("lengths", (parents, size), out) if has_lengths(bound.level) else {}
            for name, length in full.items():
                both = depends(bound, name)
                if own == above or (own and "size" in both) or (above and "size" not in both):
                    array = self.arrays[(SHARED if (SHARED, name) in self.arrays else k, name)]
                    found[array] = (bound.types[name], length)
            if above and k in self.counts:
                found[self.counts[k]] = (INT, parents)
        if self.group(len(self.levels) - 1) == group:
            count = self.sizes(len(self.levels) - 1, positions, out) if self.levels else ir.ONE
            if not (self.is_given or self.is_bare):
                found[self.vals] = (c_type(self.layout.dtype), count)
            if self.present is not None:
                found[self.present] = ("bool", count)
        return found

    def allocate(self, out: Writer) -> None:
        """Allocate the first group, and what others need while they are empty, and initialise it."""
        if not self.fresh:
            if not self.heads and not self.covered:
                self.fill(ir.ZERO, self.positions(out), out)
            return
        first = self.lengths(ROOT, ir.ONE, out)
        wanted = dict(first)
        for head in self.heads:
            empty = self.lengths(head, ir.ZERO, out)
            wanted |= {array: needed for array, needed in empty.items() if needed[1] != ir.ZERO}
        for array, (kind, length) in wanted.items():
            call = ir.Call("gn_zeros", (length, Spelled(f"sizeof({kind})"), Spelled("&status")))
            out.add(ir.Assign(array, call))
        self.estimate(out)
        if wanted:
            self.frame.check(out)
        start = out.inner()
        self.initialise(start)
        out.add(*[s for s in start.code if not clears(s, first)])

    def estimate(self, out: Writer) -> None:
        """Start with room for as many positions as the operands have components together."""
        if not self.heads:
            return
        sizes: list[Expr] = [self.frame.size(n) for n in self.frame.parameters if self.frame.is_sparse(n)]
        if not sizes:
            return
        head = self.heads[-1]
        likely = sizes[0] if len(sizes) == 1 else ir.joined("+", sizes)
        block = self.sizes(len(self.levels) - 1, ir.ONE, out)
        out.add(ir.Assign(self.capacities[head], ir.Call("gn_estimate", (likely, Spelled(self.limit), block))))
        for array, (kind, length) in self.lengths(head, self.capacities[head], out).items():
            call = ir.Call("gn_resize", (array, length, Spelled(f"sizeof({kind})"), Spelled("&status")))
            out.add(ir.Assign(array, call))

    @property
    def limit(self) -> str:
        """The largest number of positions that the index arrays can count."""
        return "GN_INDEX_MAX" if "int32_t" in self.layout.types.values() else UNLIMITED

    def positions(self, out: Writer) -> Expr:
        """The number of positions of the first group's last level."""
        size: Expr = ir.ONE
        for bound in self.bounds:
            size = bound.one("size", (size,), out)
        return size

    def initialise(self, out: Writer) -> None:
        """Prepare the first group for what is to come: levels, and values where no insertion sets them."""
        size: Expr = ir.ONE
        for bound in self.bounds:
            if is_head(bound.level):
                bound.call("append_init", (ir.ZERO, size), out)
                return
            size = bound.one("size", (size,), out)
            self.initialise_level(bound, ir.ZERO, size, out)
        if self.needs_fill and not self.covered:
            self.fill(ir.ZERO, size, out)

    def initialise_level(self, bound: Bound, before: Expr, size: Expr, out: Writer) -> None:
        """Prepare the new positions `[before, size)` of a level."""
        if isinstance(bound.level, Insert):
            bound.call("insert_init", (before, size), out)
        else:
            for name, blank in bound.level.blank().items():
                counter = out.inner().fresh("p")
                kind = bound.types[name]
                body = (ir.Assign(Element(bound.fields[name], Name(counter)), Int(blank)),)
                assert kind
                out.add(ir.For(counter, before, size, body))

    @cached_property
    def needs_fill(self) -> bool:
        """Whether values must be set before anything is stored: always, except where insertion sets each one."""
        return self.name in self.frame.parameters or not self.inserts_leaf

    @cached_property
    def inserts_leaf(self) -> bool:
        """Whether the last level says which of its positions are in use."""
        return bool(self.levels) and isinstance(self.levels[-1], Insert) and self.keeps(len(self.levels) - 1)

    def fill(self, begin: Expr, end: Expr, out: Writer) -> None:
        """Set the values of the positions `[begin, end)`, and mark them absent."""
        p = Name(out.inner().fresh("p"), True)
        value = () if self.is_bare else (ir.Assign(Element(self.vals, p), self.initial),)
        flag = () if self.present is None else (ir.Assign(Element(self.present, p), ir.FALSE),)
        if value or flag:
            out.add(ir.For(p.name, begin, end, value + flag))

    def reset(self, out: Writer) -> None:
        """Forget everything stored, before the output is filled again."""
        if all(isinstance(level, Reset) for level in self.levels) and not self.needs_fill:
            parents: Expr = ir.ONE
            for bound in self.bounds:
                bound.call("insert_reset", (ir.ZERO, parents), out)
                parents = bound.one("size", (parents,), out)
            return
        for k in self.counts:
            self.forget_children(k, ir.ZERO, self.parents(k, out), out)
        self.initialise(out)

    def forget_children(self, k: int, begin: Expr, end: Expr, out: Writer) -> None:
        """Say that the parents `[begin, end)` of level `k` have no children yet, if those are counted."""
        if k not in self.counts:
            return
        if end == ir.add(begin, ir.ONE):
            out.add(ir.Assign(Element(self.counts[k], begin), ir.ZERO))
            return
        p = Name(out.inner().fresh("p"), True)
        out.add(ir.For(p.name, begin, end, (ir.Assign(Element(self.counts[k], p), ir.ZERO),)))

    def ensure(self, head: int, more: Expr, out: Writer) -> None:
        """Make room for some more positions of a head."""
        if not self.fresh:
            return
        counter, capacity = self.counters[head], self.capacities[head]
        grow = out.inner()
        request = ir.Call("gn_capacity", (capacity, counter, more, Spelled(self.limit), Spelled("&status")))
        room = grow.declare(f"const {INT}", "capacity", request, natural=True)
        for array, (kind, length) in self.lengths(head, room, grow).items():
            call = ir.Call("gn_resize", (array, length, Spelled(f"sizeof({kind})"), Spelled("&status")))
            grow.add(ir.Assign(array, call))
        self.frame.check(grow)
        grow.add(ir.Assign(capacity, room))
        full = (
            ir.compare("==", counter, capacity) if more == ir.ONE else ir.compare("<", ir.sub(capacity, counter), more)
        )
        out.add(ir.If(full, grow.code))

    def append(self, head: int, coordinates: Mapping[int, Expr], out: Writer) -> Expr:
        """Append one position, for which there is room, to a head and its singletons; prepare what is below it."""
        p = self.counters[head]
        chain = self.chain(head)
        if self.fresh:
            for k in chain:
                self.bounds[k].call("append_coord", (p, coordinates[k]), out)
        begin: Expr = p
        end = ir.add(p, ir.ONE)
        for k in range(chain[-1] + 1, len(self.levels)):
            bound = self.bounds[k]
            if is_head(bound.level):
                if self.fresh:
                    bound.call("append_init", (begin, end), out)
                return p
            if self.fresh:
                self.forget_children(k, begin, end, out)
            begin, end = bound.one("size", (begin,), out), bound.one("size", (end,), out)
            if self.fresh:
                self.initialise_level(bound, begin, end, out)
        if chain[-1] + 1 < len(self.levels) and self.needs_fill:
            self.fill(begin, end, out)
        return p

    def connect(self, head: int, parent: Expr, begin: Expr, out: Writer) -> None:
        """Connect the fiber of a head that begins at a position, and ends here, to its parent."""
        self.bounds[head].call("append_edges", (parent, begin, self.counters[head]), out)

    @cached_property
    def is_plain(self) -> bool:
        """Whether every component has a position beforehand, and nothing is kept but its value."""
        return self.last_append < 0 and not self.flagged and not any(self.keeps(k) for k in range(len(self.levels)))

    def keeps(self, k: int) -> bool:
        """Whether a level that is inserted into keeps which of its coordinates are there."""
        path = tuple(Name("c", True) for _ in range(k + 1))
        return self.bounds[k].call("locate", (Name("p", True), path), Writer())[1] != ir.TRUE

    def insert(
        self, k: int, parent: Expr, path: tuple[Expr, ...], out: Writer, put: Put | None = None
    ) -> tuple[Expr, Expr]:
        """The position of a coordinate of level `k`, made if need be; and whether it was there.

        `put` writes what is to be done at the position, and is told whether it is new: None where that is not known.
        """
        bound = self.bounds[k]
        if not isinstance(bound.level, Insert):
            if self.fresh:
                bound.call("append_coord", (parent, path[-1]), out)
            if put is not None:
                put(out, parent, True)
            return parent, ir.FALSE
        stem = f"p{self.name}{k + 1}"
        q, found = bound.call("locate", (parent, path), out, (stem, f"found{self.name}{k + 1}"))
        q = out.declare(INT, stem, q, natural=True) if not isinstance(q, Name) else q
        if k == 0:
            q = replace(q, below=bound.one("size", (ir.ONE,), out))
        if found == ir.TRUE or not self.fresh:
            if put is not None:
                put(out, q, None)
            return q, ir.TRUE
        missing, there = out.inner(), out.inner()
        if isinstance(bound.level, Widen):
            self.widen(k, parent, path, q, missing)
        bound.call("insert_coord", (q, path[-1]), missing)
        if put is not None:
            put(missing, q, True)
            put(there, q, False)
        out.add(*ir.conditional(ir.negated(found), missing.code, there.code))
        return q, found

    def widen(self, k: int, parent: Expr, path: tuple[Expr, ...], q: Expr, out: Writer) -> None:
        """Make room and locate a new child again where it would crowd the level; count it for its parent.

        It is counted last: widening counts those that it moves.
        """
        from .widening import widening

        bound, count = self.bounds[k], Element(self.counts[k], parent)
        crowded = bound.one("is_crowded", (ir.add(count, ir.ONE),), out)
        more = out.inner()
        more.add(ir.Assign(Name("status"), widening(self, k, more)))
        self.frame.check(more)
        again, _ = bound.call("locate", (parent, path), more, ("q", "present"))
        more.add(ir.Assign(q, again))
        out.add(*ir.conditional(crowded, more.code))
        out.add(ir.Assign(count, ir.ONE, "+="))

    def finalize(self, out: Writer) -> None:
        """Bring every level into its final form, if the positions of each can be counted."""
        if not self.fresh:
            return
        if self.heads and self.limit != UNLIMITED:
            crowded = ir.either(*[ir.compare(">", self.counters[h], Spelled(self.limit)) for h in self.heads])
            out.add(
                ir.If(crowded, (ir.Assign(Name("status"), Spelled("GN_OVERFLOW")), ir.Jump("goto", self.frame.exit)))
            )
            self.frame.fallible = True
        parents: Expr = ir.ONE
        for k, bound in enumerate(self.bounds):
            size = self.counters[k] if k in self.counters else bound.one("size", (parents,), out)
            if isinstance(bound.level, Append):
                bound.call("append_finalize", (parents, size), out)
            elif isinstance(bound.level, Insert):
                bound.call("insert_finalize", (parents, size), out)
            parents = size

    def hand_over(self, out: Writer) -> None:
        """Give the arrays to the caller's tensor."""
        parameter = self.frame.parameters[self.name]
        if not self.fresh or self.is_given:
            return
        lengths: dict[Name, Expr] = {}
        for group in (ROOT, *self.heads):
            for array, (_, length) in self.lengths(group, self.total(group), out).items():
                lengths[array] = length
        format = self.layout.format
        for (k, name), held in self.arrays.items():
            out.add(ir.Assign(Spelled(field_of(parameter, format, k, name)), held))
            length = Spelled(field_of(parameter, format, k, name, length=True))
            out.add(ir.Assign(length, lengths.get(held, ir.ZERO)))
        for k in range(len(self.levels)):
            for n, name in enumerate(parameters(format, k)):
                out.add(ir.Assign(Spelled(f"{parameter}->level[{k}].parameter[{n}]"), self.parameter[k, name]))
        out.add(ir.Assign(Spelled(f"{parameter}->vals"), self.vals))
        out.add(ir.Assign(Spelled(f"{parameter}->size"), lengths[self.vals]))


def clears(s: ir.Stmt, arrays: Collection[Name]) -> bool:
    """Whether a statement only sets elements of some arrays to zero, which they are when allocated."""
    match s:
        case ir.For(body=body):
            return all(clears(each, arrays) for each in body)
        case ir.Assign(target=Element(array=array), value=value, operator="="):
            return array in arrays and value in (ir.ZERO, ir.FALSE, Spelled("0.0"), Spelled("0.0f"))
        case _:
            return False


def has_lengths(level: Level) -> bool:
    """Whether a level has arrays to size."""
    return type(level).lengths is not Level.lengths


def depends(bound: Bound, array: str) -> set[str]:
    """Which of `parents` and `size` the length of an array depends on."""
    probe = bound.named("lengths", (Name("parents", True), Name("size", True)), Writer())
    used = set(ir.names(probe[array])) & {"parents", "size"}
    if len(used) == 2 and is_head(bound.level):
        raise InternalError(f"the length of {array} depends on both the parents and the size of an appended level")
    return used
