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
from typing import NamedTuple

from ...errors import GnomonError, ScheduleError
from ...notation.syntax import Access, Mask, accesses, mask_reads
from ...statement.staging import dissolve
from ...statement.statement import Assign, Program, leaves
from ..command import Command
from ..commands import run
from ..flags import fillings
from ..legality import check
from ..nests import fresh_name
from ..section import Section, section_at, sections
from ..settings import Direction, Setting, Workspaces

Loops = tuple[str, ...]
Steps = tuple[Command, ...]


def turn(program: Program, direction: Direction, workspaces: Setting | None = None) -> Steps:
    """The commands by which the masks of a program push or pull; none where they do.

    Raises ScheduleError where there is no mask, or loops cannot stand so, or not without copies of inputs, if a setting
    allows none.
    """
    refuse_unmasked(program, direction)
    made = Turned((), program)
    for _ in list(sections_to_turn(program, direction)):
        section = next(sections_to_turn(made.program, direction), None)
        made = made if section is None else turn_section(made, section, direction, workspaces)
    if not goes(made.program, direction):
        raise ScheduleError(
            f"mask={direction} turns nests of loops over whole modes, and this is none",
            hint="say the order of the loops by reorder, or convert operands in blocks",
            rule="schedule.mask",
        )
    return made.commands


def goes(program: Program, direction: Direction) -> bool:
    """Whether every mask under which something is reduced goes one way."""
    return not any(sections_to_turn(program, direction))


def directions(program: Program) -> dict[Mask, Direction]:
    """Which way the masks of a program meet what is reduced under them; none of those under which nothing is."""
    bare = dissolve(program)
    found = dict[Mask, Direction]()
    for leaf, around in leaves(bare.statement, ()):
        mask = leaf.mask if asks_result(bare, leaf, around) else None
        if mask is not None and mask not in found and reductions(bare, leaf, around):
            found[mask] = Direction.PUSH if pushes(bare, leaf, around) else Direction.PULL
    return found


class Turned(NamedTuple):
    """Commands, and the program after them."""

    commands: Steps
    program: Program

    def follow(self, command: Command, direction: Direction) -> Turned:
        """The program after one more command. Raises ScheduleError, which says what it was for, if it is not legal."""
        try:
            program = run(command, self.program)
            check(program)
        except GnomonError as error:
            raise ScheduleError(
                f"mask={direction} needs {command}, which is refused: {error.message}",
                hint=f"leave mask={direction} out, or store operands in other formats",
                rule="schedule.mask",
            ) from None
        return Turned((*self.commands, command), program)


def refuse_unmasked(program: Program, direction: Direction) -> None:
    """Refuse to turn masks where there are none, or nothing is reduced under any, unless nothing is reduced at all and
    they are to pull."""
    bare = dissolve(program)
    every = list(leaves(bare.statement, ()))
    masked = [(leaf, around) for leaf, around in every if asks_result(bare, leaf, around)]
    if not masked:
        raise ScheduleError(
            f"mask={direction} asks for a mask, and there is none",
            hint=f"write one, C(i,j)<M(i,j)> = ..., or leave mask={direction} out",
            rule="schedule.mask",
        )
    is_needed = direction is Direction.PUSH or any(reductions(bare, leaf, around) for leaf, around in every)
    if is_needed and not any(reductions(bare, leaf, around) for leaf, around in masked):
        raise ScheduleError(
            f"nothing is reduced under the mask, so that mask={direction} has nothing to turn",
            hint=f"leave mask={direction} out; what is added to a product is added in an assignment of its own",
            rule="schedule.mask",
        )


def reductions(program: Program, leaf: Assign, around: Loops) -> tuple[str, ...]:
    """The loops around an assignment that reduce: neither those over variables of the target, nor those outside the
    workspace that the assignment fills."""
    outside = (loops for where, loops in fillings(program.statement) if where.workspace == leaf.target.tensor)
    own = {*leaf.target.indices, *next(outside, ())}
    return tuple(v for v in around if v not in own and own.isdisjoint(program.provenance.originals(v)))


def asks_result(program: Program, leaf: Assign, around: Loops) -> bool:
    """Whether a mask is asked for components of the result, rather than for what is contributed to them: no loop that
    reduces is over what it reads."""
    read = {v for access in mask_reads(leaf.mask) for v in access.indices}
    reducing = reductions(program, leaf, around)
    return leaf.mask is not None and all(read.isdisjoint(program.provenance.originals(v)) for v in reducing)


def pushes(program: Program, leaf: Assign, around: Loops) -> bool:
    """Whether a loop that reduces stands outside one over what a mask reads."""
    reducing = reductions(program, leaf, around)
    inside = around[around.index(reducing[0]) :] if reducing else ()
    read = {v for access in mask_reads(leaf.mask) for v in access.indices}
    return any(not read.isdisjoint(program.provenance.originals(v)) for v in inside)


def sections_to_turn(program: Program, direction: Direction) -> Iterator[Section]:
    """The sections whose masks go another way."""
    bare = dissolve(program)
    for section in sections(bare.statement):
        around = tuple(loop.index for loop in (*section.around, *section.loops))
        if isinstance(leaf := section.end, Assign) and asks_result(bare, leaf, around):
            turned = pushes(bare, leaf, around) is (direction is Direction.PULL)
            if turned and reductions(bare, leaf, around):
                yield section


def turn_section(made: Turned, section: Section, direction: Direction, workspaces: Setting | None) -> Turned:
    """A section whose mask goes the other way, behind copies of operands whose storage contradicts the order of its
    loops. Raises ScheduleError if that cannot be had."""
    assert isinstance(section.end, Assign)
    order = order_of(made.program, section.variables, section.end, direction)
    copied = tuple(contradicting(made.program, section.end, order))
    if copied and workspaces is not None and workspaces.value != Workspaces.BOTH:
        raise ScheduleError(
            f"mask={direction} needs a copy of {copied[0].tensor}, which is stored in another order than loops over "
            f"{', '.join(order)}, and {workspaces} allows none",
            hint=f"write workspaces=both, or convert {copied[0].tensor}",
            rule="schedule.mask",
        )
    path = section.path
    for access in copied:
        name = fresh_name(made.program, f"{access.tensor}_")
        part = Command("precompute", (access, access.levels, access.levels, name), path=path or None)
        made = made.follow(part, direction)
        if section_at(dissolve(made.program).statement, path).loops:
            made = made.follow(Command("hoist", (name,), path=path or None), direction)
        path = (*path, 1)
    return made.follow(Command("reorder", order, path=path or None), direction)


def order_of(program: Program, loops: Loops, leaf: Assign, direction: Direction) -> Loops:
    """The order of loops in which a mask pushes, the last of the result's loops that it reads inside those that
    reduce, or pulls."""
    reducing = reductions(program, leaf, loops)
    stored = [v for v in leaf.target.levels if v in loops]
    own = (*stored, *(v for v in loops if v not in (*stored, *reducing)))
    read = {v for access in mask_reads(leaf.mask) for v in access.indices}
    last = max((n for n, v in enumerate(own) if not read.isdisjoint(program.provenance.originals(v))), default=0)
    return (*own, *reducing) if direction is Direction.PULL else (*own[:last], *reducing, *own[last:])


def contradicting(program: Program, leaf: Assign, order: Loops) -> Iterator[Access]:
    """The operands whose levels, which are their modes, cannot be walked in an order of loops, each once: some level
    stands inside one that is walked later, and is not found otherwise."""
    for access in dict.fromkeys(Access(a.tensor, a.indices, a.levels) for a in accesses(leaf.value)):
        places = [order.index(v) for v in access.levels if v in order]
        is_plain = set(access.levels) == set(access.indices) and access.tensor not in program.workspace
        if is_plain and places != sorted(places) and not program.formats[access.tensor].is_whole:
            yield access
