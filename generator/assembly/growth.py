"""Growth: arrays of a tensor under construction are allocated, and made longer as positions are appended."""

from __future__ import annotations

from ...reference.errors import InternalError
from ...reference.levels.level import Append, Level, makes_positions
from ..ir import ir, logic, traversal
from ..ir.ir import INT, Element, Expr, Name, Spelled
from ..ir.writer import Writer
from ..scope.frame import Frame
from ..scope.tensors import Store
from ..storage.layout import SHARED, c_type
from ..storage.level_functions import Bound
from .form import ROOT, UNLIMITED
from .initial import arrays_of, begin_values, clears, initialise
from .variables import Variables

Lengths = dict[Name, tuple[str, Expr]]


def lengths(held: Variables, group: int, positions: Expr, out: Writer) -> Lengths:
    """The arrays that grow with a group: their element types and lengths for that many positions of its head.

    Of a structure that is there these are the values.
    """
    found: Lengths = {}
    form = held.form
    for k, bound in enumerate(held.bounds):
        own, above = form.group(k) == group, (k == 0 and group == ROOT) or (k > 0 and form.group(k - 1) == group)
        if not own and not above:
            continue
        parents = held.parents(k, out, positions) if above else ir.ZERO
        size = held.sizes(k, positions, out) if own else ir.ZERO
        if own and form.group(k) == k:
            size = positions
        full = bound.call_by_name("lengths", (parents, size), out) if form.fresh and has_lengths(bound.level) else {}
        for name, length in full.items():
            both = depends(bound, name)
            if own == above or (own and "size" in both) or (above and "size" not in both):
                array = held.arrays[(SHARED if (SHARED, name) in held.arrays else k, name)]
                found[array] = (bound.types[name], length)
        if above and k in held.counts:
            found[held.counts[k]] = (INT, parents)
    if form.group(len(form.levels) - 1) == group:
        count = held.sizes(len(form.levels) - 1, positions, out) if form.levels else ir.ONE
        if not (form.given or form.bare):
            found[held.vals] = (c_type(form.layout.dtype), count)
        if held.present is not None:
            found[held.present] = ("bool", count)
    return found


def allocate(held: Variables, frame: Frame, out: Writer, *, covered: bool = False, parted: bool = False) -> None:
    """Allocate the first group, and what others need while they are empty, and initialise it.

    `covered`: the first visit of every component stores its value. `parted`: threads make parts, and room for the
    whole is made later, so that the allocator gives the pages that an earlier call has touched to the parts.
    """
    form = held.form
    if form.in_place:
        return
    if not form.fresh:
        if not form.heads and not covered:
            begin_values(held, out)
        return
    refuse_far(held, frame, out)
    first = lengths(held, ROOT, ir.ONE, out)
    wanted = first | empty_lengths(held, out)
    start = out.inner()
    if held.begins is None:
        initialise(held, start, covered=covered)
    else:
        begin_levels(held, held.begins, start)
        if not covered:
            begin_values(held, start, structural=not frame.wants(form.name))
    cleared = {array for s in start.code if clears(s, first) for array in arrays_of(s)}
    make(wanted, cleared | counting(held), out)
    reserve(held, None if parted else likely_positions(held, frame), out)
    if wanted:
        frame.routine.check(out)
    out.add(*[s for s in start.code if not clears(s, first)])


def refuse_far(held: Variables, frame: Frame, out: Writer) -> None:
    """Leave the function where a workspace over collapsed variables has more coordinates than its indices count."""
    form = held.form
    if form.parameter is None and form.limit != UNLIMITED and frame.facts.is_over_collapsed(form.target):
        far = [logic.compare(">", bound.fields["N"], Spelled(form.limit)) for bound in held.bounds]
        frame.routine.fail(out, logic.either(*far), "GN_OVERFLOW")


def allocate_part(held: Variables, frame: Frame, out: Writer) -> None:
    """Allocate what the groups that are appended to need while they are empty, and room for what is likely."""
    make(empty_lengths(held, out), counting(held), out)
    likely = likely_positions(held, frame)
    reserve(held, None if likely is None else ir.Call("gn_part", (likely,)), out)


def empty_lengths(held: Variables, out: Writer) -> Lengths:
    """The arrays that are not empty before anything is appended to a group, but for the first."""
    found: Lengths = {}
    for head in held.form.heads:
        found |= {array: each for array, each in lengths(held, head, ir.ZERO, out).items() if each[1] != ir.ZERO}
    return found


def make(wanted: Lengths, zeros: set[Name], out: Writer) -> None:
    """Allocate arrays, some of them with zeros."""
    for array, (kind, length) in wanted.items():
        function = "gn_zeros" if array in zeros else "gn_room"
        out.add(ir.Assign(array, ir.Call(function, (length, Spelled(f"sizeof({kind})"), ir.STATUS_ADDRESS))))


def counting(held: Variables) -> set[Name]:
    """The arrays that have to begin with zeros, though no level function sets them: those of appended levels, and
    counts of children."""
    appended = {k for k, level in enumerate(held.form.levels) if isinstance(level, Append)}
    return {array for (k, _), array in held.arrays.items() if k in appended} | set(held.counts.values())


def begin_levels(held: Variables, begins: Store, out: Writer) -> None:
    """Copy the arrays of levels from the tensor as whose contents a result begins."""
    found = lengths(held, ROOT, ir.ONE, out)
    for (k, name), array in held.arrays.items():
        p = Name(out.inner().fresh("p"), True)
        source = Element(begins.bounds[k].fields[name], p)
        out.add(ir.For(p.name, ir.ZERO, found[array][1], (ir.Assign(Element(array, p), source),)))


def likely_positions(held: Variables, frame: Frame) -> Expr | None:
    """How many positions a result is likely to have: as many as the operands have components together."""
    sizes: list[Expr] = [frame.tensors.size(n) for n in frame.tensors.parameters if frame.is_sparse(n)]
    if not sizes or not held.form.heads:
        return None
    return sizes[0] if len(sizes) == 1 else logic.join("+", sizes)


def reserve(held: Variables, likely: Expr | None, out: Writer) -> None:
    """Start with room for as many positions as are likely, if that is known."""
    if likely is None:
        return
    form = held.form
    head = form.heads[-1]
    block = held.sizes(len(form.levels) - 1, ir.ONE, out)
    out.add(ir.Assign(held.capacities[head], ir.Call("gn_estimate", (likely, Spelled(form.limit), block))))
    resize(held, head, held.capacities[head], out)


def resize(held: Variables, head: int, positions: Expr, out: Writer) -> None:
    """Bring the arrays of a group to the lengths for that many positions of its head."""
    for array, (kind, length) in lengths(held, head, positions, out).items():
        call = ir.Call("gn_resize", (array, length, Spelled(f"sizeof({kind})"), ir.STATUS_ADDRESS))
        out.add(ir.Assign(array, call))


def ensure(held: Variables, frame: Frame, head: int, more: Expr, reached: Expr | None, out: Writer) -> None:
    """Make room for some more positions of a head, where a coordinate of the first level has been `reached`, if that is
    known."""
    if not held.form.grows:
        return
    counter, capacity = held.counters[head], held.capacities[head]
    grow = out.inner()
    room = grow.declare(f"const {INT}", "capacity", request(held, head, more, reached, grow), natural=True)
    resize(held, head, room, grow)
    frame.routine.check(grow)
    grow.add(ir.Assign(capacity, room))
    full = (
        logic.compare("==", counter, capacity)
        if more == ir.ONE
        else logic.compare("<", ir.sub(capacity, counter), more)
    )
    out.add(ir.If(full, grow.code))


def request(held: Variables, head: int, more: Expr, reached: Expr | None, out: Writer) -> Expr:
    """The capacity to ask for, with room for some more positions: for all that are likely to come, where the first
    level's coordinate tells how much is done."""
    now = (held.capacities[head], held.counters[head], more)
    limits = (Spelled(held.form.limit), ir.STATUS_ADDRESS)
    if reached is None:
        return ir.Call("gn_capacity", (*now, *limits))
    block = held.sizes(len(held.form.levels) - 1, ir.ONE, out) if head == held.form.heads[-1] else ir.ONE
    return ir.Call("gn_foresee", (*now, reached, held.bounds[0].fields["N"], block, *limits))


def has_lengths(level: Level) -> bool:
    """Whether a level has arrays to size."""
    return type(level).lengths is not Level.lengths


def depends(bound: Bound, array: str) -> set[str]:
    """Which of `parents` and `size` the length of an array depends on."""
    probe = bound.call_by_name("lengths", (Name("parents", True), Name("size", True)), Writer())
    used = set(traversal.names(probe[array])) & {"parents", "size"}
    if len(used) == 2 and makes_positions(bound.level):
        raise InternalError(f"the length of {array} depends on both the parents and the size of an appended level")
    return used
