"""Orders of inputs by sizes: an operand is stored otherwise that is merged again and again, or because of which all of
the result goes through a workspace.

Before, each row of A is merged with each column of B: `∀i ∀j ∀k C(i,j) += A(i,k) * B(k,j)`. After
`convert(B(k,j),{k,j})` each component of A finds its row of B: `∀i ∀k ∀j`. Merges take rows times columns, products
only as many steps as there are components that meet. Likewise, with A by columns, `∀k ∀i ∀j` comes to the rows of a
result in no order; after `convert(A(i,k),{i,k})` one row of it is in a workspace at a time.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ...errors import ScheduleError
from ...notation.syntax import Access, accesses
from ...statement.staging import dissolve
from ...statement.statement import Program, assignments, indices, reads
from ..application import legal
from ..command import Command
from ..schedule import Schedule
from .choice import Finalist
from .expectation import Term, product
from .merging import Sizes, merged_levels
from .work import Counted, Work

BEGUN, CONVERTED, MULTIPLIED, STAGED = 100_000, 20, 1, 100
"""The work of beginning a conversion, of storing a component in another order, of a multiplication into a row of the
result, and of one into a workspace for all of it, where a step of a merge is 1."""
Order = tuple[str, ...]


def find_orders(program: Program, sizes: Sizes) -> Iterator[Finalist]:
    """Schedules of a linear nest of which each stores an operand in another order, with their work."""
    bare, is_staged = dissolve(program), is_staged_whole(program)
    merged = list(merged_orders(bare))
    for access, order in dict.fromkeys((*merged, *(other_orders(bare) if is_staged else ()))):
        command = Command("convert", (Access(access.tensor, access.indices), order))
        try:
            after = legal(command, program)
        except ScheduleError:
            continue
        looked_up = (access, order) in merged and is_looked_up(bare, dissolve(after), access, order)
        if looked_up or (is_staged and not is_staged_whole(after)):
            stored = product([sizes.positions(access, len(access.levels))])
            work = Work(((BEGUN, Term()), (CONVERTED, stored), product_work(after, sizes)))
            yield Finalist(Schedule((command,)), f"convert {access.tensor}", work)


def merged_orders(program: Program) -> Iterator[tuple[Access, Order]]:
    """The operands that loops merge with others for each value of a loop around that has nothing to do with them, each
    with the order that begins with the variables of these loops."""
    merged = dict[Access, Order]()
    for loop, active in merged_levels(program):
        if not set(loop.space.around) <= {*active.access.levels}:
            merged[active.access] = (*merged.get(active.access, ()), loop.index)
    for access, first in merged.items():
        order = (*first, *(v for v in access.levels if v not in first))
        if order != access.levels and sorted(access.levels) == sorted(access.indices):
            yield access, order


def is_looked_up(before: Program, after: Program, access: Access, order: Order) -> bool:
    """Whether no loop merges the fibers at the end of an operand that is stored in another order with other factors,
    and the loops of the result stay as they were. What masks hold is copied where loops would walk it again."""
    stored, factors = replace(access, levels=order), set(factors_of(after))
    is_merged = any(
        active.last == len(order) and replace(active.access, tensor=access.tensor) == stored
        for loop, active in merged_levels(after)
        if sum(each.access in factors for each in loop.strategy.coiterated) > 1
    )
    return not is_merged and result_loops(before) == result_loops(after)


def factors_of(program: Program) -> Iterator[Access]:
    """The operands of the value that a nest assigns, without those of its mask."""
    for leaf in assignments(program.statement):
        yield from accesses(leaf.value)


def other_orders(program: Program) -> Iterator[tuple[Access, Order]]:
    """The operands that leave coordinates out, each with orders in which it is not stored."""
    for access in reads(program.statement):
        if not program.formats[access.tensor].is_whole:
            yield from ((access, order) for order in orders_of(access))


def orders_of(access: Access) -> Iterator[Order]:
    """The orders of the levels of an operand, which are its modes, in which another one than now comes first."""
    if sorted(access.levels) == sorted(access.indices):
        yield from ((v, *(u for u in access.levels if u != v)) for v in access.levels[1:])


def is_staged_whole(program: Program) -> bool:
    """Whether a result goes through a workspace that has more than one of its modes."""
    return program.staging is not None and len(program.staging.shape) > 1


def result_loops(program: Program) -> Order:
    """The loops over variables of the result, outermost first."""
    own = {v for s in assignments(program.statement) if s.target.tensor == program.result for v in s.target.indices}
    return tuple(v for v in indices(program.statement) if v in own)


def product_work(program: Program, sizes: Sizes) -> Counted:
    """The work of the multiplications of a nest: as many as there are components that meet if they lie anywhere."""
    met, factors = Term(), [each for each in factors_of(sizes.program) if each.levels]
    for v in dict.fromkeys(v for read in factors for v in read.indices):
        met *= sizes.extent(v)
    for read in factors:
        met *= product([sizes.positions(read, len(read.levels))])
        for v in read.indices:
            met /= sizes.extent(v)
    return STAGED if is_staged_whole(program) else MULTIPLIED, met
