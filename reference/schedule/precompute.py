"""Precompute: a part of an expression goes through a workspace (Senanayake 2020, section 4; Kjolstad 2019)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..algebra.operator import Operator
from ..errors import ScheduleError
from ..levels.bitmap import Bitmap
from ..levels.level import Insert
from ..notation.elaboration import rename
from ..notation.printer import pretty
from ..notation.syntax import Access, Expr, Fill, Reduce, accesses
from ..notation.types import dtype_of
from ..statement.nest import permutation
from ..statement.relation import Bound, Collapse, Coord, Derivation, Divide, Pos, Split, derived_variables, parents
from ..statement.statement import Assign, Forall, Program, Sequence, Statement, Where, Workspace, indices, reads
from ..statement.substitution import background_of, constant_value, counted_variables, substitute
from ..storage.declaration import Declaration
from ..storage.format import Format
from ..storage.named_formats import format_of
from ..storage.room import LARGEST, positions, workspace_levels
from .branching import branch, reduces
from .nests import check_countable, extent, fresh, fresh_name, peel_loops, refuse_tagged
from .parts import stand_alone, through

Variables = tuple[str, ...]


def precompute(
    program: Program,
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
    Preconditions: the part reads an operand and occurs in the assigned value, or its operands do and the declared
    algebra lets them stand together (`parts.py`); the loops over `variables` stand in the nest of the assignment, on
    variables whose number of values is known; new names are free. A derived variable is derived again for the
    producer: `t(nz)` holds one tile. The format (hashed levels, or an accumulator for one variable) must be one that is
    inserted into; a dense one keeps flags of what is present.
    """
    if len(variables) != len(renamed):
        raise ScheduleError(
            f"precompute has {len(variables)} variables and {len(renamed)} new names",
            hint="give each variable of the workspace a name in the producer: {i},{iw}",
        )
    if not any(accesses(part)):
        raise ScheduleError(
            f"{pretty(part)} reads no operand: it is known before the loops run", hint="precompute what reads one"
        )
    fresh(program, [*(v for v, w in zip(renamed, variables, strict=True) if v != w), name])
    found: list[Made] = []
    stored = None if format is None else insertable(name, format_of(format, len(variables)))
    statement = precompute_first(program, program.statement, Part(part, variables, renamed, name, stored), found)
    if not found:
        raise ScheduleError(
            f"{pretty(part)} is not computed anywhere",
            hint="write a part of the expression as it stands in gnomon show",
        )
    names = dict(zip(variables, renamed, strict=True))
    return with_workspace(replace(program, statement=statement), found[0], names)


def name_workspace(
    program: Program, part: Expr, variables: Variables, renamed: Variables, *rest: str | Format
) -> tuple[Any, ...]:
    """The arguments of `precompute`, with a new name for the workspace if none is given."""
    return (part, variables, renamed, *(rest or (fresh_name(program, "w"),)))


def insertable(name: str, format: Format) -> Format:
    """A format as a workspace has it: every level inserted into, the last one knowing what is present."""
    for k, level in enumerate(format.levels):
        if not isinstance(level, Insert):
            raise ScheduleError(
                f"the workspace {name} cannot be stored as {format}: level {k + 1} ({level.name}) is not inserted into",
                hint="use Dense, bitmap, HashVector or hashed,hashed, or leave the format out",
            )
    if not format.map.is_permutation:
        raise ScheduleError(
            f"the workspace {name} cannot be stored as {format}: its map is no order of the variables",
            hint="use Dense, bitmap, HashVector or hashed,hashed, or leave the format out",
        )
    *above, last = format.levels
    return Format((*above, Bitmap() if last.full else last), mode_order=permutation(format))


class Part:
    """What is precomputed, over which variables, under which names."""

    def __init__(self, value: Expr, variables: Variables, renamed: Variables, name: str, format: Format | None) -> None:
        self.value, self.variables, self.renamed, self.name = value, variables, renamed, name
        self.format = format

    def in_order(self, own: list[Forall], program: Program) -> Format:
        """The format of the workspace: as asked for, else levels in the order of the loops that read it."""
        if self.format is not None:
            return self.format
        modes = tuple(self.variables.index(loop.index) for loop in own)
        sizes = [extent(program, v) or 0 for v in self.variables]
        return Format(workspace_levels(sizes), mode_order=modes)


@dataclass(frozen=True)
class Made:
    """A workspace, and the variables whose extents its value of what is missing counts."""

    workspace: Workspace
    depends: frozenset[str]


def with_workspace(program: Program, made: Made, names: dict[str, str]) -> Program:
    """The program that knows of a workspace and of the new names of variables."""
    workspace, extents = made.workspace, dict(program.extents)
    graph = program.provenance
    for old, new in names.items():
        if graph.is_original(old):
            extents[new] = extents[old]
    producing = with_intermediate(program, names, workspace.name)
    for relation in graph.of_schedule:
        if any(producing.get(v, v) != v for v in derived_variables(relation)):
            graph = graph.extend(deriving(relation, producing))
    declared = Declaration(workspace.format, workspace.dtype, workspace.missing)
    return replace(
        program,
        workspaces=(*program.workspaces, workspace),
        tensors=(*program.tensors, (workspace.name, declared)),
        extents=tuple(extents.items()),
        depends=program.depends | made.depends,
        provenance=graph.follow(reads(program.statement)),
    )


def with_intermediate(program: Program, names: dict[str, str], name: str) -> dict[str, str]:
    """New names also for the derived variables from which those with new names derive, and which no loop runs over."""
    graph, loops = program.provenance, {*indices(program.statement), *names, *names.values()}
    new = dict(names)
    for relation in reversed(graph.of_schedule):
        if any(new.get(v, v) != v for v in derived_variables(relation)):
            for v in parents(relation):
                if not graph.is_original(v) and v not in loops:
                    new[v] = fresh_name(program, f"{v}_{name}")
    return new


def deriving(relation: Derivation, names: dict[str, str]) -> Derivation:
    """A relation among variables under other names."""
    match relation:
        case Split() | Divide():
            parent, outer, inner = (names.get(v, v) for v in (relation.parent, relation.outer, relation.inner))
            return replace(relation, parent=parent, outer=outer, inner=inner)
        case Collapse():
            outer, inner, fused = (names.get(v, v) for v in (relation.outer, relation.inner, relation.fused))
            return Collapse(outer, inner, fused)
        case Pos(coordinate=coordinate, position=position):
            return replace(relation, coordinate=names.get(coordinate, coordinate), position=names[position])
        case Coord(position=position, coordinate=coordinate, of=of):
            counted = deriving(of, {of.position: of.position, **names})
            assert isinstance(counted, Pos)
            return Coord(names.get(position, position), names[coordinate], counted)
        case Bound(parent=parent, bounded=bounded):
            return replace(relation, parent=names.get(parent, parent), bounded=names[bounded])


def precompute_first(
    program: Program, s: Statement, part: Part, found: list[Made], around: tuple[Forall, ...] = ()
) -> Statement:
    """The statement with the part precomputed at its first occurrence."""
    match s:
        case Forall(index=index, body=body, tags=tags):
            chain, leaf = peel_loops(s)
            if not found and isinstance(leaf, Assign) and stand_alone(leaf.value, part.value) is not None:
                return split_nest(program, around, chain, leaf, part, found)
            return Forall(index, precompute_first(program, body, part, found, (*around, s)), tags)
        case Where(consumer=consumer, producer=producer, workspace=workspace):
            produced = precompute_first(program, producer, part, found, around)
            return Where(precompute_first(program, consumer, part, found, around), produced, workspace)
        case Sequence(statements=statements):
            return Sequence(tuple(precompute_first(program, each, part, found, around) for each in statements))
        case Assign(value=value):
            if found or stand_alone(value, part.value) is None:
                return s
            return split_nest(program, around, [], s, part, found)


def split_nest(
    program: Program,
    around: tuple[Forall, ...],
    chain: list[Forall],
    leaf: Assign,
    part: Part,
    found: list[Made],
) -> Statement:
    """A nest, inside other loops, that becomes a consumer and a producer."""
    there = [loop.index for loop in chain]
    if any(v not in there for v in part.variables):
        raise ScheduleError(
            f"precompute needs loops over {', '.join(part.variables)} around {pretty(part.value)}, but in its nest are "
            f"those over {', '.join(there) or 'nothing'}",
            hint="name loops that stand directly around it, or none: {}",
        )
    standing = stand_alone(leaf.value, part.value)
    assert standing is not None
    leaf, value = replace(leaf, value=standing[0]), standing[1]
    loops = branch(program, chain, leaf, value, part.variables, part.name)
    for loop in loops.own:
        refuse_tagged(loop)
        check_extent(program, loop.index)
    names = dict(zip(part.variables, part.renamed, strict=True))
    format = part.in_order(list(loops.own), program)
    found.append(workspace(program, part, format, value, list(loops.reduced), leaf.operator))
    levels = tuple(part.variables[m] for m in permutation(found[0].workspace.format))
    read = Access(part.name, part.variables, levels, dtype=value.dtype)
    kept = any(reduces(program, loop, leaf) for loop in (*around, *loops.around, *loops.consuming))
    consumer: Statement = replace(
        leaf, value=through(leaf.value, value, read), operator=leaf.operator if kept else None
    )
    filled = Access(part.name, part.renamed, dtype=value.dtype)
    for old, new in names.items():
        value = rename(value, old, new)
    producer: Statement = Assign(filled, value, leaf.operator if loops.reduced else None)
    consumer = in_loops(loops.consuming, consumer, {})
    return in_loops(loops.around, Where(consumer, in_loops(loops.producing, producer, names), part.name), {})


def in_loops(loops: tuple[Forall, ...], body: Statement, names: dict[str, str]) -> Statement:
    """Loops around a statement, some under new names."""
    for loop in reversed(loops):
        body = Forall(names.get(loop.index, loop.index), body, loop.tags)
    return body


def check_extent(program: Program, variable: str) -> None:
    """Refuse a variable over which no workspace can be laid out."""
    if program.provenance.format_relation_of(variable) is not None:
        raise ScheduleError(
            f"precompute cannot count by {variable}: the format of an operand derives it",
            hint="convert the operand first, or precompute over other variables",
        )
    if extent(program, variable) is None:
        raise ScheduleError(
            f"precompute needs a known number of values, but that of {variable} depends on what is stored",
            hint=f"split({variable},...) first, and precompute over the inner loop",
        )
    check_countable(program, variable)
    if isinstance(program.provenance.derivation_of(variable), Coord):
        raise ScheduleError(
            f"precompute cannot count by {variable}: its values are coordinates that only positions give",
            hint="precompute before coord",
        )


def workspace(
    program: Program, part: Part, format: Format, value: Expr, moved: list[Forall], operator: Operator | None
) -> Made:
    """The workspace for a part: where nothing was computed, it holds what the part is without its operands."""
    background = background_of(program)
    whole = value
    for original in dict.fromkeys(v for loop in moved for v in program.provenance.originals(loop.index)):
        assert operator is not None
        whole = Reduce(operator, original, whole, dtype=value.dtype)
    absent = frozenset(accesses(value))
    missing = substitute(whole, absent, background)
    number = missing.value if isinstance(missing, Fill) else constant_value(missing)
    shape = tuple(extent(program, v) or 0 for v in part.variables)
    refuse_large(part.name, format, shape)
    made = Workspace(part.name, format, shape, dtype_of(value), number)
    return Made(made, counted_variables(whole, absent, background))


def refuse_large(name: str, format: Format, shape: tuple[int, ...]) -> None:
    """Refuse a workspace whose levels would not fit in memory before anything is stored."""
    count = positions(format, shape)
    if count > LARGEST:
        raise ScheduleError(
            f"the workspace {name} of shape {shape} in {format} needs {count} positions, more than {LARGEST}",
            hint="precompute over fewer variables or a smaller tile, or name a hashed format",
        )
