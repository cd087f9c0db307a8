"""Direct assembly: a program without any workspace that no command has made.

Before, with a mask that pushes into a result that is inserted into:

    ∀i
      ∀k
        ∀j
          C(i,j)<w(j)> += A(i,k) * B(k,j)
      where w:
        ∀j
          w(j) = M(i,j)

After: `∀i ∀k ∀j C(i,j)<M(i,j)> += A(i,k) * B(k,j)`, where the loop over j walks the row of M again for every k.
Sums inside an expression, and copies between storage orders, are part of the statement, and stay.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import ScheduleError
from ..statement.staging import dissolve, stage_result
from ..statement.statement import Assign, Program, leaves
from .command import Command
from .commands import run
from .legality import check
from .section import peel_loops


def direct_order(program: Program) -> tuple[Command, ...]:
    """The command that puts the loops of a result outside, as it is stored, if then it needs no workspace; none where
    it needs none anyway, or that is not legal."""
    for command in outward_orders(program):
        try:
            check(made := run(command, program))
        except ScheduleError:
            return ()
        return (command,) if made.staging is None else ()
    return ()


def outward_orders(program: Program) -> Iterator[Command]:
    """The commands that put loops of a result outside, in the order in which it is stored, all of them or as many as
    come first; none for a result without a workspace, or that several assignments have a part in."""
    loops, leaf = peel_loops(dissolve(program).statement)
    order = [loop.index for loop in loops]
    if program.staging is None or not isinstance(leaf, Assign):
        return
    own = [v for v in leaf.target.levels if v in order]
    for count in range(len(own), 0, -1):
        yield Command("reorder", (*own[:count], *(v for v in order if v not in own[:count])))


def without_workspaces(program: Program) -> Program:
    """The program without the workspace through which its result is assembled, and without copies for its masks.

    Raises ScheduleError if the result cannot be assembled so.
    """
    bare = stage_result(dissolve(program))
    if bare.staging is not None:
        result = bare.result
        around = next(around for leaf, around in leaves(dissolve(bare).statement, ()) if leaf.target.tensor == result)
        raise ScheduleError(
            f"{result} needs a workspace, and workspaces=none allows none: loops over {', '.join(around)} do not "
            "assemble it in its storage order, each component at once",
            hint="write workspaces=output, reorder the loops so that those of the result stand outside, or store it in "
            "levels that are inserted into, such as hashed ones",
            rule="schedule.workspaces",
        )
    check(bare)
    return bare
