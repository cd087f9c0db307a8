"""Lanes: innermost loops that vector units run, and unrolled bodies (Senanayake 2020, section 4)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec.structs import replace

from ..ir import ir, logic, traversal
from ..ir.ir import Declare, Spelled
from ..ir.simplify import writes
from ..ir.writer import Writer
from ..scope.target import Cell
from ..scope.team import Team

FEWEST = 4
REDUCTIONS = {f"{{0}} {sign} {{1}}": sign for sign in ("+", "*")}
CHECKED = re.compile(r"gn_(?=(add|sub|mul|neg|magnitude|square|to)_)")
"""What reports an integer that does not fit, and has a twin without branches for lanes."""


def vectorise(out: Writer, loop: ir.For, team: Team, cells: Mapping[str, Cell], folds: Mapping[str, str]) -> None:
    """Let lanes share the loop that was written last, if it is one that they can.

    Lanes reduce by operators that C writes as OpenMP does, of which `folds` has the spellings; its `min` and `max`
    would lose NaN. Whether anything is present is told before the loop: it is, if the loop runs at all. What reports
    integers that do not fit has twins without branches, which take longer than branches where lanes reduce; lanes share
    nothing else that reports a status.
    """
    if not all(is_computed(s) for s in loop.body) or is_short(loop):
        return
    shared = tuple(map(report_without_branches, loop.body))
    reports = shared != loop.body
    if reports and team.racing:
        return
    clauses, flags = " reduction(max : status)" if reports else "", []
    for name in sorted(team.racing):
        cell, sign = cells.get(name), REDUCTIONS.get(folds.get(name, ""))
        if cell is None or cell.block or sign is None:
            return
        clauses += f" reduction({sign} : {cell.value.name})"
        if cell.present is not None and ir.Assign(cell.present, ir.TRUE) in loop.body:
            flags.append(cell.present)
    out.take_back(loop)
    end = out.hold(f"{loop.name}_end", loop.end)
    for flag in flags:
        out.add(ir.Assign(flag, logic.either(flag, logic.compare("<", loop.begin, end))))
    body = tuple(s for s in shared if s not in [ir.Assign(flag, ir.TRUE) for flag in flags])
    out.add(replace(loop, end=end, body=body, pragma=f"omp simd{clauses}"))


def is_short(loop: ir.For) -> bool:
    """Whether a loop has too few iterations for lanes, so that compilers write them out one after another."""
    return isinstance(loop.end, ir.Int) and loop.begin == ir.ZERO and loop.end.value < FEWEST


def is_computed(s: ir.Stmt) -> bool:
    """Whether a statement stores a value that is only computed, or reports an integer that does not fit."""
    match s:
        case Declare(value=value):
            return value is None or is_shareable(value)
        case ir.Assign(value=value):
            return is_shareable(value)
        case _:
            return isinstance(s, ir.Comment)


def is_shareable(e: ir.Expr) -> bool:
    """Whether an expression writes nothing, aside from what it reports of integers."""
    return all(is_checked(each) or not writes(each) for each in traversal.subterms(e))


def is_checked(e: ir.Expr) -> bool:
    """Whether an operator reports integers that do not fit, in calls that all have twins, and nothing else."""
    if not isinstance(e, Spelled) or ir.STATUS_ADDRESS not in e.args:
        return False
    return len(CHECKED.findall(e.template)) == e.template.count(f"{{{e.args.index(ir.STATUS_ADDRESS)}}}")


def report_without_branches(s: ir.Stmt) -> ir.Stmt:
    """A statement with the twins for lanes of what reports integers that do not fit."""
    match s:
        case Declare(value=value) if value is not None:
            return replace(s, value=with_twins(value))
        case ir.Assign(value=value):
            return replace(s, value=with_twins(value))
        case _:
            return s


def with_twins(e: ir.Expr) -> ir.Expr:
    """An expression with the twins for lanes of what reports integers that do not fit."""
    whole = traversal.change_parts(e, with_twins)
    if isinstance(whole, Spelled) and is_checked(e):
        return replace(whole, template=CHECKED.sub("gn_lane_", whole.template))
    return whole


def unroll(out: Writer, loop: ir.For, factor: int) -> None:
    """Ask the compiler to unroll the loop that was written last."""
    if factor > 1:
        out.add(replace(out.take_back(loop), unroll=factor))
