"""Hoist: a workspace is filled outside the loops that what fills it does not need (COMET, section IV: its third rule of
workspaces)."""

from __future__ import annotations

from msgspec.structs import replace

from ..errors import ScheduleError
from ..notation.syntax import Expr, mask_reads
from ..statement.statement import Forall, Program, Where, assignments, indices
from .branching import is_among, mixed_loops, shares, used_variables
from .nests import refuse_tagged
from .path import Path
from .section import Section, in_loops, sections, with_section


def hoist(program: Program, path: Path, name: str) -> Program:
    """Fill a workspace once for all iterations of the loops directly around it that its producer does not need.

    Before, `w` is filled again for every row:

        ∀i
          ∀j
            y(i) += A(i,j) * w(j)
          where w:
            ∀j
              w(j) = x(j)

    After `hoist(w)`:

        ∀i
          ∀j
            y(i) += A(i,j) * w(j)
        where w:
          ∀j
            w(j) = x(j)

    Loops are left from the inside out, as many as there are. Precondition: the loop directly around the workspace is
    over no variable that the producer reads or writes by, nor over a part of one, and no command has tagged it.
    """
    section = section_of(program, path, name)
    where = section.end
    assert isinstance(where, Where)
    kept = needed_loops(program, section, where)
    left = section.loops[len(kept) :]
    if not left:
        around = f"the loop over {kept[-1].index} around it is needed there" if kept else "no loop is around it"
        raise ScheduleError(f"{name} cannot be filled further out: {around}", hint="leave hoist out")
    for loop in left:
        refuse_tagged(loop)
    outside = replace(where, consumer=in_loops(left, where.consumer))
    return replace(program, statement=with_section(program.statement, section.path, in_loops(kept, outside)))


def section_of(program: Program, path: Path, name: str) -> Section:
    """The section from a path on that ends where a workspace is filled and read. Raises ScheduleError if there is
    none."""
    branching = [s for s in sections(program.statement) if s.path[: len(path)] == path and isinstance(s.end, Where)]
    for section in branching:
        if isinstance(section.end, Where) and section.end.workspace == name:
            return section
    known = ", ".join(s.end.workspace for s in branching if isinstance(s.end, Where))
    raise ScheduleError(
        f"there is no workspace {name}", hint=f"name one of {known}" if known else "make one first: precompute"
    )


def needed_loops(program: Program, section: Section, where: Where) -> tuple[Forall, ...]:
    """The loops of a section up to the last one that what fills its workspace needs."""
    used = {*used_variables(program, producer_accesses(where)), *indices(where.producer)}
    inside = [Forall(v, where.producer) for v in indices(where.producer)]
    torn = mixed_loops(program, (*section.around, *section.loops), used)
    count = 0
    for n, loop in enumerate(section.loops, 1):
        if is_among(program, loop, used) or shares(program, loop, [*inside, *torn]):
            count = n
    return section.loops[:count]


def producer_accesses(where: Where) -> list[Expr]:
    """What fills a workspace: its targets, values and masks."""
    leaves = list(assignments(where.producer))
    return [e for leaf in leaves for e in (leaf.target, leaf.value, *mask_reads(leaf.mask))]
