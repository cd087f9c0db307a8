"""Turning: loops in the order in which masks push, or pull, as a schedule asks for it (COMET, section III).

A mask *pushes* where a loop that reduces stands outside one over the mask: the mask is asked what of a row is wanted,
`∀i ∀k ∀j C(i,j)<M(i,j)> += A(i,k) * B(k,j)`. It *pulls* where none does: `∀i ∀j ∀k`. Where an operand is stored so that
loops cannot stand in that order, it is copied once, and the copy is read in any order. To pull with B by rows:

    ∀i
      ∀j
        ∀k
          C(i,j)<M(i,j)> += A(i,k) * B_(k,j)
    where B_:
      ∀k
        ∀j
          B_(k,j) = B(k,j)

What a complement admits cannot be visited: where one pulls, every coordinate of the result asks it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import GnomonError, ScheduleError
from ...notation.syntax import Access, Mask, accesses, mask_reads
from ...statement.staging import dissolve
from ...statement.statement import Assign, Program, Where, assignments, leaves
from ..commands import Command, run
from ..legality import check
from ..nests import fresh_name
from ..section import Path, peel_loops
from ..settings import Direction, Setting, Workspaces

Loops = tuple[str, ...]
Steps = tuple[Command, ...]


def turn(program: Program, direction: Direction, workspaces: Setting | None = None) -> Steps:
    """The commands by which the masks of a program push or pull; none where they do.

    Raises ScheduleError where there is no mask, or loops cannot stand so, or not without copies of inputs, if a setting
    allows none.
    """
    bare = dissolve(program)
    if all(leaf.mask is None for leaf in assignments(bare.statement)):
        raise ScheduleError(
            f"mask={direction} asks for a mask, and there is none",
            hint=f"write one, C(i,j)<M(i,j)> = ..., or leave mask={direction} out",
        )
    if is_turned(bare, direction):
        return ()
    loops, leaf = peel_loops(bare.statement)
    if not isinstance(leaf, Assign) or bare.provenance.of_formats:
        raise ScheduleError(
            f"mask={direction} turns one nest of loops over whole modes, and this is none",
            hint="say the order of the loops by reorder, or convert operands in blocks",
        )
    order = order_of(tuple(loop.index for loop in loops), leaf, direction)
    if order is None:
        raise ScheduleError(
            "nothing is reduced under the mask, so that it neither pushes nor pulls", hint="leave mask=push out"
        )
    copied = tuple(contradicting(program, leaf, order))
    if copied and workspaces is not None and workspaces.value != Workspaces.BOTH:
        raise ScheduleError(
            f"mask={direction} needs a copy of {copied[0].tensor}, which is stored in another order than loops over "
            f"{', '.join(order)}, and {workspaces} allows none",
            hint=f"write workspaces=both, or convert {copied[0].tensor}",
        )
    return turned_nest(program, copied, order, direction)


def is_turned(program: Program, direction: Direction) -> bool:
    """Whether all masks push, or all pull, as the loops are."""
    masked = [(leaf, around) for leaf, around in leaves(program.statement, ()) if leaf.mask is not None]
    return all(pushes(program, leaf, around) is (direction is Direction.PUSH) for leaf, around in masked)


def pushes(program: Program, leaf: Assign, around: Loops) -> bool:
    """Whether a loop that reduces stands outside one over what a mask reads."""
    graph = program.provenance
    originals = [set(graph.originals(v)) for v in around]
    own = set(leaf.target.indices)
    first = next((n for n, each in enumerate(originals) if not each & own), len(around))
    read = {v for access in mask_reads(leaf.mask) for v in access.indices}
    return any(each & read for each in originals[first:])


def directions(program: Program) -> dict[Mask, Direction]:
    """Which way the masks of a program meet what is reduced under them; none of those under which nothing is."""
    bare = dissolve(program)
    found = dict[Mask, Direction]()
    for leaf, around in leaves(bare.statement, ()):
        if leaf.mask is not None and leaf.operator is not None and leaf.mask not in found:
            found[leaf.mask] = Direction.PUSH if pushes(bare, leaf, around) else Direction.PULL
    return found


def order_of(loops: Loops, leaf: Assign, direction: Direction) -> Loops | None:
    """The order of loops in which a mask pushes or pulls; None if nothing is reduced, so that it cannot push."""
    own = tuple(v for v in leaf.target.levels or leaf.target.indices if v in loops)
    reductions = tuple(v for v in loops if v not in own)
    if direction is Direction.PULL:
        return (*own, *reductions)
    return (*own[:-1], *reductions, own[-1]) if own and reductions else None


def turned_nest(program: Program, operands: tuple[Access, ...], order: Loops, direction: Direction) -> Steps:
    """The commands that put a nest into an order, with copies of some operands made first. Raises ScheduleError if it
    cannot be had."""
    copied, path = list[Command](), Path()
    for access in operands:
        name = fresh_name(program, f"{access.tensor}_")
        made = Command("precompute", (access, access.levels, access.levels, name))
        program, path = apply(made, program, direction), (*path, 1)
        copied.append(made)
        if is_inside(program, name):
            hoisted = Command("hoist", (name,))
            program = apply(hoisted, program, direction)
            copied.append(hoisted)
    reorder = Command("reorder", order, path=path if copied else None)
    apply(reorder, program, direction)
    return (*copied, reorder)


def contradicting(program: Program, leaf: Assign, order: Loops) -> Iterator[Access]:
    """The operands whose levels cannot be walked in an order of loops, each once: some level stands inside one that is
    walked later, and is not found otherwise."""
    for access in dict.fromkeys(Access(a.tensor, a.indices, a.levels) for a in accesses(leaf.value)):
        places = [order.index(v) for v in access.levels if v in order]
        levels = program.formats[access.tensor].levels
        if places != sorted(places) and not all(level.full for level in levels):
            yield access


def is_inside(program: Program, name: str) -> bool:
    """Whether a workspace is filled inside some loop."""
    s = dissolve(program).statement
    while isinstance(s, Where) and s.workspace != name:
        s = s.consumer
    return not isinstance(s, Where)


def apply(command: Command, program: Program, direction: Direction) -> Program:
    """The program after a command. Raises ScheduleError, which says what it was for, if it is not legal."""
    try:
        program = run(command, program)
        check(program)
    except GnomonError as error:
        raise ScheduleError(
            f"mask={direction} needs {command}, which is refused: {error.message}",
            hint=f"leave mask={direction} out, or store operands in other formats",
        ) from None
    return program
