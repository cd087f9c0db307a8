"""Precompute: a part of an expression goes through a workspace (Senanayake 2020, section 4; Kjolstad 2019)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from ..errors import ScheduleError
from ..notation.printer import pretty
from ..notation.syntax import Access, Expr, accesses
from ..statement.relation import derived_variables
from ..statement.statement import Assign, Program
from ..storage.format import Format
from .branching import Parted, branch
from .nests import fresh, fresh_name
from .parts import stand_alone, through
from .path import Path
from .section import Section, sections
from .workspace import Temporary, Variables, insertable, through_workspace


def precompute(
    program: Program,
    path: Path,
    part: Expr,
    variables: Variables,
    renamed: Variables,
    name: str,
    format: str | Format | None = None,
) -> Program:
    """Compute a part of the assigned value into a workspace over some variables first, then read it from there.

    Before: `∀i ∀k ∀j C(i,j) += A(i,k) * B(k,j)`. After `precompute(A(i,k) * B(k,j), {j}, {jw}, w)`:

        ∀i
          ∀j
            C(i,j) = w(j)
          where w:
            ∀k
              ∀jw
                w(jw) += A(i,k) * B(k,jw)

    The loops over `variables` may stand anywhere around the assignment; `branching.py` says where the others go.
    Reductions that only the part depends on go with it, if all that is computed from it distributes over them and
    vanishes with it. Without variables the workspace is a scalar.
    Preconditions: no variable is named twice; the part reads an operand and occurs in the assigned value, or its
    operands do and the declared algebra lets them stand together (`parts.py`); the loops over `variables` stand in the
    nest of the assignment, on variables whose number of values is known; new names are free. A derived variable is
    derived again for the producer: `t(nz)` holds one tile. The format (hashed levels, or an accumulator for one
    variable) must be one that is inserted into; a dense one keeps flags of what is present.
    """
    if len(variables) != len(renamed):
        raise ScheduleError(
            f"precompute has {len(variables)} variables and {len(renamed)} new names",
            hint="give each variable of the workspace a name in the producer: {i},{iw}",
        )
    refuse_repeated(variables, name)
    if not any(accesses(part)):
        raise ScheduleError(
            f"{pretty(part)} reads no operand: it is known before the loops run", hint="precompute what reads one"
        )
    fresh(program, [*(v for v, w in zip(renamed, variables, strict=True) if v != w), name])
    section = section_of(program, path, part)
    parted = part_assignment(section, part, name)
    if any(v not in section.variables for v in variables):
        raise ScheduleError(
            f"precompute needs loops over {', '.join(variables)} around {pretty(part)}, but in its nest are "
            f"those over {', '.join(section.variables) or 'nothing'}",
            hint="name loops that stand directly around it, or none: {}",
        )
    loops = branch(program, section, parted, variables)
    kept = {loop.index: loop.index for loop in loops.reduced}
    refuse_torn(program, {**kept, **dict(zip(variables, renamed, strict=True))})
    stored = None if format is None else insertable(name, format, variables)
    asked = Temporary(name, variables, renamed, stored, format is not None)
    return through_workspace(program, section, parted, loops, asked)


def refuse_repeated(variables: Variables, name: str) -> None:
    """Refuse a workspace over one variable several times, of which it would have a diagonal alone."""
    twice = next((v for n, v in enumerate(variables) if v in variables[:n]), None)
    if twice is not None:
        once = ",".join(dict.fromkeys(variables))
        raise ScheduleError(
            f"precompute names {twice} twice among the variables of {name}",
            hint=f"name each variable once: {{{once}}}, with a new name for each",
        )


def refuse_torn(program: Program, names: Mapping[str, str]) -> None:
    """Refuse new names for some, but not all, of the variables in the producer that one command derives: the variable
    that keeps its name would derive from two commands."""
    graph = program.provenance
    for relation in graph.of_schedule:
        made = [w for v in derived_variables(relation) for w in (v, *graph.offspring(v)) if w in names]
        new, old = ([w for w in made if (names[w] != w) == renamed] for renamed in (True, False))
        if new and old:
            raise ScheduleError(
                f"precompute has {names[new[0]]} as a new name for {new[0]}, but none for {old[0]}, "
                "which comes of the same command",
                hint=f"leave {new[0]} its own name",
                rule="schedule.precompute.requires",
            )


def name_workspace(
    program: Program, path: Path, part: Expr, variables: Variables, renamed: Variables, *rest: str | Format
) -> tuple[Any, ...]:
    """The arguments of `precompute`, with a new name for the workspace if none is given."""
    return (part, variables, renamed, *(rest or (fresh_name(program, "w"),)))


def section_of(program: Program, path: Path, part: Expr) -> Section:
    """The first section from a path on that computes a part. Raises ScheduleError if none does."""
    for section in sections(program.statement):
        leaf = section.end if section.path[: len(path)] == path else None
        if isinstance(leaf, Assign) and stand_alone(leaf.value, part) is not None:
            return section
    raise ScheduleError(
        f"{pretty(part)} is not computed anywhere",
        hint="write a part of the expression as it stands in gnomon show",
        rule="schedule.precompute.part",
    )


def part_assignment(section: Section, part: Expr, name: str) -> Parted:
    """The assignment of a section with a hole where a part stands, whose name is to be that of a workspace."""
    leaf = section.end
    assert isinstance(leaf, Assign)
    standing = stand_alone(leaf.value, part)
    assert standing is not None
    value, found = standing
    hole = Access(name, dtype=found.dtype)
    return Parted(replace(leaf, value=through(value, found, hole)), hole, found)
