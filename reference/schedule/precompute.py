"""Precompute: a part of an expression goes through a workspace (Senanayake 2020, section 4; Kjolstad 2019)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ..algebra.operator import Operator
from ..errors import ScheduleError
from ..levels.bitmap import Bitmap
from ..levels.level import Insert
from ..loops.strategy import distributes, occurs
from ..notation.elaboration import rename
from ..notation.printer import pretty
from ..notation.syntax import Access, Apply, Expr, Fill, Literal, Reduce, accesses
from ..notation.types import dtype_of
from ..statement.nest import permutation
from ..statement.relation import Bound, Collapse, Coord, Derivation, Divide, Pos, Split, derived_variables, parents
from ..statement.statement import Assign, Forall, Program, Sequence, Statement, Where, Workspace, indices, reads
from ..statement.substitution import annihilates, background_of, constant_value, counted_variables, substitute
from ..storage.declaration import Declaration
from ..storage.format import Format
from ..storage.named_formats import format_of
from ..storage.room import LARGEST, positions, workspace_levels
from .nests import check_countable, extent, fresh, fresh_name, refuse_tagged

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

    Reductions that only the part depends on go with it, if all that is computed from it distributes over them and
    vanishes with it.
    Preconditions: the part reads an operand and occurs in the assigned value; the loops over `variables` are the
    innermost ones, on variables whose number of values is known; the new names are free. A derived variable is derived
    again for the producer: `t(nz)` holds one tile. The format (hashed levels, or an accumulator for one variable) must
    be one that is inserted into; a dense one keeps flags of what is present.
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
            if not found and isinstance(leaf, Assign) and contains(leaf.value, part.value):
                return split_nest(program, around, chain, leaf, part, found)
            return Forall(index, precompute_first(program, body, part, found, (*around, s)), tags)
        case Where(consumer=consumer, producer=producer, workspace=workspace):
            produced = precompute_first(program, producer, part, found, around)
            return Where(precompute_first(program, consumer, part, found, around), produced, workspace)
        case Sequence(statements=statements):
            return Sequence(tuple(precompute_first(program, each, part, found, around) for each in statements))
        case Assign():
            return s


def peel_loops(s: Statement) -> tuple[list[Forall], Statement]:
    """The directly nested loops from here inward, and what they enclose."""
    chain: list[Forall] = []
    while isinstance(s, Forall):
        chain.append(s)
        s = s.body
    return chain, s


def split_nest(
    program: Program,
    around: tuple[Forall, ...],
    chain: list[Forall],
    leaf: Assign,
    part: Part,
    found: list[Made],
) -> Statement:
    """A nest, inside other loops, whose innermost loops become a consumer and a producer."""
    indices = [loop.index for loop in chain]
    own = chain[len(chain) - len(part.variables) :]
    if sorted(loop.index for loop in own) != sorted(part.variables):
        raise ScheduleError(
            f"precompute needs the loops over {', '.join(part.variables)} innermost, but the loops are "
            f"{', '.join(indices)}",
            hint="reorder the loops first, or name the innermost ones",
        )
    for loop in own:
        refuse_tagged(loop)
        check_extent(program, loop.index)
    outer = chain[: len(chain) - len(own)]
    moved = movable(program, outer, own, leaf, part)
    kept = outer[: len(outer) - len(moved)]
    names = dict(zip(part.variables, part.renamed, strict=True))
    value = locate_part(leaf.value, part.value)
    found.append(workspace(program, part, part.in_order(own, program), value, moved, leaf.operator))
    levels = tuple(part.variables[m] for m in permutation(found[0].workspace.format))
    read = Access(part.name, part.variables, levels, dtype=value.dtype)
    consumer: Statement = replace(
        leaf,
        value=through(leaf.value, part.value, read),
        operator=leaf.operator if any(reduces(program, loop, leaf) for loop in (*around, *kept, *own)) else None,
    )
    filled = Access(part.name, part.renamed, dtype=value.dtype)
    for old, new in names.items():
        value = rename(value, old, new)
    producer: Statement = Assign(filled, value, leaf.operator if moved else None)
    for loop in reversed(own):
        consumer = Forall(loop.index, consumer)
        producer = Forall(names[loop.index], producer)
    for loop in reversed(moved):
        producer = Forall(loop.index, producer)
    made: Statement = Where(consumer, producer, part.name)
    for loop in reversed(kept):
        made = Forall(loop.index, made, loop.tags)
    return made


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


def is_stored(program: Program, variable: str) -> bool:
    """Whether a variable derives from one that the format of an operand derives."""
    originals = program.provenance.originals(variable)
    return any(program.provenance.format_relation_of(v) is not None for v in originals)


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


def reduces(program: Program, loop: Forall, leaf: Assign) -> bool:
    """Whether a loop contributes several times to one component."""
    own = {*leaf.target.indices, *(v for index in leaf.target.indices for v in program.provenance.parts(index))}
    return not set(program.provenance.originals(loop.index)) <= own


def movable(program: Program, outer: list[Forall], own: list[Forall], leaf: Assign, part: Part) -> list[Forall]:
    """The reductions directly around that may go into the producer."""
    operator = leaf.operator
    moved: list[Forall] = []
    rest = through(leaf.value, part.value, Access(part.name))
    if operator is None or not distributes(leaf.value, partial(same, part=part.value), operator):
        return []
    if not vanishes(program, rest, part.name, dtype_of(locate_part(leaf.value, part.value)), operator):
        return []
    others = {v for access in accesses(rest) for v in (*access.indices, *access.levels)} | set(leaf.target.indices)
    for loop in reversed(outer):
        if loop.tags or is_stored(program, loop.index):
            break
        if set(program.provenance.originals(loop.index)) & others:
            break
        moved.insert(0, loop)
    while moved and any(shares(program, loop, [*outer[: len(outer) - len(moved)], *own]) for loop in moved):
        moved.pop(0)
    return moved


def vanishes(program: Program, value: Expr, name: str, dtype: np.dtype, operator: Operator) -> bool:
    """Whether a value that reads a workspace contributes nothing where that is a reduction of no contributions.

    `max(x, max(k, t(k)))` is `max(k, max(x, t(k)))` only where there is some `k`.
    """
    assert operator.left_identity is not None
    known = background_of(program)
    fills, dtypes = {**known.fills, name: operator.left_identity(dtype)}, {**known.dtypes, name: dtype}
    left = substitute(value, frozenset({Access(name)}), replace(known, fills=fills, dtypes=dtypes))
    return isinstance(left, Fill) and annihilates(operator.left_identity, left)


def shares(program: Program, loop: Forall, others: list[Forall]) -> bool:
    """Whether a loop derives from an original variable that others derive from too: a part of a reduction."""
    own = set(program.provenance.originals(loop.index))
    return any(own & set(program.provenance.originals(other.index)) for other in others)


def same(e: Expr, part: Expr) -> bool:
    """Whether an expression of a statement is one that somebody wrote, conversions aside."""
    match e, part:
        case Access(), Access():
            return (e.tensor, e.indices) == (part.tensor, part.indices)
        case Literal(value=a), Literal(value=b):
            return a == b
        case Literal(value=a), Apply(args=(Literal(), Literal(value=complex()))):
            return bool(a == constant_value(part))
        case Apply(operator=a, args=left), Apply(operator=b, args=right):
            return a.name == b.name and len(left) == len(right) and all(map(same, left, right))
        case Reduce(operator=a, index=i, body=left), Reduce(operator=b, index=j, body=right):
            return a.name == b.name and i == j and same(left, right)
        case _:
            return False


def contains(e: Expr, part: Expr) -> bool:
    """Whether a part occurs in an expression."""
    return occurs(e, partial(same, part=part))


def locate_part(e: Expr, part: Expr) -> Expr:
    """The precomputed part as it occurs in an expression, where its accesses have their levels."""
    if same(e, part) or not isinstance(e, Apply):
        return e
    return locate_part(next(a for a in e.args if contains(a, part)), part)


def through(e: Expr, part: Expr, read: Expr) -> Expr:
    """The expression with something else, such as the access to a workspace, where the part was."""
    if same(e, part):
        return read
    match e:
        case Apply(args=args):
            return replace(e, args=tuple(through(a, part, read) for a in args))
        case Access() | Literal() | Fill() | Reduce():
            return e
