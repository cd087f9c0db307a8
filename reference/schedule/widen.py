"""Widen and narrow: a workspace is filled outside of loops around it, whose variables become its modes, or inside.

Before, each component of w is filled by a loop of its own:

    ∀i
      ∀j
        C(i,j) = w + D(i,j)
        where w:
          ∀k
            w += A(i,k) * B(j,k)

After, with the loop over j:

    ∀i
      ∀j
        C(i,j) = w(j) + D(i,j)
      where w:
        ∀j
          ∀k
            w(j) += A(i,k) * B(j,k)

What fills w may go by its own order then. To narrow is the reverse: loops that what fills a workspace and what reads it
have in common are shared (`statement/sharing.py`).
"""

from __future__ import annotations

from msgspec.structs import replace

from ..errors import ScheduleError
from ..notation.syntax import Access
from ..statement.sharing import retarget
from ..statement.statement import (
    Flags,
    Forall,
    Program,
    Where,
    Workspace,
    assignments,
    change_leaves,
    reads,
    rename_reads,
)
from ..storage.coordinate_map import CoordinateMap, Mode, Quotient, Rank, Remainder, Term
from ..storage.format import Format
from ..storage.room import workspace_levels
from .branching import used_variables
from .flags import replace_workspace
from .hoist import producer_accesses
from .nests import extent, refuse_tagged
from .section import Section, in_loops, section_at, with_section

Variables = tuple[str, ...]


def widen(program: Program, around: Section, variables: Variables) -> Program:
    """The program whose workspace, which is filled and read at the end of a section, is filled outside the loops of
    this section from the outermost over one of some variables on.

    Preconditions: what fills the workspace needs each of these loops, none of which a command has tagged or made; and
    the workspace was brought in by the lowering of a reduction, with a flag for each component.
    """
    where = around.end
    assert isinstance(where, Where)
    first = min(n for n, v in enumerate(around.variables) if v in variables)
    kept, moved = around.loops[:first], around.loops[first:]
    refuse_narrow(program, where, moved)
    added = tuple(loop.index for loop in moved)
    wide = {a: read_wide(a, added) for a in reads(where.consumer) if a.tensor == where.workspace}
    target = target_of(where)
    filled = retarget(where.producer, replace(target, indices=(*added, *target.indices)))
    read = change_leaves(where.consumer, lambda leaf: rename_reads(leaf, wide))
    branched = Where(in_loops(moved, read), in_loops(moved, filled), where.workspace)
    made = replace(program, statement=with_section(program.statement, around.path, in_loops(kept, branched)))
    return replace_workspace(made, wider(program, program.workspace[where.workspace], added))


def narrow(program: Program, around: Section) -> Program:
    """The program whose workspace, which is filled and read at the end of a section, is filled and read inside the
    loops with which both begin, over modes that it has for both: it keeps the others."""
    while isinstance(around.end, Where) and (variable := common_loop(program, around.end)) is not None:
        program = share_loop(program, around, around.end, variable)
        around = section_at(program.statement, around.path)
    return program


def share_loop(program: Program, around: Section, where: Where, variable: str) -> Program:
    """The program whose workspace at the end of a section is filled and read inside the loop that both have."""
    name, target = where.workspace, target_of(where)
    assert isinstance(where.consumer, Forall) and isinstance(where.producer, Forall)
    mode = target.indices.index(variable)
    less = {a: without_mode(a, mode) for a in reads(where.consumer) if a.tensor == name}
    filled = retarget(where.producer.body, without_mode(target, mode))
    read = change_leaves(where.consumer.body, lambda leaf: rename_reads(leaf, less))
    shared = in_loops(around.loops, Forall(variable, Where(read, filled, name)))
    made = replace(program, statement=with_section(program.statement, around.path, shared))
    return replace_workspace(made, narrower(program.workspace[name], mode))


def common_loop(program: Program, where: Where) -> str | None:
    """The variable over which both what fills a workspace and what reads it loop outermost, if it is one mode of the
    workspace for both, and no command has settled how they go or how the workspace is stored."""
    match where.producer, where.consumer:
        case Forall(index=index, tags=()), Forall(index=other, tags=()) if index == other:
            every = [target_of(where), *(a for a in reads(where.consumer) if a.tensor == where.workspace)]
            modes = {tuple(m for m, v in enumerate(a.indices) if v == index) for a in every}
            is_mode = len(modes) == 1 and len(*modes) == 1
            return index if is_mode and is_whole(program, index) and is_open(program, where.workspace) else None
        case _:
            return None


def target_of(where: Where) -> Access:
    """A workspace as it is filled."""
    return next(leaf.target for leaf in assignments(where.producer) if leaf.target.tensor == where.workspace)


def without_mode(access: Access, mode: int) -> Access:
    """An access to a workspace that lacks one of its modes."""
    variable = access.indices[mode]
    return replace(
        access,
        indices=(*access.indices[:mode], *access.indices[mode + 1 :]),
        levels=tuple(v for v in access.levels if v != variable),
    )


def narrower(workspace: Workspace, mode: int) -> Workspace:
    """A workspace without one of its modes."""
    shape = (*workspace.shape[:mode], *workspace.shape[mode + 1 :])
    left = [term for term in terms_of(workspace) if term.mode != mode]
    return with_terms(workspace, shape, tuple(replace(term, mode=term.mode - (term.mode > mode)) for term in left))


def is_open(program: Program, name: str) -> bool:
    """Whether no command has settled how a workspace is stored: the lowering of a reduction has brought it in."""
    workspace = program.workspace[name]
    settled = workspace.asked or workspace.flags is not Flags.EACH
    return not settled and name not in (*program.copies, *program.ordered)


def refuse_narrow(program: Program, where: Where, moved: tuple[Forall, ...]) -> None:
    """Refuse a workspace that cannot get the variables of loops as modes."""
    workspace, used = program.workspace[where.workspace], used_variables(program, producer_accesses(where))
    for loop in moved:
        refuse_tagged(loop)
    unfit = [loop.index for loop in moved if loop.index not in used or not is_whole(program, loop.index)]
    if unfit:
        raise ScheduleError(
            f"the workspace {workspace.name} stands between, and cannot have {', '.join(unfit)} as a mode",
            hint=f"hoist({workspace.name}) if what fills it does not need that, or convert the tensor before",
        )
    if not is_open(program, workspace.name):
        raise ScheduleError(
            f"the workspace {workspace.name} stands between, whose format a command has settled",
            hint="convert before that command",
        )


def is_whole(program: Program, variable: str) -> bool:
    """Whether a variable of the expression is one of a loop: none that a format or a command derives or parts."""
    graph = program.provenance
    is_given = graph.is_original(variable) and graph.format_relation_of(variable) is None
    return is_given and not graph.uses(variable) and extent(program, variable) is not None


def read_wide(access: Access, added: Variables) -> Access:
    """What reads a workspace where it has further modes, which come first."""
    return replace(access, indices=(*added, *access.indices), levels=(*added, *access.levels))


def wider(program: Program, workspace: Workspace, added: Variables) -> Workspace:
    """A workspace with the variables of loops as further modes, stored first."""
    own = [extent(program, v) for v in added]
    shape = (*(n for n in own if n is not None), *workspace.shape)
    behind = (replace(term, mode=len(added) + term.mode) for term in terms_of(workspace))
    return with_terms(workspace, shape, (*map(Mode, range(len(added))), *behind))


def terms_of(workspace: Workspace) -> tuple[Mode | Quotient | Remainder, ...]:
    """What the levels of a workspace hold: modes, or parts of modes where it is read in blocks."""
    return tuple(term for term in workspace.format.map.terms if not isinstance(term, Rank))


def with_terms(workspace: Workspace, shape: tuple[int, ...], terms: tuple[Term, ...]) -> Workspace:
    """A workspace of another shape, whose levels hold what some terms say."""
    map = CoordinateMap(len(shape), terms)
    levels = workspace_levels([n or 0 for n in map.level_extents(shape)])
    return replace(workspace, shape=shape, format=Format(levels, map=map))
