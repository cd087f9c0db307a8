"""Orders of inputs by sizes: an operand is stored otherwise that is merged again and again, or because of which all of
the result goes through a workspace.

Before, each row of A is merged with each column of B: `∀i ∀j ∀k C(i,j) += A(i,k) * B(k,j)`. After
`convert(B(k,j),{k,j})` each component of A finds its row of B: `∀i ∀k ∀j`. Merges take rows times columns, products
only as many steps as there are components that meet. Likewise, with A by columns, `∀k ∀i ∀j` comes to the rows of a
result in no order; after `convert(A(i,k),{i,k})` one row of it is in a workspace at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from msgspec.structs import replace

from ...errors import ScheduleError
from ...loops.plan import LoopPlan
from ...loops.strategy import Active
from ...notation.syntax import Access, accesses
from ...statement.staging import dissolve
from ...statement.statement import Program, assignments, indices, reads
from ..application import legal
from ..command import Command
from ..direct import outward_orders
from ..settings import Modes
from .choice import Finalist
from .expectation import Term, product
from .merging import Sizes, meeting, met_levels, walked_levels
from .wide import Way, product_work, result_modes, ways_of, wide_workspaces
from .work import Counted, Work

BEGUN, CONVERTED = 100_000, 20
"""The work of beginning a conversion, and of storing a component in another order, where a step of a merge is 1."""
Order = tuple[str, ...]
Orders = tuple[tuple[Access, Order], ...]


def find_orders(program: Program, sizes: Sizes, modes: Modes | None) -> Iterator[Finalist]:
    """Schedules that store one operand in another order, or some that are merged together, and one schedule that stores
    those of several commands, with their work; workspaces over several modes are as is told, or both ways."""
    several = Converted((), (), program)
    single, most = list(next_orders(several)), times_read(program)
    while (found := next((each for each in next_orders(several) if each.times <= most), None)) is not None:
        several = found
    every = (*single, several) if len(several.commands) > 1 else single
    finalists = [finalist_of(each, way, sizes) for each in every for way in ways_of(each.program, modes)]
    yield from (each for each in finalists if not any(each.work.exceeds(other.work) for other in finalists))
    yield from outward_loops(program, sizes, modes)


def finalist_of(made: Converted, way: Way, sizes: Sizes) -> Finalist:
    """The schedule of some commands that store operands in other orders, with its work."""
    stored = [product([sizes.positions(access, len(access.levels))]) for access in dict.fromkeys(made.accesses)]
    moved = ((BEGUN, Term()), *((CONVERTED, count) for count in stored))
    work = Work((*moved, *merges_left(made.program, sizes), *product_work(way.program, sizes)))
    names = ", ".join(dict.fromkeys(access.tensor for access in made.accesses))
    return way.finalist(made.commands, f"convert {names}", work)


def outward_loops(program: Program, sizes: Sizes, modes: Modes | None) -> Iterator[Finalist]:
    """The schedule that puts most loops of the result outside, after which workspaces have fewer modes."""
    for command in outward_orders(program):
        try:
            after = legal(command, program)
        except ScheduleError:
            continue
        if wide_workspaces(after) < wide_workspaces(program):
            for way in ways_of(after, modes):
                work = Work((*merges_left(after, sizes), *product_work(way.program, sizes)))
                yield way.finalist((command,), "reorder", work)
            return


class Converted(NamedTuple):
    """Commands that store operands in other orders, these operands, and the program after the commands."""

    commands: tuple[Command, ...]
    accesses: tuple[Access, ...]
    program: Program

    @property
    def times(self) -> Counter[Access]:
        """How often each operand has been converted."""
        return Counter(Access(a.tensor, a.indices) for a in self.accesses)


def next_orders(made: Converted) -> Iterator[Converted]:
    """The conversions of one more operand, or of some together, after which these are looked up instead of being
    merged, or workspaces have fewer modes."""
    program = made.program
    merged = list(merged_orders(dissolve(program)))
    for orders in dict.fromkeys((*merged, *other_orders(program))):
        for commands, after in applications(program, orders):
            looked_up = orders in merged and are_looked_up(dissolve(after), orders)
            is_narrower = wide_workspaces(after) < wide_workspaces(program)
            if is_narrower or (looked_up and fills_alike(program, after)):
                yield Converted((*made.commands, *commands), (*made.accesses, *dict(orders)), after)
                break


def applications(program: Program, orders: Orders) -> Iterator[tuple[tuple[Command, ...], Program]]:
    """The commands that convert operands for the first assignment that reads these operands, for the first two, and so
    on, each time with the program after the commands."""
    command = Command("convert", tuple(chain(*((Access(a.tensor, a.indices), order) for a, order in orders))))
    commands: tuple[Command, ...] = ()
    for _ in range(max(times_read(program)[Access(a.tensor, a.indices)] for a, _ in orders)):
        try:
            program = legal(command, program)
        except ScheduleError:
            return
        commands = (*commands, command)
        yield commands, program


def merges_left(program: Program, sizes: Sizes) -> Iterator[Counted]:
    """The steps of the loops in which levels of operands meet. Of those through an operand in another order, if it
    meets other factors: what a mask holds is copied there, and looked up."""
    bare = dissolve(program)
    converted, factors = {each.name for each in program.converted}, set(factors_of(bare))

    def is_counted(loop: LoopPlan, active: Active) -> bool:
        if converted.isdisjoint(a.access.tensor for a in loop.strategy.coiterated):
            return True
        met = factors.intersection(a.access for a in meeting(loop))
        return active.access in met and len(met) > 1

    left = ((nest, active) for nest, active in walked_levels(bare) if is_counted(nest[-1], active))
    return Sizes(bare, sizes.places, sizes.program).steps(left)


def merged_orders(program: Program) -> Iterator[Orders]:
    """The operands that meet others in loops for each value of a loop around that has nothing to do with them, each
    with the order that begins with the variables of these loops: one alone, then those together that meet in one loop
    for each value of the same loops, also with the order that begins with the variable of this loop."""
    merged, together = dict[Access, Order](), dict[tuple[str, frozenset[str]], dict[Access, None]]()
    for (*_, loop), active in met_levels(program):
        again = frozenset(loop.space.around) - {*active.access.levels}
        if again:
            merged[active.access] = tuple(dict.fromkeys((*merged.get(active.access, ()), loop.index)))
            together.setdefault((loop.index, again), {})[active.access] = None
    yield from ((each,) for each in turned_orders(merged))
    for (v, _), those in together.items():
        for first in ({a: merged[a] for a in those}, dict.fromkeys(those, (v,))):
            several = tuple(turned_orders(first))
            if len(several) > 1:
                yield several


def turned_orders(first: Mapping[Access, Order]) -> Iterator[tuple[Access, Order]]:
    """The orders of operands that begin with some variables each, if these are not the orders in which they are stored:
    of those alone whose levels are their modes."""
    for access, variables in first.items():
        order = (*variables, *(v for v in access.levels if v not in variables))
        if order != access.levels and sorted(access.levels) == sorted(access.indices):
            yield access, order


def are_looked_up(after: Program, orders: Orders) -> bool:
    """Whether no loop merges the fibers at the end of operands that are stored in other orders with other factors. What
    masks hold is copied where loops would walk it again."""
    turned, factors = {replace(a, tensor="", levels=order) for a, order in orders}, set(factors_of(after))

    def merges_others(loop: LoopPlan, active: Active) -> bool:
        others = (each.access for each in meeting(loop) if each != active)
        return any(a in factors and replace(a, tensor="") not in turned for a in others)

    return not any(
        active.last == len(active.access.levels)
        and replace(active.access, tensor="") in turned
        and merges_others(loop, active)
        for (*_, loop), active in met_levels(after)
    )


def factors_of(program: Program) -> Iterator[Access]:
    """The operands of the value that a nest assigns, without those of its mask."""
    for leaf in assignments(program.statement):
        yield from accesses(leaf.value)


def times_read(program: Program) -> Counter[Access]:
    """In how many assignments each operand is read."""
    leaves = assignments(dissolve(program).statement)
    return Counter(Access(a.tensor, a.indices) for leaf in leaves for a in dict.fromkeys(reads(leaf)))


def other_orders(program: Program) -> Iterator[Orders]:
    """The operands of what goes to a workspace of several modes that leave coordinates out, each with orders in which
    it is not stored: one alone, then those together that an assignment reads by the same variables."""
    wide = wide_workspaces(program)
    filled = {*wide, *([program.result] if program.staging is not None and program.staging.name in wide else [])}
    for leaf in assignments(dissolve(program).statement):
        together = dict[Order, dict[Access, None]]()
        for access in reads(leaf) if leaf.target.tensor in filled else ():
            if access.tensor not in program.workspace and not program.formats[access.tensor].is_whole:
                for order in orders_of(access, leaf.target):
                    together.setdefault(order, {})[access] = None
                    yield ((access, order),)
        yield from (tuple((a, order) for a in each) for order, each in together.items() if len(each) > 1)


def orders_of(access: Access, target: Access) -> Iterator[Order]:
    """The orders of the levels of an operand, which are its modes, in which another one than now comes first, or those
    of what is assigned do, in its order."""
    if sorted(access.levels) == sorted(access.indices):
        alone = [(v, *(u for u in access.levels if u != v)) for v in access.levels[1:]]
        own = [v for v in target.levels if v in access.levels]
        whole = (*own, *(v for v in access.levels if v not in own))
        yield from dict.fromkeys((*alone, *([whole] if whole != access.levels else [])))


def fills_alike(before: Program, after: Program) -> bool:
    """Whether loops come to the parts of a result as before, or fill workspaces for parts of it now, not for all of
    it."""
    if wide_workspaces(after) <= wide_workspaces(before):
        return result_loops(dissolve(before)) == result_loops(dissolve(after))
    return max(wide_workspaces(after).values()) + 1 < result_modes(after)


def result_loops(program: Program) -> Order:
    """The loops over variables of the result, outermost first."""
    own = {v for s in assignments(program.statement) if s.target.tensor == program.result for v in s.target.indices}
    return tuple(dict.fromkeys(v for v in indices(program.statement) if v in own))
