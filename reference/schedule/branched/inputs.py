"""Inputs by sizes: fibers that a loop would merge again and again are copied once (COMET, section IV: the second rule
of its workspaces, and the third, by which the copy leaves the loops that it does not need), or an operand is stored in
another order (`orders.py`).

Before, each row of A is merged with all of x, both sparse: `∀i ∀j y(i) += A(i,j) * x(j)`. After:

    ∀i
      ∀j
        y(i) += A(i,j) * x_(j)
    where x_:
      ∀j
        x_(j) = x(j)

A row is walked alone, and x looked up. Sizes decide: a copy pays if the fiber is walked often enough.
"""

from __future__ import annotations

from ...loops.plan import Planner
from ...notation.syntax import Access, accesses
from ...statement.staging import dissolve
from ...statement.statement import Assign, Program
from ..autoschedule.partition import Partition
from ..autoschedule.unasked import take
from ..command import Command
from ..nests import fresh_name
from ..schedule import Schedule
from ..section import peel_loops
from ..settings import Modes
from .choice import Choice, Finalist
from .merging import Again, Sizes, fibers, merged_levels, merges
from .orders import find_orders
from .wide import product_work, ways_of, wide_workspaces
from .work import Work


def choose_inputs(program: Program, modes: Modes | None) -> Choice | None:
    """The choice among a linear nest as written, with an operand converted, and with a merged fiber copied, each with
    workspaces over several modes as is told, or both ways; None if there is nothing to choose."""
    bare = dissolve(program)
    _, leaf = peel_loops(bare.statement)
    is_plain = not bare.workspaces and not bare.provenance.of_formats
    factors = accesses(leaf.value) if isinstance(leaf, Assign) and is_plain else ()
    merged = [again for again in fibers(bare) if again.access in factors]
    copied = [(again, schedule) for again in merged if (schedule := copy(program, again)) is not None]
    sizes = Sizes(bare)
    turned, ways = list(find_orders(program, sizes, modes)), list(ways_of(program, modes))
    if not copied and not turned and len(ways) < 2:
        return None
    copies = [
        Finalist(schedule, f"copy {again.access.tensor}", in_place(program, program, sizes, sizes.with_copy(again)))
        for again, schedule in copied
    ]
    structure = "merge" if any(merged_levels(sizes.program)) else "as it is"
    unchanged = (
        way.finalist((), structure, in_place(program, way.program, sizes, sizes.as_written())) for way in reversed(ways)
    )
    return Choice((*turned, *copies, *unchanged), sizes.places)


def in_place(program: Program, settled: Program, sizes: Sizes, steps: Work) -> Work:
    """The work of a statement without conversions, given the steps of merges: the steps, and the multiplications where
    nothing is merged or a workspace has several modes, as it is `settled` how these are stored."""
    multiplied = tuple(product_work(settled, sizes)) if not steps.terms or wide_workspaces(program) else ()
    return Work((*steps.terms, *multiplied))


def copy(program: Program, again: Again) -> Schedule | None:
    """The schedule that copies a fiber before the loops that would merge it again; None if it would be merged all the
    same, or that is not legal."""
    access, variable = again.access, (again.loop.index,)
    name = fresh_name(program, f"{access.tensor}_")
    part = Access(access.tensor, access.indices)
    made = take(Partition((), program, ()), (Command("precompute", (part, variable, variable, name)),))
    made = take(made, (Command("hoist", (name,)),))
    if not made.commands or merges(Planner(dissolve(made.program)).root(), name):
        return None
    return Schedule(made.commands)
