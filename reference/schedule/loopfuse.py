"""Loopfuse: the operands of a section part into a producer and a consumer, under the loops that both begin with
(SparseAuto, section 4.2, Algorithm 1; Dias 2022, SparseLNR)."""

from __future__ import annotations

from itertools import takewhile
from operator import itemgetter
from typing import Any

from msgspec.structs import replace

from ..errors import ScheduleError
from ..notation.printer import pretty
from ..notation.syntax import Access, Apply, Expr, Literal, accesses, nodes
from ..notation.types import dtype_of
from ..span import Span
from ..statement.statement import Assign, Forall, Program
from ..storage.format import Format
from ..storage.room import temporary_levels
from .branching import (
    Branching,
    Parted,
    is_among,
    is_distributive,
    mixed_loops,
    needed_variables,
    shares,
    used_variables,
    vanishes,
)
from .command import SIDES
from .nests import extent, fresh, fresh_name
from .parts import (
    chain,
    find_operands,
    fold_operands,
    may_regroup,
    same_but_for_conversions,
    with_complex_numbers,
    written_operands,
)
from .path import Path
from .section import assignment_of, section_at
from .workspace import Temporary, insertable, through_workspace


def loopfuse(
    program: Program, path: Path, loc: int | Expr, side: str, name: str, format: str | Format | None = None
) -> Program:
    """Compute the first `loc` operands of a section first, or the others, inside the loops with which both begin.

    Before: `∀l ∀m ∀i ∀j ∀k ∀n A(l,m,n) += B(i,j,k) * C(i,l) * D(j,m) * E(k,n)`. After `loopfuse({}, 3, left, T)`:

        ∀l
          ∀m
            ∀k
              ∀n
                A(l,m,n) += T(k) * E(k,n)
            where T:
              ∀i
                ∀j
                  ∀k
                    T(k) += B(i,j,k) * C(i,l) * D(j,m)

    `side` says which operands fill the temporary: those left or right of `loc`. Where the operator commutes, `loc`
    may be some of the operands instead, such as `B(i,j,k) * E(k,n)`: these are `left`, the others `right`. Loops go
    where their variables are used; those that both need and that no other loop stands before are fused; the
    temporary has exactly the variables that both need and that are not fused, and begins anew in each iteration of
    the innermost fused loop.
    Operands are those of one operator, all of them if it is associative, counted as they are written (where it
    commutes, reductions may have brought them in another order). Without a format the temporary is dense. Masks, and
    what the result held before, stay with the consumer.
    Preconditions, from the declared algebra: the product with the temporary distributes over the reductions that move
    into the producer, and annihilates where these have no contributions; no variable is torn into loops of which one
    side has a part alone.
    """
    section = section_at(program.statement, path)
    fresh(program, (name,))
    parted = part_operands(assignment_of(section), loc, side, name)
    loops = fuse_prefix(program, section.loops, parted)
    variables = tuple(loop.index for loop in loops.own)
    sizes = [extent(program, v) or 0 for v in variables]
    stored = Format(temporary_levels(sizes)) if format is None else insertable(name, format, variables)
    asked = Temporary(name, variables, variables, stored, format is not None)
    return through_workspace(program, section, parted, loops, asked)


def name_temporary(program: Program, path: Path, loc: int | Expr, side: str, *rest: str | Format) -> tuple[Any, ...]:
    """The arguments of `loopfuse`, with a new name for the temporary if none is given."""
    return (loc, side, *(rest or (fresh_name(program, "T"),)))


def part_operands(leaf: Assign, loc: int | Expr, side: str, name: str) -> Parted:
    """An assignment with a hole in the place of its first `loc` operands, or of the others."""
    if side not in SIDES:
        raise ScheduleError(f"{side!r} is no side of the operands", hint=f"use {' or '.join(SIDES)}")
    value = leaf.value
    operands = operands_of(value)
    assert isinstance(value, Apply)
    places = at_number(value, operands, loc) if isinstance(loc, int) else by_name(value, operands, loc)
    others = [n for n in range(len(operands)) if n not in places]
    for each in ([operands[n] for n in places], [operands[n] for n in others]):
        if not any(True for e in each for _ in accesses(e)):
            raise ScheduleError(
                f"{' and '.join(map(pretty, each))} on one side reads no operand",
                hint="part the operands elsewhere",
                rule="schedule.loopfuse.operands",
            )
    filling = places if side == "left" else others
    part = fold_operands(value, [operands[n] for n in filling])
    hole = Access(name, dtype=dtype_of(part), span=span_of(part))
    rest = [hole if n == filling[0] else e for n, e in enumerate(operands) if n == filling[0] or n not in filling]
    return Parted(replace(leaf, value=fold_operands(value, rest)), hole, part)


def at_number(value: Expr, operands: list[Expr], loc: int) -> list[int]:
    """The places of the first operands."""
    if not 0 < loc < len(operands):
        raise ScheduleError(
            f"the operands of {pretty(value)} cannot part at {loc}: there are {len(operands)}",
            hint=f"count the operands on the left: 1 to {len(operands) - 1}",
            rule="schedule.loopfuse.operands",
        )
    return list(range(loc))


def by_name(value: Apply, operands: list[Expr], named: Expr) -> list[int]:
    """The places of the operands that are named."""
    named, commutative = with_complex_numbers(named), value.operator.commutative
    there = list(map(with_complex_numbers, operands))
    wanted = written_operands(named, value.operator, there, same_but_for_conversions)
    places = find_operands(there, wanted, same_but_for_conversions, commutative=commutative)
    if places is None or len(places) == len(operands):
        raise ScheduleError(
            f"{pretty(named)} is not some of the operands of {pretty(value)}",
            hint=f"name operands of {pretty(value)}, not all of them",
            rule="schedule.loopfuse.operands",
        )
    if not commutative and places[0] != 0:
        raise ScheduleError(
            f"{pretty(named)} does not stand first in {pretty(value)}, and {value.operator.name} does not commute",
            hint="name the operands on the left, or count them",
            rule="schedule.loopfuse.operands",
        )
    return places


def operands_of(value: Expr) -> list[Expr]:
    """The operands of an operator, however bracketed if they may be grouped otherwise, else the two that it has. Raises
    ScheduleError if there is no operator of two operands."""
    if not (isinstance(value, Apply) and len(value.args) == 2):
        raise ScheduleError(
            f"{pretty(value)} is one operand, so there is nothing to part",
            hint="use precompute for a part of it",
            rule="schedule.loopfuse.operands",
        )
    operands = chain(value, value)
    if not may_regroup(value.operator, operands):
        return list(value.args)
    return in_written_order(operands) if value.operator.commutative else operands


def in_written_order(operands: list[Expr]) -> list[Expr]:
    """Operands as they stand in the source, which reductions may have brought in another order; where one stands in no
    source, as they are."""
    spans = [span_of(each) for each in operands]
    places = [span.start for span in spans if span is not None]
    if len(places) < len(operands):
        return operands
    return [each for _, each in sorted(zip(places, operands, strict=True), key=itemgetter(0))]


def span_of(e: Expr) -> Span | None:
    """The part of the source in which an expression stands, as far as its accesses and numbers tell."""
    spans = [each.span for each in nodes(e) if isinstance(each, Access | Literal) and each.span is not None]
    return Span(min(s.start for s in spans), max(s.stop for s in spans)) if spans else None


def fuse_prefix(program: Program, loops: tuple[Forall, ...], parted: Parted) -> Branching:
    """Where the loops go (Algorithm 1): the longest prefix that both sides need is fused, the others go where they are
    needed, to both sides if both need them, and where nobody needs them to the consumer."""
    used, needed = used_variables(program, [parted.part]), needed_variables(program, parted)

    fills = {loop for loop in loops if is_among(program, loop, used)}
    reads = {loop for loop in loops if is_among(program, loop, needed) or loop not in fills}
    fused = tuple(takewhile(lambda loop: loop in fills and loop in reads, loops))
    producing = tuple(loop for loop in loops[len(fused) :] if loop in fills)
    consuming = tuple(loop for loop in loops[len(fused) :] if loop in reads)
    own = tuple(loop for loop in producing if loop in consuming)
    reduced = tuple(loop for loop in producing if loop not in own)
    return Branching(fused, consuming, producing, own, reduced)


def check_reductions(program: Program, path: Path, loc: int | Expr, side: str, name: str, *_: object) -> None:
    """Refuse a reduction that cannot go into the producer without a change of what is computed."""
    section = section_at(program.statement, path)
    parted = part_operands(assignment_of(section), loc, side, name)
    leaf, operator = parted.leaf, parted.leaf.operator
    if operator is None:
        return
    for loop in fuse_prefix(program, section.loops, parted).reduced:
        what = f"the reduction over {loop.index} cannot go into the producer"
        fold = operator.reduction or operator.name
        if not is_distributive(parted, operator):
            raise ScheduleError(
                f"{what}: {pretty(leaf.value)} does not distribute over its {fold}",
                hint="part the operands elsewhere",
                rule="schedule.loopfuse.reduction",
            )
        if not vanishes(program, parted, operator):
            raise ScheduleError(
                f"{what}: {pretty(leaf.value)} contributes to the {fold} where {name} has no contributions",
                hint="part the operands elsewhere",
                rule="schedule.loopfuse.reduction",
            )


def check_tiles(program: Program, path: Path, loc: int | Expr, side: str, name: str, *_: object) -> None:
    """Refuse a loop that one side has alone if other loops stand for a part of the same variables."""
    section = section_at(program.statement, path)
    parted = part_operands(assignment_of(section), loc, side, name)
    loops = fuse_prefix(program, section.loops, parted)
    above = (*section.around, *loops.around)
    filling = mixed_loops(program, above, used_variables(program, [parted.part]))
    reading = mixed_loops(program, above, needed_variables(program, parted))
    consumed = [loop for loop in loops.consuming if loop not in loops.own]
    sides = (
        (loops.reduced, (*loops.around, *loops.consuming, *reading)),
        (consumed, (*loops.producing, *filling)),
    )
    for loop in (each for alone, others in sides for each in alone if shares(program, each, others)):
        raise ScheduleError(
            f"the loop over {loop.index} belongs to one side, but loops on the other stand for parts of the same "
            "variables",
            hint="give loopfuse before loops are split or collapsed",
            rule="schedule.loopfuse.reduction",
        )
